"""What reading yields: chunks of boards, and of what could not be read as one."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..box import Box
from .symbols import Alphabet, Values


@dataclass(frozen=True)
class BadRecord:
    """Text that stands where a board should, `index` boards after the start of its chunk.

    >>> BadRecord(0, 7, "80 symbols, a board has 81").at("puzzles.txt")
    'puzzles.txt:7: 80 symbols, a board has 81'
    """

    index: int
    line: int
    reason: str

    def at(self, source: str) -> str:
        return f"{source}:{self.line}: {self.reason}"


@dataclass(frozen=True)
class Records:
    """One chunk of a source.

    `boards` is (N, cells) uint8, 0 for an empty cell; `lines` is (N,) int64, the line that each
    board starts on, from 1. What the source itself tells of a board is None where it tells it of
    no board of the chunk: `solutions` (N, cells) uint8 has a row of 0 for a board without one,
    `counts` (N,) int64 has -1 and `difficulties` has "". `bytes_read` and `total_bytes` (None:
    unknown) measure the file as it is stored, compressed or not.
    """

    source: str
    box: Box
    alphabet: Alphabet
    boards: Values
    lines: npt.NDArray[np.int64]
    solutions: Values | None = None
    counts: npt.NDArray[np.int64] | None = None
    difficulties: list[str] | None = None
    bad: tuple[BadRecord, ...] = ()
    notices: tuple[str, ...] = ()
    bytes_read: int = 0
    total_bytes: int | None = None

    def __len__(self) -> int:
        """The number of boards, without the bad records."""
        return len(self.boards)

    def until_bad(self) -> "Records":
        """The records up to the first bad one, with it."""
        end = self.bad[0].index
        return replace(
            self,
            boards=self.boards[:end],
            lines=self.lines[:end],
            solutions=None if self.solutions is None else self.solutions[:end],
            counts=None if self.counts is None else self.counts[:end],
            difficulties=None if self.difficulties is None else self.difficulties[:end],
            bad=self.bad[:1],
        )
