"""Memoized depth-first search.

What remains of an exact cover problem is determined by its *key*. Without secondary items, the key
is the set of items that are not covered. Otherwise it consists of the set of options that are still
available and the number of items that are not covered: if it exceeds the number of items in these
options, a cover is impossible; otherwise, exactly those items remain. Secondary items and their
colors only matter for which options are available together, so an item without available options
affects no key. The branching rule is a function of the key, and equal keys have equal covers. The
memo (`table`) stores, for each key, either the number of covers (in words of 63 bits, the lowest
first) or, if a diagram is built, the number of a node.

The key of a child is known before the child is entered (`uncovered & ~items[option]`), so that a
subproblem that is in the memo costs one lookup. When a node is entered, its branches are collected,
and the slots where their keys belong are prefetched.

Overflows are detected: no count in the memo has the highest bit of its last word set, so a sum of
two never has more words, and `explore` returns WIDEN as soon as a sum has that bit.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.intrinsics import count_bits, lowest_bit, prefetch
from ..csr import row_range
from .table import ONE, UNSTORED, ZERO, find_slot, mix

Words = NDArray[np.uint64]

# Return values of `explore`.
DONE = 0  # the value of the problem is in `MemoState.values[0]`
OUT_OF_BUDGET = 1  # MemoRegister.SUBPROBLEMS has reached the budget
TABLE_FULL = 2  # the table must grow, or be frozen
EDGES_FULL = 3  # the arrays of the diagram must grow
WIDEN = 4  # counts need another word

COUNT_BITS = 63  # of a word of a count: the sum of two, and a carry, fit into 64 bits
CARRY = np.uint64(63)  # the shift from the sum of two words to its carry
HIGHEST = np.uint64(62)  # the shift from a word of a count to its highest bit
LOW_BITS = np.uint64(2**63 - 1)
FALSE = 0  # the node of a diagram that represents no cover
TRUE = 1  # the node that represents the empty cover
WITHOUT_OPTION = np.uint64(2**31)  # plus an item: a dead end, in which it has no option left


class _MemoRegisters(NamedTuple):
    """Indices into `MemoState.register`."""

    LEVEL: int = 0
    SUBPROBLEMS: int = 1  # nodes entered
    LOOKUPS: int = 2  # keys looked up
    USED: int = 3  # used slots of the table
    MAX_USED: int = 4  # the table is full when more slots are used
    IS_FROZEN: int = 5  # whether insertions have ended
    NODES: int = 6  # nodes of the diagram, with FALSE and TRUE
    EDGES: int = 7
    BY_ORDER: int = 8  # whether to branch on the first item; otherwise, on the smallest
    HAS_SECONDARY: int = 9  # whether the keys are the available options
    HAS_DEAD_ENDS: int = 10  # whether the diagram also has the nodes without covers


MemoRegister = _MemoRegisters()


class Branches(NamedTuple):
    """The options as bits, and the options that each item branches on.

    Items are numbered in the order that defines the first item.
    """

    start: NDArray[np.uint32]  # (items + 1,) where the options with each first item begin
    items: Words  # (options, words) the primary items of each option


class Bitsets(NamedTuple):
    """Sets of options.

    They are not needed if the order of the items is fixed and there are no secondary items: then an
    option is available if all of its items are uncovered.
    """

    containing: Words  # (items, option words) the options that contain each primary item
    compatible: Words  # (options, option words) the options that may be in a cover with each


class MemoState(NamedTuple):
    """The stack of a memoized search, with one row for each level."""

    uncovered: Words  # (levels, words)
    available: Words  # (levels, option words + 1); the last word is the number of uncovered items
    keys: Words  # `uncovered` or `available`
    begin: NDArray[np.int64]  # (levels,) the branches of each level in `pending`
    next: NDArray[np.int64]  # (levels,) the next one; before the last level, the one being explored
    end: NDArray[np.int64]  # (levels,) their end
    live: NDArray[np.int64]  # (levels,) the end of the edges, which replace branches in `pending`
    slot: NDArray[np.int64]  # (levels,) where the slot of each node begins, or UNSTORED
    values: Words  # (levels * value words,) the sum over the branches so far, or the node
    pending: NDArray[np.uint32]  # (options,)
    children: NDArray[np.uint32]  # (options,) the nodes that edges lead to
    register: NDArray[np.int64]  # indexed by `MemoRegister`


class Diagram(NamedTuple):
    """The arrays of a diagram. The edges of node k are start[k]..start[k + 1] - 1."""

    start: NDArray[np.int64]  # (nodes + 1,)
    option: NDArray[np.uint32]  # (edges,)
    child: NDArray[np.uint32]  # (edges,)

    @property
    def n_nodes(self) -> int:
        """The number of nodes, with FALSE and TRUE."""
        return len(self.start) - 1

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return len(self.option)

    def truncated(self, n_nodes: int) -> "Diagram":
        """Return a copy of the first nodes and their edges."""
        start = self.start[: n_nodes + 1].copy()
        return Diagram(start, self.option[: start[-1]].copy(), self.child[: start[-1]].copy())


@njit
def add(values, begin, addends, at, n_words):
    """Add the count `addends[at : at + n_words]` to `values[begin : begin + n_words]`.

    Both arrays are uint64, and `values` is written. The sum must fit.
    """
    carry = ZERO
    for k in range(n_words):
        total = values[begin + k] + addends[at + k] + carry
        values[begin + k] = total & LOW_BITS
        carry = total >> CARRY


@njit
def remove_conflicting(available, level, bitsets, option):
    """Set the available options of the next level to those that are compatible with an option.

    Parameters: `available` (levels, words of a key) uint64, written; `level` and `option` int64;
    `bitsets` or None.
    """
    if bitsets is not None:
        for k in range(bitsets.compatible.shape[1]):
            available[level + 1, k] = available[level, k] & bitsets.compatible[option, k]


@njit
def add_one(values, begin, n_words):
    """Add 1 to the count `values[begin : begin + n_words]`, uint64. The sum must fit."""
    for k in range(n_words):
        values[begin + k] = (values[begin + k] + ONE) & LOW_BITS
        if values[begin + k]:
            break


def count_of(words: Words) -> int:
    """Return the sum of some counts, one in each row, or of one count."""
    sums = words.reshape(-1, words.shape[-1]).astype(object).sum(axis=0)
    return sum(int(word) << COUNT_BITS * k for k, word in enumerate(sums))


@njit
def smallest_item(uncovered, available, containing, level, n_words):
    """Return the uncovered item that is in the fewest available options; the first one if tied.

    An item with at most one option is returned immediately. Reads `uncovered` (levels, n_words),
    `available` (levels, words of a key) and `containing` (items, option words), all uint64.
    """
    best = 0
    best_size = 1 << 62
    n_option_words = containing.shape[1]
    for k in range(n_words):
        word = uncovered[level, k]
        while word:
            item = k * 64 + lowest_bit(word)
            word &= word - ONE
            size = np.int64(0)
            for j in range(n_option_words):
                size += count_bits(available[level, j] & containing[item, j])
            if size < best_size:
                best = item
                best_size = size
                if size <= 1:
                    return best
    return best


@njit
def select_item(register, uncovered, available, bitsets, level, n_words):
    """Return the item on which to branch: the first uncovered one, or the smallest.

    Parameters: `register` int64, indexed by `MemoRegister`; the others as for `smallest_item`.
    """
    if bitsets is not None and not register[MemoRegister.BY_ORDER]:
        return smallest_item(uncovered, available, bitsets.containing, level, n_words)
    for k in range(n_words):
        if uncovered[level, k]:
            return k * 64 + lowest_bit(uncovered[level, k])
    return 0


@inlined
def look_up(stack, entries, mask, stride, n_words, keys, row, budget):
    """Look up the key of a level, which is about to be entered if it is new.

    Parameters: `stack`, of which `register` and `slot` are modified; `entries`, `mask`, `stride`,
    `n_words`, `keys` and `row` as for `find_slot`; `budget` int64, as for `explore`. A new key is
    inserted into `entries` unless the table is frozen.
    Returns DONE, OUT_OF_BUDGET or TABLE_FULL, and the result of `find_slot`, which is negative if
    the key is new: with DONE, the caller must then enter the level.
    """
    register = stack.register
    slots = stack.slot
    slot = find_slot(entries, mask, stride, n_words, keys, row)
    register[MemoRegister.LOOKUPS] += 1
    if slot < 0:
        if register[MemoRegister.SUBPROBLEMS] >= budget:
            return OUT_OF_BUDGET, slot
        slots[row] = UNSTORED
        if not register[MemoRegister.IS_FROZEN]:
            if register[MemoRegister.USED] >= register[MemoRegister.MAX_USED]:
                return TABLE_FULL, slot
            register[MemoRegister.USED] += 1
            slots[row] = ~slot  # where `find_slot` has found it free
            for k in range(n_words):
                entries[~slot + k] = keys[row, k]
        register[MemoRegister.SUBPROBLEMS] += 1
    return DONE, slot


@inlined
def collect_branches(branches, bitsets, stack, level, end, n_words):
    """Write the branches of a level, which is entered, to `stack.pending`. Return their end.

    Parameters: `branches`, `bitsets` and `stack` as for `explore`; `level` int64; `end` int64,
    where the branches begin; `n_words` int64, of a set of items.
    """
    uncovered = stack.uncovered
    available = stack.available
    masks = branches.items
    pending = stack.pending
    item = select_item(stack.register, uncovered, available, bitsets, level, n_words)
    if bitsets is None:
        # Each option with this first item is written, but stays only if all items are uncovered.
        for position in row_range(branches.start, item):
            excess = ZERO
            for k in range(n_words):
                excess |= masks[position, k] & ~uncovered[level, k]
            pending[end] = position
            end += excess == ZERO
    else:
        for k in range(bitsets.containing.shape[1]):
            word = available[level, k] & bitsets.containing[item, k]
            while word:
                pending[end] = k * 64 + lowest_bit(word)
                end += 1
                word &= word - ONE
    return end


@inlined
def prefetch_children(branches, stack, entries, level, begin, end, mask, stride, n_words):
    """Prefetch the slots of the children of a level, whose keys are sets of items.

    Parameters: `branches`, `stack` and `entries` as for `explore`; `level`, `begin` and `end`
    int64, of the branches in `stack.pending`; `mask`, `stride` and `n_words` as for `find_slot`.
    Reads all arrays.
    """
    for position in range(begin, end):
        option = stack.pending[position]
        hash_code = ZERO  # as `find_slot` computes it from the key
        for k in range(n_words):
            hash_code = mix(hash_code, stack.uncovered[level, k] & ~branches.items[option, k])
        prefetch(entries, np.int64(hash_code & mask) * stride)


@inlined
def cover_items(uncovered, masks, level, option, n_words):
    """Write the items that an option leaves uncovered to the next level. Return whether it is any.

    Parameters: `uncovered` (levels, n_words) uint64, modified; `masks` (options, n_words) uint64,
    the items of each option; `level` and `option` int64.
    """
    rest = ZERO
    for k in range(n_words):
        word = uncovered[level, k] & ~masks[option, k]
        uncovered[level + 1, k] = word
        rest |= word
    return rest != ZERO


@inlined
def write_set_key(stack, level, n_key_words, n_words):
    """Complete the key of a level that consists of its available options.

    Its last word is the number of uncovered items; with dead ends, its last words are these items,
    as many as they need.

    Parameters: `stack`, whose `available` is modified; `level` int64; `n_key_words` and `n_words`
    int64, of a key and of a set of items.
    """
    n_items = 0
    for k in range(n_words):
        n_items += count_bits(stack.uncovered[level, k])
    stack.available[level, n_key_words - 1] = n_items
    if stack.register[MemoRegister.HAS_DEAD_ENDS]:  # a dead end is known by its items
        for k in range(n_words):
            stack.available[level, n_key_words - 1 - k] = stack.uncovered[level, k]


@inlined
def take_value(stack, edges, level, live, option, addends, at, n_values):
    """Add the value of a child to that of a level, or an edge to the child if there is a diagram.

    Parameters: `stack`, modified; `edges` as for `explore`; `level` int64; `live` int64, the end of
    the edges of the level; `option` uint32, which leads to the child; the value
    `addends[at : at + n_values]`, uint64. Returns the end of the edges.
    """
    if edges is None:
        add(stack.values, level * n_values, addends, at, n_values)
    elif addends[at] != FALSE:
        stack.pending[live] = option
        stack.children[live] = addends[at]
        live += 1
    return live


@inlined
def add_node(bitsets, stack, edges, level, live, n_words):
    """Add the node of a level, whose branches are finished, to a diagram; store it as the value.

    Parameters: `bitsets`, `stack` and `edges` as for `explore`; the latter two are modified;
    `level`, `live` and `n_words` int64, as before. Returns DONE or EDGES_FULL.
    """
    register = stack.register
    begin = stack.begin[level]
    n_edges = register[MemoRegister.EDGES]
    # Without edges, the level has no covers, for which there is no node: see `explore`.
    node = np.uint64(FALSE)
    item = 0
    if register[MemoRegister.HAS_DEAD_ENDS]:
        item = select_item(register, stack.uncovered, stack.available, bitsets, level, n_words)
        node = WITHOUT_OPTION + np.uint64(item)
    if live > begin:
        n_nodes = register[MemoRegister.NODES]
        if n_nodes + 1 >= len(edges.start) or n_edges + live - begin >= len(edges.option):
            return EDGES_FULL
        if register[MemoRegister.HAS_DEAD_ENDS]:
            edges.option[n_edges] = item
            edges.child[n_edges] = FALSE
            n_edges += 1
        for position in range(begin, live):
            edges.option[n_edges] = stack.pending[position]
            edges.child[n_edges] = stack.children[position]
            n_edges += 1
        register[MemoRegister.EDGES] = edges.start[n_nodes + 1] = n_edges
        register[MemoRegister.NODES] = n_nodes + 1
        node = np.uint64(n_nodes)
    stack.values[level] = node
    return DONE


@inlined
def store_value(stack, entries, level, n_key_words, n_values):
    """Store the value of a level in its slot of the table, if it has one.

    Parameters: `stack`; `entries`, modified, as for `explore`; `level` int64; `n_key_words` and
    `n_values` int64, the words of a key and of a value.
    """
    slot = stack.slot[level]
    if slot != UNSTORED:
        for k in range(n_values):
            entries[slot + n_key_words + k] = stack.values[level * n_values + k]


@inlined
def enter_level(branches, bitsets, stack, level, at, n_words, n_values):
    """List the branches of a level from `pending[at]` on, and clear its value.

    Parameters: `branches`, `bitsets` and `stack` as for `explore`; the latter is modified; `level`,
    `at`, `n_words` and `n_values` int64. Returns the end of the branches.
    """
    end = collect_branches(branches, bitsets, stack, level, at, n_words)
    stack.begin[level] = at
    stack.end[level] = end
    for k in range(n_values):
        stack.values[level * n_values + k] = ZERO
    return end


@njit
def explore(branches, bitsets, stack, entries, edges, budget):
    """Explore until the problem is solved, the budget is spent, or an array must be replaced.

    Parameters
    ----------
    branches : Branches
    bitsets : Bitsets or None
    stack : MemoState
    entries : ndarray of uint64
        The table. Modified.
    edges : Diagram or None
        The diagram under construction, whose arrays have free space. Modified. With dead ends, the
        first edge of each node has the item on which it branches and leads to FALSE, and a child
        without options is `WITHOUT_OPTION` and its item.
    budget : int64
        The number of subproblems at which to return.

    Returns
    -------
    int
        DONE, OUT_OF_BUDGET, TABLE_FULL, EDGES_FULL or WIDEN.
    """
    register = stack.register
    keys = stack.keys
    pending = stack.pending
    values = stack.values
    n_key_words = keys.shape[1]
    n_words = stack.uncovered.shape[1]
    n_values = 1 if edges is not None else len(values) // len(stack.uncovered)
    stride = n_key_words + n_values
    mask = np.uint64(len(entries) // stride - 1)
    is_secondary = register[MemoRegister.HAS_SECONDARY] != 0
    level = register[MemoRegister.LEVEL]
    is_entering = level < 0
    register[MemoRegister.SUBPROBLEMS] += is_entering  # the root
    level = max(level, 0)
    # The position in `pending` of the branch to try, the end of the branches, and the end of the
    # edges: copies of the row of `level`, which has older values while it is explored.
    branch = stack.next[level]
    end = stack.end[level]
    live = stack.live[level]
    status = DONE
    while True:
        if is_entering:
            # Enter a level: its branches follow those of its parent in `pending`. The first of them
            # that were tried are overwritten by the edges of the node, which end before `live`.
            is_entering = False
            branch = live = 0 if level == 0 else end
            end = enter_level(branches, bitsets, stack, level, branch, n_words, n_values)
            if not is_secondary:
                prefetch_children(
                    branches, stack, entries, level, branch, end, mask, stride, n_words
                )
        if branch < end:
            # Try a branch.
            option = pending[branch]
            if cover_items(stack.uncovered, branches.items, level, option, n_words):
                if is_secondary:  # the key consists of the options that are left
                    remove_conflicting(stack.available, level, bitsets, option)
                    write_set_key(stack, level + 1, n_key_words, n_words)
                status, slot = look_up(
                    stack, entries, mask, stride, n_key_words, keys, level + 1, budget
                )
                if status != DONE:
                    break  # this branch is tried again by the next call
                if slot < 0:
                    if not is_secondary:  # only a subproblem that is entered needs them
                        remove_conflicting(stack.available, level, bitsets, option)
                    stack.next[level] = branch
                    stack.live[level] = live
                    level += 1
                    is_entering = True
                    continue
                value = slot + n_key_words
                live = take_value(stack, edges, level, live, option, entries, value, n_values)
            elif edges is None:  # no item is left: a cover
                add_one(values, level * n_values, n_values)
            else:
                pending[live] = option
                stack.children[live] = TRUE
                live += 1
        else:
            # Leave a level: store its value, and add it to that of the parent.
            if edges is not None:
                status = add_node(bitsets, stack, edges, level, live, n_words)
                if status != DONE:
                    break  # the level is left again by the next call
            store_value(stack, entries, level, n_key_words, n_values)
            if level == 0:
                break  # the problem is solved
            level -= 1
            branch = stack.next[level]
            end = stack.end[level]
            value = (level + 1) * n_values
            live = take_value(
                stack, edges, level, stack.live[level], pending[branch], values, value, n_values
            )
        branch += 1
        # The highest word of the count has more than 62 bits: counts need another word.
        if edges is None and values[level * n_values + n_values - 1] >> HIGHEST:
            status = WIDEN
            break
    register[MemoRegister.LEVEL] = level
    stack.next[level] = branch
    stack.live[level] = live
    return status
