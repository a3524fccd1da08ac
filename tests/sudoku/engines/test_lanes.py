"""The engine `lanes`, compared with the engine `dlx`."""

import random

import numpy as np
import pytest
from numpy.testing import assert_equal

import dlx_numba as dlx
from dlx_numba import compiled
from dlx_numba.jit.namespaces import plain_python
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import lanes
from dlx_numba.sudoku.engines.base import EngineResult
from scripts.fuzzing.boards import check_result, compare_engines
from tests.helpers import oracles
from tests.helpers.boards import values_of, varied_boards
from tests.helpers.seeds import instances, seeds

pytestmark = pytest.mark.compiled
BOX = Box(3, 3)


def check_against_dlx(boards, limit):
    """Solve boards with both engines, compare the results, and return that of `lanes`."""
    expected = dlx.solve_batch(boards, limit=limit, engine="dlx")
    result = dlx.solve_batch(boards, limit=limit, engine="lanes")
    check_result(result, boards, BOX, expected.counts.tolist())
    return result


def test_empty_complete_and_contradictory_boards():
    complete = oracles.random_solution(BOX, random.Random(1))
    wrong, twice, nowhere = complete.copy(), np.zeros_like(complete), np.zeros_like(complete)
    wrong[[0, 1]] = wrong[[1, 0]]
    twice[[0, 8]] = 5
    nowhere[:8], nowhere[17] = range(1, 9), 9  # the ninth cell has no digit left
    boards = np.array([np.zeros_like(complete), complete, wrong, twice, nowhere])
    result = check_against_dlx(boards, 10_000)
    assert result.counts.tolist() == [10_000, 1, 0, 0, 0]
    assert result.nodes[1:].tolist() == [0, 0, 0, 0]


def test_nearly_empty_boards_with_a_contradiction():
    # The search went through the solutions of all other cells.
    few = [
        # A cell needs two digits.
        "...9.1..7748....26" + 63 * ".",
        54 * "." + "35176....798....2.........8",
        54 * "." + "......4.9.6...1....81.6....",
        # Three cells have only two digits.
        54 * "." + "67.3.1..........8....9...52",
        54 * "." + "..4.8..3..........84....16...",
        # A solution, which was found late.
        54 * "." + "8137...9...5...4784..528..6",
    ]
    boards = np.array([values_of(board[-81:]) for board in few])
    for limit in (1, 2):
        whole = dlx.solve_batch(boards, limit, engine="lanes", seconds=60)
        assert whole.counts.tolist() == [0, 0, 0, 0, 0, limit]
        for k in range(len(boards)):  # which boards share the lanes does not change the result
            part = dlx.solve_batch(boards[k : k + 1], limit, engine="lanes", seconds=60)
            assert_equal([*part], [array[k : k + 1] for array in whole])
    assert compiled.solve9x9(boards[3], boards[3].copy(), 1) == 0


def test_hundreds_of_boards_at_a_time(tmp_path):
    for seed in seeds(400, 8):
        compare_engines(random.Random(seed), tmp_path)


# Puzzles that need many guesses: three of scripts/famous_puzzles.txt, whose search starts again,
# and others found by hill climbing.
HARD = [
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    ".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...",
    "3..47..1......6.......3..8.6..3....4..2.5..9645.9..2..2....3....956...........7..",
    "...23...1.....78..9........7..3.4..2.4...1..8.12.7.4....5..8.94......1....6....8.",
    "13..7......9..8..1......95..8..9....3..7.12......2..........6.57....91..2..53....",
    "3..4......2..8...1..7....6........2.1....5..7.9..43....3..69....8....65.2.....4..",
    ".4..72.......14.52...3.......8..1.....379.1.6......3..3.7...9............612.....",
]


def hard_boards(number, seed):
    """Return hard boards; up to four givens are missing or changed."""
    rng = np.random.default_rng(seed)
    hard = np.array([*map(values_of, HARD)])
    boards = hard[rng.integers(0, len(hard), number)]
    for board in boards:
        changed = rng.choice(np.flatnonzero(board), rng.integers(0, 5), replace=False)
        board[changed] = rng.integers(1, 10) if rng.random() < 0.2 else 0
    return boards


def test_hard_boards():
    boards = hard_boards(instances(8_000), 7)
    check_against_dlx(boards[::8], 1000)  # which takes minutes with bounds checks
    for limit in (1, 2, 5):
        result = check_against_dlx(boards, limit)
    assert {0, 1} < set(result.counts.tolist())
    assert result.nodes.max() > 50


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_idle_lanes_that_take_over_branches_do_not_change_the_result(limit):
    boards = hard_boards(instances(600), 8)
    whole = dlx.solve_batch(boards, limit=limit, engine="lanes", threads=1)
    for size in (1, 3, 20, 50):
        for start in range(0, len(boards), size):
            rows = slice(start, start + size)
            part = dlx.solve_batch(boards[rows], limit=limit, engine="lanes", threads=1)
            assert_equal([*part], [array[rows] for array in whole])


def test_an_abandoned_batch_leaves_no_trace(monkeypatch):
    monkeypatch.setattr(lanes, "SWEEPS_PER_SLICE", 50)
    engine = lanes.LanesEngine()
    boards = hard_boards(200, 9)
    expected = EngineResult.allocate(boards)
    lanes.LanesEngine().solve(boards, 2, expected, lambda: False)
    unfinished = EngineResult.allocate(boards)
    engine.solve(boards, 2, unfinished, lambda: True)
    assert (unfinished.counts < 0).any()
    result = EngineResult.allocate(boards[:5])
    engine.solve(boards[:5], 2, result, lambda: False)
    assert_equal([*result], [array[:5] for array in expected])


@pytest.mark.parametrize("limit", [2, 20])
def test_interruptions_do_not_change_the_result(limit):
    boards = np.concatenate([varied_boards(instances(6_000), 5, 0.65), hard_boards(20, 5)])
    whole = dlx.solve_batch(boards, limit=limit, engine="lanes", threads=1)
    result = EngineResult.allocate(boards)
    workspace = lanes.allocate_workspace()
    slices = 1
    while not lanes.solve_lanes(workspace, 7, boards, limit, *result):
        slices += 1
    assert slices > 20
    assert_equal([*result], [*whole])


def test_kernels_as_plain_python_return_the_same():
    boards = varied_boards(33, 6, 0.62)
    compiled = dlx.solve_batch(boards, limit=2, engine="lanes", threads=1)
    plain = EngineResult.allocate(boards)
    assert plain_python(lanes.solve_lanes)(lanes.allocate_workspace(), 10**6, boards, 2, *plain)
    assert_equal([*plain], [*compiled])


def test_numbers_of_guesses_of_hard_boards():
    nodes = dlx.solve_batch(HARD, limit=2, engine="lanes").nodes
    assert nodes.tolist() == [77, 111, 104, 94, 68, 51, 37, 47]
