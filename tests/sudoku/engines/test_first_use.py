"""The first boards of a process, which kernels in plain Python solve until compiled ones resume."""

import numpy as np
import pytest

from dlx_numba.jit.compile import plain_python
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import dlx, lanes
from dlx_numba.sudoku.engines.base import EngineResult
from dlx_numba.sudoku.engines.registry import make_engine
from tests.helpers import DATA

pytestmark = pytest.mark.compiled

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def solve(engine, puzzles, limit):
    boards = np.array([list(puzzle.replace(".", "0")) for puzzle in puzzles]).astype(np.uint8)
    result = EngineResult.allocate(boards)
    make_engine(engine, Box(3, 3)).solve(boards, limit, result, lambda: False)
    return [array.tolist() for array in result]


@pytest.mark.parametrize("n_plain", [1, 2, 1000])
@pytest.mark.parametrize("module", [lanes, dlx], ids=["lanes", "dlx"])
@pytest.mark.parametrize("limit", [1, 2])
def test_results_do_not_depend_on_when_a_kernel_is_compiled(module, n_plain, limit, monkeypatch):
    name = module.__name__.rpartition(".")[2]
    puzzles = [HARD, *DATA.joinpath("expert.txt").read_text().split()[:2]]
    expected = solve(name, puzzles, limit)
    calls = []

    def without_delay(kernel):
        calls.append(kernel)
        return plain_python(kernel) if len(calls) <= n_plain else kernel

    monkeypatch.setattr(module, "without_delay", without_delay)
    monkeypatch.setattr(lanes, "PLAIN_SWEEPS_PER_SLICE", 8)
    monkeypatch.setattr(dlx, "PLAIN_UPDATES_PER_SLICE", 100)
    assert solve(name, puzzles, limit) == expected
    assert len(calls) > min(n_plain, 2)
