"""`minimize`: remove redundant clues from files of Sudoku puzzles."""

from contextlib import ExitStack
from dataclasses import replace
from typing import Annotated

import numpy as np
import typer

from ..jit.compile import default_threads
from ..runtime.interrupts import Stop, deferred_signals
from ..runtime.text import plural
from ..sudoku.all_solutions import SolutionBlock
from ..sudoku.engines.base import BatchResult
from ..sudoku.generator.api import minimize_boards
from ..sudoku.io.write import STYLES, Writer
from .options import AlphabetName, BoxShape, OutputFile, check_choice, parse_box
from .output import RecordWriter
from .solve_run import SolveRun, total_size
from .terminal import ProgressDisplay, compile_notice, report


def minimize(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Files of puzzles; - for standard input."),
    ],
    output: OutputFile = "-",
    style: Annotated[
        str,
        typer.Option("--format", "-f", metavar="|".join(STYLES), help="Output format."),
    ] = "line",
    solution: Annotated[
        bool, typer.Option("--solution", help="Write the solution after each puzzle.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Consider the clues in a random order with this seed.",
            show_default="the order of the cells",
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            "-j",
            min=1,
            metavar="N",
            help="Number of threads.",
            show_default="all processors",
        ),
    ] = None,
    box: BoxShape = None,
    alphabet: AlphabetName = "auto",
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first record that cannot be read.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print no notices and no summary.")
    ] = False,
) -> None:
    """Remove redundant clues from files of Sudoku puzzles.

    Writes one minimal puzzle per puzzle, in order: none of its clues can be removed without a
    second solution. Puzzles that do not have exactly one solution are marked, and remain unchanged.
    Reads the files that `solve` reads.

    Exit status: 0 if each puzzle has a unique solution, 1 if not, 2 for a usage error or unreadable
    input, 130 if interrupted.

    Examples:

    - `python -m dlx_numba minimize puzzles.txt`

    - `python -m dlx_numba minimize --seed 1 -f csv -o minimal.csv puzzles.csv.gz`
    """
    check_choice("--format", style, STYLES)
    shape = parse_box(box)
    writer = Writer(style, limit=2, boards="both" if solution else "puzzles")
    run = SolveRun(2, True, (lambda text: None) if quiet else report)
    stop = Stop()
    n_puzzles = n_clues = n_removed = 0
    with ExitStack() as stack:
        sink = stack.enter_context(RecordWriter(output, files))
        stack.enter_context(compile_notice())
        display = stack.enter_context(ProgressDisplay(total_size(files)))
        with run.reported_errors(sink, display):
            for records in run.read(files, shape, alphabet, strict, stop):
                bytes_read = run.report_input(records)
                minimized, counts, solutions = minimize_boards(
                    records.boards, records.box, seed, threads or default_threads(), stop, n_puzzles
                )
                n_puzzles += len(records)
                result = BatchResult(solutions, counts, np.zeros_like(counts))
                block = SolutionBlock(replace(records, boards=minimized), result, None)
                text = writer.format(block.records, solutions, counts)
                display.clear_for_stdout()
                with deferred_signals(lambda: None):  # only written records are counted
                    sink.write(text)
                    run.count_records(block)
                display.update(run.progress(), bytes_read)
                run.count(records, result)
                n_left = int(np.count_nonzero(minimized))
                n_clues += n_left
                n_removed += int(np.count_nonzero(records.boards)) - n_left
    run.report_summary()
    run.report(f"{n_removed:,} of {plural(n_clues + n_removed, 'clue')} removed")
    raise typer.Exit(run.exit_status())
