"""Local search for coverings of low cost, with weights of items.

A covering contains each item at least a number of times. While it is complete, the option is
dropped whose items weigh least for its cost. Then another option is dropped, and the items that are
missing are covered again, at a lower cost than that of the best covering known. The items that are
hard to cover gain weight, so the search leaves each neighborhood in time.

References
----------
C. Gao, X. Yao, T. Weise and J. Li, An efficient local search heuristic with row weighting for the
unicost set covering problem, 2015.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..csr import row_range, transpose
from ..dlx.branching import MULTIPLIER, PRIME
from ..problem import Problem

# Indices of `Covering.scalars`
COST, BEST_COST, N_MISSING, N_STEPS, RANDOM, LAST = range(6)
N_SCALARS = 6
FREE = 1e-9  # stands for the cost 0 of an option, by which weights are divided


class Covering(NamedTuple):
    """A covering that changes, and the best one that was found; all int64 except for costs."""

    indptr: NDArray[np.int64]  # (options + 1,)
    items: NDArray[np.int64]  # (nodes,)
    start: NDArray[np.int64]  # (items + 1,) of the options of each item
    options: NDArray[np.int64]  # (nodes,)
    cost: NDArray[np.int64]  # (options,)
    price: NDArray[np.float64]  # (options,) the costs, which are positive
    low: NDArray[np.int64]  # (items,) how often each item must be covered
    n_covered: NDArray[np.int64]  # (items,)
    weight: NDArray[np.int64]  # (items,)
    missing: NDArray[np.int64]  # (items,) first those that are covered too rarely
    place: NDArray[np.int64]  # (items,) the position of each in `missing`, or -1
    is_chosen: NDArray[np.int64]  # (options,)
    # (options,) the weight of the items that an option would help to cover, or that need it
    gain: NDArray[np.int64]
    is_tried: NDArray[np.int64]  # (options,) dropped, and nothing near it has changed since
    step: NDArray[np.int64]  # (options,) when it was added or dropped
    best: NDArray[np.int64]  # (options,) whether the best covering contains each option
    scalars: NDArray[np.int64]  # (N_SCALARS,)


def is_covering(problem: Problem) -> bool:
    """Return whether items may be covered any number of times, and no cost is negative."""
    sizes = problem.sizes
    is_plain = not problem.n_secondary and problem.total_low is None
    return is_plain and bool(np.all(problem.highs >= sizes) and np.all(problem.costs >= 0))


def start_covering(problem: Problem) -> Covering:
    """Return the empty covering of a problem, for which `is_covering` is true."""
    n_options = problem.n_options
    n_items = problem.n_items
    indptr = problem.indptr.astype(np.int64)
    items = problem.items.astype(np.int64)
    options, start = transpose(indptr, items, n_items)
    cost = problem.costs
    low = problem.lows
    n_covered, missing, place = np.zeros((3, n_items), np.int64)
    is_chosen, is_tried, step, best = np.zeros((4, n_options), np.int64)
    place[:] = -1
    listed = np.flatnonzero(low > 0)
    missing[: len(listed)] = listed
    place[listed] = np.arange(len(listed))
    option_of = problem.option_of_node()
    # All items that must be covered are missing, and have the weight 1.
    gain = np.bincount(option_of[low[items] > 0], minlength=n_options).astype(np.int64)
    scalars = np.zeros(N_SCALARS, np.int64)
    scalars[BEST_COST] = int(cost.sum()) + 1  # any covering is better
    scalars[N_MISSING] = len(listed)
    scalars[RANDOM] = 1
    scalars[LAST] = -1  # no option
    weight = np.ones(n_items, np.int64)
    price = np.maximum(cost, FREE)
    arrays = indptr, items, start, options, cost, price, low, n_covered, weight, missing
    return Covering(*arrays, place, is_chosen, gain, is_tried, step, best, scalars)


@njit
def change(covering, option, by):
    """Add an option to the covering (`by` is 1) or drop it (-1), all int64. Modifies `covering`.

    Updates the missing items and the gains of the options that share an item with it, which may be
    tried again. Returns the number of nodes visited.
    """
    n_covered = covering.n_covered
    low = covering.low
    missing = covering.missing
    place = covering.place
    is_chosen = covering.is_chosen
    scalars = covering.scalars
    is_chosen[option] += by
    scalars[COST] += by * covering.cost[option]
    scalars[N_STEPS] += 1
    covering.step[option] = scalars[N_STEPS]
    n_visits = 0
    for node in row_range(covering.indptr, option):
        item = covering.items[node]
        n_covered[item] += by
        n_lower = min(n_covered[item], n_covered[item] - by)  # of the counts before and after
        if n_lower == low[item] - 1:  # the item is missing now, or no longer
            if by > 0:  # the last missing item takes its place
                scalars[N_MISSING] -= 1
                last_missing = missing[scalars[N_MISSING]]
                missing[place[item]] = last_missing
                place[last_missing] = place[item]
                place[item] = -1
            else:
                place[item] = scalars[N_MISSING]
                missing[scalars[N_MISSING]] = item
                scalars[N_MISSING] += 1
        begin = covering.start[item]
        end = covering.start[item + 1]
        n_visits += end - begin
        for position in range(begin, end):
            neighbor = covering.options[position]
            covering.is_tried[neighbor] = 0
            # Options that are not chosen help while the item is missing. Chosen ones are needed
            # until it is covered more often than necessary. The items that need this option are
            # those that it helped before, so its own gain stays.
            if neighbor != option and n_lower == low[item] - 1 + is_chosen[neighbor]:
                covering.gain[neighbor] -= by * covering.weight[item]
    return n_visits


@njit
def find_cheap(covering, taboo):
    """Return the chosen option whose items weigh least for its cost, -1 for none.

    Reads `covering`; the option `taboo` (int64) is left out. Among equals, the oldest one wins.
    """
    best = np.int64(-1)
    least = np.inf
    for option in range(len(covering.cost)):
        if covering.is_chosen[option] == 1 and option != taboo:
            value = covering.gain[option] / covering.price[option]
            if value < least or (value == least and covering.step[option] < covering.step[best]):
                least = value
                best = np.int64(option)
    return best


@njit
def find_useful(covering, item):
    """Return the option with an item (int64) whose items weigh most for its cost, -1 for none.

    Reads `covering`. Among equals, the oldest one wins. An option that was dropped is left out
    until something near it changes, as it would only restore the covering before.
    """
    best = np.int64(-1)
    most = -1.0
    for position in row_range(covering.start, item):
        option = covering.options[position]
        if covering.is_chosen[option] == 0 and covering.is_tried[option] == 0:
            value = covering.gain[option] / covering.price[option]
            if value > most or (value == most and covering.step[option] < covering.step[best]):
                most = value
                best = option
    return best


@njit
def search_coverings(covering, n_visits):
    """Search for cheaper coverings, with a budget of `n_visits` of nodes (int64).

    Modifies `covering`. Returns whether its best covering has changed.
    """
    scalars = covering.scalars
    is_better = False
    while n_visits > 0:
        # While the covering is complete, keep it if it is the cheapest so far, and drop an option.
        while scalars[N_MISSING] == 0:
            if scalars[COST] < scalars[BEST_COST]:
                scalars[BEST_COST] = scalars[COST]
                for k in range(len(covering.best)):
                    covering.best[k] = covering.is_chosen[k]
                is_better = True
            n_visits -= len(covering.cost)
            option = find_cheap(covering, np.int64(-1))
            if option < 0:
                return is_better  # nothing has to be covered
            n_visits -= change(covering, option, np.int64(-1))
        # Drop another option, but not the one that was added last.
        option = find_cheap(covering, scalars[LAST])
        n_visits -= len(covering.cost)
        if option >= 0:
            n_visits -= change(covering, option, np.int64(-1))
            covering.is_tried[option] = 1
        # Cover a random missing item again and again, as long as the cost is below the best one.
        # After each addition, the items that are still missing gain weight.
        while scalars[N_MISSING] > 0:
            scalars[RANDOM] = scalars[RANDOM] * MULTIPLIER % PRIME
            item = covering.missing[scalars[RANDOM] % scalars[N_MISSING]]
            n_visits -= covering.start[item + 1] - covering.start[item]
            option = find_useful(covering, item)
            if option < 0 or scalars[COST] + covering.cost[option] >= scalars[BEST_COST]:
                break
            n_visits -= change(covering, option, np.int64(1))
            scalars[LAST] = option
            for k in range(scalars[N_MISSING]):
                item = covering.missing[k]
                covering.weight[item] += 1
                n_visits -= covering.start[item + 1] - covering.start[item]
                for node in row_range(covering.start, item):
                    covering.gain[covering.options[node]] += 1
        n_visits -= 1
    return is_better
