"""All solutions of a board, collected block by block with the algorithm of the engine `dlx`."""

from collections.abc import Iterator

import numpy as np

from ...jit import njit
from ...kernels.dlx.algorithm_x import initialize, search
from ...kernels.dlx.state import EXHAUSTED, OUT_OF_BUDGET, TARGET_REACHED, Register
from ...runtime.errors import Stopped
from ...runtime.interrupts import UPDATES_PER_SLICE
from ..box import Box
from .base import Boards, Rules, StopCheck
from .board_links import link_board, read_solution
from .dlx import SMALLEST, DLXEngine
from .registry import Pool

MAX_BLOCK_SOLUTIONS = 256  # the largest block of `iterate_blocks`, by default


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
        status = search(board_links.links, None, state, end, None)
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
    memory = _engines.take(box)
    if link_board(board, memory.board_links):
        initialize(memory.board_links.links, memory.state, SMALLEST)
        status, size = OUT_OF_BUDGET, 1
        while status != EXHAUSTED:
            if stop():
                raise Stopped("stopped before all solutions were found")
            solutions = np.empty((size, box.cells), np.uint8)
            status, n_solutions = collect_solutions(
                board, memory.board_links, memory.state, UPDATES_PER_SLICE, solutions
            )
            yield solutions[:n_solutions]
            size = min(2 * size, max_size)
    _engines.put(memory, box)
