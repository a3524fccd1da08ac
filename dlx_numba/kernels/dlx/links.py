"""Dancing links: an exact cover problem as toroidal lists in flat arrays.

Node 0 is the root of the list of active items. The nodes 1, 2, ... are the items, the primary ones
first; the nodes of the options follow, in order. `L` and `R` link a secondary item only to itself,
so it is not in the list of active items, from which step X3 chooses.

`L R U D column size` are Knuth's LLINK, RLINK, ULINK, DLINK, TOP and LEN. `L` and `R` link the
nodes of an option in a circle, so there are no spacers.

References
----------
D. E. Knuth, The Art of Computer Programming, Section 7.2.2.1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...runtime.errors import PicklableError
from ..csr import row_range

Ints = NDArray[np.integer]

MAX_NODES = 2**31 - 1
# Added to the size of each secondary item, and to that of each item while it is covered, so that
# comparisons of sizes exclude the items that are not active.
INACTIVE = np.uint32(1 << 30)
INVALID_LAYOUT = -2  # a result of `find_invalid`


class Links(NamedTuple):
    """The links in six flat arrays of int32, or views of these as uint32, which kernels take.

    `L` and `R` (left, right) link the items to each other and the nodes of an option in a circle;
    `U` and `D` (up, down) link an item to its nodes; `column` is the item of a node. These five
    have the shape (nodes,), where the root and the items are nodes, too. `size`, of shape
    (1 + items,), is the number of options of an item, plus INACTIVE if it is not active. In
    Algorithm M, it is the number of branches for the item.

    Numba tests each signed index for wraparound, which takes as long as the search itself.
    """

    L: Ints
    R: Ints
    U: Ints
    D: Ints
    column: Ints
    size: Ints

    @property
    def unsigned(self) -> "Links":
        """Views of the same arrays as uint32."""
        return Links(*(array.view(np.uint32) for array in self))


class Colors(NamedTuple):
    """The colors of a problem that has any; a problem without colors has None instead.

    Any number of options may share a secondary item if all of them give it the same color. Both
    arrays are uint32. `color`, of shape (nodes,), is the color of a node, from 1, or 0 if it has
    none. `purifier`, of shape (1 + items,), is the node from which an item got its color in the
    current search, or 0.
    """

    color: Ints
    purifier: Ints


def allocate_links(n_items: int, n_option_nodes: int) -> Links:
    """Allocate links of int32 filled with zeros. Kernels take their `unsigned` views.

    Parameters
    ----------
    n_items, n_option_nodes : int
        The numbers of items and of nodes in options.

    Returns
    -------
    Links

    Raises
    ------
    ValueError
        If there are more nodes than int32 can index.
    """
    n_nodes = count_nodes(n_items, n_option_nodes)
    L, R, U, D, column = np.zeros((5, n_nodes), np.int32)
    return Links(L, R, U, D, column, np.zeros(1 + n_items, np.int32))


def count_nodes(n_items: int, n_option_nodes: int) -> int:
    """Return the number of nodes. Raises ValueError if int32 cannot index them."""
    n_nodes = 1 + n_items + n_option_nodes
    if n_nodes > MAX_NODES:
        raise ValueError(f"{n_nodes:,} nodes are more than int32 can index ({MAX_NODES:,})")
    return n_nodes


class OptionError(PicklableError, ValueError):
    """An option names an item twice, or an item that does not exist.

    Attributes
    ----------
    option, item : int
    reason : str
        The rest of the message.
    """

    def __init__(self, option: int, item: int, reason: str) -> None:
        super().__init__(f"option {option}: item {item} {reason}")
        self.option = option
        self.item = item
        self.reason = reason


def check_options(indptr: Ints, items: Ints, n_items: int) -> None:
    """Raise an exception unless options, given as the rows of a sparse matrix, are valid.

    Parameters
    ----------
    indptr : ndarray of integers, shape (options + 1,)
        Option `k` consists of `items[indptr[k] : indptr[k + 1]]`, as in SciPy's CSR format.
    items : ndarray of integers, shape (indptr[-1],)
        Item numbers from 0.
    n_items : int

    Raises
    ------
    OptionError
        If an option names an item twice, or an item that does not exist.
    ValueError
        If `indptr` is invalid, there are more nodes than int32 can index, or an item has too many
        options.

    Examples
    --------
    >>> check_options(np.array([0, 1, 3]), np.array([0, 1, 1]), n_items=2)
    Traceback (most recent call last):
        ...
    dlx_numba.kernels.dlx.links.OptionError: option 1: item 1 appears twice
    """
    if indptr.ndim != 1 or items.ndim != 1 or not len(indptr):
        raise ValueError("indptr and indices must be one-dimensional, and indptr must not be empty")
    count_nodes(n_items, len(items))
    indptr, items = np.ascontiguousarray(indptr, np.int64), np.ascontiguousarray(items, np.int64)
    invalid = find_invalid(indptr, items, np.zeros(n_items, np.uint32))
    if invalid == INVALID_LAYOUT:
        raise ValueError("indptr must increase from 0 to the number of indices")
    if invalid >= 0:
        option = option_at(indptr, invalid)
        item = int(items[invalid])
        missing = f"does not exist; the problem has {n_items:,}"
        raise OptionError(option, item, "appears twice" if 0 <= item < n_items else missing)
    if len(items) >= INACTIVE and np.bincount(items).max() >= INACTIVE:
        raise ValueError(f"an item must have fewer than {int(INACTIVE):,} options")


@njit
def find_invalid(indptr, items, last_option):
    """Return the position in `items` of the first that is out of range or repeated in its option.

    Parameters: `indptr` and `items` as for `check_options`, int64; `last_option` (items,) uint32,
    zeros, which are overwritten. Returns -1 if there is none, or INVALID_LAYOUT.
    """
    n_options = len(indptr) - 1
    is_valid = indptr[0] == 0 and indptr[n_options] == len(items)
    for k in range(n_options):
        is_valid &= indptr[k] <= indptr[k + 1]
    if not is_valid:
        return INVALID_LAYOUT
    for k in range(n_options):
        for i in row_range(indptr, k):
            item = items[i]
            if not 0 <= item < len(last_option) or last_option[item] == k + 1:
                return i
            last_option[item] = k + 1
    return -1


def option_at(indptr: Ints, position: int) -> int:
    """Return the option that the element at a position of `items` belongs to."""
    return int(np.searchsorted(indptr, position, side="right")) - 1


@njit
def link_options(links, indptr, items, n_primary):
    """Fill the links of a problem.

    Parameters
    ----------
    links : Links
        Written: `L R U D column`, uint32 of shape (nodes,) with
        `nodes = 1 + items + indptr[-1]`, and `size`, uint32 of shape (1 + items,).
    indptr : ndarray of int64, shape (options + 1,)
        Option `k` consists of `items[indptr[k] : indptr[k + 1]]`.
    items : ndarray of int64 or uint32, shape (indptr[-1],)
        Item numbers from 0, primary items before secondary ones. They are not checked.
    n_primary : uint32
        The number of primary items.

    Returns
    -------
    int
        -1, or the position in `items` of an item that appears twice in its option. The links are
        unusable then.
    """
    L, R, U, D, column, size = links
    root = np.uint32(0)
    n_items = np.uint32(len(size) - 1)
    for i in range(len(size)):
        item = np.uint32(i)
        U[item] = D[item] = column[item] = item
        L[item] = R[item] = item
        size[item] = 0
    for i in range(1, n_primary + 1):
        item = np.uint32(i)
        last = L[root]
        L[item] = last
        R[item] = root
        R[last] = L[root] = item
    size[n_primary + 1 :] = INACTIVE
    for k in range(len(indptr) - 1):
        first_node = np.uint32(n_items + 1 + indptr[k])
        last_node = np.uint32(n_items + indptr[k + 1])
        for i in row_range(indptr, k):
            node = np.uint32(n_items + 1 + i)
            item = np.uint32(items[i] + 1)
            above = U[item]
            if above >= first_node:  # a node of the same option
                return i
            L[node] = node - 1
            R[node] = node + 1
            U[node] = above
            D[node] = item
            column[node] = item
            D[above] = U[item] = node
            size[item] += 1
        if last_node >= first_node:
            L[first_node] = last_node
            R[last_node] = first_node
    return -1
