"""The textbook solvers of the benchmark, against each other and against oracles."""

import random
from itertools import count

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.bench.measure import solve_function
from dlx_numba.bench.reference import SOLVERS
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import naive
from dlx_numba.sudoku.engines.base import EngineResult
from tests.helpers import oracles
from tests.helpers.seeds import seeded
from tests.helpers.variants import agrees


@pytest.mark.parametrize("solver", ["naive", *sorted(SOLVERS.keys() - {"elimination"})])
def test_solvers_count_the_same_as_dancing_links(solver):
    rng = random.Random(seeded(3))
    boards = np.array([oracles.random_board(Box(2, 2), rng, rng.randint(0, 6)) for _ in range(40)])
    expected = dlx.solve_batch(boards, limit=None)
    result = oracles.solve_by_reference(boards, Box(2, 2), solver=solver)
    assert np.array_equal(result.counts, expected.counts)
    first = oracles.solve_by_reference(boards, Box(2, 2), 1, solver)
    assert np.array_equal(first.solutions, result.solutions)
    for board, solution, number in zip(boards, first.solutions, first.counts, strict=True):
        assert not number or oracles.is_solution(solution, board, Box(2, 2))


@pytest.mark.parametrize("box", [Box(2, 2), Box(3, 2), Box(3, 3), Box(1, 5), Box(4, 4)], ids=str)
def test_elimination_fills_all_cells_with_a_single_candidate(box):
    rng = random.Random(seeded(box.cells))
    blanks = [rng.randint(0, 3 * box.cells // 4) for _ in range(100 if box.n < 9 else 10)]
    boards = np.array([oracles.random_board(box, rng, number) for number in blanks])
    result = oracles.solve_by_reference(boards, box, 1, "elimination")
    for board, solution, number in zip(boards, result.solutions, result.counts, strict=True):
        values = solution.tolist()
        if number == 0:
            assert oracles.count_sudoku_solutions(board.tolist(), box, 1, 10**6) == 0
            assert not any(values)
        elif number == 1:
            assert oracles.is_solution(solution, board, box)
        else:  # each empty cell has several candidates
            assert all(given in (0, value) for given, value in zip(board, values, strict=True))
            for cell in np.flatnonzero(solution == 0).tolist():
                assert (
                    sum(agrees(values, cell, value, box, {}) for value in range(1, box.n + 1)) > 1
                )


@pytest.mark.parametrize("solver", ["naive", *SOLVERS])
def test_a_solver_stops(solver, monkeypatch):
    """Also on a board with more empty cells than Python can recurse."""
    monkeypatch.setattr(naive, "STEPS_PER_SLICE", 100)
    boards = np.zeros((2, 1296), np.uint8)
    result, calls = EngineResult.allocate(boards), count()
    solve_function(solver, Box(6, 6))(boards, 1, result, lambda: next(calls) > 1)
    assert result.counts.tolist() == [-1, -1]
