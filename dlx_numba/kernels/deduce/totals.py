"""Bounds of totals: the least sum of weights that the open cells of a board can add.

Cells that exclude equal digits form a group: their weights differ by at least a gap, so the sum is
at least that of the least weights, raised in ascending order until they do. The kernels share these
parameters: `tables` and `remaining`, see `remaining`; item `n_items + t` stands for total `t`.
"""

from itertools import chain
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...jit.intrinsics import lowest_bit
from ..memo.explore import Words
from ..memo.item_order import set_bits
from ..memo.option_sets import bits_at
from ..problem import Problem

ONE = np.uint64(1)
NO_OPTION = 1 << 40  # the weight of a cell without digits, more than any sum


class DigitTotals(NamedTuple):
    """The totals of a board, each with groups of items, which stand for cells."""

    groups: NDArray[np.int64]  # (totals + 1,) the start of the groups of each total
    starts: NDArray[np.int64]  # (groups + 1,) the start of each group in `items`
    gap: NDArray[np.int64]  # (groups,)
    items: NDArray[np.int64]
    weight: NDArray[np.int64]  # (totals, options)
    sums: NDArray[np.int64]  # (items,) working memory


_EMPTY = np.zeros(0, np.int64)
NO_TOTALS = DigitTotals(_EMPTY, _EMPTY, _EMPTY, _EMPTY, np.zeros((0, 0), np.int64), _EMPTY)


def find_groups(
    problem: Problem,
    containing: Words,
    compatible: Words,
    cells: NDArray[np.int64],
) -> DigitTotals:
    """Return the totals of a problem whose weights belong to cells, which are items.

    `containing` and `compatible` are those of `ProblemBitmaps`, for all options.
    """
    totals = problem.totals
    n_totals = len(totals.low)
    weights = np.zeros((n_totals, problem.n_options), np.int64)
    weights[totals.total, totals.option] = totals.weight
    options_of = {cell: set_bits(containing[cell]) for cell in cells.tolist()}
    groups = [0]  # the first group of each total, and the end of the last
    gaps: list[int] = []
    members: list[list[int]] = []
    # In each total, a cell joins the first group of the same gap whose cells all differ from it.
    for own in weights:
        for cell, options in options_of.items():
            values = own[options].tolist()
            if not any(values):
                continue
            # Different multiples of the gap differ by at least the gap. Its sign keeps cells that
            # add apart from cells that subtract.
            gap = gcd(*values) * (1 if values[0] > 0 else -1)
            for k in range(groups[-1], len(members)):
                differ = (_differ(options, options_of[x], own, compatible) for x in members[k])
                if gaps[k] == gap and all(differ):
                    members[k].append(cell)
                    break
            else:
                gaps.append(gap)
                members.append([cell])
        groups.append(len(members))
    starts = np.cumsum([0, *map(len, members)])
    items = np.array([*chain.from_iterable(members)], np.int64)
    differences = np.abs(np.array(gaps, np.int64))
    return DigitTotals(np.array(groups), starts, differences, items, weights, np.zeros_like(items))


def _differ(
    options: list[int], others: list[int], weights: NDArray[np.int64], compatible: Words
) -> bool:
    """Return whether options of two cells with the same weight exclude each other."""
    is_same = weights[options][:, np.newaxis] == weights[others]
    return not np.any(is_same & bits_at(compatible[options], np.array(others)))


@njit
def least_sum(total, sign, skipped, tables, remaining):
    """Return the least sum that the open items of a total add, without item `skipped` (-1: none).

    If `sign` is -1, the weights are negative, so the sum is minus the greatest one. The weights of
    items in a group differ by `gap` at least, so their least ones are raised in order.
    """
    totals = tables.totals
    sums = totals.sums
    bound = np.int64(0)
    for group in range(totals.groups[total], totals.groups[total + 1]):
        n_open = 0
        for position in range(totals.starts[group], totals.starts[group + 1]):
            item = totals.items[position]
            if item == skipped or remaining.need[item] <= 0:
                continue
            least = np.int64(NO_OPTION)
            for word in range(len(remaining.available)):
                options = remaining.available[word] & tables.containing[item, word]
                while options:
                    option = (word << 6) + lowest_bit(options)
                    options &= options - ONE
                    least = min(least, sign * totals.weight[total, option])
            place = n_open  # insert it into the ascending ones of the group
            while place > 0 and sums[place - 1] > least:
                sums[place] = sums[place - 1]
                place -= 1
            sums[place] = least
            n_open += 1
        for place in range(n_open):
            if place:
                sums[place] = max(sums[place], sums[place - 1] + totals.gap[group])
            bound += sums[place]
    return bound


@njit
def find_excess(tables, remaining):
    """Return the item that stands for a total which cannot be within its limits, or -1."""
    for total in range(len(remaining.low)):
        none = -1
        least = least_sum(total, 1, none, tables, remaining)
        greatest = -least_sum(total, -1, none, tables, remaining)
        if least > remaining.high[total] or greatest < remaining.low[total]:
            return np.int64(len(remaining.need) + total)
    return np.int64(-1)


@njit
def find_bounds(first, cursor, levels, tables, remaining):
    """Find options with which a total cannot be within its limits; a rule, see `rules`.

    A step removes such options of one total; its reason is the total and the open cells.
    """
    totals = tables.totals
    marked = levels.marked
    n_found = 0
    n_reason = 0
    while cursor < len(remaining.low) and not (first and n_found):
        total = np.int64(cursor)
        cursor += 1
        has_effect = False
        levels.reason[0] = len(remaining.need) + total
        n_items = 1
        begin = totals.starts[totals.groups[total]]
        for position in range(begin, totals.starts[totals.groups[total + 1]]):
            item = totals.items[position]
            if remaining.need[item] <= 0:
                continue
            levels.reason[n_items] = item
            n_items += 1
            # What the other items add at least, and at most, leaves these weights for the item.
            # With the sign -1, `least_sum` is minus what they add at most.
            most = remaining.high[total] - least_sum(total, 1, item, tables, remaining)
            least = remaining.low[total] + least_sum(total, -1, item, tables, remaining)
            for word in range(len(marked)):
                options = remaining.available[word] & tables.containing[item, word]
                while options:
                    bit = options & (~options + ONE)
                    option = (word << 6) + lowest_bit(options)
                    weight = totals.weight[total, option]
                    options ^= bit
                    if weight > most or weight < least:
                        has_effect = True
                        marked[word] |= bit
        if has_effect:
            n_found += 1
            n_reason = n_items
    return cursor, n_found, n_reason
