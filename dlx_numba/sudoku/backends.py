"""The workers that solve boards: threads of this process, or tasks of an executor."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, FIRST_EXCEPTION, Executor, Future, wait
from functools import partial
from types import TracebackType
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..runtime.arguments import check_integer
from ..runtime.executors import executor_slots
from ..runtime.interrupts import MAX_THREADS, Stop
from ..runtime.resources import default_threads
from ..runtime.workers import Task, TaskThreads, call_in_thread
from .box import Box
from .engines.base import EngineResult
from .engines.registry import borrowed_engine, resolve_engine
from .in_place import SolvedText, solve_lines
from .io.records import PlainRecords, Records
from .verify import check_values

TASKS_PER_SLOT = 4  # the minimum, if there are enough boards: this balances the load
MAX_BOARDS_PER_TASK = 8192

SLICE_SECONDS = 0.05  # of a thread, if it does not take longer for a single board

POLL_SECONDS = 0.02  # between two checks whether to stop waiting for an executor
GRACE_SECONDS = 0.1  # for the results of tasks that end at the same time limit

ResultT = TypeVar("ResultT")
ThreadsT = TypeVar("ThreadsT", bound="WorkerThreads")


class ExecutorError(RuntimeError):
    """A task of an executor failed to return a result."""


class Backend(Protocol):
    """The workers that solve batches of boards; a context manager.

    Each batch is split into parts, and an engine solves each part. The result of an engine for a
    board does not depend on the other boards, so all backends return the same result.
    """

    @property
    def n_workers(self) -> int:
        """The number of parts that are solved at the same time."""

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], EngineResult]:
        """Start solving `boards` (N, cells); return a function that waits for the result.

        The values of the boards must be valid, as those of `read_boards` are. Several batches can
        be in progress at the same time.
        """

    def submit_text(self, records: Records) -> Callable[[], SolvedText] | None:
        """Start solving the lines of records in place; return a function that waits for the result.

        The text is detached from the records. Returns None if they have none, or if the engine
        cannot read symbols.
        """

    def solve(self, boards: NDArray[np.uint8], box: Box) -> EngineResult:
        """Solve `boards` (N, cells) and return the result."""

    def __enter__(self) -> "Backend": ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


class WorkerThreads:
    """Threads that work on parts of a batch; a context manager, which ends them.

    Parameters
    ----------
    n_threads
        The number of threads.
    stop
        Canceled if an exception leaves the block, so that the threads end early.
    """

    def __init__(self, n_threads: int, stop: Stop) -> None:
        self.stop = stop
        self.n_workers = min(n_threads, MAX_THREADS)
        self.threads = TaskThreads(self.n_workers)

    def start_parts(
        self, work_on: Callable[[slice], None], parts: Iterable[slice]
    ) -> Callable[[], None]:
        """Start calling `work_on` for each part; return a function that waits for all calls.

        The returned function raises the exception of a call that fails.
        """
        return self._waiter([self.threads.submit(partial(work_on, rows)) for rows in parts])

    def start_slices(
        self, work_on: Callable[[slice], None], n_rows: int, first_size: int, max_size: int
    ) -> Callable[[], None]:
        """Start calling `work_on` for consecutive slices of rows, until `stop` returns True.

        The threads take the slices in order. Their sizes adapt to the time that they take. Return a
        function that waits for all calls. If one slice of `first_size` suffices, the calling thread
        does the work at once.
        """
        n_tasks = min(self.n_workers, -(-n_rows // first_size))
        slices = _Slices(n_rows, first_size, max_size, n_tasks)

        def work() -> None:
            while not self.stop() and (rows := slices.take()):
                begin = time.perf_counter()
                work_on(rows)
                slices.adapt(rows, time.perf_counter() - begin)

        if n_tasks <= 1:
            work()
            return lambda: None
        return self._waiter([self.threads.submit(work) for _ in range(n_tasks)])

    def _waiter(self, tasks: Sequence[Task[None]]) -> Callable[[], None]:
        """Return a function that waits for tasks."""

        def wait_for_tasks() -> None:
            try:
                for task in tasks:
                    task.result()
            except BaseException:
                self.stop.is_canceled = True  # another signal could interrupt a call of `cancel`
                raise

        return wait_for_tasks

    def run_parts(self, work_on: Callable[[slice], None], parts: Sequence[slice]) -> None:
        """Call `work_on` for each part; in the calling thread if one thread is enough."""
        if self.n_workers == 1 or len(parts) < 2:
            for rows in parts:
                work_on(rows)
        else:
            self.start_parts(work_on, parts)()

    def __enter__(self: ThreadsT) -> ThreadsT:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.stop.cancel()
        self.threads.close(cancel=kind is not None)


class _Slices:
    """Consecutive slices of rows, which several threads take."""

    def __init__(self, n_rows: int, first_size: int, max_size: int, n_threads: int) -> None:
        self._n_rows, self._size, self._max_size = n_rows, first_size, max_size
        self._n_threads, self._start = n_threads, 0
        self._lock = threading.Lock()

    def take(self) -> slice | None:
        """Return the next slice; None if there is none."""
        with self._lock:
            start = self._start
            if start == self._n_rows:
                return None
            fair_size = -(-(self._n_rows - start) // self._n_threads)
            self._start += min(self._size, fair_size)
            return slice(start, self._start)

    def adapt(self, rows: slice, seconds: float) -> None:
        """Let further slices take about `SLICE_SECONDS`, given the time of one of them."""
        size = rows.stop - rows.start
        fitting = int(size * SLICE_SECONDS / max(seconds, 1e-9))
        self._size = max(1, min(fitting, 2 * size, self._max_size))


class ThreadBackend(WorkerThreads):
    """A backend of threads.

    Parameters
    ----------
    engine
        The name of an engine, or "auto".
    limit
        The number of solutions at which the search for a board ends.
    n_threads
        The number of threads.
    stop
        Ends the searches early. Unfinished boards then have the count -1.
    """

    def __init__(self, engine: str, limit: int, n_threads: int, stop: Stop) -> None:
        super().__init__(n_threads, stop)
        self.engine, self.limit = engine, limit

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], EngineResult]:
        """See `Backend.submit`."""
        size = len(boards)
        result = EngineResult(
            np.empty_like(boards), np.empty(size, np.int64), np.empty(size, np.int64)
        )

        def solve_part(rows: slice) -> None:
            result.rows(rows).clear()  # by the thread whose cache then contains it
            self._solve_rows(boards, box, result, rows)

        wait_for_parts = self.start_parts(solve_part, self._split(size, box))

        def wait_for_result() -> EngineResult:
            wait_for_parts()
            return result

        return wait_for_result

    def submit_text(self, records: Records) -> Callable[[], SolvedText] | None:
        """See `Backend.submit_text`."""
        box = records.box
        if not isinstance(records, PlainRecords):
            return None
        if not resolve_engine(self.engine, box).reads_symbols:
            return None
        lines = records.detach_text()
        solved = SolvedText(lines, [])

        def solve_part(part: slice) -> None:
            with borrowed_engine(self.engine, box) as engine:
                found = solve_lines(engine, lines[part], self.limit, self.stop)
            if found is not None:
                solved.not_unique.append(found._replace(rows=found.rows + part.start))

        wait_for_parts = self.start_parts(solve_part, self._split(len(lines), box))

        def wait_for_result() -> SolvedText:
            wait_for_parts()
            return solved

        return wait_for_result

    def _split(self, n_boards: int, box: Box) -> list[slice]:
        """Divide the rows of a batch among the threads."""
        block_size = resolve_engine(self.engine, box).block_size
        # All threads have work in each round.
        rounds = max(1, -(-n_boards // (block_size * self.n_workers)))
        return split_rows(n_boards, rounds * self.n_workers)

    def solve(self, boards: NDArray[np.uint8], box: Box) -> EngineResult:
        """See `Backend.solve`. Boards for one thread are solved in the calling thread."""
        spec = resolve_engine(self.engine, box)
        result = EngineResult.allocate(boards)

        def solve_part(rows: slice) -> None:
            if not self.stop():
                check_values(boards[rows], box.n, rows.start)
                self._solve_rows(boards, box, result, rows)

        if len(boards) > spec.boards_at_once and self.n_workers > 1:
            self.run_parts(solve_part, self._split(len(boards), box))
        else:
            solve_part(slice(0, len(boards)))
        return result

    def _solve_rows(
        self, boards: NDArray[np.uint8], box: Box, result: EngineResult, rows: slice
    ) -> None:
        if self.stop():
            return
        with borrowed_engine(self.engine, box) as engine:
            engine.solve(boards[rows], self.limit, result.rows(rows), self.stop)


class ExecutorBackend:
    """A backend of tasks that run on an executor: processes, or a cluster.

    Parameters
    ----------
    engine, limit, stop
        The parameters of `ThreadBackend`. A task receives the time that is left when it is sent.
    executor
        Runs the tasks. It is not shut down.
    """

    def __init__(self, engine: str, limit: int, stop: Stop, executor: Executor) -> None:
        self.engine, self.limit, self.stop = engine, limit, stop
        self.executor = executor
        self.n_workers = executor_slots(executor)
        self.tasks: set[Future[EngineResult]] = set()  # of `submit`

    def __enter__(self) -> "ExecutorBackend":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for task in self.tasks:
            task.cancel()

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], EngineResult]:
        """See `Backend.submit`. The batch is one task.

        The returned function raises ExecutorError if the executor fails, for example because a
        worker has died.
        """
        task = self._send(boards, box)
        self.tasks.add(task)

        def wait_for_result() -> EngineResult:
            self.tasks.discard(task)
            try:
                return task.result()
            except (ValueError, OSError):
                raise
            except Exception as error:  # the types of exceptions differ between executors
                raise ExecutorError(f"a task returned no result: {error!r}") from error

        return wait_for_result

    def submit_text(self, records: Records) -> None:
        """See `Backend.submit_text`. Tasks receive boards, not text."""

    def solve(self, boards: NDArray[np.uint8], box: Box) -> EngineResult:
        """See `Backend.solve`. The batch is split into tasks; errors of the executor propagate.

        A run that must end does not wait for its tasks, because they may be waiting for other tasks
        of the executor.
        """
        resolve_engine(self.engine, box)  # raises ValueError if there is no such engine
        try:
            # Executors hold locks that an exception of a signal handler would leave locked.
            return call_in_thread(partial(self._solve, boards, box))
        finally:
            self.stop.is_canceled = True

    def _solve(self, boards: NDArray[np.uint8], box: Box) -> EngineResult:
        result = EngineResult.allocate(boards)
        n_tasks = max(TASKS_PER_SLOT * self.n_workers, -(-len(boards) // MAX_BOARDS_PER_TASK))
        unsent = deque(split_rows(len(boards), n_tasks))
        # Tasks that wait for a slot save the round trip, but their time limit would start late.
        timed = math.isfinite(self.stop.seconds_left())
        max_sent = self.n_workers if timed else 2 * self.n_workers
        rows_of: dict[Future[EngineResult], slice] = {}
        is_stopped = False
        try:
            while (rows_of or unsent) and not is_stopped:
                while unsent and len(rows_of) < max_sent and not self.stop():
                    rows = unsent.popleft()
                    check_values(boards[rows], box.n, rows.start)
                    rows_of[self._send(boards[rows], box)] = rows
                if is_stopped := self.stop():
                    done = wait(rows_of, GRACE_SECONDS if timed else 0).done
                else:
                    done = wait(rows_of, POLL_SECONDS, FIRST_COMPLETED).done
                for task in done:
                    result.rows(rows_of.pop(task)).assign(task.result())
        finally:
            for task in rows_of:
                task.cancel()
        return result

    def _send(self, boards: NDArray[np.uint8], box: Box) -> "Future[EngineResult]":
        return self.executor.submit(
            solve_task, boards, box, self.engine, self.limit, self.stop.seconds_left()
        )


def solve_task(
    boards: NDArray[np.uint8], box: Box, engine: str, limit: int, seconds: float
) -> EngineResult:
    """Solve `boards` (N, cells) in the worker that runs this task."""
    with ThreadBackend(engine, limit, 1, Stop(seconds)) as backend:
        return backend.solve(np.require(boards, np.uint8, ["C", "W"]), box)


def run_tasks(
    executor: Executor,
    task: Callable[..., ResultT],
    boards: NDArray[np.uint8],
    stop: Stop,
    *arguments: Any,
) -> list[tuple[slice, ResultT]]:
    """Call `task(part, *arguments)` for parts of `boards` on an executor.

    Returns the rows of each part and the result; only those of the first parts if `stop` returns
    True. Errors of the tasks and of the executor propagate.
    """

    def run() -> list[tuple[slice, ResultT]]:
        slots = executor_slots(executor)
        parts = split_rows(
            len(boards), max(TASKS_PER_SLOT * slots, -(-len(boards) // MAX_BOARDS_PER_TASK))
        )
        tasks = [executor.submit(task, boards[rows], *arguments) for rows in parts]
        try:
            while not stop() and wait(tasks, POLL_SECONDS, FIRST_EXCEPTION).not_done:
                if any(sent.done() and sent.exception() for sent in tasks):
                    break
            n_done = n_leading(np.array([sent.done() for sent in tasks], np.bool_))
            results = [sent.result() for sent in tasks if sent.done()]
            return list(zip(parts[:n_done], results[:n_done], strict=True))
        finally:
            for sent in tasks:
                sent.cancel()

    try:
        # Executors hold locks that an exception of a signal handler would leave locked.
        return call_in_thread(run)
    finally:
        stop.is_canceled = True


def check_workers(threads: int | None, executor: Executor | None) -> int:
    """Return the number of threads, as `check_threads` does. Raises an exception if invalid."""
    if executor is not None and threads is not None:
        raise ValueError("threads and executor cannot be combined")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor must have the interface of concurrent.futures, not {executor!r}")
    return check_threads(threads)


def check_threads(threads: int | None) -> int:
    """Return a number of threads; None is one per processor. Raises an exception if invalid."""
    if threads is None:
        return default_threads()
    if (threads := check_integer(threads, "threads", "for one per processor")) < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    return threads


def split_rows(n_rows: int, n_parts: int) -> list[slice]:
    """Return at most `n_parts` consecutive slices of nearly equal length, none of them empty."""
    size = max(1, -(-n_rows // n_parts))
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def n_leading(is_done: NDArray[np.bool_]) -> int:
    """Return the number of rows before the first one that is not done."""
    return len(is_done) if is_done.all() else int(np.argmin(is_done))


def map_chunks(
    chunks: Iterable[Records], start: Callable[[Records], Callable[[], ResultT]], n_workers: int
) -> Iterator[tuple[Records, ResultT]]:
    """Compute results for chunks while further chunks are read.

    Parameters
    ----------
    chunks
        Chunks of records, as `read_boards` yields them.
    start
        Called as `start(records)`; starts to compute a result and returns a function that waits for
        it.
    n_workers
        Chunks are read ahead to keep this number of workers busy.

    Yields
    ------
    records, result
        The chunks in order, each with its result. If reading or computing raises an exception, it
        is raised after the chunks that were read before.
    """
    waiting: deque[tuple[Records, Callable[[], ResultT]]] = deque()
    error: Exception | None = None
    try:
        for records in chunks:
            waiting.append((records, start(records)))
            if len(waiting) > 2 * n_workers:
                done, result = waiting.popleft()
                yield done, result()
    except Exception as raised:  # the chunks that were read before the error are not lost
        error = raised
    while waiting:
        done, result = waiting.popleft()
        yield done, result()
    if error is not None:
        raise error
