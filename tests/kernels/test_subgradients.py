"""Subgradients: prices close to the linear relaxation, whose bounds are verified."""

import numpy as np

from dlx_numba import ExactCover
from dlx_numba.kernels.cheapest.multipliers import N_STEPS, exact_bound, relax
from dlx_numba.kernels.cheapest.subgradients import approach_relaxation, formulate
from dlx_numba.runtime.interrupts import Stop, complete
from tests.helpers.problems import total_problem
from tests.helpers.seeds import seeds


def approach(problem, target=np.inf, spread=0.0):
    steps = approach_relaxation(formulate(problem), 10.0, target, spread)
    return complete(steps, Stop())


def dual_and_average(problem, target=np.inf, spread=0.0):
    """Return the dual bound of the prices, and the average solution."""
    found = approach(problem, target, spread)
    price, total_price = np.split(found.best, [problem.n_items])
    return exact_bound(relax(problem, total_price), price), found.average


def random_roster(seed):
    """Return a roster of ranges, as a problem whose relaxation is an assignment, and its optimum.

    Each of n shifts needs one of n people, who work 0 to 2 shifts: the relaxation is integral.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 12))
    costs = rng.integers(0, 9, (n, n))
    options = [[("shift", i), ("person", j)] for i in range(n) for j in range(n)]
    people = {("person", j): (0, 2) for j in range(n)}
    items = [*(("shift", i) for i in range(n)), *people]
    return ExactCover(options, items, multiplicity=people, costs=costs.ravel())


def test_bounds_reach_an_integral_relaxation():
    violations = []
    for seed in seeds(100, at_least=20):
        cover = random_roster(seed)
        dual, average = dual_and_average(cover.problem)
        assert dual.lowest_cost == cover.cheapest()[0].cost
        covered = np.bincount(
            cover.problem.items, average[cover.problem.option_of_node()], cover.problem.n_items
        )
        n = int(np.sqrt(cover.n_options))
        violations.append(np.abs(covered[:n] - 1).mean())
        assert covered[n:].max() < 2.5
    # The averages nearly satisfy the rows, but for those of a few steps that reach the bound.
    assert np.mean(violations) < 0.05


def test_bounds_of_problems_with_totals_are_valid():
    n_covers = 0
    for seed in seeds(1000):
        cover, expected, _ = total_problem(seed)
        problem = cover.problem
        owners = np.unique(problem.option_of_node()[problem.items < problem.n_primary])
        if len(owners) < problem.n_options or not expected:
            continue
        spread = float(seed % 2)
        dual, _ = dual_and_average(problem, [np.inf, 5.0][seed % 3 == 0], spread)
        for chosen in expected:
            cost = int(problem.costs[chosen].sum())
            assert dual.lowest_cost <= cost
            assert sum(dual.reduced[chosen].tolist()) <= dual.budget(cost)
            n_covers += 1
    assert n_covers


def test_a_target_ends_the_steps():
    cover = random_roster(5)
    cost = cover.cheapest()[0].cost
    short, full = approach(cover.problem, cost / 2), approach(cover.problem)
    assert short.scalars[N_STEPS] < full.scalars[N_STEPS]
    assert dual_and_average(cover.problem, cost / 2)[0].lowest_cost >= cost / 2


def test_perturbed_costs_lead_to_a_cover():
    """All covers cost the same, so the relaxation of equal costs has many solutions."""
    n = 8
    options = [[("row", i), ("column", j)] for i in range(n) for j in range(n)]
    problem = ExactCover(options, costs=[5] * n**2).problem
    for spread, is_cover in ((0.0, False), (0.5, True)):
        _, average = dual_and_average(problem, spread=spread)
        chosen = np.isin(problem.option_of_node(), np.flatnonzero(average > 0.5))
        assert (sorted(problem.items[chosen].tolist()) == [*range(2 * n)]) is is_cover
