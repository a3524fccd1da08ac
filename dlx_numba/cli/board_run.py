"""A run of a command that reads boards and writes records: its input, and its errors."""

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, BinaryIO

import typer

from ..runtime.errors import UnreadableError
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..sudoku.backends import ExecutorError
from ..sudoku.box import Box
from ..sudoku.io.read import read_boards
from ..sudoku.io.records import Records
from .output import RecordWriter, writing_records
from .terminal import ProgressDisplay, Stopwatch, fail, report_error

BoardFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE", help="Files of puzzles; - for standard input. Or a board: 8....3..."
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Stop at the first record that cannot be read.")
]

BOARD_SOURCE = "<board>"  # the name of a board that is given instead of a file
MIN_BOARD_LENGTH = 16

# Larger chunks take less time in total, but the first results come later.
CHUNK_BOARDS = 8192
LARGE_FILE_BYTES = 1 << 26
LARGE_FILE_CHUNK_BOARDS = 16384

MAX_REPORTED_PROBLEMS = 20  # on standard error; the output marks all of them


class BoardRun:
    """The input of a run, and the number of records so far.

    Parameters
    ----------
    report
        A function that prints a message.
    """

    def __init__(self, report: Callable[[str], None]) -> None:
        self.report = report
        self.stopwatch = Stopwatch()
        self.n_records = 0  # written
        self.n_problems = 0  # unreadable and inconsistent records
        self.n_unreadable_sources = 0
        self.stop_reason = ""  # if the run ended early
        self.is_strict_failure = False
        self.start_bytes: dict[str, int] = {}  # by source: the total size of the sources before it
        self.is_typed = False  # whether puzzles are typed on a terminal
        self.shows_records = False  # whether one terminal shows the records and the messages

    def read(
        self,
        files: list[str],
        box: Box | None,
        alphabet: str,
        strict: bool,
        stop: Stop,
        max_chunk_boards: int = LARGE_FILE_CHUNK_BOARDS,
    ) -> Iterator[Records]:
        """Yield the records of all files. A file that cannot be read is reported and skipped."""
        start_bytes = 0
        self.is_typed = has_typed_input(files)
        for file in files:
            n_boards = 0
            is_large = file_size(file) >= LARGE_FILE_BYTES
            chunk_boards = min(
                LARGE_FILE_CHUNK_BOARDS if is_large else CHUNK_BOARDS, max_chunk_boards
            )
            name = "<stdin>" if file == "-" else file
            try:
                board = open_board(file)
                if board is not None:
                    name = BOARD_SOURCE
                chunks = read_boards(
                    board or file, box=box, alphabet=alphabet, chunk_boards=chunk_boards
                )
                for records in chunks:
                    self.start_bytes.setdefault(records.source, start_bytes)
                    n_boards += len(records)
                    if n_boards == 0 and (advice := _advice(file)):
                        self._report_source(f"{name}: no puzzle found{advice}")
                        break
                    if n_boards == 0 and board is not None:
                        self._report_source(f"{name}: {records.bad[0].reason}")
                        break
                    if stop():
                        self.stop_reason = "time limit reached: the remaining input was not read"
                        return
                    if strict and records.bad:
                        self.is_strict_failure = True
                        self.stop_reason = "stopped at the first record that cannot be read"
                        yield records.until_bad()
                        return
                    yield records
                else:
                    if n_boards == 0:
                        self._report_source(f"{name}: no puzzle found")
            except UnreadableError as error:
                self._report_source(f"{error}{_advice(file)}")
                if strict:
                    self.stop_reason = "stopped at the first file that cannot be read"
                    return
            except ValueError as error:  # the alphabet does not fit the size of the boards
                raise fail(f"{name}: {error}") from None
            start_bytes += file_size(file)

    def _report_source(self, error: str) -> None:
        """Report and count a source without readable boards."""
        self.n_unreadable_sources += 1
        report_error(error)

    def report_input(self, records: Records, *, omits_bad: bool = False) -> int:
        """Report what is unusual about a chunk. Return the bytes read so far.

        On a terminal, the records themselves show what is unreadable, unless the output omits it.
        """
        for notice in records.notices:
            self.report(f"{records.source}: {notice}; use --alphabet to select another")
        if omits_bad or not self.shows_records:
            for bad in records.bad:
                self.report_problem(bad.at(records.source))
        return self.start_bytes[records.source] + records.bytes_read

    def describe_speed(self, count: int) -> str:
        """Return the time and the rate in parentheses; nothing if puzzles were typed."""
        return "" if self.is_typed else f" ({self.stopwatch.describe(count)})"

    @property
    def has_read_nothing(self) -> bool:
        """Whether no record was read because of errors; they are all there is to report."""
        return self.n_unreadable_sources > 0 and self.n_records == 0

    def report_problem(self, text: str) -> None:
        """Report a problem of a record, unless there are too many."""
        self.n_problems += 1
        if self.n_problems <= MAX_REPORTED_PROBLEMS:
            self.report(text)
        elif self.n_problems == MAX_REPORTED_PROBLEMS + 1:
            self.report("... further problems are not reported")

    @contextmanager
    def writing(self, sink: RecordWriter, display: ProgressDisplay) -> Iterator[None]:
        """End the command with a message if the block cannot write, fails or is interrupted."""

        def describe_written() -> str:
            return f"{plural(self.n_records, 'complete record')} written"

        if sink.path == "-":
            self.shows_records = sys.stdout.isatty() and sys.stderr.isatty()
        try:
            with writing_records(sink, display, describe_written):
                yield
        except (ValueError, ExecutorError) as error:  # for example, an unsupported size
            raise fail(str(error)) from None


def open_board(argument: str) -> BinaryIO | None:
    """Return a board that is given instead of a file, as a file; None if it is not a board."""
    if os.path.exists(argument) or len(argument) < MIN_BOARD_LENGTH or "/" in argument:
        return None
    content = io.BytesIO(argument.encode(errors="replace"))
    content.name = BOARD_SOURCE
    if re.fullmatch(r"[0-9.*_]+", argument) is None:  # letters may be those of a file name
        try:
            [records] = read_boards(content)
        except ValueError:
            return None
        if len(records) != 1 or records.bad:
            return None
        content.seek(0)
    return content


def _advice(file: str) -> str:
    """Return advice on a file without puzzles; see `advise_cover`."""
    from .detect import advise_cover  # deferred: most runs need no readers of exact cover problems

    return advise_cover(file)


def file_size(file: str) -> int:
    """Return the size of a file in bytes, or 0 if it is standard input or does not exist."""
    try:
        return os.stat(file).st_size
    except OSError:
        return 0


def progress_display(files: list[str], output: str) -> ProgressDisplay:
    """Return the display; it shows nothing if records or puzzles are on the terminal, too."""
    total_bytes = None if "-" in files else sum(map(file_size, files))
    uses_terminal = (output == "-" and sys.stdout.isatty()) or has_typed_input(files)
    return ProgressDisplay(total_bytes, is_shown=not uses_terminal)


def n_busy_workers(files: list[str], n_workers: int) -> int:
    """Return the number of workers to keep busy by reading ahead: none if puzzles are typed."""
    return 0 if has_typed_input(files) else n_workers


def has_typed_input(files: list[str]) -> bool:
    """Return whether puzzles are typed: standard input is among the files, and is a terminal."""
    return "-" in files and sys.stdin is not None and sys.stdin.isatty()
