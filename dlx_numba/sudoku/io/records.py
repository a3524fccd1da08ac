"""Chunks of boards, and of text that could not be read as a board."""

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...runtime.log import logger
from ...runtime.tables import ArrayFields
from ..box import Box
from ..engines.base import Rules
from .symbols import Alphabet, Values


@dataclass(frozen=True)
class BadRecord:
    """Text that could not be read as a board.

    Parameters
    ----------
    index
        The number of boards before it in its chunk.
    line
        Its line in the source, counted from 1.
    reason
        A description of the error.
    others
        The other fields of its record, as in `Records`.

    Examples
    --------
    >>> BadRecord(0, 7, "expected 81 symbols, found 80").at("puzzles.txt")
    'puzzles.txt:7: expected 81 symbols, found 80'
    """

    index: int
    line: int
    reason: str
    others: dict[str, Any] = field(default_factory=dict)

    def at(self, source: str) -> str:
        """Return the reason, preceded by the source and the line."""
        return f"{source}:{self.line}: {self.reason}"


@dataclass(frozen=True, eq=False)
class Records(ArrayFields):
    """One chunk of N boards of a source.

    Parameters
    ----------
    source
        The name of the source.
    box, alphabet
        The box and the alphabet of the boards.
    boards
        The boards, shape (N, cells), 0 for an empty cell.
    lines
        The line on which each board starts, shape (N,), counted from 1.
    solutions
        The solutions in the source, shape (N, cells), zeros for a board without one; None
        if there are none in this chunk.
    counts
        The numbers of solutions in the source, shape (N,), -1 for a board without one;
        None if there are none in this chunk.
    others
        The other fields of the record of each board, which are written behind the results: columns
        of a table, keys of an object, or the comment on a line. None if this chunk has none.
    columns
        The names of the columns without puzzles, if the source is a table.
    bad
        The text that could not be read.
    notices
        Messages about the source; only its first chunk has any.
    first_number
        The number of the first board in its source, counted from 1 without the bad records.
    rules
        The rules of the boards, if the source has any.
    bytes_read, total_bytes
        The progress in the file as stored, compressed or not. `total_bytes` is None if unknown.
    is_followed
        Whether further input is waiting, or the source ends. If not, results are awaited now.
    """

    source: str
    box: Box
    alphabet: Alphabet
    boards: Values
    lines: npt.NDArray[np.int64]
    solutions: Values | None = None
    counts: npt.NDArray[np.int64] | None = None
    others: list[dict[str, Any]] | None = None
    columns: tuple[str, ...] | None = None
    bad: tuple[BadRecord, ...] = ()
    notices: tuple[str, ...] = ()
    first_number: int = 1
    rules: Rules | None = None
    bytes_read: int = field(default=0, compare=False)
    total_bytes: int | None = field(default=None, compare=False)
    is_followed: bool = field(default=True, compare=False)

    def __len__(self) -> int:
        """Return the number of boards, without the bad records."""
        return len(self.boards)

    @property
    def n_records(self) -> int:
        """The number of boards and bad records."""
        return len(self) + len(self.bad)

    @property
    def names(self) -> dict[str, None]:
        """The names of all other fields, in order."""
        fields = chain(self.others or (), (bad.others for bad in self.bad))
        solution = () if self.solutions is None else ("solution",)
        return dict.fromkeys(chain(self.columns or solution, *fields))

    @property
    def first_names(self) -> dict[str, None]:
        """The names of other fields of the table, or else of the first record, in order.

        A writer begins with them, as they do not depend on the size of the chunk.
        """
        if self.columns is not None:
            return dict.fromkeys(self.columns)
        if self.bad and self.bad[0].index == 0:  # the first record is a bad one
            return dict.fromkeys(self.bad[0].others)
        return dict.fromkeys(self.others[0] if self.others else ())

    @property
    def errors(self) -> dict[int, str]:
        """Why text could not be read as a board, by its line."""
        reasons: dict[int, list[str]] = {}
        for bad in self.bad:
            reasons.setdefault(bad.line, []).append(bad.reason)
        return {line: "; ".join(texts) for line, texts in reasons.items()}

    def take(self, rows: npt.NDArray[np.int64], bad: tuple[BadRecord, ...]) -> "Records":
        """Return the boards in the given rows, in order and perhaps repeated, and bad records.

        The index of each bad record becomes the number of the taken boards before it.
        """
        before = np.searchsorted(rows, [each.index for each in bad]).tolist()
        others = self.others
        return self.replace(
            boards=self.boards[rows],
            lines=self.lines[rows],
            solutions=None if self.solutions is None else self.solutions[rows],
            counts=None if self.counts is None else self.counts[rows],
            others=None if others is None else [others[row] for row in rows],
            bad=tuple(replace(each, index=k) for each, k in zip(bad, before, strict=True)),
        )

    def replace(self, **changes: Any) -> "Records":
        """Return the records with new values of some attributes."""
        return replace(self, **changes)


def noted(records: Records) -> Records:
    """Log what is unusual about records, and return them."""
    for notice in records.notices:
        logger.info("%s: %s", records.source, notice)
    return records


class Numbering(NamedTuple):
    """Numbers of M output records; the same puzzle can have several.

    Attributes
    ----------
    puzzles : ndarray of int64, shape (M,)
        The number of the puzzle in its source, counted from 1.
    solutions : ndarray of int64, shape (M,)
        The number of the solution of this puzzle, counted from 1; 0 for a record without one.
    """

    puzzles: npt.NDArray[np.int64]
    solutions: npt.NDArray[np.int64]
