"""`solve`: files of puzzles in, solutions out."""

import os
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Annotated, Any, BinaryIO

import numpy as np
import typer

from ..jit.compile import default_threads
from ..kernels.state import UNLIMITED
from ..runtime.errors import UnreadableError
from ..runtime.interrupts import Stop
from ..sudoku.backends import Team
from ..sudoku.box import Box
from ..sudoku.claims import contradictions
from ..sudoku.engines.registry import ENGINES
from ..sudoku.executor_backend import TaskError, TaskTeam
from ..sudoku.io.read import read_boards
from ..sudoku.io.records import Records
from ..sudoku.io.status import STATUSES, status_codes
from ..sudoku.io.write import Writer
from ..sudoku.result import BatchResult
from ..sudoku.stream import solve_stream
from .connected import connected
from .output import end_of_pipe
from .terminal import INTERRUPTED, USAGE, compile_notice, fail, progress_bar, say

MOST_REASONS = 20  # what standard error names one by one; the output marks all


def solve(
    files: Annotated[
        list[str], typer.Argument(metavar="FILES... | -", help="Files of puzzles; - is stdin.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Write to FILE, not to stdout.")
    ] = "-",
    style: Annotated[
        str, typer.Option("--format", "-f", metavar="line|csv|grid|json", help="Output style.")
    ] = "line",
    limit: Annotated[
        int | None,
        typer.Option(min=0, help="Count up to N solutions of each puzzle; 0: all of them."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Is each puzzle unique? Marks those that are not.")
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Threads; else all processors."),
    ] = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help=f"auto, {', '.join(ENGINES)}.")
    ] = "auto",
    box: Annotated[
        str | None, typer.Option(metavar="RxC", help="Rows and columns of a box, as 2x3.")
    ] = None,
    alphabet: Annotated[
        str,
        typer.Option(metavar="NAME", help="Symbols beyond 9x9: 1-9A-G, 0-9A-F, A-P (at 16x16)."),
    ] = "auto",
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Solve on the Dask cluster there.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first record that cannot be read.")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0, help="Stop after so many seconds.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary, no notices.")] = False,
) -> None:
    """Solve every puzzle of FILES: one output record for each, in order.

    Reads every style that qqwing prints, .sdm, .sdk, .ss, CSV, and all of them compressed.
    Exit status: 0 all solved (with --check: all unique), 1 some not, 2 usage or unreadable input.

    Examples: `solve puzzles.txt`, `qqwing --generate 9 | python -m dlx_numba solve -`,
    `solve --check --format csv -o checked.csv puzzles.txt more.csv.gz`
    """
    if engine != "auto" and engine not in ENGINES:
        raise fail(f"no engine {engine!r}; there are: auto, {', '.join(ENGINES)}")
    if limit is None:
        limit = 2 if check else 1
    elif check and limit == 1:
        raise fail("--check needs a limit of 2 or more")
    limit = limit or UNLIMITED
    try:
        shape = Box.parse(box) if box else None
        writer = Writer(style, limit=None if limit == UNLIMITED else limit, checked=limit > 1)
    except ValueError as error:
        raise fail(str(error)) from None
    run = _Run(limit, check, (lambda text: None) if quiet else say)
    stop = Stop(seconds)
    with ExitStack() as stack:
        sink = stack.enter_context(_Output(output, files))
        stack.enter_context(compile_notice())
        show = stack.enter_context(progress_bar(_total_bytes(files)))
        cluster = stack.enter_context(connected(dask))
        team: Team | TaskTeam
        if cluster is None:
            team = Team(engine, limit, jobs or default_threads(), stop)
        else:
            team = TaskTeam(engine, limit, cluster.threads, stop, cluster.executor)
        stack.enter_context(team)
        chunks = run.read(files, shape, alphabet, strict, stop)
        try:
            for records, result in solve_stream(chunks, team):
                done = run.tell(records, result)
                sink.write(writer.format(records, result.solutions, result.counts))
                show(done, f"{run.puzzles:,} puzzles")
        except BrokenPipeError:  # the reader of a pipe has seen enough
            end_of_pipe()
            raise typer.Exit(1) from None
        except OSError as error:  # a full disk, say
            raise fail(f"{sink.name}: {error.strerror}") from None
        except (ValueError, TaskError) as error:  # the engine does not take such boards
            raise fail(str(error)) from None
        except KeyboardInterrupt:
            run.say(f"interrupted: the {run.puzzles:,} records written so far are whole")
            raise typer.Exit(INTERRUPTED) from None
    run.summarise()
    raise typer.Exit(run.exit_status())


class _Run:
    """What happened so far, and how it is told."""

    def __init__(self, limit: int, check: bool, say: Callable[[str], None]) -> None:
        self.limit, self.check, self.say = limit, check, say
        self.begin = time.perf_counter()
        self.found: Counter[str] = Counter()
        self.reasons = 0
        self.wrong = 0
        self.unreadable_sources = 0
        self.stopped = ""  # why the run ended early
        self.refused = False  # because of --strict
        self.bytes_before: dict[str, int] = {}  # of the sources before a source

    @property
    def puzzles(self) -> int:
        return self.found.total()

    def read(
        self, files: list[str], box: Box | None, alphabet: str, strict: bool, stop: Stop
    ) -> Iterator[Records]:
        """The records of all files. A file that cannot be read is told of, and passed over."""
        before = 0
        for file in files:
            boards = 0
            try:
                for records in read_boards(file, box=box, alphabet=alphabet):
                    self.bytes_before.setdefault(records.source, before)
                    boards += len(records)
                    if stop():
                        self.stopped = "out of time: what follows was not read"
                        return
                    if strict and records.bad:
                        self.refused = True
                        self.stopped = "stopped at the first record that could not be read"
                        yield records.until_bad()
                        return
                    yield records
                if boards == 0:
                    self.unreadable_sources += 1
                    self.say(f"{file}: no puzzle in it")
            except UnreadableError as error:
                self.unreadable_sources += 1
                self.say(f"error: {error}")
                if strict:
                    self.stopped = "stopped at a source that could not be read"
                    return
            except ValueError as error:  # the alphabet does not fit the boards' size
                raise fail(f"{file}: {error}") from None
            before += _size(file)

    def tell(self, records: Records, result: BatchResult) -> int:
        """Count and tell what a chunk holds. Returns how many bytes have been read so far."""
        for notice in records.notices:
            self.say(f"{records.source}: {notice}; --alphabet chooses")
        codes = status_codes(result.counts, self.limit, checked=self.limit > 1)
        for code, number in enumerate(np.bincount(codes, minlength=len(STATUSES)).tolist()):
            self.found[STATUSES[code]] += number
        self.found["unreadable"] += len(records.bad)
        for bad in records.bad:
            self._reason(bad.at(records.source))
        for line, reason in contradictions(records, result, self.limit):
            self.wrong += 1
            self._reason(f"{records.source}:{line}: {reason}")
        return self.bytes_before[records.source] + records.bytes_read

    def _reason(self, text: str) -> None:
        self.reasons += 1
        if self.reasons <= MOST_REASONS:
            self.say(text)
        elif self.reasons == MOST_REASONS + 1:
            self.say("... and more")

    def summarise(self) -> None:
        elapsed = time.perf_counter() - self.begin
        said = [f"{self.found[status]:,} {status}" for status in STATUSES if self.found[status]]
        if self.wrong:
            said.append(f"{self.wrong:,} at odds with the file")
        rate = f"{elapsed:.2f} s, {self.puzzles / elapsed:,.0f} per second"
        noun = "puzzle" if self.puzzles == 1 else "puzzles"
        self.say(f"{self.puzzles:,} {noun}: {', '.join(said) or 'nothing to solve'} ({rate})")
        if self.stopped:
            self.say(self.stopped)

    def exit_status(self) -> int:
        if self.refused or self.unreadable_sources:
            return USAGE
        good = self.found["solved"] + self.found["unique"]
        if self.limit > 1 and not self.check:
            good += self.found["multiple"]
        return 0 if good == self.puzzles and not self.wrong and not self.stopped else 1


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:  # standard input, or not there
        return 0


def _total_bytes(files: list[str]) -> int | None:
    return None if "-" in files else sum(map(_size, files))


class _Output:
    """Where records are written: a file is opened, and emptied, when the first of them comes."""

    def __init__(self, path: str, files: list[str]) -> None:
        """Fails where the output is also an input: it would be emptied, or never end."""
        self.path = path
        self.sink: BinaryIO | None = None
        if path == "-":
            if sys.stdout is None:
                raise fail("standard output is closed")
            self.sink = sys.stdout.buffer
        target = _identity(path, sys.stdout)
        if target is not None and any(target == _identity(file, sys.stdin) for file in files):
            raise fail(f"{self.name} is both input and output")

    @property
    def name(self) -> str:
        return "<stdout>" if self.path == "-" else self.path

    def write(self, text: bytes | memoryview) -> None:
        """Write whole records, so that an interrupted run leaves no half of one."""
        if self.sink is None:
            self.sink = open(self.path, "wb")  # noqa: SIM115  (closed by `__exit__`)
        self.sink.write(text)
        self.sink.flush()

    def __enter__(self) -> "_Output":
        return self

    def __exit__(self, *exception: object) -> None:
        if self.sink is not None and self.path != "-":
            self.sink.close()


def _identity(path: str, stream: Any) -> tuple[int, int] | None:
    """What tells whether two are the same regular file; `-` is the stream."""
    try:
        status = os.fstat(stream.fileno()) if path == "-" else os.stat(path)
    except (OSError, AttributeError, ValueError):  # not there, or no file
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
