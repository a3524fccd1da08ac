"""Remove clues in random order from many puzzles at once.

The clues of a puzzle are considered in an order. A clue is removed unless the puzzle would then
not meet a requirement, such as to have a single solution. The requirement must be *monotone*: it
holds for a puzzle if it holds with fewer clues. So the result is minimal: no clue can be removed.
With a symmetry, the clues of an orbit, the cells that the symmetry exchanges, are removed together;
without one, each cell is an orbit.

A puzzle that fails a test yields an *unavoidable set*: cells of the grid such that every puzzle
without a clue in one of them fails as well. For the uniqueness of the solution, the cells in which
two solutions differ are an unavoidable set. So a clue must be kept if all other cells of an
unavoidable set are empty. This takes no search, and permits tests of many removals at once: the
clues of the first part of the order that no known unavoidable set requires are removed together,
and the rest is tested once. If that fails, the new unavoidable set shows which clue must be kept
instead. The result is the same as that of testing clue after clue.

The values of a grid contain many small unavoidable sets: if the cells of two digits fall into
several parts within which they can be exchanged, then each part is one. They decide about half of
the clues that are kept, and are collected at the beginning.

A set of orbits is a bit set over their positions in the order. Since it matters only whether the
last orbit of an unavoidable set must be kept, the sets are listed by their last position.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.intrinsics import lowest_bit
from ..box import Box

# The first test of a puzzle decides about this part of its orbits, because few unavoidable sets are
# that small. The other tests decide about one orbit each: most tests of several would fail.
FIRST_PERCENT = 60
MAX_FOUND_SETS = 64  # further unavoidable sets of the first tests are ignored

# Fields of `Removal.fields`
N_ORBITS = 0  # the length of the order
VERIFIED = 1  # the orbits before this position are decided
TARGET = 2  # the orbits before this position are decided if the current test succeeds
N_CLUES = 3  # the number of clues after the orbits that are decided
N_LEFT = 4  # the number of clues in the current test
MIN_CLUES = 5  # the number of clues that are kept in any case
N_REMOVED = 6  # the number of orbits that the current test removes
N_SETS = 7  # the number of unavoidable sets
N_FIELDS = 8

NO_SET = -1
ONE = np.uint64(1)


class Removal(NamedTuple):
    """The state of N puzzles from which clues are removed.

    A position is the number of an orbit in the order, counted from 0.
    """

    grids: NDArray[np.uint8]  # (N, cells) the solutions
    boards: NDArray[np.uint8]  # (N, cells) the current tests
    order: NDArray[np.uint32]  # (N, cells) the cells, by the position of their orbit
    ends: NDArray[np.uint32]  # (N, cells) the end of each orbit in `order`
    positions: NDArray[np.uint32]  # (N, cells) the position of the orbit of each cell
    fields: NDArray[np.int64]  # (N, N_FIELDS)
    kept: NDArray[np.uint64]  # (N, words) the orbits that are decided and kept
    tested: NDArray[np.uint64]  # (N, words) the orbits that are kept in the current test
    sets: NDArray[np.uint64]  # (N, max_sets, words) the unavoidable sets
    heads: NDArray[np.int32]  # (N, cells) the last unavoidable set that ends at each position
    previous: NDArray[np.int32]  # (N, max_sets) the previous one that ends at the same position
    lines: NDArray[np.uint32]  # (3, n, n) working memory: the places of each digit


def allocate_removal(box: Box, size: int, uses_sets: bool = True) -> Removal:
    """Return the arrays for `size` puzzles, without unavoidable sets unless `uses_sets`.

    Without them, each orbit is tested separately. Further rules permit fewer exchanges than those
    of `collect_sets`, so its sets may have solutions that are not those of the rules.
    """
    n, cells = box.n, box.cells
    words = (cells + 63) // 64
    # The sets of two digits have at least four cells each.
    max_sets = MAX_FOUND_SETS + n * (n - 1) // 2 * (n // 2) if uses_sets else 0

    def table(dtype: Any, *shape: int) -> NDArray[Any]:
        return np.zeros((size, *shape), dtype)

    return Removal(
        table(np.uint8, cells),
        table(np.uint8, cells),
        table(np.uint32, cells),
        table(np.uint32, cells),
        table(np.uint32, cells),
        table(np.int64, N_FIELDS),
        table(np.uint64, words),
        table(np.uint64, words),
        table(np.uint64, max_sets, words),
        table(np.int32, cells),
        table(np.int32, max_sets),
        np.zeros((3, n, n), np.uint32),
    )


@inlined
def _set_bit(words: Any, at: Any) -> None:
    words[np.uintp(at >> 6)] |= ONE << np.uint64(at & 63)


@inlined
def _include(removal: Any, puzzle: Any, number: Any, cell: Any, last: Any) -> Any:
    """Include a cell in an unavoidable set; return the last position of the set."""
    at = removal.positions[puzzle, np.uintp(cell)]
    _set_bit(removal.sets[puzzle, number], at)
    return max(last, at)


@inlined
def _start_set(removal: Any, puzzle: Any) -> Any:
    """Return the number of a new unavoidable set, which is empty."""
    number = np.uintp(removal.fields[puzzle, N_SETS])
    for word in range(removal.sets.shape[2]):
        removal.sets[puzzle, number, np.uintp(word)] = 0
    return number


@inlined
def _end_set(removal: Any, puzzle: Any, number: Any, last: Any) -> None:
    """List an unavoidable set at its last position."""
    removal.previous[puzzle, number] = removal.heads[puzzle, np.uintp(last)]
    removal.heads[puzzle, np.uintp(last)] = number
    removal.fields[puzzle, N_SETS] = number + np.uintp(1)


@njit
def collect_sets(removal, puzzle, box_of):
    """Collect the unavoidable sets of two digits, if sets are used.

    Parameters
    ----------
    removal : Removal
        The puzzles. `sets`, `heads`, `previous`, `lines` and `N_SETS` are written.
    puzzle : int
        The number of the puzzle.
    box_of : ndarray of uint32, shape (cells,)
        The box of each cell.
    """
    grid = removal.grids[puzzle]
    lines = removal.lines
    n = len(lines[0])
    row_kind, column_kind, box_kind = np.uintp(0), np.uintp(1), np.uintp(2)
    removal.fields[puzzle, N_SETS] = 0
    for at in range(len(grid)):
        removal.heads[puzzle, np.uintp(at)] = NO_SET
    if removal.sets.shape[1] == 0:
        return
    cell = np.uintp(0)
    for row in range(n):
        for column in range(n):
            digit = np.uintp(grid[cell] - 1)
            lines[row_kind, digit, np.uintp(row)] = column
            lines[column_kind, digit, np.uintp(column)] = row
            lines[box_kind, digit, np.uintp(box_of[cell])] = row
            cell += np.uintp(1)
    size = np.uint32(n)
    all_lines = ~np.uint64(0) >> np.uint64(64 - n)
    for first in range(n):
        for second in range(first + 1, n):
            a, b = np.uintp(first), np.uintp(second)
            left = all_lines
            while left != 0:
                # The rows that are connected by a column or a box with both digits
                number = _start_set(removal, puzzle)
                last = np.uint32(0)
                reached = left & (~left + ONE)
                while reached != 0:
                    row = np.uint32(lowest_bit(reached))
                    left ^= ONE << np.uint64(row)
                    column = lines[row_kind, a, np.uintp(row)]
                    cell_a = np.uintp(row * size + column)
                    cell_b = np.uintp(row * size + lines[row_kind, b, np.uintp(row)])
                    last = _include(removal, puzzle, number, cell_a, last)
                    last = _include(removal, puzzle, number, cell_b, last)
                    reached |= ONE << np.uint64(lines[column_kind, b, np.uintp(column)])
                    reached |= ONE << np.uint64(lines[box_kind, b, np.uintp(box_of[cell_a])])
                    reached &= left
                _end_set(removal, puzzle, number, last)


@inlined
def _is_required(removal: Any, puzzle: Any, at: Any) -> bool:
    """Return whether an unavoidable set has no kept orbit before its last position, `at`."""
    number = removal.heads[puzzle, at]
    while number != NO_SET:
        common = np.uint64(0)
        for index in range(removal.sets.shape[2]):
            word = np.uintp(index)
            common |= removal.sets[puzzle, np.uintp(number), word] & removal.tested[puzzle, word]
        if common == 0:
            return True
        number = removal.previous[puzzle, np.uintp(number)]
    return False


@inlined
def _orbit_start(removal: Any, puzzle: Any, at: Any) -> Any:
    """Return the index in `order` of the first cell of an orbit."""
    return np.uint32(removal.ends[puzzle, np.uintp(at - 1)]) if at else np.uint32(0)


@inlined
def _accept(removal: Any, puzzle: Any, target: Any) -> None:
    """Decide about the orbits before `target` as in the current test."""
    for index in range(removal.kept.shape[1]):
        removal.kept[puzzle, np.uintp(index)] = removal.tested[puzzle, np.uintp(index)]
    removal.fields[puzzle, VERIFIED] = target


@inlined
def _next_test(removal: Any, puzzle: Any) -> bool:
    """Prepare the next test; return False if all orbits are decided."""
    grid, board, order = removal.grids[puzzle], removal.boards[puzzle], removal.order[puzzle]
    fields, tested = removal.fields[puzzle], removal.tested[puzzle]
    while fields[VERIFIED] < fields[N_ORBITS]:
        verified = fields[VERIFIED]
        target = verified + 1
        if fields[N_SETS] < removal.sets.shape[1]:
            target = max(target, fields[N_ORBITS] * FIRST_PERCENT // 100)
        for index in range(len(tested)):
            tested[np.uintp(index)] = removal.kept[puzzle, np.uintp(index)]
        n_left = fields[N_CLUES]
        n_removed = 0
        start = _orbit_start(removal, puzzle, verified)
        for at in range(verified, target):
            end = removal.ends[puzzle, np.uintp(at)]
            size = np.int64(end - start)
            is_kept = n_left - size < fields[MIN_CLUES] or _is_required(
                removal, puzzle, np.uintp(at)
            )
            if is_kept:
                _set_bit(tested, at)
            else:
                n_left -= size
                n_removed += 1
            for index in range(start, end):
                cell = np.uintp(order[np.uintp(index)])
                board[cell] = grid[cell] if is_kept else 0
            start = end
        if n_removed:
            fields[TARGET], fields[N_LEFT], fields[N_REMOVED] = target, n_left, n_removed
            return True
        _accept(removal, puzzle, target)
    return False


@inlined
def _reject(removal: Any, puzzle: Any, other: Any) -> None:
    """Evaluate a test that failed: `other` differs from the grid in an unavoidable set."""
    fields = removal.fields[puzzle]
    if fields[N_REMOVED] == 1 and fields[TARGET] == fields[VERIFIED] + 1:
        at = fields[VERIFIED]
        _set_bit(removal.tested[puzzle], at)
        cells = removal.order[puzzle]
        start = _orbit_start(removal, puzzle, at)
        for index in range(start, removal.ends[puzzle, np.uintp(at)]):
            cell = np.uintp(cells[np.uintp(index)])
            removal.boards[puzzle, cell] = removal.grids[puzzle, cell]
        _accept(removal, puzzle, at + 1)
        return
    number = _start_set(removal, puzzle)
    last = np.uint32(0)
    for index in range(removal.grids.shape[1]):
        cell = np.uintp(index)
        if removal.grids[puzzle, cell] != other[cell]:
            last = _include(removal, puzzle, number, cell, last)
    _end_set(removal, puzzle, number, last)


@njit
def next_tests(removal, active, n_active, excluded, counts, others, boards, known):
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
        0 if boards cannot express this. If a single clue is removed from a puzzle with a single
        solution, then every other solution has another value there.
    counts : ndarray of int64, shape (N,)
        The result of each test: 0 if it succeeded, 1 if not, -1 if there is none yet.
    others : ndarray of uint8, shape (N, cells)
        For each test that failed, values that differ from the grid in an unavoidable set.
    boards, known : ndarray of uint8, shape (N, cells)
        The next boards to test, and their grids. Written.

    Returns
    -------
    int
        The number of puzzles that are still active.
    """
    n_next = 0
    for row in range(n_active):
        puzzle = np.uintp(active[row])
        if counts[row] == 0:
            removal.fields[puzzle, N_CLUES] = removal.fields[puzzle, N_LEFT]
            _accept(removal, puzzle, removal.fields[puzzle, TARGET])
        elif counts[row] == 1:
            _reject(removal, puzzle, others[row])
        if _next_test(removal, puzzle):
            grid, board = removal.grids[puzzle], removal.boards[puzzle]
            next_board, next_grid = boards[n_next], known[n_next]
            for cell in range(len(grid)):
                next_board[cell] = board[cell]
                next_grid[cell] = grid[cell]
            if excluded:
                fields = removal.fields[puzzle]
                verified = fields[VERIFIED]
                start = _orbit_start(removal, puzzle, verified)
                if fields[TARGET] == verified + 1 and fields[N_LEFT] == fields[N_CLUES] - 1:
                    cell = np.uintp(removal.order[puzzle, np.uintp(start)])
                    next_board[cell] = np.uint8(excluded + grid[cell])
            active[n_next] = puzzle
            n_next += 1
    return n_next
