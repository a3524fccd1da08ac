"""`canonical`: write canonical forms of boards."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated

import numpy as np
import typer

from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..sudoku.backends import check_threads, map_chunks
from ..sudoku.canonical.api import TOO_SYMMETRIC, DistinctBoards, Forms, FormThreads
from ..sudoku.io.records import Records
from ..sudoku.io.symbols import Values
from ..sudoku.io.write import STYLES, BoardWriter
from .board_run import BoardFiles, BoardRun, Strict, n_busy_workers, progress_display
from .options import (
    AlphabetName,
    BoxShape,
    OutputFile,
    Quiet,
    Threads,
    check_choice,
    format_option,
    parse_box,
)
from .output import RecordWriter
from .signals import deferred_signals
from .terminal import ExitStatus, compile_notice, fail, report


def canonical(
    files: BoardFiles,
    output: OutputFile = "-",
    style: Annotated[str, format_option(STYLES)] = "line",
    unique: Annotated[
        bool,
        typer.Option("--unique", help="Drop boards that are equivalent to an earlier one."),
    ] = False,
    threads: Threads = None,
    box: BoxShape = None,
    alphabet: AlphabetName = "auto",
    strict: Strict = False,
    quiet: Quiet = False,
) -> None:
    """Write canonical forms of boards, or find the boards that are not equivalent.

    Examples:
      dlx-numba canonical puzzles.txt
      dlx-numba canonical --unique -o unique.txt first.txt second.csv.gz
      qqwing --generate 1000 --one-line | dlx-numba canonical --unique -

    Boards are equivalent if permutations of the values, bands, stacks, rows of a band, columns of a
    stack, and the transposition transform one into the other. The canonical form is the smallest
    equivalent board, read row by row, with empty cells before 1.

    Reads the formats of solve, and writes one record per board, in order.

    Exit status: 0 if all boards were read, 1 if not, 2 for a usage error or unreadable input,
    130 if interrupted.
    """
    check_choice("--format", style, STYLES)
    shape = parse_box(box)
    writer = BoardWriter(style, "canonical", has_file=len(files) > 1)
    run = CanonicalRun(unique, report)
    stop = Stop()
    with ExitStack() as stack:
        sink = stack.enter_context(RecordWriter(output, files))
        stack.enter_context(compile_notice())
        display = stack.enter_context(progress_display(files, output))
        workers = stack.enter_context(FormThreads(check_threads(threads), stop))

        def start(records: Records) -> Callable[[], Forms]:
            return workers.submit(records.boards, records.box)

        n_ahead = n_busy_workers(files, workers.n_workers)
        with run.writing(sink, display):
            chunks = run.read(files, shape, alphabet, strict, stop)
            for records, forms in map_chunks(chunks, start, n_ahead):
                selected, boards = run.select(records, forms)
                bytes_read = run.report_input(selected)
                with deferred_signals(lambda: None):  # only written records are counted
                    sink.write(writer.format(selected, boards))
                    run.count(selected)
                display.update(plural(run.n_boards, "board"), bytes_read)
            sink.finish(is_complete=True)
    run.report_summary()
    raise typer.Exit(run.exit_status())


class CanonicalRun(BoardRun):
    """The input of a run of `canonical`, and the boards so far.

    Parameters
    ----------
    unique
        Whether boards that are equivalent to earlier ones are dropped.
    report
        A function that prints a message.
    """

    def __init__(self, unique: bool, report: Callable[[str], None]) -> None:
        super().__init__(report)
        self.seen = DistinctBoards() if unique else None
        self.n_boards = 0  # canonical forms, written or dropped
        self.n_written = 0
        self.n_unreadable = 0

    def select(self, records: Records, forms: Forms) -> tuple[Records, Values]:
        """Return the records of a chunk to write, and their forms. Fails if a form is unknown."""
        if not forms.is_known.all():
            line = records.lines[np.argmin(forms.is_known)]
            raise fail(f"{records.source}:{line}: {TOO_SYMMETRIC}")
        rows = np.arange(len(records))
        if self.seen is not None:
            rows = np.flatnonzero(self.seen.add(forms.boards, records.box))
        self.n_boards += len(records)
        bad = records.bad
        moved = (replace(each, index=int(np.searchsorted(rows, each.index))) for each in bad)
        return records.take(rows, tuple(moved)), forms.boards[rows]

    def count(self, selected: Records) -> None:
        """Count the records of a chunk that were written."""
        self.n_written += len(selected)
        self.n_unreadable += len(selected.bad)
        self.n_records += len(selected) + len(selected.bad)

    def report_summary(self) -> None:
        """Report the numbers of boards, the speed, and why the run ended early.

        If nothing was read because of errors, they are all there is to say.
        """
        if self.has_read_nothing and not self.n_boards:
            if self.stop_reason:
                self.report(self.stop_reason)
            return
        results = []
        if self.n_written:
            kind = "canonical" if self.seen is None else "different"
            results.append(f"{self.n_written:,} {kind}")
        if self.n_boards > self.n_written:
            results.append(f"{self.n_boards - self.n_written:,} equivalent to earlier ones")
        if self.n_unreadable:
            results.append(f"{self.n_unreadable:,} unreadable")
        speed = self.describe_speed(self.n_boards)
        boards = plural(self.n_boards + self.n_unreadable, "board")
        self.report(f"{boards}: {', '.join(results) or 'nothing to write'}{speed}")
        if self.stop_reason:
            self.report(self.stop_reason)

    def exit_status(self) -> ExitStatus:
        """Return the exit status of the command."""
        if self.is_strict_failure or self.n_unreadable_sources:
            return ExitStatus.USAGE
        return ExitStatus.NOT_SOLVED if self.n_unreadable else ExitStatus.SUCCESS
