"""The engine `naive`: backtracking from cell to cell."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...jit.namespaces import plain_python
from ...kernels.dlx.state import EXHAUSTED, OUT_OF_BUDGET, TARGET_REACHED
from ..box import Box, units
from .base import Boards, EngineResult, StopCheck

# Values placed between two calls of `stop`
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
def search(n, filled, blanks, places, taken, register, max_steps):
    """Search for the next solution by filling in the blanks in order, without conflicts.

    Parameters
    ----------
    n : int
        The largest value.
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
        TARGET_REACHED if `filled` is a solution, EXHAUSTED if there are no more, or OUT_OF_BUDGET.
    """
    at, steps = register[BLANK], register[STEPS]
    status = EXHAUSTED
    while at >= 0:
        if steps >= max_steps:
            status = OUT_OF_BUDGET
            break
        if at == len(blanks):
            at -= 1
            status = TARGET_REACHED
            break
        cell = blanks[at]
        row, column, box = places[3 * cell], places[3 * cell + 1], places[3 * cell + 2]
        value = filled[cell]
        taken[row + value] = taken[column + value] = taken[box + value] = 0
        value += 1
        while value <= n and (taken[row + value] or taken[column + value] or taken[box + value]):
            value += 1
        if value > n:
            filled[cell] = 0
            at -= 1
        else:
            taken[row + value] = taken[column + value] = taken[box + value] = 1
            filled[cell] = value
            steps += 1
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


class NaiveEngine:
    """A textbook solver: it fills in the empty cells in order, with values that do not conflict.

    Parameters
    ----------
    box
        The box of the boards.
    compiled
        Whether the kernels are compiled, or run as plain Python.
    """

    def __init__(self, box: Box, compiled: bool = True) -> None:
        self.box, self.compiled = box, compiled

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        box, compiled, mark, find = self.box, self.compiled, mark_values, search
        steps_per_slice = STEPS_PER_SLICE
        if not compiled:
            mark, find = map(plain_python, (mark_values, search))
            steps_per_slice = PYTHON_STEPS_PER_SLICE
        for row, board in enumerate(boards):
            if stop():
                return
            taken, register = np.zeros(3 * box.n * (box.n + 1), np.uint8), np.zeros(2, np.int64)
            arrays = board.copy(), np.flatnonzero(board == 0), _places(box), taken, register
            # Lists are faster in plain Python.
            lists = arrays if compiled else [array.tolist() for array in arrays]
            filled, _, places, taken, register = lists
            n_found, max_steps = 0, steps_per_slice
            status = OUT_OF_BUDGET if mark(filled, places, taken) else EXHAUSTED
            while status != EXHAUSTED and n_found < limit:
                status = find(box.n, *lists, max_steps)
                if status == TARGET_REACHED:
                    if n_found == 0:
                        result.solutions[row] = filled
                    n_found += 1
                elif status == OUT_OF_BUDGET:
                    if stop():
                        return
                    max_steps += steps_per_slice
            result.counts[row], result.nodes[row] = n_found, register[STEPS]
