"""The records that reading has gathered and not yet handed on."""

import numpy as np
import numpy.typing as npt

from .records import BadRecord
from .scan import CLOSED, COUNT, LINE, solves_last
from .symbols import Values


class Chunk:
    """Room for one chunk of records, which the kernel and Python fill in turn.

    `state` and the arrays are those of `scan`, one row longer than the boards they may hold.
    """

    def __init__(self, room: int, cells: int) -> None:
        self.state = np.array([0, 1, 0, 0, 0, 0, -1], np.int64)
        self.boards = np.empty((room + 1, cells), np.uint8)
        self.solutions = np.zeros((room + 1, cells), np.uint8)
        self.lines = np.empty(room + 1, np.int64)
        self.starts = np.empty(room + 1, np.int64)
        self.counts: dict[int, int] = {}
        self.difficulties: dict[int, str] = {}
        self.bad: list[BadRecord] = []

    def successor(self) -> "Chunk":
        """An empty chunk that goes on where this one ends."""
        chunk = Chunk(len(self.boards) - 1, self.boards.shape[1])
        chunk.state[:] = self.state
        chunk.state[[COUNT, CLOSED]] = 0
        return chunk

    @property
    def count(self) -> int:
        return int(self.state[COUNT])

    @property
    def line(self) -> int:
        return int(self.state[LINE])

    @property
    def last(self) -> int | None:
        """The index of the last record, if it is a board."""
        return self.count - 1 if self.count > self.state[CLOSED] else None

    @property
    def last_is_open(self) -> bool:
        """Whether the last record is an incomplete puzzle of which no outcome is known yet."""
        last = self.last
        return (
            last is not None
            and last not in self.counts
            and not self.solutions[last, 0]
            and not self.boards[last].all()
        )

    def take_solution(self, board: Values) -> bool:
        """Keep `board` as the solution of the last puzzle, where it is one."""
        if not solves_last(board, self.boards, self.solutions, self.state):
            return False
        self.solutions[self.count - 1] = board
        return True

    def add(self, board: Values, line: int) -> None:
        self.boards[self.count] = board
        self.lines[self.count] = line
        self.state[COUNT] += 1

    def add_bad(self, line: int, reason: str) -> None:
        self.bad.append(BadRecord(self.count, line, reason))
        self.state[CLOSED] = self.count

    def told_solutions(self) -> Values | None:
        solutions = self.solutions[: self.count]
        return solutions if solutions[:, 0].any() else None

    def told_counts(self) -> npt.NDArray[np.int64] | None:
        if not self.counts:
            return None
        counts = np.full(self.count, -1, np.int64)
        counts[list(self.counts)] = list(self.counts.values())
        return counts

    def told_difficulties(self) -> list[str] | None:
        if not self.difficulties:
            return None
        return [self.difficulties.get(index, "") for index in range(self.count)]
