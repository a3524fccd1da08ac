"""A Sudoku board as an exact cover problem, built inside jitted code.

There are four kinds of primary item, n² of each: a cell to fill, and a digit to be placed in a
row, in a column, in a box. An option puts a digit into a cell and so has four nodes. Only what
the givens leave is built: the items that they do not cover, and the options that they allow.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bits import lowest_bit
from ...jit.compile import kernel
from ...kernels.links import Links, allocate_links
from ..box import Box, units

NODES_OF_OPTION = 4


class Instance(NamedTuple):
    """Room for the instance of one board after the other; all arrays are uint32."""

    links: Links
    placement: NDArray[np.uint32]  # (options,) cell · n + digit - 1 of each option
    taken: NDArray[np.uint32]  # (3, n) the digits that a row, column, box has: bit digit - 1
    box_of: NDArray[np.uint32]  # (cells,) the box of a cell


def allocate_instance(box: Box) -> Instance:
    n, cells = box.n, box.cells
    links = allocate_links(4 * cells, NODES_OF_OPTION * n * cells).unsigned()
    # Options are built one behind the other, so that their circles are the same for all boards.
    nodes = np.arange(1 + 4 * cells, len(links.L), dtype=np.uint32).reshape(-1, NODES_OF_OPTION)
    links.L[1 + 4 * cells :] = np.roll(nodes, 1, axis=1).ravel()
    links.R[1 + 4 * cells :] = np.roll(nodes, -1, axis=1).ravel()
    box_of = np.zeros(cells, np.uint32)
    for number, its_cells in enumerate(units(box)[-n:]):
        box_of[its_cells] = number
    return Instance(
        links,
        np.zeros(n * cells, np.uint32),
        np.zeros((3, n), np.uint32),
        box_of,
    )


@kernel
def take_givens(board, taken, box_of):
    """Note which digits the givens take. Returns whether no two of them are at odds."""
    n = taken.shape[1]
    for line in range(n):
        taken[0, line] = taken[1, line] = taken[2, line] = 0
    at_odds = np.uint32(0)
    cell = np.uint32(0)
    for row in range(n):
        for column in range(n):
            if board[cell]:
                bit = np.uint32(1) << np.uint32(board[cell] - 1)
                box = box_of[cell]
                at_odds |= (taken[0, row] | taken[1, column] | taken[2, box]) & bit
                taken[0, row] |= bit
                taken[1, column] |= bit
                taken[2, box] |= bit
            cell = np.uint32(cell + 1)
    return at_odds == 0


@kernel
def append_node(links, node, item):
    """Put `node` at the lower end of an item's list, whose circle is closed later."""
    above = links.U[item]
    links.U[node] = above
    links.D[above] = node
    links.U[item] = node
    links.column[node] = item
    links.size[item] += np.uint32(1)


@kernel
def link_board(board, instance):
    """Build the links of the instance that `board` leaves. Returns whether givens allow one."""
    links, placement, taken, box_of = instance
    L, R, U, D, _, size = links
    n = np.uint32(taken.shape[1])
    cells = np.uint32(len(box_of))
    if not take_givens(board, taken, box_of):
        return False
    for i in range(len(size)):
        U[i] = i
        size[i] = 0
    all_digits = np.uint32((1 << n) - 1)
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
                free = all_digits ^ (taken[0, row] | taken[1, column] | taken[2, box])
                of_row = np.uint32(rows + np.uint32(row) * n)
                of_column = np.uint32(columns + np.uint32(column) * n)
                of_box = np.uint32(boxes + box * n)
                while free:
                    digit = lowest_bit(free)
                    free &= np.uint32(free - 1)
                    placement[option] = cell * n + digit
                    option = np.uint32(option + 1)
                    append_node(links, node, item)
                    append_node(links, np.uint32(node + 1), np.uint32(of_row + digit))
                    append_node(links, np.uint32(node + 2), np.uint32(of_column + digit))
                    append_node(links, np.uint32(node + 3), np.uint32(of_box + digit))
                    node = np.uint32(node + 4)
                D[U[item]] = item
            cell = np.uint32(cell + 1)
    item = rows
    for kind in range(3):
        for line in range(n):
            free = all_digits ^ taken[kind, line]
            while free:
                to_place = np.uint32(item + lowest_bit(free))
                free &= np.uint32(free - 1)
                R[last_item] = to_place
                L[to_place] = last_item
                last_item = to_place
                D[U[to_place]] = to_place
            item = np.uint32(item + n)
    R[last_item] = 0
    L[np.uint32(0)] = last_item
    return True


@kernel
def read_solution(board, instance, choice, level, solution):
    """Write the givens and the options chosen at the first `level` levels as a full board."""
    placement, taken = instance.placement, instance.taken
    n = np.uint32(taken.shape[1])
    first_node = np.uint32(len(instance.links.size))
    for cell in range(len(board)):
        solution[cell] = board[cell]
    for k in range(level):
        where = placement[np.uint32(choice[k] - first_node) >> np.uint32(2)]
        solution[where // n] = where % n + 1
