"""Where a search stands: at each level, which of the ways to go on it has taken, of how many."""

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from ..kernels.algorithm_x import ENTER, LEVEL, RESUME
from ..kernels.searching import State

Ways = tuple[NDArray[np.int64], NDArray[np.int64]]


@kernel
def list_ways(links, bounds, dance, taken, ways):
    """Fill `taken` (from 0) and `ways` (levels above the present,)."""
    D, column = links.D, links.column
    choice, trail = dance.choice, dance.trail
    for k in range(len(taken)):
        level = np.uint32(k)
        option = choice[level]
        item = column[option] if bounds is None else dance.head[level]
        taken[k] = ways[k] = 0
        node = D[item]
        while node != item:
            if node == option:
                taken[k] = ways[k]
            ways[k] += 1
            node = D[node]
        if bounds is not None:
            ways[k] = dance.tail[level]
            tried = 0  # options of an item with room for several: each was hidden from it, too
            for at in range(dance.before[level], dance.after[level]):
                tried += column[trail[np.uint32(at)]] == item
            if option == 0:  # none is the last way
                taken[k] = ways[k] - 1
            elif tried > 0:
                taken[k] = tried - 1


def ways_taken(state: State) -> Ways:
    """Which way is taken at each level (from 0), and of how many: two arrays of shape (level,)."""
    taken, ways = np.zeros((2, state.dance.register[LEVEL]), np.int64)
    list_ways(state.links, state.bounds, state.dance, taken, ways)
    return taken, ways


def explored(state: State, ways: Ways) -> float:
    """The fraction of the tree that the search has been through: Knuth's estimate.

    Each way to go on at a level counts as much as the others there.
    """
    taken, of = ways
    shares = np.cumprod(1 / of)
    fraction = float(taken @ shares)
    if state.dance.register[RESUME] == ENTER:
        return fraction
    return min(1.0, fraction + (float(shares[-1]) if len(shares) else 1.0))
