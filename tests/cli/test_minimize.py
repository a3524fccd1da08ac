"""`minimize`: the formats, unusable records, and exit statuses."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cli import minimize
from dlx_numba.sudoku.engines.base import EngineResult
from dlx_numba.sudoku.results import format_boards
from tests.helpers import DATA
from tests.helpers.processes import NONE, SOLVED, UNIQUE, invoke

pytestmark = pytest.mark.compiled


def test_puzzles_are_those_of_the_library():
    puzzles, box = (DATA / "easy.txt").read_text().split(), dlx.Box(3, 3)
    out, _ = invoke("minimize", DATA / "easy.txt")
    assert out.splitlines() == format_boards(dlx.minimize(puzzles), box)
    out, _ = invoke("minimize", "--seed", 1, DATA / "easy.txt")
    assert out.splitlines() == format_boards(dlx.minimize(puzzles, seed=1), box)


def test_solutions_follow_puzzles_that_have_one():
    out = invoke("minimize", "--solution", "-", stdin=f"{UNIQUE}\n{NONE}\n", status=1)[0]
    puzzle, solution, none = out.splitlines()
    assert solution == SOLVED
    assert none == f"{NONE} # no solution"
    assert dlx.solve_sudoku(puzzle) == SOLVED
    grids = invoke("minimize", "--solution", "-f", "grid", "-", stdin=UNIQUE)[0]
    assert invoke("solve", "-", stdin=grids)[0] == f"{SOLVED}\n"


@pytest.mark.slow
@pytest.mark.parametrize(("box", "size"), [("3x4", 128), ("4x4", 8), ("4x5", 2)])
def test_chunks_of_large_boards_are_small(box, size, monkeypatch):
    """Otherwise, files of 16×16 boards would show no progress."""
    solution, sizes = dlx.solve_sudoku("." * dlx.Box.parse(box).cells), []

    def minimize_boards(boards, *arguments):
        sizes.append(len(boards))
        result = EngineResult(boards, np.ones(len(boards), int), np.zeros(len(boards)))
        return boards, result, len(boards)

    monkeypatch.setattr(minimize, "minimize_boards", minimize_boards)
    invoke("minimize", "-j", 2, "-", stdin=f"{solution}\n" * (size + 1))
    assert sizes == [size, 1]


def test_large_boards_are_written_in_order():
    box = dlx.Box(3, 4)
    solutions = dlx.generate(5, box=box, seed=1).solutions
    text = "\n".join([*format_boards(solutions, box) * 13, "bad"])
    out, _ = invoke("minimize", "--seed", 1, "-j", 1, "-", stdin=text, status=4)
    *lines, last = out.splitlines()
    assert lines == format_boards(dlx.minimize(np.tile(solutions, (13, 1)), seed=1), box)
    assert last.startswith("# unreadable: <stdin>:66: ")


def test_a_board_that_takes_long_obeys_the_time_limit(tmp_path):
    solution = dlx.solve_sudoku("." * dlx.Box(5, 5).cells)
    path = tmp_path / "minimal.csv"
    _, err = invoke("minimize", "--seconds", 0.1, "-o", path, "-", stdin=f"{solution}\n", status=3)
    assert "time limit reached" in err
    assert not path.exists()
