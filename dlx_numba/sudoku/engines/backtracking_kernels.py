"""The naive solvers once more, jitted, and resumable as the dance is."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel
from ...kernels.state import BUDGET, EXHAUSTED, SOLUTION
from ..box import Box
from ..result import BatchResult
from .backtracking import check_blanks
from .board_links import allocate_instance, take_givens

SLICE = 1 << 22  # placements or boards tried between two looks at the clock

AT, TRIED = 0, 1  # registers: the blank that the naive solver is at, and the tries so far


@kernel
def search_naive(filled, blanks, taken, box_of, register, budget):
    """Place the next consistent value in a blank, or go back to the one before.

    `filled` is the board, with a value in each blank that is before the one at hand.
    """
    n = taken.shape[1]
    at, tried = register[AT], register[TRIED]
    status = EXHAUSTED
    if at == len(blanks):  # resumed after a solution
        at -= 1
    while at >= 0:
        cell = blanks[at]
        row, column, box = cell // n, cell % n, box_of[cell]
        value = filled[cell]
        if value:
            bit = np.uint32(1) << np.uint32(value - 1)
            taken[0, row] ^= bit
            taken[1, column] ^= bit
            taken[2, box] ^= bit
        used = taken[0, row] | taken[1, column] | taken[2, box]
        value += 1
        while value <= n and used & (np.uint32(1) << np.uint32(value - 1)):
            value += 1
        if value > n:
            filled[cell] = 0
            at -= 1
            continue
        bit = np.uint32(1) << np.uint32(value - 1)
        taken[0, row] |= bit
        taken[1, column] |= bit
        taken[2, box] |= bit
        filled[cell] = value
        tried += 1
        at += 1
        if at == len(blanks):
            status = SOLUTION
            break
        if tried >= budget:
            status = BUDGET
            break
    register[AT], register[TRIED] = at, tried
    return status


@kernel
def search_very_naive(filled, blanks, taken, box_of, register, budget):
    """Count the blanks up by one, as an odometer does, and check the board that this gives."""
    n = taken.shape[1]
    tried = register[TRIED]
    status = BUDGET
    while tried < budget:
        if tried:
            at = len(blanks) - 1
            while at >= 0 and filled[blanks[at]] == n:
                filled[blanks[at]] = 1
                at -= 1
            if at < 0:
                status = EXHAUSTED
                break
            filled[blanks[at]] += 1
        tried += 1
        if take_givens(filled, taken, box_of):
            status = SOLUTION
            break
    register[TRIED] = tried
    return status


class NaiveKernelEngine:
    """Runs `search_naive` or `search_very_naive` over blocks of boards."""

    def __init__(self, box: Box, kernel: Callable[..., Any]) -> None:
        self.box, self.kernel = box, kernel
        instance = allocate_instance(box)
        self.taken, self.box_of = instance.taken, instance.box_of

    def solve(
        self,
        boards: NDArray[np.uint8],
        limit: int,
        result: BatchResult,
        stop: Callable[[], bool],
    ) -> None:
        """Solve `boards` (N, cells) into `result`, until `stop()`, asked at intervals.

        Raises ValueError where a board has too many blanks for the very naive solver.
        """
        for at, board in enumerate(boards):
            if stop():
                return
            filled, blanks, register = board.copy(), np.flatnonzero(board == 0), np.zeros(2, int)
            consistent = take_givens(filled, self.taken, self.box_of)
            if self.kernel is search_very_naive:
                check_blanks(len(blanks), self.box.n)
                filled[blanks] = 1
            if not consistent or not len(blanks):
                result.counts[at], result.nodes[at] = int(consistent), 0
                if consistent:
                    result.solutions[at] = board
                continue
            found, budget = 0, SLICE
            while found < limit:
                status = self.kernel(filled, blanks, self.taken, self.box_of, register, budget)
                if status == EXHAUSTED:
                    break
                if status == BUDGET:
                    if stop():
                        return
                    budget += SLICE
                    continue
                if found == 0:
                    result.solutions[at] = filled
                found += 1
            result.counts[at], result.nodes[at] = found, register[TRIED]
