"""Cliques of options, and pairs of items to branch on, in random problems."""

import numpy as np
import pytest

from dlx_numba import ExactCover
from dlx_numba.kernels.cheapest.cliques import add_cliques, find_cliques
from dlx_numba.kernels.cheapest.pairs import divide_by_pair, find_pairs
from dlx_numba.kernels.cover_array import Translation
from dlx_numba.kernels.dlx.algorithm_x import SubtreeX
from dlx_numba.kernels.dlx.branching import BranchingRule
from dlx_numba.kernels.dlx.state import UNLIMITED
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


def test_options_of_cliques_exclude_each_other_and_covers_remain():
    n_found = 0
    for seed in seeds(300, at_least=30):
        rng = np.random.default_rng(seed)
        cover = random_problem(seed)
        problem = cover.problem
        value = rng.random(problem.n_options) * rng.choice([0.5, 1])
        cliques = find_cliques(problem, value, rng.integers(0, 9, problem.n_options))
        for clique in cliques:
            assert value[clique].sum() > 1
            assert len(set(clique.tolist())) == len(clique)
            pairs = [(a, b) for a in clique for b in clique if a < b]
            assert not any(are_compatible(cover, a, b) for a, b in pairs)
            # No other option excludes all of them, unless it does so by a color.
            others = set(range(problem.n_options)) - set(clique.tolist())
            if problem.color is None:
                assert all(any(are_compatible(cover, a, b) for b in clique) for a in others)
        if cliques:
            extended = add_cliques(problem, cliques)
            assert extended.n_items == problem.n_items + len(cliques)
            tree = SubtreeX.start(extended, BranchingRule())
            tree.explore(UNLIMITED, UNLIMITED, Translation())
            assert sorted(tree.found.tolist()) == sorted(map(sorted, cover))
            n_found += 1
    assert n_found


def test_a_pair_divides_the_covers():
    n_found = 0
    for seed in seeds(300, at_least=30):
        rng = np.random.default_rng(seed)
        cover = random_problem(seed)
        problem, covers = cover.problem, list(cover)
        for pair in find_pairs(problem, rng.random(problem.n_options) / 2, 5):
            parts = divide_by_pair(problem, pair)
            assert all(np.any(is_excluded) for is_excluded in parts)
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
    assert len(find_pairs(problem, value, 3)) <= 3
    assert find_cliques(problem, value, np.zeros(problem.n_options, np.int64))
