"""Options that several commands share, and functions that interpret their values."""

import re
from collections.abc import Iterable, Iterator, Mapping
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
OutputFile = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write to this file; - for standard output."
    ),
]
DaskAddress = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDRESS", help="Run on the Dask cluster with this scheduler address."
    ),
]
MaxInput = Annotated[
    str,
    typer.Option(
        "--max-input",
        metavar="SIZE",
        help="Maximum size of an exact cover problem, after decompression, such as 500M or 2G.",
    ),
]
DEFAULT_MAX_INPUT = "256M"
TimeLimit = Annotated[
    float | None,
    typer.Option("--seconds", min=0, metavar="SECONDS", help="Stop after this many seconds."),
]


def check_choice(option: str, value: str, choices: Iterable[str]) -> None:
    """Fail if the value of an option is not one of its choices."""
    if value not in (known := tuple(choices)):
        raise fail(f"{option} must be one of {', '.join(known)}, not {value!r}")


def reject_options(option: str, others: Mapping[str, bool]) -> None:
    """Fail if an option is combined with others; `others` states which of them are used."""
    for other, is_used in others.items():
        if is_used:
            raise fail(f"{option} cannot be combined with {other}")


def parse_size(option: str, text: str) -> int:
    """Return the number of bytes of a size such as 500M. Fails if it is not valid."""
    match = re.fullmatch(r"([0-9]{1,15})([KMGT]?)B?", text.strip().upper())
    if match is None:
        raise fail(f"{option} must be a size such as 500M or 2G, not {text!r}")
    return int(match[1]) << 10 * " KMGT".index(match[2] or " ")


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
