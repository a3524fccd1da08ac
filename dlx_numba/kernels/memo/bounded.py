"""Memoized depth-first search with multiplicities.

The key of a subproblem consists of the available options, and of two bytes for each primary item:
how many options it needs, and how many it can still have. The second is NO_LIMIT if the item has
no more options than that, so that subproblems differ only if their covers do. Each node has two
branches: it chooses an option, or removes it. So no set of options is found twice.

The functions share these parameters: `branches`, `Branches`, and `bitsets`, `Bitsets`, which are
read; `available` (levels, words of a key) uint64, the keys; `level` and `option` int64.
"""

import numpy as np

from ...jit import njit
from ...jit.intrinsics import count_bits, lowest_bit
from ..problem import Problem
from .explore import (
    DONE,
    EDGES_FULL,
    FALSE,
    HIGHEST,
    TRUE,
    WIDEN,
    MemoRegister,
    Words,
    add,
    add_one,
    look_up,
)
from .item_order import ItemOrder
from .table import NEW, ONE, UNSTORED, ZERO

NO_LIMIT = np.uint64(255)
ITEMS_PER_WORD, ITEM_BITS = 4, 16
BYTE = np.uint64(8)


def pack_bounds(problem: Problem, order: ItemOrder | None) -> Words:
    """Return the bounds as a part of a key. Raises ValueError if they are too large."""
    _, low, high = problem.costs_and_bounds
    sizes = np.bincount(problem.items, minlength=problem.n_items)[: problem.n_primary]
    high = np.where(high >= sizes, int(NO_LIMIT), high)
    if np.any((low > int(NO_LIMIT)) | (high > int(NO_LIMIT))):
        raise ValueError("the multiplicities are too large for a memo")
    pairs = np.zeros(-(-problem.n_primary // ITEMS_PER_WORD) * ITEMS_PER_WORD, "<u2")
    pairs[: problem.n_primary] = (low | high << 8)[slice(None) if order is None else order]
    return pairs.view("<u8").astype(np.uint64)


@njit
def settle(bitsets, available, by_order, level, n_branches):
    """Return the option to branch on, -1 if none is left, or -2 if an item lacks options.

    It is the first option, or that of the item with the fewest options to spare if an item needs
    any and the order is not fixed (`by_order`). Upper bounds without effect become NO_LIMIT.
    Writes the number of branches that Algorithm M would have to `n_branches[level]`, (levels,)
    int64.
    """
    containing = bitsets.containing
    n_words = containing.shape[1]
    best, fewest = -1, 1 << 62
    for item in range(len(containing)):
        size = 0
        for k in range(n_words):
            size += np.int64(count_bits(available[level, k] & containing[item, k]))
        at, shift = n_words + item // ITEMS_PER_WORD, np.uint64(item % ITEMS_PER_WORD * ITEM_BITS)
        pair = available[level, at] >> shift
        need, capacity = np.int64(pair & NO_LIMIT), np.int64((pair >> BYTE) & NO_LIMIT)
        if need > size:
            return -2
        if capacity >= size:
            available[level, at] |= NO_LIMIT << (shift + BYTE)
        if need > 0 and size - need < fewest and not by_order:
            best, fewest = item, size - need
    n_branches[level] = 2 if best < 0 else fewest + 1
    for k in range(n_words):
        word = available[level, k] if best < 0 else available[level, k] & containing[best, k]
        if word:
            return k * 64 + np.int64(lowest_bit(word))
    return -1


@njit
def branch(branches, bitsets, available, level, option, is_chosen):
    """Write the key of the next level: an option is chosen, or only removed."""
    containing, compatible = bitsets.containing, bitsets.compatible
    n_words = containing.shape[1]
    for k in range(available.shape[1]):
        available[level + 1, k] = available[level, k]
    available[level + 1, option >> 6] &= ~(ONE << np.uint64(option & 63))
    if not is_chosen:
        return
    for k in range(n_words):
        available[level + 1, k] &= compatible[option, k]
    for word_number in range(branches.items.shape[1]):
        word = branches.items[option, word_number]
        while word:
            item = word_number * 64 + np.int64(lowest_bit(word))
            word &= word - ONE
            at = n_words + item // ITEMS_PER_WORD
            shift = np.uint64(item % ITEMS_PER_WORD * ITEM_BITS)
            pair = available[level + 1, at] >> shift
            if pair & NO_LIMIT:
                available[level + 1, at] -= ONE << shift
            capacity = (pair >> BYTE) & NO_LIMIT
            if capacity != NO_LIMIT:
                available[level + 1, at] -= ONE << (shift + BYTE)
                if capacity == ONE:
                    for k in range(n_words):
                        available[level + 1, k] &= ~containing[item, k]


@njit
def explore_bounded(branches, bitsets, state, entries, edges, budget):
    """Explore as `explore` does, with multiplicities, and without dead ends in the diagram.

    `state.live` has the option of each level, and `state.next` its branch: 0 if it is chosen. In
    the diagram, the second edge of a node, along which its option is not chosen, has the number of
    options instead of an option. A node without covers that contain its option is left out.
    """
    register, available = state.register, state.available
    values, children = state.values, state.children
    n_keys, n_values = available.shape[1], len(values) // len(available)
    stride = np.uint64(n_keys + n_values)
    mask = np.uint64(len(entries) // (n_keys + n_values) - 1)
    by_order = register[MemoRegister.BY_ORDER] != 0
    level = register[MemoRegister.LEVEL]
    status = DONE
    if level < 0:
        level = 0
        option = settle(bitsets, available, by_order, 0, state.end)
        if option < 0:
            values[0] = ONE if option == -1 else ZERO
            return DONE
        register[MemoRegister.SUBPROBLEMS] += 1
        state.live[0], state.next[0] = option, 0
    while True:
        if state.next[level] < 2:
            branch(branches, bitsets, available, level, state.live[level], state.next[level] == 0)
            option = settle(bitsets, available, by_order, level + 1, state.end)
            node = np.uint64(FALSE)
            if option == -1:
                node = np.uint64(TRUE)
                if edges is None:
                    add_one(values, level * n_values, n_values)
            elif option >= 0:
                status, slot = look_up(
                    state, entries, mask, stride, n_keys, available, level + 1, budget
                )
                if status != DONE:
                    break
                if slot & NEW:
                    level += 1
                    state.live[level], state.next[level] = option, 0
                    for k in range(n_values):
                        values[level * n_values + k] = ZERO
                    continue
                value = slot * stride + np.uint64(n_keys)
                node = entries[value]
                if edges is None:
                    add(values, level * n_values, entries, value, n_values)
        else:
            if edges is not None and children[level] != FALSE:
                n_nodes, n_edges = register[MemoRegister.NODES], register[MemoRegister.EDGES]
                if n_nodes + 1 >= len(edges.start) or n_edges + 2 > len(edges.option):
                    status = EDGES_FULL
                    break
                edges.option[n_edges], edges.child[n_edges] = state.live[level], children[level]
                n_edges += 1
                if values[level] != FALSE:
                    edges.option[n_edges], edges.child[n_edges] = len(branches.items), values[level]
                    n_edges += 1
                register[MemoRegister.EDGES] = edges.start[n_nodes + 1] = n_edges
                register[MemoRegister.NODES] = n_nodes + 1
                values[level] = n_nodes
            slot = state.slot[level]
            if slot != UNSTORED:
                for k in range(n_values):
                    value = values[level * n_values + k]
                    entries[slot * stride + np.uint64(n_keys + k)] = value
            if level == 0:
                break
            node = values[level * n_values]
            level -= 1
            if edges is None:
                add(values, level * n_values, values, np.uint64((level + 1) * n_values), n_values)
        if edges is not None and state.next[level] == 0:
            children[level] = node
        elif edges is not None:
            values[level] = node
        state.next[level] += 1
        if edges is None and values[level * n_values + n_values - 1] >> HIGHEST:
            status = WIDEN
            break
    register[MemoRegister.LEVEL] = level
    return status
