"""Resumable memoized searches that count the covers of the components of what remains."""

from typing import Any

import numpy as np

from ..csr import join_ranges
from ..problem import Problem
from .explore import MemoState
from .item_order import ItemTree
from .option_sets import EncodedOptions, count_words, set_bits
from .search import MIN_SLOTS, MemoSearch
from .table import UNSTORED
from .tree import LIMB_BITS, UNTRIED, Tree, TreeState, explore_tree

LIMBS_PER_UPDATE = 8  # products of limbs that take as long as an update of a search with links


class TreeSearch(MemoSearch):
    """A search that counts the covers of each distinct component once while its memo has space.

    Parameters
    ----------
    problem : Problem
        A problem with secondary items, without multiplicities and totals.
    tree : ItemTree
        As of `narrow_tree`.
    encoded : EncodedOptions
        The options of the problem in the order of the tree.
    memory : int
        As for `MemoSearch`.
    """

    def __init__(
        self, problem: Problem, tree: ItemTree, encoded: EncodedOptions, memory: int
    ) -> None:
        super().__init__(problem, tree.order, encoded, memory)
        self._tree = arrange(tree, encoded)
        # Each item is covered by one of its options, so no count exceeds the product of the sizes.
        bits = float(np.log2(np.maximum(problem.primary_sizes, 1)).sum())
        n_limbs = 1 + int(bits // LIMB_BITS)
        self._lookup_updates += n_limbs**2 // LIMBS_PER_UPDATE
        if not self.is_done:
            self._state: Any = allocate_tree_state(self._state, problem.n_primary, n_limbs)
            self._replace_table(MIN_SLOTS, n_limbs)

    def _explore(self, budget: int) -> int:
        arrays = self._state, self._entries
        status: int = explore_tree(self._tree, *self._options, *arrays, budget)
        return status

    @property
    def value(self) -> int:
        """The number of covers; the search must be done."""
        limbs = self._state.values[: self._n_values].tolist()
        return sum(limb << LIMB_BITS * k for k, limb in enumerate(limbs))

    def count_so_far(self) -> int:
        """Return the number of covers; before the end, 0, because components are counted."""
        return self.value if self.is_done else 0


def arrange(tree: ItemTree, encoded: EncodedOptions) -> Tree:
    """Return a tree with the items and the options of each subtree as bits."""
    end = tree.end
    items = np.zeros((len(end), encoded.branches.items.shape[1]), np.uint64)
    options = np.zeros((len(end), count_words(len(encoded.numbers))), np.uint64)
    first_option = encoded.branches.start.astype(np.int64)
    numbers = np.arange(len(end))
    # Subtree k has the items k to end[k] - 1, and the options of which these are the first items.
    set_bits(items, *join_ranges(numbers, end)[::-1])
    set_bits(options, *join_ranges(first_option[:-1], first_option[end])[::-1])
    return Tree(end, items, options)


def allocate_tree_state(root: MemoState, n_items: int, n_limbs: int) -> TreeState:
    """Return the state at the root of a search, given that of one without components."""
    n_levels = n_items + 2
    n_words = root.available.shape[1]
    # Of each level, and after the branch that is tried
    uncovered = np.zeros((2, n_levels, root.uncovered.shape[1]), np.uint64)
    available = np.zeros((2, n_levels, n_words - 1), np.uint64)
    uncovered[0, 0] = root.uncovered[0]
    available[0, 0] = root.available[0, :-1]
    keys = np.zeros((n_levels, n_words), np.uint64)
    numbers = np.zeros((5, n_levels), np.int64)  # item, begin, next, end, child
    numbers[0, 0] = -1
    numbers[4, 0] = UNTRIED
    slot = np.full(n_levels, UNSTORED)
    values = np.zeros((2, n_levels * n_limbs), np.uint64)
    pending = np.full(len(root.pending), -1)
    sets = uncovered[0], available[0], uncovered[1], available[1], keys
    return TreeState._make((*sets, *numbers, slot, *values, pending, root.register))
