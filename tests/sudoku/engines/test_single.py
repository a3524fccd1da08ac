"""Single boards: the same solutions as in a batch, from any number of threads."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import single
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers.boards import random_boards

BOXES = [Box(3, 2), Box(3, 3), Box(3, 4), Box(6, 6)]


def solve(puzzle, **arguments):
    try:
        return dlx.solve_sudoku(puzzle, **arguments)
    except dlx.NoSolution:
        return None


@pytest.mark.compiled
@pytest.mark.parametrize("box", BOXES, ids=str)
def test_same_solution_as_in_a_batch(box):
    boards = random_boards(box, 300 if box.n <= 9 else 10, min(50, box.cells))
    arguments = {} if box == Box.of_side(box.n) else {"box": box}
    result = dlx.solve_batch(boards, **arguments)
    alphabet = Alphabet.named("numbers" if box.n > 25 else "1-9A-", box.n)
    name = alphabet.name if box.n > 9 else "auto"
    for board, solution, count in zip(boards, result.solutions, result.counts, strict=True):
        square = board.reshape(box.n, box.n)
        text = format_board(board, alphabet)
        solved = solve(text, alphabet=name, **arguments)
        arrays = [board, square.astype(np.int64), square.T.copy().T, board.astype(">i2")]
        found = [solve(puzzle, **arguments) for puzzle in arrays]
        nested = solve(square.tolist(), **arguments)
        if not count:
            assert solved is nested is None
            assert found == [None] * 4
            continue
        assert solved == format_board(solution, alphabet)
        assert np.array_equal(np.ravel(nested), solution)
        for puzzle, each in zip(arrays, found, strict=True):
            assert (each.shape, each.dtype) == (puzzle.shape, puzzle.dtype)
            assert np.array_equal(each.ravel(), solution)


def test_solutions_are_independent_arrays():
    first = dlx.solve_sudoku(np.zeros(16, np.uint8))
    copy = first.copy()
    first[:] = 0
    assert np.array_equal(dlx.solve_sudoku(np.zeros(16, np.uint8)), copy)
    assert not first.any()


def test_calls_within_a_call(monkeypatch):
    """A signal handler or a finalizer may call the function while the same thread is in it."""
    text = "1.....3..4.....2"
    expected = dlx.solve_sudoku(text)
    original = single.BoardSolver.solve
    depth = 0

    def nested(solver, values, stop):
        nonlocal depth
        depth += 1
        if depth <= 3:
            assert dlx.solve_sudoku("." * 16) == "1234341221434321"
        return original(solver, values, stop)

    monkeypatch.setattr(single.BoardSolver, "solve", nested)
    assert dlx.solve_sudoku(text) == expected


def test_solvers_are_reused(monkeypatch):
    created = []

    def make(box):
        created.append(single.BoardSolver(box))
        return created[-1]

    monkeypatch.setattr(single, "_solvers", single.Pool(make))
    for _ in range(3):
        dlx.solve_sudoku("." * 16)
        with pytest.raises(dlx.NoSolution):
            dlx.solve_sudoku("11" + "." * 14)
    assert len(created) == 1
