"""The exact cover problem of a board: as arrays, and as links that a kernel builds board by board.

There are four kinds of primary items, n² of each: a cell to fill, and a value to place in a row,
in a column, in a box. An option places a value in a cell and has four nodes, one of each kind.
Only the items and options that remain after the givens are built.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...jit.intrinsics import lowest_bit
from ...kernels.dlx.links import INACTIVE, Links, allocate_links
from ...kernels.problem import Problem
from ..box import Box, units

NODES_PER_OPTION = 4
ONE = np.uint64(1)


class BoardLinks(NamedTuple):
    """The links of one board at a time; all arrays but `used` have the dtype uint32."""

    links: Links
    placement: NDArray[np.uint32]  # (options,) cell · n + value - 1 of each option
    used: NDArray[np.uint64]  # (3 n,) the values given in each unit; bit value - 1
    unit_of: NDArray[np.uint32]  # (cells, 3) see `unit_numbers`


def allocate_board_links(box: Box) -> BoardLinks:
    """Return arrays for the boards of a box; `link_board` fills in a board."""
    n = box.n
    cells = box.cells
    links = allocate_links(4 * cells, NODES_PER_OPTION * n * cells).unsigned
    # The nodes of each option are consecutive, so their horizontal lists are the same for every
    # board.
    nodes = np.arange(1 + 4 * cells, len(links.L), dtype=np.uint32).reshape(-1, NODES_PER_OPTION)
    links.L[1 + 4 * cells :] = np.roll(nodes, 1, axis=1).ravel()
    links.R[1 + 4 * cells :] = np.roll(nodes, -1, axis=1).ravel()
    placement = np.zeros(n * cells, np.uint32)
    used = np.zeros(3 * n, np.uint64)
    return BoardLinks(links, placement, used, unit_numbers(box))


def unit_numbers(box: Box) -> NDArray[np.uint32]:
    """Return the numbers of the row, the column and the box of each cell, shape (cells, 3).

    Units are numbered in this order: on a 9×9 board, 9 is the first column, and 18 the first box.
    """
    numbers = np.zeros((box.cells, 3), np.uint32)
    for number, cells in enumerate(units(box)):
        numbers[cells, number // box.n] = number
    return numbers


def board_problem(board: NDArray[np.uint8], box: Box) -> tuple[Problem, NDArray[np.int64]] | None:
    """Return the problem of a board, and the placement cell · n + value - 1 of each option.

    A value v + n excludes the value v from an empty cell. Returns None if the givens exclude each
    other.
    """
    n = box.n
    unit_of = unit_numbers(box).astype(np.int64)
    used = np.zeros((3 * n, n), np.int64)  # how often each unit has each value
    is_empty = (board == 0) | (board > n)
    given = np.flatnonzero(~is_empty)
    np.add.at(used, (unit_of[given], board[given, np.newaxis] - 1), 1)
    if used.max() > 1:
        return None
    # (cells, n) the values that no unit of an empty cell has
    is_open = ~used[unit_of].any(axis=1) & is_empty[:, np.newaxis]
    excluded = np.flatnonzero(board > n)
    is_open[excluded, board[excluded] - n - 1] = False
    cell, value = np.nonzero(is_open)
    # The items are the empty cells, and then the values that the units lack. `number` has those of
    # all cells, and of all values of all units, of which the others are not used.
    number = np.cumsum(np.concatenate([is_empty, used.ravel() == 0])) - 1
    needed = box.cells + n * unit_of[cell] + value[:, np.newaxis]
    items = number[np.column_stack([cell, needed])].astype(np.int32)
    indptr = np.arange(0, items.size + 1, 4)
    return Problem(indptr, items.ravel(), int(number[-1]) + 1, 0), n * cell + value


@njit
def mark_givens(board, used, unit_of):
    """Mark the values of `board` (cells,) in `used`; return whether they are consistent.

    `used` and `unit_of` are those of `BoardLinks`; `used` is overwritten.
    """
    used[:] = 0
    repeated = np.uint64(0)
    for cell in range(len(board)):
        if board[cell]:
            bit = ONE << (board[cell] - 1)
            for kind in range(3):
                unit = unit_of[cell, kind]
                repeated |= used[unit] & bit
                used[unit] |= bit
    return repeated == 0


@njit
def append_node(links, node, item):
    """Append `node` to the vertical list of `item`; the last node is linked to the item later."""
    above = links.U[item]
    links.U[node] = above
    links.D[above] = node
    links.U[item] = node
    links.column[node] = item
    links.size[item] += 1


@njit
def link_board(board, board_links):
    """Build the links of a board. The items that the givens cover have the size `INACTIVE`.

    Parameters
    ----------
    board : ndarray of uint8, shape (cells,)
        The values of the cells, 0 if empty.
    board_links : BoardLinks
        Arrays for boards of this size. All but `unit_of` are written.

    Returns
    -------
    bool
        False if the givens are contradictory; the links are not built then.
    """
    links, placement, used, unit_of = board_links
    L, R, U, D, _, size = links
    # All numbers are unsigned: tests whether an index is negative would take as long as a fifth of
    # the search.
    cells = np.uint32(len(unit_of))
    n = np.uint32(len(used) // 3)
    if not mark_givens(board, used, unit_of):
        return False
    for i in range(len(size)):
        U[i] = i
    size[:] = 0
    all_values = ~np.uint64(0) >> np.uint64(64 - n)
    last_item = np.uint32(0)
    option = np.uint32(0)
    node = np.uint32(len(size))
    # Items of cells, with options for the values that none of their units has
    for number in range(cells):
        cell = np.uint32(number)
        item = np.uint32(cell + 1)
        if board[cell]:
            size[item] = INACTIVE
            continue
        R[last_item] = item
        L[item] = last_item
        last_item = item
        free = all_values
        for kind in range(3):
            free &= ~used[unit_of[cell, kind]]
        while free:  # from the smallest value on
            digit = np.uint32(lowest_bit(free))
            free &= free - np.uint64(1)
            placement[option] = cell * n + digit
            option = np.uint32(option + 1)
            append_node(links, node, item)
            node = np.uint32(node + 1)
            for kind in range(3):
                to_place = np.uint32(1 + cells + n * unit_of[cell, kind] + digit)
                append_node(links, node, to_place)
                node = np.uint32(node + 1)
        D[U[item]] = item
    # Items of the values in each unit: those that it lacks are linked, the givens are not.
    for unit in range(len(used)):
        item = np.uint32(1 + cells + n * unit)  # that of its first value
        free = all_values ^ used[unit]
        while free:
            to_place = np.uint32(item + np.uint32(lowest_bit(free)))
            free &= free - np.uint64(1)
            R[last_item] = to_place
            L[to_place] = last_item
            last_item = to_place
            D[U[to_place]] = to_place
        given = used[unit]
        while given:
            size[np.uint32(item + np.uint32(lowest_bit(given)))] = INACTIVE
            given &= given - np.uint64(1)
    R[last_item] = 0
    L[np.uint32(0)] = last_item
    return True


@njit
def read_solution(board, board_links, choice, level, solution):
    """Write `board` with the options chosen at the first `level` levels into `solution`.

    `choice` (levels,) is a node of each chosen option; `board` and `solution` are (cells,) uint8.
    """
    placement = board_links.placement
    n = len(board_links.used) // 3
    first_node = len(board_links.links.size)
    for cell in range(len(board)):
        solution[cell] = board[cell]
    for k in range(level):
        placed = placement[(choice[k] - first_node) // NODES_PER_OPTION]
        solution[placed // n] = placed % n + 1
