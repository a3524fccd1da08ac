"""The buffer of records that have been read and not yet yielded."""

import numpy as np
import numpy.typing as npt

from .records import BadRecord
from .scan import CLOSED, COUNT, LINE, SOLVED, solves_last
from .symbols import Values


class RecordBuffer:
    """The records of one chunk, filled by the kernel `scan` and by `LineReader` in turn.

    The buffer has one row more than its capacity, as `scan` requires. `state` and the arrays
    `boards`, `solutions`, `lines` and `starts` are described there.
    """

    def __init__(self, capacity: int, cells: int, no_solutions: Values | None = None) -> None:
        self.state = np.array([0, 1, 0, 0, 0, 0, 0, -1], np.int64)
        self.boards = np.empty((capacity + 1, cells), np.uint8)
        if no_solutions is None:
            no_solutions = np.zeros((capacity + 1, cells), np.uint8)
        self.solutions = no_solutions
        self.lines = np.empty(capacity + 1, np.int64)
        self.starts = np.empty(capacity + 1, np.int64)
        self.counts: dict[int, int] = {}
        self.difficulties: dict[int, str] = {}
        self.bad: list[BadRecord] = []

    def successor(self) -> "RecordBuffer":
        """Return an empty buffer that continues at the current position."""
        no_solutions = None if self.state[SOLVED] else self.solutions
        buffer = RecordBuffer(len(self.boards) - 1, self.boards.shape[1], no_solutions)
        buffer.state[:] = self.state
        buffer.state[[COUNT, CLOSED, SOLVED]] = 0
        return buffer

    @property
    def count(self) -> int:
        """The number of boards."""
        return int(self.state[COUNT])

    @property
    def line(self) -> int:
        """The number of the next line."""
        return int(self.state[LINE])

    @property
    def last(self) -> int | None:
        """The index of the last record if it is a board, otherwise None."""
        return self.count - 1 if self.count > self.state[CLOSED] else None

    @property
    def last_is_open(self) -> bool:
        """Whether the last record is a puzzle whose solution and count are unknown."""
        last = self.last
        return (
            last is not None
            and last not in self.counts
            and not self.solutions[last, 0]
            and not self.boards[last].all()
        )

    def add_if_solution(self, board: Values) -> bool:
        """If `board` is the solution of the last puzzle, store it; return whether it is."""
        if not solves_last(board, self.boards, self.solutions, self.state):
            return False
        self.add_solution(board)
        return True

    def add_solution(self, solution: Values) -> None:
        """Store the solution of the last board."""
        self.solutions[self.count - 1] = solution
        self.state[SOLVED] += 1

    def add(self, board: Values, line: int) -> None:
        """Append a board that starts on the given line."""
        self.boards[self.count] = board
        self.lines[self.count] = line
        self.state[COUNT] += 1

    def add_bad(self, line: int, reason: str) -> None:
        """Append a bad record."""
        self.bad.append(BadRecord(self.count, line, reason))
        self.state[CLOSED] = self.count

    def stated_solutions(self) -> Values | None:
        """Return `Records.solutions`."""
        return self.solutions[: self.count] if self.state[SOLVED] else None

    def stated_counts(self) -> npt.NDArray[np.int64] | None:
        """Return `Records.counts`."""
        if not self.counts:
            return None
        counts = np.full(self.count, -1, np.int64)
        counts[list(self.counts)] = list(self.counts.values())
        return counts

    def stated_difficulties(self) -> list[str] | None:
        """Return `Records.difficulties`."""
        if not self.difficulties:
            return None
        return [self.difficulties.get(index, "") for index in range(self.count)]
