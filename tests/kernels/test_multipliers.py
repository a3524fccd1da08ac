"""Multipliers: certified bounds, compared with the costs of all covers."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.cheapest.multipliers import ascend, exact_bound, relax, start_ascent
from tests.helpers import oracles
from tests.helpers.seeds import seeds


def test_bounds_and_reduced_costs_are_certified():
    n_covers = 0
    for seed in seeds(1000, 10):
        rng = np.random.default_rng(seed)
        options, bounds, secondary = oracles.random_general_problem(seed)
        options = [option for option in options if any(item in bounds for item in option)]
        covers = list(oracles.multiple_covers(options, bounds))
        costs = rng.choice([0, 1, 7, 10**9, 2**57], len(options))
        cover = dlx.ExactCover(options, bounds, secondary, multiplicity=bounds, costs=costs)
        problem = cover.problem
        if not covers or {*range(problem.n_primary)} - {*problem.items.tolist()}:
            continue  # there is an item without options
        relaxation = relax(problem)
        price = rng.normal(0, 10.0 ** rng.integers(0, 25), problem.n_items)
        ascent = start_ascent(relaxation, price, 0.0)
        # An item of a variation may be secondary, though it had a price as a primary one.
        assert ascent.best[problem.n_primary :].max(initial=0) <= 0
        ascend(relaxation, ascent, int(rng.integers(0, 30)), np.inf)
        dual = exact_bound(relaxation, ascent.best)
        assert dual.reduced.min() >= 0
        for chosen in covers:
            cost = int(problem.cost[chosen].sum())
            assert dual.lowest_cost <= cost
            assert sum(dual.reduced[chosen].tolist()) <= dual.budget(cost) < 2**63
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
