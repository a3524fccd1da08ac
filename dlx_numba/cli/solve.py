"""`solve`: solve files of Sudoku puzzles."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Annotated

import numpy as np
import typer

from ..jit.compile import default_threads
from ..kernels.state import UNLIMITED
from ..runtime.errors import UnreadableError
from ..runtime.interrupts import Stop, deferred_signals
from ..runtime.text import plural
from ..sudoku.all_solutions import SolutionBlock, SolutionEnumerator
from ..sudoku.backends import (
    Backend,
    ExecutorBackend,
    ExecutorError,
    ThreadBackend,
    solve_stream,
)
from ..sudoku.box import Box
from ..sudoku.engines.base import BatchResult
from ..sudoku.engines.registry import ENGINES, resolve_engine
from ..sudoku.io.read import read_boards
from ..sudoku.io.records import Records
from ..sudoku.io.write import STATUSES, STYLES, Writer, count_statuses
from ..sudoku.resume import ResumedRun
from ..sudoku.verify import verify_claims
from .options import (
    AlphabetName,
    BoxShape,
    DaskAddress,
    TimeLimit,
    check_choice,
    open_cluster,
    parse_box,
)
from .output import RecordWriter, discard_stdout
from .terminal import ExitStatus, ProgressDisplay, compile_notice, fail, report

ENUMERATING_ENGINES = ("auto", "dlx")  # the engines that `--all` can be combined with
MAX_REPORTED_PROBLEMS = 20  # on standard error; the output marks all of them


def solve(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Files of puzzles; - for standard input."),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write to this file; - for standard output."
        ),
    ] = "-",
    style: Annotated[
        str,
        typer.Option("--format", "-f", metavar="|".join(STYLES), help="Output format."),
    ] = "line",
    limit: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Count up to N solutions of each puzzle; 0 counts all."
        ),
    ] = None,
    all_solutions: Annotated[
        bool,
        typer.Option("--all", help="Write all solutions of each puzzle, or up to --limit."),
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Check that each puzzle has a unique solution.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            metavar="N",
            help="Number of threads.",
            show_default="all processors",
        ),
    ] = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help=f"Solver: auto, {', '.join(ENGINES)}.")
    ] = "auto",
    box: BoxShape = None,
    alphabet: AlphabetName = "auto",
    dask: DaskAddress = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first record that cannot be read.")
    ] = False,
    seconds: TimeLimit = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Continue after the last complete record in the output file."
        ),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print no notices and no summary.")
    ] = False,
) -> None:
    """Solve files of Sudoku puzzles.

    Writes one record per puzzle, or with `--all` one per solution, in order. Reads all output
    formats of qqwing, .sdm, .sdk, .ss, CSV and JSON files, and arrays from programs, compressed by
    gzip or not.

    Exit status: 0 if all puzzles are solved (with `--check`: have a unique solution), 1 if not,
    2 for a usage error or unreadable input, 130 if interrupted.

    Examples:

    - `python -m dlx_numba solve puzzles.txt`

    - `python -m dlx_numba solve --all --limit 10 puzzles.txt`

    - `qqwing --generate 9 | python -m dlx_numba solve -`

    - `python -m dlx_numba solve --check -f csv -o checked.csv puzzles.csv.gz`

    - `python -m dlx_numba solve --resume -o solved.txt puzzles.txt`
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
    writer = Writer(style, limit=None if limit == UNLIMITED else limit, checked=limit > 1)
    run = _SolveRun(limit, check, (lambda text: None) if quiet else report)
    stop = Stop()
    # Whether a puzzle has several solutions is found out first; few puzzles need more.
    enumerator = SolutionEnumerator(limit, stop) if all_solutions else None
    batch_limit = min(limit, 2) if all_solutions else limit
    with ExitStack() as stack:
        sink = stack.enter_context(RecordWriter(output, files, is_synced=resume))
        stack.enter_context(compile_notice())
        display = stack.enter_context(ProgressDisplay(_total_bytes(files)))
        cluster = stack.enter_context(open_cluster(dask))
        backend: Backend
        if cluster is None:
            backend = ThreadBackend(engine, batch_limit, jobs or default_threads(), stop)
        else:
            backend = ExecutorBackend(engine, batch_limit, stop, cluster.executor)
        stack.enter_context(backend)
        chunks = run.read(files, shape, alphabet, strict, stop)
        resumed = None
        if resume and _size(output):
            display.update("skipping the puzzles in the output file")
            resumed = _resume(output, chunks, writer, engine, all_solutions)
            run.report(f"resuming after {plural(resumed.n_records, 'record')}")
            run.n_records = resumed.n_records
            sink.resume(resumed.position, resumed.torn)
            chunks = resumed.chunks
        stop.set_limit(seconds)
        try:
            for records, result in solve_stream(chunks, backend):
                bytes_read = run.report_input(records)
                unit = resolve_engine(engine, records.box).work_unit
                blocks = _blocks(records, result, enumerator)
                for block in resumed.new_blocks(blocks) if resumed else blocks:
                    if sink.has_torn_record and stop():
                        continue  # the next record may be unfinished
                    text = writer.format(
                        block.records, *block.result, unit=unit, numbering=block.numbering
                    )
                    display.clear_for_stdout()
                    with deferred_signals(lambda: None):  # only written records are counted
                        sink.write(text)
                        run.count_records(block)
                    display.update(run.progress(), bytes_read)
                run.count(records, result)
            sink.finish(is_complete=not stop())
        except BrokenPipeError:  # the reader has closed the pipe
            discard_stdout()
            raise typer.Exit(ExitStatus.NOT_SOLVED) from None
        except OSError as error:  # for example, a full disk
            raise sink.fail(error) from None
        except (
            ValueError,
            ExecutorError,
        ) as error:  # for example, an unsupported size
            raise fail(str(error)) from None
        except KeyboardInterrupt:
            display.close()
            run.report(f"interrupted: {plural(run.n_records, 'complete record')} written")
            raise typer.Exit(ExitStatus.INTERRUPTED) from None
    run.report_summary()
    raise typer.Exit(run.exit_status())


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
        if "\n" in file and style in ("line", "grid"):
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


def _blocks(
    records: Records, result: BatchResult, enumerator: SolutionEnumerator | None
) -> Iterable[SolutionBlock]:
    """Return the output records of a chunk, in blocks."""
    if enumerator is None:
        return [SolutionBlock(records, result, None)]
    return enumerator.expand(records, result)


class _SolveRun:
    """The input of a run, and the results so far."""

    def __init__(self, limit: int, check: bool, report: Callable[[str], None]) -> None:
        self.limit, self.check, self.report = limit, check, report
        self.start_time = time.perf_counter()
        self.status_counts: Counter[str] = Counter()
        self.n_records = 0  # of the output
        self.n_solutions: int | None = None  # written by `--all`
        self.n_problems = 0  # unreadable and inconsistent records
        self.n_inconsistent = 0
        self.n_unreadable_sources = 0
        self.stop_reason = ""  # if the run ended early
        self.is_strict_failure = False
        self.start_bytes: dict[str, int] = {}  # by source: the total size of the sources before it

    @property
    def n_puzzles(self) -> int:
        return self.status_counts.total()

    def read(
        self, files: list[str], box: Box | None, alphabet: str, strict: bool, stop: Stop
    ) -> Iterator[Records]:
        """Yield the records of all files. A file that cannot be read is reported and skipped."""
        start_bytes = 0
        for file in files:
            n_boards = 0
            name = "<stdin>" if file == "-" else file
            try:
                for records in read_boards(file, box=box, alphabet=alphabet):
                    self.start_bytes.setdefault(records.source, start_bytes)
                    n_boards += len(records)
                    if stop():
                        self.stop_reason = "time limit reached: the remaining input was not read"
                        return
                    if strict and records.bad:
                        self.is_strict_failure = True
                        self.stop_reason = "stopped at the first record that cannot be read"
                        yield records.until_bad()
                        return
                    yield records
                if n_boards == 0:
                    self.n_unreadable_sources += 1
                    self.report(f"{name}: no puzzle found{_advice(file)}")
            except UnreadableError as error:
                self.n_unreadable_sources += 1
                self.report(f"error: {error}{_advice(file)}")
                if strict:
                    self.stop_reason = "stopped at the first file that cannot be read"
                    return
            except ValueError as error:  # the alphabet does not fit the size of the boards
                raise fail(f"{name}: {error}") from None
            start_bytes += _size(file)

    def report_input(self, records: Records) -> int:
        """Report what is unusual about a chunk. Return the bytes read so far."""
        for notice in records.notices:
            self.report(f"{records.source}: {notice}; use --alphabet to select another")
        for bad in records.bad:
            self._report_problem(bad.at(records.source))
        return self.start_bytes[records.source] + records.bytes_read

    def count_records(self, block: SolutionBlock) -> None:
        """Count the output records of a block that has been written."""
        self.n_records += len(block.records) + len(block.records.bad)
        if block.numbering is not None:
            n_solutions = int(np.count_nonzero(block.numbering.solutions))
            self.n_solutions = (self.n_solutions or 0) + n_solutions

    def count(self, records: Records, result: BatchResult) -> None:
        """Count the results of a chunk, and report those that are inconsistent with the file."""
        self.status_counts.update(count_statuses(result.counts, self.limit, checked=self.limit > 1))
        self.status_counts["unreadable"] += len(records.bad)
        for line, reason in verify_claims(records, result, self.limit):
            self.n_inconsistent += 1
            self._report_problem(f"{records.source}:{line}: {reason}")

    def progress(self) -> str:
        """Return the number of puzzles, and of solutions if all are written."""
        puzzles = plural(self.n_puzzles, "puzzle")
        if self.n_solutions is None:
            return puzzles
        return f"{puzzles}, {plural(self.n_solutions, 'solution')}"

    def _report_problem(self, text: str) -> None:
        self.n_problems += 1
        if self.n_problems <= MAX_REPORTED_PROBLEMS:
            self.report(text)
        elif self.n_problems == MAX_REPORTED_PROBLEMS + 1:
            self.report("... further problems are not reported")

    def report_summary(self) -> None:
        """Report the number of puzzles of each status, the speed, and why the run ended early."""
        elapsed = time.perf_counter() - self.start_time
        results = [f"{n:,} {status}" for status in STATUSES if (n := self.status_counts[status])]
        if self.n_inconsistent:
            results.append(f"{self.n_inconsistent:,} inconsistent with the file")
        speed = f"{elapsed:.2f} s, {self.n_puzzles / elapsed:,.0f} per second"
        self.report(f"{self.progress()}: {', '.join(results) or 'nothing to solve'} ({speed})")
        if self.stop_reason:
            self.report(self.stop_reason)

    def exit_status(self) -> ExitStatus:
        if self.is_strict_failure or self.n_unreadable_sources:
            return ExitStatus.USAGE
        n_good = self.status_counts["solved"] + self.status_counts["unique"]
        if self.limit > 1 and not self.check:
            n_good += self.status_counts["multiple"]
        if n_good < self.n_puzzles or self.n_inconsistent or self.stop_reason:
            return ExitStatus.NOT_SOLVED
        return ExitStatus.SUCCESS


def _advice(file: str) -> str:
    """Return advice on a file without puzzles; see `advise_cover`."""
    from .detect import advise_cover  # deferred: most runs need no readers of exact cover problems

    return advise_cover(file)


def _size(file: str) -> int:
    """Return the size of a file in bytes, or 0 if it is standard input or does not exist."""
    try:
        return os.stat(file).st_size
    except OSError:
        return 0


def _total_bytes(files: list[str]) -> int | None:
    return None if "-" in files else sum(map(_size, files))
