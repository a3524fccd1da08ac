"""The part of a problem that some of its options, items and totals make up."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..memo.explore import Words
from ..memo.option_sets import bits_at, pack_bits
from .remaining import ProblemBitmaps, Remaining
from .totals import NO_TOTALS, DigitTotals

Numbers = NDArray[np.int64]


class Excerpt(NamedTuple):
    """A part of a problem, and the numbers of what it contains in the problem, which ascend."""

    options: Numbers
    items: Numbers
    totals: Numbers
    rows: Numbers  # the items, and then those that stand for the totals
    tables: ProblemBitmaps


def take_part(
    options: Numbers, items: Numbers, totals: Numbers, compatible: Words, tables: ProblemBitmaps
) -> Excerpt:
    """Return a part of a problem; `compatible` has the options that do not exclude each of its own.

    `options`, `items` and `totals` are the numbers of what it consists of, and `tables` those of
    the whole problem. `items` must contain the cells of the totals, unless they are covered.
    """
    is_in = bits_at(tables.containing[items], options)
    option, item = np.nonzero(is_in.T)
    starts = np.searchsorted(option, np.arange(len(options) + 1)).astype(np.uint32)
    own_tables = ProblemBitmaps(
        starts,
        item.astype(np.uint32),
        pack_bits(is_in),
        pack_bits(bits_at(compatible, options)),
        tables.is_multiple[items],
        _take_totals(options, items, totals, tables.totals) if len(totals) else NO_TOTALS,
    )
    rows = np.concatenate([items, len(tables.is_multiple) + totals])
    return Excerpt(options, items, totals, rows, own_tables)


def _take_totals(
    options: Numbers, items: Numbers, totals: Numbers, whole: DigitTotals
) -> DigitTotals:
    """Return the totals of a part: the groups of these totals, with those of their items in it."""
    # Of the groups of the whole problem, those of these totals
    is_group = np.isin(np.repeat(np.arange(len(whole.groups) - 1), np.diff(whole.groups)), totals)
    group = np.repeat(np.arange(len(is_group)), np.diff(whole.starts))  # of each of `whole.items`
    is_item = is_group[group] & np.isin(whole.items, items)
    sizes = np.bincount(group[is_item], minlength=len(is_group))[is_group]
    own = np.searchsorted(items, whole.items[is_item])
    return DigitTotals(
        np.cumsum([0, *np.diff(whole.groups)[totals]]),
        np.cumsum([0, *sizes]),
        whole.gap[is_group],
        own,
        whole.weight[np.ix_(totals, options)],
        np.zeros_like(own),
    )


def remaining_part(part: Excerpt, remaining: Remaining) -> Remaining:
    """Return what remains of a part of a problem, with a trail and a queue of its own.

    The slack of an item counts only its options in the part.
    """
    options, items, totals, _, tables = part
    [available] = pack_bits(bits_at(remaining.available[np.newaxis], options))
    need = remaining.need[items]
    n_left = np.bitwise_count(tables.containing & available).sum(axis=1)
    trail, cause = np.zeros((2, len(options)), np.uint32)
    queue = np.zeros(len(items), np.uint32)
    limits = remaining.low[totals], remaining.high[totals]
    slack = (n_left - need).astype(np.int32)
    return Remaining(available, slack, need, remaining.room[items], trail, cause, queue, *limits)
