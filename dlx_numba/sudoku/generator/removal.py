"""Remove clues in random order from many puzzles at once.

The clues of a puzzle are considered in an order. A clue is removed unless the puzzle would then
not meet a requirement, such as to have a single solution. The requirement must be *monotone*: it
holds for a puzzle if it holds with fewer clues. So the result is minimal: no clue can be removed.
With a symmetry, the clues of an orbit, the cells that the symmetry exchanges, are removed together;
without one, each cell is an orbit.

The kernels share these parameters: `removal`, a `Removal`, of which `boards` and `fields` may be
written; `puzzle`, the number of a puzzle, uintp.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ..box import Box

# Fields of `Removal.fields`
N_ORBITS = 0  # the length of the order
POSITION = 1  # the orbit whose removal is tested; those before it are decided
N_CLUES = 2  # the number of clues without this test
MIN_CLUES = 3  # the number of clues that are kept in any case
N_FIELDS = 4


class Removal(NamedTuple):
    """N puzzles from which clues are removed."""

    grids: NDArray[np.uint8]  # (N, cells) the solutions
    boards: NDArray[np.uint8]  # (N, cells) the current tests
    order: NDArray[np.uint32]  # (N, cells) the cells, orbit by orbit
    ends: NDArray[np.uint32]  # (N, cells) the end of each orbit in `order`
    fields: NDArray[np.int64]  # (N, N_FIELDS)


def allocate_removal(box: Box, size: int) -> Removal:
    """Return the arrays for `size` puzzles."""
    grids, boards = np.zeros((2, size, box.cells), np.uint8)
    order, ends = np.zeros((2, size, box.cells), np.uint32)
    return Removal(grids, boards, order, ends, np.zeros((size, N_FIELDS), np.int64))


@inlined
def _orbit(removal, puzzle):
    """Return the range in `order` of the orbit that is tested."""
    position = removal.fields[puzzle, POSITION]
    start = removal.ends[puzzle, position - 1] if position else np.uint32(0)
    return start, removal.ends[puzzle, position]


@inlined
def _end_test(removal, puzzle, succeeded):
    """Remove the orbit that is tested, or keep it."""
    fields = removal.fields[puzzle]
    order = removal.order[puzzle]
    start, end = _orbit(removal, puzzle)
    if succeeded:
        fields[N_CLUES] -= np.int64(end - start)
    else:
        for index in range(start, end):
            cell = order[index]
            removal.boards[puzzle, cell] = removal.grids[puzzle, cell]
    fields[POSITION] += 1


@inlined
def _next_test(removal, puzzle):
    """Prepare the next test; return False if all orbits are decided."""
    fields = removal.fields[puzzle]
    order = removal.order[puzzle]
    while fields[POSITION] < fields[N_ORBITS]:
        start, end = _orbit(removal, puzzle)
        if fields[N_CLUES] - np.int64(end - start) >= fields[MIN_CLUES]:
            for index in range(start, end):
                removal.boards[puzzle, order[index]] = 0
            return True
        fields[POSITION] += 1  # the orbit is kept: too few clues would be left without it
    return False


@njit
def next_tests(removal, active, n_active, excluded, limit, counts, boards):
    """Evaluate the tests of the active puzzles, and write the next boards to test.

    Parameters
    ----------
    removal : Removal
        The puzzles. Written.
    active : ndarray of int64, shape (N,)
        The numbers of the active puzzles; those that remain are written.
    n_active : int
        Their number.
    excluded : int
        A number to add to the value of a cell in the grid that another solution cannot contain;
        0 if boards do not express this. If a single clue is removed from a puzzle with a single
        solution, then every other solution has another value there.
    limit : int
        A test succeeds if its result is less.
    counts : ndarray of int64, shape (N,)
        The result of each test, -1 if there is none yet.
    boards : ndarray of uint8, shape (N, cells)
        The next boards to test. Written.

    Returns
    -------
    int
        The number of puzzles that are still active.
    """
    n_next = 0
    for row in range(n_active):
        puzzle = active[row]
        if counts[row] >= 0:
            _end_test(removal, puzzle, counts[row] < limit)
        if _next_test(removal, puzzle):
            board = removal.boards[puzzle]
            next_board = boards[n_next]
            for cell in range(len(board)):
                next_board[cell] = board[cell]
            if excluded:
                start, _ = _orbit(removal, puzzle)
                cell = removal.order[puzzle, start]
                next_board[cell] = np.uint8(excluded + removal.grids[puzzle, cell])
            active[n_next] = puzzle
            n_next += 1
    return n_next
