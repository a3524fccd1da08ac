"""The records that have been read and not yet yielded."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from ...jit.compile import without_delay
from ..box import Box
from .records import BadRecord, Records
from .scan import CLOSED, COUNT, LINE, SOLVED, solves_last
from .symbols import Alphabet, Values


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
        if not without_delay(solves_last)(board, self.boards, self.solutions, self.state):
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

    def records(self, **attributes: Any) -> Records:
        """Return the records, with the attributes that are those of the source."""
        rows = slice(self.count)
        counts = difficulties = None
        if self.counts:
            counts = np.full(self.count, -1, np.int64)
            counts[list(self.counts)] = list(self.counts.values())
        if self.difficulties:
            difficulties = [self.difficulties.get(index, "") for index in range(self.count)]
        return Records(
            boards=self.boards[rows],
            lines=self.lines[rows],
            solutions=self.solutions[rows] if self.state[SOLVED] else None,
            counts=counts,
            difficulties=difficulties,
            bad=tuple(self.bad),
            **attributes,
        )


class RecordCollector(ABC):
    """A reader that collects records in the order of the source: the base class of all readers.

    It fills a buffer, and moves full buffers to a list.

    Parameters
    ----------
    alphabet
        The alphabet of the boards.
    chunk_boards
        The capacity of a buffer.
    box
        The box of the boards.
    """

    def __init__(self, alphabet: Alphabet, chunk_boards: int, box: Box) -> None:
        self.alphabet = alphabet
        self.chunk_boards = chunk_boards
        self.box = box
        self.cells = box.cells
        self.buffer = RecordBuffer(chunk_boards, self.cells)
        self.full: list[RecordBuffer] = []
        self.n_loaded = self.n_unread = 0  # bytes of text, for the progress

    @property
    def read_fraction(self) -> float:
        """The fraction of the text loaded so far that has been read."""
        return 1 - self.n_unread / max(1, self.n_loaded)

    def kernel_can_read(self, first_byte: int) -> bool:
        """Return whether to call the kernel for the next line, which starts with `first_byte`."""
        return False

    @property
    def expects_plain_lines(self) -> bool:
        """Whether to call the kernel `scan_plain` first."""
        return False

    @abstractmethod
    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""

    def read_ratings(self, text: bytes | memoryview, first: int) -> None:  # noqa: B027  (most readers have none)
        """Read the ratings of the boards from `first` on, which the kernel has read."""

    @abstractmethod
    def end_drawing(self) -> None:
        """Add a board that may continue on the next line, or a bad record if it is incomplete."""

    def start_buffer(self) -> None:
        """Move the buffer to the full ones, unless it is empty, and continue in a new one."""
        if self.buffer.count or self.buffer.bad:
            self.full.append(self.buffer)
            self.buffer = self.buffer.successor()

    def take_full(self) -> list[RecordBuffer]:
        """Return the full buffers and remove them from this reader."""
        full, self.full = self.full, []
        return full

    def take_all(self) -> list[RecordBuffer]:
        """Return all buffers that contain records and remove them from this reader."""
        self.start_buffer()
        return self.take_full()

    def add_board(self, values: bytes, line: int) -> bool:
        """Add a board as a puzzle, or as the solution of the last one; return True for a puzzle."""
        board = np.frombuffer(values, np.uint8)
        if self.buffer.add_if_solution(board):
            return False
        if self.buffer.count == self.chunk_boards:
            self.start_buffer()
        self.buffer.add(board, line)
        return True

    def add_solution(self, values: bytes) -> None:
        """Store the stated solution of the last puzzle, correct or not, if it is complete."""
        if 0 not in values:
            self.buffer.add_solution(np.frombuffer(values, np.uint8))

    def add_bad(self, line: int, reason: str) -> None:
        """Add a bad record."""
        if len(self.buffer.bad) == self.chunk_boards:
            self.start_buffer()
        self.buffer.add_bad(line, reason)
