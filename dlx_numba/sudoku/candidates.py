"""True candidates: the values of each cell that occur in at least one solution of a puzzle.

The solutions are not enumerated. Each search asks for a solution with a candidate that no solution
so far contains, and all candidates of the solution that it finds are marked.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .engines.base import Boards, EngineResult, StopCheck

BLOCK_BOARDS = 128  # whose candidates are determined together
BLOCK_SEARCHES = 4096  # at once, and at most this number for each board:
MAX_SEARCHES = 32

Solve = Callable[[Boards, int], EngineResult]


def find_candidates(
    boards: Boards, n: int, limit: int, result: EngineResult, solve: Solve, stop: StopCheck
) -> NDArray[np.bool_]:
    """Return which values occur in solutions, (N, cells, n); none for unfinished boards.

    Parameters
    ----------
    boards
        Boards (N, cells) of n × n cells.
    n
        The side of a board.
    limit, result
        The limit with which the boards were solved, and the result. The counts of boards whose
        candidates are unfinished become -1.
    solve
        Called as `solve(boards, limit)`.
    stop
        If it returns True, the candidates of the other boards are unfinished.
    """
    found = np.zeros((*boards.shape, n), np.bool_)
    for start in range(0, len(boards), BLOCK_BOARDS):
        if stop():
            counts = result.counts[start:]
            counts[counts > 0] = -1
            break
        rows = slice(start, start + BLOCK_BOARDS)
        _mark_candidates(boards[rows], limit, result.rows(rows), solve, found[rows])
    return found


def _mark_candidates(
    boards: Boards, limit: int, result: EngineResult, solve: Solve, found: NDArray[np.bool_]
) -> None:
    """Mark the candidates of a block of boards in `found`, of shape (N, cells, n).

    The candidates that are neither found nor refuted are *open*. Each round tests some of them for
    each board, by a search with the candidate as a given; its solution may show others, too.
    """
    cells, n = found.shape[1:]

    def mark(rows: NDArray[np.int64], solutions: Boards) -> None:
        found[rows[:, np.newaxis], np.arange(cells), solutions - 1] = True

    solved = np.flatnonzero(result.counts > 0)
    mark(solved, result.solutions[solved])
    if limit == 1:  # a count of 1 does not say whether there are other solutions
        known_counts = np.zeros_like(result.counts)
        known_counts[solved] = solve(boards[solved], 2).counts
        result.counts[known_counts < 0] = -1
    else:
        known_counts = result.counts
    # A value is tried in an empty cell unless it is given in the row or the column.
    given = (boards[:, :, np.newaxis] == np.arange(1, n + 1)).reshape(-1, n, n, n)
    is_excluded = given.any(axis=1, keepdims=True) | given.any(axis=2, keepdims=True)
    is_open = ~is_excluded.reshape(found.shape) & (boards == 0)[:, :, np.newaxis] & ~found
    is_open[known_counts < 2] = False  # a puzzle with one solution has no other candidates
    while is_open.any():
        rows, cell, value = _select_open(is_open)
        tests = boards[rows]
        tests[np.arange(len(rows)), cell] = value + 1
        trial = solve(tests, 1)
        is_open[rows, cell, value] = False
        is_found = trial.counts > 0
        mark(rows[is_found], trial.solutions[is_found])
        is_open &= ~found
        unfinished = rows[trial.counts < 0]
        result.counts[unfinished] = -1
        is_open[unfinished] = False
    found[result.counts < 0] = False


def _select_open(is_open: NDArray[np.bool_]) -> tuple[NDArray[np.int64], ...]:
    """Return the first open candidates of each board: arrays of rows, of cells and of values."""
    candidates = np.nonzero(is_open)
    rows = candidates[0]
    row_start = np.searchsorted(rows, rows)  # the position of the first candidate of the row
    n_rows = np.count_nonzero(np.diff(rows)) + 1
    per_row = min(max(BLOCK_SEARCHES // n_rows, 1), MAX_SEARCHES)
    is_selected = np.arange(len(rows)) - row_start < per_row
    return tuple(indices[is_selected] for indices in candidates)
