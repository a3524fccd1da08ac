"""The Sudoku engine `textbook`: plain `dancing_links`, as older programs solve Sudoku.

The exact cover problem of the empty board is linked once. The options of the givens are chosen
first, then the search fills the other cells; both are undone before the next board.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...dancing_links import (
    COVERS,
    DONE,
    LEVEL,
    STEP,
    cover,
    link,
    retreat,
    search,
    try_option,
    uncover,
    undo_option,
)
from ...jit import njit
from ..box import Box
from .base import Boards, EngineResult, StopCheck
from .board_links import NODES_PER_OPTION, mark_givens, unit_numbers

# Fields of `progress`
BOARD, IS_COVERED = range(2)

NODES_PER_SLICE = 10_000  # of the search tree; of boards of 16×16, they take some 30 ms


class TextbookWorkspace(NamedTuple):
    """The links of a board, and the search on them.

    Attributes
    ----------
    links
        The six arrays that `link` returns for the empty board.
    first_nodes
        The first node of each value in each cell, shape (cells, n): that of the item of the cell.
    unit_of, used
        The arguments of `mark_givens`.
    chosen, nodes, state
        The arguments of `search`.
    progress
        The board that is being solved, and whether its givens are covered.
    """

    links: tuple[NDArray[np.uint32], ...]
    first_nodes: NDArray[np.uint32]
    unit_of: NDArray[np.uint32]
    used: NDArray[np.uint64]
    chosen: NDArray[np.uint32]
    nodes: NDArray[np.int64]
    state: NDArray[np.int64]
    progress: NDArray[np.int64]


def allocate_workspace(box: Box) -> TextbookWorkspace:
    """Link the empty board of a box."""
    n = box.n
    cells = box.cells
    unit_of = unit_numbers(box)
    options = [
        [cell, *(cells + n * unit + value for unit in units)]
        for cell, units in enumerate(unit_of.tolist())
        for value in range(n)
    ]
    n_items = NODES_PER_OPTION * cells
    first_nodes = 1 + n_items + NODES_PER_OPTION * np.arange(n * cells, dtype=np.uint32)
    return TextbookWorkspace(
        links=tuple(array.view(np.uint32) for array in link(options, n_items)),
        first_nodes=first_nodes.reshape(cells, n),
        unit_of=unit_of,
        used=np.zeros(3 * n, np.uint64),
        chosen=np.zeros(n_items, np.uint32),
        nodes=np.zeros(n_items, np.int64),
        state=np.zeros(4, np.int64),
        progress=np.zeros(2, np.int64),
    )


@njit
def cover_givens(workspace, board):
    """Choose the options of the givens of a board (cells,), which must not exclude each other."""
    L, R, U, D, column, size = workspace.links
    for cell in range(len(board)):
        if board[cell]:
            node = workspace.first_nodes[cell, board[cell] - 1]
            cover(L, R, U, D, column, size, column[node])
            try_option(L, R, U, D, column, size, node)


@njit
def restore(workspace, board):
    """End the search for a board, and undo `cover_givens`, in the opposite order."""
    L, R, U, D, column, size = workspace.links
    retreat(L, R, U, D, column, size, workspace.chosen, workspace.state)
    for cell in range(len(board) - 1, -1, -1):
        if board[cell]:
            node = workspace.first_nodes[cell, board[cell] - 1]
            undo_option(L, R, U, D, column, size, node)
            uncover(L, R, U, D, column, size, column[node])
    workspace.progress[IS_COVERED] = 0


@njit
def read_solution(workspace, board, solution):
    """Write a board (cells,), with the values that the search has chosen, into `solution`."""
    n = workspace.first_nodes.shape[1]
    first = workspace.first_nodes[0, 0]
    for cell in range(len(board)):
        solution[cell] = board[cell]
    for level in range(workspace.state[LEVEL]):
        option = np.int64(workspace.chosen[level] - first) // NODES_PER_OPTION
        solution[option // n] = option % n + 1


@njit
def solve_boards(boards, limit, budget, workspace, result):
    """Solve boards, from the one in `progress` on, until `budget` nodes are visited.

    Parameters
    ----------
    boards, limit, result
        As for `Engine.solve`. `result` is written.
    budget : int
        The number of nodes of the search trees after which to return.
    workspace : TextbookWorkspace
        Written.

    Returns
    -------
    bool
        Whether all boards are solved.
    """
    links, _, unit_of, used, chosen, nodes, state, progress = workspace
    L, R, U, D, column, size = links
    number = progress[BOARD]
    while number < len(boards):
        board = boards[number]
        if not progress[IS_COVERED]:
            if not mark_givens(board, used, unit_of):
                result.counts[number] = 0
                number += 1
                continue
            cover_givens(workspace, board)
            nodes[:] = 0
            state[:] = 0
            progress[IS_COVERED] = 1
        # The first solution is kept; then the search goes on, to count the others.
        target = limit if state[COVERS] else 1
        n_before = nodes.sum()
        # The last argument: items are chosen by their sizes, not from the left.
        n_found = search(L, R, U, D, column, size, chosen, nodes, state, target, budget, False)
        budget -= nodes.sum() - n_before
        is_done = n_found == limit or state[STEP] == DONE  # or else out of budget, or at the target
        if n_found == target == 1:
            read_solution(workspace, board, result.solutions[number])
        elif not is_done:
            break
        if is_done:
            result.counts[number] = n_found
            result.nodes[number] = nodes.sum()
            restore(workspace, board)
            number += 1
    progress[BOARD] = number
    return number == len(boards)


class TextbookEngine:
    """The engine `textbook`."""

    def __init__(self, box: Box) -> None:
        self.workspace = allocate_workspace(box)

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        progress = self.workspace.progress
        progress[:] = 0
        while not solve_boards(boards, limit, NODES_PER_SLICE, self.workspace, result):
            if stop():
                if progress[IS_COVERED]:
                    restore(self.workspace, boards[progress[BOARD]])
                break
