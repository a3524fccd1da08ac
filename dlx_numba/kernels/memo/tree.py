"""Count covers with a memo, component by component of what remains.

The primary items are the nodes of a tree in which the items of an option, and those of all options
that share a secondary item, are on one path from the root. So once the items on the path to a node
are covered, nothing connects the subtrees of its children: the number of covers is the product of
those of the subtrees. The items of a subtree follow each other in the order of the tree, and so do
the options whose first items they are. The key of a subtree consists of those that are available,
and the number of its items that are not covered.

A count consists of limbs of 28 bits, so that a sum of products of limbs fits into a word.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.intrinsics import count_bits, lowest_bit
from .explore import DONE, MemoRegister, Words, look_up, store_value
from .table import ONE, ZERO

LIMB_BITS = 28
LIMB = np.uint64(LIMB_BITS)
LOW_LIMB = np.uint64(2**LIMB_BITS - 1)
UNTRIED = -1  # the next child of a node at which no branch is being tried


class Tree(NamedTuple):
    """A tree of the primary items, which are numbered in its order: parents before children."""

    end: NDArray[np.int64]  # (items,) the end of the subtree of each
    items: Words  # (items, words) the items of its subtree
    options: Words  # (items, option words) the options whose first item is one of these


class TreeState(NamedTuple):
    """The stack of a search, with one row for each level."""

    uncovered: Words  # (levels, words) of the subtree
    available: Words  # (levels, option words)
    uncovered_below: Words  # (levels, words) after the branch that is tried
    available_below: Words  # (levels, option words)
    keys: Words  # (levels, option words + 1)
    item: NDArray[np.int64]  # (levels,) the root of the subtree; -1 at the first level
    begin: NDArray[np.int64]  # (levels,) the branches of each level in `pending`
    next: NDArray[np.int64]  # (levels,) the one that is tried
    end: NDArray[np.int64]  # (levels,) their end
    child: NDArray[np.int64]  # (levels,) the next subtree below, or UNTRIED
    slot: NDArray[np.int64]  # (levels,) where the slot of each level begins, or UNSTORED
    values: Words  # (levels * limbs,) the sum over the branches so far
    products: Words  # (levels * limbs,) the product over the subtrees so far
    pending: NDArray[np.int64]  # (options + 1,) -1 for no option, at the first level
    register: NDArray[np.int64]  # indexed by `MemoRegister`


@inlined
def multiply(product, begin, factors, at, n_limbs):
    """Multiply the count `product[begin : begin + n_limbs]` by `factors[at : at + n_limbs]`.

    Both arrays are uint64, and `product` is written. The result must fit. Return whether it is not
    0.
    """
    any_bits = ZERO
    # From the highest limb down, because the lower ones are still needed as factors
    for k in range(n_limbs - 1, -1, -1):
        total = ZERO
        for i in range(k + 1):
            total += product[begin + i] * factors[at + k - i]
        product[begin + k] = total
    carry = ZERO
    for k in range(n_limbs):
        total = product[begin + k] + carry
        product[begin + k] = total & LOW_LIMB
        any_bits |= product[begin + k]
        carry = total >> LIMB
    return any_bits != ZERO


@inlined
def add_limbs(values, begin, addends, at, n_limbs):
    """Add the count `addends[at : at + n_limbs]` to `values[begin : begin + n_limbs]`, uint64."""
    carry = ZERO
    for k in range(n_limbs):
        total = values[begin + k] + addends[at + k] + carry
        values[begin + k] = total & LOW_LIMB
        carry = total >> LIMB


@inlined
def enter_subtree(tree, bitsets, stack, level, item, n_limbs):
    """Begin a level, whose key is written: list its branches, and clear its value.

    The branches are the options of the key that contain the root of the subtree, which is their
    first item.

    Parameters: `tree`, `bitsets` and `stack` as for `explore_tree`, of which the latter is
    modified; `level` int64; `item` int64, the root of the subtree; `n_limbs` int64.
    """
    stack.item[level] = item
    for k in range(stack.uncovered.shape[1]):
        stack.uncovered[level, k] = stack.uncovered_below[level - 1, k] & tree.items[item, k]
    end = stack.end[level - 1]
    stack.begin[level] = stack.next[level] = end
    for k in range(stack.available.shape[1]):
        stack.available[level, k] = stack.keys[level, k]
        word = stack.keys[level, k] & bitsets.containing[item, k]
        while word:
            stack.pending[end] = k * 64 + lowest_bit(word)
            end += 1
            word &= word - ONE
    stack.end[level] = end
    stack.child[level] = UNTRIED
    for k in range(n_limbs):
        stack.values[level * n_limbs + k] = ZERO


@inlined
def try_branch(branches, bitsets, stack, level, n_limbs):
    """Choose the next option of a level, or none (-1), and begin with the first subtree below.

    The counts of the subtrees multiply to a product, which begins with 1; the first subtree is that
    of the next item.

    Parameters: `branches`, `bitsets` and `stack` as for `explore_tree`, of which the latter is
    modified; `level` and `n_limbs` int64.
    """
    option = stack.pending[stack.next[level]]
    for k in range(stack.uncovered.shape[1]):
        covered = branches.items[option, k] if option >= 0 else ZERO
        stack.uncovered_below[level, k] = stack.uncovered[level, k] & ~covered
    for k in range(stack.available.shape[1]):
        word = stack.available[level, k]
        if option >= 0:
            word &= bitsets.compatible[option, k]
        stack.available_below[level, k] = word
    for k in range(n_limbs):
        stack.products[level * n_limbs + k] = ZERO
    stack.products[level * n_limbs] = ONE
    stack.child[level] = stack.item[level] + 1


@inlined
def write_key(tree, stack, level, child):
    """Write the key of a subtree below a level to the next row.

    Parameters: `tree` and `stack`, of which `keys` are modified; `level` and `child` int64.
    Returns whether an option is available; without any, the subtree has no cover.
    """
    n_items = 0
    for k in range(stack.uncovered.shape[1]):
        n_items += count_bits(stack.uncovered_below[level, k] & tree.items[child, k])
    n_words = stack.available.shape[1]
    any_bits = ZERO
    for k in range(n_words):
        word = stack.available_below[level, k] & tree.options[child, k]
        stack.keys[level + 1, k] = word
        any_bits |= word
    stack.keys[level + 1, n_words] = n_items
    return any_bits != ZERO


@njit
def explore_tree(tree, branches, bitsets, stack, entries, budget):
    """Explore until the problem is solved, the budget is spent, or the table must be replaced.

    Parameters
    ----------
    tree : Tree
    branches : Branches
    bitsets : Bitsets
    stack : TreeState
    entries : ndarray of uint64
        The table, as of `explore`. Modified.
    budget : int64
        The number of subproblems at which to return.

    Returns
    -------
    int
        DONE, OUT_OF_BUDGET or TABLE_FULL.
    """
    register = stack.register
    n_limbs = len(stack.values) // len(stack.item)
    n_key_words = stack.keys.shape[1]
    stride = n_key_words + n_limbs
    mask = np.uint64(len(entries) // stride - 1)
    n_items = len(tree.end)
    level = register[MemoRegister.LEVEL]
    if level < 0:  # begin with the first level, whose only branch is to choose no option
        level = 0
        register[MemoRegister.SUBPROBLEMS] += 1
        stack.end[0] = 1
    status = DONE
    while True:
        if stack.next[level] == stack.end[level]:  # all branches are counted
            store_value(stack, entries, level, n_key_words, n_limbs)
            if level == 0:
                break
            result = level * n_limbs
            level -= 1
            child = tree.end[stack.child[level]]
            is_possible = multiply(stack.products, level * n_limbs, stack.values, result, n_limbs)
            stack.child[level] = child if is_possible else n_items  # 0 remains 0: skip the others
        elif stack.child[level] == UNTRIED:
            try_branch(branches, bitsets, stack, level, n_limbs)
        item = stack.item[level]
        end = n_items if item < 0 else tree.end[item]
        child = stack.child[level]
        slot = 0  # less than 0 if a subtree is new, so that its level must be entered
        while child < end:
            if not (stack.uncovered_below[level, child >> 6] >> np.uint64(child & 63)) & ONE:
                child += 1  # it is covered, so what is below it follows
                continue
            if not write_key(tree, stack, level, child):  # the product is 0, and complete
                for k in range(n_limbs):
                    stack.products[level * n_limbs + k] = ZERO
                break
            status, slot = look_up(
                stack, entries, mask, stride, n_key_words, stack.keys, level + 1, budget
            )
            if slot < 0:
                break
            value = slot + n_key_words
            if not multiply(stack.products, level * n_limbs, entries, value, n_limbs):
                break
            child = tree.end[child]
        stack.child[level] = child
        if status != DONE:
            break  # this subtree is looked up again by the next call
        if slot < 0:
            level += 1
            enter_subtree(tree, bitsets, stack, level, child, n_limbs)
        else:  # the product of the branch is complete, or 0
            add_limbs(stack.values, level * n_limbs, stack.products, level * n_limbs, n_limbs)
            stack.next[level] += 1
            stack.child[level] = UNTRIED
    register[MemoRegister.LEVEL] = level
    return status
