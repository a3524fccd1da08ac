"""The Sudoku engine `dlx`: Dancing Links on the exact cover problem of one board after another."""

from collections.abc import Iterator

import numpy as np

from ...jit import njit
from ...kernels.dlx.algorithm_x import initialize, search
from ...kernels.dlx.branching import Branching
from ...kernels.dlx.state import EXHAUSTED, OUT_OF_BUDGET, TARGET_REACHED, Register, allocate_state
from ...runtime.interrupts import UPDATES_PER_SLICE, raise_if_stopped
from ..box import Box
from .base import Boards, EngineResult, Pool, Rules, StopCheck
from .board_links import allocate_board_links, link_board, read_solution

SMALLEST = int(Branching.SMALLEST)
LEFTMOST_RULE = int(Branching.LEFTMOST)
MAX_BLOCK_SOLUTIONS = 256  # the largest block of `iterate_blocks`, by default

# Fields of `progress`
BOARD = 0  # the board that is being solved
LINKED = 1  # whether its links are built


@njit
def solve_boards(boards, limit, branching, budget, board_links, state, progress, result):
    """Solve boards, starting at the position in `progress`, until the budget is spent.

    Parameters
    ----------
    boards, limit, result
        As for `Engine.solve`. `result` is written.
    branching : int
        The branching rule, a `Branching` that needs no parameters.
    budget : int
        The number of updates after which to return.
    board_links : BoardLinks
        The links of the current board. Written.
    state : SearchState
        The state of the search on these links. Written.
    progress : ndarray of int64, shape (2,)
        `BOARD` and `LINKED`, zeros at the start. Written.

    Returns
    -------
    bool
        Whether all boards are solved.
    """
    links = board_links.links
    register = state.register
    solutions, counts, nodes = result
    number = progress[BOARD]
    while number < len(boards):
        board = boards[number]
        if not progress[LINKED]:
            if not link_board(board, board_links):
                counts[number] = nodes[number] = 0
                number += 1
                continue
            initialize(links, state, branching)
            register[Register.TARGET] = 1  # the search stops at the first solution, to keep it
            progress[LINKED] = 1
        n_before = register[Register.UPDATES]
        status = search(links, None, state, n_before + budget)
        budget -= register[Register.UPDATES] - n_before
        if status == OUT_OF_BUDGET:  # the next call resumes this search
            break
        level = register[Register.LEVEL]
        if status == TARGET_REACHED and register[Register.SOLUTIONS] == 1:
            read_solution(board, board_links, state.choice, level, solutions[number])
            register[Register.TARGET] = limit
            if limit > 1:  # resume the search, to count the others
                continue
        counts[number] = register[Register.SOLUTIONS]
        nodes[number] = register[Register.NODES]
        progress[LINKED] = 0
        number += 1
    progress[BOARD] = number
    return number == len(boards)


class DLXEngine:
    """The engine `dlx`, which chooses items by a `Branching` without parameters."""

    def __init__(self, box: Box, branching: int = SMALLEST) -> None:
        self.branching = branching
        self.board_links = allocate_board_links(box)
        n_items = 4 * box.cells
        self.state = allocate_state(n_items, len(self.board_links.links.L), n_items + 1)
        self.progress = np.zeros(2, np.int64)  # the fields `BOARD` and `LINKED`

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        self.progress[:] = 0
        arguments = boards, limit, self.branching, UPDATES_PER_SLICE, self.board_links, self.state
        while not solve_boards(*arguments, self.progress, result):  # a slice of the search
            if stop():
                break


@njit
def collect_solutions(board, board_links, state, budget, solutions):
    """Resume a search, and store the next solutions.

    Parameters
    ----------
    board : ndarray of uint8, shape (cells,)
        The board whose links were built.
    board_links : BoardLinks
        The links. Written.
    state : SearchState
        The state of the search. Written.
    budget : int
        The number of updates after which to return.
    solutions : ndarray of uint8, shape (max_solutions, cells)
        Receives the solutions.

    Returns
    -------
    status : int
        TARGET_REACHED if `solutions` is full, EXHAUSTED if there are no more, or OUT_OF_BUDGET.
    n_solutions : int
        The number of solutions stored.
    """
    register = state.register
    end = register[Register.UPDATES] + budget
    for k in range(len(solutions)):
        register[Register.TARGET] = register[Register.SOLUTIONS] + 1
        status = search(board_links.links, None, state, end)
        if status != TARGET_REACHED:
            return status, k
        read_solution(board, board_links, state.choice, register[Register.LEVEL], solutions[k])
    return TARGET_REACHED, len(solutions)


_engines = Pool(DLXEngine)


def iterate_blocks(
    board: Boards,
    box: Box,
    stop: StopCheck,
    max_size: int = MAX_BLOCK_SOLUTIONS,
    rules: Rules | None = None,
) -> Iterator[Boards]:
    """Yield the solutions of a board (cells,) in the order of the search, in blocks (M, cells).

    The first solution is yielded as soon as it is found. Further blocks have up to twice as many
    solutions as the one before. A block ends after a slice of the search, so it may be empty.
    Raises Stopped if `stop` returns True before the search is exhausted.

    Examples
    --------
    >>> blocks = iterate_blocks(np.zeros(16, np.uint8), Box(2, 2), lambda: False)
    >>> [len(block) for block in blocks]
    [1, 2, 4, 8, 16, 32, 64, 128, 33]
    """
    if rules is not None:
        yield from rules.engine(box).iterate_blocks(board, stop, max_size)
        return
    board = board.copy()  # a board of the user is read-only, which is another type for kernels
    engine = _engines.take(box)
    links = engine.board_links
    state = engine.state
    if link_board(board, links):
        initialize(links.links, state, SMALLEST)
        status = OUT_OF_BUDGET
        size = 1
        while status != EXHAUSTED:
            raise_if_stopped(stop, "all solutions were found")
            solutions = np.empty((size, box.cells), np.uint8)
            status, n_solutions = collect_solutions(
                board, links, state, UPDATES_PER_SLICE, solutions
            )
            yield solutions[:n_solutions]
            size = min(2 * size, max_size)
    _engines.put(engine, box)
