"""The Sudoku engine `portfolio`, for giant boards: several methods that take turns.

A search in one order takes hours on many boards that other methods solve in less than a second; see
`search.portfolio`. CaDiCaL runs beside them if it is installed. The engine `sat` is CaDiCaL alone.
"""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from ...runtime.interrupts import Stop
from ...runtime.job import run
from ...search.portfolio import CoverPortfolio, methods_of
from ...search.prepared import PreparedProblem
from ..box import Box
from .base import Boards, EngineResult, StopCheck
from .board_links import board_problem
from .dlx import DLXEngine

MAX_WANTED = 2  # solutions of the methods, which suffice for a test of uniqueness


class PortfolioEngine:
    """The engines `portfolio` and `sat`.

    A value v + n on a board of n × n excludes the value v from an empty cell.
    """

    def __init__(self, box: Box, methods: Sequence[str] = ()) -> None:
        self.box = box
        self.methods = methods or methods_of("auto")

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`."""
        for k, board in enumerate(boards):
            condition = Stop(event=SimpleNamespace(is_set=stop))
            if condition():
                break
            if (formulated := board_problem(board, self.box)) is None:
                result.counts[k] = result.nodes[k] = 0
                continue
            problem, placement = formulated
            spec = PreparedProblem(problem)
            wanted = min(limit, MAX_WANTED)
            portfolio = CoverPortfolio([spec], self.methods)
            if not run(portfolio, condition, wanted):  # it was stopped
                break
            covers = portfolio.take()
            for cover in covers[:1]:  # the first solution, if there is one
                cells, values = np.divmod(placement[cover], self.box.n)
                result.solutions[k] = board
                result.solutions[k, cells] = values + 1
            n_covers = len(covers)
            if n_covers == MAX_WANTED < limit:  # the methods do not count further; Dancing Links do
                row = result.rows(slice(k, k + 1))
                DLXEngine(self.box).solve(boards[k : k + 1], limit, row, stop)
                continue
            result.counts[k] = n_covers
            result.nodes[k] = portfolio.counters().nodes
