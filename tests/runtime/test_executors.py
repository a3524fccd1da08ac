"""The capacity of executors."""

import os
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

from dlx_numba.runtime.executors import executor_slots


class FakeClient:
    """A stand-in for a Dask client whose workers have the given numbers of threads."""

    def __init__(self, *threads):
        self.threads = threads

    def nthreads(self):
        return dict(enumerate(self.threads))


class FakeDaskExecutor(Executor):
    def __init__(self, *threads):
        self._client = FakeClient(*threads)


def test_standard_executors():
    with ThreadPoolExecutor(3) as threads, ProcessPoolExecutor(2) as processes:
        assert executor_slots(threads) == 3
        assert executor_slots(processes) == 2


def test_dask_executor_has_the_threads_of_all_workers():
    assert executor_slots(FakeDaskExecutor(2, 4)) == 6


def test_unknown_capacity_is_the_number_of_processors():
    assert executor_slots(Executor()) == os.cpu_count()
    assert executor_slots(FakeDaskExecutor()) == os.cpu_count()
