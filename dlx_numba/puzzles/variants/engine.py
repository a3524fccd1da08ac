"""The engine that solves boards with rules: a search of the network of their constraints."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np

from ...kernels.network import LEVEL, N_FOUND, WORK, NetworkSearch
from ...kernels.network_search import WORK_PER_SLICE, explore, search_boards, start_search
from ...runtime.errors import Stopped
from ...runtime.interrupts import raise_if_stopped
from ...sudoku.box import Box
from ...sudoku.engines.base import Boards, EngineResult, StopCheck
from .constraints import Constraints
from .network import build_network
from .requirements import Allowed, Requirement
from .units import check_units

MAX_ENGINES = 64  # that are kept for reuse
WORK_PER_TRY = 1 << 18  # of the shortest random searches


@lru_cache(MAX_ENGINES)
def variant_engine(rules: Constraints, box: Box) -> "VariantEngine":
    """Return the engine for boards with this box; it is kept for the next call."""
    return VariantEngine(rules, box)


class VariantEngine:
    """An engine for boards with rules; see `sudoku.engines.base.RulesEngine`.

    Threads can share an engine, because each search has memory of its own. The boards satisfy
    `others`, too.
    """

    def __init__(self, rules: Constraints, box: Box, others: Sequence[Requirement] = ()) -> None:
        check_units(rules, box)
        self.box = box
        self.rules = rules
        self._others = others
        self._is_impossible = False  # whether a search has shown that there is no grid
        self.network: Any = None  # of the constraints, once they are made

    def prepare(self, stop: StopCheck) -> bool:
        """Build the constraints, unless that is done. Returns False if `stop` ends the call."""
        if self.network is None:
            with suppress(Stopped):
                self.network = build_network(self.rules, self.box, self._others, stop)
        return self.network is not None

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`.

        A value above n excludes the value that is less by n.
        """
        result.counts[:] = -1
        if not self.prepare(stop):
            return
        search = NetworkSearch.allocate(self.network)
        arguments = self.network, search, boards, limit, WORK_PER_SLICE
        while not stop() and not search_boards(*arguments, *result):
            pass
        result.solutions[result.counts < 0] = 0  # that of a board whose search was stopped

    def iterate_blocks(
        self, board: Boards, stop: StopCheck, max_size: int, allowed: Allowed = ()
    ) -> Iterator[Boards]:
        """Yield the solutions of a board, as `RulesEngine.iterate_blocks` describes.

        Some cells have only values that are `allowed`.
        """
        if not self.prepare(stop):
            raise Stopped("stopped before all solutions were found")
        search = NetworkSearch.allocate(self.network)
        size = 1
        start_search(self.network, search, board)
        for cell, values in allowed:  # as bits, at the first level of the search
            search.candidates[0, cell] &= np.uint64(values @ (1 << np.arange(self.box.n)))
        register = search.register
        while register[LEVEL] >= 0:
            raise_if_stopped(stop, "all solutions were found")
            found = np.zeros((size, self.box.cells), np.uint8)
            register[N_FOUND] = 0
            explore(self.network, search, size, register[WORK] + WORK_PER_SLICE, found)
            yield found[: register[N_FOUND]]
            size = min(2 * size, max_size)

    def random_grid(self, seed: int, stop: StopCheck) -> Boards | None:
        """Return a random complete grid, as `RulesEngine.random_grid` describes.

        A search that takes long starts again, because a few unlucky choices at its beginning would
        cost most of the time. Every second search may take twice as long as the shortest, every
        fourth one four times as long, and so on (Luby's sequence). So each length is tried sooner
        or later, and the call ends even if no grid exists.
        """
        random = np.random.default_rng(seed)
        found = np.zeros((1, self.box.cells), np.uint8)
        for turn in count(1):
            if self._is_impossible:
                break
            if not self.prepare(stop):
                return None
            search = NetworkSearch.allocate(self.network, int(random.integers(1, 1 << 63)))
            start_search(self.network, search, found[0])
            register = search.register
            end = WORK_PER_TRY * (turn & -turn)  # the power of 2 in the turn: 1, 2, 1, 4, 1, 2, …
            is_over = False
            while not is_over and register[WORK] < end:
                if stop():
                    return None
                max_work = min(end, register[WORK] + WORK_PER_SLICE)
                is_over = explore(self.network, search, 1, max_work, found)
            if register[N_FOUND]:
                return found[0]
            self._is_impossible |= is_over
        raise ValueError(f"no {self.box.n}x{self.box.n} grid satisfies the rules")
