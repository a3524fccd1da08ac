"""A run of `solve`: its input, and the count of its results."""

import io
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO

import numpy as np

from ..runtime.errors import UnreadableError
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..sudoku.all_solutions import SolutionBlock
from ..sudoku.box import Box
from ..sudoku.engines.base import BatchResult
from ..sudoku.io.read import read_boards
from ..sudoku.io.records import Records
from ..sudoku.io.write import STATUSES, count_statuses
from ..sudoku.verify import verify_claims
from .terminal import ExitStatus, Stopwatch, fail, report_error

MAX_CHUNK_BOARDS = 8192  # that are read at once

BOARD_SOURCE = "<board>"  # the name of a board that is given instead of a file
MIN_BOARD_LENGTH = 16

MAX_REPORTED_PROBLEMS = 20  # on standard error; the output marks all of them


class SolveRun:
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
        self.limit, self.check, self.report = limit, check, report
        self.stopwatch = Stopwatch()
        self.status_counts: Counter[str] = Counter()
        self.n_records = 0  # written
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
        self,
        files: list[str],
        box: Box | None,
        alphabet: str,
        strict: bool,
        stop: Stop,
        chunk_boards: int = MAX_CHUNK_BOARDS,
    ) -> Iterator[Records]:
        """Yield the records of all files. A file that cannot be read is reported and skipped."""
        start_bytes = 0
        for file in files:
            n_boards = 0
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
                        self.n_unreadable_sources += 1
                        report_error(f"{name}: no puzzle found{advice}")
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
                        self.n_unreadable_sources += 1
                        report_error(f"{name}: no puzzle found")
            except UnreadableError as error:
                self.n_unreadable_sources += 1
                report_error(f"{error}{_advice(file)}")
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
        """Report the number of puzzles of each status, the speed, and why the run ended early.

        If nothing was read because of errors, they are all there is to say.
        """
        if self.n_unreadable_sources and not self.n_puzzles and not self.n_records:
            if self.stop_reason:
                self.report(self.stop_reason)
            return
        results = [f"{n:,} {status}" for status in STATUSES if (n := self.status_counts[status])]
        if self.n_inconsistent:
            results.append(f"{self.n_inconsistent:,} inconsistent with the file")
        speed = self.stopwatch.describe(self.n_puzzles)
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
