"""Checks of problems and covers that come from files."""

import random

import numpy as np
import pytest

from dlx_numba.kernels.problem import Problem
from tests.helpers import oracles
from tests.helpers.seeds import seeds

PROBLEM = Problem(
    np.array([0, 2, 3, 5]),
    np.array([0, 2, 1, 1, 2]),
    2,
    1,
    np.array([0, 1, 0, 0, 2]),
    np.array([1, 0]),
    np.array([1, 2]),
    np.array([3, 0, 5]),
)


def test_covers_are_accepted_and_other_sets_of_options_are_not():
    for seed in seeds(300):
        rng = random.Random(seed)
        cover, _ = oracles.stated_problem(seed, "smallest")
        options, bounds, _ = oracles.random_general_problem(seed)
        expected = list(oracles.multiple_covers(options, bounds))
        problem = cover.problem
        problem.check()
        problem.check_covers(expected)
        for _ in range(10):
            options = sorted(
                rng.sample(range(problem.n_options), rng.randint(0, problem.n_options))
            )
            if expected and rng.random() < 0.7:
                options = sorted({*rng.choice(expected)} ^ {*options[:1]})
            if options in expected:
                continue
            with pytest.raises(ValueError, match=r"cover|item"):
                problem.check_covers([*expected, options])


@pytest.mark.parametrize("cover", [[0, 0], [-1], [9], [None], "0", [0.0]])
def test_lists_that_are_not_sets_of_options_are_rejected(cover):
    with pytest.raises((TypeError, ValueError)):
        PROBLEM.check_covers([cover])


def test_consistent_problem_is_accepted():
    PROBLEM.check()


@pytest.mark.parametrize(
    "changes",
    [
        {"indptr": np.array([0, 2, 1, 5])},
        {"indptr": np.array([], np.int64)},
        {"items": np.array([0, 2, 1, 1, 3])},
        {"items": np.array([0, 2, 1, 1, 1])},
        {"color": np.array([1, 1, 0, 0, 2])},
        {"color": np.array([0, 1])},
        {"low": None},
        {"high": np.array([1])},
        {"low": np.array([2, 0])},
        {"low": np.array([0, 0]), "high": np.array([0, 1])},
        {"cost": np.array([1])},
        {"cost": np.full(3, 2**61)},
    ],
)
def test_inconsistent_problems_are_rejected(changes):
    with pytest.raises(ValueError, match=r"."):
        PROBLEM._replace(**changes).check()
