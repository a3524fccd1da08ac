"""Solving of plain lines in place: each puzzle of a text is replaced by its solution.

A plain line consists of the symbols of a puzzle and a line feed. The line that is written for its
solution has the same length, so a block of such lines needs no other memory on its way from the
input to the output: an engine reads the symbols, and the solutions are written over them. To a fast
engine this matters, because moving a board through memory that is not in the cache of the processor
takes as long as a tenth of the search.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .engines.base import Engine, EngineResult
from .io.records import Records
from .io.scan import decode_lines

_ZERO = ord("0")


class UnreplacedPuzzles(NamedTuple):
    """The puzzles of a text that are not replaced: those without exactly one solution.

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
    solutions: NDArray[np.uint8]
    counts: NDArray[np.int64]


class SolvedText(NamedTuple):
    """Plain lines of puzzles, of which those with exactly one solution are replaced by it.

    Attributes
    ----------
    lines : ndarray of uint8, shape (N, cells + 1)
        The lines.
    unreplaced : list of UnreplacedPuzzles
        The puzzles that are not replaced, in any order.
    """

    lines: NDArray[np.uint8]
    unreplaced: list[UnreplacedPuzzles]

    @property
    def is_complete(self) -> bool:
        """Whether all puzzles are replaced."""
        return not self.unreplaced

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
        for puzzles in self.unreplaced:
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
            A puzzle that was replaced is lost: its board is its solution. The work is unknown,
            and stated as 0.
        """
        boards = decode_lines(self.lines)
        counts, solutions = self.counts, boards.copy()
        for puzzles in self.unreplaced:
            solutions[puzzles.rows] = puzzles.solutions
        result = EngineResult(solutions, counts, np.zeros_like(counts))
        return records.replace(boards=boards), result


def solve_lines(
    engine: Engine, lines: NDArray[np.uint8], limit: int, stop: Callable[[], bool]
) -> UnreplacedPuzzles | None:
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
    UnreplacedPuzzles or None
        The puzzles that are not replaced; None if all are.
    """
    height, width = lines.shape
    solutions = np.empty((height, width - 1), np.uint8)
    result = EngineResult(solutions, np.full(height, -1), np.empty(height, np.int64))
    if not stop():
        engine.solve(lines, limit, result, stop)
    if _replace_puzzles(solutions, result.counts, lines) == height:
        return None
    rows = np.flatnonzero(result.counts != 1)
    unreplaced = UnreplacedPuzzles(rows, solutions[rows], result.counts[rows])
    unreplaced.solutions[unreplaced.counts < 1] = 0  # not written by the engine
    return unreplaced


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
