"""Functions that the Numba functions of a program call."""

import numba
import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba import compiled
from tests.helpers import oracles
from tests.helpers.boards import values_of
from tests.helpers.examples import EASY
from tests.helpers.seeds import seeds

NO_LIMIT = 2**62


def random_problem(seed):
    """Return options, the bounds of the items, and the arguments of the functions."""
    options, bounds, secondary = oracles.random_general_problem(seed, has_bounds=False)
    options = [
        [entry[0] if isinstance(entry, tuple) else entry for entry in option]
        for option in options
        if bounds.keys() & option
    ]
    indptr = np.cumsum([0, *map(len, options)])
    items = np.array([item for option in options for item in option], np.int64)
    return options, bounds, (indptr, items, len(bounds), len(secondary))


def check(count_covers, first_cover, n_problems):
    n_solvable = 0
    for seed in seeds(n_problems):
        options, bounds, problem = random_problem(seed)
        expected = [*oracles.multiple_covers(options, bounds)]
        assert count_covers(*problem, NO_LIMIT, NO_LIMIT) == len(expected)
        assert count_covers(*problem, 2, NO_LIMIT) == min(2, len(expected))
        cover = np.zeros(problem[2], np.int64)
        n = first_cover(*problem, cover, NO_LIMIT)
        if expected:
            assert sorted(cover[:n]) in expected
            n_solvable += 1
        else:
            assert n == -1
    assert n_solvable > 0


def test_counts_and_covers_are_those_of_brute_force():
    check(compiled.count_covers, compiled.first_cover, 2000)


@pytest.mark.thorough
@pytest.mark.compiled
def test_functions_of_numba_call_them():
    @numba.njit
    def count_covers(*arguments):
        return compiled.count_covers(*arguments)

    @numba.njit
    def first_cover(*arguments):
        return compiled.first_cover(*arguments)

    @numba.njit(nogil=True)
    def solve_all(boards, solutions, limit):
        counts = np.zeros(len(boards), np.int64)
        for k in range(len(boards)):
            counts[k] = compiled.solve9x9(boards[k], solutions[k], limit)
        return counts

    check(count_covers, first_cover, 5000)
    boards = np.array([*map(values_of, [EASY, "." * 81, "11" + "." * 79])], int)
    solutions = np.zeros_like(boards)
    assert solve_all(boards, solutions, 5).tolist() == [1, 5, 0]
    assert np.array_equal(solutions[:2], dlx.solve_batch(boards[:2]).solutions.reshape(2, 81))
    assert not solutions[2].any()


def test_a_spent_budget_is_reported():
    pairs = np.array([(a, b) for a in range(12) for b in range(a)])  # perfect matchings
    problem = np.arange(0, 2 * len(pairs) + 1, 2), pairs.ravel(), 12, 0
    assert compiled.count_covers(*problem, NO_LIMIT, NO_LIMIT) == 10395
    counts = [compiled.count_covers(*problem, NO_LIMIT, budget) for budget in (0, 500, 5000)]
    found = [-1 - count for count in counts]
    assert 0 == found[0] <= found[1] < found[2] < 10395
    cover = np.zeros(12, int)
    assert compiled.first_cover(*problem, cover, 0) == -2
    assert compiled.first_cover(*problem, cover, NO_LIMIT) == 6


@pytest.mark.parametrize(
    ("indptr", "items", "reason"),
    [
        ([0, 1, 2], [0, 2], "does not exist"),
        ([0, 1, 2], [0, -1], "does not exist"),
        ([0, 2], [0, 0], "twice"),
        ([0, 1], [1], "no primary item"),
        ([0, 0], [], "no primary item"),
        ([0, 2, 1], [0], "indptr"),
        ([0, 2, 1, 3], [0, 1, 0], "indptr"),
        ([1, 2], [0, 0], "indptr"),
        ([0, 1], [0, 0], "indptr"),
        ([], [], "indptr"),
    ],
)
def test_invalid_problems_are_rejected(indptr, items, reason):
    problem = np.array(indptr, np.int64), np.array(items, np.int64), 1, 1
    with pytest.raises(ValueError, match=reason):
        compiled.count_covers(*problem, 1, 100)
    with pytest.raises(ValueError, match=reason):
        compiled.first_cover(*problem, np.zeros(1, int), 100)


def test_invalid_arguments_are_rejected():
    board, one = np.zeros(81, int), np.array([0])
    for function, arguments, reason in (
        (compiled.count_covers, (one, one[:0], -1, 2, 1, 1), "negative"),
        (compiled.first_cover, (np.array([0, 1]), one, 1, 0, one[:0], 1), "for each primary item"),
        (compiled.solve9x9, (board[:80], board, 1), "81 cells"),
        (compiled.solve9x9, (board, board, 0), "at least 1"),
        (compiled.solve9x9, (10 * np.eye(81, dtype=int)[3], board, 1), "0 to 9"),
    ):
        with pytest.raises(ValueError, match=reason):
            function(*arguments)
