"""Low-bandwidth item orders (Cuthill–McKee, greedy).

When all items before some item are covered, the subproblem is determined by which of the later
items are covered, too. Only those that an option shares with an earlier item can be: they form the
boundary. An order with small boundaries has few subproblems.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem

ItemOrder = NDArray[np.int64]

# The subproblems at a boundary of b items are estimated as 2**(b * BITS_PER_ITEM).
BITS_PER_ITEM = 0.5


def find_narrow_order(problem: Problem) -> ItemOrder:
    """Return an order of the primary items with small boundaries.

    The candidates are the order of Cuthill and McKee, a greedy order, and the reverse of each; the
    one with the fewest estimated subproblems is returned. Takes time in proportion to the square of
    the number of items.
    """
    neighbors = neighbor_sets(problem)
    near = cuthill_mckee_order(neighbors)
    greedy = greedy_order(neighbors, near)
    candidates = [greedy, greedy[::-1], near[::-1], near]
    return min(candidates, key=lambda order: estimated_bits(problem, order))


def estimated_bits(problem: Problem, order: ItemOrder) -> float:
    """Return the binary logarithm of the estimated number of subproblems."""
    if not problem.n_primary:
        return 0.0
    bits = BITS_PER_ITEM * boundary_sizes(problem, order)
    largest = float(bits.max())
    return largest + float(np.log2(np.sum(np.exp2(bits - largest))))


def boundary_sizes(problem: Problem, order: ItemOrder) -> NDArray[np.int64]:
    """Return the size of the boundary when each item of `order` is the first one not covered."""
    n_primary = problem.n_primary
    rank = np.full(problem.n_items, n_primary)
    rank[order] = np.arange(n_primary)
    option_of, ranks = problem.option_of_node(), rank[problem.items]
    first = np.full(problem.n_options, n_primary)  # the first item of each option
    np.minimum.at(first, option_of, ranks)
    earliest = np.full(n_primary + 1, n_primary)  # the first item that shares an option with each
    np.minimum.at(earliest, ranks, first[option_of])
    last = np.arange(n_primary)
    begin = np.minimum(earliest[:-1] + 1, last)  # the item is in the boundaries begin..last-1
    change = np.bincount(begin, minlength=n_primary + 1) - np.bincount(
        last, minlength=n_primary + 1
    )
    return np.cumsum(change)[:n_primary]


def neighbor_sets(problem: Problem) -> list[int]:
    """Return for each primary item the primary items that share an option with it, as bits."""
    neighbors = [0] * problem.n_primary
    bounds, items = problem.indptr.tolist(), problem.items.tolist()
    for start, end in pairwise(bounds):
        primary = [item for item in items[start:end] if item < problem.n_primary]
        together = sum(1 << item for item in primary)
        for item in primary:
            neighbors[item] |= together
    return [each & ~(1 << item) for item, each in enumerate(neighbors)]


def cuthill_mckee_order(neighbors: list[int]) -> ItemOrder:
    """Return the order of Cuthill and McKee: breadth first, from an item far from all others.

    Neighbors of an item follow in the order of their degrees. The components follow one another.
    """
    degrees = [each.bit_count() for each in neighbors]
    left = (1 << len(neighbors)) - 1
    order: list[int] = []
    while left:
        start = min(_members(left), key=degrees.__getitem__)
        depth, last = _farthest(neighbors, start)
        while True:
            other = min(_members(last), key=degrees.__getitem__)
            other_depth, last = _farthest(neighbors, other)
            if other_depth <= depth:
                break
            start, depth = other, other_depth
        queue = [start]
        left &= ~(1 << start)
        for item in queue:  # which grows
            new = neighbors[item] & left
            left &= ~new
            queue += sorted(_members(new), key=degrees.__getitem__)
        order += queue
    return np.array(order, np.int64)


def greedy_order(neighbors: list[int], seeds: ItemOrder) -> ItemOrder:
    """Return an order in which each item adds as few items to the boundary as possible.

    Ties go to the item that has been in the boundary for longest. `seeds` are the items in the
    order in which components start.
    """
    left = (1 << len(neighbors)) - 1
    reached, order = 0, []
    boundary: dict[int, None] = {}  # in the order in which they were reached
    seed = iter(seeds.tolist())
    while left:
        if not boundary:
            boundary[next(item for item in seed if left >> item & 1)] = None
        unreached = left & ~reached
        item = min(boundary, key=lambda each: (neighbors[each] & unreached).bit_count())
        del boundary[item]
        order.append(item)
        left &= ~(1 << item)
        boundary.update(dict.fromkeys(_members(neighbors[item] & left)))
        reached |= neighbors[item] | 1 << item
    return np.array(order, np.int64)


def _farthest(neighbors: list[int], start: int) -> tuple[int, int]:
    """Return the largest distance of an item from `start`, and the items at that distance."""
    seen = front = 1 << start
    depth = 0
    while True:
        following = 0
        for item in _members(front):
            following |= neighbors[item]
        following &= ~seen
        if not following:
            return depth, front
        seen |= following
        front, depth = following, depth + 1


def _members(items: int) -> list[int]:
    """Return the positions of the bits that are set, in ascending order."""
    content = np.frombuffer(items.to_bytes(items.bit_length() // 8 + 1, "little"), np.uint8)
    positions: list[int] = np.flatnonzero(np.unpackbits(content, bitorder="little")).tolist()
    return positions
