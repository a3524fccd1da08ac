"""Resumable memoized searches, and the memory that they use."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...runtime.arguments import UNLIMITED
from ..problem import Problem
from .explore import (
    DONE,
    EDGES_FULL,
    FALSE,
    OUT_OF_BUDGET,
    TABLE_FULL,
    TRUE,
    WIDEN,
    Diagram,
    MemoRegister,
    MemoState,
    Words,
    count_of,
    explore,
)
from .item_order import ItemOrder
from .option_sets import EncodedOptions, count_words, set_bits
from .table import UNSTORED, find_rows, move_entries

MIN_SLOTS = 1 << 12
GROWTH = 4  # the factor by which the number of slots grows
LARGE_GROWTH = 2  # the factor for a table of LARGE_BYTES, or if there is no memory for the other
LARGE_BYTES = 1 << 26
MAX_LOAD = 0.5  # used slots per slot
MAX_FINAL_LOAD = 0.85  # the same for a table that cannot grow
SLOTS_PER_SLICE = 1 << 16  # that are moved to a larger table between two checks of `stop`
MIN_EDGES = 1 << 12
# The work of a run, in updates of a search with links, which take about as long: for each lookup,
# for each word of a key that is looked up, and for each subproblem. A word of the sets of options
# that are read when a subproblem is entered takes a fraction of an update.
LOOKUP_UPDATES = 6
KEY_UPDATES = 2
SUBPROBLEM_UPDATES = 6
WORDS_PER_UPDATE = 16
SLICE_UPDATES = 1 << 20  # of the work between two checks of `stop`: about ten milliseconds


class MemoryLimitError(MemoryError):
    """A diagram needs more memory than it may use."""


def memory_error(memory: int, n_subproblems: int) -> MemoryLimitError:
    """Return an error that says the memory, and the number of subproblems entered."""
    return MemoryLimitError(
        f"the diagram needs more than {memory:,} bytes: {n_subproblems:,} subproblems were entered"
    )


class Observation(NamedTuple):
    """The progress that other threads see while a kernel modifies the arrays of a search."""

    explored: float  # the explored fraction, assuming that all branches of a subproblem are equal
    covers: int  # the number of covers found so far; 0 if there is a diagram
    subproblems: int
    lookups: int
    nbytes: int
    is_frozen: bool

    @property
    def hits(self) -> float:
        """The rate of hits: the fraction of the lookups that have found a subproblem again."""
        return max(0.0, 1 - self.subproblems / self.lookups) if self.lookups else 0.0


NOTHING_OBSERVED = Observation(0.0, 0, 0, 0, 0, False)


class MemoSearch:
    """A resumable search that enters each distinct subproblem once while its memo has space.

    Parameters
    ----------
    problem : Problem
        A problem without multiplicities and totals.
    order : ndarray of int64 or None
        The search branches on the first uncovered primary item in this order; on the smallest item
        if None.
    encoded : EncodedOptions
        The options of the problem in this order; see `option_sets.encode_as_bits`.
    memory : int
        The number of bytes that the memo may use. The first table is allocated in any case.
    has_diagram : bool
        Whether to build a diagram. Otherwise, the covers are only counted.
    has_dead_ends : bool
        Whether the diagram also has the subproblems without covers; see `explore`.

    Attributes
    ----------
    is_frozen : bool
        Whether new subproblems are no longer stored, because the memory is exhausted.
    edges : Diagram or None
        The diagram under construction, whose arrays have free space.
    observation : Observation
        The progress that other threads see.
    """

    def __init__(
        self,
        problem: Problem,
        order: ItemOrder | None,
        encoded: EncodedOptions,
        memory: int,
        has_diagram: bool = False,
        has_dead_ends: bool = False,
    ) -> None:
        self.order = order
        self.memory = memory
        self.is_done = self.is_frozen = False
        self._status = OUT_OF_BUDGET  # what the kernel returned last
        n_primary = problem.n_primary
        branches, bitsets, self.option_numbers = encoded
        self._state = allocate_state(problem, encoded, has_dead_ends)
        n_words = self._state.keys.shape[1]
        self._options = branches, bitsets
        register = self._state.register
        register[MemoRegister.BY_ORDER] = order is not None
        register[MemoRegister.HAS_SECONDARY] = problem.n_secondary > 0
        register[MemoRegister.HAS_DEAD_ENDS] = has_dead_ends
        register[MemoRegister.LEVEL] = -1  # the root is not entered yet
        register[MemoRegister.NODES] = TRUE + 1
        self._n_values = 1  # the words of a count; one holds the number of a node
        self._entries = np.zeros(0, np.uint64)
        self.growth: tuple[Words, int] | None = None  # the larger table, and the slots moved
        n_read = branches.items.size // max(1, n_primary)  # words, for each subproblem
        if bitsets is not None:
            n_read = bitsets.compatible.shape[1] * (n_primary if order is None else 2)
        self._subproblem_updates = int(SUBPROBLEM_UPDATES + n_read // WORDS_PER_UPDATE)
        self._lookup_updates = int(LOOKUP_UPDATES + KEY_UPDATES * n_words)
        self._slice_end = 0  # the number of subproblems at which the current slice ends
        self.edges: Diagram | None = None
        if has_diagram:
            arrays = np.zeros((2, MIN_EDGES), np.uint32)
            self.edges = Diagram(np.zeros(MIN_EDGES, np.int64), *arrays)
        lacks_options = problem.lacks_options
        if lacks_options or not len(self.option_numbers):
            # The node of a diagram, or the count, which is the same number
            self._state.values[0] = FALSE if lacks_options else TRUE
            self._finish()
        else:
            self._replace_table(MIN_SLOTS)
        self._observe()

    def _observe(self) -> None:
        """Replace `observation`, the progress that other threads see, as a whole."""
        self.observation = Observation(
            self.explored(),
            0 if self.edges is not None else self.count_so_far(),
            self.subproblems,
            self.lookups,
            self.nbytes,
            self.is_frozen,
        )

    @property
    def work(self) -> int:
        """The work so far, in updates of a search with links."""
        return self._lookup_updates * self.lookups + self._subproblem_updates * self.subproblems

    @property
    def subproblems(self) -> int:
        """The number of subproblems entered."""
        return int(self._state.register[MemoRegister.SUBPROBLEMS])

    @property
    def lookups(self) -> int:
        """The number of lookups in the memo."""
        return int(self._state.register[MemoRegister.LOOKUPS])

    @property
    def nbytes(self) -> int:
        """The memory of the memo and the diagram."""
        edges = 0 if self.edges is None else sum(array.nbytes for array in self.edges)
        return self._entries.nbytes + edges

    @property
    def value(self) -> int:
        """The number of covers, or the root of the diagram; the search must be done."""
        return count_of(self._state.values[: self._n_values])

    def count_so_far(self) -> int:
        """Return the number of covers found so far. There must be no diagram.

        The sums of the levels count different covers: each counts those of the branches that are
        finished at its level.
        """
        n_levels = 1 if self.is_done else int(self._state.register[MemoRegister.LEVEL]) + 1
        return count_of(self._state.values[: n_levels * self._n_values].reshape(-1, self._n_values))

    def explored(self) -> float:
        """Return the explored fraction, assuming that all branches of a subproblem are equal."""
        if self.is_done:
            return 1.0
        state = self._state
        explored = 0.0
        weight = 1.0
        for level in range(int(state.register[MemoRegister.LEVEL]) + 1):
            begin, branch, end = (int(each[level]) for each in (state.begin, state.next, state.end))
            if end == begin or weight == 0.0:
                break
            # Each branch of this level has this share. Those before `branch` are explored; this one
            # is being explored at the next level or, if this is the last one, is next.
            weight /= end - begin
            explored += weight * (branch - begin)
        return explored

    def run(
        self, stop: Callable[[], bool], max_work: float = math.inf, max_subproblems: int = UNLIMITED
    ) -> None:
        """Explore until the problem is solved, or until `stop()`.

        `max_work` and `max_subproblems` limit the work and the number of subproblems entered, since
        the beginning. The work is exceeded by one slice at most. Slices depend on the work, not on
        the time, so a run ends at the same subproblem on each machine. Raises MemoryLimitError if a
        diagram needs more memory than allowed.
        """
        while not (
            self.is_done or self.work >= max_work or self.subproblems >= max_subproblems or stop()
        ):
            n_before = self.subproblems
            if n_before >= self._slice_end:  # a slice is as large as all before, up to a limit
                mean_work = self.work // n_before if n_before else self._subproblem_updates
                slice_size = max(1, min(n_before + 16, SLICE_UPDATES // mean_work))
                self._slice_end = n_before + slice_size
            self._advance(min(self._slice_end, max_subproblems), stop)
            self._observe()

    def _advance(self, budget: int, stop: Callable[[], bool]) -> None:
        """Explore until the number of subproblems entered reaches a budget, or until `stop()`."""
        while self._make_space(stop):
            self._status = self._explore(budget)
            if self._status == DONE:
                self._finish()
            elif self._status == EDGES_FULL:
                self._grow_edges()
            if self._status in (DONE, OUT_OF_BUDGET):
                return

    def _explore(self, budget: int) -> int:
        """Explore until the kernel returns a status."""
        arrays = self._state, self._entries, self.edges
        status: int = explore(*self._options, *arrays, budget)
        return status

    def _make_space(self, stop: Callable[[], bool]) -> bool:
        """Make the space for which the kernel has ended, unless `stop()` ends this before."""
        if self._status == WIDEN:
            return self._widen(stop)
        return self._status != TABLE_FULL or self._grow_table(stop)

    def _finish(self) -> None:
        self.is_done = True
        self._entries = np.zeros(0, np.uint64)

    def _grow_table(self, stop: Callable[[], bool]) -> bool:
        """Allow more slots to be used; freeze the table if the memory is exhausted.

        Returns whether that is done; if `stop()` ends it, the next call continues.
        """
        register = self._state.register
        is_large = self._entries.nbytes >= LARGE_BYTES
        for growth in (LARGE_GROWTH,) if is_large else (GROWTH, LARGE_GROWTH):
            if self._fits(growth * self._entries.nbytes):
                return self._replace_table(growth * self._n_slots, stop=stop)
        most = int(MAX_FINAL_LOAD * self._n_slots)
        if register[MemoRegister.MAX_USED] < most:
            register[MemoRegister.MAX_USED] = most
        elif self.edges is not None:
            raise memory_error(self.memory, self.subproblems)
        else:
            register[MemoRegister.IS_FROZEN] = self.is_frozen = True
        return True

    def _widen(self, stop: Callable[[], bool]) -> bool:
        """Give all counts another word.

        Returns whether that is done; if `stop()` ends it, the next call continues.
        """
        state = self._state
        n_words = self._state.keys.shape[1]
        n_values = self._n_values
        if self._fits(8 * (n_words + n_values + 1) * self._n_slots):
            if not self._replace_table(self._n_slots, n_values + 1, stop):
                return False
        else:  # forget what is stored
            self._entries = np.zeros(0, np.uint64)
            state.slot[:] = UNSTORED
            state.register[MemoRegister.USED] = 0
            state.register[MemoRegister.IS_FROZEN] = self.is_frozen = False
            self._replace_table(MIN_SLOTS, n_values + 1)
        values = np.zeros((len(state.uncovered), n_values + 1), np.uint64)
        values[:, :n_values] = state.values.reshape(-1, n_values)
        self._state = state._replace(values=values.reshape(-1))
        return True

    def _replace_table(
        self, n_slots: int, n_values: int | None = None, stop: Callable[[], bool] | None = None
    ) -> bool:
        """Move all entries to a new table, where values have `n_values` words (default: as before).

        Returns whether that is done; if `stop()` ends it, `growth` keeps the new table, and the
        next call, with the same numbers of slots and words, continues.
        """
        state = self._state
        n_words = self._state.keys.shape[1]
        n_values = n_values or self._n_values
        stride = n_words + n_values
        old = self._entries.reshape(-1, n_words + self._n_values)
        entries, n_moved = self.growth or (np.zeros(n_slots * stride, np.uint64), 0)
        table = entries, np.uint64(n_slots - 1), stride, n_words
        for begin in range(n_moved, len(old), SLOTS_PER_SLICE):
            if stop is not None and stop():
                self.growth = entries, begin
                return False
            move_entries(old[begin : begin + SLOTS_PER_SLICE], *table)
        end = int(state.register[MemoRegister.LEVEL]) + 1
        find_rows(*table, state.keys, state.slot, end)  # of the subproblems on the stack
        self._entries = entries
        self.growth = None
        self._n_slots = n_slots
        self._n_values = n_values
        state.register[MemoRegister.MAX_USED] = max(
            int(MAX_LOAD * n_slots), state.register[MemoRegister.USED]
        )
        return True

    def _grow_edges(self) -> None:
        """Double the arrays of the diagram that are nearly full.

        Raises MemoryLimitError if that needs more memory than is allowed.
        """
        register = self._state.register
        edges = self.edges
        assert edges is not None
        n_nodes = register[MemoRegister.NODES]
        n_edges = register[MemoRegister.EDGES]
        n_branches = len(self._state.pending)  # of a node, at most
        start = edges.start
        arrays = [edges.option, edges.child]
        if n_nodes + 1 >= len(start):
            if not self._fits(start.nbytes):
                raise memory_error(self.memory, self.subproblems)
            start = np.pad(start, (0, len(start)))
            self.edges = Diagram(start, *arrays)  # for `_fits`, which counts its bytes
        if n_edges + n_branches > len(edges.option):
            size = 2 * len(edges.option) + n_branches
            if not self._fits(8 * (size - len(edges.option))):
                raise memory_error(self.memory, self.subproblems)
            arrays = [np.pad(array, (0, size - len(array))) for array in arrays]
        self.edges = Diagram(start, *arrays)

    def _fits(self, n_bytes: int) -> bool:
        """Return whether the limit permits the allocation of a further number of bytes."""
        return self.nbytes + n_bytes <= self.memory


def allocate_state(problem: Problem, encoded: EncodedOptions, has_dead_ends: bool) -> MemoState:
    """Return the state at the root of the search."""
    n_primary = problem.n_primary
    _, bitsets, numbers = encoded
    n_options = len(numbers)
    n_levels = min(n_primary, n_options) + 2
    uncovered = np.zeros((n_levels, count_words(n_primary)), np.uint64)
    set_bits(uncovered, np.zeros(n_primary, np.int64), np.arange(n_primary))
    available = np.zeros((1, 1), np.uint64)
    if bitsets is not None:
        n_more = count_words(n_primary) if has_dead_ends else 1  # of a key with secondary items
        available = np.zeros((n_levels, bitsets.compatible.shape[1] + n_more), np.uint64)
        set_bits(available, np.zeros(n_options, np.int64), np.arange(n_options))
    keys = available if problem.n_secondary else uncovered
    branches = np.zeros((4, n_levels), np.int64)  # begin, next, end, live
    slot = np.full(n_levels, UNSTORED)
    values = np.zeros(n_levels, np.uint64)
    options = np.zeros((2, n_options + 1), np.uint32)  # pending, children
    register = np.zeros(len(MemoRegister), np.int64)
    levels = uncovered, available, keys, *branches, slot, values
    return MemoState._make((*levels, *options, register))
