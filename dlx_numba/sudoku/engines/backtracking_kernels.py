"""The textbook solvers as kernels that can be interrupted and resumed."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel
from ...kernels.state import BUDGET, EXHAUSTED, SOLUTION
from ..box import Box
from .backtracking import check_blanks
from .base import EngineResult
from .board_links import allocate_board_links, mark_givens

STEPS_PER_SLICE = 1 << 19  # values placed, or boards filled in, between two calls of `stop`

# Registers
BLANK = 0  # the position in `blanks` that `search_naive` has reached
STEPS = 1  # the steps so far


@kernel
def search_naive(filled, blanks, used, box_of, register, max_steps):
    """Search for the next solution by backtracking over the blanks in order.

    Parameters
    ----------
    filled : ndarray of uint8, shape (cells,)
        The board, with a value in each blank before the current one. Written.
    blanks : ndarray of int64, shape (n_blanks,)
        The empty cells of the puzzle.
    used : ndarray of uint64, shape (3, n)
        The values that occur in each row, column and box of `filled`, as bits. Written.
    box_of : ndarray of uint32, shape (cells,)
        The box of each cell.
    register : ndarray of int64, shape (2,)
        `BLANK` and `STEPS`. Written.
    max_steps : int
        The number of steps, counted from the start of the search, at which to interrupt it.

    Returns
    -------
    int
        SOLUTION if `filled` is a solution, EXHAUSTED if there are no more, or BUDGET.
    """
    n = used.shape[1]
    at, steps = register[BLANK], register[STEPS]
    status = EXHAUSTED
    if at == len(blanks):  # resumed after a solution
        at -= 1
    while at >= 0:
        cell = blanks[at]
        row, column, box = cell // n, cell % n, box_of[cell]
        value = filled[cell]
        if value:
            bit = np.uint64(1) << np.uint64(value - 1)
            used[0, row] ^= bit
            used[1, column] ^= bit
            used[2, box] ^= bit
        in_units = used[0, row] | used[1, column] | used[2, box]
        value += 1
        while value <= n and in_units & (np.uint64(1) << np.uint64(value - 1)):
            value += 1
        if value > n:
            filled[cell] = 0
            at -= 1
            continue
        bit = np.uint64(1) << np.uint64(value - 1)
        used[0, row] |= bit
        used[1, column] |= bit
        used[2, box] |= bit
        filled[cell] = value
        steps += 1
        at += 1
        if at == len(blanks):
            status = SOLUTION
            break
        if steps >= max_steps:
            status = BUDGET
            break
    register[BLANK], register[STEPS] = at, steps
    return status


@kernel
def search_very_naive(filled, blanks, used, box_of, register, max_steps):
    """Search for the next solution by checking all fillings of the blanks in counting order.

    Parameters and return values are those of `search_naive`. At the start, `filled` has 1 in each
    blank; `used` is overwritten.
    """
    n = used.shape[1]
    steps = register[STEPS]
    status = BUDGET
    while steps < max_steps:
        if steps:
            at = len(blanks) - 1
            while at >= 0 and filled[blanks[at]] == n:
                filled[blanks[at]] = 1
                at -= 1
            if at < 0:
                status = EXHAUSTED
                break
            filled[blanks[at]] += 1
        steps += 1
        if mark_givens(filled, used, box_of):
            status = SOLUTION
            break
    register[STEPS] = steps
    return status


class KernelEngine:
    """The engines `naive` and, if `exhaustive`, `very-naive`."""

    def __init__(self, box: Box, exhaustive: bool = False) -> None:
        self.box, self.exhaustive = box, exhaustive
        self.search = search_very_naive if exhaustive else search_naive
        board_links = allocate_board_links(box)
        self.used, self.box_of = board_links.used, board_links.box_of

    def solve(
        self,
        boards: NDArray[np.uint8],
        limit: int,
        result: EngineResult,
        stop: Callable[[], bool],
    ) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`.

        Raises ValueError if a board has too many blanks for an exhaustive search.
        """
        for row, board in enumerate(boards):
            if stop():
                return
            filled, blanks, register = board.copy(), np.flatnonzero(board == 0), np.zeros(2, int)
            consistent = mark_givens(filled, self.used, self.box_of)
            if self.exhaustive:
                check_blanks(len(blanks), self.box.n)
                filled[blanks] = 1
            if not consistent or not len(blanks):
                result.counts[row], result.nodes[row] = int(consistent), 0
                if consistent:
                    result.solutions[row] = board
                continue
            found, max_steps = 0, STEPS_PER_SLICE
            while found < limit:
                status = self.search(filled, blanks, self.used, self.box_of, register, max_steps)
                if status == EXHAUSTED:
                    break
                if status == BUDGET:
                    if stop():
                        return
                    max_steps += STEPS_PER_SLICE
                    continue
                if found == 0:
                    result.solutions[row] = filled
                found += 1
            result.counts[row], result.nodes[row] = found, register[STEPS]
