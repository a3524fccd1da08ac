"""The Dask cluster of `--dask`."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from ..runtime.batches import ExecutorTasks
from .terminal import fail

CONNECT_SECONDS = 5  # timeout for the first answer of a scheduler


@contextmanager
def open_cluster(address: str | None) -> Iterator[Executor | None]:
    """Connect to the Dask cluster given by `--dask`, if any, and disconnect after the block.

    Fails if Dask is not installed, the scheduler does not answer, or it has no workers.
    """
    if address is None:
        yield None
        return
    try:
        from distributed import Client  # the extra `dask`

        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except ImportError:
        raise fail("Dask is not installed: pip install 'dlx-numba[dask]'") from None
    except (OSError, ValueError, TimeoutError) as error:
        raise fail(f"no Dask scheduler at {address}: {error}") from None
    with client:
        if not client.nthreads():
            raise fail(f"the Dask scheduler at {address} has no workers")
        yield client.get_executor()


@contextmanager
def open_tasks(address: str | None) -> Iterator[ExecutorTasks | None]:
    """Return the tasks of the cluster that `open_cluster` connects to, if any."""
    with open_cluster(address) as executor:
        if executor is None:
            yield None
        else:
            with ExecutorTasks(executor) as tasks:
                yield tasks
