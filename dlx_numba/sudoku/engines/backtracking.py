"""The textbook solvers `naive` and `very-naive`, compiled or not: baselines and oracles."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...jit.namespaces import plain_python
from ...kernels.dlx.state import BUDGET, EXHAUSTED, SOLUTION
from ..box import Box, units
from .base import Boards, EngineResult, StopCheck

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


class BacktrackingEngine:
    """The engines `naive` and, if `exhaustive`, `very-naive`; in plain Python if not `compiled`."""

    def __init__(self, box: Box, exhaustive: bool = False, compiled: bool = True) -> None:
        self.n, self.exhaustive, self.compiled = box.n, exhaustive, compiled
        self.mark, self.search = mark_values, search
        if not compiled:
            self.mark, self.search = plain_python(mark_values), plain_python(search)
        places = np.zeros((box.cells, 3), np.int64)
        for number, cells in enumerate(units(box)):  # rows, columns, boxes
            places[cells, number // box.n] = number * (box.n + 1)
        self.places = self._array(places.ravel())
        self.taken = self._array(np.zeros(3 * box.n * (box.n + 1), np.uint8))

    def _array(self, array: NDArray[Any]) -> Any:
        """Return an array for a kernel; lists are faster in plain Python."""
        return array if self.compiled else array.tolist()

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`.

        Raises ValueError if a board has too many blanks for an exhaustive search.
        """
        steps_per_slice = STEPS_PER_SLICE if self.compiled else PYTHON_STEPS_PER_SLICE
        for row, board in enumerate(boards):
            if stop():
                return
            filled, register = self._array(board.copy()), self._array(np.zeros(2, np.int64))
            blanks = self._array(np.flatnonzero(board == 0))
            if self.exhaustive:
                _check_blanks(len(blanks), self.n)
            arrays = filled, blanks, self.places, self.taken, register
            n_found, max_steps = 0, steps_per_slice
            is_open = self.mark(filled, self.places, self.taken)
            while is_open and n_found < limit:
                status = self.search(self.n, self.exhaustive, *arrays, max_steps)
                if status == SOLUTION:
                    if n_found == 0:
                        result.solutions[row] = filled
                    n_found += 1
                elif status == BUDGET:
                    if stop():
                        return
                    max_steps += steps_per_slice
                else:
                    is_open = False
            result.counts[row], result.nodes[row] = n_found, register[STEPS]


def _check_blanks(blanks: int, n: int) -> None:
    """Raise ValueError if a board has too many empty cells for an exhaustive search."""
    if n**blanks > MAX_FILLINGS:
        max_blanks = max(k for k in range(blanks) if n**k <= MAX_FILLINGS)
        raise ValueError(
            f"{blanks} blanks are too many for the very naive solver, which would try "
            f"{n}^{blanks} boards; at {n}x{n} it supports up to {max_blanks} blanks"
        )
