"""Restart a search with other random choices, so that a bad early choice does not cost hours."""

import numpy as np

from ...jit import njit
from .algorithm_x import queue_forced
from .branching import draw
from .linked_subtree import retreat
from .state import ENTER, Register


@njit
def restart(links, colors, bounds, state):
    """Return to the root.

    The counters, the random state and the weights of the items are kept. Modifies all arrays of
    `links`, `colors` or None, `bounds` or None, and `state`, except for those that never change.
    """
    retreat(links, colors, bounds, state, 0)
    register = state.register
    register[Register.RESUME] = ENTER
    register[Register.OPEN_LEVELS] = 0
    queue_forced(links, state)


@njit
def shuffle_options(links, state, begin, end):
    """Put the options of each item from `begin` to `end` - 1 (int64) into a random order.

    The search is at the root. Writes `links`, Register.RANDOM_NUMBER and, as scratch memory, the
    trail. So nodes that totals have hidden at the root stay hidden: `retreat_to_root`, which would
    read them from the trail, must not follow.
    """
    U = links.U
    D = links.D
    register = state.register
    nodes = state.trail
    for i in range(begin, end):
        item = last = np.uint32(i)
        n_nodes = 0
        node = D[item]
        while node != item:
            nodes[n_nodes] = node
            n_nodes += 1
            node = D[node]
        while n_nodes > 0:
            k = draw(register, n_nodes)
            n_nodes -= 1
            node, nodes[k] = nodes[k], nodes[n_nodes]
            D[last] = node
            U[node] = last
            last = node
        D[last] = item
        U[item] = last
