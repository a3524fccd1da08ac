"""Runs that count the results of puzzles: by status, and those of `solve`."""

from collections import Counter
from collections.abc import Callable, Iterable

from ..runtime.text import plural
from ..sudoku.engines.base import EngineResult
from ..sudoku.in_place import SolvedText
from ..sudoku.io.records import Records
from ..sudoku.io.write import STATUSES, count_statuses
from ..sudoku.verify import verify_claims
from .board_run import BoardRun
from .terminal import ExitStatus


class PuzzleRun(BoardRun):
    """The input of a run, and the number of puzzles of each status.

    Parameters
    ----------
    statuses
        All statuses, in the order of the summary.
    report
        A function that prints a message.
    """

    def __init__(self, statuses: Iterable[str], report: Callable[[str], None]) -> None:
        super().__init__(report)
        self.statuses = tuple(statuses)
        self.status_counts: Counter[str] = Counter()
        self.n_inconsistent = 0

    @property
    def n_puzzles(self) -> int:
        return self.status_counts.total()

    def progress(self) -> str:
        """Return the number of puzzles as text."""
        return plural(self.n_puzzles, "puzzle")

    def report_summary(self) -> None:
        """Report the number of puzzles of each status, the speed, and why the run ended early.

        If nothing was read because of errors, the errors suffice.
        """
        if self.has_read_nothing and not self.n_puzzles:
            if self.stop_reason:
                self.report(self.stop_reason)
            return
        results = [
            f"{n:,} {status}" for status in self.statuses if (n := self.status_counts[status])
        ]
        if self.n_inconsistent:
            results.append(f"{self.n_inconsistent:,} inconsistent with the file")
        speed = self.describe_speed(self.n_puzzles)
        self.report(f"{self.progress()}: {', '.join(results) or 'nothing to solve'}{speed}")
        if self.stop_reason:
            self.report(self.stop_reason)


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

    def count_records(self, n_records: int, n_solutions: int | None = None) -> None:
        """Count output records that have been written, and solutions if all are written."""
        self.n_records += n_records
        if n_solutions is not None:
            self.n_solutions = (self.n_solutions or 0) + n_solutions

    def count(self, records: Records, result: EngineResult | SolvedText) -> None:
        """Count the results of a chunk, and report those that are inconsistent with the file."""
        self.status_counts.update(count_statuses(result.counts, self.limit, checked=self.limit > 1))
        self.status_counts["unreadable"] += len(records.bad)
        if isinstance(result, SolvedText):  # plain lines claim nothing
            return
        for line, reason in verify_claims(records, result, self.limit):
            self.n_inconsistent += 1
            self.report_problem(f"{records.source}:{line}: {reason}")

    def progress(self) -> str:
        """Return the number of puzzles as text, and of solutions if all are written."""
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
