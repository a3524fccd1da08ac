"""Runs that count the results of puzzles, those of `solve` and `minimize`."""

from ..runtime.text import plural
from ..sudoku.engines.base import EngineResult
from ..sudoku.in_place import SolvedText
from ..sudoku.io.records import Records
from ..sudoku.io.write import STATUSES, count_statuses
from ..sudoku.verify import verify_claims
from .board_run import BoardRun, RecordOptions


class SolveRun(BoardRun):
    """A run of a command that solves puzzles, and the results so far.

    Parameters
    ----------
    options
        The options of the command.
    limit
        The number of solutions at which the search for a puzzle ends.
    check
        Whether each puzzle must have a unique solution.
    """

    def __init__(self, options: RecordOptions, limit: int, check: bool) -> None:
        good = {"solved", "unique", *["multiple"] * (limit > 1 and not check)}
        super().__init__(options, STATUSES, {*STATUSES} - good)
        self.limit = limit
        self.n_solutions: int | None = None  # written by `--all`

    def write(
        self, text: bytes | memoryview, n_records: int, n_solutions: int | None = None
    ) -> None:
        """Write and count records, and solutions if all are written."""
        super().write(text, n_records)
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
