"""The baseline `naive`: fill cell by cell, and test the row, the column and the box of each."""

import numpy as np

from ..jit import njit
from ..sudoku.box import Box
from ..sudoku.engines.base import Boards, EngineResult, StopCheck
from ..sudoku.engines.board_links import mark_givens, unit_numbers

NODES_PER_SLICE = 100_000  # some 30 ms

# Fields of `progress`: the current board; whether its givens are written; its next cell, which is
# the number of cells if all are filled, or -1 if all values were tried; the numbers of its
# solutions and nodes so far
BOARD, IS_BEGUN, CELL, FOUND, NODES = range(5)


@njit
def fits(grid, cell, value, rows, columns, first_of):
    """Return whether a value is not yet in the row, the column and the box of a cell."""
    n = rows * columns
    row = first_of[cell, 0]
    column = first_of[cell, 1]
    box = first_of[cell, 2]
    for k in range(n):
        if grid[row + k] == value or grid[column + n * k] == value:
            return False
    for _ in range(rows):
        for k in range(columns):
            if grid[box + k] == value:
                return False
        box += np.uint32(n)  # the first cell of the box in the next row
    return True


@njit
def place_next(grid, cell, rows, columns, first_of):
    """Write the next higher value that fits into a cell, and return True.

    If there is none, empty the cell, and return False. An empty cell is 0, so its next value is the
    lowest one.
    """
    value = grid[cell] + 1
    grid[cell] = 0
    while value <= rows * columns:
        if fits(grid, cell, value, rows, columns, first_of):
            grid[cell] = value
            return True
        value += 1
    return False


@njit
def previous_empty(board, cell):
    """Return the last empty cell before a cell, or -1."""
    cell -= 1
    while cell >= 0 and board[cell] != 0:
        cell -= 1
    return cell


@njit
def solve_boards(
    boards, limit, budget, rows, columns, first_of, unit_of, used, grid, progress, result
):
    """Solve boards, from the one in `progress` on, until `budget` values are placed.

    The search of a board moves from cell to cell: forward if a value fits into an empty cell, and
    back to the last one if none does.

    Parameters
    ----------
    boards, limit, result
        As for `Engine.solve`. `result` is written.
    budget : int
        The number of nodes, which are values placed, after which to return.
    rows, columns : int
        The size of a box.
    first_of : ndarray of uint32, shape (cells, 3)
        The first cell of the row, of the column and of the box of each cell.
    unit_of, used
        The arguments of `mark_givens`. `used` is written.
    grid : ndarray of int64, shape (cells,)
        The current values. Written.
    progress : ndarray of int64, shape (5,)
        Zeros at the start. Written.

    Returns
    -------
    bool
        Whether all boards are solved.
    """
    n_cells = len(grid)
    while progress[BOARD] < len(boards):
        number = progress[BOARD]
        board = boards[number]
        if not progress[IS_BEGUN]:
            for k in range(n_cells):
                grid[k] = board[k]
            # If the givens exclude each other, the search has ended before it begins.
            progress[CELL] = 0 if mark_givens(board, used, unit_of) else -1
            progress[FOUND] = 0
            progress[NODES] = 0
            progress[IS_BEGUN] = 1
        cell = progress[CELL]
        while cell >= 0 and progress[FOUND] < limit and budget > 0:
            if cell == n_cells:  # a solution; the first one is kept
                if progress[FOUND] == 0:
                    for k in range(n_cells):
                        result.solutions[number, k] = grid[k]
                progress[FOUND] += 1
                cell = previous_empty(board, cell)
            elif board[cell] != 0:
                cell += 1
            elif place_next(grid, cell, rows, columns, first_of):
                progress[NODES] += 1
                budget -= 1
                cell += 1
            else:
                cell = previous_empty(board, cell)
        progress[CELL] = cell
        if cell >= 0 and progress[FOUND] < limit:  # the budget is spent
            return False
        result.counts[number] = progress[FOUND]
        result.nodes[number] = progress[NODES]
        progress[IS_BEGUN] = 0
        progress[BOARD] += 1
    return True


class NaiveSolver:
    """The baseline for boards of one shape; its method is that of an `Engine`."""

    def __init__(self, box: Box) -> None:
        self.box = box
        row, column = np.divmod(np.arange(box.cells), box.n)
        corner = box.n * (row - row % box.rows) + column - column % box.columns
        first = np.stack([box.n * row, column, corner], axis=1)
        self.first_of = first.astype(np.uint32)
        self.unit_of = unit_numbers(box)
        self.used = np.zeros(3 * box.n, np.uint64)
        self.grid = np.zeros(box.cells, np.int64)

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        progress = np.zeros(5, np.int64)
        arrays = self.first_of, self.unit_of, self.used, self.grid, progress
        while not solve_boards(boards, limit, NODES_PER_SLICE, *self.box, *arrays, result):
            if stop():
                break
