"""Output of the commands to standard output and files."""

import errno
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO

import typer

from ..runtime.errors import Stopped
from ..runtime.files import RecordWriter, is_terminal, regular_file_size, replace_file
from ..runtime.parquet import as_parquet, is_parquet
from .call import WITH_RESULTS, Call
from .terminal import ending, fail, failing, report, report_stop

if TYPE_CHECKING:
    from ..cover.covers import Cover


class _MessageStream(TextIOWrapper):
    """Standard error, which discards messages that cannot be written.

    The command continues if the disk is full, or if the reader of a pipe has ended.
    """

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError:
            _discard(self)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            _discard(self)


def prepare_streams() -> None:
    """Redirect closed standard streams to the null device, and tolerate errors of standard error.

    Otherwise, a file that is opened later would get the descriptor of a closed stream, and receive
    what is meant for that stream. Messages that cannot be written are discarded; writing to a
    closed standard output fails. Characters that an encoding lacks are escaped in both streams.
    """
    # Of standard input, output and error. As output is opened for reading, writing to it fails.
    for descriptor, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8")  # noqa: SIM115
    if regular_file_size(sys.stdout) is not None:
        encoding = sys.stdout.encoding
        buffer: Any = sys.stdout.detach()  # type: ignore[union-attr]  # or a raw file
        sys.stdout = record_stream(getattr(buffer, "detach", lambda: buffer)(), encoding)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    encoding = sys.stderr.encoding
    buffer = sys.stderr.detach()  # type: ignore[union-attr]  # it is the stream of a process
    sys.stderr = _MessageStream(buffer, encoding, "backslashreplace", line_buffering=True)


def record_stream(raw: Any, encoding: str, name: str | None = None) -> TextIOWrapper:
    """Return a stream whose texts are written completely, or not at all if the disk is full.

    Unlike the buffer of Python, it writes several texts together, but none in two parts. Errors
    have its name, by default that of the file.
    """
    writer = RecordWriter(raw)
    writer.name = name or writer.name
    return TextIOWrapper(writer, encoding)


def _discard(stream: TextIO) -> None:
    """Discard output that is still buffered, and further output, after an error."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


@contextmanager
def safe_output(path: str = "-") -> Iterator[None]:
    """End the command properly if the output, by default standard output, cannot be written.

    The block ends by writing what standard output has in its buffer, so that an error is reported
    here, and not when Python exits. What cannot be written is discarded, because Python would try
    that again.
    """
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of the pipe needs no more, which is no error
        _discard(sys.stdout)
        raise typer.Exit from None
    except OSError as error:  # for example, a full disk
        if error.errno is None:  # not of the system: for example, LLVM cannot be loaded
            raise
        reason = "it is closed" if error.errno == errno.EBADF else error.strerror
        if path != "-":
            raise fail(f"{path}: {reason}") from None
        if error.filename is not None:  # an error of another file
            raise
        _discard(sys.stdout)
        name = getattr(sys.stdout, "name", None)
        raise fail(f"{name if isinstance(name, str) else '<stdout>'}: {reason}") from None


@contextmanager
def noting_old_files(call: Call) -> Iterator[None]:
    """Report the output files of a run that keep their old content, as it has nothing for them.

    A run with a checkpoint may add to its output, or have nothing to add.
    """
    paths = [call.used[name] for name in WITH_RESULTS if call.is_used(name)]
    before = [_version(path) for path in paths]
    try:
        yield
    finally:
        has_run = call.outcome is not None and call.outcome.status_counts
        if has_run and not call.is_used("--checkpoint"):
            for path, version in zip(paths, before, strict=True):
                if version is not None and version == _version(path):
                    report(f"({path} has its old content: there is no result for it)")


def source_name(file: str) -> str:
    """Return the name of an input file in messages."""
    return "<stdin>" if file == "-" else file


def check_output(path: str, *sources: str) -> None:
    """Fail if the output would overwrite one of the files that are read.

    Parameters
    ----------
    path
        The output file; `-` is standard output, which may be redirected to a file.
    sources
        The input files; `-` is standard input.
    """
    target = _file_identity(path, sys.stdout)
    if target is not None and any(target == _file_identity(file, sys.stdin) for file in sources):
        raise fail(f"{'<stdout>' if path == '-' else path} is both input and output")


def check_file(option: str, path: str | None, outputs: list[str], *sources: str) -> None:
    """Fail if the file of an option would overwrite other output, or a file that is read."""
    if path in outputs:
        raise fail(f"{option} and --output need different files")
    if path is not None:
        check_output(path, *sources)


def write_text(path: str, text: str | bytes, *sources: str) -> None:
    """Write a text, or the content of a file, to a file, or to standard output (`-`).

    Fails, and leaves an existing file unchanged, if the file cannot be written completely or is one
    of `sources`, the files from which the text is derived.
    """
    check_output(path, *sources)
    if path == "-":
        sys.stdout.write(str(text))
        sys.stdout.flush()
        return
    content = text if isinstance(text, bytes) else text.encode(errors="backslashreplace")
    if is_parquet(path) and isinstance(text, str):
        content = as_parquet(content)
    with failing(f"{path}: ", errors=(OSError,)):
        replace_file(path, content)


def check_plan(path: str, style: str) -> None:
    """Fail if a format of files cannot be written because there is no file."""
    if path == "-":
        raise fail(f"--format {style} needs --output FILE")


def write_plans(
    path: str, style: str, covers: "Iterable[Cover]", *sources: str, start: Any = None
) -> None:
    """Write covers, if there are any, in one of the formats `PLANS`."""
    from ..cover.plan import FORMATS  # most runs write text

    check_output(path, *sources)
    with failing(f"{path}: ", errors=(ValueError, ImportError, OSError)):
        if plans := [cover.columns(start) for cover in covers]:
            content = FORMATS[".parquet" if is_parquet(path) else f".{style}"](plans)
            write_text(path, content.decode() if path == "-" else content)


def last_record(is_complete: bool, **fields: object) -> str:
    """Return the record that ends an output in the format "json"; fields may have the status.

    Where the answer to a puzzle is a single record, such as a count, it ends that puzzle's output.
    """
    return json.dumps({"status": "done" if is_complete else "stopped", **fields})


@contextmanager
def recording_stop(style: str | None, **fields: object) -> Iterator[None]:
    """End the command if the time limit ends a block, in the format "json" with the last record."""
    try:
        yield
    except Stopped as stopped:
        if style == "json":
            typer.echo(last_record(False, **fields))
        report_stop(stopped)
        raise ending(is_complete=False) from None


def is_shown(path: str) -> bool:
    """Return whether an output is on a terminal, where people read it."""
    return path == "-" and is_terminal(sys.stdout)


def _version(path: str) -> tuple[int, int] | None:
    """Return what changes when a file is written or replaced; None if there is no regular file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_ino, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None


def _file_identity(path: str, stream: Any) -> tuple[int, int] | None:
    """Return the device and inode of a regular file, or of `stream` if the path is `-`.

    Return None if there is no such file, or if it is not a regular file.
    """
    try:
        status = os.fstat(stream.fileno()) if path == "-" else os.stat(path)
    except (OSError, AttributeError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
