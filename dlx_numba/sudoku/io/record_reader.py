"""`RecordReader`: collect the records of a source in chunks, in order."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ..box import Box
from .records import BadRecord, Records
from .scan import CLOSED, COUNT, LINE, SOLVED, solves_last
from .symbols import Alphabet

# Returns the records of a chunk. The arguments are the attributes that depend on the source.
Chunk = Callable[..., Records]


class RecordReader:
    """A collector of the records of a source: the base class of all readers.

    The records of a chunk are collected in arrays, by the kernel `scan` and by `read` in turn. The
    arrays have one row more than a chunk, as `scan` requires. `state`, `boards`, `solutions`,
    `lines` and `starts` are described there.

    Parameters
    ----------
    alphabet
        The alphabet of the boards.
    chunk_boards
        The maximum number of boards in a chunk.
    box
        The box of the boards.
    """

    def __init__(self, alphabet: Alphabet, chunk_boards: int, box: Box) -> None:
        self.alphabet = alphabet
        self.chunk_boards = chunk_boards
        self.box = box
        self.cells = box.cells
        self.state = np.array([0, 1, 0, 0, 0, 0, 0, -1], np.int64)
        self.solutions = np.zeros((chunk_boards + 1, self.cells), np.uint8)
        self.chunks: list[Chunk] = []  # those that are complete
        self.n_loaded = self.n_unread = 0  # bytes of text, for the progress
        self._start_chunk()

    def _start_chunk(self) -> None:
        self.boards = np.empty((self.chunk_boards + 1, self.cells), np.uint8)
        if self.state[SOLVED]:
            self.solutions = np.zeros_like(self.boards)
        self.lines = np.empty(self.chunk_boards + 1, np.int64)
        self.starts = np.empty_like(self.lines)
        self.counts: dict[int, int] = {}
        self.difficulties: dict[int, str] = {}
        self.bad: list[BadRecord] = []
        self.state[[COUNT, CLOSED, SOLVED]] = 0

    @property
    def read_fraction(self) -> float:
        """The fraction of the text loaded so far that has been read."""
        return 1 - self.n_unread / max(1, self.n_loaded)

    @property
    def count(self) -> int:
        """The number of boards in the chunk."""
        return int(self.state[COUNT])

    @property
    def line(self) -> int:
        """The number of the next line."""
        return int(self.state[LINE])

    @property
    def last(self) -> int | None:
        """The index of the last record if it is a board, otherwise None."""
        return self.count - 1 if self.count > self.state[CLOSED] else None

    def end_chunk(self) -> None:
        """End the chunk, unless it is empty, and start another one."""
        rows = slice(self.count)
        counts = difficulties = None
        if self.counts:
            counts = np.full(self.count, -1, np.int64)
            counts[list(self.counts)] = list(self.counts.values())
        if self.difficulties:
            difficulties = [self.difficulties.get(index, "") for index in range(self.count)]
        if self.count or self.bad:
            chunk = partial(
                Records,
                boards=self.boards[rows],
                lines=self.lines[rows],
                solutions=self.solutions[rows] if self.state[SOLVED] else None,
                counts=counts,
                difficulties=difficulties,
                bad=tuple(self.bad),
            )
            self.chunks.append(chunk)
            self._start_chunk()

    def take_chunks(self) -> list[Chunk]:
        """Return the complete chunks and remove them from this reader."""
        chunks, self.chunks = self.chunks, []
        return chunks

    def add_board(self, values: bytes, line: int) -> bool:
        """Add a board as a puzzle, or as the solution of the last one; return True for a puzzle."""
        board = np.frombuffer(values, np.uint8)
        if solves_last(board, self.boards, self.solutions, self.state):
            self.add_solution(values)
            return False
        if self.count == self.chunk_boards:
            self.end_chunk()
        self.boards[self.count] = board
        self.lines[self.count] = line
        self.state[COUNT] += 1
        return True

    def add_solution(self, values: bytes) -> None:
        """Store the stated solution of the last puzzle, correct or not, if it is complete."""
        if 0 not in values:
            self.solutions[self.count - 1] = np.frombuffer(values, np.uint8)
            self.state[SOLVED] += 1

    def add_bad(self, line: int, reason: str) -> None:
        """Add a bad record."""
        if len(self.bad) == self.chunk_boards:
            self.end_chunk()
        self.bad.append(BadRecord(self.count, line, reason))
        self.state[CLOSED] = self.count
