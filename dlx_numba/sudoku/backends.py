"""The workers that solve boards: threads of this process, or tasks of an executor."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor

import numpy as np

from ..runtime.batches import ExecutorTasks, WorkerThreads, split_rows
from ..runtime.interrupts import ResultT, Stop
from .box import Box
from .engines.base import Boards, EngineResult, Rules
from .engines.registry import choose_engine, resolve_engine, run_engine
from .io.records import Records


class ThreadBackend(WorkerThreads):
    """Threads that solve batches of boards.

    Each batch is split into parts, and an engine solves each part. The result of an engine for a
    board does not depend on the other boards, so an `ExecutorBackend` returns the same result.

    Parameters
    ----------
    engine
        The name of an engine, "auto", or rules.
    limit
        The number of solutions at which the search for a board ends.
    n_threads
        The number of threads.
    stop
        Ends the searches early. Unfinished boards then have the count -1.
    """

    def __init__(self, engine: str | Rules, limit: int, n_threads: int, stop: Stop) -> None:
        super().__init__(n_threads, stop)
        self.engine = engine
        self.limit = limit
        self.finished: list[int] = []  # the sizes of the parts that are solved

    def submit(
        self, boards: Boards, box: Box, rules: Rules | None = None, limit: int | None = None
    ) -> Callable[[], EngineResult]:
        """Start solving `boards` (N, cells); return a function that waits for the result.

        The values of the boards must be valid, as those of `read_records` are. Several batches can
        be in progress at the same time. Rules and a limit replace those of the backend.
        """
        engine = choose_engine(self.engine, rules)
        limit = limit or self.limit
        solve_part, parts, result = self._divide(boards, box, engine, limit)
        if rules is not None and len(parts) == 1 and not self.stop():
            # Most puzzles with rules of their own take less time than the exchange with a thread.
            # This stop returns True from its second call on: the engine solves for a slice only.
            stops = iter((False,))
            own_engine = rules.engine(box)
            if own_engine.prepare(self.stop):  # False if it is stopped
                own_engine.solve(boards, limit, result, lambda: next(stops, True))
            if (result.counts >= 0).all():  # otherwise, all parts are solved again
                self.finished.append(len(boards))
                return lambda: result
        return self.start_parts(solve_part, parts, result)

    def solve(self, boards: Boards, box: Box) -> EngineResult:
        """Solve `boards` (N, cells), in the calling thread if one thread is enough."""
        solve_part, parts, result = self._divide(boards, box, self.engine, self.limit)
        self.run_parts(solve_part, parts)
        return result

    def _divide(
        self, boards: Boards, box: Box, engine: str | Rules, limit: int
    ) -> tuple[Callable[[slice], None], list[slice], EngineResult]:
        """Return a function that solves part of a batch, all parts, and the result for it.

        The function writes views of the result, and notes the size of each part that is finished.
        """
        result = EngineResult.allocate(boards)

        def solve_part(rows: slice) -> None:
            if not self.stop():
                run_engine(engine, box, boards[rows], limit, result.rows(rows), self.stop)
                self.finished.append(rows.stop - rows.start)

        spec = resolve_engine(engine, box)
        # The number of rounds is rounded up. In each of them, all threads have a part.
        rounds = max(1, -(-len(boards) // (spec.block_size * self.n_workers)))
        parts = split_rows(len(boards), rounds * self.n_workers, spec.boards_at_once)
        return solve_part, parts, result


class ExecutorBackend(ExecutorTasks):
    """Tasks that solve batches of boards on an executor: in processes, or on a cluster.

    Parameters
    ----------
    engine, limit, stop
        The parameters of `ThreadBackend`. A task receives the time that is left when it is sent.
    executor
        Runs the tasks. It is not shut down.
    """

    def __init__(self, engine: str | Rules, limit: int, stop: Stop, executor: Executor) -> None:
        self.engine = engine
        self.limit = limit
        self.stop = stop
        super().__init__(executor)

    def submit(
        self, boards: Boards, box: Box, rules: Rules | None = None, limit: int | None = None
    ) -> Callable[[], EngineResult]:
        """Submit a batch as one task; see `ThreadBackend.submit` and `ExecutorTasks.start`."""
        engine = choose_engine(self.engine, rules)
        seconds = self.stop.seconds_left()
        return self.start(solve_task, boards, box, engine, limit or self.limit, seconds)


Backend = ThreadBackend | ExecutorBackend


def solve_task(
    boards: Boards, box: Box, engine: str | Rules, limit: int, seconds: float
) -> EngineResult:
    """Solve `boards` (N, cells) in the worker that runs this task."""
    with ThreadBackend(engine, limit, 1, Stop(seconds)) as backend:
        return backend.solve(np.require(boards, np.uint8, ["C", "W"]), box)


def map_chunks(
    chunks: Iterable[Records], start: Callable[[Records], Callable[[], ResultT]], n_workers: int
) -> Iterator[tuple[Records, ResultT]]:
    """Compute results for chunks while further chunks are read.

    Parameters
    ----------
    chunks
        Chunks of records, as `read_records` yields them.
    start
        Called as `start(records)`; starts to compute a result and returns a function that waits for
        it.
    n_workers
        Chunks are read ahead to keep this number of workers busy, unless no input is waiting.

    Yields
    ------
    records, result
        The chunks in order, each with its result. If reading or computing raises an exception, it
        is raised after the chunks that were read before.
    """
    # Chunks that are read, each with the function that waits for its result
    waiting: deque[tuple[Records, Callable[[], ResultT]]] = deque()
    error: Exception | None = None
    try:
        for records in chunks:
            waiting.append((records, start(records)))
            max_waiting = 2 * n_workers if records.is_followed else 0  # 0: no input is waiting
            while len(waiting) > max_waiting:
                oldest, result = waiting.popleft()
                yield oldest, result()
    except Exception as raised:  # the chunks that were read before the error are not lost
        error = raised
    while waiting:
        oldest, result = waiting.popleft()
        yield oldest, result()
    if error is not None:
        raise error
