"""The exact cover problem of a Sudoku board as links, built by a kernel for one board at a time.

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
from ..box import Box, units

NODES_PER_OPTION = 4


class BoardLinks(NamedTuple):
    """The links of one board at a time; all arrays but `used` have the dtype uint32."""

    links: Links
    placement: NDArray[np.uint32]  # (options,) cell · n + value - 1 of each option
    used: NDArray[np.uint64]  # (3, n) the values given in each row, column, box; bit value - 1
    box_of: NDArray[np.uint32]  # (cells,) the box of each cell


def allocate_board_links(box: Box) -> BoardLinks:
    """Return arrays for the boards of a box; `link_board` fills in a board."""
    n, cells = box.n, box.cells
    links = allocate_links(4 * cells, NODES_PER_OPTION * n * cells)
    # The nodes of each option are consecutive, so their horizontal lists are the same for every
    # board.
    nodes = np.arange(1 + 4 * cells, len(links.L), dtype=np.uint32).reshape(-1, NODES_PER_OPTION)
    links.L[1 + 4 * cells :] = np.roll(nodes, 1, axis=1).ravel()
    links.R[1 + 4 * cells :] = np.roll(nodes, -1, axis=1).ravel()
    placement, used = np.zeros(n * cells, np.uint32), np.zeros((3, n), np.uint64)
    return BoardLinks(links, placement, used, box_numbers(box))


def box_numbers(box: Box) -> NDArray[np.uint32]:
    """Return the number of the box of each cell, shape (cells,)."""
    numbers = np.zeros(box.cells, np.uint32)
    for number, cells in enumerate(units(box)[-box.n :]):
        numbers[cells] = number
    return numbers


@njit
def mark_givens(board, used, box_of):
    """Mark the values of `board` (cells,) in `used`; return whether they are consistent.

    `used` and `box_of` are those of `BoardLinks`; `used` is overwritten.
    """
    n = used.shape[1]
    for line in range(n):
        used[0, line] = used[1, line] = used[2, line] = 0
    repeated = np.uint64(0)
    cell = np.uint32(0)
    for row in range(n):
        for column in range(n):
            if board[cell]:
                bit = np.uint64(1) << np.uint64(board[cell] - 1)
                box = box_of[cell]
                repeated |= (used[0, row] | used[1, column] | used[2, box]) & bit
                used[0, row] |= bit
                used[1, column] |= bit
                used[2, box] |= bit
            cell = np.uint32(cell + 1)
    return repeated == 0


@njit
def append_node(links, node, item):
    """Append `node` to the vertical list of `item`; the last node is linked to the item later."""
    above = links.U[item]
    links.U[node] = above
    links.D[above] = node
    links.U[item] = node
    links.column[node] = item
    links.size[item] += np.uint32(1)


@njit
def link_board(board, board_links):
    """Build the links of a board. The items that the givens cover have the size `INACTIVE`.

    Parameters
    ----------
    board : ndarray of uint8, shape (cells,)
        The values of the cells, 0 if empty.
    board_links : BoardLinks
        Arrays for boards of this size. All but `box_of` are written.

    Returns
    -------
    bool
        False if the givens are contradictory; the links are not built then.
    """
    links, placement, used, box_of = board_links
    L, R, U, D, _, size = links
    n = np.uint32(used.shape[1])
    cells = np.uint32(len(box_of))
    if not mark_givens(board, used, box_of):
        return False
    for i in range(len(size)):
        U[i] = i
        size[i] = 0
    all_values = ~np.uint64(0) >> np.uint64(64 - n)
    rows, columns, boxes = np.uint32(1 + cells), np.uint32(1 + 2 * cells), np.uint32(1 + 3 * cells)
    last_item = np.uint32(0)
    option, node = np.uint32(0), np.uint32(len(size))
    cell = np.uint32(0)
    for row in range(n):
        for column in range(n):
            if board[cell] == 0:
                box = box_of[cell]
                item = np.uint32(cell + 1)
                R[last_item] = item
                L[item] = last_item
                last_item = item
                free = all_values ^ (used[0, row] | used[1, column] | used[2, box])
                row_items = np.uint32(rows + np.uint32(row) * n)
                column_items = np.uint32(columns + np.uint32(column) * n)
                box_items = np.uint32(boxes + box * n)
                while free:
                    digit = np.uint32(lowest_bit(free))
                    free &= free - np.uint64(1)
                    placement[option] = cell * n + digit
                    option = np.uint32(option + 1)
                    append_node(links, node, item)
                    append_node(links, np.uint32(node + 1), np.uint32(row_items + digit))
                    append_node(links, np.uint32(node + 2), np.uint32(column_items + digit))
                    append_node(links, np.uint32(node + 3), np.uint32(box_items + digit))
                    node = np.uint32(node + 4)
                D[U[item]] = item
            else:
                size[np.uint32(cell + 1)] = INACTIVE
            cell = np.uint32(cell + 1)
    item = rows
    for kind in range(3):
        for line in range(n):
            free = all_values ^ used[kind, line]
            while free:
                to_place = np.uint32(item + np.uint32(lowest_bit(free)))
                free &= free - np.uint64(1)
                R[last_item] = to_place
                L[to_place] = last_item
                last_item = to_place
                D[U[to_place]] = to_place
            given = used[kind, line]
            while given:
                size[np.uint32(item + np.uint32(lowest_bit(given)))] = INACTIVE
                given &= given - np.uint64(1)
            item = np.uint32(item + n)
    R[last_item] = 0
    L[np.uint32(0)] = last_item
    return True


@njit
def read_solution(board, board_links, choice, level, solution):
    """Write `board` with the options chosen at the first `level` levels into `solution`.

    `choice` (levels,) is a node of each chosen option; `board` and `solution` are (cells,) uint8.
    """
    placement, used = board_links.placement, board_links.used
    n = np.uint32(used.shape[1])
    first_node = np.uint32(len(board_links.links.size))
    for cell in range(len(board)):
        solution[cell] = board[cell]
    for k in range(level):
        placed = placement[np.uint32(choice[k] - first_node) >> np.uint32(2)]
        solution[placed // n] = placed % n + 1
