"""The choice of items for covers of low cost, within a budget of reduced costs.

Multipliers (`multipliers.py`) give reduced costs, none of which is negative, and a lower bound on
the cost of any cover. Only covers whose reduced costs sum up to at most a budget can be cheaper
than a given cost. The options are linked in the order of their reduced costs, so the list of an
item need not be followed beyond the first option that exceeds what is left of the budget.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .branching import LOW_PRIORITY, count_branches

MAX_COUNTED_OPTIONS = 10  # affordable options of an item are counted up to this number
ROUNDING = 1 + 1e-9  # by which floating-point sums of reduced costs may be too large
MAX_REDUCED, MAX_COST, MAX_ITEMS, IS_MINIMAL = range(4)  # the indices of `Costs.limits`


class Costs(NamedTuple):
    """The arrays of a search for covers of low cost in addition to those of Algorithm M."""

    reduced: NDArray[np.int64]  # (nodes,) the reduced cost of a node's option
    cost: NDArray[np.int64]  # (nodes,) its cost
    spent: NDArray[np.int64]  # (levels + 1,) the reduced cost of the options before a level
    paid: NDArray[np.int64]  # (levels + 1,) their cost
    # (4,) of a cover; the largest number of items of an option; and whether to ignore covers that
    # remain covers without one of their options, since these cost less
    limits: NDArray[np.int64]


@kernel
def choose_affordable_item(links, bounds, costs, limit):
    """M3 [Choose i.] Return the item with the fewest branches whose reduced cost is within `limit`.

    Ties are won by the item whose cheapest option costs most. Returns the root if no item needs an
    option (and, unless the search is for minimal covers, none has one), and whether a cover within
    the limit seems possible.
    """
    R, D, reduced = links.R, links.D, costs.reduced
    best = root = np.uint32(0)
    if limit < 0:
        return root, False
    best_rank, highest = 2 * LOW_PRIORITY, np.int64(0)
    # An option covers at most `max_items` items, which gives a lower bound on the sum.
    total, most = 0.0, ROUNDING * limit * costs.limits[MAX_ITEMS]
    item = R[root]
    while item:
        node = D[item]
        needed = max(np.int64(bounds.need[item]), 0)
        n_affordable, n_counted = np.int64(0), needed + MAX_COUNTED_OPTIONS
        while node != item and n_affordable < n_counted and reduced[node] <= limit:
            if n_affordable < needed:
                total += np.float64(reduced[node])
            n_affordable += 1
            node = D[node]
        if n_affordable < needed or total > most:
            return root, False
        if n_affordable > 0 and (needed > 0 or not costs.limits[IS_MINIMAL]):
            rank = n_affordable + 1 - needed
            if n_affordable == n_counted:
                rank = count_branches(links, item)
            if needed == 0 and rank <= bounds.capacity[item] + 1:
                rank += LOW_PRIORITY  # its options can be chosen or omitted freely
            lowest = reduced[D[item]]
            if rank < best_rank or (rank == best_rank and lowest > highest):
                best, best_rank, highest = item, rank, lowest
        item = R[item]
    return best, True
