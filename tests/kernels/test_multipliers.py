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


@pytest.mark.parametrize(("n", "bound"), [(3, 3), (30, 30)])
def test_bound_of_pairs_of_an_odd_number(n, bound):
    """Each of n people is paired or alone; alone costs 1, a pair 2: the bound is exact."""
    options = [[k] for k in range(n)] + [[k, j] for k in range(n) for j in range(k)]
    cover = dlx.ExactCover(options, costs=[1 if len(option) == 1 else 2 for option in options])
    relaxation = relax(cover.problem)
    ascent = start_ascent(relaxation, np.zeros(n), 0.0)
    ascend(relaxation, ascent, 100, np.inf)
    assert exact_bound(relaxation, ascent.best).lowest_cost == bound


def test_options_are_not_used_twice_in_the_bound():
    cover = dlx.ExactCover(
        [["a", str(k)] for k in range(3)],
        ["a"],
        ["0", "1", "2"],
        multiplicity={"a": 3},
        costs=[1, 10, 100],
    )
    relaxation = relax(cover.problem)
    ascent = start_ascent(relaxation, np.zeros(4), 0.0)
    ascend(relaxation, ascent, 300, np.inf)
    assert exact_bound(relaxation, ascent.best).lowest_cost > 100
