"""Sets of any items: the depth-first search for n items whose options contain one of n others.

The kernels share these parameters: `first`, `levels`, `tables` and `state`, see `rules`; `size`
int64, the number of items of a set; `stack` (5, 2 * size + 1) int64 and `unions` (3, 2 * size + 1,
words) uint64 of `levels`, see `_grow_sets`; `depth` int64, the last level of both that is in use;
`work` int64, the words read so far.
"""

import numpy as np

from ...jit import njit
from ...jit.intrinsics import lowest_bit
from .rules import SLICE, mark_rest
from .state import ONE, lowest_option

MAX_SET_WORK = 1 << 22  # words of bitmaps for each item; sets that take longer are not found


@njit
def find_sets(first, cursor, size, levels, tables, state):
    """Find sets of `size` items, each of which has this item as its first one.

    A set grows by one item at a time: either by an item whose options it must cover, or by another
    one that the first option which is not yet covered contains. Its first item has the fewest
    options. Until the set is complete, it has more of the other items than of those to cover,
    because smaller sets were found before.

    Parameters: `cursor` and the result as for the rules.
    """
    n_found, work = 0, 0
    while cursor < len(state.need) and work < SLICE:
        root = np.uint32(cursor)
        cursor += 1
        if state.need[root] <= 0:
            continue
        n_reason, work = _grow_sets(first, root, size, levels, tables, state, work)
        n_found += n_reason > 0
        if first and n_reason:
            return cursor, n_found, n_reason
    return cursor, n_found, 2 * size


@njit
def _grow_sets(first, root, size, levels, tables, state, work):
    """Find the sets whose first item is `root`. Returns twice the size, or 0, and the work.

    At each depth, `stack` has the item that was added, whether it is one to cover, the position of
    the next item to try, and, if this is one to cover, the depth of the item that both have
    options in common with, and where to end; `unions` has the options not yet covered, those of the
    items to cover, and those that contain the others.
    """
    stack, unions, n_words = levels.stack, levels.unions, len(levels.marked)
    n_reason, limit = 0, work + MAX_SET_WORK
    depth, n_bases, n_covers = 0, 1, 0
    stack[0, 0], stack[1, 0], stack[2, 0], stack[4, 0] = np.int64(root), 1, 0, 0
    for k in range(n_words):
        word = np.uint64(k)
        options = state.available[word] & tables.containing[root, word]
        unions[0, 0, word], unions[1, 0, word], unions[2, 0, word] = options, options, 0
    while depth >= 0 and work < limit:
        level, position = np.uint32(depth), stack[2, np.uint32(depth)]
        rest = np.int64(-1)  # the first word with an option that is not yet covered
        for k in range(n_words):
            if unions[0, level, np.uint64(k)] and rest < 0:
                rest = k
        work += n_words
        added, is_base = np.int64(-1), rest < 0
        if is_base and n_bases == size:
            if n_covers == size:
                _list_set(depth, size, stack, levels.reason)
                if mark_rest(size, 2 * size, levels, tables, state):
                    n_reason = 2 * size
                    if first:
                        return n_reason, work
        elif is_base and n_covers > n_bases:  # a smaller set would be complete
            if not stack[4, level]:
                _select_shared(depth, tables, unions, stack)
            is_full = n_covers == size
            added, work = _next_base(depth, is_full, tables, state, stack, unions, work)
            position = stack[2, level]
        elif not is_base and n_covers < size:
            word = np.uint64(rest)
            option = lowest_option(word, unions[0, level, word])
            start, end = tables.starts[option], tables.starts[option + np.uint32(1)]
            while start + position < end and added < 0:
                item = tables.items[np.uint32(start + position)]
                position += 1
                if state.room[item] == 1 and _is_new(item, depth, stack):
                    added = np.int64(item)
        stack[2, level] = position
        if added < 0:
            n_bases -= stack[1, level]
            n_covers -= 1 - stack[1, level]
            depth -= 1
            continue
        depth += 1
        n_bases += is_base
        n_covers += not is_base
        below = np.uint32(depth)
        stack[0, below], stack[1, below], stack[2, below] = added, np.int64(is_base), 0
        stack[4, below] = 0
        for k in range(n_words):
            word = np.uint64(k)
            options = state.available[word] & tables.containing[np.uint32(added), word]
            covered = unions[2, level, word] | (np.uint64(0) if is_base else options)
            unions[2, below, word] = covered
            unions[1, below, word] = unions[1, level, word] | (options if is_base else np.uint64(0))
            unions[0, below, word] = unions[1, below, word] & ~covered
    return n_reason, work


@njit
def _select_shared(depth, tables, unions, stack):
    """Choose the items with which the next item to cover has options in common.

    If one of them has options of a single item to cover, another one must have some, because a
    smaller set would be complete otherwise. So this one suffices.
    """
    level, n_words = np.uint32(depth), unions.shape[2]
    stack[3, level], stack[4, level] = 1, depth + 1
    for k in range(1, depth + 1):
        cover, n_touched = np.uint32(k), 0
        if stack[1, cover]:
            continue
        for k_base in range(depth + 1):
            base, touches = np.uint32(k_base), np.uint64(0)
            if stack[1, base]:
                for k_word in range(n_words):
                    word = np.uint64(k_word)
                    shared = tables.containing[np.uint32(stack[0, base]), word]
                    shared &= tables.containing[np.uint32(stack[0, cover]), word]
                    touches |= shared & unions[1, level, word]
                n_touched += touches != 0
        if n_touched == 1:
            stack[3, level], stack[4, level] = k, k + 1
            return


@njit
def _next_base(depth, is_full, tables, state, stack, unions, work):
    """Return the next item to cover, or -1, and the work.

    Parameter: `is_full`, whether all of its options must be covered.
    """
    level, root = np.uint32(depth), np.uint32(stack[0, 0])
    of_bases, covered = unions[1, level], unions[2, level]
    n_options, position, shared = len(state.trail), stack[2, level], stack[3, level]
    added, n_words = np.int64(-1), len(covered)
    while shared < stack[4, level] and added < 0:
        option, k = np.uint32(position >> 16), np.uint32(position & 0xFFFF)
        if stack[1, np.uint32(shared)] or position >> 16 >= n_options:
            shared += 1
            position = 0
            continue
        word = np.uint64(option >> np.uint32(6))
        options = tables.containing[np.uint32(stack[0, np.uint32(shared)]), word]
        options &= state.available[word]
        options >>= np.uint64(option & np.uint32(63))
        work += 1
        if not options & ONE:
            skipped = (
                np.int64(lowest_bit(options)) if options else 64 - np.int64(option & np.uint32(63))
            )
            position = (np.int64(option) + skipped) << 16
            continue
        node = tables.starts[option] + k
        if node >= tables.starts[option + np.uint32(1)]:
            position = (np.int64(option) + 1) << 16
            continue
        position += 1
        item = tables.items[node]
        if _precedes(root, item, state) and _is_new(item, depth, stack):
            is_possible = True
            for k_word in range(n_words):
                word = np.uint64(k_word)
                options = state.available[word] & tables.containing[item, word]
                work += 1
                if options & of_bases[word] or (is_full and options & ~covered[word]):
                    is_possible = False
                    break
            if is_possible:
                added = np.int64(item)
    stack[2, level], stack[3, level] = position, shared
    return added, work


@njit
def _precedes(root, item, state):
    """Return whether an item may follow the first one of a set, which has the fewest options."""
    if state.need[item] <= 0:
        return False
    n_root = state.need[root] + state.slack[root]
    n_options = state.need[item] + state.slack[item]
    return n_options > n_root or (n_options == n_root and item > root)


@njit
def _is_new(item, depth, stack):
    """Return whether no item up to a depth of the stack is this one."""
    is_new = True
    for k in range(depth + 1):
        is_new &= stack[0, np.uint32(k)] != np.int64(item)
    return is_new


@njit
def _list_set(depth, size, stack, reason):
    """Write the items to cover, and then those that they use up."""
    n_bases, n_covers = 0, size
    for k in range(depth + 1):
        if stack[1, np.uint32(k)]:
            reason[n_bases] = stack[0, np.uint32(k)]
            n_bases += 1
        else:
            reason[n_covers] = stack[0, np.uint32(k)]
            n_covers += 1
