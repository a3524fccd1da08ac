"""Options that several commands share, and functions that interpret their values."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from ..runtime.executors import Cluster, ClusterError, connect
from ..sudoku.box import Box
from .terminal import fail

BoxShape = Annotated[
    str | None,
    typer.Option("--box", metavar="RxC", help="Rows and columns of a box, such as 2x3."),
]
AlphabetName = Annotated[
    str,
    typer.Option(
        "--alphabet",
        metavar="NAME",
        help="Symbols: 1-9A-, 0-9A- or A- (at 9x9: 1-9, 0-8 or A-I), or numbers.",
    ),
]
DaskAddress = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDRESS", help="Run on the Dask cluster with this scheduler address."
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--seconds", min=0, metavar="SECONDS", help="Stop after this many seconds."),
]


def check_choice(option: str, value: str, choices: Iterable[str]) -> None:
    """Fail if the value of an option is not one of its choices."""
    if value not in (known := tuple(choices)):
        raise fail(f"{option} must be one of {', '.join(known)}, not {value!r}")


def parse_box(text: str | None) -> Box | None:
    """Return the box shape given by `--box`. Fails if it is not valid."""
    try:
        return Box.parse(text) if text else None
    except ValueError as error:
        raise fail(f"--box: {error}") from None


@contextmanager
def open_cluster(address: str | None) -> Iterator[Cluster | None]:
    """Connect to the Dask cluster given by `--dask`, if any. Fails if that is not possible."""
    if address is None:
        yield None
        return
    try:
        with connect(address) as cluster:
            yield cluster
    except ClusterError as error:
        raise fail(str(error)) from None
