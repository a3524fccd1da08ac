"""The Sudoku engine `dlx`: Dancing Links on the exact cover problem of one board after another."""

import numpy as np

from ...jit import njit
from ...kernels.dlx.algorithm_x import initialize, search
from ...kernels.dlx.branching import Branching
from ...kernels.dlx.state import OUT_OF_BUDGET, TARGET_REACHED, Register, allocate_state
from ...runtime.interrupts import UPDATES_PER_SLICE
from ..box import Box
from .base import Boards, EngineResult, StopCheck
from .board_links import allocate_board_links, link_board, read_solution

SMALLEST = int(Branching.SMALLEST)

# Fields of `progress`
BOARD = 0  # the board that is being solved
LINKED = 1  # whether its links are built


@njit
def solve_boards(boards, limit, budget, board_links, state, progress, result):
    """Solve boards, starting at the position in `progress`, until the budget is spent.

    Parameters
    ----------
    boards : ndarray of uint8, shape (N, cells)
        The puzzles, 0 for an empty cell.
    limit : int
        The number of solutions at which the search for a board ends.
    budget : int
        The number of updates after which to return.
    board_links : BoardLinks
        The links of the current board. Written.
    state : SearchState
        The state of the search on these links. Written.
    progress : ndarray of int64, shape (2,)
        `BOARD` and `LINKED`, zeros at the start. Written.
    result : EngineResult
        The result for the boards. Written.

    Returns
    -------
    bool
        Whether all boards are solved.
    """
    links, register = board_links.links, state.register
    solutions, counts, nodes = result
    at = progress[BOARD]
    while at < len(boards):
        board = boards[at]
        if not progress[LINKED]:
            if not link_board(board, board_links):
                counts[at] = nodes[at] = 0
                at += 1
                continue
            initialize(links, state, SMALLEST)
            register[Register.TARGET] = 1
            progress[LINKED] = 1
        before = register[Register.UPDATES]
        status = search(links, None, state, before + budget)
        budget -= register[Register.UPDATES] - before
        if status == OUT_OF_BUDGET:
            break
        level = register[Register.LEVEL]
        if status == TARGET_REACHED and register[Register.SOLUTIONS] == 1:
            read_solution(board, board_links, state.choice, level, solutions[at])
            register[Register.TARGET] = limit
            if limit > 1:
                continue
        counts[at] = register[Register.SOLUTIONS]
        nodes[at] = register[Register.NODES]
        progress[LINKED] = 0
        at += 1
    progress[BOARD] = at
    return at == len(boards)


class DLXEngine:
    """The engine `dlx`."""

    def __init__(self, box: Box) -> None:
        self.board_links = allocate_board_links(box)
        self.state = allocate_state(4 * box.cells, len(self.board_links.links.L))
        self.progress = np.zeros(2, np.int64)

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        self.progress[:] = 0
        arguments = boards, limit, UPDATES_PER_SLICE, self.board_links, self.state
        while not solve_boards(*arguments, self.progress, result):
            if stop():
                break
