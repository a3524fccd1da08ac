"""The Sudoku engine `portfolio`, for giant boards: several methods that take turns.

A search in one order takes hours on many boards that other methods solve in less than a second; see
`search.portfolio`. CaDiCaL runs beside them if it is installed. The engine `sat` is CaDiCaL alone.
"""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from ...kernels.problem import Problem
from ...runtime.interrupts import Stop
from ...search.portfolio import ENGINES, CoverPortfolio
from ...search.prepared import PreparedProblem
from ...search.sat import has_sat
from ..box import Box
from .base import Boards, EngineResult, StopCheck
from .board_links import unit_numbers
from .dlx import DLXEngine

MAX_WANTED = 2  # solutions of the methods, which suffice for a test of uniqueness


class PortfolioEngine:
    """The engines `portfolio` and `sat`.

    A value v + n on a board of n × n excludes the value v from an empty cell.
    """

    def __init__(self, box: Box, methods: Sequence[str] = ()) -> None:
        self.box, self.unit_of = box, unit_numbers(box).astype(np.int64)
        self.methods = methods or ENGINES["both" if has_sat() else "own"]

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        for k, board in enumerate(boards):
            condition = Stop(event=SimpleNamespace(is_set=stop))
            if condition():
                break
            if (stated := self._state(board)) is None:
                result.counts[k] = result.nodes[k] = 0
                continue
            problem, placement = stated
            spec, wanted = PreparedProblem(problem), min(limit, MAX_WANTED)
            portfolio = CoverPortfolio([spec], wanted, condition, self.methods)
            portfolio.find(1)
            if not portfolio.is_complete:
                break
            covers = portfolio.covers()
            for cover in covers[:1]:
                cells, values = np.divmod(placement[cover], self.box.n)
                result.solutions[k] = board
                result.solutions[k, cells] = values + 1
            counts = len(covers)
            if counts == MAX_WANTED < limit:  # the methods do not count
                row = result.rows(slice(k, k + 1))
                DLXEngine(self.box).solve(boards[k : k + 1], limit, row, stop)
                continue
            result.counts[k], result.nodes[k] = counts, portfolio._counters()[0]

    def _state(self, board: Boards) -> tuple[Problem, np.ndarray] | None:
        """Return the problem of a board, and the placement cell · n + value - 1 of each option.

        Returns None if the givens exclude each other.
        """
        n, units = self.box.n, self.unit_of
        used = np.zeros((3 * n, n), np.int64)
        is_empty = (board == 0) | (board > n)
        given = np.flatnonzero(~is_empty)
        np.add.at(used, (units[given], board[given, np.newaxis] - 1), 1)
        if used.max() > 1:
            return None
        is_open = ~used[units].any(axis=1) & is_empty[:, np.newaxis]
        excluded = np.flatnonzero(board > n)
        is_open[excluded, board[excluded] - n - 1] = False
        cell, value = np.nonzero(is_open)
        # The items are the empty cells, and the values that the units lack
        number = np.cumsum(np.concatenate([is_empty, used.ravel() == 0])) - 1
        needed = self.box.cells + n * units[cell] + value[:, np.newaxis]
        items = number[np.column_stack([cell, needed])].astype(np.int32)
        indptr = np.arange(0, items.size + 1, 4)
        return Problem(indptr, items.ravel(), int(number[-1]) + 1, 0), n * cell + value
