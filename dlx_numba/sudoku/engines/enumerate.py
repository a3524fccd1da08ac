"""All solutions of a board, collected block by block with the algorithm of the engine `dlx`."""

import math
from collections.abc import Iterator

import numpy as np

from ...jit import njit
from ...kernels.dlx.algorithm_x import initialize, search
from ...kernels.dlx.branching import Branching
from ...kernels.dlx.state import EXHAUSTED, OUT_OF_BUDGET, TARGET_REACHED, Register
from ...runtime.errors import Stopped
from ...runtime.interrupts import UPDATES_PER_SLICE
from ..box import Box
from .base import Boards, Engine, EngineResult, Rules, StopCheck
from .board_links import link_board, read_solution
from .dlx import DLXEngine
from .registry import Pool, make_engine

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
    engine: str | Rules = "auto",
) -> Iterator[Boards]:
    """Yield the solutions of a board (cells,) in the order of the search, in blocks (M, cells).

    The first solution is yielded as soon as it is found. Further blocks have up to twice as many
    solutions as the one before. A block ends after a slice of the search, so it may be empty.
    Raises Stopped if `stop` returns True before the search is exhausted.

    Engines other than "dlx" only find one solution of each board; see `_divide`.

    Examples
    --------
    >>> blocks = iterate_blocks(np.zeros(16, np.uint8), Box(2, 2), lambda: False)
    >>> [len(block) for block in blocks]
    [1, 2, 4, 8, 16, 32, 64, 128, 33]
    """
    if not isinstance(engine, str):
        yield from engine.engine(box).iterate_blocks(board, stop, max_size)
        return
    if engine not in ("auto", "dlx"):
        yield from _divide(board, make_engine(engine, box), stop)
        return
    board = board.copy()  # a board of the user is read-only, which is another type for kernels
    memory = _engines.take(box)
    if link_board(board, memory.board_links):
        initialize(memory.board_links.links, memory.state, int(Branching.SMALLEST))
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


def _divide(board: Boards, engine: Engine, stop: StopCheck) -> Iterator[Boards]:
    """Yield the solutions of a board by an engine that finds one of each board, in blocks.

    The other solutions first differ from that one in some cell. A board with several solutions is
    therefore divided: up to each empty cell, it has the values of its solution, and in this cell
    any other value.
    """
    n = math.isqrt(len(board))
    boards, divisible = board[np.newaxis], list[tuple[Boards, Boards]]()
    while len(boards):
        result = EngineResult.allocate(boards)
        engine.solve(boards, 2, result, stop)
        yield result.solutions[result.counts > 0]
        if stop() or (result.counts < 0).any():
            raise Stopped("stopped before all solutions were found")
        several = result.counts > 1
        divisible += zip(boards[several], result.solutions[several], strict=True)
        parts = []
        if divisible:
            board, solution = divisible.pop()
            for cell in np.flatnonzero(board == 0).tolist():
                others = np.setdiff1d(np.arange(1, n + 1, dtype=np.uint8), solution[cell])
                part = np.tile(board, (n - 1, 1))
                part[:, cell] = others
                parts.append(part)
                board = board.copy()
                board[cell] = solution[cell]
        boards = np.concatenate(parts) if parts else boards[:0]
