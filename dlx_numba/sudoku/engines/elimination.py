"""The Sudoku engine `elimination`: candidates only, without guesses.

A cell with a single candidate takes it, and the value is no longer a candidate of the other cells
of its row, column and box, until nothing changes (naked singles). Most boards need more than that:
the engine does not finish them, and returns them partially filled.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import inlined, kernel
from ...jit.intrinsics import lowest_bit
from ..box import Box, units
from .base import EngineResult

CELLS_PER_SLICE = 1 << 14  # between two calls of `stop`


@inlined
def place(used, row, column, box, value):
    """Add `value` to the sets of a row, column and box; return whether it was in none of them."""
    bit = np.uint64(1) << np.uint64(value - 1)
    is_new = (used[0, row] | used[1, column] | used[2, box]) & bit == 0
    used[0, row] |= bit
    used[1, column] |= bit
    used[2, box] |= bit
    return is_new


@kernel
def eliminate(board, box_of, used):
    """Fill in the cells of a board that have a single candidate, until there are none.

    Parameters
    ----------
    board : ndarray of uint8, shape (cells,)
        The puzzle, 0 for an empty cell. Written.
    box_of : ndarray of uint64, shape (cells,)
        The box of each cell.
    used : ndarray of uint64, shape (3, n)
        The values in each row, column and box, as bits. Written.

    Returns
    -------
    int
        The number of cells that remain empty, or -1 if the board has no solution: if givens
        contradict each other, or a cell has no candidate.
    """
    n = used.shape[1]
    n_empty = len(board)
    used[:] = 0
    for row in range(n):
        for column in range(n):
            cell = row * n + column
            if board[cell]:
                n_empty -= 1
                if not place(used, row, column, box_of[cell], board[cell]):
                    return -1
    all_values = ~np.uint64(0) >> np.uint64(64 - n)
    changed = n_empty > 0
    while changed:
        changed = False
        for row in range(n):
            for column in range(n):
                cell = row * n + column
                if board[cell]:
                    continue
                box = box_of[cell]
                candidates = all_values & ~(used[0, row] | used[1, column] | used[2, box])
                if candidates == 0:
                    return -1
                if candidates & (candidates - np.uint64(1)) == 0:
                    value = lowest_bit(candidates) + 1
                    board[cell] = value
                    place(used, row, column, box, value)
                    n_empty -= 1
                    changed = True
    return n_empty


@kernel
def eliminate_boards(boards, start, end, box_of, used, solutions, counts, nodes):
    """Apply `eliminate` to the boards from `start` up to, but not including, `end`.

    Parameters
    ----------
    boards : ndarray of uint8, shape (N, cells)
        The puzzles, 0 for an empty cell.
    start, end : int
        The range of boards.
    box_of, used : ndarray of uint64
        The parameters of `eliminate`.
    solutions, counts, nodes : ndarray
        The arrays of an `EngineResult`. Written.
    """
    for at in range(start, end):
        board, solution = boards[at], solutions[at]
        for cell in range(len(board)):
            solution[cell] = board[cell]
        n_empty = eliminate(solution, box_of, used)
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
        self.used = np.zeros((3, box.n), np.uint64)
        self.box_of = np.zeros(box.cells, np.uint64)
        for number, cells in enumerate(units(box)[-box.n :]):
            self.box_of[cells] = number

    def solve(
        self,
        boards: NDArray[np.uint8],
        limit: int,
        result: EngineResult,
        stop: Callable[[], bool],
    ) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        boards_per_slice = max(1, CELLS_PER_SLICE // len(self.box_of))
        for start in range(0, len(boards), boards_per_slice):
            if stop():
                return
            end = min(start + boards_per_slice, len(boards))
            eliminate_boards(boards, start, end, self.box_of, self.used, *result)
