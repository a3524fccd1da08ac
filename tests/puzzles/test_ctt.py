"""Timetables of courses."""

import re

import pytest

from dlx_numba.cli import puzzle_search
from dlx_numba.cli.terminal import ExitStatus
from dlx_numba.cover import highs
from dlx_numba.puzzles.marks import find_mark
from dlx_numba.puzzles.plans import ctt
from dlx_numba.puzzles.records import parse_all
from dlx_numba.runtime.errors import FormatError
from tests.helpers.pictures import parse_picture
from tests.helpers.processes import invoke_with_status

SMALL = """Name: Small
Courses: 3
Rooms: 2
Days: 1
Periods_per_day: 3
Curricula: 1
{constraints}
COURSES:
algebra noether 2 1 30
logic tarski 1 1 12
sets noether 1 1 9

ROOMS:
hall 30
cellar 10

CURRICULA:
first 2 algebra logic

UNAVAILABILITY_CONSTRAINTS:
sets 0 0

END.
"""
TEXT = SMALL.format(constraints="Constraints: 1")


def read(text):
    [found] = parse_all(ctt, text, "small.ctt")
    if isinstance(found, FormatError):
        raise found
    return found


@pytest.mark.filterwarnings("ignore:.*are not stated")
def test_lectures_have_periods_and_rooms():
    puzzle = read(TEXT)
    # Algebra twice, and logic, need all periods. So do algebra and sets: sets are beside logic, in
    # period 1 or 2. Each lecture may be in any room, but not in that of the other.
    assert puzzle.count() == 2 * 2**2 * 2
    [cover] = puzzle.cover().cheapest()
    assert cover.cost == 0
    text = puzzle.text(cover)
    assert text.count("algebra") == 2
    assert text.startswith("hall\n")
    parse_picture(puzzle.svg(cover))


def test_what_is_not_stated_is_said():
    with pytest.warns(UserWarning, match="costs of missing days and isolated lectures"):
        puzzle = read(TEXT)
    assert puzzle.title == "Timetable Small"
    assert find_mark(TEXT, "-") == find_mark("", "a.ctt") == "ctt"


@pytest.mark.filterwarnings("ignore:.*are not stated")
def test_minimum_days_and_constraints_may_be_left_out():
    text = SMALL.format(constraints="").replace("sets 0 0\n", "")
    text = text.replace(" 1 30", " 30").replace(" 1 12", " 12").replace(" 1 9", " 9")
    assert read(text).count() == read(text.partition("UNAV")[0]).count() > read(TEXT).count()


@pytest.mark.filterwarnings("ignore:.*are not stated")
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (" 1 1 9", "", ":11: a line of COURSES cannot have 2 words"),
        ("Rooms: 2", "Rooms: 3", ":1: expected Rooms: 3, but 2 are listed"),
        ("Rooms: 2", "Rooms: two", ":1: 'two' is not a number"),
        ("Rooms: 2\n", "", ":1: the first lines must be Name: Courses: Rooms: Days:"),
        ("Rooms: 2", "Rooms: 2\nRooms: 2", ":1: the first lines must be Name: Courses: Rooms:"),
        ("Constraints: 1", "Constraints: 2", ":1: expected Constraints: 2, but 1 are listed"),
        ("cellar 10", "hall 10", ":1: a name in ROOMS is listed twice"),
        ("logic tarski", "algebra tarski", ":1: a name in COURSES is listed twice"),
        ("2 algebra logic", "2 logic logic", ": curriculum 'first': a course is listed twice"),
        ("ROOMS:", "ROOMS:\nROOMS:", ":14: a line of ROOMS cannot have 1 words"),
        ("COURSES:\n", "", ":1: the first lines must be"),
        (" 1 30", " 30", ":1: courses with minimum days and without them are listed"),
        ("2 algebra logic", "2 algebra music", ": curriculum 'first': course 'music' is not"),
        ("2 algebra logic", "2 algebra", ": curriculum 'first': expected 2, but 1 are listed"),
        ("sets 0 0", "music 0 0", ": a constraint: course 'music' is not listed"),
        ("sets 0 0", "sets 0 3", ": a constraint: there is no period 3 of day 0"),
        ("hall 30", "hall big", ":1: 'big' is not a number"),
        ("END.", "END.\nmore", ": a line of END. cannot have 1 words"),
    ],
)
def test_errors_name_the_line_or_the_reason(old, new, reason):
    with pytest.raises(FormatError, match=r"small\.ctt:") as error:
        read(TEXT.replace(old, new))
    assert reason in str(error.value)


def test_curricula_have_different_names():
    """Equal names would be one curriculum, whose courses exclude each other."""
    text = TEXT.replace("Curricula: 1", "Curricula: 2")
    with pytest.raises(FormatError, match="a name in CURRICULA is listed twice"):
        read(text.replace("2 algebra logic", "1 algebra\nfirst 1 sets"))


def test_solve_shows_the_best_timetable_known(tmp_path, monkeypatch):
    """The rooms are too small for most lectures, so the proof takes hours."""
    monkeypatch.setattr(highs, "can_import", lambda _: False)  # is not installed
    monkeypatch.setattr(puzzle_search, "QUICK_SECONDS", 0.01)
    monkeypatch.setattr(puzzle_search, "PROOF_SECONDS", 0.05)
    courses = [f"c{k} t{k % 7} 4 1 {20 + k * 37 % 50}" for k in range(25)]
    sizes = "Name: Hard\nCourses: 25\nRooms: 5\nDays: 5\nPeriods_per_day: 5\nCurricula: 1\n"
    rooms = [f"r{k} {20 + 5 * k}" for k in range(5)]
    lines = "COURSES:", *courses, "ROOMS:", *rooms, "CURRICULA:", "q 2 c0 c1", "END."
    path = tmp_path / "hard.ctt"
    path.write_text(sizes + "\n".join(lines), encoding="utf-8")
    drawn, _, status = invoke_with_status("solve", path)
    assert status == ExitStatus.STOPPED
    assert re.search(r"# cost [0-9,]+, the best known, not proven; .*--seconds N searches", drawn)
    assert len(re.findall(r" c[0-9]+", drawn)) >= 100  # lectures
