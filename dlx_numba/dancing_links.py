"""Algorithm X with dancing links: six int32 arrays, `cover`, `uncover` and `search`.

Node 0 is the root, the nodes 1, 2, ... are the items, and the nodes of the options follow, in
order. `L` and `R` (left, right) link the items that are not covered, from the root, and the nodes
of each option; `U` and `D` (up, down) link each item and the nodes of its options. All of these
lists are circular. `column` is the item of a node, and `size` the number of nodes of an item.

What Knuth's paper calls a column and a row is an item and an option here. The paper's `search(k)`
calls itself at each level; this one keeps the chosen nodes on a stack, so that it can pause.

References
----------
D. E. Knuth, "Dancing links", in Millennial Perspectives in Computer Science (2000), 187-214.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from .jit import njit

# The indices of `state`
LEVEL, STEP, COVERS, UPDATES = range(4)
# The values of `state[STEP]`: visit a node, try the next option of the level above, or do nothing
ENTER, LEAVE, DONE = range(3)
BUDGET = 100_000  # nodes between two checks for an interrupt


def link(
    options: Iterable[Iterable[int]], n_items: int, n_primary: int | None = None
) -> tuple[NDArray[np.int32], ...]:
    """Link the items and options of an exact cover problem.

    Parameters
    ----------
    options : iterable of iterable of int
        The items of each option, all different. They count from 0, so the node of item 0 is 1.
    n_items : int
    n_primary : int, optional
        The items from this one on are secondary: linked to themselves only, they are not in the
        list of items, so they are never chosen and may stay uncovered. By default, none is.

    Returns
    -------
    L, R, U, D, column : ndarray of int32, shape (nodes,)
    size : ndarray of int32, shape (1 + items,)

    Examples
    --------
    >>> L, R, U, D, column, size = link([[0, 2], [1], [0, 1]], n_items=3)
    >>> R.tolist()
    [1, 2, 3, 0, 5, 4, 6, 8, 7]
    >>> D.tolist()
    [0, 4, 6, 5, 7, 3, 8, 1, 2]
    """
    last = n_items if n_primary is None else n_primary
    L, R, U, D, column = ([*range(1 + n_items)] for _ in range(5))
    L[: last + 1] = [last, *range(last)]
    R[: last + 1] = [*range(1, last + 1), 0]
    size = [0] * (1 + n_items)
    for option in options:
        first = len(column)
        for item in option:
            node = len(column)
            header = 1 + item
            column.append(header)
            L.append(node - 1)
            R.append(node + 1)
            U.append(U[header])
            D.append(header)
            D[U[header]] = node
            U[header] = node
            size[header] += 1
        if len(column) > first:
            L[first] = len(column) - 1
            R[-1] = first
    return *np.array([L, R, U, D, column], np.int32), np.array(size, np.int32)


@njit
def cover(L, R, U, D, column, size, item):
    """Remove an item from the list of items, and its options from the lists of their other items.

    Return the number of updates, as Knuth counts them: one for each removal from a list.
    """
    updates = 1
    L[R[item]] = L[item]
    R[L[item]] = R[item]
    option = D[item]
    while option != item:
        node = R[option]
        while node != option:
            U[D[node]] = U[node]
            D[U[node]] = D[node]
            size[column[node]] -= 1
            updates += 1
            node = R[node]
        option = D[option]
    return updates


@njit
def uncover(L, R, U, D, column, size, item):
    """Undo `cover`, in the opposite order: up and to the left."""
    option = U[item]
    while option != item:
        node = L[option]
        while node != option:
            size[column[node]] += 1
            U[D[node]] = node
            D[U[node]] = node
            node = L[node]
        option = U[option]
    L[R[item]] = item
    R[L[item]] = item


@njit
def choose_item(R, size, is_leftmost):
    """Return the first item of the list or, unless `is_leftmost`, the first of the smallest."""
    best = R[0]
    if not is_leftmost:
        item = R[best]
        while item != 0:
            if size[item] < size[best]:
                best = item
            item = R[item]
    return best


@njit
def try_option(L, R, U, D, column, size, option):
    """Cover the other items of a node's option. Return the number of updates."""
    updates = 0
    node = R[option]
    while node != option:
        updates += cover(L, R, U, D, column, size, column[node])
        node = R[node]
    return updates


@njit
def undo_option(L, R, U, D, column, size, option):
    """Undo `try_option`, in the opposite order."""
    node = L[option]
    while node != option:
        uncover(L, R, U, D, column, size, column[node])
        node = L[node]


@njit
def search(L, R, U, D, column, size, chosen, nodes, state, limit, budget, is_leftmost):
    """Search until `limit` covers are found in all, `budget` nodes are visited, or none is left.

    The arrays keep the state of the search: call again to resume. The links are as before the
    search as soon as `state[STEP]` is DONE; `retreat` ends a search before that.

    Parameters
    ----------
    L, R, U, D, column, size
        As `link` returns them. Views as uint32 are searched sooner, because Numba tests each signed
        index for wraparound; `chosen` is uint32 then, too.
    chosen : ndarray of int32, shape (levels,)
        The stack: a node of the option chosen on each level. There are as many levels as items in
        the list. If the search ends at its limit, `chosen[: state[LEVEL]]` is the last cover.
    nodes : ndarray of int64, shape (levels,)
        The number of nodes visited on each level is added to it. Covers are not counted.
    state : ndarray of int64, shape (4,)
        The level, the next step, and the numbers of covers and updates so far; zeros at first.
    limit, budget : int64
    is_leftmost : bool
        As for `choose_item`.

    Returns
    -------
    int
        The number of covers found so far.
    """
    level = state[LEVEL]
    step = state[STEP]
    while step != DONE and state[COVERS] < limit and budget > 0:
        if step == ENTER and R[0] == 0:  # all items are covered
            state[COVERS] += 1
            step = LEAVE
            continue
        if step == LEAVE and level == 0:  # all options of the first item have been tried
            step = DONE
            continue
        if step == ENTER:
            budget -= 1
            nodes[level] += 1
            item = choose_item(R, size, is_leftmost)
            state[UPDATES] += cover(L, R, U, D, column, size, item)
            option = D[item]
        else:
            level -= 1
            option = chosen[level]
            undo_option(L, R, U, D, column, size, option)
            option = D[option]
        if option < len(size):  # none is left: it is the item itself
            uncover(L, R, U, D, column, size, option)
            step = LEAVE
        else:
            chosen[level] = option
            state[UPDATES] += try_option(L, R, U, D, column, size, option)
            level += 1
            step = ENTER
    state[LEVEL] = level
    state[STEP] = step
    return state[COVERS]


@njit
def retreat(L, R, U, D, column, size, chosen, state):
    """End a search, whose `state` is DONE then: restore the links. `chosen` is not changed."""
    for level in range(state[LEVEL] - 1, -1, -1):
        option = chosen[level]
        undo_option(L, R, U, D, column, size, option)
        uncover(L, R, U, D, column, size, column[option])
    state[LEVEL] = 0
    state[STEP] = DONE


def covers(options: Iterable[Iterable[int]], n_items: int) -> Iterator[list[int]]:
    """Yield the covers of an exact cover problem, each as the numbers of its options.

    The search always branches on the first of the smallest items, and pauses at each cover.

    Parameters
    ----------
    options, n_items
        As for `link`.

    Yields
    ------
    list of int
        In the order in which the options are chosen.

    Examples
    --------
    >>> [*covers([[0, 2], [1], [0, 1], [2]], n_items=3)]
    [[0, 1], [2, 3]]
    """
    listed = [[*option] for option in options]
    option_of = [number for number, option in enumerate(listed) for _ in option]
    links = link(listed, n_items)
    chosen = np.zeros(n_items, np.int32)
    nodes = np.zeros(n_items, np.int64)
    state = np.zeros(4, np.int64)
    n_found = 0
    while state[STEP] != DONE:
        if search(*links, chosen, nodes, state, n_found + 1, BUDGET, False) > n_found:
            n_found += 1
            yield [option_of[node - n_items - 1] for node in chosen[: state[LEVEL]]]
