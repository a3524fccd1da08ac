"""In-place solving of one-puzzle-per-line text.

A plain line consists of the symbols of a puzzle and a line feed. The line of its solution has the
same length, so the solutions can overwrite the puzzles: from the input to the output, a block of
lines needs no other memory. This matters to a fast engine, because moving a board through memory
that is not in the cache of the processor takes a tenth of the time of the search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .engines.base import Boards, Engine, EngineResult, StopCheck
from .io.records import Records
from .io.scan import decode_lines

_ZERO = ord("0")


class NotUnique(NamedTuple):
    """The puzzles of a text without exactly one solution, which stay in place.

    Attributes
    ----------
    rows : ndarray of int64, shape (M,)
        Their lines.
    solutions : ndarray of uint8, shape (M, cells)
        Their first solutions; zeros if none was found.
    counts : ndarray of int64, shape (M,)
        The numbers of their solutions, as in an `EngineResult`.
    """

    rows: NDArray[np.int64]
    solutions: Boards
    counts: NDArray[np.int64]


class SolvedText(NamedTuple):
    """Plain lines of puzzles, each of which is replaced by its solution if it has exactly one.

    Attributes
    ----------
    lines : ndarray of uint8, shape (N, cells + 1)
        The lines.
    not_unique : list of NotUnique
        The puzzles without exactly one solution, in any order.
    """

    lines: Boards
    not_unique: list[NotUnique]

    @property
    def is_complete(self) -> bool:
        """Whether all puzzles are replaced."""
        return not self.not_unique

    @property
    def text(self) -> memoryview:
        """The lines as bytes."""
        return self.lines.data.cast("B")

    @property
    def counts(self) -> NDArray[np.int64]:
        """The counts of an `EngineResult`, shape (N,); read-only."""
        if self.is_complete:
            return np.broadcast_to(np.int64(1), len(self.lines))
        counts = np.ones(len(self.lines), np.int64)
        for puzzles in self.not_unique:
            counts[puzzles.rows] = puzzles.counts
        return counts

    def decode(self, records: Records) -> tuple[Records, EngineResult]:
        """Return records of the puzzles, and their results.

        Parameters
        ----------
        records
            The records of the text.

        Returns
        -------
        records, result
            A replaced puzzle is lost: its board is its solution. The work is unknown and stated as
            0.
        """
        boards = decode_lines(self.lines)
        counts, solutions = self.counts, boards.copy()
        for puzzles in self.not_unique:
            solutions[puzzles.rows] = puzzles.solutions
        result = EngineResult(solutions, counts, np.zeros_like(counts))
        return records.replace(boards=boards), result


def solve_lines(engine: Engine, lines: Boards, limit: int, stop: StopCheck) -> NotUnique | None:
    """Solve plain lines in place.

    Parameters
    ----------
    engine
        An engine that reads symbols.
    lines
        The lines, shape (N, cells + 1). Written.
    limit, stop
        The parameters of `Engine.solve`.

    Returns
    -------
    NotUnique or None
        The puzzles without exactly one solution; None if there are none.
    """
    height, width = lines.shape
    solutions = np.empty((height, width - 1), np.uint8)
    result = EngineResult(solutions, np.full(height, -1), np.empty(height, np.int64))
    if not stop():
        engine.solve(lines, limit, result, stop)
    if _replace_puzzles(solutions, result.counts, lines) == height:
        return None
    rows = np.flatnonzero(result.counts != 1)
    not_unique = NotUnique(rows, solutions[rows], result.counts[rows])
    not_unique.solutions[not_unique.counts < 1] = 0  # not written by the engine
    return not_unique


@kernel
def _replace_puzzles(solutions: Any, counts: Any, lines: Any) -> int:
    """Write the solutions of puzzles that have exactly one; return their number."""
    n_replaced = 0
    for row in range(len(lines)):
        if counts[row] == 1:
            solution, line = solutions[row], lines[row]
            for cell in range(len(solution)):
                line[cell] = np.uint8((np.int64(solution[cell]) + _ZERO) & 255)
            n_replaced += 1
    return n_replaced
