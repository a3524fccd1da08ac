"""Totals: sums of weights over the chosen options, each within two bounds.

An option that has a weight in a total belongs to one of its primary items, its carrier. A carrier
that is not covered yet contributes between the least and the largest weight of its remaining
options, where options that it does not carry count as 0. So the bounds of what a total can still
become are sums over its carriers. An option with which a total would miss its bounds is hidden.

The search calls `apply_totals` when it enters a node. The contributions are computed anew each
time, so nothing is stored that must be undone; hidden options are on the trail of the level.
"""

import numpy as np

from ...jit import njit
from ..problem import Problem
from .links import INACTIVE
from .moves import Totals, tweak

MAX_PASSES = 8  # of hiding options: each may have consequences for other totals


def link_totals(problem: Problem) -> Totals:
    """Return the totals of a problem, as `Bounds` has them."""
    low, high, total, option, weight = problem.totals
    first_node, option_of = 1 + problem.n_items, problem.option_of_node()
    # Few carriers give sharp bounds, so of the items of an option, the carrier has the most options
    # with a weight in the same total. Its node comes first in the order.
    lengths = np.diff(problem.indptr)[option]
    entry = np.repeat(np.arange(len(lengths)), lengths)
    offset = np.arange(len(entry)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    node = problem.indptr[option][entry] + offset
    entry, node = (each[problem.items[node] < problem.n_primary] for each in (entry, node))
    slots = total[entry] * problem.n_items + problem.items[node]
    _, slot_of, n_options = np.unique(slots, return_inverse=True, return_counts=True)
    order = np.lexsort([slots, -n_options[slot_of], entry])
    carriers = order[np.unique(entry[order], return_index=True)[1]]
    carriers = carriers[np.argsort(slots[carriers], kind="stable")]
    entry, node = entry[carriers], node[carriers]
    slots, slot_start = np.unique(slots[carriers], return_index=True)
    slot_total, slot_item = np.divmod(slots, max(1, problem.n_items))
    option = option[entry]
    numbers = (
        np.append(np.zeros(first_node, np.int64), option_of),
        np.searchsorted(np.sort(option), np.arange(problem.n_options + 1)),
        np.argsort(option, kind="stable"),
        total[entry],
        first_node + node,
        np.searchsorted(slot_total, np.arange(len(low) + 1)),
        slot_item + 1,
        np.append(slot_start, len(entry)),
    )
    return Totals(low, high, weight[entry], *(each.astype(np.uint32) for each in numbers))


@njit
def least_sum(need, capacity, smallest, negative):
    """Return a lower bound of the sum of `need` to `capacity` weights.

    The smallest weight is `smallest`, and all negative weights together are `negative`.
    """
    return need * smallest if smallest >= 0 else max(capacity * smallest, negative)


@njit
def measure(links, bounds, slot):
    """Return what determines how much an active carrier may contribute to a total.

    Returns the need and the capacity of the item, limited by the number of its options, the
    smallest and the largest weight among them, the sums of negative and of positive weights, and
    the number of options without weight. All of them are int64.
    """
    U, D, size, totals = links.U, links.D, links.size, bounds.totals
    item, zero = totals.slot_item[slot], np.int64(0)
    need = max(np.int64(bounds.need[item]), zero)
    n_left = np.int64(size[item]) - 1 + need
    smallest, largest, negative, positive = np.int64(1 << 32), -np.int64(1 << 32), zero, zero
    for i in range(totals.entry_start[slot], totals.entry_start[slot + 1]):
        entry = np.uint32(i)
        node = totals.node[entry]
        if D[U[node]] == node:
            weight = totals.weight[entry]
            smallest, largest = min(smallest, weight), max(largest, weight)
            negative += min(weight, zero)
            positive += max(weight, zero)
            n_left -= 1
    if n_left > 0 or largest < smallest:
        smallest, largest = min(smallest, zero), max(largest, zero)
    capacity = min(np.int64(bounds.capacity[item]), np.int64(size[item]) - 1 + need)
    return need, capacity, smallest, largest, negative, positive, n_left


@njit
def contribution(measured):
    """Return lower and upper bounds of the contribution of a carrier, as `measure` returned it."""
    need, capacity, smallest, largest, negative, positive, _ = measured
    least = least_sum(need, capacity, smallest, negative)
    return least, -least_sum(need, capacity, -largest, -positive)


@njit
def is_excluded(measured, weight, low, high):
    """Return whether an option of this weight keeps the contribution from being in a range.

    `measured` is what `measure` returned for the carrier; `low` and `high` are int64.
    """
    need, capacity, smallest, largest, negative, positive, _ = measured
    zero = np.int64(0)
    others = (
        max(need - 1, zero),
        max(capacity - 1, zero),
        smallest,
        largest,
        negative - min(weight, zero),
        positive - max(weight, zero),
        zero,
    )
    least, most = contribution(others)
    return weight + least > high or weight + most < low


@njit
def is_needed(links, option):
    """Return whether an item would have no branch left without the option of a node."""
    node = option
    while links.size[links.column[node]] > 1:
        node = links.R[node]
        if node == option:
            return False
    return True


@njit
def hide_excluded(links, colors, bounds, slot, low, high, trail, trail_end):
    """Hide the options that keep the contribution of a carrier from being in a range.

    Returns the new end of the trail, which is written, and whether each item still has a branch.
    """
    U, D, totals = links.U, links.D, bounds.totals
    item, measured = totals.slot_item[slot], measure(links, bounds, slot)
    for i in range(totals.entry_start[slot], totals.entry_start[slot + 1]):
        node = totals.node[np.uint32(i)]
        if D[U[node]] == node and is_excluded(measured, totals.weight[np.uint32(i)], low, high):
            if is_needed(links, node):
                return trail_end, False
            trail_end = tweak(links, colors, node, trail, trail_end)
    if measured[-1] > 0 and is_excluded(measured, np.int64(0), low, high):
        total = totals.total[totals.entry_start[slot]]
        node = D[item]
        while node != item:
            option, is_carried = totals.option[node], False
            for i in range(totals.start[option], totals.start[option + 1]):
                entry = totals.by_option[np.uint32(i)]
                is_carried |= totals.total[entry] == total and totals.node[entry] == node
            if not is_carried:
                if is_needed(links, node):
                    return trail_end, False
                trail_end = tweak(links, colors, node, trail, trail_end)
            node = D[node]
    return trail_end, True


@njit
def add_chosen(bounds, choice, level):
    """Write the sums of the options of the first `level` nodes of `choice`; node 0 is none."""
    totals, sums = bounds.totals, bounds.sums
    for total in range(len(sums)):
        sums[total] = 0
    for k in range(level):
        node = choice[np.uint32(k)]
        if node != 0:
            option = totals.option[node]
            for i in range(totals.start[option], totals.start[option + 1]):
                entry = totals.by_option[np.uint32(i)]
                sums[totals.total[entry]] += totals.weight[entry]


@njit
def meets_totals(bounds):
    """Return whether the sums at the node that was entered last are within their bounds.

    A search within a budget ends branches in which it cannot afford the options that remain.
    """
    totals, sums = bounds.totals, bounds.sums
    is_met = True
    for total in range(len(sums)):
        is_met &= totals.low[total] <= sums[total] <= totals.high[total]
    return is_met


@njit
def apply_totals(links, colors, bounds, choice, level, trail, trail_end):
    """Hide the options with which a total would miss its bounds.

    Parameters: `links`, `colors` or None, and `bounds`, of which the sums are written; `choice`,
    whose first `level` nodes are of the chosen options; `trail`, written from `trail_end` on.
    Returns the new end of the trail, whether each total may still be within its bounds, and the
    number of weights that were read.
    """
    totals, size, n_read = bounds.totals, links.size, 0
    add_chosen(bounds, choice, level)
    for _ in range(MAX_PASSES):
        start = trail_end
        n_read += len(totals.weight)
        for total in range(len(bounds.sums)):
            low, high = totals.low[total], totals.high[total]
            least = most = bounds.sums[total]
            first, end = totals.slot_start[total], totals.slot_start[total + 1]
            for slot in range(first, end):
                if size[totals.slot_item[slot]] < INACTIVE:
                    one_least, one_most = contribution(measure(links, bounds, slot))
                    least, most = least + one_least, most + one_most
            if least > high or most < low:
                return trail_end, False, n_read
            if least >= low and most <= high:
                continue
            for slot in range(first, end):
                if size[totals.slot_item[slot]] < INACTIVE:
                    one_least, one_most = contribution(measure(links, bounds, slot))
                    room = low - most + one_most, high - least + one_least
                    trail_end, is_possible = hide_excluded(
                        links, colors, bounds, slot, room[0], room[1], trail, trail_end
                    )
                    if not is_possible:
                        return trail_end, False, n_read
        if trail_end == start:
            break
    return trail_end, True, n_read
