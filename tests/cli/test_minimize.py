"""`minimize`: the formats, unusable records, and exit statuses."""

import csv
import io

import pytest

import dlx_numba as dlx
from tests.helpers import DATA
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke

pytestmark = pytest.mark.compiled


def lines_of(boards):
    return ["".join(map(str, board)).replace("0", ".") for board in boards.tolist()]


def test_puzzles_are_those_of_the_library():
    puzzles = (DATA / "easy.txt").read_text().split()
    out, err = invoke("minimize", DATA / "easy.txt")
    assert out.splitlines() == lines_of(dlx.minimize(puzzles))
    assert "200 puzzles: 200 unique" in err
    assert "clues removed" in err
    random = invoke("minimize", "--seed", 1, "--quiet", DATA / "easy.txt")
    assert random == ("\n".join(lines_of(dlx.minimize(puzzles, seed=1))) + "\n", "")


def test_seed_is_independent_of_chunks():
    out = invoke("minimize", "--seed", 1, DATA / "easy.txt", DATA / "simple.txt")[0]
    puzzles = [(DATA / f"{name}.txt").read_text().split() for name in ("easy", "simple")]
    assert out.splitlines() == lines_of(dlx.minimize([*puzzles[0], *puzzles[1]], seed=1))


def test_unusable_records_are_marked():
    text = f"{SOLVED}\n{NONE}\nnot a board\n{SEVERAL}\n"
    out, err = invoke("minimize", "-", stdin=text, status=1)
    lines = out.splitlines()
    assert dlx.is_minimal(lines[:1]).all()
    assert lines[1] == f"{NONE} # no solution"
    assert lines[2].startswith("# unreadable: <stdin>:3: ")
    assert lines[3] == f"{SEVERAL} # 2 or more solutions"
    assert "4 puzzles: 1 unique, 1 multiple, 1 none, 1 unreadable" in err


def test_solutions_follow_puzzles_that_have_one():
    out = invoke("minimize", "--solution", "-", stdin=f"{UNIQUE}\n{NONE}\n", status=1)[0]
    puzzle, solution, none = out.splitlines()
    assert solution == SOLVED
    assert none == f"{NONE} # no solution"
    assert dlx.solve_sudoku(puzzle) == SOLVED
    grids = invoke("minimize", "--solution", "-f", "grid", "-", stdin=UNIQUE)[0]
    assert invoke("solve", "-", stdin=grids)[0] == f"{SOLVED}\n"


def test_table_contains_minimal_puzzles():
    out = invoke("minimize", "-f", "csv", "-", stdin=f"{SOLVED}\n")[0]
    [row] = csv.DictReader(io.StringIO(out))
    assert row["solution"] == SOLVED
    assert row["status"] == "unique"
    assert dlx.is_minimal([row["puzzle"]]).all()


def test_output_is_not_the_input(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{UNIQUE}\n")
    assert "is both input and output" in invoke("minimize", "-o", path, path, status=2)[1]
    assert path.read_text() == f"{UNIQUE}\n"


def test_unreadable_file_and_strict(tmp_path):
    missing = tmp_path / "none.txt"
    expected = f"error: {missing}: No such file or directory\n"
    assert invoke("minimize", missing, status=2) == ("", expected)
    text = f"not a board\n{UNIQUE}\n"
    assert len(invoke("minimize", "--strict", "-", stdin=text, status=2)[0].splitlines()) == 1


def test_other_sizes():
    out = invoke("minimize", "--box", "3x2", "-", stdin="." * 36, status=1)[0]
    assert out == "." * 36 + " # 2 or more solutions\n"
