"""The engine `elimination`, compared with plain Python over sets of candidates."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.elimination import CELLS_PER_SLICE
from dlx_numba.sudoku.engines.registry import ENGINES
from tests.helpers import DATA, oracles
from tests.helpers.seeds import seeded

BOXES = {
    Box(2, 2): 1500,
    Box(2, 3): 1000,
    Box(3, 2): 500,
    Box(1, 5): 200,
    Box(3, 3): 500,
    Box(3, 4): 50,
    Box(4, 4): 20,
    Box(5, 5): 5,
}


def solve(boards, **options):
    return dlx.solve_batch(boards, engine="elimination", **options)


@pytest.mark.parametrize(("box", "number"), BOXES.items(), ids=str)
def test_boards_of_every_size_agree_with_the_oracle(box, number):
    rng = random.Random(seeded(box.cells))
    boards = np.array(
        [oracles.random_board(box, rng, rng.randint(0, 3 * box.cells // 4)) for _ in range(number)]
    )
    result = solve(boards, box=box)
    for board, solution, count in zip(boards, result.solutions, result.counts, strict=True):
        expected = oracles.eliminate(board.tolist(), box)
        assert solution.tolist() == (expected or [0] * box.cells)
        assert count == (0 if expected is None else 1 if all(expected) else -1)
    assert number < 50 or set(result.counts.tolist()) == {-1, 0, 1}
    assert not result.nodes.any()


def test_results_are_consistent_with_all_solutions():
    rng = random.Random(seeded(4))
    boards = np.array(
        [oracles.random_board(Box(2, 3), rng, rng.randint(0, 30)) for _ in range(2000)]
    )
    result, exact = solve(boards), dlx.solve_batch(boards, limit=2)
    done = result.counts == 1
    assert (exact.counts[done] == 1).all()
    assert np.array_equal(exact.solutions[done], result.solutions[done])
    assert (exact.counts[result.counts == 0] == 0).all()
    unique = (exact.counts == 1) & (result.counts == -1)
    assert unique.any()
    filled = result.solutions[unique]
    assert ((filled == 0) | (filled == exact.solutions[unique])).all()
    assert ((boards[unique] == 0) | (boards[unique] == filled)).all()


def test_only_the_simplest_puzzles_are_solved():
    solved = {
        name: solve((DATA / f"{name}.txt").read_text().split()).counts.tolist()
        for name in ("simple", "expert")
    }
    assert solved == {"simple": [1] * 200, "expert": [-1] * 200}


def test_completed_boards_are_unique_for_every_limit():
    puzzle = (DATA / "simple.txt").read_text().split()[0]
    for limit in (1, 2, None):
        assert solve([puzzle], limit=limit).counts.tolist() == [1]


def test_empty_complete_and_contradictory_boards():
    complete = oracles.random_solution(Box(3, 3), random.Random(1))
    twice, nowhere = np.zeros_like(complete), np.zeros_like(complete)
    twice[[0, 8]] = 5
    nowhere[:8], nowhere[17] = range(1, 9), 9  # the ninth cell has no digit left
    result = solve(np.array([np.zeros_like(complete), complete, twice, nowhere]))
    assert result.counts.tolist() == [-1, 1, 0, 0]
    assert np.array_equal(result.solutions[1], complete)
    assert not result.solutions[[0, 2, 3]].any()


def test_batches_larger_than_a_slice():
    puzzles = (DATA / "simple.txt").read_text().split() + (DATA / "easy.txt").read_text().split()
    few = solve(puzzles)
    many = solve(puzzles * 3, threads=2)
    assert 81 * len(puzzles) > CELLS_PER_SLICE
    for array, other in zip(few, many, strict=True):
        assert np.array_equal(np.concatenate([array] * 3), other)


def test_time_limit_leaves_the_rest_unsolved():
    result = solve(["." * 80 + "1"] * 2, seconds=0)
    assert result.counts.tolist() == [-1, -1]
    assert not result.solutions.any()


def test_units_of_work():
    assert {name for name, spec in ENGINES.items() if spec.work_unit == "guesses"} == {
        "lanes",
        "elimination",
    }
