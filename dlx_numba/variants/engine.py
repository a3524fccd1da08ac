"""The engine that solves boards with rules: variations of the exact cover problem of the rules."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import subtree_class
from ..kernels.batch.search import BatchSearch
from ..kernels.batch.variations import Variations
from ..kernels.bitset.subtree import SubtreeBitset
from ..kernels.dlx.branching import Branching, BranchingRule
from ..kernels.problem import Problem, select_options
from ..kernels.reduce import ConflictError, reduce_problem
from ..kernels.subtree import Subtree
from ..runtime.errors import Stopped
from ..runtime.interrupts import UPDATES_PER_SLICE
from ..sudoku.box import Box
from ..sudoku.engines.base import Boards, EngineResult, StopCheck
from .constraints import Constraints
from .formulate import formulate
from .units import check_units

MAX_ENGINES = 16  # that are kept for reuse

UPDATES_PER_ENTRY = 3  # of the problem, before a random search starts again

# Updates of a board with cages before their sums are totals: if cages with sums have most of the
# cells (killer), and otherwise. With many givens, totals take longer than sets of values.
KILLER_UPDATES, CAGE_UPDATES = 1 << 14, 1 << 20


@lru_cache(MAX_ENGINES)
def variant_engine(rules: Constraints, box: Box) -> "VariantEngine":
    """Return the engine for boards with this box; it is kept for the next call."""
    return VariantEngine(rules, box)


class VariantEngine:
    """An engine for boards with rules; see `sudoku.engines.base.RulesEngine`.

    Threads can share an engine, because a search copies what it changes. The first call that needs
    the problem formulates it; threads that do so at the same time have the same result.
    """

    def __init__(self, rules: Constraints, box: Box) -> None:
        check_units(rules, box)
        self.box, self._rules = box, rules
        # Searches of a board until one of them ends, each with a limit of updates
        self._searches: list[tuple[BatchSearch, int | None]] = []
        self._is_impossible = False  # whether a search has shown that there is no grid

    def prepare(self, stop: StopCheck) -> bool:
        """Formulate the problem, unless that is done. Returns False if `stop` ends the call."""
        if self._searches:
            return True
        try:
            cover, option_of, first_cell = formulate(
                self._rules, self.box, stop=stop, with_cages=True
            )
        except Stopped:
            return False
        self.option_of, self.first_cell, self.problem = option_of, first_cell, cover.problem
        n_options = self.problem.n_options
        # The cell and the value that an option places; those of a cage place no value.
        cell, value = np.zeros((2, n_options), np.int64)
        first_cells = np.unique(first_cell)
        cells, values = np.nonzero(option_of[first_cells] >= 0)
        options = option_of[first_cells][cells, values]
        cell[options], value[options] = first_cells[cells], values + 1
        self.cell, self.value = cell, value  # complete: another thread may already use the engine
        searches: list[tuple[BatchSearch, int | None]] = []
        if not self._rules.arrows and not self._rules.little_killers:
            plain = Problem(*self.problem[:8])  # the fields before those of totals
            bitmaps = SubtreeBitset.start(plain, BranchingRule())
            n_cells = sum(len(cells) for total, cells in self._rules.cages if total)
            max_updates = KILLER_UPDATES if 2 * n_cells > self.box.cells else CAGE_UPDATES
            searches.append((BatchSearch(plain, bitmaps, n_options), max_updates))
        if self.problem.total_low is None:
            searches = [(search, None) for search, _ in searches]
        else:
            links = start_links(self.problem, BranchingRule())
            searches.append((BatchSearch(self.problem, links, n_options), None))
        self._searches = searches  # last: other threads may see it
        return True

    def solve(self, boards: Boards, limit: int, result: EngineResult, stop: StopCheck) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`.

        A value above n excludes the value that is less by n.
        """
        if not self.prepare(stop):
            return
        result.counts[:] = result.nodes[:] = 0
        rows = np.arange(len(boards))
        for search, max_updates in self._searches:
            possible, variations = self._variations(boards[rows])
            rows = rows[possible]
            found = search.search(limit, False, variations, stop, max_updates)
            result.counts[rows], result.nodes[rows] = found.counts, found.nodes
            self._place(found.found, np.repeat(rows, found.lengths), result.solutions)
            rows = rows[found.counts < 0]

    def iterate_blocks(self, board: Boards, stop: StopCheck, max_size: int) -> Iterator[Boards]:
        """Yield the solutions of a board, as `RulesEngine.iterate_blocks` describes."""
        if not self.prepare(stop):
            raise Stopped("stopped before the first solution was found")
        given = self._options(board[np.newaxis])[0]
        options = np.unique(given[given >= 0])
        if (given < -1).any():
            return
        try:
            problem, numbers, _ = reduce_problem(self.problem, options, np.zeros(0, np.int64))
        except ConflictError:
            return
        subtree = start_links(problem, BranchingRule())
        size = 1
        while not subtree.is_done:
            if stop():
                raise Stopped("stopped before all solutions were found")
            subtree.explore(UPDATES_PER_SLICE, size, list)
            covers = [np.append(numbers[cover], options) for cover in subtree.found]
            subtree.found.clear()
            yield np.array([*map(self._solution, covers)], np.uint8).reshape(-1, self.box.cells)
            size = min(2 * size, max_size)

    def random_grid(self, seed: int, stop: StopCheck) -> Boards | None:
        """Return a random complete grid, as `RulesEngine.random_grid` describes.

        A search that takes long starts again, because a few unlucky choices at its beginning would
        cost most of the time. Every second search may take twice as long as the shortest, every
        fourth one four times as long, and so on (Luby's sequence). So each length is tried sooner
        or later, and the call ends even if no grid exists.
        """
        if not self.prepare(stop):
            return None
        random = np.random.default_rng(seed)
        min_updates = max(1, UPDATES_PER_ENTRY * len(self.problem.items))
        for turn in count(1):
            if stop():
                return None
            if self._is_impossible:
                break
            n_updates = min_updates * (turn & -turn)
            order = random.permutation(self.problem.n_options)
            rule = BranchingRule(Branching.RANDOM, seed=int(random.integers(1 << 31)))
            subtree = start_links(select_options(self.problem, order), rule)
            while n_updates > 0 and not (subtree.found or subtree.is_done or stop()):
                n_slice = min(n_updates, UPDATES_PER_SLICE)
                subtree.explore(n_slice, 1, list)
                n_updates -= n_slice
            if subtree.found:
                return self._solution(order[subtree.found[0]])
            self._is_impossible |= subtree.is_done
        raise ValueError(f"no {self.box.n}x{self.box.n} grid satisfies the rules")

    def _options(self, boards: Boards) -> NDArray[np.int64]:
        """Return the option of each value (N, cells): -1 for no value, -2 if it is impossible."""
        cells = np.arange(self.box.cells)
        values = boards.astype(np.int64) - 1
        options = self.option_of[cells, np.maximum(values, 0) % self.box.n]
        return np.where(values < 0, -1, np.where(options < 0, -2, options))

    def _variations(self, boards: Boards) -> tuple[NDArray[np.int64], Variations]:
        """Return the rows of boards without impossible values, and their conditions."""
        options, is_excluded = self._options(boards), boards > self.box.n
        rows = np.flatnonzero(~((options < -1) & ~is_excluded).any(axis=1))
        start = np.arange(len(rows) + 1) * self.box.cells
        given, forbidden = (
            np.where(is_used[rows], options[rows], -1).astype(np.int32).ravel()
            for is_used in (~is_excluded, is_excluded)
        )
        none = np.zeros(len(rows) + 1, np.int64), np.zeros(0, np.int32)
        return rows, Variations(start, given, start, forbidden, *none)

    def _place(self, options: NDArray[np.integer], rows: NDArray[np.int64], boards: Boards) -> None:
        """Write the values that options place on the boards of some rows."""
        is_placed = self.value[options] > 0
        options, rows = options[is_placed], rows[is_placed]
        boards[rows, self.cell[options]] = self.value[options]
        boards[:] = boards[:, self.first_cell]

    def _solution(self, options: NDArray[np.integer]) -> Boards:
        solution = np.zeros((1, self.box.cells), np.uint8)
        self._place(options, np.zeros(len(options), np.int64), solution)
        return np.asarray(solution[0])


def start_links(problem: Problem, rule: BranchingRule) -> Subtree:
    """Return the search tree of a problem with links, unexplored."""
    return subtree_class("links", problem).start(problem, rule)
