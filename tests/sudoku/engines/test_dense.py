"""The engines `dense` and `dense-python`, compared with the engine `dlx`."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import dense
from dlx_numba.sudoku.engines.base import EngineResult
from dlx_numba.sudoku.engines.registry import make_engine
from dlx_numba.sudoku.io.read import read_records
from tests.helpers import DATA, oracles
from tests.helpers.seeds import instances, seeded


def assert_equal_results(boards, limit, engine, box):
    expected = dlx.solve_batch(boards, limit=limit, engine="dlx", box=box)
    result = dlx.solve_batch(boards, limit=limit, engine=engine, box=box)
    assert all(map(np.array_equal, result, expected))


@pytest.mark.parametrize("box", [Box(2, 2), Box(2, 3), Box(3, 3)], ids=str)
@pytest.mark.parametrize(("engine", "count"), [("dense", 100), ("dense-python", 30)])
def test_solutions_counts_and_nodes_are_those_of_dlx(engine, count, box):
    rng = random.Random(seeded(1))
    blanks = [rng.randint(0, 2 * box.cells // 3) for _ in range(instances(count))]
    boards = np.array([oracles.random_board(box, rng, number) for number in blanks])
    for limit in (1, 2, 20):
        assert_equal_results(boards, limit, engine, box)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["simple", "easy", "intermediate", "expert"])
def test_bundled_boards(name):
    [records] = read_records(str(DATA / f"{name}.txt"))
    assert_equal_results(records.boards, 2, "dense", records.box)


@pytest.mark.parametrize("engine", ["dense", "dense-python"])
def test_slices_do_not_change_the_result(engine, monkeypatch):
    monkeypatch.setattr(dense, "UPDATES_PER_SLICE", 100)
    rng = random.Random(seeded(2))
    boards = np.array([oracles.random_board(Box(2, 2), rng, 12) for _ in range(20)])
    assert_equal_results(boards, 20, engine, Box(2, 2))


@pytest.mark.parametrize("n_calls", [0, 1, 2, 5])
def test_stopped_engine_leaves_unfinished_boards_uncounted(n_calls, monkeypatch):
    monkeypatch.setattr(dense, "UPDATES_PER_SLICE", 1)
    boards = np.zeros((2, 16), np.uint8)
    result = EngineResult.allocate(boards)
    calls = iter([False] * n_calls)
    make_engine("dense", Box(2, 2)).solve(boards, 1000, result, lambda: next(calls, True))
    assert result.counts.tolist() == [-1, -1]
