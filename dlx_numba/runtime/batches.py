"""Divide the rows of a batch among threads, or among tasks of an executor."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .arguments import check_integer
from .errors import ExecutorError, Stopped
from .interrupts import MAX_THREADS, ResultT, Stop
from .resources import default_threads, executor_slots
from .text import plural
from .workers import TaskThreads, call_in_thread

TASKS_PER_SLOT = 4  # the minimum, if there are enough rows: this balances the load
MAX_ROWS_PER_TASK = 8192

POLL_SECONDS = 0.02  # between two checks whether to stop waiting for an executor
GRACE_SECONDS = 0.1  # for the results of tasks that end at the same time limit

PartT = TypeVar("PartT")
ThreadsT = TypeVar("ThreadsT", bound="WorkerThreads")


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
        self, work_on: Callable[[PartT], None], parts: Iterable[PartT], result: ResultT
    ) -> Callable[[], ResultT]:
        """Start calling `work_on` for each part.

        Return a function that waits for all calls and returns `result`, or raises the exception of
        a call that fails.
        """
        tasks = [self.threads.submit(partial(work_on, part)) for part in parts]

        def wait_for_result() -> ResultT:
            """Wait for all tasks; if a signal interrupts this, end them soon."""
            try:
                for task in tasks:
                    task.result()
            except BaseException:
                self.stop.is_canceled = True  # another signal could interrupt a call of `cancel`
                raise
            return result

        return wait_for_result

    def run_parts(self, work_on: Callable[[PartT], None], parts: Sequence[PartT]) -> None:
        """Call `work_on` for each part, in the calling thread if one thread is enough.

        Parts that are not started when `stop` returns True are left out.
        """
        # All threads take parts from one iterator. A task for each part would be too many.
        remaining = iter(parts)

        def work(_: int) -> None:
            """Work on parts until none remain; an exception ends the other threads, too."""
            try:
                for part in remaining:
                    if self.stop():
                        break
                    work_on(part)
            except BaseException:
                self.stop.is_canceled = True
                raise

        n_tasks = min(self.n_workers, len(parts))
        if n_tasks < 2:
            work(0)
        else:
            self.start_parts(work, range(n_tasks), None)()

    def results_of(self, calls: Sequence[Callable[[], ResultT]]) -> list[ResultT | None]:
        """Return the results of calls; None for those that `stop` keeps from starting."""
        results: list[ResultT | None] = [None] * len(calls)

        def run(k: int) -> None:
            results[k] = calls[k]()

        self.run_parts(run, range(len(calls)))
        return results

    def start(self, function: Callable[..., ResultT], *arguments: object) -> Callable[[], ResultT]:
        """Call `function(*arguments, stop=stop)` in a thread; return a function that waits."""
        return self.threads.submit(partial(function, *arguments, stop=self.stop)).result

    def __enter__(self: ThreadsT) -> ThreadsT:
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if kind is not None:
            self.stop.cancel()
        self.threads.close(cancel=kind is not None)


class ExecutorTasks:
    """Tasks of an executor; a context manager, which cancels those that have not started."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.n_workers = executor_slots(executor)
        self.futures: set[Future[Any]] = set()

    def start(self, function: Callable[..., ResultT], *arguments: object) -> Callable[[], ResultT]:
        """Submit a call as one task; return a function that waits for it.

        Both raise ExecutorError if the executor fails, for example because a worker has died.
        """
        try:
            future = self.executor.submit(function, *arguments)
        except RuntimeError as error:
            raise ExecutorError(f"the executor takes no tasks: {error!r}") from error
        self.futures.add(future)

        def wait_for_result() -> ResultT:
            """Wait for the result of a task."""
            self.futures.discard(future)
            try:
                return future.result()
            except (ValueError, OSError):  # of the task itself
                raise
            except Exception as error:  # the types of exceptions differ between executors
                raise ExecutorError(f"a task returned no result: {error!r}") from error

        return wait_for_result

    def __enter__(self) -> "ExecutorTasks":
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.cancel()

    def cancel(self) -> None:
        """Cancel the tasks that have not started."""
        for future in self.futures:
            cancel_task(future)


def cancel_task(task: "Future[Any]") -> bool:
    """Cancel a task, and return whether it will not run. Some executors, as Parsl's, cannot."""
    try:
        return task.cancel()
    except NotImplementedError:
        return False


def run_tasks(
    executor: Executor, send: Callable[[slice], "Future[ResultT]"], n_rows: int, stop: Stop
) -> list[tuple[slice, ResultT]]:
    """Return the rows and the results of tasks, each for a part of a batch.

    `send` submits the task for some rows to the executor. If `stop` returns True, the results of
    tasks that are not finished are missing. Errors of the tasks and of the executor propagate.
    A run that must end does not wait for its tasks, because they may be waiting for other tasks of
    the executor.

    `stop` is canceled at the end in any case: after an exception of a signal handler, a thread may
    still be sending tasks. A caller that needs it afterward passes a copy.
    """

    def run() -> list[tuple[slice, ResultT]]:
        """Send tasks until all rows are done, or a stop; return the results with their rows."""
        slots = executor_slots(executor)
        n_tasks = max(TASKS_PER_SLOT * slots, -(-n_rows // MAX_ROWS_PER_TASK))  # rounded up
        unsent = deque(split_rows(n_rows, n_tasks))
        # Tasks that wait for a slot save the round trip, but their time limit would start late.
        is_timed = math.isfinite(stop.seconds_left())
        max_sent = slots if is_timed else 2 * slots
        rows_of: dict[Future[ResultT], slice] = {}  # of the tasks that are sent and not done
        results = []
        is_stopped = False
        try:
            while (rows_of or unsent) and not is_stopped:
                while unsent and len(rows_of) < max_sent and not stop():
                    rows = unsent.popleft()
                    rows_of[send(rows)] = rows
                if is_stopped := stop():
                    done = wait(rows_of, GRACE_SECONDS if is_timed else 0).done
                else:
                    done = wait(rows_of, POLL_SECONDS, FIRST_COMPLETED).done
                results += [(rows_of.pop(task), task.result()) for task in done]
        finally:
            for task in rows_of:
                cancel_task(task)
        return results

    try:
        # Executors hold locks that an exception of a signal handler would leave locked.
        return call_in_thread(run)
    finally:
        stop.is_canceled = True


def fill_by_tasks(
    executor: Executor,
    send: Callable[[slice], "Future[Any]"],
    arrays: Sequence[NDArray[Any]],
    stop: Stop,
) -> None:
    """Run tasks as `run_tasks` does, each of which returns some rows of all arrays.

    The rows of tasks that are not finished remain unchanged. `stop` is canceled at the end.
    """
    for rows, parts in run_tasks(executor, send, len(arrays[0]), stop):
        for array, part in zip(arrays, parts, strict=True):
            array[rows] = part


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
    return check_integer(threads, "threads", "for one per processor", minimum=1)


def split_rows(n_rows: int, n_parts: int, min_size: int = 1) -> list[slice]:
    """Return consecutive slices of nearly equal length, none of them empty.

    There are at most `n_parts`, and fewer if they would be shorter than `min_size`.
    """
    size = max(min_size, -(-n_rows // n_parts))
    return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]


def n_leading(is_done: NDArray[np.bool_]) -> int:
    """Return the number of rows before the first one that is not done."""
    return len(is_done) if is_done.all() else int(np.argmin(is_done))  # the first False


def check_complete(result: ResultT, n_done: int, size: int, noun: str = "puzzle") -> ResultT:
    """Return the result of a call for `size` puzzles if `n_done`, the first ones, are all of them.

    Otherwise, raises Stopped with this result, which the caller has cut to the first ones.
    """
    if n_done < size:
        raise Stopped(f"stopped after {n_done:,} of {plural(size, noun)}", result)
    return result
