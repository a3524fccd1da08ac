"""All solutions of the boards of a chunk, as blocks of limited size."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.errors import Stopped
from .engines.base import Boards, EngineResult, StopCheck
from .io.records import Numbering, Records

BLOCK_SOLUTIONS = 4096
SECONDS_PER_BLOCK = 0.05  # if solutions are rare


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
    def n_solutions(self) -> int | None:
        """The number of solutions; None if there is no numbering."""
        return None if self.numbering is None else int(np.count_nonzero(self.numbering.solutions))


class _Piece(NamedTuple):
    """Consecutive rows of a block."""

    rows: NDArray[np.int64]  # of the chunk
    solutions: Boards
    counts: NDArray[np.int64]  # of solutions, up to 2; -1 if the search was stopped
    numbers: NDArray[np.int64]  # of the solutions of a puzzle, from 1; 0 without one


def expand_solutions(
    records: Records, result: EngineResult, limit: int, stop: StopCheck
) -> Iterator[SolutionBlock]:
    """Yield a row for each solution of a chunk, in blocks of about `BLOCK_SOLUTIONS`.

    Only puzzles with several solutions are searched again.

    Parameters
    ----------
    records
        The chunk.
    result
        The result of solving it with the limit 2, or 1 if that is the limit. Its counts are
        replaced by the numbers of solutions up to the limit, or -1 if the search was stopped.
    limit
        The maximum number of solutions of each puzzle.
    stop
        A function that is called between slices of a search. If it returns True, the search ends.
    """
    pending: list[_Piece] = []
    n_rows = n_bad = 0
    block_time = time.monotonic()
    for piece in _pieces(records, result, limit, stop):
        if len(piece.rows):
            pending.append(piece)
            n_rows += len(piece.rows)
        # The next solution may take long.
        is_late = pending and time.monotonic() - block_time >= SECONDS_PER_BLOCK
        if n_rows >= BLOCK_SOLUTIONS or is_late:
            # The bad records before the last board of the block go with it. The index of a bad
            # record is the number of boards before it.
            last_row = pending[-1].rows[-1]
            bad_end = sum(bad.index <= last_row for bad in records.bad)
            yield _block(records, result, pending, slice(n_bad, bad_end))
            pending = []
            n_rows = 0
            n_bad = bad_end
            block_time = time.monotonic()
    # Bad records, or the titles of an empty table, may need a block without rows.
    if pending or n_bad < len(records.bad) or not records.n_records:
        # Without pieces, one without rows
        yield _block(records, result, pending or [_decided(result, 0, 0)], slice(n_bad, None))


def _pieces(
    records: Records, result: EngineResult, limit: int, stop: StopCheck
) -> Iterator[_Piece]:
    """Yield the rows of a chunk in pieces, and store the numbers of solutions in the result.

    If a search is stopped, its puzzle gets a row without a solution, after those that were found.
    """
    # Imported here because importing kernels is slow, and few runs need all solutions.
    from .engines.dlx import iterate_blocks

    box = records.box
    start = 0
    for row in np.flatnonzero(result.counts > 1).tolist():
        yield _decided(result, start, row)
        start = row + 1
        n_found = 0
        try:
            board = records.boards[row]
            for block in iterate_blocks(board, box, stop, BLOCK_SOLUTIONS, records.rules):
                solutions = block[: limit - n_found]
                size = len(solutions)
                numbers = np.arange(n_found + 1, n_found + size + 1)
                # The count 2 marks one of several solutions.
                yield _Piece(np.full(size, row), solutions, np.full(size, 2), numbers)
                n_found += size
                if n_found == limit:
                    break
            result.counts[row] = n_found
        except Stopped:
            result.counts[row] = -1
            nothing = np.zeros((1, box.cells), np.uint8)
            yield _Piece(np.array([row]), nothing, np.array([-1]), np.array([0]))
    yield _decided(result, start, len(records))


def _decided(result: EngineResult, start: int, stop: int) -> _Piece:
    """Return a piece with the puzzles of rows `start` to `stop`, of which none has two solutions.

    Their rows are those of the result.
    """
    counts = result.counts[start:stop]
    numbers = (counts > 0).astype(np.int64)  # 1 for the only solution, 0 without one
    return _Piece(np.arange(start, stop), result.solutions[start:stop], counts, numbers)


def _block(
    records: Records, result: EngineResult, pieces: list[_Piece], bad: slice
) -> SolutionBlock:
    """Join pieces to a block, to which a slice of the bad records belongs."""
    rows, solutions, counts, numbers = (
        np.concatenate(arrays) for arrays in zip(*pieces, strict=True)
    )
    return SolutionBlock(
        records.take(rows, records.bad[bad]),
        EngineResult(solutions, counts, result.nodes[rows]),
        Numbering(records.first_number + rows, numbers),
    )
