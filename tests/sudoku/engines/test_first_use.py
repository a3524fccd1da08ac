"""The first boards of a process, which kernels in plain Python solve until compiled ones resume."""

import numpy as np
import pytest

from dlx_numba.jit.compile import plain_python
from dlx_numba.sudoku import rating
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.canonical import api
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


@pytest.mark.parametrize("n_python", [1, 2, 1000])
@pytest.mark.parametrize("module", [lanes, dlx], ids=["lanes", "dlx"])
@pytest.mark.parametrize("limit", [1, 2])
def test_results_do_not_depend_on_when_a_kernel_is_compiled(module, n_python, limit, monkeypatch):
    name = module.__name__.rpartition(".")[2]
    puzzles = [HARD, *DATA.joinpath("expert.txt").read_text().split()[:2]]
    expected = solve(name, puzzles, limit)
    calls = []

    def without_delay(kernel):
        calls.append(kernel)
        return plain_python(kernel) if len(calls) <= n_python else kernel

    monkeypatch.setattr(module, "without_delay", without_delay)
    monkeypatch.setattr(lanes, "PYTHON_SWEEPS_PER_SLICE", 8)
    monkeypatch.setattr(dlx, "PYTHON_UPDATES_PER_SLICE", 100)
    assert solve(name, puzzles, limit) == expected
    assert len(calls) > min(n_python, 2)


def python_calls(module, monkeypatch):
    """Let a module run kernels as plain Python; return the list of those that it will run."""
    calls = []

    def without_delay(kernel):
        calls.append(kernel.__name__)
        return plain_python(kernel)

    monkeypatch.setattr(module, "without_delay", without_delay)
    return calls


def first_puzzles():
    return [line for path in sorted(DATA.glob("*.txt")) for line in path.read_text().split()[:2]]


def test_ratings_of_a_few_boards_are_not_compiled(monkeypatch):
    ratings = rating.rate(first_puzzles(), threads=1)
    expected = ratings.codes.tolist(), [each.tolist() for each in ratings.steps]
    calls = python_calls(rating, monkeypatch)
    ratings = rating.rate(first_puzzles(), threads=1)
    assert (ratings.codes.tolist(), [each.tolist() for each in ratings.steps]) == expected
    assert calls == ["classify_lanes", "count_steps"]
    rating.rate(first_puzzles() * 5, threads=1)
    assert len(calls) == 2


def test_canonical_forms_of_a_few_boards_are_not_compiled(monkeypatch):
    expected = api.canonical(first_puzzles()).tolist()
    calls = python_calls(api, monkeypatch)
    assert api.canonical(first_puzzles()).tolist() == expected
    assert calls == ["minimize_forms"]
    api.canonical(["1" + "." * 80])  # would take minutes
    api.canonical(first_puzzles() * 5)
    assert len(calls) == 1
