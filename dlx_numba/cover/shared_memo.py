"""Count with a memo in tasks of an executor."""

import math
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from copy import copy

import numpy as np

from ..kernels.memo.explore import Words
from ..kernels.memo.levels import Level, advance, first_row, total
from ..kernels.memo.option_sets import EncodedOptions, encode_as_bits
from ..kernels.memo.search import LOOKUP_UPDATES, SUBPROBLEM_UPDATES, Observation
from ..kernels.problem import Problem, usable_by_kernels
from ..runtime.batches import run_tasks
from ..runtime.interrupts import Stop
from .subproblems import candidate_orders

MIN_ROWS = 1 << 12  # fewer subproblems are not sent to tasks
LOCAL_ITEMS = 4  # by which they are advanced
PART_BITS = 4  # the subproblems of a level are divided into up to 16 parts
MAX_PART_WORK = 1 << 20  # rows that a task divides: a fraction of a second
MEMORY_SHARE = 8  # of the memory, a level may use one eighth: others may wait for it

# The duration of a task, if a request to stop may end the run or not
SHORT_TASK_SECONDS, TASK_SECONDS = 0.3, 2.0

Part = tuple[int, Words]  # the item that is next, and subproblems
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
        self._preparation = self._prepare(problem)
        self._options: EncodedOptions | None = None
        # Levels of which the last one is next: their first item, and subproblems
        self._levels: list[Part] = []
        self._parts: list[Part] = []  # of the current level, which tasks have not finished
        self._next: tuple[int, Level] | None = None  # the level in which they result
        self._subproblems = self._lookups = self.value = 0
        self.is_done = False

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
        first, rows = next(iter(self._levels[-1:]), (0, np.zeros(0)))
        explored = 1.0 if self.is_done else first / max(1, self._n_items)
        counters = self._subproblems, self._lookups, rows.nbytes
        return Observation(explored, self.value, *counters, False)

    def run(self, stop: Stop, max_work: float = math.inf) -> None:
        """Count until the end, until `stop()`, or up to an amount of work."""
        while not (self.is_done or self.work >= max_work or stop()):
            if self._options is None:
                next(self._preparation, None)
            elif self._parts:
                self._run_parts(self._options, stop)
            elif self._next is not None:
                (first, level), self._next = self._next, None
                self._levels[-1:] = [(first, level.rows())]
            elif self._levels:
                self._start_level(self._options)
            else:
                self.is_done = True

    def _prepare(self, problem: Problem) -> Iterator[None]:
        """Choose an order of the items, and encode the options, in small steps."""
        for order in candidate_orders(problem, "auto"):
            if order is not None and order.items is not None:
                options = yield from encode_as_bits(problem, order.items)
                self._levels.append((0, first_row(options)))
                self.order, self._options = order.name, options
                return
            yield

    def _start_level(self, options: EncodedOptions) -> None:
        """Divide a level into parts, unless it is the last one or has few subproblems."""
        first, rows = self._levels[-1]
        if first == self._n_items or not len(rows):
            self.value += total(options, rows)
            self._levels.pop()
        elif rows.nbytes * MEMORY_SHARE > self._memory and len(rows) > 1:
            half = len(rows) // 2
            self._levels[-1:] = [(first, rows[:half]), (first, rows[half:])]
        elif len(rows) < MIN_ROWS:
            last = min(first + LOCAL_ITEMS, self._n_items)
            self._levels[-1:] = [self._add(advance(options, rows, first, last))]
        else:
            parts, last = divide_level(options, rows, first)
            self._parts = [(first, part) for part in parts]
            self._next = last, Level(options)

    def _add(self, result: Result) -> Part:
        """Return the subproblems of a result, and count its work."""
        first, rows, n_subproblems, n_lookups = result
        self._subproblems += n_subproblems
        self._lookups += n_lookups
        return first, rows

    def _run_parts(self, options: EncodedOptions, stop: Stop) -> None:
        """Submit the parts that are left, and merge their results."""
        assert self._next is not None
        (last, level), parts = self._next, self._parts
        longest = TASK_SECONDS if stop.event is None else SHORT_TASK_SECONDS

        def send(some: slice) -> "Future[list[Result]]":
            seconds = min(stop.seconds_left(), longest)
            return self._executor.submit(advance_parts, options, parts[some], last, seconds)

        left = dict(enumerate(parts))
        for some, results in run_tasks(self._executor, send, len(parts), copy(stop)):
            for k, result in zip(range(some.start, some.stop), results, strict=True):
                left[k] = first, rows = self._add(result)
                if first == last:
                    level.insert(usable_by_kernels(rows))
                    del left[k]
        self._parts = [*left.values()]


def advance_parts(
    options: EncodedOptions, parts: list[Part], last: int, seconds: float
) -> list[Result]:
    """Advance the subproblems of parts for a limited time. This is the task that is submitted."""
    options, usable = usable_by_kernels((options, tuple(parts)))
    share = seconds / len(parts)
    return [advance(options, rows, first, last, share) for first, rows in usable]


def divide_level(options: EncodedOptions, rows: Words, first: int) -> tuple[list[Words], int]:
    """Return parts of a level, and the item up to which tasks should advance them.

    The parts differ in items that are not covered before the last item, so different parts have few
    equal subproblems until then.
    """
    start, sets = options.branches.start, options.branches.items
    n_items, n_words = len(start) - 1, sets.shape[1]
    if start[first] == start[-1]:
        return [rows], n_items
    first_items = np.repeat(np.arange(n_items), np.diff(start))[start[first] :]
    contains = np.unpackbits(sets[start[first] :].view(np.uint8), axis=1, bitorder="little")
    # The item whose options are the first that contain each item
    touched = np.where(contains.any(axis=0), first_items[contains.argmax(axis=0)], n_items)
    keys = rows[:, :n_words]
    varying = np.bitwise_or.reduce(keys) & ~np.bitwise_and.reduce(keys)
    (items,) = np.nonzero(np.unpackbits(varying.view(np.uint8), bitorder="little"))
    chosen = items[np.argsort(touched[items], kind="stable")][-PART_BITS:]
    group = np.zeros(len(rows), np.int64)
    for item in chosen:
        group = 2 * group + (rows[:, item // 64] >> np.uint64(item % 64) & np.uint64(1)).astype(int)
    order, sizes = np.argsort(group, kind="stable"), np.bincount(group)
    parts = [part for part in np.split(rows[order], np.cumsum(sizes)[:-1]) if len(part)]
    most = first + MAX_PART_WORK // int(sizes.max())
    return parts, max(first + 1, min([n_items, most, *touched[chosen].tolist()]))
