"""The baseline `naive`."""

import random

import numpy as np
import pytest

from dlx_numba.bench import naive
from dlx_numba.bench.naive import NaiveSolver
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.base import EngineResult
from dlx_numba.sudoku.verify import are_solutions
from tests.helpers.boards import random_boards, values_of
from tests.helpers.oracles import count_sudoku_solutions
from tests.helpers.processes import NONE, SOLVED

pytestmark = pytest.mark.compiled


def solve(boards, box, limit, stop=lambda: False):
    """Return the result for boards."""
    result = EngineResult.allocate(boards)
    NaiveSolver(box).solve(boards, limit, result, stop)
    return result


def test_counts_are_those_of_an_oracle(monkeypatch):
    rng = random.Random(1)
    for box in (Box(2, 2), Box(2, 3), Box(3, 2), Box(3, 3)):
        boards = random_boards(box, 10, 12)
        limit = rng.choice([1, 2, 20])
        expected = [count_sudoku_solutions(board.tolist(), box, limit, 1 << 30) for board in boards]
        result = solve(boards, box, limit)
        assert result.counts.tolist() == expected
        solved = result.counts > 0
        assert are_solutions(result.solutions[solved], boards[solved], box).all()
        monkeypatch.setattr(naive, "NODES_PER_SLICE", 3)
        assert all(map(np.array_equal, solve(boards, box, limit), result))


def test_nodes_are_values_placed():
    board = values_of(SOLVED)
    board[[0, 80]] = 0
    result = solve(np.array([board, values_of(NONE)]), Box(3, 3), 2)
    assert result.counts.tolist() == [1, 0]
    assert result.nodes.tolist() == [2, 0]


def test_a_stop_ends_the_search():
    boards = np.zeros((2, 81), np.uint8)
    assert solve(boards, Box(3, 3), 1 << 60, stop=lambda: True).counts.tolist() == [-1, -1]
