"""The links and the state of Algorithm X as views of one block of memory.

A kernel thus has few arguments: for a small problem, these take longer than its search.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined
from .links import Links, count_nodes
from .state import SearchState

N_NODES, N_ITEMS, N_LEVELS = range(3)  # the elements of a block that contain its sizes
N_SIZES = 3


def allocate_block(n_primary: int, n_items: int, n_option_nodes: int) -> NDArray[np.uint32]:
    """Allocate a block of int32, and return the view that `set_sizes` prepares for `carve`.

    Raises ValueError if there are more nodes than int32 can index.
    """
    n_nodes = count_nodes(n_items, n_option_nodes)
    return np.zeros(block_size(n_primary, n_items, n_nodes), np.int32).view(np.uint32)


def block_size(n_primary: int, n_items: int, n_nodes: int) -> int:
    """Return the number of elements of a block, whose arrays `carve_in_python` lists."""
    return N_SIZES + 6 * n_nodes + 1 + n_items + 8 * (n_primary + 1)


@inlined
def set_sizes(block, n_primary, n_items, n_option_nodes):
    """Write the sizes, all int64, to a block."""
    block[N_NODES] = 1 + n_items + n_option_nodes
    block[N_ITEMS] = n_items
    block[N_LEVELS] = n_primary + 1


def carve_in_python(block: Any, found: Any, register: Any) -> tuple[Links, SearchState]:
    """Return `Links` and a `SearchState`, whose other arrays are views of a block.

    After its sizes, the block has six arrays with an element for each node (five of the links, and
    the trail), `size`, the seven arrays of levels, and `forced`.

    Parameters: `block` uint32; `found` and `register` as in `SearchState`.
    """
    n = np.int64(block[N_NODES])
    size = 1 + np.int64(block[N_ITEMS])
    n_levels = np.int64(block[N_LEVELS])
    nodes = block[N_SIZES : N_SIZES + 6 * n + size]
    levels = block[N_SIZES + 6 * n + size :]

    def row(k):
        return nodes[k * n : (k + 1) * n]

    def level(k):
        return levels[k * n_levels : (k + 1) * n_levels]

    links = Links(row(0), row(1), row(2), row(3), row(4), nodes[6 * n :])
    marks = level(0), level(1), level(2), level(3), level(4), level(5), level(6)
    return links, SearchState(*marks, levels[7 * n_levels :], row(5), found, register)


carve = inlined(carve_in_python)
