"""`minimize`: remove redundant clues from files of Sudoku puzzles."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Annotated

import numpy as np
import typer

from ..runtime.interrupts import Stop
from ..runtime.resources import default_threads
from ..runtime.text import plural
from ..sudoku.box import Box
from ..sudoku.engines.base import EngineResult
from ..sudoku.generator.api import minimize_boards
from ..sudoku.io.records import Records
from ..sudoku.io.write import STYLES, Writer
from .board_run import LARGE_FILE_CHUNK_BOARDS, BoardFiles, Strict, progress_display
from .options import (
    AlphabetName,
    BoxShape,
    OutputFile,
    Quiet,
    Threads,
    check_choice,
    format_option,
    parse_box,
    seed_option,
)
from .output import RecordWriter
from .signals import deferred_signals
from .solve_run import SolveRun
from .terminal import compile_notice, report

# The number of boards of a side that one thread minimizes in less than a second, if possible.
BOARDS_BY_SIDE = ((9, LARGE_FILE_CHUNK_BOARDS), (12, 64), (16, 4))


def minimize(
    files: BoardFiles,
    output: OutputFile = "-",
    style: Annotated[str, format_option(STYLES)] = "line",
    solution: Annotated[
        bool, typer.Option("--solution", help="Write the solution after each puzzle.")
    ] = False,
    seed: Annotated[
        int | None,
        seed_option("Consider the clues in a random order with this seed.", minimum=0),
    ] = None,
    threads: Threads = None,
    box: BoxShape = None,
    alphabet: AlphabetName = "auto",
    strict: Strict = False,
    quiet: Quiet = False,
) -> None:
    """Remove redundant clues from files of Sudoku puzzles.

    Examples:
      dlx-numba minimize puzzles.txt
      dlx-numba minimize --seed 1 -f csv -o minimal.csv puzzles.csv.gz

    Writes one minimal puzzle per puzzle, in order: none of its clues can be removed without a
    second solution. Puzzles that do not have exactly one solution are marked, and remain unchanged.
    Reads the files that solve reads.

    Exit status: 0 if each puzzle has a unique solution, 1 if not, 2 for a usage error or unreadable
    input, 130 if interrupted.
    """
    check_choice("--format", style, STYLES)
    shape = parse_box(box)
    boards = "both" if solution else "puzzles"
    writer = Writer(style, limit=2, boards=boards, has_file=len(files) > 1)
    run = SolveRun(2, True, report)
    stop = Stop()
    n_puzzles = n_clues = n_removed = 0
    n_threads = threads or default_threads()
    with ExitStack() as stack:
        sink = stack.enter_context(RecordWriter(output, files))
        stack.enter_context(compile_notice())
        display = stack.enter_context(progress_display(files, output))
        with run.writing(sink, display):
            chunks = run.read(files, shape, alphabet, strict, stop)
            for records in divide_chunks(chunks, n_threads):
                bytes_read = run.report_input(records)
                minimized, counts, solutions, _ = minimize_boards(
                    records.boards, records.box, seed, n_threads, stop, n_puzzles
                )
                n_puzzles += len(records)
                result = EngineResult(solutions, counts, np.zeros_like(counts))
                text = writer.format(records.replace(boards=minimized), solutions, counts)
                with deferred_signals(lambda: None):  # only written records are counted
                    sink.write(text)
                    run.count_records(len(records) + len(records.bad))
                display.update(run.progress(), bytes_read)
                run.count(records, result)
                n_left = int(np.count_nonzero(minimized))
                n_clues += n_left
                n_removed += int(np.count_nonzero(records.boards)) - n_left
    run.report_summary()
    if not run.has_read_nothing:
        run.report(f"{n_removed:,} of {plural(n_clues + n_removed, 'clue')} removed")
    raise typer.Exit(run.exit_status())


def divide_chunks(chunks: Iterable[Records], n_threads: int) -> Iterator[Records]:
    """Divide chunks of large boards into smaller ones, for the progress."""
    bytes_before = 0
    for records in chunks:
        if records.first_number == 1:
            bytes_before = 0
        n_records, n_bytes = len(records) + len(records.bad), records.bytes_read - bytes_before
        size = _boards_per_thread(records.box) * n_threads
        for start in range(0, n_records, size):
            stop = min(start + size, n_records)
            yield records.part(start, stop).replace(
                notices=records.notices if start == 0 else (),
                bytes_read=bytes_before + n_bytes * stop // n_records,
            )
        bytes_before = records.bytes_read


def _boards_per_thread(box: Box) -> int:
    return next((n_boards for side, n_boards in BOARDS_BY_SIDE if box.n <= side), 1)
