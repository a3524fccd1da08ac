"""Executors of the standard library's interface: their capacity, and Dask clusters as executors."""

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, NamedTuple

TIMEOUT = 5  # seconds for the scheduler to answer


class ClusterError(RuntimeError):
    """Why there is no cluster."""


class Cluster(NamedTuple):
    """A cluster that takes tasks, so many at once."""

    executor: Executor
    threads: int


@contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """The cluster whose scheduler is at an address, such as tcp://127.0.0.1:8786.

    Raises ClusterError where Dask is not installed, nobody answers, or there are no workers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("Dask is not installed: pip install 'dlx-numba[dask]'") from None
    try:
        client = Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"no Dask scheduler at {address}: {error}") from None
    with client:
        threads = _dask_threads(client)
        if not threads:
            raise ClusterError(f"the Dask scheduler at {address} has no workers")
        yield Cluster(client.get_executor(), threads)


def executor_slots(executor: Executor) -> int:
    """Return the number of tasks that an executor runs at the same time.

    It is known for the executors of the standard library and of Dask. For any other executor, and
    for a Dask cluster without workers, it is the number of processors of this machine.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> executor_slots(ThreadPoolExecutor(3))
    3
    """
    if workers := getattr(executor, "_max_workers", None):
        return int(workers)
    client = getattr(executor, "_client", None)  # of Dask's executor
    if client is not None and (threads := _dask_threads(client)):
        return threads
    return os.cpu_count() or 1


def _dask_threads(client: Any) -> int:
    return int(sum(client.nthreads().values()))
