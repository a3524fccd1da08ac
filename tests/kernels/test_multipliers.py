"""Multipliers: certified bounds, compared with the costs of all covers."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.cheapest.multipliers import ascend, exact_bound, relax, start_ascent
from dlx_numba.kernels.components import split_problem
from dlx_numba.kernels.dlx.algorithm_m import SubtreeM
from dlx_numba.kernels.dlx.algorithm_x import SubtreeX
from dlx_numba.kernels.dlx.branching import BranchingRule
from tests.helpers import oracles
from tests.helpers.seeds import seeds


def parts(seed):
    """Yield the parts of a random problem that have a cover, with their covers."""
    options, bounds, secondary = oracles.random_general_problem(seed)
    rng = random.Random(seed)
    options = [option for option in options if any(item in bounds for item in option)]
    costs = [rng.choice([0, 1, 7, 10**9, 2**57]) for _ in options]
    cover = dlx.ExactCover(options, bounds, secondary, multiplicity=bounds, costs=costs)
    n_options = np.bincount(cover.problem.items, minlength=len(bounds))
    has_options = np.all(n_options[: len(bounds)])
    for part, _, _ in split_problem(cover.problem) if has_options else []:
        subtree = (SubtreeX if part.low is None else SubtreeM).start(part, BranchingRule())
        subtree.explore(10_000, 100, lambda options: options)
        yield part, subtree.found


def test_bounds_and_reduced_costs_are_certified():
    n_covers = 0
    for seed in seeds(1000):
        rng = np.random.default_rng(seed)
        for problem, covers in parts(seed):
            relaxation = relax(problem)
            price = rng.normal(0, 10.0 ** rng.integers(0, 25), problem.n_items)
            ascent = start_ascent(relaxation, price, 0.0)
            # An item of a variation may be secondary, though it had a price as a primary one.
            assert ascent.best[problem.n_primary :].max(initial=0) <= 0
            ascend(relaxation, ascent, int(rng.integers(0, 30)), np.inf)
            dual = exact_bound(relaxation, ascent.best)
            assert dual.reduced.min() >= 0
            for cover in covers:
                cost = int(problem.cost[cover].sum())
                assert dual.lowest_cost <= cost
                spent = sum(dual.reduced[cover].tolist())
                assert spent <= dual.budget(cost) < 2**63
                n_covers += 1
    assert n_covers


def lowest_cost(problem, n_steps):
    relaxation = relax(problem)
    ascent = start_ascent(relaxation, np.zeros(problem.n_items), 0.0)
    ascend(relaxation, ascent, n_steps, np.inf)
    return exact_bound(relaxation, ascent.best).lowest_cost


@pytest.mark.parametrize("n", [3, 30])
def test_bound_of_pairs_is_exact(n):
    """Each of n people is paired or alone; alone costs 1, a pair 2."""
    options = [[k] for k in range(n)] + [[k, j] for k in range(n) for j in range(k)]
    assert lowest_cost(dlx.ExactCover(options, costs=[*map(len, options)]).problem, 100) == n


def test_options_are_not_used_twice_in_the_bound():
    options = [["a", ("number", k)] for k in range(3)]
    secondary = [option[1] for option in options]
    keywords = {"multiplicity": {"a": 3}, "costs": [1, 10, 100]}
    assert lowest_cost(dlx.ExactCover(options, ["a"], secondary, **keywords).problem, 300) > 100
