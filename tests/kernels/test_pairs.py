"""Pairs of items to branch on, in random problems."""

import numpy as np
import pytest

from dlx_numba import ExactCover
from dlx_numba.kernels.cheapest.pairs import divide_by_pair, find_pairs
from tests.helpers.diagnoses import can_add, statement_of
from tests.helpers.oracles import colored_problem
from tests.helpers.seeds import seeds


def random_problem(seed):
    """Return a problem, some options of which share colored items."""
    return ExactCover(*colored_problem(3 * seed + 1))


def are_compatible(cover, first, second):
    """Return whether two options can be in one cover."""
    options, bounds, *_ = statement_of(cover)
    return all(can_add(entry, options[first], bounds) for entry in options[second])


def test_a_pair_divides_the_covers():
    n_found = 0
    for seed in seeds(300, at_least=30):
        rng = np.random.default_rng(seed)
        cover = random_problem(seed)
        problem, covers = cover.problem, list(cover)
        is_possible = rng.random(problem.n_options) < 0.9
        for pair in find_pairs(problem, rng.random(problem.n_options) / 2, is_possible, 5):
            parts = divide_by_pair(problem, pair)
            assert all(np.any(is_excluded & is_possible) for is_excluded in parts)
            for options in covers:
                assert sum(not np.any(is_excluded[options]) for is_excluded in parts) == 1
            n_found += bool(covers)
    assert n_found


@pytest.mark.parametrize("n_items", [300, 3000])
def test_wide_options_are_compared_in_part(n_items):
    rng = np.random.default_rng(1)
    options = [rng.choice(n_items, 300, replace=False).tolist() for _ in range(200)]
    problem = ExactCover(options, items=range(n_items)).problem
    value = np.full(problem.n_options, 0.4)
    assert len(find_pairs(problem, value, value > 0, 3)) <= 3
