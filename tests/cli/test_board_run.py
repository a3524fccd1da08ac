"""Output that is common to the commands that read files of boards."""

import csv
import io
import os
import re
from contextlib import nullcontext
from unittest.mock import Mock

import pytest

from dlx_numba.cli import solve
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke, invoke_json, run

pytestmark = pytest.mark.compiled


BOARD = r"[\d.]{81}"
UNREADABLE = "not a board"
BAD = f"# unreadable: <stdin>:4: {UNREADABLE}"
UNSOLVABLE = f"{NONE} # no solution"
RESULTS = {  # the lines, the statuses, and the summary
    "solve": (
        [SOLVED, SOLVED, UNSOLVABLE, BAD, BOARD],
        "solved solved none unreadable solved",
        "5 Sudokus: 3 solved, 1 without a solution, 1 unreadable",
    ),
    "solve --check": (
        [SOLVED, SOLVED, UNSOLVABLE, BAD, f"{BOARD} # 2 or more solutions"],
        "unique unique none unreadable multiple",
        "5 Sudokus: 2 unique, 1 with several solutions, 1 without a solution, 1 unreadable",
    ),
    "solve --all --limit 2": (
        [
            *(f"{SOLVED} # puzzle {k}, solution 1" for k in (1, 2)),
            f"{NONE} # puzzle 3, no solution",
            BAD,
            *(rf"\d{{81}} # puzzle 4, solution {k}" for k in (1, 2)),
        ],
        "unique unique none unreadable multiple multiple",
        "5 Sudokus, 4 solutions: 2 unique, 1 with several solutions, 1 without a solution, "
        "1 unreadable",
    ),
    "rate": (
        [
            f"{SOLVED} # simple",
            f"{UNIQUE} # expert: guess",
            f"{NONE} # invalid: no solution",
            BAD,
            f"{SEVERAL} # invalid: several solutions",
        ],
        "simple expert invalid unreadable invalid",
        "5 Sudokus: 1 simple, 1 expert, 2 invalid, 1 unreadable",
    ),
    "minimize": (
        [BOARD, BOARD, UNSOLVABLE, BAD, f"{SEVERAL} # 2 or more solutions"],
        "unique unique none unreadable multiple",
        "5 Sudokus: 2 unique, 1 with several solutions, 1 without a solution, 1 unreadable",
    ),
    "canonical": (
        [BOARD, BOARD, BOARD, BAD, BOARD],
        "None None None unreadable None",
        "5 boards: 4 canonical, 1 unreadable",
    ),
}


@pytest.mark.parametrize("command", RESULTS)
def test_all_formats_have_the_same_records(command):
    lines, statuses, summary = RESULTS[command]

    text = f"{SOLVED}\n{UNIQUE}\n{NONE}\nnot a board\n{SEVERAL}\n"
    arguments, given = (*command.split(), "-"), {"stdin": text, "status": 4}
    out, err = invoke(*arguments, **given)
    for line, pattern in zip(out.splitlines(), lines, strict=True):
        assert re.fullmatch(pattern, line)
    assert f"<stdin>:4: {UNREADABLE}\n" in err
    assert f"\n{summary} (" in err
    assert invoke(*arguments, "--quiet", **given) == (out, "")
    header, *rows = csv.reader(io.StringIO(invoke(*arguments, "-f", "csv", **given)[0]))
    records, _ = invoke_json(*arguments, **given)
    if command == "rate":
        numbers = {"simple": 1, "easy": 0, "intermediate": 0, "expert": 1, "invalid": 2}
        assert records.pop() == {"status": "done", "classes": numbers | {"unreadable": 1}}
    kind = "difficulty" if command == "rate" else "status"
    assert " ".join(str(record.get(kind)) for record in records) == statuses
    for row, record in zip(rows, records, strict=True):
        assert record["file"] == "<stdin>"
        if "reason" in record:
            record["canonical" if "canonical" in header else "solution"] = record.pop("reason")
        values = [record.pop(name, None) for name in header]
        texts = [value[0] if isinstance(value, list) and value else value for value in values]
        assert row == [str(text) if text or text == 0 else "" for text in texts]
        assert record == {}


@pytest.mark.parametrize("command", RESULTS)
def test_tables_of_several_files_name_the_file_of_each_record(command, tmp_path):
    first, second = tmp_path / 'first, "new".txt', tmp_path / "second.txt"  # with quotes in a table
    first.write_text(f"{UNIQUE}\nbad\n{SEVERAL}\n")
    second.write_text(f"bad\n{NONE}\n")
    files = [str(first), str(second)]
    out, _ = invoke(*command.split(), "-f", "csv", *files, status=4)
    rows = list(csv.DictReader(io.StringIO(out)))
    places = list(dict.fromkeys((row["file"], int(row["line"])) for row in rows))
    assert places == [(files[0], 1), (files[0], 2), (files[0], 3), (files[1], 1), (files[1], 2)]
    records, _ = invoke_json(*command.split(), *files, status=4)
    records = [each for each in records if "classes" not in each]
    assert list(dict.fromkeys((each["file"], each["line"]) for each in records)) == places


@pytest.mark.processes
def test_files_without_valid_names_are_written(tmp_path):
    names = [os.fsencode(tmp_path) + b"/\xff.txt", os.fsencode(tmp_path) + b"/b.txt"]
    try:
        for name in names:
            with open(name, "w") as file:
                file.write(f"{UNIQUE}\nbad\n")
    except OSError:
        pytest.skip("the file system needs valid names")
    arguments = [os.fsdecode(name) for name in names]
    out, _ = run("solve", "-f", "csv", *arguments, status=4)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [os.path.basename(row["file"]) for row in rows] == ["?.txt", "?.txt", "b.txt", "b.txt"]


def test_board_as_an_argument():
    assert invoke("solve", "-q", UNIQUE)[0] == f"{SOLVED}\n"
    grid = invoke("solve", "-q", "-f", "grid", UNIQUE)[0]
    assert invoke("solve", "-q", grid)[0] == f"{SOLVED}\n"


@pytest.mark.parametrize(
    ("command", "is_compiled"),
    [
        (f"--check {UNIQUE}", False),
        (f"--all --limit 10 {UNIQUE}", False),
        (f"--limit 11 {UNIQUE}", True),
        (f"--all {UNIQUE}", True),
        (f"--engine dlx {UNIQUE}", True),
        (f"--choose leftmost {UNIQUE}", True),
        (f"{UNIQUE} {UNIQUE}", True),
        ("." * 256, True),
    ],
)
def test_only_a_quick_board_is_not_compiled(command, is_compiled, monkeypatch):
    quick = Mock(side_effect=nullcontext)
    monkeypatch.setattr(solve, "without_compiling", quick)
    invoke("solve", "-q", *command.split())
    assert quick.called != is_compiled


def test_board_that_is_unreadable_is_reported_once():
    for command in RESULTS:
        out, err = invoke(*command.split(), f"{UNIQUE}1", status=2)
        assert (out, err) == ("", "error: <board>: expected 81 symbols, found 82\n")
    out, err = invoke("solve", "-q", UNIQUE[:-1], UNIQUE, status=2)
    assert (out, err) == (f"{SOLVED}\n", "error: <board>: expected 81 symbols, found 80\n")
