"""Runs over files of puzzles: their input, the count of their results, and how they end."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import typer

from ..runtime.errors import UnreadableError
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..sudoku.all_solutions import SolutionBlock
from ..sudoku.backends import ExecutorError
from ..sudoku.box import Box
from ..sudoku.engines.base import BatchResult
from ..sudoku.io.read import read_boards
from ..sudoku.io.records import Records
from ..sudoku.io.write import STATUSES, count_statuses
from ..sudoku.verify import verify_claims
from .output import RecordWriter, discard_stdout
from .terminal import ExitStatus, ProgressDisplay, fail

MAX_REPORTED_PROBLEMS = 20  # on standard error; the output marks all of them


class PuzzleRun:
    """The input of a command that reads files of puzzles, and the results so far.

    Parameters
    ----------
    statuses
        The statuses of puzzles, in the order of the summary.
    report
        A function that prints a message.
    """

    def __init__(self, statuses: Iterable[str], report: Callable[[str], None]) -> None:
        self.statuses, self.report = tuple(statuses), report
        self.start_time = time.perf_counter()
        self.status_counts: Counter[str] = Counter()
        self.n_records = 0  # written
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
            start_bytes += file_size(file)

    def report_input(self, records: Records) -> int:
        """Report what is unusual about a chunk. Return the bytes read so far."""
        for notice in records.notices:
            self.report(f"{records.source}: {notice}; use --alphabet to select another")
        for bad in records.bad:
            self._report_problem(bad.at(records.source))
        return self.start_bytes[records.source] + records.bytes_read

    def progress(self) -> str:
        """Return the number of puzzles."""
        return plural(self.n_puzzles, "puzzle")

    def _report_problem(self, text: str) -> None:
        self.n_problems += 1
        if self.n_problems <= MAX_REPORTED_PROBLEMS:
            self.report(text)
        elif self.n_problems == MAX_REPORTED_PROBLEMS + 1:
            self.report("... further problems are not reported")

    def report_summary(self) -> None:
        """Report the number of puzzles of each status, the speed, and why the run ended early."""
        elapsed = time.perf_counter() - self.start_time
        results = [
            f"{n:,} {status}" for status in self.statuses if (n := self.status_counts[status])
        ]
        if self.n_inconsistent:
            results.append(f"{self.n_inconsistent:,} inconsistent with the file")
        speed = f"{elapsed:.2f} s, {self.n_puzzles / elapsed:,.0f} per second"
        self.report(f"{self.progress()}: {', '.join(results) or 'nothing to solve'} ({speed})")
        if self.stop_reason:
            self.report(self.stop_reason)

    @contextmanager
    def reported_errors(self, sink: RecordWriter, display: ProgressDisplay) -> Iterator[None]:
        """End the command properly if the run fails or is interrupted."""
        try:
            yield
        except BrokenPipeError:  # the reader has closed the pipe
            discard_stdout()
            raise typer.Exit(ExitStatus.NOT_SOLVED) from None
        except OSError as error:  # for example, a full disk
            raise sink.fail(error) from None
        except (ValueError, ExecutorError) as error:  # for example, an unsupported size
            raise fail(str(error)) from None
        except KeyboardInterrupt:
            display.close()
            self.report(f"interrupted: {plural(self.n_records, 'complete record')} written")
            raise typer.Exit(ExitStatus.INTERRUPTED) from None


class SolveRun(PuzzleRun):
    """The input of a run of `solve`, and the results so far.

    Parameters
    ----------
    limit
        The number of solutions at which the search for a puzzle ends.
    check
        Whether each puzzle must have a unique solution.
    report
        A function that prints a message.
    """

    def __init__(self, limit: int, check: bool, report: Callable[[str], None]) -> None:
        super().__init__(STATUSES, report)
        self.limit, self.check = limit, check
        self.n_solutions: int | None = None  # written by `--all`

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
        puzzles = super().progress()
        if self.n_solutions is None:
            return puzzles
        return f"{puzzles}, {plural(self.n_solutions, 'solution')}"

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


def total_size(files: list[str]) -> int | None:
    """Return the size of all files in bytes; None if one of them is standard input."""
    return None if "-" in files else sum(map(file_size, files))


def file_size(file: str) -> int:
    """Return the size of a file in bytes, or 0 if it is standard input or does not exist."""
    try:
        return os.stat(file).st_size
    except OSError:
        return 0
