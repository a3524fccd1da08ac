"""The cluster that `--dask` names."""

from collections.abc import Iterator
from contextlib import contextmanager

from ..runtime.executors import Cluster, ClusterError, connect
from .terminal import fail


@contextmanager
def connected(address: str | None) -> Iterator[Cluster | None]:
    """The Dask cluster at an address; None where no address is given. Fails where there is none."""
    if address is None:
        yield None
        return
    try:
        with connect(address) as cluster:
            yield cluster
    except ClusterError as error:
        raise fail(str(error)) from None
