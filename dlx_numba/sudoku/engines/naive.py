"""The engine `naive`: backtracking from cell to cell."""

from typing import Any

import numpy as np

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
    places : ndarray of int64, shape (3 * cells,)
        For each cell, where its row, its column and its box start in `taken`.
    taken : ndarray of int64, shape (3 * n * (n + 1),)
        For each unit and each value from 0, whether the unit contains it. Written.
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


class NaiveEngine:
    """A textbook solver: it fills in the empty cells in order, with values that do not conflict.

    Parameters
    ----------
    box
        The box of the boards.
    compiled
        Whether the kernel is compiled, or runs as plain Python.
    """

    def __init__(self, box: Box, compiled: bool = True) -> None:
        self.box, self.compiled = box, compiled
        self.search = search if compiled else plain_python(search)
        self.steps_per_slice = STEPS_PER_SLICE if compiled else PYTHON_STEPS_PER_SLICE
        self.places = np.zeros((box.cells, 3), np.int64)
        for number, cells in enumerate(units(box)):  # rows, columns, boxes
            self.places[cells, number // box.n] = number * (box.n + 1)

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        n = self.box.n
        for row, board in enumerate(boards):
            if stop():
                return
            values = (self.places + board[:, np.newaxis])[board > 0]
            taken, blanks = np.bincount(values.ravel(), minlength=3 * n * (n + 1)), board == 0
            arrays: list[Any] = [board.copy(), np.flatnonzero(blanks), self.places.ravel(), taken]
            arrays.append(np.zeros(2, np.int64))
            if not self.compiled:  # lists are faster in plain Python
                arrays = [array.tolist() for array in arrays]
            filled, *_, register = arrays
            n_found, max_steps = 0, self.steps_per_slice
            status = EXHAUSTED if taken.max() > 1 else OUT_OF_BUDGET
            while status != EXHAUSTED and n_found < limit:
                status = self.search(n, *arrays, max_steps)
                if status == TARGET_REACHED:
                    if n_found == 0:
                        result.solutions[row] = filled
                    n_found += 1
                elif status == OUT_OF_BUDGET:
                    if stop():
                        return
                    max_steps += self.steps_per_slice
            result.counts[row], result.nodes[row] = n_found, register[STEPS]
