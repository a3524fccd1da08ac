"""Low-bandwidth item orders.

When all items before some item are covered, the subproblem is determined by which of the later
items are covered, too. Only those that an option shares with an earlier item can be: they form the
boundary. An order with small boundaries has few subproblems.
"""

from functools import reduce
from itertools import pairwise
from operator import or_

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem

ItemOrder = NDArray[np.int64]

# The subproblems at a boundary of b items are estimated as 2**(b * BITS_PER_ITEM).
BITS_PER_ITEM = 0.5


def find_narrow_order(problem: Problem) -> ItemOrder:
    """Return an order of the primary items with small boundaries.

    It is a greedy order or its reverse, whichever has fewer estimated subproblems. Takes time in
    proportion to the square of the number of items.
    """
    greedy = greedy_order(neighbor_sets(problem))
    return min((greedy, greedy[::-1]), key=lambda order: estimated_bits(problem, order))


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


def greedy_order(neighbors: list[int]) -> ItemOrder:
    """Return an order in which each item adds as few items to the boundary as possible.

    Ties go to the item that has been in the boundary for longest. The first item of a component is
    as far as possible from an item that shares options with few items.
    """
    remaining = (1 << len(neighbors)) - 1
    reached, order = 0, []
    boundary: dict[int, None] = {}  # in the order in which they were reached
    while remaining:
        if not boundary:
            visited = 0
            layer = [min(_members(remaining), key=lambda item: neighbors[item].bit_count())]
            while layer:  # breadth first
                first = min(layer, key=lambda item: neighbors[item].bit_count())
                visited |= sum(1 << item for item in layer)
                layer = _members(reduce(or_, (neighbors[item] for item in layer)) & ~visited)
            boundary[first] = None
        unreached = remaining & ~reached
        item = min(boundary, key=lambda each: (neighbors[each] & unreached).bit_count())
        del boundary[item]
        order.append(item)
        remaining &= ~(1 << item)
        boundary.update(dict.fromkeys(_members(neighbors[item] & remaining)))
        reached |= neighbors[item] | 1 << item
    return np.array(order, np.int64)


def _members(items: int) -> list[int]:
    """Return the positions of the bits that are set, in ascending order."""
    content = np.frombuffer(items.to_bytes(items.bit_length() // 8 + 1, "little"), np.uint8)
    positions: list[int] = np.flatnonzero(np.unpackbits(content, bitorder="little")).tolist()
    return positions
