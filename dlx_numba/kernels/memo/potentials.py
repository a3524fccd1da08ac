"""Sharper bounds of totals, by potentials of the items.

While options are decided in a fixed order, a total can still grow by the largest weight of each
step that is left. That counts an item several times if options of several steps contain it. Now let
each item have a potential, such that no weight exceeds the sum of the potentials of the items of
its option. If these items are covered exactly once, the total grows by the potentials of the items
that are not covered, at most. So a further total has the weights minus the potentials, none of
which is positive. The opposite signs yield a bound from below.
"""

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import Steps
from ..csr import group, join_ranges, row_of
from ..problem import UNBOUNDED, Problem

MIN_SHARE = 0.5  # of the options of an item with a potential, those with a weight
TOTALS_PER_SLICE = 64  # which take a few milliseconds


def sharpen_totals(problem: Problem, step_of: NDArray[np.int64]) -> Steps[Problem]:
    """Return the problem with a further total for each bound that potentials make sharper.

    `step_of` is the step that chooses each option, or -1. Yields after some totals.
    """
    least, most, total, option, weight = problem.totals
    is_once = problem.is_once
    option_of = problem.option_of_node()
    by_item, item_start = group(problem.items, problem.n_items)
    is_chosen = step_of[option] >= 0  # the weights of other options are in no group
    by_total, total_start = group(np.where(is_chosen, total, len(least)), len(least))
    bounds = list[int]()
    weights = [np.zeros((3, 0), np.int64)]
    for this_total in range(len(least)):
        if this_total % TOTALS_PER_SLICE == 0:
            yield
        entries = row_of(by_total, total_start, this_total)
        weighted = option[entries]
        own_weights = weight[entries]
        nodes, _ = problem.nodes_of(weighted)
        # Items with a potential, and the options with them: each node of such an item has the
        # position `bearer` of the item in `items`, and `place` of its option in `options`.
        items, counts = np.unique(problem.items[nodes], return_counts=True)
        items = items[is_once[items] & (counts > MIN_SHARE * np.diff(item_start)[items])]
        nodes, bearer = join_ranges(item_start[items], item_start[items + 1])
        options, place = np.unique(option_of[by_item[nodes]], return_inverse=True)
        if not len(items) or not np.isin(weighted, options).all():
            continue
        # An option divides its weight among its items with a potential, which is the largest share.
        n_bearers = np.bincount(place)
        weight_of = np.zeros(len(options), np.int64)
        weight_of[np.searchsorted(options, weighted)] = own_weights
        # The weights, and then those of the opposite sign, minus the potentials of the items
        for sign, bound in (1, int(least[this_total])), (-1, -int(most[this_total])):
            shares = -(-sign * weight_of[place] // n_bearers[place])  # rounded up
            potential = np.maximum.reduceat(shares, np.flatnonzero(np.diff(bearer, prepend=-1)))
            largest = np.zeros(int(step_of.max()) + 1, np.int64)
            np.maximum.at(largest, step_of[weighted], sign * own_weights)
            # Only if the bound exists, and all potentials are less than what all steps can add
            if bound > -UNBOUNDED and potential.sum() < largest.sum():
                remaining_weight = sign * weight_of
                np.subtract.at(remaining_weight, place, potential[bearer])
                is_left = remaining_weight != 0
                number = len(least) + len(bounds)
                columns = np.full(len(options), number), options, remaining_weight
                weights.append(np.stack(columns)[:, is_left])
                bounds.append(bound - int(potential.sum()))
    columns = (total, option, weight)
    total, option, weight = np.concatenate([np.stack(columns), *weights], axis=1)
    return problem._replace(
        total_low=np.append(least, np.array(bounds, np.int64)),
        total_high=np.append(most, np.full(len(bounds), UNBOUNDED)),
        weight_total=total,
        weight_option=option,
        weight=weight,
    )
