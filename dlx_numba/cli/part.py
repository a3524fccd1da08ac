"""The output file of a run: it grows beside its name, and another run can continue it."""

import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import typer

from .. import __version__
from ..runtime.parquet import is_parquet
from ..runtime.partial_file import PartialFile, is_streamed, part_name
from .call import WITH_FILE, Call
from .output import check_output, record_stream, safe_output
from .terminal import ExitStatus, fail, failing, report

# These options do not change the records of an output.
WITHOUT_INFLUENCE = {
    *WITH_FILE,
    *("--threads", "--seconds", "--quiet", "--resume", "--dask", "--every", "--strict"),
}


def origin_of(call: Call, *inputs: str, **others: object) -> dict[str, str] | None:
    """Return what the output of a command depends on: its options, its input, and others.

    Another run continues the output only if all of this is the same. Return None if the input can
    be read only once.
    """
    origin = {"command": call.command}
    for name, value in call.used.items():
        if name.startswith("--") and name not in WITHOUT_INFLUENCE:
            origin[name] = str(value)
    origin["input"] = " ".join(inputs)
    for name in filter(None, (*inputs, call.used.get("--demand"))):
        stamp = _stamp_of(name)
        if stamp is None:
            return None
        origin[name] = stamp
    return origin | {name: str(value) for name, value in others.items()}


def _stamp_of(name: str) -> str | None:
    """Return the size and the time of a file, and "given" for what is no file; None for a pipe."""
    if name == "-" and sys.stdin is None:  # closed
        return None
    try:
        status = os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
    except (OSError, ValueError):
        return None if name == "-" else "given"
    if not stat.S_ISREG(status.st_mode):
        return None
    seconds, nanoseconds = divmod(status.st_mtime_ns, 10**9)
    date = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))
    return f"{status.st_size:,} bytes of {date}.{nanoseconds:09}"


def open_part(
    path: str, origin: dict[str, str] | None, resume: bool, *sources: str
) -> PartialFile | None:
    """Open the output of a run; return None if it is written directly.

    Fails if the output is one of the sources, another run does not permit this one, or there is
    nothing that can be continued.
    """
    check_output(path, *sources)
    if is_streamed(path):
        if is_parquet(path):
            raise fail(f"{path}: Parquet needs a file")
        if resume:
            raise fail("--resume needs --output FILE: what is written directly cannot be continued")
        return None
    if resume and origin is None:
        raise fail("--resume needs files: a pipe cannot be read again")
    if resume and not os.path.exists(part_name(path)):
        report(f"({part_name(path)}: no such file; starting a new run)")
    try:
        part = PartialFile(path, origin, resume, f"dlx_numba {__version__}")
    except ValueError as error:
        raise fail(str(error)) from None
    except OSError as error:
        raise fail(f"{part_name(path)}: {error.strerror}") from None
    if part.progress:
        report(f"(resuming: {part.progress['written']:,} records are in {part.shown})")
    return part


def leave_part(part: PartialFile, is_stopped: bool, is_kept: bool = True) -> None:
    """Close the output of a run that is not complete, and report where it is.

    A run that was stopped can be continued; one that an error has ended would meet it again. If
    `is_kept` is False, the file is removed.
    """
    if part.close(is_kept):
        advice = ", and --resume continues it" if is_stopped and part.is_begun else ""
        report(f"({part.shown} has what is complete{advice})")


@contextmanager
def printing_to(file: Any, path: str) -> Iterator[None]:
    """Send standard output to an open file within the block."""
    # A duplicate: after an error, `safe_output` replaces it by the null device, but not `file`.
    with (
        open(os.dup(file.fileno()), "ab", buffering=0) as raw,
        redirect_stdout(record_stream(raw, "utf-8", path)),
        safe_output(),
    ):
        yield


@contextmanager
def redirected_output(
    path: str,
    *sources: str,
    origin: dict[str, str] | None = None,
    resume: bool = False,
    is_answer: bool = False,
) -> Iterator[PartialFile | None]:
    """Send standard output to a file within the block, unless the path is `-`.

    The file gets its name if the status that ends the block says that the output is complete, or if
    it is an answer: one that is known when the command is stopped. See also `open_part`.
    """
    # A search may be continued from its checkpoint though its output is streamed.
    part = open_part(path, origin, resume and not is_streamed(path), *sources)
    if path == "-":
        yield None
        return
    status: int | None = None  # remains None after an error
    complete = {ExitStatus.SUCCESS, ExitStatus.NOT_SOLVED, ExitStatus.UNREADABLE}
    stopped = {ExitStatus.STOPPED, ExitStatus.INTERRUPTED}
    with failing(f"{path}: ", errors=(OSError,)):
        raw = open(path, "wb", buffering=0) if part is None else part.raw  # noqa: SIM115
        try:
            with printing_to(raw, path):
                yield part
            status = ExitStatus.SUCCESS
        except typer.Exit as end:
            status = end.exit_code
            raise
        finally:
            if part is None:
                raw.close()
            elif status in complete or (is_answer and status in stopped and part.size):
                part.complete()
            else:
                leave_part(part, status in stopped)
