"""Backends: threads and executors return the same results, and pass on limits and errors."""

import multiprocessing
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.runtime import batches
from dlx_numba.runtime.errors import ExecutorError
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.sudoku.backends import ExecutorBackend, ThreadBackend
from dlx_numba.sudoku.box import Box
from tests.helpers.boards import random_boards


class RecordingExecutor(ThreadPoolExecutor):
    """An executor that records the boards per task and the maximum number of unfinished tasks."""

    def __init__(self, max_workers):
        super().__init__(max_workers)
        self.sizes, self.futures, self.max_unfinished = [], [], 0

    def submit(self, function, boards, *arguments):
        future = super().submit(function, boards, *arguments)
        self.sizes.append(len(boards))
        self.futures.append(future)
        unfinished = sum(not future.done() for future in self.futures)
        self.max_unfinished = max(self.max_unfinished, unfinished)
        return future


class BrokenExecutor(ThreadPoolExecutor):
    """An executor that fails, like a process pool after the death of a worker."""

    def submit(self, function, *arguments):
        future = Future()
        future.set_exception(BrokenProcessPool("a worker has died"))
        return future


@pytest.mark.processes
def test_processes_return_the_same_as_threads():
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        for box in (Box(1, 5), Box(3, 3), Box(4, 4)):
            boards = random_boards(box, 60, 3 * box.n)
            expected = dlx.solve_batch(boards, limit=3, box=box)
            assert dlx.solve_batch(boards, limit=3, box=box, executor=processes) == expected
            assert len(set(expected.counts.tolist())) > 1


def test_without_boards_or_time_no_task_is_sent():
    with RecordingExecutor(2) as executor:
        for boards, seconds in (([], None), (np.zeros((0, 36), np.uint8), None), (["." * 81], 0)):
            result = dlx.solve_batch(boards, seconds=seconds, executor=executor)
            assert result == dlx.solve_batch(boards, seconds=seconds)
    assert executor.sizes == []


@pytest.mark.parametrize("seconds", [None, 600])
def test_more_tasks_than_slots(seconds, monkeypatch):
    monkeypatch.setattr(batches, "MAX_ROWS_PER_TASK", 7)
    boards = random_boards(Box(2, 2), 100, 12)
    with RecordingExecutor(2) as executor:
        result = dlx.solve_batch(boards, limit=None, seconds=seconds, executor=executor)
    assert result == dlx.solve_batch(boards, limit=None)
    assert executor.sizes == [*[7] * 14, 2]
    assert executor.max_unfinished <= (4 if seconds is None else 2)


def test_small_batches_are_split_evenly():
    with RecordingExecutor(3) as executor:
        for size, sizes in ((1, [1]), (12, [1] * 12), (24, [2] * 12), (25, [3] * 8 + [1])):
            dlx.solve_batch(np.zeros((size, 16), np.uint8), executor=executor)
            assert executor.sizes == sizes
            executor.sizes.clear()


@pytest.mark.compiled
def test_time_limit_of_tasks():
    with ThreadPoolExecutor(2) as executor:
        result = dlx.solve_batch(["." * 81] * 50, limit=None, seconds=0.1, executor=executor)
    assert result.counts.tolist() == [-1] * 50


def test_invalid_arguments_are_rejected_before_tasks_are_sent():
    boards = np.zeros((20, 16), np.uint8)
    with RecordingExecutor(2) as executor:
        for options, reason in (
            ({"engine": "quick"}, r"engine must be one of .*, not 'quick'"),
            ({"engine": "lanes"}, "does not support box 2x2"),
            ({"threads": 2}, "threads and executor cannot be combined"),
            ({"limit": 0}, "limit must be 1 or more"),
        ):
            with pytest.raises(ValueError, match=reason):
                dlx.solve_batch(boards, executor=executor, **options)
        assert executor.sizes == []


def test_errors_of_an_executor_propagate():
    boards = np.zeros((9, 16), np.uint8)
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    with pytest.raises(RuntimeError, match="after shutdown"):
        dlx.solve_batch(boards, executor=closed)
    takes_none = pytest.raises(ExecutorError, match="the executor takes no tasks")
    with ExecutorBackend("auto", 1, Stop(), closed) as backend, takes_none:
        backend.submit(boards, Box(2, 2))
    with BrokenExecutor(1) as executor, ExecutorBackend("auto", 1, Stop(), executor) as backend:
        with pytest.raises(BrokenProcessPool, match="has died"):
            dlx.solve_batch(boards, executor=executor)
        wait_for_result = backend.submit(boards, Box(2, 2))
        with pytest.raises(ExecutorError, match="a task returned no result: BrokenProcessPool"):
            wait_for_result()


def test_executor_stays_open_and_waiting_tasks_are_canceled():
    go_on = threading.Event()
    with RecordingExecutor(1) as executor:
        with ExecutorBackend("dlx", 1, Stop(), executor) as backend:
            executor.submit(lambda boards: go_on.wait(), [])
            backend.submit(np.zeros((9, 16), np.uint8), Box(2, 2))
        assert executor.futures[-1].cancelled()
        go_on.set()
        assert dlx.solve_batch(["." * 16], executor=executor).counts.tolist() == [1]


def test_threads_get_equal_parts():
    for size in (1, 5, 49_152, 40_000, 81_920):
        parts = []
        with ThreadBackend("lanes", 1, 2, Stop()) as backend:
            backend.start_parts = lambda work_on, rows, result: parts.extend(rows)  # noqa: B023
            backend.submit(np.zeros((size, 81), np.uint8), Box(3, 3))
        lengths = sorted(rows.stop - rows.start for rows in parts)
        assert lengths[-1] <= 16384
        assert sum(lengths) == size
        assert len(parts) == 1 if size < 32 else len(parts) % 2 == 0
