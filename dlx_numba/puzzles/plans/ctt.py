"""Timetables of courses, in the format of the second international competition (ITC-2007)."""

import warnings
from collections.abc import Collection
from itertools import product
from typing import Any

from ...cover.encode import Formulation
from ...pictures.timetable import Bar, Timetable
from ..puzzle import Puzzle
from ..records import Record

formats = "timetables of courses (.ctt) of the competition ITC-2007"

HAS_BLANK_LINES = True  # between the sections
KEYS = ["Name:", "Courses:", "Rooms:", "Days:", "Periods_per_day:", "Curricula:", "Constraints:"]
WIDTHS = {  # the numbers of words in a line of each section; the first one has the sizes
    "": range(1, 100),
    "COURSES": range(4, 6),
    "ROOMS": range(2, 3),
    "CURRICULA": range(2, 1000),
    "UNAVAILABILITY_CONSTRAINTS": range(3, 4),
    "END.": range(0),
}
MAX_OPTIONS = 1_000_000
MISSING_COSTS = "costs of missing days and isolated lectures are missing; those of seats are used"

Rows = dict[str, list[list[str]]]  # the words of each line, by their section


def parse(record: Record) -> Puzzle:
    """Return the timetable: each lecture has a period and a room, at the lowest costs of seats.

    Items: each course, as often as it has lectures.
    Secondary items: each room, course, teacher and curriculum in each period.
    Options: a lecture of a course in a period and a room; it costs 1 for each student without a
    seat.
    """
    rows = _split(record)
    head = rows.pop("")
    if len({*map(len, rows["COURSES"])}) > 1:
        raise ValueError("courses with minimum days and without them are listed")
    if [key for key, *_ in head] not in (KEYS, KEYS[:-1]):
        raise ValueError(f"the first lines must be {' '.join(KEYS)}")
    name = " ".join(head[0][1:])
    sizes = {key: _number(" ".join(value)) for key, *value in head[1:]}
    for section, listed in rows.items():
        key = f"{section.rpartition('_')[2].capitalize()}:"
        n_listed = sizes.get(key, 0)
        if n_listed != len(listed):
            raise ValueError(f"expected {key} {n_listed}, but {len(listed)} are listed")
    warnings.warn(f"{record.place}: {MISSING_COSTS}", stacklevel=2)
    formulation = _formulate(name, sizes["Days:"], sizes["Periods_per_day:"], rows)
    return Puzzle(f"Timetable {name}", formulation)


def _split(record: Record) -> Rows:
    """Return the words of the lines of each section."""
    rows: Rows = {section: [] for section in WIDTHS}
    section, *left = WIDTHS  # the current section, and those that may follow, in this order
    for number, line in enumerate(record.lines(), 1):
        words = line.split()
        title, colon, rest = line.strip().partition(":")
        # A colon follows the title of each section, but not the word at the end.
        if title in left and not rest and bool(colon) == (title != "END."):
            section = title
            left = left[left.index(title) + 1 :]
        elif words and len(words) not in WIDTHS[section]:
            raise record.error(number, f"a line of {section} cannot have {len(words)} words")
        elif words:
            rows[section].append(words)
    return rows


def _number(text: str) -> int:
    """Return a number that is not negative."""
    if not text.isdecimal():
        raise ValueError(f"{text!r} is not a number")
    return int(text)


def _formulate(name: str, n_days: int, n_periods: int, rows: Rows) -> Formulation:
    """Formulate the lectures of courses as options."""
    # A course has a name, a teacher, the number of lectures, perhaps that of days, and of students.
    numbers = {course: [*map(_number, words)] for course, _, *words in rows["COURSES"]}
    courses = {course: (lectures, students) for course, (lectures, *_, students) in numbers.items()}
    rooms = {room: _number(seats) for room, seats in rows["ROOMS"]}
    for section in ("COURSES", "ROOMS", "CURRICULA"):
        if len({row[0] for row in rows[section]}) < len(rows[section]):
            raise ValueError(f"a name in {section} is listed twice")
    groups = _read_groups(rows)
    closed = _read_closed(rows, groups, n_days, n_periods)
    n_options = max(1, len(courses) * len(rooms)) * n_days * n_periods
    if n_options > MAX_OPTIONS:
        raise ValueError(f"{n_options:,} options are more than the maximum of {MAX_OPTIONS:,}")
    options: dict[Any, list[Any]] = {}
    costs: list[int] = []
    bars: list[tuple[Bar, ...]] = []
    secondary: dict[Any, None] = {}
    periods = [*product(range(n_days), range(n_periods))]
    # An option is a course in a period and a room; its cost, the number of students without a seat.
    for course, (start, (day, period)), (row, room) in product(
        courses, enumerate(periods), enumerate(rooms)
    ):
        if (course, day, period) in closed:
            continue
        # What the lecture takes, which nothing else can have in this period
        used = [(*group, day, period) for group in [("room", room), *groups[course]]]
        options[f"{course} day {day} period {period} {room}"] = [course, *used]
        secondary |= dict.fromkeys(used)
        costs.append(max(0, courses[course][1] - rooms[room]))
        bars.append((Bar(row, start, start + 1, course),))  # `start` counts the periods of all days
    labels = [(k, f"{day}.{period}") for k, (day, period) in enumerate(periods)]
    axes = ("room", "day and period")
    picture = Timetable(f"Timetable {name}", bars, [*rooms], labels, axes=axes)
    exactly = {course: lectures for course, (lectures, _) in courses.items()}
    return Formulation(
        options, [*courses], [*secondary], costs=costs, exactly=exactly, view=picture
    )


def _read_groups(rows: Rows) -> dict[str, list[tuple[str, str]]]:
    """Return what cannot be in two rooms in one period, for each course: its teacher and others."""
    groups = {
        course: [("course", course), ("teacher", teacher)]
        for course, teacher, *_ in rows["COURSES"]
    }
    for curriculum, n_members, *members in rows["CURRICULA"]:
        place = f"curriculum {curriculum!r}"
        if _number(n_members) != len(members):
            raise ValueError(f"{place}: expected {n_members}, but {len(members)} are listed")
        if len({*members}) < len(members):
            raise ValueError(f"{place}: a course is listed twice")
        for member in members:
            _check_course(member, groups, place)
            groups[member].append(("curriculum", curriculum))
    return groups


def _read_closed(
    rows: Rows, courses: Collection[str], n_days: int, n_periods: int
) -> set[tuple[str, int, int]]:
    """Return the days and periods in which a course has no lectures."""
    closed: set[tuple[str, int, int]] = set()
    for course, *when in rows["UNAVAILABILITY_CONSTRAINTS"]:
        _check_course(course, courses, "a constraint")
        day, period = map(_number, when)
        if day >= n_days or period >= n_periods:
            raise ValueError(f"a constraint: there is no period {period} of day {day}")
        closed.add((course, day, period))
    return closed


def _check_course(course: str, groups: Collection[str], place: str) -> None:
    if course not in groups:
        raise ValueError(f"{place}: course {course!r} is not listed")
