"""All solutions of the boards of a chunk, as blocks of limited size."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.errors import Stopped
from .box import Box
from .engines.base import EngineResult, Rules
from .io.records import Numbering, Records

if TYPE_CHECKING:
    from .engines.enumerate import SolutionSearch

BLOCK_SOLUTIONS = 4096


class SolutionBlock(NamedTuple):
    """Consecutive output records of a chunk: a row for each solution.

    A puzzle without a solution, or one whose search was stopped, has a row without a solution.

    Attributes
    ----------
    records : Records
        The puzzle of each row, and the text that could not be read.
    result : EngineResult
        The solution of each row. The counts are 1 for a unique solution, 2 for one of several, 0
        for no solution, and -1 for a search that was stopped.
    numbering : Numbering or None
        The numbers of the puzzles and of the solutions; None if each puzzle has only one row.
    """

    records: Records
    result: EngineResult
    numbering: Numbering | None

    @property
    def n_records(self) -> int:
        """The number of output records."""
        return len(self.records) + len(self.records.bad)

    @property
    def n_solutions(self) -> int | None:
        """The number of solutions; None if there is no numbering."""
        return None if self.numbering is None else int(np.count_nonzero(self.numbering.solutions))


class _Piece(NamedTuple):
    """Consecutive rows of a block."""

    rows: NDArray[np.int64]  # (M,) rows of the chunk
    solutions: NDArray[np.uint8]  # (M, cells)
    counts: NDArray[np.int64]  # (M,) those of `SolutionBlock.result`
    numbers: NDArray[np.int64]  # (M,) the numbers of the solutions of a puzzle, 0 for no solution
    ends_block: bool = False  # the next solution may take long


class SolutionEnumerator:
    """The expansion of chunks that were solved with a limit of 2 to all solutions.

    Only puzzles with several solutions are searched again, by the algorithm of the engine `dlx`.

    Parameters
    ----------
    limit
        The maximum number of solutions of each puzzle.
    stop
        A function that is called between slices of a search. If it returns True, the search ends.
    """

    def __init__(self, limit: int, stop: Callable[[], bool]) -> None:
        self.limit, self.stop = limit, stop
        self._searches: dict[Box, SolutionSearch] = {}

    def expand(self, records: Records, result: EngineResult) -> Iterator[SolutionBlock]:
        """Yield the rows of a chunk in blocks of about `BLOCK_SOLUTIONS`, as they are found.

        Parameters
        ----------
        records
            The chunk.
        result
            The result of solving it with the limit 2, or 1 if that is the limit. Its counts are
            replaced by the numbers of solutions up to the limit, or -1 if the search was stopped.
        """
        pending: list[_Piece] = []
        n_rows = n_bad = 0
        for piece in self._pieces(records, result):
            if len(piece.rows):
                pending.append(piece)
                n_rows += len(piece.rows)
            if n_rows >= BLOCK_SOLUTIONS or (pending and piece.ends_block):
                bad_end = sum(bad.index <= pending[-1].rows[-1] for bad in records.bad)
                yield _block(records, result, pending, slice(n_bad, bad_end))
                pending, n_rows, n_bad = [], 0, bad_end
        if pending or n_bad < len(records.bad):
            yield _block(records, result, pending, slice(n_bad, None))

    def _pieces(self, records: Records, result: EngineResult) -> Iterator[_Piece]:
        start = 0
        for row in np.flatnonzero(result.counts > 1).tolist():
            yield _decided_piece(result, start, row)
            yield from self._enumerate(records, result, row)
            start = row + 1
        yield _decided_piece(result, start, len(records))

    def _enumerate(self, records: Records, result: EngineResult, row: int) -> Iterator[_Piece]:
        """Yield the solutions of a puzzle that has several, and store their number."""
        box = records.box
        if records.rules is not None:
            yield from self._enumerate_with_rules(records, records.rules, result, row)
            return
        if box not in self._searches:
            # Imported here because importing kernels is slow, and few runs need all solutions.
            from .engines.enumerate import SolutionSearch

            self._searches[box] = SolutionSearch(box)
        search = self._searches[box]
        search.start(records.boards[row])
        buffer = np.empty((min(BLOCK_SOLUTIONS, self.limit), box.cells), np.uint8)
        n_found = 0
        while n_found < self.limit and not search.is_exhausted:
            if self.stop():
                result.counts[row] = -1
                yield _piece(row, np.zeros((1, box.cells), np.uint8), -1, np.zeros(1, np.int64))
                return
            n_new = search.collect(buffer[: self.limit - n_found])
            numbers = np.arange(n_found + 1, n_found + n_new + 1)
            yield _piece(row, buffer[:n_new].copy(), 2, numbers, search.is_interrupted)
            n_found += n_new
        result.counts[row] = n_found

    def _enumerate_with_rules(
        self, records: Records, rules: Rules, result: EngineResult, row: int
    ) -> Iterator[_Piece]:
        """Yield the solutions of a puzzle with rules that has several, and store their number."""
        solutions = rules.engine(records.box).iterate(records.boards[row], self.stop)
        n_found = 0
        try:
            while block := list(islice(solutions, min(BLOCK_SOLUTIONS, self.limit - n_found))):
                numbers = np.arange(n_found + 1, n_found + len(block) + 1)
                yield _piece(row, np.array(block), 2, numbers, True)
                n_found += len(block)
            result.counts[row] = n_found
        except Stopped:
            result.counts[row] = -1
            unsolved = np.zeros((1, records.box.cells), np.uint8)
            yield _piece(row, unsolved, -1, np.zeros(1, np.int64))


def _piece(
    row: int,
    solutions: NDArray[np.uint8],
    count: int,
    numbers: NDArray[np.int64],
    ends_block: bool = False,
) -> _Piece:
    """Return a piece with the solutions of one puzzle."""
    size = len(solutions)
    return _Piece(np.full(size, row), solutions, np.full(size, count), numbers, ends_block)


def _decided_piece(result: EngineResult, start: int, stop: int) -> _Piece:
    """Return a piece with puzzles that do not have several solutions."""
    counts = result.counts[start:stop]
    is_solved = (counts > 0).astype(np.int64)
    return _Piece(np.arange(start, stop), result.solutions[start:stop], counts, is_solved)


def _block(
    records: Records, result: EngineResult, pieces: list[_Piece], bad: slice
) -> SolutionBlock:
    """Return the block of some pieces and of a slice of the bad records."""
    pieces = pieces or [_decided_piece(result, 0, 0)]
    rows, solutions, counts, numbers = (
        np.concatenate(arrays) for arrays in list(zip(*pieces, strict=True))[:4]
    )
    moved = tuple(
        replace(each, index=int(np.searchsorted(rows, each.index))) for each in records.bad[bad]
    )
    return SolutionBlock(
        records.take(rows, moved),
        EngineResult(solutions, counts, result.nodes[rows]),
        Numbering(records.first_number + rows, numbers),
    )
