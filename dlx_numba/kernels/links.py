"""The toroidal links of a cover problem, and the state of a search over them, as flat arrays.

Node 0 is the root of the list of active items. Items are the nodes 1, 2, …, the primary ones
first; the nodes of the options follow, in order. A secondary item is linked to itself only: it
is never chosen, and covered at most once. (Knuth: TAOCP 7.2.2.1.)
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel

Ints = NDArray[np.integer]

MAX_NODES = 2**31 - 1
# Added to the size of each item that is not to be chosen: secondary, or covered already. One
# comparison of the size then also tells whether an item is still active.
COVERED = np.uint32(1 << 30)


class Links(NamedTuple):
    """Dancing Links in six flat arrays: int32 where they are kept, uint32 views in the kernels.

    `L`, `R` (left, right) link the items to each other and the nodes of an option in a circle;
    `U`, `D` (up, down) link an item with its nodes; `column` is the item of a node. All five
    have the shape (nodes,). `size`, of shape (1 + items,), counts the options left to an item.
    """

    L: Ints
    R: Ints
    U: Ints
    D: Ints
    column: Ints
    size: Ints

    def unsigned(self) -> "Links":
        """The same arrays as uint32 views: signed indices would cost a test at each access."""
        return Links(*(array.view(np.uint32) for array in self))

    def copy(self) -> "Links":
        return Links(*(array.copy() for array in self))


class Colors(NamedTuple):
    """The colours of a problem that has some (XCC); a plain problem has None in its place.

    Any number of options may share a secondary item if all give it the same colour. `of`, of
    shape (nodes,), is the colour of a node, from 1, or 0 for none; `purifier`, of shape
    (1 + items,), is the node by which an item got its colour in a search, 0 before that.
    """

    of: Ints
    purifier: Ints

    def unsigned(self) -> "Colors":
        """The same arrays as uint32 views, as `Links.unsigned`."""
        return Colors(*(array.view(np.uint32) for array in self))

    def copy(self) -> "Colors":
        return Colors(*(array.copy() for array in self))


def build_colors(links: Links, color: Ints) -> Colors:
    """The colours of `build_links`' nodes, where `color`, of the shape of `items`, tells them."""
    of = np.zeros(len(links.column), np.int32)
    of[len(links.size) :] = color
    return Colors(of, np.zeros(len(links.size), np.int32))


def allocate_links(items: int, option_nodes: int) -> Links:
    """Room for that many items, and nodes of options. Raises ValueError above int32's range."""
    nodes = 1 + items + option_nodes
    if nodes > MAX_NODES:
        raise ValueError(f"{nodes:,} nodes are more than int32 can index ({MAX_NODES:,})")
    L, R, U, D, column = np.zeros((5, nodes), np.int32)
    return Links(L, R, U, D, column, np.zeros(1 + items, np.int32))


class OptionError(ValueError):
    """An option that names an item twice, or an item that does not exist."""

    def __init__(self, option: int, item: int, reason: str) -> None:
        super().__init__(f"option {option}: item {item} {reason}")
        self.option, self.item, self.reason = option, item, reason


def build_links(indptr: Ints, items: Ints, n_primary: int, n_secondary: int) -> Links:
    """The links of options given as rows of a sparse matrix (SciPy's CSR layout).

    `indptr`, of shape (options + 1,), cuts `items` into options; `items` holds item numbers from
    0, those of primary items below `n_primary`, the secondary ones' behind them. Option `k` gets
    the nodes from `1 + n_primary + n_secondary + indptr[k]` on.

    Raises ValueError where the arrays are no CSR layout or the nodes are too many, OptionError
    where an option names an item twice or one that does not exist.

    >>> links = build_links(np.array([0, 2, 3]), np.array([0, 1, 1]), n_primary=2, n_secondary=0)
    >>> links.size.tolist()
    [0, 1, 2]
    >>> links.column.tolist()
    [0, 1, 2, 1, 2, 2]
    """
    indptr, items = np.ascontiguousarray(indptr), np.ascontiguousarray(items)
    if indptr.ndim != 1 or items.ndim != 1 or not len(indptr):
        raise ValueError("indptr and indices must have one dimension, and indptr an element")
    if indptr[0] != 0 or indptr[-1] != len(items) or np.any(indptr[1:] < indptr[:-1]):
        raise ValueError("indptr must rise from 0 to the number of indices")
    n_items = n_primary + n_secondary
    links = allocate_links(n_items, len(items))
    out_of_range = np.flatnonzero((items < 0) | (items >= n_items))
    if len(out_of_range):
        node = int(out_of_range[0])
        option = int(np.searchsorted(indptr, node, side="right")) - 1
        raise OptionError(option, int(items[node]), f"does not exist; there are {n_items:,}")
    bad = link_options(
        links.unsigned(), indptr.astype(np.int64), items.astype(np.uint32), np.uint32(n_primary)
    )
    if bad >= 0:
        option = int(np.searchsorted(indptr, bad, side="right")) - 1
        raise OptionError(option, int(items[bad]), "stands there twice")
    if len(items) >= COVERED and np.bincount(items).max() >= COVERED:
        raise ValueError(f"an item has more than {int(COVERED):,} options")
    return links


@kernel
def link_options(links, indptr, items, n_primary):
    """Fill `links` for `build_links`. Returns -1, or where in `items` an item stands twice."""
    L, R, U, D, column, size = links
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    for i in range(len(size)):
        item = np.uint32(i)
        U[item] = D[item] = column[item] = item
        L[item] = R[item] = item
        size[item] = root
    for i in range(1, n_primary + 1):
        item = np.uint32(i)
        before = L[root]
        L[item], R[item] = before, root
        R[before] = L[root] = item
    for i in range(n_primary + 1, n_items + 1):
        size[np.uint32(i)] = COVERED
    for k in range(len(indptr) - 1):
        first = np.uint32(n_items + 1 + indptr[k])
        last = np.uint32(n_items + indptr[k + 1])
        for i in range(indptr[k], indptr[k + 1]):
            node, item = np.uint32(n_items + 1 + i), np.uint32(items[i] + 1)
            above = U[item]
            if above >= first:  # this option's own node
                return i
            L[node], R[node] = np.uint32(node - 1), np.uint32(node + 1)
            U[node], D[node], column[node] = above, item, item
            D[above] = U[item] = node
            size[item] += np.uint32(1)
        if last >= first:
            L[first], R[last] = last, first
    return -1
