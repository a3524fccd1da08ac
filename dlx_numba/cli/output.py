"""Output of the commands to standard output and files."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import typer

from .terminal import ExitStatus, fail


def discard_stdout() -> None:
    """Discard buffered output after the reader of standard output has closed the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def safe_output() -> Iterator[None]:
    """End the command properly if standard output cannot be written."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        discard_stdout()
        raise typer.Exit(ExitStatus.SUCCESS) from None
    except OSError as error:  # for example, a full disk
        raise fail(f"<stdout>: {error.strerror}") from None


def write_text(path: str, text: str, source: str | None = None) -> None:
    """Write a text to a file, or to standard output (`-`).

    Fails if the file cannot be written, or if it is `source`, the file that the text comes from
    (`-` for standard input).
    """
    if path == "-":
        with safe_output():
            sys.stdout.write(text)
        return
    target = _file_identity(path, None)
    if source is not None and target is not None and target == _file_identity(source, sys.stdin):
        raise fail(f"{path} is both input and output")
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None


class RecordWriter:
    """A writer of records to a file, or to standard output (`-`).

    The file is not opened, and so not emptied, before the first write. Fails if the output is one
    of the input files: it would be emptied before it is read, or grow without limit.
    """

    def __init__(self, path: str, input_files: list[str]) -> None:
        self.path = path
        self._file: BinaryIO | None = None
        if path == "-":
            if sys.stdout is None:
                raise fail("standard output is closed")
            self._file = sys.stdout.buffer
        target = _file_identity(path, sys.stdout)
        if target is not None and any(
            target == _file_identity(file, sys.stdin) for file in input_files
        ):
            raise fail(f"{self.name} is both input and output")

    @property
    def name(self) -> str:
        return "<stdout>" if self.path == "-" else self.path

    def write(self, records: bytes | memoryview) -> None:
        """Write and flush complete records, so that no record is cut off by an interrupt."""
        if self._file is None:
            self._file = open(self.path, "wb")  # noqa: SIM115  (closed by `__exit__`)
        self._file.write(records)
        self._file.flush()

    def __enter__(self) -> "RecordWriter":
        return self

    def __exit__(self, *exception: object) -> None:
        if self._file is not None and self.path != "-":
            self._file.close()


def _file_identity(path: str, stream: Any) -> tuple[int, int] | None:
    """Return the device and inode of a regular file, or of `stream` if the path is `-`.

    Return None if there is no such file, or if it is not a regular file.
    """
    try:
        status = os.fstat(stream.fileno()) if path == "-" else os.stat(path)
    except (OSError, AttributeError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
