"""The engine that solves boards with rules: variations of the exact cover problem of the rules."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ..kernels.batch.search import BatchSearch
from ..kernels.batch.variations import Variations
from ..kernels.bitset.subtree import SubtreeBitset
from ..kernels.dlx.algorithm_x import SubtreeX
from ..kernels.dlx.branching import Branching, BranchingRule
from ..kernels.problem import select_options
from ..kernels.reduce import ConflictError, reduce_problem
from ..runtime.errors import Stopped
from ..runtime.interrupts import UPDATES_PER_SLICE
from ..sudoku.box import Box
from ..sudoku.engines.base import Boards, EngineResult, StopCheck
from .constraints import Constraints
from .formulate import formulate

MAX_ENGINES = 16  # that are kept for reuse

UPDATES_PER_ENTRY = 3  # of the problem, before a random search starts again

# Before this attempt to find a random grid, a search in a fixed order tries once to prove that no
# grid exists. It takes at most this number of slices.
PROOF_ATTEMPT = 4
MAX_PROOF_SLICES = 4000


@lru_cache(MAX_ENGINES)
def variant_engine(rules: Constraints, box: Box) -> "VariantEngine":
    """Return the engine for boards with this box; it is kept for the next call."""
    return VariantEngine(rules, box)


class VariantEngine:
    """Solves boards with rules; see `sudoku.engines.base.RulesEngine`.

    Threads can share an engine, because a search copies what it changes. The problem is built once.
    """

    def __init__(self, rules: Constraints, box: Box) -> None:
        cover, self.option_of, self.first_cell = formulate(rules, box)
        self.box, self.problem = box, cover.problem
        n_options = self.problem.n_options
        # The cell and the value that an option places; those of a cage place no value.
        self.cell, self.value = np.zeros((2, n_options), np.int64)
        first_cells = np.unique(self.first_cell)
        cells, values = np.nonzero(self.option_of[first_cells] >= 0)
        options = self.option_of[first_cells][cells, values]
        self.cell[options], self.value[options] = first_cells[cells], values + 1
        self._is_checked = False  # whether a search tried to prove that there is no grid
        self.search = BatchSearch(
            self.problem, SubtreeBitset.start(self.problem, BranchingRule()), n_options
        )

    def solve(
        self,
        boards: Boards,
        limit: int,
        result: EngineResult,
        stop: StopCheck,
        known: Boards | None = None,
    ) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`.

        A value above n excludes the value that is less by n. With `known`, the count says whether
        there is another solution, and `solutions` is not written.
        """
        rows, variations = self._variations(boards)
        found = self.search.search(limit if known is None else 2, False, variations, stop)
        result.counts[:] = result.nodes[:] = 0
        result.counts[rows], result.nodes[rows] = found.counts, found.nodes
        if known is not None:
            is_known_excluded = (boards > self.box.n).any(axis=1)
            is_done = result.counts >= 0
            result.counts[is_done] = (result.counts + is_known_excluded > 1)[is_done]
            return
        self._place(found.found, np.repeat(rows, found.lengths), result.solutions)

    def iterate_blocks(self, board: Boards, stop: StopCheck, max_size: int) -> Iterator[Boards]:
        """See `RulesEngine.iterate_blocks`."""
        given = self._options(board[np.newaxis])[0]
        options = np.unique(given[given >= 0])
        if (given < -1).any():
            return
        try:
            problem, numbers, _ = reduce_problem(self.problem, options, np.zeros(0, np.int64))
        except ConflictError:
            return
        subtree = SubtreeX.start(problem, BranchingRule())
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
        """See `RulesEngine.random_grid`.

        A search that takes long starts again, because few unlucky choices at its beginning would
        cost most of the time. One of four searches may take twice as long as the shortest, one of
        16 four times as long, and so on, so half of the time goes to the shortest searches, and
        each length is tried sooner or later.
        """
        random = np.random.default_rng(seed)
        min_updates = UPDATES_PER_ENTRY * len(self.problem.items)
        for number in count(1):
            if stop():
                return None
            if number == PROOF_ATTEMPT and not self._is_checked:
                self._check_rules(stop)
            n_twos = (number & -number).bit_length() - 1  # factors of 2 in the number
            n_left = min_updates << n_twos // 2
            order = random.permutation(self.problem.n_options)
            rule = BranchingRule(Branching.RANDOM, seed=int(random.integers(1 << 31)))
            subtree = SubtreeX.start(select_options(self.problem, order), rule)
            while n_left > 0 and not (subtree.found or subtree.is_done or stop()):
                subtree.explore(min(n_left, UPDATES_PER_SLICE), 1, list)
                n_left -= UPDATES_PER_SLICE
            if subtree.found:
                return self._solution(order[subtree.found[0]])
            if subtree.is_done:
                raise ValueError(self._no_grid)
        return None

    def _check_rules(self, stop: StopCheck) -> None:
        """Raise ValueError if a search in a fixed order proves that there is no grid."""
        self._is_checked = True
        board = np.zeros((1, self.box.cells), np.uint8)
        result, n_slices = EngineResult.allocate(board), count()
        self.solve(board, 1, result, lambda: stop() or next(n_slices) == MAX_PROOF_SLICES)
        if result.counts[0] == 0:
            raise ValueError(self._no_grid)

    @property
    def _no_grid(self) -> str:
        return f"no {self.box.n}x{self.box.n} grid satisfies the rules"

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
