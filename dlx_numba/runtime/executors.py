"""A Dask cluster, for those who outgrow one machine: the extra `dask`."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import NamedTuple

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
        threads = sum(client.nthreads().values())
        if not threads:
            raise ClusterError(f"the Dask scheduler at {address} has no workers")
        yield Cluster(client.get_executor(), threads)
