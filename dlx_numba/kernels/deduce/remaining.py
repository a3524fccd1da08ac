"""The rest of a problem in a deduction: the available options, and what each item still needs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.intrinsics import lowest_bit
from ...runtime.interrupts import Stop, complete
from ..csr import row_range
from ..memo.explore import Words
from ..memo.option_sets import build_bitsets, count_words, require_small_sets, set_bits
from ..problem import Problem, select_options
from .totals import NO_TOTALS, DigitTotals, find_excess, find_groups

UNLIMITED_ROOM = 1 << 30  # of an item with colors, and of one that any number of options may cover
ONE = np.uint64(1)


class ProblemBitmaps(NamedTuple):
    """A problem as bitmaps. Options without primary items are left out: no cover contains them."""

    starts: NDArray[np.uint32]  # (options + 1,) the start of each option in `items`
    items: NDArray[np.uint32]  # (nodes,)
    # (items + totals, words) the options that contain each item, or place a digit in a total
    containing: Words
    compatible: Words  # (options, words) the options that do not exclude each option
    is_multiple: NDArray[np.bool_]  # (items,) whether several options may cover the item
    totals: DigitTotals


class Remaining(NamedTuple):
    """The rest of the problem. All arrays are written.

    An item needs `need` more options, or none if that is negative, and has `need + slack` available
    ones. It can have `room` more.
    """

    available: Words  # (words,)
    slack: NDArray[np.int32]  # (items,)
    need: NDArray[np.int32]  # (items,)
    room: NDArray[np.int32]  # (items,)
    trail: NDArray[np.uint32]  # (options,) 2k if option k was removed, 2k + 1 if it was chosen
    cause: NDArray[np.uint32]  # (options,) the item that a choice of the trail covers, if any
    queue: NDArray[np.uint32]  # (items,) the items that had no slack left, in this order
    low: NDArray[np.int64]  # (totals,) what open cells add at least, and at most
    high: NDArray[np.int64]  # (totals,)


def build_tables(
    problem: Problem, stop: Stop, cells: NDArray[np.int64] | None = None
) -> tuple[ProblemBitmaps, Remaining, NDArray[np.int64]]:
    """Return a problem as bitmaps, what remains at first, and the numbers of the options.

    `cells` are the items that stand for cells if the totals are those of a board, and are used.
    Raises ValueError if the problem is too large, and Stopped if `stop` ends the call.
    """
    require_small_sets(problem, True)
    n_items = problem.n_items
    n_primary = problem.n_primary
    numbers = problem.usable_options()
    high = problem.item_high
    used = select_options(problem, numbers)
    items = used.items.astype(np.int64)
    # Options share an item that is covered several times, as if all gave it the same color.
    nodes = used.option_of_node(), items, np.where(high[items] > 1, 1, used.node_colors)
    sets = complete(build_bitsets(*nodes, n_items, len(numbers)), stop)
    need = np.zeros(n_items, np.int32)
    need[:n_primary] = np.minimum(problem.lows, UNLIMITED_ROOM)
    room = np.where(problem.is_colored, UNLIMITED_ROOM, np.minimum(high, UNLIMITED_ROOM))
    available = np.zeros((1, count_words(len(numbers))), np.uint64)
    set_bits(available, np.zeros(len(numbers), np.int64), np.arange(len(numbers)))
    slack = np.bincount(items, minlength=n_items) - need
    containing, compatible = sets
    totals = NO_TOTALS
    limits = NO_TOTALS.items, NO_TOTALS.items
    if cells is not None and problem.total_low is not None:  # totals have rows after the items
        totals = find_groups(used, containing, compatible, cells)
        limits = used.totals.low.copy(), used.totals.high.copy()
        of_totals = np.zeros((len(totals.weight), containing.shape[1]), np.uint64)
        set_bits(of_totals, *np.nonzero(totals.weight))
        containing = np.concatenate([containing, of_totals])
    starts = used.indptr.astype(np.uint32)
    tables = ProblemBitmaps(
        starts, items.astype(np.uint32), containing, compatible, high > 1, totals
    )
    trail, cause = np.zeros((2, len(numbers)), np.uint32)
    queue = np.zeros(n_items, np.uint32)
    room = room.astype(np.int32)
    slack = slack.astype(np.int32)
    remaining = Remaining(available[0], slack, need, room, trail, cause, queue, *limits)
    return tables, remaining, numbers


@inlined
def lowest_option(word, options):
    """Return the number of the first option in word `word` of a bitmap."""
    return np.uint32((word << 6) + lowest_bit(options))


@inlined
def remove_options(options, word, tables, remaining, n_trail, n_queue):
    """Remove the available options of a word of a bitmap.

    Parameters: `options` uint64, a subset of word `word` of the available options; `tables` and
    `remaining`, a `ProblemBitmaps` and a `Remaining`, which is written; `n_trail` and `n_queue`
    int64, the lengths of its lists. Returns the new lengths, and an item with too few options, or
    -1.
    """
    lacking = -1
    remaining.available[word] &= ~options
    while options:
        option = lowest_option(word, options)
        options &= options - ONE
        remaining.trail[n_trail] = 2 * option
        n_trail += 1
        for node in row_range(tables.starts, option):
            item = tables.items[node]
            remaining.slack[item] -= 1
            if remaining.slack[item] <= 0 and remaining.need[item] > 0:
                if remaining.slack[item] < 0:
                    lacking = item
                else:
                    remaining.queue[n_queue] = item
                    n_queue += 1
    return n_trail, n_queue, lacking


@njit
def choose_option(option, tables, remaining, n_trail, n_queue):
    """Choose an available option, and remove all that it excludes.

    Options of items that are covered several times are compatible, so those of an item that has no
    room left are removed here.

    Parameters: `option` uint32; the others and the result as of `remove_options`.
    """
    n_words = len(remaining.available)
    remaining.available[option >> 6] &= ~(ONE << (option & 63))
    remaining.trail[n_trail] = 2 * option + 1
    n_trail, lacking = n_trail + 1, -1
    first = tables.starts[option]
    end = tables.starts[option + 1]
    for node in range(first, end):
        item = tables.items[node]
        remaining.need[item] -= 1
        remaining.room[item] -= 1
    for total in range(len(remaining.low)):  # less is left for the open cells
        weight = tables.totals.weight[total, option]
        remaining.low[total] -= weight
        remaining.high[total] -= weight
    for word in range(n_words):
        excluded = remaining.available[word] & ~tables.compatible[option, word]
        if excluded:
            n_trail, n_queue, item = remove_options(
                excluded, word, tables, remaining, n_trail, n_queue
            )
            lacking = max(lacking, item)  # if there are several such items, any of them
    for node in range(first, end):
        full = tables.items[node]
        if tables.is_multiple[full] and remaining.room[full] == 0:
            for word in range(n_words):
                excluded = remaining.available[word] & tables.containing[full, word]
                n_trail, n_queue, item = remove_options(
                    excluded, word, tables, remaining, n_trail, n_queue
                )
                lacking = max(lacking, item)
    return n_trail, n_queue, lacking


@njit
def undo(begin, n_trail, tables, remaining):
    """Undo what was chosen and removed from position `begin` int64 of a trail of this length.

    Parameters: `tables` and `remaining` as for `remove_options`.
    """
    while n_trail > begin:
        n_trail -= 1
        option = remaining.trail[n_trail] >> 1
        # 1 restores needs, rooms and limits, which a choice has lowered; 0 a slack, lowered by a
        # removal. A choice leaves the slack as it is, as it lowers the need, too.
        is_chosen = np.int64(remaining.trail[n_trail] & 1)
        remaining.available[option >> 6] |= ONE << (option & 63)
        for node in row_range(tables.starts, option):
            item = tables.items[node]
            remaining.need[item] += is_chosen
            remaining.room[item] += is_chosen
            remaining.slack[item] += 1 - is_chosen
        for total in range(len(remaining.low)):
            weight = is_chosen * tables.totals.weight[total, option]
            remaining.low[total] += weight
            remaining.high[total] += weight


@njit
def follow(option, max_rounds, n_trail, tables, remaining):
    """Choose an option; then, in each round, all options that are the only ones of an item.

    Ends when an item has too few options, or a total is out of its limits; when no item has a
    single one; or after `max_rounds`. Returns the number of rounds, the item that lacks options or
    stands for the total, or -1, and the length of the trail. Nothing is undone.
    Parameters as for `choose_option`.
    """
    n_trail, n_queue, lacking = choose_option(option, tables, remaining, n_trail, np.int64(0))
    begin = 0  # of the part of the queue that the next round works off
    n_rounds = 0
    while lacking < 0:
        lacking = find_excess(tables, remaining)
        if lacking >= 0 or begin == n_queue or n_rounds == max_rounds:
            break
        end = n_queue
        n_rounds += 1
        for position in range(begin, end):
            item = remaining.queue[position]
            while lacking < 0 and remaining.need[item] > 0:
                remaining.cause[n_trail] = item
                word = 0  # find the first option that is left: the item lacks none, so there is one
                while not remaining.available[word] & tables.containing[item, word]:
                    word += 1
                forced = lowest_option(
                    word, remaining.available[word] & tables.containing[item, word]
                )
                n_trail, n_queue, lacking = choose_option(
                    forced, tables, remaining, n_trail, n_queue
                )
        begin = end
    return n_rounds, lacking, n_trail
