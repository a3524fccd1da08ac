"""`rate`: rate the difficulty of files of Sudoku puzzles."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Annotated

import typer

from ..runtime.interrupts import Stop
from ..runtime.resources import default_threads
from ..sudoku.backends import map_chunks
from ..sudoku.engines.classify import CLASSES
from ..sudoku.io.columns import UNREADABLE
from ..sudoku.io.records import Records
from ..sudoku.io.write_ratings import RATING_STYLES, RatingWriter, select
from ..sudoku.rating import RatingBackend, Ratings, check_box
from .board_run import BoardFiles, Strict, n_busy_workers, progress_display
from .options import (
    AlphabetName,
    OutputFile,
    Quiet,
    Threads,
    TimeLimit,
    check_choice,
    choice_option,
    format_option,
)
from .output import RecordWriter
from .signals import deferred_signals
from .solve_run import PuzzleRun
from .terminal import ExitStatus, compile_notice, report


def rate(
    files: BoardFiles,
    output: OutputFile = "-",
    style: Annotated[str, format_option(RATING_STYLES)] = "line",
    difficulty: Annotated[
        str | None,
        choice_option(
            "--difficulty",
            choices=(*CLASSES[1:], CLASSES[0]),
            metavar="CLASS",
            help="Write only the puzzles of this class, as lines without remarks: "
            f"{', '.join((*CLASSES[1:], CLASSES[0]))}.",
        ),
    ] = None,
    threads: Threads = None,
    alphabet: AlphabetName = "auto",
    strict: Strict = False,
    seconds: TimeLimit = None,
    quiet: Quiet = False,
) -> None:
    """Rate the difficulty of 9x9 puzzles, in the classes of qqwing.

    Examples:
      dlx-numba rate puzzles.txt
      qqwing --generate 100 | dlx-numba rate -
      dlx-numba rate --difficulty easy -o easy.txt puzzles.txt
      dlx-numba rate -f csv -o ratings.csv puzzles.csv.gz

    A puzzle is simple if naked singles solve it, easy if hidden singles are needed as well,
    intermediate if pairs, pointing or box/line are needed, and expert if only a guess helps. It is
    invalid if it does not have exactly one solution. Writes one record per puzzle, in order, with
    the techniques that are used.

    Exit status: 0 if all puzzles are valid, 1 if not, 2 for a usage error or unreadable input,
    130 if interrupted.
    """
    check_choice("--format", style, RATING_STYLES)
    if difficulty is not None:
        check_choice("--difficulty", difficulty, (*CLASSES[1:], CLASSES[0]))
    writer = RatingWriter(style, is_bare=difficulty is not None, has_file=len(files) > 1)
    run = PuzzleRun((*CLASSES[1:], CLASSES[0], UNREADABLE), report)
    stop = Stop(seconds)
    with ExitStack() as stack:
        sink = stack.enter_context(RecordWriter(output, files))
        stack.enter_context(compile_notice())
        display = stack.enter_context(progress_display(files, output))
        n_threads = threads or default_threads()
        backend = stack.enter_context(RatingBackend(n_threads, complete=writer.needs_all))
        chunks = _check_sizes(run.read(files, None, alphabet, strict, stop))

        def start(records: Records) -> Callable[[], Ratings]:
            return backend.submit(records.boards, records.box)

        n_ahead = n_busy_workers(files, backend.n_workers)
        with run.writing(sink, display):
            for records, ratings in map_chunks(chunks, start, n_ahead):
                bytes_read = run.report_input(records, omits_bad=difficulty is not None)
                selected, their_ratings = select(records, ratings, difficulty)
                text = writer.format(selected, their_ratings)
                with deferred_signals(lambda: None):  # only written records are counted
                    sink.write(text)
                    run.n_records += len(selected) + len(selected.bad)
                run.status_counts.update(ratings.count_classes())
                run.status_counts[UNREADABLE] += len(records.bad)
                display.update(run.progress(), bytes_read)
    run.report_summary()
    raise typer.Exit(_exit_status(run))


def _check_sizes(chunks: Iterator[Records]) -> Iterator[Records]:
    """Yield chunks. Raises ValueError if the boards of a chunk cannot be rated."""
    for records in chunks:
        try:
            check_box(records.box)
        except ValueError as error:
            raise ValueError(f"{records.source}: {error}") from None
        yield records


def _exit_status(run: PuzzleRun) -> ExitStatus:
    if run.is_strict_failure or run.n_unreadable_sources:
        return ExitStatus.USAGE
    if run.status_counts[CLASSES[0]] or run.status_counts[UNREADABLE] or run.stop_reason:
        return ExitStatus.NOT_SOLVED
    return ExitStatus.SUCCESS
