"""`solve`: solve files of Sudoku puzzles."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Annotated, NamedTuple

import typer

from ..kernels.state import UNLIMITED
from ..runtime.interrupts import Stop
from ..runtime.resources import default_threads
from ..runtime.text import plural
from ..sudoku.all_solutions import SolutionBlock, SolutionEnumerator
from ..sudoku.backends import Backend, ExecutorBackend, ThreadBackend, map_chunks
from ..sudoku.engines.base import EngineResult
from ..sudoku.engines.registry import ENGINES, resolve_engine
from ..sudoku.in_place import SolvedText
from ..sudoku.io.records import Records
from ..sudoku.io.write import STYLES, Writer
from ..sudoku.resume import ResumedRun
from .board_run import (
    CHUNK_BOARDS,
    LARGE_FILE_CHUNK_BOARDS,
    BoardFiles,
    Strict,
    file_size,
    n_busy_workers,
    progress_display,
)
from .options import (
    AlphabetName,
    BoxShape,
    DaskAddress,
    OutputFile,
    Quiet,
    TimeLimit,
    check_choice,
    choice_option,
    format_option,
    limit_option,
    open_cluster,
    parse_box,
    threads_option,
)
from .output import RecordWriter
from .signals import deferred_signals
from .solve_run import SolveRun
from .terminal import compile_notice, fail, report

BLOCKS_PER_CHUNK = 4  # for each thread: this balances the load

ENUMERATING_ENGINES = ("auto", "dlx")  # the engines that `--all` can be combined with


def solve(
    files: BoardFiles,
    output: OutputFile = "-",
    style: Annotated[str, format_option(STYLES)] = "line",
    limit: Annotated[
        int | None,
        limit_option("Count up to N solutions of each puzzle; 0 counts all.", minimum=0),
    ] = None,
    all_solutions: Annotated[
        bool,
        typer.Option("--all", help="Write all solutions of each puzzle, or up to --limit."),
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Check that each puzzle has a unique solution.")
    ] = False,
    threads: Annotated[int | None, threads_option("all processors")] = None,
    engine: Annotated[
        str,
        choice_option(
            "--engine",
            choices=("auto", *ENGINES),
            metavar="NAME",
            help=f"Solver: auto, {', '.join(ENGINES)}.",
        ),
    ] = "auto",
    box: BoxShape = None,
    alphabet: AlphabetName = "auto",
    dask: DaskAddress = None,
    strict: Strict = False,
    seconds: TimeLimit = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Continue after the last complete record in the output file."
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Solve files of Sudoku puzzles.

    Writes one record per puzzle, or with `--all` one per solution, in order. Reads all output
    formats of qqwing, .sdm, .sdk, .ss, CSV and JSON files, and arrays from programs, compressed by
    gzip or not.

    Exit status: 0 if all puzzles are solved (with `--check`: have a unique solution), 1 if not,
    2 for a usage error or unreadable input, 130 if interrupted.

    Examples:

    - `dlx-numba solve puzzles.txt`

    - `dlx-numba solve --all --limit 10 puzzles.txt`

    - `qqwing --generate 9 | dlx-numba solve -`

    - `dlx-numba solve --check -f csv -o checked.csv puzzles.csv.gz`

    - `dlx-numba solve --resume -o solved.txt puzzles.txt`
    """
    check_choice("--engine", engine, ("auto", *ENGINES))
    check_choice("--format", style, STYLES)
    if all_solutions:
        _check_all(engine, dask)
    if resume:
        _check_resume(output, files, style)
    if limit is None:
        limit = UNLIMITED if all_solutions else 2 if check else 1
    elif check and limit == 1:
        raise fail("--check needs a --limit of at least 2")
    limit = limit or UNLIMITED
    shape = parse_box(box)
    max_count = None if limit == UNLIMITED else limit
    writer = Writer(style, limit=max_count, checked=limit > 1, has_file=len(files) > 1)
    run = SolveRun(limit, check, report)
    stop = Stop()
    # Solve with limit 2; enumerate only ambiguous puzzles.
    enumerator = SolutionEnumerator(limit, stop) if all_solutions else None
    batch_limit = min(limit, 2) if all_solutions else limit
    with ExitStack() as stack:
        sink = stack.enter_context(RecordWriter(output, files, is_synced=resume))
        stack.enter_context(compile_notice())
        display = stack.enter_context(progress_display(files, output))
        cluster = stack.enter_context(open_cluster(dask))
        backend: Backend
        if cluster is None:
            backend = ThreadBackend(engine, batch_limit, threads or default_threads(), stop)
        else:
            backend = ExecutorBackend(engine, batch_limit, stop, cluster.executor)
        stack.enter_context(backend)
        max_chunk_boards = _max_chunk_boards(engine, backend.n_workers)
        chunks = run.read(files, shape, alphabet, strict, stop, max_chunk_boards)
        resumed = None
        if resume and file_size(output):
            display.update("skipping the puzzles in the output file")
            resumed = _resume(output, chunks, writer, engine, all_solutions)
            run.report(f"resuming after {plural(resumed.n_records, 'record')}")
            run.n_records = resumed.n_records
            sink.resume(resumed.position, resumed.torn)
            chunks = resumed.chunks
        display.update(run.progress())
        stop.set_limit(seconds)
        solver = ChunkSolver(engine, backend, writer, enumerator, resumed)
        n_ahead = n_busy_workers(files, backend.n_workers)
        with run.writing(sink, display):
            for records, result in map_chunks(chunks, solver.solve, n_ahead):
                bytes_read = run.report_input(records)
                for formatted in solver.format(records, result):
                    if sink.has_torn_record and stop():
                        continue  # the next record may be unfinished
                    with deferred_signals(lambda: None):  # only written records are counted
                        sink.write(formatted.text)
                        run.count_records(formatted.n_records, formatted.n_solutions)
                    display.update(run.progress(), bytes_read)
                run.count(records, result)
                display.update(run.progress(), bytes_read)
            sink.finish(is_complete=not stop())
    run.report_summary()
    raise typer.Exit(run.exit_status())


class FormattedRecords(NamedTuple):
    """Output records as text."""

    text: bytes | memoryview
    n_records: int
    n_solutions: int | None = None  # if all solutions are written


class ChunkSolver:
    """A solver of chunks of puzzles, in place if possible, which also formats the results.

    Parameters
    ----------
    engine
        The name of an engine, or "auto".
    backend
        The workers that solve the puzzles.
    writer
        The formatter of the results.
    enumerator
        The search for all solutions; None if only the first ones are written.
    resumed
        The run that is resumed, if any.
    """

    def __init__(
        self,
        engine: str,
        backend: Backend,
        writer: Writer,
        enumerator: SolutionEnumerator | None,
        resumed: ResumedRun | None,
    ) -> None:
        self.engine, self.backend, self.writer = engine, backend, writer
        self.enumerator, self.resumed = enumerator, resumed

    def solve(self, records: Records) -> Callable[[], EngineResult | SolvedText]:
        """Start solving a chunk; return a function that waits for the result."""
        wait_for_text = None
        if self.writer.writes_solutions_only and self.enumerator is None:
            wait_for_text = self.backend.submit_text(records)
        return wait_for_text or self.backend.submit(records.boards, records.box)

    def format(
        self, records: Records, result: EngineResult | SolvedText
    ) -> Iterator[FormattedRecords]:
        """Yield the output records of a chunk in blocks."""
        if isinstance(result, SolvedText):
            if result.is_complete:
                yield FormattedRecords(result.text, len(records))
                return
            records, result = result.decode(records)
        work_unit = resolve_engine(self.engine, records.box).work_unit
        for block in self._blocks(records, result):
            text = self.writer.format(
                block.records, *block.result, work_unit=work_unit, numbering=block.numbering
            )
            yield FormattedRecords(text, block.n_records, block.n_solutions)

    def _blocks(self, records: Records, result: EngineResult) -> Iterable[SolutionBlock]:
        """Return the results that are written, in blocks."""
        blocks: Iterable[SolutionBlock] = [SolutionBlock(records, result, None)]
        if self.enumerator is not None:
            blocks = self.enumerator.expand(records, result)
        return blocks if self.resumed is None else self.resumed.new_blocks(blocks)


def _check_all(engine: str, dask: str | None) -> None:
    """Fail if `--all` cannot be combined with these options."""
    if engine not in ENUMERATING_ENGINES:
        engines = " or ".join(ENUMERATING_ENGINES)
        raise fail(f"--all needs --engine {engines}, not {engine!r}")
    if dask is not None:
        raise fail("--dask cannot be combined with --all")


def _check_resume(output: str, files: list[str], style: str) -> None:
    """Fail if `--resume` cannot be combined with these files."""
    if output == "-":
        raise fail("--resume needs an output file: -o FILE")
    if os.path.exists(output) and not os.path.isfile(output):
        raise fail(f"--resume: {output} is not a regular file")
    for file in files:
        if file == "-" or (os.path.exists(file) and not os.path.isfile(file)):
            source = "standard input" if file == "-" else file
            raise fail(f"--resume needs input files that can be read again, not {source}")
        if "\n" in file and style != "json" and (style != "csv" or len(files) > 1):
            raise fail(f"--resume: {file!r} contains a line break")


def _resume(
    output: str, chunks: Iterator[Records], writer: Writer, engine: str, all_solutions: bool
) -> ResumedRun:
    """Skip the input that is in the output file. Fails if it is not the output for this input."""
    try:
        return ResumedRun(
            output,
            chunks,
            writer,
            lambda box: resolve_engine(engine, box).work_unit,
            is_numbered=all_solutions,
        )
    except ValueError as error:
        raise fail(str(error)) from None
    except OSError as error:
        raise fail(f"{output}: {error.strerror}") from None


def _max_chunk_boards(engine: str, n_workers: int) -> int:
    """Return the number of boards to solve at once: few if the engine is slow, for the progress."""
    if engine not in ENGINES:  # auto
        return LARGE_FILE_CHUNK_BOARDS
    return min(CHUNK_BOARDS, BLOCKS_PER_CHUNK * ENGINES[engine].block_size * n_workers)
