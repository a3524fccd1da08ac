"""The Sudoku engine `elimination`: candidates only, without guesses.

A cell with a single candidate takes it, and the value is no longer a candidate of the other cells
of its row, column and box, until nothing changes (naked singles). Most boards need more than that:
the engine does not finish them, and returns them partially filled.
"""

import numpy as np

from ...jit import njit
from ...jit.intrinsics import lowest_bit
from ..box import Box
from .base import Boards, EngineResult, StopCheck
from .board_links import allocate_board_links, mark_givens

CELLS_PER_SLICE = 1 << 14  # between two calls of `stop`


@njit
def eliminate(board, used, box_of):
    """Fill in the cells of a board that have a single candidate, until there are none.

    Parameters
    ----------
    board : ndarray of uint8, shape (cells,)
        The puzzle, 0 for an empty cell. Written.
    used, box_of : ndarray
        The arrays of `BoardLinks`. `used` is written.

    Returns
    -------
    int
        The number of cells that remain empty, or -1 if the board has no solution: if givens
        contradict each other, or a cell has no candidate.
    """
    if not mark_givens(board, used, box_of):
        return -1
    n = used.shape[1]
    all_values = ~np.uint64(0) >> np.uint64(64 - n)
    changed, n_empty = True, 0
    while changed:
        changed, n_empty = False, 0
        for row in range(n):
            for column in range(n):
                cell = row * n + column
                if board[cell]:
                    continue
                box = box_of[cell]
                candidates = all_values & ~(used[0, row] | used[1, column] | used[2, box])
                if candidates == 0:
                    return -1
                if candidates & (candidates - np.uint64(1)):
                    n_empty += 1
                    continue
                board[cell] = lowest_bit(candidates) + 1
                used[0, row] |= candidates
                used[1, column] |= candidates
                used[2, box] |= candidates
                changed = True
    return n_empty


@njit
def eliminate_boards(boards, used, box_of, solutions, counts, nodes):
    """Apply `eliminate` to boards.

    Parameters
    ----------
    boards : ndarray of uint8, shape (N, cells)
        The puzzles, 0 for an empty cell.
    used, box_of : ndarray
        The parameters of `eliminate`.
    solutions, counts, nodes : ndarray
        The arrays of an `EngineResult`. Written.
    """
    for at in range(len(boards)):
        board, solution = boards[at], solutions[at]
        for cell in range(len(board)):
            solution[cell] = board[cell]
        n_empty = eliminate(solution, used, box_of)
        if n_empty < 0:
            solution[:] = 0
        counts[at] = 1 if n_empty == 0 else 0 if n_empty < 0 else -1
        nodes[at] = 0


class EliminationEngine:
    """The engine `elimination`.

    A board that it completes has no other solution, so its count is 1 for any limit. A board that
    it cannot finish has the count -1, and the partially filled board in `solutions`.
    """

    def __init__(self, box: Box) -> None:
        self.board_links = allocate_board_links(box)

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        boards_per_slice = max(1, CELLS_PER_SLICE // boards.shape[1])
        for start in range(0, len(boards), boards_per_slice):
            if stop():
                return
            rows = slice(start, start + boards_per_slice)
            links = self.board_links
            eliminate_boards(boards[rows], links.used, links.box_of, *result.rows(rows))
