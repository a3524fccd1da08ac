"""Searches for covers within a budget of reduced costs: all of them, and in known steps."""

import itertools
import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels.cheapest.min_cost import AffordableSubtree
from dlx_numba.kernels.cheapest.multipliers import DualBound
from dlx_numba.kernels.cover_array import Translation
from dlx_numba.kernels.problem import select_options
from dlx_numba.runtime.arguments import UNLIMITED
from tests.helpers import oracles
from tests.helpers.counting import pigeons
from tests.helpers.problems import instance, total_problem
from tests.helpers.seeds import seeds
from tests.kernels.test_known_searches import lessons, sets, sums

MANY = 10**6  # more than any cover costs


def dual_of(problem, prices, scale):
    """Return what prices of the primary items, multiplied by `scale`, say of costs (weak duality).

    A cover pays for an item as often as it contains it: at least `low` times.
    """
    cost = problem.costs
    low = problem.lows
    price = np.append(prices, np.zeros(problem.n_secondary, np.int64))
    paid = [price[items].sum() for items in np.split(problem.items, problem.indptr[1:-1])]
    reduced = cost * scale - np.array(paid, np.int64)
    bound = int(prices @ low + np.minimum(reduced, 0).sum())
    return DualBound(scale, bound, np.maximum(reduced, 0))


def within(cover, prices, scale, max_cost, only_cheapest=False):
    """Return the search for the covers that cost at most `max_cost`, and the order of options."""
    dual = dual_of(cover.problem, np.array(prices, np.int64), scale)
    order = np.argsort(dual.reduced, kind="stable")
    dual = dual._replace(reduced=dual.reduced[order])
    problem = select_options(cover.problem, order)
    return AffordableSubtree.within(problem, dual, max_cost, only_cheapest=only_cheapest), order


def run(tree, order, updates=UNLIMITED):
    """Return the covers that a search finds in several calls."""
    while not tree.is_done:
        tree.explore(updates, 3, Translation())
    return [sorted(order[found].tolist()) for found in tree.found.tolist()]


def random_cover(seed):
    """Return a problem with costs, its covers by brute force, and prices of its items."""
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed, seed % 3 > 0)
    costs = [rng.randint(-2 if seed % 4 == 0 else 0, 9) for _ in options]
    arguments = {"multiplicity": bounds, "costs": costs}
    cover = dlx.ExactCover(options, list(bounds), secondary, **arguments)
    covers = sorted(map(sorted, oracles.multiple_covers(options, bounds)))
    scale = rng.choice([1, 5])
    prices = [rng.randint(0, 3 * scale) for _ in bounds]
    return cover, [(sum(costs[k] for k in each), each) for each in covers], prices, scale


@pytest.mark.parametrize("updates", [1, UNLIMITED])
def test_all_covers_within_a_cost_and_limits_of_totals_are_found(updates):
    n_found = 0
    for seed in seeds(600, at_least=200):
        cover, covers, _ = total_problem(seed)
        if cover.problem.cost is not None and cover.problem.total_low is not None:
            cost = cover.problem.cost
            for limit in (2, 6, 12):
                prices = [seed % 3] * cover.problem.n_primary
                found = run(*within(cover, prices, 1, limit), updates)
                assert sorted(found) == sorted(each for each in covers if cost[each].sum() <= limit)
                n_found += len(found)
    assert n_found > 100


@pytest.mark.parametrize("updates", [1, UNLIMITED])
def test_all_covers_within_a_cost_are_found(updates):
    n_found = 0
    for seed in seeds(600, at_least=200):
        cover, covers, prices, scale = random_cover(seed)
        if cover.problem.cost is None or not cover.n_options:
            continue
        costs = sorted({cost for cost, _ in covers}) or [0]
        for limit in {costs[0] - 1, costs[0], costs[len(costs) // 2], MANY}:
            found = run(*within(cover, prices, scale, limit), updates)
            assert sorted(found) == [each for cost, each in covers if cost <= limit], seed
            n_found += len(found)
    assert n_found > 1000


def test_each_cover_is_cheaper_than_the_last_one_and_the_cheapest_is_found():
    for seed in seeds(600, at_least=200):
        cover, covers, prices, scale = random_cover(seed)
        if cover.problem.cost is None or cover.problem.cost.min(initial=0) < 0:
            continue
        found = run(*within(cover, prices, scale, MANY, only_cheapest=True))
        costs = [sum(cover.problem.cost[each].tolist()) for each in found]
        assert all(after < before for before, after in itertools.pairwise(costs)), seed
        assert costs[-1:] == sorted(cost for cost, _ in covers)[:1], seed
        assert all(each in [options for _, options in covers] for each in found), seed


SCALE = 10


def priced(name):
    """Return a problem with costs that look random, and fair prices of its items.

    Each item of an option has the same share of its cost; the price of an item is the least share.
    """
    cover = PROBLEMS[name]()
    cover = cover.replace(costs=[11 + 7 * k * k % 31 for k in range(cover.n_options)])
    prices = np.full(cover.problem.n_primary, SCALE * MANY)
    options = np.split(cover.problem.items, cover.problem.indptr[1:-1])
    for cost, option in zip(cover.problem.cost, options, strict=True):
        items = option[option < len(prices)]
        prices[items] = np.minimum(prices[items], SCALE * cost // max(1, len(items)))
    return cover, prices


PROBLEMS = {
    "queens": lambda: instance("queens8"),
    "langford": lambda: instance("langford7"),
    "colors": lambda: instance("macmahon4x6f"),
    "random": lambda: instance("random40"),
    "pigeons": lambda: pigeons(5),
    "triples": lambda: sets(60, 900, 3),
    "several": lambda: instance("queendom7.mcc"),
    "sums": sums,
    "lessons": lessons,
    "free": lambda: sets(24, 60, 3).replace(at_most=dict.fromkeys(range(0, 24, 2), 2)),
}
# The covers, nodes and updates of searches for all covers of a cost, and for ever cheaper ones
KNOWN = """
queens 137 all: 2 132 3688
queens 137 cheapest: 1 132 3707
queens 152 all: 4 162 3745
queens 152 cheapest: 2 152 3741
queens 999 all: 21 178 3753
queens 999 cheapest: 2 152 3741
langford 110 all: 1 39 949
langford 110 cheapest: 1 38 931
langford 125 all: 2 135 2758
langford 125 cheapest: 2 62 1329
langford 999 all: 23 189 3428
langford 999 cheapest: 4 65 1361
colors 429 all: 0 24 4872
colors 429 cheapest: 0 24 4872
random 164 all: 0 57 3799
random 164 cheapest: 0 57 3799
random 999 all: 0 66 3811
random 999 cheapest: 0 66 3811
pigeons 121 all: 0 104 711
pigeons 121 cheapest: 0 104 711
pigeons 161 all: 0 203 1466
pigeons 161 cheapest: 0 203 1466
triples 258 all: 0 56 3130
triples 258 cheapest: 0 56 3130
triples 999 all: 5 83 3280
triples 999 cheapest: 2 82 3273
several 49 all: 0 5 6549
several 49 cheapest: 0 4 6329
several 999 all: 0 4 4823
several 999 cheapest: 0 4 6329
sums 302 all: 44 444 1287
sums 302 cheapest: 1 344 1028
sums 999 all: 122 621 1749
sums 999 cheapest: 1 344 1028
lessons 420 all: 0 359 2319
lessons 420 cheapest: 0 359 2319
lessons 450 all: 89 447 2522
lessons 450 cheapest: 2 372 2500
lessons 999 all: 324 396 2410
lessons 999 cheapest: 2 372 2500
free 180 all: 290 278 1990
free 180 cheapest: 2 17 336
free 240 all: 362 273 1930
free 240 cheapest: 2 17 336
free 999 all: 363 273 1930
free 999 cheapest: 2 17 336
"""


def steps(name, max_cost, aim):
    """Return the covers, nodes and updates of the beginning of a search."""
    cover, prices = priced(name)
    tree, _ = within(cover, prices, SCALE, max_cost, aim == "cheapest")
    for _ in range(8):  # so that it pauses
        if not tree.is_done:
            tree.explore(500, UNLIMITED, Translation())
    return tree.counters.tolist()


@pytest.mark.parametrize("known", KNOWN.strip().splitlines())
def test_searches_take_known_steps(known):
    search, _, counters = known.partition(": ")
    name, max_cost, aim = search.split()
    assert steps(name, int(max_cost), aim) == [*map(int, counters.split())]
