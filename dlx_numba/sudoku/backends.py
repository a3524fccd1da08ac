"""The workers that solve boards: threads of this process, or tasks of an executor."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from functools import cached_property
from types import TracebackType
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..runtime.executors import executor_slots
from ..runtime.interrupts import MAX_THREADS, Stop
from .box import Box
from .engines.base import BatchResult
from .engines.registry import borrowed_engine, resolve_engine
from .io.records import Records
from .verify import check_values

TASKS_PER_SLOT = 4  # the minimum, if there are enough boards: this balances the load
MAX_BOARDS_PER_TASK = 8192


Result = TypeVar("Result", covariant=True)


class ExecutorError(RuntimeError):
    """A task of an executor failed to return a result."""


class Submitter(Protocol[Result]):
    """The workers that compute results for batches of boards."""

    @property
    def n_workers(self) -> int:
        """The number of parts that are computed at the same time."""

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], Result]:
        """Start computing; return a function that waits for the result."""


class Backend(Submitter[BatchResult], Protocol):
    """The workers that solve batches of boards; a context manager.

    Each batch is split into parts, and an engine solves each part. The result of an engine for a
    board does not depend on the other boards, so all backends return the same result.
    """

    @property
    def n_workers(self) -> int:
        """The number of parts that are solved at the same time."""

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], BatchResult]:
        """Start solving `boards` (N, cells); return a function that waits for the result.

        The values of the boards must be valid, as those of `read_boards` are. Several batches can
        be in progress at the same time.
        """

    def solve(self, boards: NDArray[np.uint8], box: Box) -> BatchResult:
        """Solve `boards` (N, cells) and return the result."""

    def __enter__(self) -> "Backend": ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


class ThreadBackend:
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
        Ends the searches early. Boards that are not finished then have the count -1.
    """

    def __init__(self, engine: str, limit: int, n_threads: int, stop: Stop) -> None:
        self.engine, self.limit, self.stop = engine, limit, stop
        self.n_workers = min(n_threads, MAX_THREADS)

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        """The threads, created at first use, which takes longer than solving a few boards."""
        return ThreadPoolExecutor(self.n_workers)

    def __enter__(self) -> "ThreadBackend":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.stop.cancel()
        if "pool" in vars(self):  # it has been created
            self.pool.shutdown(cancel_futures=kind is not None)

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], BatchResult]:
        """See `Backend.submit`."""
        return self._submit(boards, box, is_valid=True)

    def _submit(
        self, boards: NDArray[np.uint8], box: Box, *, is_valid: bool
    ) -> Callable[[], BatchResult]:
        result = BatchResult.allocate(boards)
        block_size = resolve_engine(self.engine, box).block_size
        # All threads have work in each round.
        rounds = max(1, -(-len(boards) // (block_size * self.n_workers)))
        parts = [
            self.pool.submit(self._solve_part, boards, box, result, rows, is_valid)
            for rows in split_rows(len(boards), rounds * self.n_workers)
        ]

        def wait_for_result() -> BatchResult:
            for part in parts:
                part.result()
            return result

        return wait_for_result

    def solve(self, boards: NDArray[np.uint8], box: Box) -> BatchResult:
        """See `Backend.solve`. Boards for one thread are solved in the calling thread."""
        spec = resolve_engine(self.engine, box)
        if self.n_workers > 1 and len(boards) > spec.boards_at_once:
            return self._submit(boards, box, is_valid=False)()
        result = BatchResult.allocate(boards)
        self._solve_part(boards, box, result, slice(0, len(boards)))
        return result

    def _solve_part(
        self,
        boards: NDArray[np.uint8],
        box: Box,
        result: BatchResult,
        rows: slice,
        is_valid: bool = False,
    ) -> None:
        if self.stop():
            return
        if not is_valid:
            check_values(boards[rows], box.n, rows.start)
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
        self.tasks: set[Future[BatchResult]] = set()

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

    def submit(self, boards: NDArray[np.uint8], box: Box) -> Callable[[], BatchResult]:
        """See `Backend.submit`. The batch is one task.

        The returned function raises ExecutorError if the executor fails, for example because a
        worker has died.
        """
        task = self._send(boards, box)

        def wait_for_result() -> BatchResult:
            self.tasks.discard(task)
            try:
                return task.result()
            except (ValueError, OSError):
                raise
            except Exception as error:  # the types of exceptions differ between executors
                raise ExecutorError(f"a task returned no result: {error!r}") from error

        return wait_for_result

    def solve(self, boards: NDArray[np.uint8], box: Box) -> BatchResult:
        """See `Backend.solve`. The batch is split into tasks; errors of the executor propagate."""
        resolve_engine(self.engine, box)  # raises ValueError if there is no such engine
        result = BatchResult.allocate(boards)
        n_tasks = max(TASKS_PER_SLOT * self.n_workers, -(-len(boards) // MAX_BOARDS_PER_TASK))
        unsent = deque(split_rows(len(boards), n_tasks))
        # Tasks that wait for a slot save the round trip, but their time limit would start late.
        timed = math.isfinite(self.stop.seconds_left())
        max_sent = self.n_workers if timed else 2 * self.n_workers
        rows_of: dict[Future[BatchResult], slice] = {}
        while True:
            while unsent and len(rows_of) < max_sent and not self.stop():
                rows = unsent.popleft()
                check_values(boards[rows], box.n, rows.start)
                rows_of[self._send(boards[rows], box)] = rows
            if not rows_of:
                return result
            for task in wait(rows_of, return_when=FIRST_COMPLETED).done:
                self.tasks.discard(task)
                result.rows(rows_of.pop(task)).assign(task.result())

    def _send(self, boards: NDArray[np.uint8], box: Box) -> "Future[BatchResult]":
        task = self.executor.submit(
            solve_task, boards, box, self.engine, self.limit, self.stop.seconds_left()
        )
        self.tasks.add(task)
        return task


def solve_task(
    boards: NDArray[np.uint8], box: Box, engine: str, limit: int, seconds: float
) -> BatchResult:
    """Solve `boards` (N, cells) in the worker that runs this task."""
    with ThreadBackend(engine, limit, 1, Stop(seconds)) as backend:
        return backend.solve(np.require(boards, np.uint8, ["C", "W"]), box)


def split_rows(n_rows: int, n_parts: int) -> list[slice]:
    """Return at most `n_parts` consecutive slices of nearly equal length, none of them empty."""
    size = max(1, -(-n_rows // n_parts))
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def solve_stream(
    chunks: Iterable[Records], backend: Submitter[Result]
) -> Iterator[tuple[Records, Result]]:
    """Solve chunks while they are read, or compute other results for them.

    Parameters
    ----------
    chunks
        Chunks of records, as `read_boards` yields them.
    backend
        Solves the boards. Chunks are read ahead to keep its workers busy.

    Yields
    ------
    records, result
        The chunks in order, each with its result. If reading or solving raises an exception, it is
        raised after the chunks that were read before.
    """
    waiting: deque[tuple[Records, Callable[[], Result]]] = deque()
    error: Exception | None = None
    try:
        for records in chunks:
            waiting.append((records, backend.submit(records.boards, records.box)))
            if len(waiting) > 2 * backend.n_workers:
                done, result = waiting.popleft()
                yield done, result()
    except Exception as raised:  # the chunks that were read before the error are not lost
        error = raised
    while waiting:
        done, result = waiting.popleft()
        yield done, result()
    if error is not None:
        raise error
