"""The search for a second solution, by the engines that support it."""

import random

import numpy as np
import pytest

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.base import EngineResult
from dlx_numba.sudoku.engines.registry import make_engine
from dlx_numba.sudoku.verify import are_solutions
from tests.helpers import oracles
from tests.helpers.seeds import seeds


def never():
    return False


def find_second(engine, boards, known):
    result = EngineResult.allocate(boards)
    engine.solve(boards, 1, result, never, known)
    return result


@pytest.mark.parametrize(
    ("name", "box"),
    [("lanes", Box(3, 3)), ("dlx", Box(3, 3)), ("dlx", Box(2, 2)), ("dlx", Box(2, 3))],
    ids=str,
)
def test_second_solutions_are_found_if_there_are_any(name, box):
    engine = make_engine(name, box)
    for seed in seeds(3):
        rng = random.Random(seed)
        solutions = np.array([oracles.random_solution(box, rng) for _ in range(40)])
        boards = solutions.copy()
        for board in boards:
            n_empty = rng.randint(0, box.cells * 7 // 10)
            board[rng.sample(range(box.cells), n_empty)] = 0
        both = EngineResult.allocate(boards)
        engine.solve(boards, 2, both, never)
        result = find_second(engine, boards, solutions)
        assert result.counts.tolist() == (both.counts - 1).tolist()
        assert 0 < result.counts.sum() < len(boards)
        found = result.counts == 1
        assert are_solutions(result.solutions[found], boards[found], box).all()
        assert (result.solutions[found] != solutions[found]).any(axis=1).all()
        # The solution that was found is ignored in turn.
        again = find_second(engine, boards[found], result.solutions[found])
        assert (again.counts == 1).all()
        assert (again.solutions != result.solutions[found]).any(axis=1).all()


@pytest.mark.parametrize(("name", "box"), [("lanes", Box(3, 3)), ("dlx", Box(2, 2))], ids=str)
def test_contradictory_and_complete_boards(name, box):
    engine = make_engine(name, box)
    solution = oracles.random_solution(box, random.Random(1))
    contradictory = np.zeros(box.cells, np.uint8)
    contradictory[:2] = 1
    boards = np.array([solution, contradictory])
    assert find_second(engine, boards, np.array([solution] * 2)).counts.tolist() == [0, 0]
