"""Low-bandwidth item orders.

When all items before some item are covered, the subproblem is determined by which of the later
items are covered, too. Only those that an option shares with an earlier item can be: they form the
boundary, with the secondary items that are in options on both sides. An order with small boundaries
has few subproblems.
"""

import math
import random
from collections.abc import Generator, Iterator
from functools import reduce
from itertools import chain, pairwise
from operator import or_
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem

ItemOrder = NDArray[np.int64]


class ItemTree(NamedTuple):
    """A tree of the primary items; subtrees are ranges of its order."""

    order: ItemOrder  # parents before children
    end: NDArray[np.int64]  # (items,) the end of the subtree that begins at each position

    @property
    def is_branched(self) -> bool:
        """Whether the tree is more than a path."""
        return bool(np.any(self.end < len(self.end)))


# The subproblems at a boundary of b items are estimated as 2**(b * BITS_PER_ITEM).
BITS_PER_ITEM = 0.5
STEPS_PER_SLICE = 1 << 14  # nodes or items of a boundary: some ten milliseconds
MAX_TREES = 16
TREE_STEPS = 1 << 17  # of all trees but the first: some ten milliseconds
PAUSE_NODES = 1 << 18  # a memo of a smaller problem is prepared in fewer steps
ITEMS_PER_STEP = 1 << 13  # in a set of bits; the operations on smaller sets are part of the steps


def pause_if_large(problem: Problem) -> Generator[None, None, None]:
    """Yield if operations on all nodes of a problem take some hundredths of a second."""
    if len(problem.items) >= PAUSE_NODES:
        yield


def narrow_order(
    problem: Problem, max_slices: float = math.inf
) -> Generator[None, None, ItemOrder | None]:
    """Find an order of the primary items with small boundaries.

    It is a greedy order or its reverse, whichever has fewer estimated subproblems. Takes time in
    proportion to the square of the number of items. Yields after each slice of the work. Returns
    None if it takes too many slices.
    """
    neighbors = [0] * problem.n_primary
    order = list[int]()
    slices = chain(neighbor_slices(problem, neighbors), greedy_slices(neighbors, order))
    for n_slices, _ in enumerate(slices, 1):
        if n_slices > max_slices:
            return None
        yield
    greedy = np.array(order, np.int64)
    bits = []
    for candidate in (greedy, greedy[::-1]):
        bits.append(estimated_bits(problem, candidate))
        yield from pause_if_large(problem)
    return greedy if bits[0] <= bits[1] else greedy[::-1]


def estimated_bits(problem: Problem, order: ItemOrder) -> float:
    """Return the binary logarithm of the estimated number of subproblems."""
    if not problem.n_primary:
        return 0.0
    bits = BITS_PER_ITEM * boundary_sizes(problem, order)
    largest = float(bits.max())  # subtracted first, because its power could be too large
    return largest + float(np.log2(np.sum(np.exp2(bits - largest))))


def boundary_sizes(problem: Problem, order: ItemOrder) -> NDArray[np.int64]:
    """Return the size of the boundary when each item of `order` is the first one not covered."""
    n_primary = problem.n_primary
    ranks, first = problem.rank_nodes(order)
    first_of_node = np.repeat(first, np.diff(problem.indptr))
    items = np.where(ranks < n_primary, ranks, problem.items)
    earliest = np.full(problem.n_items, n_primary)  # the first item that shares an option with each
    np.minimum.at(earliest, items, first_of_node)
    # An item is in the boundaries begin..end-1.
    end = np.append(np.arange(n_primary), np.zeros(problem.n_secondary, np.int64))
    is_secondary = items >= n_primary
    np.maximum.at(end, items[is_secondary], first_of_node[is_secondary] + 1)
    begin = np.minimum(earliest + 1, end)
    n_ends = n_primary + 2
    changes = np.bincount(begin, minlength=n_ends) - np.bincount(end, minlength=n_ends)
    return np.cumsum(changes)[:n_primary]


def narrow_tree(problem: Problem, max_subproblems: int) -> Generator[None, None, ItemTree | None]:
    """Find a tree of the primary items with small boundaries.

    The items of an option, and of all options that share a secondary item, are on one path from a
    root. Items are removed, each with the fewest neighbors among those that are left, which become
    neighbors of each other; the first of them that is removed is the parent of the item. Below it,
    the options that cover these neighbors determine the subproblem. Ties are broken at random, and
    the best of some trees is taken. Takes time in proportion to the square of the number of items.
    Yields after each slice of the work. Returns None if there may be too many subproblems.
    """
    neighbors = [0] * problem.n_primary
    yield from neighbor_slices(problem, neighbors)
    sizes = problem.primary_sizes.tolist()
    items = list(range(problem.n_primary))
    rng = random.Random(0)
    best = None
    n_steps = 0
    n_tries = min(MAX_TREES, 1 + TREE_STEPS // max(1, problem.n_primary) ** 2)
    for _ in range(n_tries):
        neighbors_of = {item: neighbors[item] for item in items}  # of each that is left, as bits
        above = dict[int, int]()  # of each that was removed: its neighbors then, as bits
        n_subproblems = 0
        while neighbors_of and n_subproblems <= max_subproblems:
            item = min(neighbors_of, key=lambda each: neighbors_of[each].bit_count())
            # The neighbors become ancestors of the item in the tree, and neighbors of each other.
            ancestors = above[item] = neighbors_of.pop(item)
            members = _members(ancestors)
            n_subproblems += math.prod(sizes[each] for each in members)
            for each in members:
                neighbors_of[each] = (neighbors_of[each] | ancestors) & ~(1 << each | 1 << item)
            n_steps += len(neighbors_of)
            if n_steps >= STEPS_PER_SLICE:
                n_steps = 0
                yield
        if n_subproblems <= max_subproblems:
            max_subproblems = n_subproblems - 1  # the next tree must be better
            best = above
        rng.shuffle(items)
    return None if best is None else _arrange(best)


def _arrange(above: dict[int, int]) -> ItemTree:
    """Return the tree of items in the order in which they were removed.

    The value of each is the set, as bits, of its neighbors at that time, which are its ancestors.
    The first of these that was removed is its parent; without any, it is a root, with parent -1.
    """
    rank = dict(zip(above, range(len(above)), strict=True))
    parents = {k: min(_members(above[k]), key=rank.__getitem__, default=-1) for k in above}
    sizes = dict.fromkeys([*rank, -1], 1)
    for item, parent in parents.items():
        sizes[parent] += sizes[item]
    free = {-1: 0}  # the first position in the subtree of each item that is not taken
    order = np.empty(len(rank), np.int64)
    end = np.empty(len(rank), np.int64)
    for item in reversed(rank):  # parents, which were removed later, before children
        position = free[parents[item]]
        free[parents[item]] += sizes[item]
        free[item] = position + 1
        order[position] = item
        end[position] = position + sizes[item]
    return ItemTree(order, end)


def neighbor_slices(problem: Problem, neighbors: list[int]) -> Iterator[None]:
    """Add to `neighbors` for each primary item those that it shares an option with, as bits.

    Options that have a secondary item in common count as one. Yields after each slice of the work.
    """
    bounds = problem.indptr.tolist()
    items = problem.items.tolist()
    sharing = dict[int, int]()  # the primary items of the options of each secondary item, as bits
    slice_end = STEPS_PER_SLICE
    for start, end in pairwise(bounds):
        primary = [item for item in items[start:end] if item < problem.n_primary]
        together = sum(1 << item for item in primary)
        for item in items[start:end]:
            if item < problem.n_primary:
                neighbors[item] |= together
            else:
                sharing[item] = sharing.get(item, 0) | together
        if end >= slice_end:
            slice_end = end + STEPS_PER_SLICE
            yield
    n_steps = 0
    for together in sharing.values():
        members = _members(together)
        for item in members:
            neighbors[item] |= together
        n_steps += len(members)
        if n_steps >= STEPS_PER_SLICE:
            n_steps = 0
            yield
    for item, each in enumerate(neighbors):  # an item is no neighbor of itself
        neighbors[item] = each & ~(1 << item)
        if (item + 1) % ITEMS_PER_STEP == 0:
            yield


def greedy_slices(neighbors: list[int], order: list[int]) -> Iterator[None]:
    """Append all items to `order`; each adds as few items to the boundary as possible.

    Ties go to the item that has been in the boundary for longest. The first item of a component is
    as far as possible from an item that shares options with few items.
    """
    remaining = (1 << len(neighbors)) - 1
    reached = 0
    n_steps = 0
    steps_per_set = len(neighbors) // ITEMS_PER_STEP
    sizes = [each.bit_count() for each in neighbors]
    by_size = iter(sorted(range(len(sizes)), key=sizes.__getitem__))
    boundary: dict[int, None] = {}  # in the order in which they were reached
    while remaining:
        if not boundary:
            visited = 0
            layer = [next(item for item in by_size if remaining >> item & 1)]
            while layer:  # breadth first; the last layer, the farthest one, has `first`
                n_steps += steps_per_set
                if n_steps >= STEPS_PER_SLICE:
                    n_steps = 0
                    yield
                first = min(layer, key=sizes.__getitem__)
                visited |= sum(1 << item for item in layer)
                layer = _members(reduce(or_, (neighbors[item] for item in layer)) & ~visited)
            boundary[first] = None
        unreached = remaining & ~reached
        item = min(boundary, key=lambda each: (neighbors[each] & unreached).bit_count())
        n_steps += len(boundary) + steps_per_set
        if n_steps >= STEPS_PER_SLICE:
            n_steps = 0
            yield
        del boundary[item]
        order.append(item)
        remaining &= ~(1 << item)
        boundary.update(dict.fromkeys(_members(neighbors[item] & remaining)))
        reached |= neighbors[item] | 1 << item


def _members(items: int) -> list[int]:
    """Return the positions of the bits that are set, in ascending order."""
    content = items.to_bytes(items.bit_length() // 8 + 1, "little")
    return set_bits(np.frombuffer(content, np.uint8))


def set_bits(words: NDArray[np.unsignedinteger]) -> list[int]:
    """Return the positions of the bits that are set, in ascending order.

    >>> set_bits(np.array([5, 1], np.uint64))
    [0, 2, 64]
    """
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    positions: list[int] = np.flatnonzero(bits).tolist()
    return positions
