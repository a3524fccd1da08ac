"""Choose the item that Algorithm M branches on, also for covers of low cost within a budget.

Multipliers (`kernels/cheapest/multipliers.py`) give reduced costs, none of which is negative, and a
lower bound on the cost of any cover. Only covers whose reduced costs sum up to at most a budget can
be cheaper than a given cost. The options are linked in the order of their reduced costs, so the
list of an item need not be followed beyond the first option that exceeds what is left of the
budget.

The functions share the parameters of `branching`, and `bounds`: `Bounds`, which are read.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..csr import row_range
from ..problem import Problem, pair_nodes
from .bounds import Owners
from .branching import (
    LOW_PRIORITY,
    MAX_ITEM_WEIGHT,
    NO_RANK,
    Branching,
    bounded_rank,
    count_branches,
    item_rank,
)
from .links import INACTIVE
from .state import N_REGISTERS, Register

MAX_PAIRS = 1 << 22  # of an owner and an exclusive item in an option: half a second
MAX_COUNTED_OPTIONS = 10  # affordable options of an item are counted up to this number
ROUNDING = 1 + 1e-9  # by which floating-point sums of reduced costs may be too large
# The indices of `Costs.limits`
MAX_REDUCED, MAX_COST, MAX_ITEMS, SCALE, DUAL_BOUND, ONLY_CHEAPEST = range(6)
N_LIMITS = 6


class Costs(NamedTuple):
    """The arrays of a search for covers of low cost in addition to those of Algorithm M."""

    reduced: NDArray[np.int64]  # (nodes,) the reduced cost of a node's option
    cost: NDArray[np.int64]  # (nodes,) its cost
    reduced_sum: NDArray[np.int64]  # (levels + 1,) the reduced cost of the options before a level
    cost_sum: NDArray[np.int64]  # (levels + 1,) their cost
    # (N_LIMITS,) the limits of a cover; the largest number of items of an option; the scale and the
    # bound of the reduced costs, whose sum over a cover is at most SCALE times its cost, minus
    # DUAL_BOUND; and whether each cover must cost less than the last one. Then covers that remain
    # covers without one of their options are ignored.
    limits: NDArray[np.int64]


@njit
def is_tie(links, bounds, register, item, best):
    """Return whether a random choice may take `item`, which need not exist, instead of `best`."""
    size = links.size
    if register[Register.BRANCHING] != Branching.RANDOM or not 0 < item < len(size):
        return False
    if bounds is not None and size[item] < INACTIVE:
        rank = bounded_rank(links, bounds, register, item)
        return rank == bounded_rank(links, bounds, register, best)
    return size[item] == size[best]


@njit
def look_ahead(links, bounds, register, item):
    """Return the item to branch on, and whether each owner can have as many options as it needs.

    If an owner needs as many options as it has exclusive items with options left, each of these
    items is in one of the options, so the search may branch on it instead of `item`. It does if the
    scarcest one, with the fewest options, has a lower rank. If an owner needs more, there is no
    cover, and 1 is added to its weight.
    """
    size = links.size
    owners = bounds.owners
    best = item
    best_rank = bounded_rank(links, bounds, register, item) if item else np.int64(NO_RANK)
    for k in range(len(owners.item)):
        owner = owners.item[k]
        if bounds.need[owner] < 2 or size[owner] >= INACTIVE:
            continue
        n_left = 0
        smallest = np.int64(INACTIVE)
        scarce = item
        for position in row_range(owners.start, k):
            # The items are secondary: INACTIVE is in their sizes once, and twice if they are
            # covered.
            n_options = np.int64(size[owners.exclusive[position]]) - np.int64(INACTIVE)
            if 0 < n_options < INACTIVE:
                n_left += 1
                if n_options < smallest:
                    smallest = n_options
                    scarce = owners.exclusive[position]
        if n_left < bounds.need[owner]:
            if register[N_REGISTERS + owner] < MAX_ITEM_WEIGHT:
                register[N_REGISTERS + owner] += 1
            return item, False
        if n_left == bounds.need[owner]:
            rank = item_rank(register, owner, smallest)
            if rank < best_rank:
                best = scarce
                best_rank = rank
    return best, True


def exclusive_items(problem: Problem) -> Owners:
    """Return the items that may limit how often others are covered.

    An owner is an item that is covered several times. Each of its options contains one of a smaller
    number of secondary items without colors, such as the days of a lesson. There are none if the
    problem has more than MAX_PAIRS pairs of a possible owner and a possible exclusive item.
    """
    option_of = problem.option_of_node()
    items = problem.items.astype(np.int64)
    is_exclusive = (np.arange(problem.n_items) >= problem.n_primary) & ~problem.is_colored
    # The nodes of possible owners, and those of items that may be exclusive; then their pairs
    owned = np.flatnonzero(np.isin(items, np.flatnonzero(problem.lows > 1)))
    shared = np.flatnonzero(is_exclusive[items])
    n_in_option = [np.bincount(option_of[k], minlength=problem.n_options) for k in (owned, shared)]
    if np.dot(*n_in_option) > MAX_PAIRS:
        owned = owned[:0]
    one, other = pair_nodes(option_of, owned, shared)
    codes, code, size = np.unique(
        items[one] * problem.n_items + items[other], return_inverse=True, return_counts=True
    )
    # Each option of an owner is represented by the item that most of them share: of the pairs of a
    # node of an owner, ordered by how often they occur, the first one.
    order = np.lexsort([code, -size[code], one])
    is_first = np.append(True, np.diff(one[order]) > 0)[: len(order)]
    chosen = order[is_first]
    owner, exclusive = np.divmod(codes[np.unique(code[chosen])], problem.n_items)
    n_exclusive = np.bincount(owner, minlength=problem.n_items)
    n_represented = np.bincount(items[one[chosen]], minlength=problem.n_items)
    n_options = np.bincount(items[owned], minlength=problem.n_items)
    # Each option is represented, and there are fewer items than options, so that they limit these.
    is_owner = (n_exclusive < n_represented) & (n_represented == n_options)
    owners, exclusive = np.flatnonzero(is_owner), exclusive[is_owner[owner]]
    start = np.append(0, np.cumsum(n_exclusive[owners]))
    return Owners(*(each.astype(np.uint32) for each in (owners + 1, start, exclusive + 1)))


@njit
def scarcest_option(links, bounds, item):
    """Return the option of an item whose other items have the fewest branches: they need it most.

    Returns the item if it has no options, and the number of nodes that were read. Reads `links` and
    `bounds.need`.
    """
    R = links.R
    D = links.D
    column = links.column
    best = option = D[item]
    fewest = np.int64(INACTIVE)
    n_read = 0
    while option != item:
        n_read += 1
        node = R[option]
        while node != option:
            other = column[node]
            if other < len(bounds.need) and bounds.need[other] > 0:
                n_branches = count_branches(links, other)
                if n_branches < fewest:
                    best = option
                    fewest = n_branches
            n_read += 1
            node = R[node]
        option = D[option]
    return best, n_read


@njit
def choose_affordable_item(links, bounds, costs, limit, forced, tail):
    """M3 [Choose i.] Return the item with the fewest branches whose reduced cost is within `limit`.

    Parameters: `costs`, which are read; `limit` int64, what is left of the budget; `forced`
    (primary items + 1,) uint32, of which the first `tail` elements are items whose size dropped to
    one. If one of them still needs its only option, the others are not scanned.

    Ties are won by the item whose cheapest option costs most. Returns the root if no item needs an
    option (and, unless only the cheapest cover is wanted, none has one), whether a cover within the
    limit seems possible, and the number of items and options that were read.
    """
    R = links.R
    D = links.D
    reduced = costs.reduced
    best = root = np.uint32(0)
    if limit < 0:
        return root, False, 0
    for i in range(tail):
        item = forced[i]
        if links.size[item] == 1 and bounds.need[item] == 1:
            return item, reduced[D[item]] <= limit, np.int64(i)
    best_rank = np.int64(NO_RANK)
    highest = np.int64(0)  # the reduced cost of the cheapest option of `best`
    # The sum, over all items, of the cheapest options that each needs. An option is in it once for
    # each of its items, at most MAX_ITEMS times, so a cover within the limit allows no more than
    # this:
    total = 0.0
    most = ROUNDING * limit * costs.limits[MAX_ITEMS]
    n_read = np.int64(tail)
    item = R[root]
    while item:
        node = D[item]
        needed = max(np.int64(bounds.need[item]), 0)
        n_affordable = np.int64(0)
        n_counted = needed + MAX_COUNTED_OPTIONS
        while node != item and n_affordable < n_counted and reduced[node] <= limit:
            if n_affordable < needed:
                total += np.float64(reduced[node])
            n_affordable += 1
            node = D[node]
        n_read += 1 + n_affordable
        if n_affordable < needed or total > most:
            return root, False, n_read
        if n_affordable > 0 and (needed > 0 or not costs.limits[ONLY_CHEAPEST]):
            rank = n_affordable + 1 - needed  # the number of branches
            if n_affordable == n_counted:  # there may be more, which were not counted
                rank = count_branches(links, item)
            if needed == 0 and rank <= bounds.capacity[item] + 1:
                rank += LOW_PRIORITY  # its options can be chosen or omitted freely
            lowest = reduced[D[item]]
            if rank < best_rank or (rank == best_rank and lowest > highest):
                best = item
                best_rank = rank
                highest = lowest
        item = R[item]
    return best, True, n_read
