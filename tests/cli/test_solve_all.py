"""`solve --all` and `--limit`: several solutions of a puzzle."""

import pytest

import dlx_numba as dlx
from tests.helpers.processes import UNIQUE, invoke, invoke_json

pytestmark = pytest.mark.compiled

SEVERAL = "1.....3..4......"


def test_all_solutions_are_written():
    empty = "." * 16
    solutions = dlx.iter_solutions(empty)
    lines = [f"{each} # puzzle 1, solution {k}" for k, each in enumerate(solutions, 1)]
    for limit, number in (("all", 288), (5, 5)):
        out, err = invoke("solve", "--all", "--limit", limit, "-", stdin=empty)
        assert out.splitlines() == lines[:number]
        assert f"1 Sudoku, {number} solutions: 1 with several solutions" in err
    one, _ = invoke("solve", "--all", "--limit", 1, "-f", "csv", "-", stdin=empty)
    assert one.splitlines()[1].split(",")[:6] == ["1", "1", empty, lines[0][:16], "1", "solved"]


def test_all_numbers_the_puzzles_of_each_file_as_show_does(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text(f"1.....3..4.....2\nbad\n{SEVERAL}\n")
    second.write_text(f"# comment\n{SEVERAL}\n")
    records, err = invoke_json("solve", "--all", first, second, status=4)
    numbers = [(each["puzzle_number"], each["solution_number"]) for each in records]
    assert numbers[:5] == [(1, 1), (None, None), (2, 1), (2, 2), (2, 3)]
    assert numbers[5:] == [(1, 1), (1, 2), (1, 3)]
    assert [each["file"] for each in records] == [str(first)] * 5 + [str(second)] * 3
    assert "4 Sudokus, 7 solutions: 1 unique, 2 with several solutions, 1 unreadable" in err
    assert invoke("show", "--puzzle", 2, first)[0] == invoke("show", second)[0]


def test_all_with_check_requires_unique_puzzles():
    out, _ = invoke("solve", "--all", "--check", "-", stdin=SEVERAL, status=1)
    assert len(out.splitlines()) == 3
    invoke("solve", "--all", "--check", "-", stdin=UNIQUE)


def test_all_compares_the_number_of_solutions_with_the_file():
    text = f"{SEVERAL}\nThere are %d solutions to the puzzle.\n"
    invoke("solve", "--all", "-", stdin=text % 3)
    _, err = invoke("solve", "--all", "-", stdin=text % 4, status=1)
    assert "<stdin>:1: the file gives 4 solutions, but 3 were found" in err


def test_all_ends_at_the_time_limit():
    out, err = invoke("solve", "--all", "--seconds", 0.3, "-", stdin="." * 81, status=3)
    *solutions, last = out.splitlines()
    assert len(set(solutions)) == len(solutions)
    assert last == "." * 81 + " # puzzle 1, unfinished"
    assert f"1 Sudoku, {len(solutions):,} solutions: 1 unfinished" in err
