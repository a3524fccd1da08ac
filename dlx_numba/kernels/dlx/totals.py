"""Totals: sums of weights over the chosen options, each within two bounds.

An option that has a weight in a total belongs to one of its primary items, its carrier. A carrier
that is not covered yet contributes between the least and the largest weight of its remaining
options, where options that it does not carry count as 0. So the bounds of what a total can still
become are sums over its carriers. An option with which a total would miss its bounds is hidden.

The search calls `apply_totals` when it enters a node. Hidden options are on the trail of the level.
Contributions and their sums are cached. They are outdated (`Totals.is_old`) once an option of the
carrier is hidden or restored, or the carrier is covered or uncovered. The trail and the choices
tell which these are, so nothing is stored that must be undone. A call of the kernel begins with
`forget_totals`.

The functions share these parameters: `links`, `Links`, and `colors` or None,
which only `tweak` writes; `bounds`, `Bounds`, of which the last four arrays of the totals are
written; `trail` (nodes,) uint32, with the positions `start` and `trail_end`, uint32; `slot`, `item`
and `option`, a node, uint32; bounds, weights and sums, int64.
"""

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..csr import group, renumber, row_range
from ..problem import Problem
from .bounds import N_ADDED, N_MARKED, Totals
from .branching import BLOCK
from .links import INACTIVE
from .moves import is_needed, tweak

BEYOND_WEIGHTS = 1 << 32  # more than any weight
MAX_PASSES = 8  # of hiding options: each may have consequences for other totals


def link_totals(problem: Problem) -> Totals:
    """Return the totals of a problem, as `Bounds` has them.

    Each weight of the problem becomes an entry, unless its option has no primary item.
    """
    low, high, total, option, weight = problem.totals
    first_node = 1 + problem.n_items
    by_total, total_start = group(total, len(low))
    n_options = np.zeros(problem.n_primary, np.int64)
    carrier = np.zeros(len(total), np.int64)
    choose_carriers(
        problem.indptr, problem.items, option, by_total, total_start, n_options, carrier
    )
    entry = np.flatnonzero(carrier >= 0)  # an option without primary items is in no cover
    item = problem.items[carrier[entry]]
    # A slot is a pair of a total and an item that carries weights in it.
    slots, slot = renumber(total[entry] * problem.n_items + item)
    by_slot, slot_start = group(slot, len(slots))
    slot_start = slot_start[:-1]
    slot_total, slot_item = np.divmod(slots, max(1, problem.n_items))
    entry = entry[by_slot]  # from here on, entries are in the order of their slots
    node = carrier[entry]
    option = option[entry]
    weight = weight[entry]
    # What a slot can add and subtract: its largest weight if the item has one option, or their sum
    is_single = problem.item_high[slot_item] == 1
    most_added, most_subtracted = (
        np.where(is_single, *(each.reduceat(part, slot_start) for each in (np.maximum, np.add)))
        for part in (np.maximum(weight, 0), np.maximum(-weight, 0))
    )
    spread = np.zeros(len(low), np.int64)
    np.maximum.at(spread, slot_total, most_added + most_subtracted)
    by_option, option_start = group(option, problem.n_options)
    by_item, item_start = group(slot_item + 1, first_node)
    n_contributions = len(slot_item) + len(low)
    return Totals(
        low,
        high,
        spread,
        weight,
        option=_unsigned(np.append(np.zeros(first_node, np.int64), problem.option_of_node())),
        start=_unsigned(option_start),
        by_option=_unsigned(by_option),
        total=_unsigned(total[entry]),
        node=_unsigned(first_node + node),
        slot_start=_unsigned(np.searchsorted(slot_total, np.arange(len(low) + 1))),
        slot_item=_unsigned(slot_item + 1),
        entry_start=_unsigned(np.append(slot_start, len(entry))),
        slot_total=_unsigned(slot_total),
        item_start=_unsigned(item_start),
        by_item=_unsigned(by_item),
        sums=np.zeros(len(low), np.int64),
        least=np.zeros(n_contributions, np.int64),
        most=np.zeros(n_contributions, np.int64),
        is_old=np.ones(n_contributions, np.uint8),
    )


@njit
def choose_carriers(indptr, items, option, by_total, total_start, n_options, carrier):
    """Choose the carrier of each weight.

    Few carriers give sharp bounds, so it is the item of the option with the most options that have
    a weight in the same total, and among these, the first item.

    Parameters: `indptr` (options + 1,) and `items` (nodes,) int64; `option` (weights,) int64;
    `by_total` (weights,) and `total_start` (totals + 1,) int64, the weights of each total;
    `n_options` (primary items,) int64, zeros, also at the end; `carrier` (weights,) int64, written:
    a node, or -1 for an option without primary items.
    """
    for total in range(len(total_start) - 1):
        begin = total_start[total]
        end = total_start[total + 1]
        # Count the options of each item that have a weight, choose by these numbers, and clear them
        for position in range(begin, end):
            chosen = option[by_total[position]]
            for node in row_range(indptr, chosen):
                if items[node] < len(n_options):
                    n_options[items[node]] += 1
        for position in range(begin, end):
            chosen = option[by_total[position]]
            best = np.int64(-1)
            for node in row_range(indptr, chosen):
                item = items[node]
                if item >= len(n_options):
                    continue
                difference = 1 if best < 0 else n_options[item] - n_options[items[best]]
                if difference > 0 or (difference == 0 and item < items[best]):
                    best = node
            carrier[by_total[position]] = best
        for position in range(begin, end):
            chosen = option[by_total[position]]
            for node in row_range(indptr, chosen):
                if items[node] < len(n_options):
                    n_options[items[node]] = 0


def _unsigned(numbers: NDArray[np.integer]) -> NDArray[np.uint32]:
    return numbers.astype(np.uint32)


@njit
def least_sum(need, capacity, smallest, negative):
    """Return a lower bound of the sum of `need` to `capacity` weights.

    The smallest weight is `smallest`, and all negative weights together are `negative`. All
    parameters are int64. If no weight is negative, as few as possible are the least; otherwise, as
    many negative ones as possible.
    """
    return need * smallest if smallest >= 0 else max(capacity * smallest, negative)


@njit
def measure(links, bounds, slot):
    """Return what determines how much an active carrier may contribute to a total.

    Returns the need and the capacity of the item, limited by the number of its options, the
    smallest and the largest weight among them, and the sums of negative and of positive weights, as
    a tuple; and the number of options without weight. All of them are int64.
    """
    U = links.U
    D = links.D
    size = links.size
    totals = bounds.totals
    item = totals.slot_item[slot]
    zero = np.int64(0)
    need = max(np.int64(bounds.need[item]), zero)
    n_left = np.int64(size[item]) - 1 + need  # options: the size counts branches
    smallest = np.int64(BEYOND_WEIGHTS)
    largest = -np.int64(BEYOND_WEIGHTS)
    negative = zero
    positive = zero
    for entry in row_range(totals.entry_start, slot):
        node = totals.node[entry]
        if D[U[node]] == node:
            weight = totals.weight[entry]
            smallest, largest = min(smallest, weight), max(largest, weight)
            negative += min(weight, zero)
            positive += max(weight, zero)
            n_left -= 1
    if n_left > 0 or largest < smallest:  # an option has no weight, which counts as 0, or all
        smallest, largest = min(smallest, zero), max(largest, zero)
    capacity = min(np.int64(bounds.capacity[item]), np.int64(size[item]) - 1 + need)
    return (need, capacity, smallest, largest, negative, positive), n_left


@njit
def contribution(measured):
    """Return lower and upper bounds of the contribution of a carrier, as `measure` returned it."""
    need, capacity, smallest, largest, negative, positive = measured
    least = least_sum(need, capacity, smallest, negative)
    return least, -least_sum(need, capacity, -largest, -positive)


@njit
def is_excluded(measured, weight, low, high):
    """Return whether an option of this weight keeps the contribution from being in a range.

    `measured` is what `measure` returned for the carrier; `low` and `high` are int64, a range that
    its contribution can reach. The option is chosen, so its weight is added to the contribution of
    one option less.

    The sums `negative` and `positive` still include the weight, which changes no result. A negative
    weight subtracted from `negative`, and added as that of the option, gives `negative`, which is
    at most `high`, because the range can be reached. So this bound excludes no option, and the one
    that is less by the weight does not, either. The same holds for `positive` and `low`.
    """
    need, capacity, smallest, largest, negative, positive = measured
    zero = np.int64(0)
    need = max(need - 1, zero)
    capacity = max(capacity - 1, zero)
    least, most = contribution((need, capacity, smallest, largest, negative, positive))
    return weight + least > high or weight + most < low


@njit
def hide_excluded(links, colors, bounds, slot, low, high, trail, trail_end):
    """Hide the options that keep the contribution of a carrier from being in a range.

    Parameters: `links`, and `colors` or None, written; `bounds`, read; `slot` uint32, that of the
    carrier; `low` and `high` int64, the range; `trail` (nodes,) uint32, written from `trail_end`
    on, uint32. Returns the new end of the trail, whether each item still has a branch, and the
    number of weights and nodes that were read.
    """
    U = links.U
    D = links.D
    totals = bounds.totals
    item = totals.slot_item[slot]
    measured, n_left = measure(links, bounds, slot)
    n_read = np.int64(totals.entry_start[slot + 1] - totals.entry_start[slot])
    for entry in row_range(totals.entry_start, slot):
        node = totals.node[entry]
        if D[U[node]] == node and is_excluded(measured, totals.weight[entry], low, high):
            if is_needed(links, node):
                return trail_end, False, n_read
            trail_end = tweak(links, colors, node, trail, trail_end)
    # The options that the carrier carries no weight of in this total contribute 0.
    if n_left > 0 and is_excluded(measured, np.int64(0), low, high):
        total = totals.total[totals.entry_start[slot]]
        node = D[item]
        while node != item:
            option = totals.option[node]
            n_read += 1 + totals.start[option + 1] - totals.start[option]
            is_carried = False
            for i in row_range(totals.start, option):
                entry = totals.by_option[i]
                is_carried |= totals.total[entry] == total and totals.node[entry] == node
            if not is_carried:
                if is_needed(links, node):
                    return trail_end, False, n_read
                trail_end = tweak(links, colors, node, trail, trail_end)
            node = D[node]
    return trail_end, True, n_read


@njit
def forget_totals(bounds):
    """Mark all contributions as outdated, and set the sums to 0."""
    totals = bounds.totals
    totals.sums[:] = totals.least[:] = totals.most[:] = 0
    totals.is_old[:] = True


@njit
def mark_item(bounds, item):
    """Mark the contributions of an item as outdated."""
    totals = bounds.totals
    is_old = totals.is_old
    for i in row_range(totals.item_start, item):
        slot = totals.by_item[i]
        is_old[slot] = is_old[len(totals.slot_item) + totals.slot_total[slot]] = True


@njit
def mark_hidden(links, bounds, trail, start, trail_end):
    """Call `mark_item` for the nodes on the trail from `start` to `trail_end`."""
    for i in range(start, trail_end):
        mark_item(bounds, links.column[trail[i]])


@njit
def add_option(links, bounds, item, option, sign):
    """Add the weights of a chosen option to the sums, or subtract them if `sign` is -1.

    The contributions of its items are outdated, as these have been covered or uncovered. `item` is
    the item at the level, `option` a node of the option or 0 for none.
    """
    totals = bounds.totals
    mark_item(bounds, item)
    if option == 0:
        return
    number = totals.option[option]
    node = links.R[option]
    while node != option:
        mark_item(bounds, links.column[node])
        node = links.R[node]
    for i in row_range(totals.start, number):
        entry = totals.by_option[i]
        totals.sums[totals.total[entry]] += sign * totals.weight[entry]


@njit
def meets_totals(bounds):
    """Return whether the sums at the node that was entered last are within their bounds.

    A search within a budget ends branches in which it cannot afford the options that remain.
    """
    totals = bounds.totals
    sums = totals.sums
    is_met = True
    for total in range(len(sums)):
        is_met &= totals.low[total] <= sums[total] <= totals.high[total]
    return is_met


@njit
def next_old(is_old, number, end):
    """Return the first outdated number from `number` on, or `end`, both uint32.

    The loop over a block is vectorized: few of many totals and carriers change at a node.
    """
    while number < end:
        if is_old[number]:
            return number
        block = is_old[number : min(number + BLOCK, end)]
        any_old = np.uint8(0)
        for k in range(len(block)):
            any_old |= block[k]
        if any_old:
            while is_old[number] == 0:
                number = np.uint32(number + 1)
            return number
        number = np.uint32(number + len(block))
    return end


@njit
def update_contributions(links, bounds, total):
    """Measure the outdated contributions to a total.

    Returns the least and the largest sum that the total can still have, as far as its contributions
    tell, and the number of weights that were read.
    """
    totals = bounds.totals
    least_of = totals.least
    most_of = totals.most
    is_old = totals.is_old
    whole = np.uint32(len(totals.slot_item) + total)  # the position of the sums over the slots
    n_read = 0
    slot = totals.slot_start[total]
    end = totals.slot_start[total + 1]
    while True:
        slot = next_old(is_old, slot, end)
        if slot == end:
            break
        least = most = np.int64(0)
        if links.size[totals.slot_item[slot]] < INACTIVE:
            measured, _ = measure(links, bounds, slot)
            least, most = contribution(measured)
            n_read += totals.entry_start[slot + 1] - totals.entry_start[slot]
        least_of[whole] += least - least_of[slot]
        most_of[whole] += most - most_of[slot]
        is_old[slot] = False
        least_of[slot] = least
        most_of[slot] = most
        slot = np.uint32(slot + 1)
    return totals.sums[total] + least_of[whole], totals.sums[total] + most_of[whole], n_read


@njit
def apply_totals(links, colors, bounds, state, level, trail_end):
    """Hide the options with which a total would miss its bounds.

    This ends after MAX_PASSES even if more could be hidden: what remains is only searched in vain.

    Parameters: `links`, `colors` or None, `bounds` and `state`, of which all but the choices are
    written; `level` and the end of the trail, uint32. Returns the new end of the trail, whether
    each total may still be within its bounds, and the number of weights that were read. `propagate`
    advances `bounds.known` after the call.
    """
    totals = bounds.totals
    is_old = totals.is_old
    trail = state.trail
    n_read = 0
    for added in range(bounds.known[N_ADDED], level):
        add_option(links, bounds, state.item[added], state.choice[added], 1)
    mark_hidden(links, bounds, trail, bounds.known[N_MARKED], trail_end)
    first_total = np.uint32(len(totals.slot_item))
    for _ in range(MAX_PASSES):
        is_changed = False
        number = first_total
        end = np.uint32(len(is_old))
        while True:
            number = next_old(is_old, number, end)
            if number == end:
                break
            total = np.uint32(number - first_total)
            low = totals.low[total]
            high = totals.high[total]
            least, most, n_measured = update_contributions(links, bounds, total)
            n_read += n_measured
            if least > high or most < low:
                return trail_end, False, n_read
            is_old[number] = False
            number = np.uint32(number + 1)
            # The others can complete each value of a contribution that varies by no more than this.
            slack = min(high - least, most - low)
            if most - least <= slack or totals.spread[total] <= slack:
                continue
            start = trail_end
            for i in row_range(totals.slot_start, total):
                slot = np.uint32(i)
                one_least = totals.least[slot]
                one_most = totals.most[slot]
                if one_most - one_least <= slack or links.size[totals.slot_item[slot]] >= INACTIVE:
                    continue
                # What the other contributions leave for this one, at least and at most
                room = low - most + one_most, high - least + one_least
                before = trail_end
                trail_end, is_possible, n_examined = hide_excluded(
                    links, colors, bounds, slot, room[0], room[1], trail, trail_end
                )
                n_read += n_examined
                mark_hidden(links, bounds, trail, before, trail_end)
                if not is_possible:
                    is_old[first_total + total] = True  # other carriers are still to examine
                    return trail_end, False, n_read
            is_changed |= trail_end > start
        if not is_changed:
            break
    return trail_end, True, n_read
