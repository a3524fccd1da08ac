"""Sets of any items: the depth-first search for n items whose options contain one of n others.

The kernels share these parameters: `first`, `levels`, `tables` and `remaining`, see `rules`; `size`
int64, the number of items of a set; `depth` int64, the number of its items so far; `memory`, a
`SetMemory`, which is written; `work` int64, the words read so far.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..csr import row_range
from ..memo.explore import Words
from .remaining import ONE, lowest_option
from .rules import SLICE, mark_rest

MAX_SET_WORK = 1 << 22  # words of bitmaps for each item; sets that take longer are not found

# Rows of the stack: the items of a set, and whether each of them is one to cover, a base
ITEM = 0
IS_BASE = 1
# Unions of options
OPEN = 0  # those of the bases that no other item covers yet
OF_BASES = 1
OF_COVERS = 2  # those of the other items


class SetMemory(NamedTuple):
    """The arrays of `Levels` in which sets are found: few, because recursive calls copy them."""

    marked: Words
    reason: NDArray[np.int64]
    stack: NDArray[np.int64]  # (2, 2 * size + 1) ITEM and IS_BASE
    unions: (
        Words  # (3, 2 * size + 1, words) OPEN, OF_BASES and OF_COVERS, after each number of items
    )


@njit
def find_sets(first, cursor, size, levels, tables, remaining):
    """Find sets of `size` items, each of which has this item as its first one.

    A set grows by one item at a time: either by an item whose options it must cover, or by another
    one that the first option which is not yet covered contains. Its first item has the fewest
    options. Until the set is complete, it has more of the other items than of those to cover,
    because smaller sets were found before.

    Parameters: `cursor` and the result as for the rules.
    """
    n_found = 0
    work = 0
    memory = SetMemory(levels.marked, levels.reason, levels.stack, levels.unions)
    levels.unions[:, 0] = 0
    while cursor < len(remaining.need) and work < SLICE:
        root = np.uint32(cursor)
        cursor += 1
        if remaining.need[root] <= 0:
            continue
        _add_item(root, True, 0, memory, tables, remaining)
        n_reason, work = _grow_set(
            first,
            size,
            np.int64(1),  # depth
            np.int64(1),  # n_bases
            memory,
            tables,
            remaining,
            work,
            work + MAX_SET_WORK,  # limit
        )
        n_found += n_reason > 0
        if first and n_reason:
            return cursor, n_found, n_reason
    return cursor, n_found, 2 * size


@njit
def _add_item(item, is_base, depth, memory, tables, remaining):
    """Add an item, uint32, to a set of `depth` items: one to cover, or another one.

    Writes the unions after `depth` + 1 items.
    """
    stack = memory.stack
    unions = memory.unions
    level = depth + 1
    stack[ITEM, depth] = item
    stack[IS_BASE, depth] = is_base
    for word in range(unions.shape[2]):
        options = remaining.available[word] & tables.containing[item, word]
        unions[OF_BASES, level, word] = unions[OF_BASES, depth, word] | (
            options if is_base else np.uint64(0)
        )
        unions[OF_COVERS, level, word] = unions[OF_COVERS, depth, word] | (
            np.uint64(0) if is_base else options
        )
        unions[OPEN, level, word] = unions[OF_BASES, level, word] & ~unions[OF_COVERS, level, word]


@njit
def _grow_set(first, size, depth, n_bases, memory, tables, remaining, work, limit):
    """Find the sets that begin with `depth` items, of which `n_bases` are to be covered.

    The bases are the items to cover, the covers those that they use up. While an option of a base
    contains none of the covers, one of the other items of this option becomes a cover. Then the set
    is complete, or it gets a further base, which shares options with a cover.

    Returns the number of items of the last set found, twice `size`, or 0 if there is none; and the
    work, which ends the search at `limit`.
    """
    stack = memory.stack
    unions = memory.unions
    n_words = len(memory.marked)
    n_covers = depth - n_bases
    n_reason = np.int64(0)
    open_word = 0  # the first one with an option that is not yet covered
    while open_word < n_words and not unions[OPEN, depth, open_word]:
        open_word += 1
    work += n_words
    if open_word == n_words and n_bases == size:  # all options are covered: perhaps a set
        if n_covers == size:
            _list_set(depth, size, stack, memory.reason)
            if mark_rest(size, 2 * size, memory, tables, remaining):
                n_reason = 2 * size
    elif open_word < n_words and n_covers < size:  # cover the first open option by one of its items
        option = lowest_option(open_word, unions[OPEN, depth, open_word])
        for node in row_range(tables.starts, option):
            item = tables.items[node]
            if work < limit and remaining.room[item] == 1 and _is_new(item, depth, stack):
                _add_item(item, False, depth, memory, tables, remaining)
                n_items, work = _grow_set(
                    first, size, depth + 1, n_bases, memory, tables, remaining, work, limit
                )
                n_reason = max(n_reason, n_items)
                limit = work if first and n_items else limit  # ends the search
    elif open_word == n_words and n_covers > n_bases:  # otherwise, a smaller set would be complete
        begin, end = _select_shared(depth, tables, unions, stack)
        # One loop over the words of the options of each of these items
        for k in range(begin * n_words, end * n_words):
            shared = k // n_words
            word = k % n_words
            options = remaining.available[word] & tables.containing[stack[ITEM, shared], word]
            if stack[IS_BASE, shared]:
                options = np.uint64(0)
            while options:
                option = lowest_option(word, options)
                options &= options - ONE
                work += 1
                for node in row_range(tables.starts, option):
                    item = tables.items[node]
                    if work >= limit or not _precedes(stack[ITEM, 0], item, remaining):
                        continue
                    is_possible = _is_new(item, depth, stack)
                    if is_possible:
                        is_possible, work = _may_be_base(
                            item, depth, n_covers == size, tables, remaining, unions, work
                        )
                    if is_possible:
                        _add_item(item, True, depth, memory, tables, remaining)
                        n_items, work = _grow_set(
                            *(first, size, depth + 1, n_bases + 1),
                            *(memory, tables, remaining, work, limit),
                        )
                        n_reason = max(n_reason, n_items)
                        limit = work if first and n_items else limit  # ends the search
    return n_reason, work


@njit
def _may_be_base(item, depth, is_full, tables, remaining, unions, work):
    """Return whether an item, uint32, shares no option with those to cover, and the work.

    Parameters: `is_full`, whether the set has all items that it uses up, which must then contain
    all options of this item; `unions` of the memory.
    """
    for word in range(unions.shape[2]):
        options = remaining.available[word] & tables.containing[item, word]
        work += 1
        if options & unions[OF_BASES, depth, word] or (
            is_full and options & ~unions[OF_COVERS, depth, word]
        ):
            return False, work
    return True, work


@njit
def _select_shared(depth, tables, unions, stack):
    """Return the range, in the stack, of the items with which the next one to cover shares options.

    These are the items that are used up. If one of them shares options with a single item to cover,
    it must share some with another one: without both, a smaller set would be complete. So the range
    is this item only; otherwise, it is the whole stack without the first item.
    """
    for cover in range(1, depth):
        n_touched = 0
        if stack[IS_BASE, cover]:
            continue
        for base in range(depth):
            touches = np.uint64(0)
            if stack[IS_BASE, base]:
                for word in range(unions.shape[2]):
                    shared = tables.containing[stack[ITEM, base], word]
                    shared &= tables.containing[stack[ITEM, cover], word]
                    touches |= shared & unions[OF_BASES, depth, word]
                n_touched += touches != 0
        if n_touched == 1:
            return cover, cover + 1
    return 1, depth


@njit
def _precedes(first_item, item, remaining):
    """Return whether an item may follow the first one of a set, which has the fewest options."""
    if remaining.need[item] <= 0:
        return False
    n_root = remaining.need[first_item] + remaining.slack[first_item]
    n_options = remaining.need[item] + remaining.slack[item]
    return n_options > n_root or (n_options == n_root and item > first_item)


@njit
def _is_new(item, depth, stack):
    """Return whether none of the first `depth` items of the stack is this one."""
    is_new = True
    for k in range(depth):
        is_new &= stack[ITEM, k] != item
    return is_new


@njit
def _list_set(depth, size, stack, reason):
    """Write the items to cover, and then those that they use up."""
    n_bases = 0
    n_covers = size
    for k in range(depth):
        if stack[IS_BASE, k]:
            reason[n_bases] = stack[ITEM, k]
            n_bases += 1
        else:
            reason[n_covers] = stack[ITEM, k]
            n_covers += 1
