"""All solutions of a board, collected block by block with the algorithm of the engine `dlx`."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import kernel
from ...kernels.algorithm_x import initialize, search
from ...kernels.branching import Branching
from ...kernels.state import BUDGET, EXHAUSTED, SOLUTION, Register, allocate_state
from ...runtime.errors import Stopped
from ...runtime.interrupts import UPDATES_PER_SLICE
from ..box import Box
from .base import Rules
from .board_links import allocate_board_links, link_board, read_solution

MAX_BLOCK_SOLUTIONS = 256  # the largest block of `iterate_solutions`


@kernel
def start_search(board, board_links, state, choose):
    """Build the links of a board and initialize the search on them.

    Parameters
    ----------
    board : ndarray of uint8, shape (cells,)
        The values of the cells, 0 if empty.
    board_links : BoardLinks
        The links. Written.
    state : SearchState
        The state of the search. Written.
    choose : int
        The branching rule, one of `Branching`.

    Returns
    -------
    bool
        False if the givens are contradictory; there is nothing to search then.
    """
    if not link_board(board, board_links):
        return False
    initialize(board_links.links, state, choose)
    return True


@kernel
def collect_solutions(board, board_links, state, budget, solutions):
    """Resume a search, and store the next solutions.

    Parameters
    ----------
    board : ndarray of uint8, shape (cells,)
        The board that was passed to `start_search`.
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
        SOLUTION if `solutions` is full, EXHAUSTED if there are no more, or BUDGET.
    n_solutions : int
        The number of solutions stored.
    """
    register = state.register
    end = register[Register.UPDATES] + budget
    for k in range(len(solutions)):
        register[Register.TARGET] = register[Register.SOLUTIONS] + 1
        status = search(board_links.links, None, state, end)
        if status != SOLUTION:
            return status, k
        read_solution(board, board_links, state.choice, register[Register.LEVEL], solutions[k])
    return SOLUTION, len(solutions)


class SolutionSearch:
    """A resumable search for all solutions of a board; its memory is reused for other boards.

    Examples
    --------
    >>> search = SolutionSearch(Box(2, 2))
    >>> search.start(np.zeros(16, np.uint8))
    >>> solutions = np.zeros((300, 16), np.uint8)
    >>> search.collect(solutions), search.is_exhausted
    (288, True)
    """

    def __init__(self, box: Box) -> None:
        self.board_links = allocate_board_links(box)
        self.state = allocate_state(4 * box.cells, len(self.board_links.links.L))
        self.board = np.zeros(box.cells, np.uint8)
        self.status = EXHAUSTED

    def start(self, board: NDArray[np.uint8]) -> None:
        """Start the search for the solutions of a board (cells,)."""
        self.board[:] = board
        smallest = int(Branching.SMALLEST)
        is_consistent = start_search(self.board, self.board_links, self.state, smallest)
        self.status = BUDGET if is_consistent else EXHAUSTED

    @property
    def is_exhausted(self) -> bool:
        """Whether all solutions have been collected."""
        return self.status == EXHAUSTED

    @property
    def is_interrupted(self) -> bool:
        """Whether the last call of `collect` ended with its slice of the search."""
        return self.status == BUDGET

    def collect(self, solutions: NDArray[np.uint8]) -> int:
        """Search for one slice, and store the next solutions.

        Parameters
        ----------
        solutions : ndarray of uint8, shape (max_solutions, cells)
            Receives the solutions.

        Returns
        -------
        int
            The number of solutions stored.
        """
        self.status, n_solutions = collect_solutions(
            self.board, self.board_links, self.state, UPDATES_PER_SLICE, solutions
        )
        return int(n_solutions)


def iterate_solutions(
    board: NDArray[np.uint8],
    box: Box,
    stop: Callable[[], bool] = lambda: False,
    engine: str | Rules = "auto",
) -> Iterator[NDArray[np.uint8]]:
    """Yield the solutions of a board (cells,) in the order of the search.

    The first solution is yielded as soon as it is found. After that, the solutions are collected
    in blocks of increasing size. Raises Stopped if `stop` returns True before the search is
    exhausted. The engine is "auto" or rules.
    """
    if not isinstance(engine, str):
        yield from engine.engine(box).iterate(board, stop)
        return
    search = SolutionSearch(box)
    search.start(board)
    size = 1
    while not search.is_exhausted:
        if stop():
            raise Stopped("stopped before all solutions were found")
        solutions = np.empty((size, box.cells), np.uint8)
        yield from solutions[: search.collect(solutions)]
        size = min(2 * size, MAX_BLOCK_SOLUTIONS)
