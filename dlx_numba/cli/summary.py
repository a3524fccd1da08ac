"""The summary of a run, which `--summary` writes for programs."""

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from .. import __version__
from ..runtime.log import logger
from .call import Call
from .output import check_output, write_text
from .terminal import BadPlace

FORMAT = "dlx_numba summary"
VERSION = 1


class _Rejected(logging.Handler):
    """The places of files that cannot be read, and that no run lists."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[BadPlace] = []

    def emit(self, record: logging.LogRecord) -> None:
        if (place := getattr(record, "place", None)) is not None:
            self.places.append(place)


@contextmanager
def summarizing(call: Call) -> Iterator[None]:
    """Run a command, and write its summary, whatever has ended it."""
    rejected = _Rejected()
    status = 0
    values = call.used
    path = values.get("--summary")
    inputs = [*values.get("files", ()), *map(values.get, ("file", "answer", "--batch"))]
    if path is not None:
        check_output(path, *filter(None, inputs))
    logger.addHandler(rejected)
    try:
        yield
    except typer.Exit as end:
        status = end.exit_code
        raise
    except BaseException:
        status = 1  # as Python ends
        raise
    finally:
        call.at_end.close()  # such as locks of files
        logger.removeHandler(rejected)
        if path is not None:
            write_text(path, json.dumps(_record(call, rejected.places, status), indent=1) + "\n")


def _record(call: Call, rejected: list[BadPlace], status: int) -> dict[str, Any]:
    """Return the summary of the last run of a command; `rejected` are the files that it lacks."""
    run = call.outcome
    counts = {}
    if run is not None:  # no cover is a result, too
        counts = {name: n for name, n in run.status_counts.items() if n or name == "covers"}
    unreadable = rejected if run is None else [*rejected, *run.unreadable]
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": f"dlx_numba {__version__}",
        "command": call.command,
        "exit_status": status,
        "ended": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "seconds": 0.0 if run is None else round(run.seconds, 3),
        "counts": counts,
        "unreadable": [place._asdict() for place in unreadable],
    }
