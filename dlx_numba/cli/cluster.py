"""The Dask cluster of `--dask`."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from ..runtime.batches import ExecutorTasks
from ..runtime.extras import import_extra
from ..runtime.version import __version__
from .terminal import fail, failing

PACKAGE = "dlx_numba"
CONNECT_SECONDS = 5  # timeout for the first answer of a scheduler


@contextmanager
def open_cluster(address: str | None) -> Iterator[Executor | None]:
    """Connect to the Dask cluster given by `--dask`, if any, and disconnect after the block.

    Fails if Dask is not installed, the scheduler does not answer or has another version, it has no
    workers, or some process lacks this version of the package.
    """
    if address is None:
        yield None
        return
    with failing(errors=(ImportError,)):
        distributed = import_extra("distributed", "--dask needs Dask", "'dlx-numba[dask]'")

    class Client(distributed.Client):  # type: ignore[name-defined]
        def __del__(self) -> None:
            """Do nothing: after a failure to connect, the base would wait, and complain."""

    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise fail(f"no Dask scheduler at {address}: {error}") from None
    except Exception as error:  # such as an operation that one of two versions lacks
        version = f"not of distributed {distributed.__version__}, as here"
        raise fail(f"the Dask scheduler at {address} is {version}: {error}") from None
    with client:
        _check_workers(client, address)
        yield client.get_executor()


def _check_workers(client: Any, address: str) -> None:
    """Fail if there are no workers, or some process lacks this version of the package."""
    versions = client.get_versions(packages=[PACKAGE])
    if not versions["workers"]:
        raise fail(f"the Dask scheduler at {address} has no workers")
    processes = {f"worker {worker}": facts for worker, facts in versions["workers"].items()}
    processes = {f"scheduler {address}": versions["scheduler"], **processes}
    for process, facts in processes.items():
        if (version := facts["packages"].get(PACKAGE)) != __version__:
            has = f"has {PACKAGE} {version}" if version else f"lacks {PACKAGE}"
            raise fail(f"the Dask {process} {has}, and needs {__version__}, as here")


@contextmanager
def open_tasks(address: str | None) -> Iterator[ExecutorTasks | None]:
    """Return the tasks of the cluster that `open_cluster` connects to, if any."""
    with open_cluster(address) as executor:
        if executor is None:
            yield None
        else:
            with ExecutorTasks(executor) as tasks:
                yield tasks
