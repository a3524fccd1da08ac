"""The capacity of executors, and Dask clusters as executors (extra `dask`)."""

import os
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, NamedTuple

CONNECT_SECONDS = 5  # timeout for the scheduler's first answer


class ClusterError(RuntimeError):
    """A cluster is not available."""


class Cluster(NamedTuple):
    """A connected cluster and the number of tasks that it runs at a time."""

    executor: Executor
    threads: int


@contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """Connect to the Dask scheduler at `address`, and disconnect at the end of the block.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as ``tcp://127.0.0.1:8786``.

    Yields
    ------
    Cluster
        An executor for the cluster, and the total number of threads of its workers.

    Raises
    ------
    ClusterError
        If Dask is not installed, the scheduler does not answer, or it has no workers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("Dask is not installed: pip install 'dlx-numba[dask]'") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"no Dask scheduler at {address}: {error}") from None
    with client:
        threads = _dask_threads(client)
        if not threads:
            raise ClusterError(f"the Dask scheduler at {address} has no workers")
        yield Cluster(client.get_executor(), threads)


def executor_slots(executor: Executor) -> int:
    """Return the number of tasks that an executor runs at the same time.

    For a Dask cluster without workers, and for executors other than those of Dask and of the
    standard library, this is the number of processors of the machine.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> executor_slots(ThreadPoolExecutor(3))
    3
    """
    if workers := getattr(executor, "_max_workers", None):
        return int(workers)
    client = getattr(executor, "_client", None)  # an attribute of Dask's executor
    if client is not None and (threads := _dask_threads(client)):
        return threads
    return os.cpu_count() or 1


def _dask_threads(client: Any) -> int:
    return int(sum(client.nthreads().values()))
