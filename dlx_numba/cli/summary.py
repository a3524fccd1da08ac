"""The summary of a run, which `--summary` writes for programs."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from .. import __version__
from . import options
from .output import check_output, write_text
from .run import Run
from .terminal import command_name, rejected

FORMAT = "dlx_numba summary"
VERSION = 1


@contextmanager
def summarizing() -> Iterator[None]:
    """Run a command, and write its summary, whatever has ended it."""
    Run.last = None
    rejected.clear()
    status = 0
    values = options.used_values()
    path = values.get("--summary")
    inputs = [*values.get("files", ()), *map(values.get, ("file", "answer", "--batch"))]
    if path is not None:
        check_output(path, *filter(None, inputs))
    try:
        yield
    except typer.Exit as end:
        status = end.exit_code
        raise
    finally:
        if path is not None:
            write_text(path, json.dumps(_record(status), indent=1) + "\n")


def _record(status: int) -> dict[str, Any]:
    """Return the summary of the last run."""
    record: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    record |= {"program": f"dlx_numba {__version__}", "command": command_name()}
    record |= {"exit_status": status, "ended": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    run = Run.last
    counts = {} if run is None else {name: n for name, n in run.status_counts.items() if n}
    unreadable = rejected if run is None else [*rejected, *run.unreadable]
    return {
        **record,
        "seconds": 0.0 if run is None else round(run.seconds, 3),
        "counts": counts,
        "unreadable": [place._asdict() for place in unreadable],
    }
