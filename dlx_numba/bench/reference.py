"""Textbook solvers, over which the benchmark states speedups. Each is a function."""

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from ..jit.intrinsics import lowest_bit
from ..jit.namespaces import plain_python
from ..kernels.dlx.state import BUDGET, EXHAUSTED, SOLUTION
from ..sudoku.box import Box, units
from ..sudoku.engines.base import Boards, EngineResult, StopCheck
from ..sudoku.engines.board_links import box_numbers, mark_givens

MAX_FILLINGS = 10**8  # an exhaustive search of more would take too long

# Values placed, or boards filled in, between two calls of `stop`
STEPS_PER_SLICE = 1 << 19
PYTHON_STEPS_PER_SLICE = 1 << 8

# Registers
BLANK = 0  # the position in `blanks` at which `search` continues
STEPS = 1  # the steps so far


@njit
def mark_values(filled, places, taken):
    """Mark the values of a board as taken; return False if one is repeated in a unit.

    Parameters
    ----------
    filled : ndarray of uint8, shape (cells,)
        The values of the cells, 0 if empty.
    places : ndarray of int64, shape (3 * cells,)
        For each cell, where its row, its column and its box start in `taken`.
    taken : ndarray of uint8, shape (3 * n * (n + 1),)
        For each unit and each value from 0, whether the unit contains it. Written.
    """
    for place in range(len(taken)):
        taken[place] = 0
    for cell in range(len(filled)):
        if filled[cell]:
            for kind in range(3):
                place = places[3 * cell + kind] + filled[cell]
                if taken[place]:
                    return False
                taken[place] = 1
    return True


@njit
def search(n, exhaustive, filled, blanks, places, taken, register, max_steps):
    """Search for the next solution by filling in the blanks in order.

    Parameters
    ----------
    n : int
        The largest value.
    exhaustive : bool
        Whether all fillings are tried: a board is checked when it is complete. Otherwise, only
        values that do not conflict are placed.
    filled : ndarray of uint8, shape (cells,)
        The board, with a value in each blank before the current one. Written.
    blanks : ndarray of int64, shape (n_blanks,)
        The empty cells of the puzzle.
    places, taken : ndarray
        The arrays of `mark_values`, which has marked the puzzle. `taken` is written.
    register : ndarray of int64, shape (2,)
        `BLANK` and `STEPS`. Written.
    max_steps : int
        The number of steps, counted from the start of the search, at which to interrupt it.

    Returns
    -------
    int
        SOLUTION if `filled` is a solution, EXHAUSTED if there are no more, or BUDGET.
    """
    at, steps = register[BLANK], register[STEPS]
    status = EXHAUSTED
    while at >= 0:
        if steps >= max_steps:
            status = BUDGET
            break
        if at == len(blanks):
            at -= 1
            if exhaustive:
                steps += 1
                if not mark_values(filled, places, taken):
                    continue
            status = SOLUTION
            break
        cell = blanks[at]
        row, column, box = places[3 * cell], places[3 * cell + 1], places[3 * cell + 2]
        value = filled[cell]
        taken[row + value] = taken[column + value] = taken[box + value] = 0
        value += 1
        if not exhaustive:
            while value <= n and (
                taken[row + value] or taken[column + value] or taken[box + value]
            ):
                value += 1
        if value > n:
            filled[cell] = 0
            at -= 1
        else:
            taken[row + value] = taken[column + value] = taken[box + value] = 1
            filled[cell] = value
            steps += not exhaustive
            at += 1
    register[BLANK], register[STEPS] = at, steps
    return status


@lru_cache
def _places(box: Box) -> NDArray[np.int64]:
    """Return the array `places` of `mark_values`."""
    places = np.zeros((box.cells, 3), np.int64)
    for number, cells in enumerate(units(box)):  # rows, columns, boxes
        places[cells, number // box.n] = number * (box.n + 1)
    return places.ravel()


def backtrack(
    exhaustive: bool,
    compiled: bool,
    box: Box,
    boards: Boards,
    limit: int,
    result: EngineResult,
    stop: StopCheck,
) -> None:
    """Solve boards by backtracking from cell to cell, or by trying all fillings if `exhaustive`.

    Raises ValueError if a board has too many blanks for an exhaustive search.
    """
    n = box.n
    mark, find = (mark_values, search) if compiled else map(plain_python, (mark_values, search))
    slice_steps = STEPS_PER_SLICE if compiled else PYTHON_STEPS_PER_SLICE
    for row, board in enumerate(boards):
        if stop():
            return
        blanks, taken = np.flatnonzero(board == 0), np.zeros(3 * n * (n + 1), np.uint8)
        if exhaustive:
            _check_blanks(len(blanks), n)
        filled, register = board.copy(), np.zeros(2, np.int64)
        arrays = filled, blanks, _places(box), taken, register
        if not compiled:  # lists are faster in plain Python
            arrays = tuple(array.tolist() for array in arrays)
        filled, _, places, taken, register = arrays
        n_found, max_steps, status = 0, slice_steps, BUDGET
        if not mark(filled, places, taken):
            status = EXHAUSTED
        while status != EXHAUSTED and n_found < limit:
            status = find(n, exhaustive, *arrays, max_steps)
            if status == SOLUTION:
                if n_found == 0:
                    result.solutions[row] = filled
                n_found += 1
            elif status == BUDGET:
                if stop():
                    return
                max_steps += slice_steps
        result.counts[row], result.nodes[row] = n_found, register[STEPS]


def _check_blanks(blanks: int, n: int) -> None:
    """Raise ValueError if a board has too many empty cells for an exhaustive search."""
    if n**blanks > MAX_FILLINGS:
        max_blanks = max(k for k in range(blanks) if n**k <= MAX_FILLINGS)
        raise ValueError(
            f"{blanks} blanks are too many for the very naive solver, which would try "
            f"{n}^{blanks} boards; at {n}x{n} it supports up to {max_blanks} blanks"
        )


@njit
def eliminate(board, used, box_of):
    """Fill in the cells of a board that have a single candidate, until there are none.

    Parameters
    ----------
    board : ndarray of uint8, shape (cells,)
        The puzzle, 0 for an empty cell. Written.
    used : ndarray of uint64, shape (3, n)
        The values in each row, column and box; bit value - 1. Written.
    box_of : ndarray of uint32, shape (cells,)
        The box of each cell.

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
        for cell in range(len(board)):
            if board[cell]:
                continue
            row, column, box = cell // n, cell % n, box_of[cell]
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


def solve_by_elimination(
    box: Box, boards: Boards, limit: int, result: EngineResult, stop: StopCheck
) -> None:
    """Fill in naked singles only. A board that remains unfinished has the count -1.

    A board that is completed has no other solution, so its count is 1 for any limit.
    """
    used, box_of = np.zeros((3, box.n), np.uint64), _boxes(box)
    for row, board in enumerate(boards):
        if stop():
            return
        filled = board.copy()
        n_empty = eliminate(filled, used, box_of)
        if n_empty >= 0:
            result.solutions[row] = filled
        result.counts[row] = 1 if n_empty == 0 else 0 if n_empty < 0 else -1


_boxes = lru_cache(box_numbers)

Solver = Callable[[Box, Boards, int, EngineResult, StopCheck], None]

SOLVERS: dict[str, Solver] = {
    "elimination": solve_by_elimination,
    "naive": partial(backtrack, False, True),
    "very-naive": partial(backtrack, True, True),
    "naive-python": partial(backtrack, False, False),
    "very-naive-python": partial(backtrack, True, False),
}
