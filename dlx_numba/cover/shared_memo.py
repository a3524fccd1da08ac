"""Count with a memo in tasks of an executor."""

import math
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ..kernels.memo.explore import Words
from ..kernels.memo.levels import Level, advance, first_level, first_row, total, words_of_key
from ..kernels.memo.option_sets import EncodedOptions, encode_as_bits
from ..kernels.memo.search import LOOKUP_UPDATES, SUBPROBLEM_UPDATES, Observation
from ..kernels.problem import Problem, usable_by_kernels
from ..runtime.batches import run_tasks
from ..runtime.interrupts import Steps, Stop
from .subproblems import candidate_orders

MIN_ROWS = 1 << 12  # fewer subproblems are not sent to tasks
LOCAL_ITEMS, MAX_GROWTH = 4, 4  # how far they are advanced, and how many may result
PART_BITS = 4  # the subproblems of a level are divided into up to 16 parts, or smaller ones
MAX_PART_WORDS, MAX_PART_WORK = 1 << 20, 1 << 20  # rows that a task divides: part of a second
CHUNK_WORDS = 1 << 18  # of rows that are divided or merged in one step
MEMORY_SHARE = 8  # of the memory, a level may use one eighth: others may wait for it

# The duration of a task, if a request to stop may end the run or not
SHORT_TASK_SECONDS, TASK_SECONDS = 0.3, 2.0

Part = tuple[int, Words]  # the item that is next, and subproblems
Chunks = list[Words]  # the subproblems of a level
Result = tuple[int, Words, int, int]


class SharedMemo:
    """A resumable count that divides the subproblems of a level among the tasks of an executor.

    Tasks advance the subproblems by several items; then equal ones are merged. Their numbers do not
    depend on the number of workers.

    Parameters
    ----------
    problem : Problem
        A problem without multiplicities.
    memory : int
        The number of bytes for subproblems.
    executor : Executor

    Raises
    ------
    ValueError
        If the problem has multiplicities or totals.
    """

    order = ""  # the name of the order of the items
    expected_work = math.inf  # until the end: not known

    def __init__(self, problem: Problem, memory: int, executor: Executor) -> None:
        problem.reject_totals("a memo")
        if problem.low is not None:
            raise ValueError("an executor cannot count problems with multiplicities with a memo")
        self._n_items, self._memory, self._executor = problem.n_primary, memory, executor
        self._options: EncodedOptions
        # Levels of which the last one is next: their first item, and subproblems
        self._levels: list[tuple[int, Chunks]] = []
        # Of the current level, by number: the parts that tasks have not finished, the item up to
        # which they advance them, and the subproblems of those that they have
        self._parts: dict[int, Part] = {}
        self._last, self._finished = 0, dict[int, Words]()
        self._n_bytes = self._subproblems = self._lookups = self.value = 0
        self.is_done = False
        self._steps = self._count(problem)

    @property
    def best(self) -> "SharedMemo":
        """The memo that has the value, as `MemoPortfolio.best`."""
        return self

    @property
    def work(self) -> int:
        """The work so far, in updates of a search with links."""
        return LOOKUP_UPDATES * self._lookups + SUBPROBLEM_UPDATES * self._subproblems

    @property
    def observation(self) -> Observation:
        """The progress."""
        first, _ = next(iter(self._levels[-1:]), (0, []))
        explored = 1.0 if self.is_done else first / max(1, self._n_items)
        counters = self._subproblems, self._lookups, self._n_bytes
        return Observation(explored, self.value, *counters, False)

    def run(self, stop: Stop, max_work: float = math.inf) -> None:
        """Count until the end, until `stop()`, or up to an amount of work."""
        while not (self.is_done or self.work >= max_work or stop()):
            if self._parts:
                self._run_parts(stop)
            else:
                next(self._steps)

    def _count(self, problem: Problem) -> Steps[None]:
        """Count in small steps. When parts are left, tasks must finish them before the next one."""
        levels, n_items = self._levels, self._n_items
        order = yield from self._choose_order(problem)
        options = self._options = yield from encode_as_bits(problem, order)
        nodes = branching_nodes(problem, order)
        yield
        levels.append((0, [first_row(options)]))
        while levels:
            first, chunks = levels[-1]
            n_rows, n_bytes = sum(map(len, chunks)), sum(rows.nbytes for rows in chunks)
            self._n_bytes = n_bytes
            if first == n_items or not n_rows:
                for rows in chunks:
                    self.value += total(options, rows)
                    yield
                levels.pop()
            elif n_bytes * MEMORY_SHARE > self._memory and n_rows > 1:
                if len(chunks) == 1:
                    chunks = np.array_split(chunks[0], 2)
                half = len(chunks) // 2
                levels[-1:] = [(first, chunks[:half]), (first, chunks[half:])]
            elif n_rows < MIN_ROWS:
                level = first_level(options, np.concatenate(chunks), first)
                for _ in level.advance(min(first + LOCAL_ITEMS, n_items)):
                    if level.n_used > MAX_GROWTH * MIN_ROWS:
                        break
                    yield
                first, rows = self._add(level.result())
                levels[-1:] = [(first, [rows])]
            else:
                touched = first_branches(nodes, first, n_items)
                parts, self._last = yield from divide_level(options, chunks, first, touched)
                self._parts = {k: (first, part) for k, part in enumerate(parts)}
                levels[-1] = first, []  # the parts are copies
                del chunks, parts
                yield
                results = [self._finished.pop(k) for k in sorted(self._finished)]
                levels[-1:] = [(self._last, (yield from merge(options, results)))]
        self.is_done = True
        yield

    def _choose_order(self, problem: Problem) -> Steps[NDArray[np.int64]]:
        """Return the most promising order of the items."""
        for order in candidate_orders(problem, "auto"):
            if order is not None and order.items is not None:
                self.order = order.name
                return order.items
            yield
        raise AssertionError("there is always an order of the items")

    def _add(self, result: Result) -> Part:
        """Return the subproblems of a result, and count its work."""
        first, rows, n_subproblems, n_lookups = result
        self._subproblems += n_subproblems
        self._lookups += n_lookups
        return first, rows

    def _run_parts(self, stop: Stop) -> None:
        """Submit the parts that are left, and keep the results of those that are finished."""
        numbers, parts = [*self._parts], [*self._parts.values()]
        options, last = self._options, self._last
        longest = TASK_SECONDS if stop.event is None else SHORT_TASK_SECONDS

        def send(some: slice) -> "Future[list[Result]]":
            seconds = min(stop.seconds_left(), longest)
            return self._executor.submit(advance_parts, options, parts[some], last, seconds)

        for some, results in run_tasks(self._executor, send, len(parts), copy(stop)):
            for k, result in zip(numbers[some], results, strict=True):
                self._parts[k] = first, rows = self._add(result)
                if first == last:
                    self._finished[k] = rows
                    del self._parts[k]


def advance_parts(
    options: EncodedOptions, parts: Sequence[Part], last: int, seconds: float
) -> list[Result]:
    """Advance the subproblems of parts for a limited time. This is the task that is submitted."""
    options, usable = usable_by_kernels((options, tuple(parts)))
    share = seconds / len(parts)
    return [advance(options, rows, first, last, share) for first, rows in usable]


def branching_nodes(
    problem: Problem, order: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each primary node the item that its option is chosen for, and its own item.

    Items are numbered in the order in which they are covered. The nodes of later options are first.
    """
    rank, first = np.argsort(order), np.full(problem.n_options, problem.n_primary)
    is_primary = problem.items < problem.n_primary
    option_of, items = problem.option_of_node()[is_primary], rank[problem.items[is_primary]]
    np.minimum.at(first, option_of, items)
    by_first = np.argsort(-first[option_of], kind="stable")
    return first[option_of[by_first]], items[by_first]


def first_branches(
    nodes: tuple[NDArray[np.int64], NDArray[np.int64]], first: int, n_items: int
) -> NDArray[np.int64]:
    """Return for each item the item, from `first`, whose options are the first that contain it.

    It is `n_items` if there is none.
    """
    chosen_for, items = nodes
    n_later = int(np.searchsorted(-chosen_for, -first, side="right"))
    touched = np.full(n_items, n_items)
    touched[items[:n_later]] = chosen_for[:n_later]  # the last assignment counts
    return touched


def divide_level(
    options: EncodedOptions, chunks: Chunks, first: int, touched: NDArray[np.int64]
) -> Steps[tuple[list[Words], int]]:
    """Return parts of a level, and the item up to which tasks should advance them.

    The parts differ in items that are not covered before the last item, so different parts have few
    equal subproblems until then. `touched` is the result of `first_branches`.
    """
    n_items, n_words = len(touched), options.branches.items.shape[1]
    some, every = chunks[0][:1, :n_words].copy(), chunks[0][:1, :n_words].copy()
    for rows in chunks:
        some |= np.bitwise_or.reduce(rows[:, :n_words])
        every &= np.bitwise_and.reduce(rows[:, :n_words])
        yield
    (items,) = np.nonzero(np.unpackbits((some & ~every).view(np.uint8), bitorder="little"))
    chosen = items[np.argsort(touched[items], kind="stable")][-PART_BITS:]
    groups: list[Chunks] = [[] for _ in range(1 << len(chosen))]
    for rows in chunks:
        code = np.zeros(len(rows), np.int64)
        for item in chosen:
            code = 2 * code + (rows[:, item // 64] >> np.uint64(item % 64) & np.uint64(1)).astype(
                int
            )
        divide_rows_among(groups, rows, code)
        yield
    parts, largest = [], 1
    for group in groups:
        if group:
            rows = np.concatenate(group)
            largest = max(largest, len(rows))
            n_parts = -(-rows.size // MAX_PART_WORDS)
            parts += np.array_split(rows, n_parts)
            group.clear()
            yield
    most = first + MAX_PART_WORK // min(largest, MAX_PART_WORK)
    return parts, max(first + 1, min([n_items, most, *touched[chosen].tolist()]))


def merge(options: EncodedOptions, results: Chunks) -> Steps[Chunks]:
    """Return the rows of results, in which equal subproblems are one row. Clears the results."""
    n_key = words_of_key(options)
    factors = np.random.default_rng(0).integers(1 << 63, size=n_key, dtype=np.uint64) | np.uint64(1)
    n_groups = 1 + sum(rows.size for rows in results) // CHUNK_WORDS
    groups: list[Chunks] = [[] for _ in range(n_groups)]
    while results:
        rows = results.pop()
        for part in np.array_split(rows, 1 + rows.size // CHUNK_WORDS):
            code = (part[:, :n_key] * factors).sum(axis=1) >> np.uint64(32)
            divide_rows_among(groups, part, (code % np.uint64(n_groups)).astype(np.int64))
            yield
    merged = []
    for group in groups:
        level = Level(options)
        for rows in group:
            level.insert(rows)
        merged.append(level.rows())
        group.clear()
        yield
    n_words = max(rows.shape[1] for rows in merged)
    return [np.pad(rows, ((0, 0), (0, n_words - rows.shape[1]))) for rows in merged if len(rows)]


def divide_rows_among(groups: list[Chunks], rows: Words, code: NDArray[np.int64]) -> None:
    """Add copies of rows to the groups with the numbers in `code`."""
    order, ends = np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))
    for group, part in zip(groups, np.split(rows[order], ends), strict=False):
        if len(part):
            group.append(part)
