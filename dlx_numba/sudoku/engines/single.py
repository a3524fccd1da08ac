"""Solve one board with little overhead: all arrays are reused from call to call."""

from functools import partial

import numpy as np

from ...runtime.errors import Stopped
from ..box import Box
from .base import EngineResult, Pool, StopCheck
from .registry import make_engine


class BoardSolver:
    """The fastest engine for a box, and the arrays for one board."""

    def __init__(self, box: Box) -> None:
        from .lanes import LanesEngine  # slow to import, see `make_engine`

        engine = make_engine("auto", box)
        board = np.zeros((1, box.cells), np.uint8)
        # Views of the board that the engine solves, and of its count; faster to access than arrays
        self.board_bytes = board.data.cast("B")
        self.result = EngineResult.allocate(board)
        self.counts_view = self.result.counts.data
        if isinstance(engine, LanesEngine):
            self.run_engine = engine.prepare(board, self.result)
        else:
            self.run_engine = partial(engine.solve, board, 1, self.result)

    def solve(self, values: bytes, stop: StopCheck) -> bytes | None:
        """Return the first solution of a board, or None if there is none; see `solve_board`."""
        self.board_bytes[:] = values
        self.counts_view[0] = -1
        self.run_engine(stop)
        count = self.counts_view[0]
        if count < 0:
            raise Stopped("stopped before a solution was found")
        return self.result.solutions.tobytes() if count else None


_solvers = Pool(BoardSolver)


def solve_board(values: bytes, box: Box, stop: StopCheck = lambda: False) -> bytes | None:
    """Return the first solution of one board.

    Parameters
    ----------
    values
        The values of the cells, in the range 0 to n, with 0 for an empty cell.
    box
        The box of the board.
    stop
        Called at intervals; if it returns True, the search ends.

    Returns
    -------
    bytes or None
        The values of the solution; None if there is no solution.

    Raises
    ------
    Stopped
        If the search ends before there is a solution.

    Examples
    --------
    >>> list(solve_board(bytes([1] + [0] * 15), Box(2, 2)))
    [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    """
    solver = _solvers.take(box)
    solution = solver.solve(values, stop)
    _solvers.put(solver, box)
    return solution
