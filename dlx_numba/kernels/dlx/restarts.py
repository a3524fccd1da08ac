"""Restart a search with other random choices, so that a bad early choice does not cost hours."""

import numpy as np

from ...jit import njit
from .algorithm_x import queue_forced
from .branching import draw
from .linked_subtree import retreat
from .state import ENTER, Register


@njit
def restart(links, colors, bounds, state):
    """Return to the root, and put the options of each item into a random order.

    The counters, the random state and the weights of the items are kept. Modifies all groups.
    """
    retreat(links, colors, bounds, state, 0)
    U, D, register, nodes = links.U, links.D, state.register, state.trail
    for i in range(1, len(links.size)):
        item = last = np.uint32(i)
        n_nodes, node = 0, D[item]
        while node != item:
            nodes[np.uint32(n_nodes)] = node
            n_nodes += 1
            node = D[node]
        while n_nodes > 0:
            k = np.uint32(draw(register, n_nodes))
            n_nodes -= 1
            node, nodes[k] = nodes[k], nodes[np.uint32(n_nodes)]
            D[last], U[node] = node, last
            last = node
        D[last], U[item] = item, last
    register[Register.RESUME], register[Register.OPEN_LEVELS] = ENTER, 0
    queue_forced(links, state)
