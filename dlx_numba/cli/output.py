"""What a command puts out: on standard output, and into files."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from .terminal import fail


def end_of_pipe() -> None:
    """The reader of standard output is gone: what is still to be flushed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def safe_output() -> Iterator[None]:
    """What goes wrong while standard output is written ends the command as it should."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        end_of_pipe()
        raise typer.Exit(0) from None
    except OSError as error:  # a full disk, say
        raise fail(f"<stdout>: {error.strerror}") from None


def write_text(path: str, text: str, source: str = "-") -> None:
    """Write a file, or standard output (`-`), that is made from `source`.

    Fails where it cannot be written, or would replace the source.
    """
    if path == "-":
        with safe_output():
            sys.stdout.write(text)
        return
    try:
        if source != "-" and Path(path).exists() and Path(path).samefile(source):
            raise fail(f"{path} is both input and output")
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise fail(f"{path}: {error.strerror}") from None
