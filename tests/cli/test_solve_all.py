"""`solve --all` and `--limit`: several solutions of a puzzle."""

import json

import pytest

import dlx_numba as dlx
from tests.helpers.processes import UNIQUE, invoke

pytestmark = pytest.mark.compiled


def test_all_solutions_are_written():
    empty = "." * 16
    out, err = invoke("solve", "--all", "-", stdin=empty)
    lines = out.splitlines()
    solutions = dlx.iter_solutions(empty)
    assert lines == [f"{each} # puzzle 1, solution {k}" for k, each in enumerate(solutions, 1)]
    assert "1 puzzle, 288 solutions: 1 multiple" in err
    out, err = invoke("solve", "--all", "--limit", 5, "-", stdin=empty)
    assert out.splitlines() == lines[:5]
    assert "1 puzzle, 5 solutions: 1 multiple" in err
    one, _ = invoke("solve", "--all", "--limit", 1, "-f", "csv", "-", stdin=empty)
    assert one.splitlines()[1].split(",")[:6] == ["1", "1", empty, lines[0][:16], "1", "solved"]


def test_all_numbers_the_puzzles_of_each_file_as_show_does(tmp_path):
    two = "1.....3..4......"
    for name, text in (("a", f"1.....3..4.....2\nbad\n{two}\n"), ("b", f"# comment\n{two}\n")):
        (tmp_path / name).write_text(text)
    files = tmp_path / "a", tmp_path / "b"
    out, err = invoke("solve", "--all", "--format", "json", *files, status=1)
    records = [json.loads(line) for line in out.splitlines()]
    assert [(r["puzzle_number"], r["solution_number"]) for r in records] == [
        *((1, 1), (None, None), (2, 1), (2, 2), (2, 3), (1, 1), (1, 2), (1, 3)),
    ]
    assert {r["source"] for r in records if r["puzzle_number"] == 2} == {str(files[0])}
    assert "4 puzzles, 7 solutions: 1 unique, 2 multiple, 1 unreadable" in err
    shown, _ = invoke("show", "--board", 2, files[0])
    solved, _ = invoke("solve", "--all", "-f", "grid", files[0], status=1)
    assert shown.startswith(" 1 .")
    assert solved.partition("# puzzle 2, solution 1\n")[2].startswith(" 1 3")


def test_all_with_check_requires_unique_puzzles():
    several = "1.....3..4......"
    invoke("solve", "--all", "-", stdin=several)
    out, _ = invoke("solve", "--all", "--check", "-", stdin=several, status=1)
    assert len(out.splitlines()) == 3
    invoke("solve", "--all", "--check", "-", stdin=UNIQUE)


def test_all_compares_the_number_of_solutions_with_the_file():
    text = "1.....3..4......\nThere are {} solutions to the puzzle.\n"
    invoke("solve", "--all", "-", stdin=text.format(3))
    _, err = invoke("solve", "--all", "-", stdin=text.format(4), status=1)
    assert "<stdin>:1: the file states 4 solutions, but 3 were found" in err


def test_all_ends_at_the_time_limit():
    out, err = invoke("solve", "--all", "--seconds", 0.3, "-", stdin="." * 81, status=1)
    *solutions, last = out.splitlines()
    assert len(set(solutions)) == len(solutions)
    assert last == "." * 81 + " # puzzle 1, unfinished"
    assert f"1 puzzle, {len(solutions):,} solutions: 1 unfinished" in err
