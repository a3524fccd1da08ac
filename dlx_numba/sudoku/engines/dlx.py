"""The Sudoku engine `dlx`: the dance, over one board's instance after the other."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel
from ...kernels.algorithm_x import initialize, search
from ...kernels.branching import Branching
from ...kernels.state import BUDGET, SOLUTION, Register, allocate_state
from ...runtime.interrupts import UPDATES_PER_SLICE
from ..box import Box
from ..result import BatchResult
from .board_links import allocate_instance, link_board, read_solution

BOARD, STARTED = 0, 1  # in `progress`: the board that is being solved, and whether it is linked


@kernel
def solve_boards(
    boards, limit, choose, budget, instance, dance, progress, solutions, counts, nodes
):
    """Solve boards from where `progress` stands, until all are done or a budget is used up.

    Returns whether all are done.
    """
    links, register = instance.links, dance.register
    at = progress[BOARD]
    while at < len(boards):
        board = boards[at]
        if not progress[STARTED]:
            if not link_board(board, instance):
                counts[at] = nodes[at] = 0
                at += 1
                continue
            initialize(links, dance, choose)
            register[Register.TARGET] = 1
            progress[STARTED] = 1
        before = register[Register.UPDATES]
        status = search(links, None, dance, before + budget)
        budget -= register[Register.UPDATES] - before
        if status == BUDGET:
            break
        if status == SOLUTION and register[Register.SOLUTIONS] == 1:
            read_solution(board, instance, dance.choice, register[Register.LEVEL], solutions[at])
            register[Register.TARGET] = limit
            if limit > 1:
                continue
        counts[at], nodes[at] = register[Register.SOLUTIONS], register[Register.NODES]
        progress[STARTED] = 0
        at += 1
    progress[BOARD] = at
    return at == len(boards)


class DancingEngine:
    """Solves blocks of boards of one shape; each thread has an engine of its own."""

    def __init__(self, box: Box, choose: int = Branching.SMALLEST) -> None:
        self.choose = choose
        self.instance = allocate_instance(box)
        self.dance = allocate_state(4 * box.cells, len(self.instance.links.L))
        self.progress = np.zeros(2, np.int64)

    def solve(
        self,
        boards: NDArray[np.uint8],
        limit: int,
        result: BatchResult,
        stop: Callable[[], bool],
    ) -> None:
        """Solve `boards` (N, cells) into `result`, until `stop()`, asked at intervals."""
        self.progress[:] = 0
        while not solve_boards(
            boards,
            limit,
            self.choose,
            UPDATES_PER_SLICE,
            self.instance,
            self.dance,
            self.progress,
            *result,
        ):
            if stop():
                break
