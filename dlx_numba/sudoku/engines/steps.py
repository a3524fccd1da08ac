"""The steps of qqwing's solver before it guesses, on 32 boards at once.

The class of a board does not depend on the order of the techniques (see `techniques`), but the
number of times that each is applied does. qqwing looks for the techniques in a fixed order, applies
the first one that it finds once, and starts again. Here, a *step* is one such application:

1. a naked single;
2. a hidden single: by boxes, rows, columns, and in each unit by digits;
3. a naked pair: by its first cell, its second cell, and its row, column or box;
4. pointing in rows, then in columns: by digits, then by boxes;
5. box/line in rows, then in columns: by digits, then by lines;
6. a hidden pair: by rows, columns, boxes, and in each unit by digits.

Naked singles have the highest priority, and every other cell is decided by a hidden single, so it
suffices to count the latter. The functions of this module take one step in each lane whose `FREE`
is all ones, and clear it. On a contradictory board, steps may differ from those of qqwing.

The functions share these parameters: `cells` (81, 32) uint16, see `techniques`, and `scratch`
(N_STEP_ROWS, 32) uint16, both of which are written. Sets of digits are vectors of 32 lanes.
"""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.simd import align_stack, load, popcount_lanes, splat, store, where_zero
from .guess import TRIADS
from .techniques import CELLS, TWO_CANDIDATES, UNITS
from .techniques import N_SCRATCH_ROWS as N_TECHNIQUE_ROWS

# Rows of `scratch`, after those of `techniques`
FREE = np.uintp(N_TECHNIQUE_ROWS)  # all ones in the lanes in which a step is taken
HIDDEN_SINGLES = FREE + np.uintp(1)  # five rows: the number of steps
NAKED_PAIRS = FREE + np.uintp(2)
HIDDEN_PAIRS = FREE + np.uintp(3)
POINTING = FREE + np.uintp(4)
BOX_LINE = FREE + np.uintp(5)
MANY = FREE + np.uintp(6)  # 27 rows: the digits with three or more cells in each unit
IN_TRIAD = FREE + np.uintp(33)  # 54 rows: the candidates of each triad
REMOVABLE = FREE + np.uintp(87)  # 27 rows: the digits that a triad of a search excludes elsewhere
N_STEP_ROWS = N_TECHNIQUE_ROWS + 114

N_COUNTERS = 5

ROWS, COLUMNS, BOXES = range(9), range(9, 18), range(18, 27)  # indices of UNITS
UNITS_BY_HIDDEN_SINGLE = np.array([*BOXES, *ROWS, *COLUMNS], np.uint8)


def _list_pairs() -> NDArray[np.uint8]:
    """Return all pairs of cells in a unit in the order of the search: two cells and the unit."""
    units = enumerate(UNITS.tolist())
    pairs = sorted((*pair, index) for index, unit in units for pair in combinations(unit, 2))
    return np.array(pairs, np.uint8)


def _list_searches() -> NDArray[np.uint8]:
    """Return the triads in the order of the searches for pointing and box/line.

    The shape is (4, 27, 5): for each search and triad, the triad, the two triads that must not
    contain the digit, and the two triads from which it is removed. Three triads at a time belong to
    the same box or line.
    """
    triads = np.arange(54).reshape(2, 3, 3, 3)  # bands or stacks, chute, line, box

    def others(axis: int) -> NDArray[Any]:
        """Return the other two triads along an axis; they are the last axis."""
        return np.stack([np.roll(triads, -shift, axis) for shift in (1, 2)], axis=-1)

    in_line, in_box = others(3), others(2)
    pointing = np.concatenate([triads[..., None], in_box, in_line], axis=-1)
    box_line = np.concatenate([triads[..., None], in_line, in_box], axis=-1)
    searches = [
        pointing[0].transpose(0, 2, 1, 3),  # boxes are numbered by bands
        pointing[1].transpose(2, 0, 1, 3),
        box_line[0],
        box_line[1],
    ]
    return np.stack([search.reshape(27, 5) for search in searches]).astype(np.uint8)


PAIRS = _list_pairs()
SEARCHES = _list_searches()


@inlined
def _lowest(digits: Any) -> Any:
    """Return the smallest digit of a set, as a set."""
    return digits & (splat(0) - digits)


@inlined
def _count_step(scratch: NDArray[Any], counter: Any, taken: Any) -> None:
    """Count a step in the lanes in which `taken` is not empty, and clear `FREE` there."""
    store(scratch, counter, load(scratch, counter) + where_zero(taken, splat(0), splat(1)))
    store(scratch, FREE, where_zero(taken, load(scratch, FREE), splat(0)))


@njit
def place_hidden_single(cells: NDArray[Any], scratch: NDArray[Any]) -> None:
    """Place the first hidden single in each lane that is free.

    Parameters
    ----------
    cells : ndarray of uint16, shape (81, 32)
        The candidates. Written.
    scratch : ndarray of uint16, shape (N_STEP_ROWS, 32)
        The rows `FREE` and `HIDDEN_SINGLES` are written.
    """
    align_stack()
    nine = len(UNITS[0])
    ones, none = splat(1), splat(0)
    taken = none
    free = load(scratch, FREE)
    for position in range(len(UNITS)):
        unit = np.uintp(UNITS_BY_HIDDEN_SINGLE[np.uintp(position)])
        once, several, decided = none, none, none
        for k in range(nine):
            cell = load(cells, np.uintp(UNITS[unit, np.uintp(k)]))
            several = several | once & cell
            once = once | cell
            decided = decided | where_zero(cell & (cell - ones), cell, none)
        single = _lowest(once & ~several & ~decided) & free
        taken = taken | single
        free = where_zero(single, free, none)
        for k in range(nine):
            row = np.uintp(UNITS[unit, np.uintp(k)])
            cell = load(cells, row)
            placed = cell & single
            store(cells, row, where_zero(placed, cell, placed))
    _count_step(scratch, HIDDEN_SINGLES, taken)


@inlined
def _take_naked_pair(cells: NDArray[Any], scratch: NDArray[Any]) -> None:
    """Apply the first naked pair in each lane that is free."""
    nine = len(UNITS[0])
    none, twos = splat(0), splat(2)
    for index in range(len(UNITS)):
        unit = np.uintp(index)
        once, several, many = none, none, none
        for k in range(nine):
            cell = load(cells, np.uintp(UNITS[unit, np.uintp(k)]))
            many = many | several & cell
            several = several | once & cell
            once = once | cell
        store(scratch, MANY + unit, many)
    taken, in_unit = none, splat(255)
    free = load(scratch, FREE)
    for index in range(len(PAIRS)):
        row = np.uintp(index)
        unit = np.uintp(PAIRS[row, np.uintp(2)])
        cell = load(cells, np.uintp(PAIRS[row, np.uintp(0)]))
        other = load(cells, np.uintp(PAIRS[row, np.uintp(1)]))
        pair = where_zero((cell ^ other) | (popcount_lanes(cell) - twos), cell, none) & free
        # A third cell has one of the digits.
        pair = where_zero(pair & load(scratch, MANY + unit), none, pair)
        taken = taken | pair
        free = where_zero(pair, free, none)
        in_unit = where_zero(pair, in_unit, splat(unit))
    for index in range(len(UNITS)):
        unit = np.uintp(index)
        removed = where_zero(in_unit ^ splat(unit), taken, none)
        for k in range(nine):
            row = np.uintp(UNITS[unit, np.uintp(k)])
            cell = load(cells, row)
            store(cells, row, where_zero(cell ^ removed, cell, cell & ~removed))
    _count_step(scratch, NAKED_PAIRS, taken)


@inlined
def _remove_from_triad(cells: NDArray[Any], triad: Any, digits: Any) -> None:
    for k in range(3):
        row = np.uintp(TRIADS[triad, np.uintp(k)])
        store(cells, row, load(cells, row) & ~digits)


@inlined
def _take_locked(cells: NDArray[Any], scratch: NDArray[Any], search: Any, counter: Any) -> None:
    """Apply the first elimination of a search of `SEARCHES` in each lane that is free."""
    n_triads = len(SEARCHES[0])
    digits = splat(0)
    for position in range(n_triads):
        row = np.uintp(position)
        triads = SEARCHES[search, row]
        lacking = load(scratch, IN_TRIAD + np.uintp(triads[1]))
        lacking = lacking | load(scratch, IN_TRIAD + np.uintp(triads[2]))
        having = load(scratch, IN_TRIAD + np.uintp(triads[3]))
        having = having | load(scratch, IN_TRIAD + np.uintp(triads[4]))
        removable = load(scratch, IN_TRIAD + np.uintp(triads[0])) & having & ~lacking
        store(scratch, REMOVABLE + row, removable)
        digits = digits | removable
    digit = _lowest(digits) & load(scratch, FREE)
    missing = digit
    for position in range(n_triads):
        row = np.uintp(position)
        triads = SEARCHES[search, row]
        # A digit is removable for one triad of a box or line only, so the first triad is the one.
        removed = load(scratch, REMOVABLE + row) & missing
        missing = missing & ~removed
        _remove_from_triad(cells, np.uintp(triads[3]), removed)
        _remove_from_triad(cells, np.uintp(triads[4]), removed)
    _count_step(scratch, counter, digit)


@inlined
def _take_hidden_pair(cells: NDArray[Any], scratch: NDArray[Any]) -> None:
    """Apply the first hidden pair in each lane that is free."""
    nine = len(UNITS[0])
    ones, none = splat(1), splat(0)
    taken = none
    free = load(scratch, FREE)
    for index in range(len(UNITS)):
        unit = np.uintp(index)
        once, several, many = none, none, none
        for k in range(nine):
            row = np.uintp(k)
            cell = load(cells, np.uintp(UNITS[unit, row]))
            many = many | several & cell
            several = several | once & cell
            once = once | cell
            store(scratch, CELLS + row, cell)
            store(scratch, CELLS + np.uintp(nine) + row, cell)
        in_two_cells = several & ~many & free
        found = none
        for k in range(nine):
            row = np.uintp(k)
            all_digits = load(scratch, CELLS + row)
            cell = all_digits & in_two_cells
            hidden = none
            for distance in range(1, 9):  # the other cells, in cyclic order
                common = cell & load(scratch, CELLS + row + np.uintp(distance))
                hidden = hidden | where_zero(common & (common - ones), none, common)
            # Without another candidate in either cell, there is nothing to remove.
            found = found | where_zero(all_digits ^ hidden, none, hidden)
            store(scratch, TWO_CANDIDATES + row, hidden)
        first = _lowest(found)
        taken = taken | first
        free = where_zero(first, free, none)
        for k in range(nine):
            row = np.uintp(UNITS[unit, np.uintp(k)])
            cell = load(cells, row)
            hidden = load(scratch, TWO_CANDIDATES + np.uintp(k))
            store(cells, row, where_zero(hidden & first, cell, cell & hidden))
    _count_step(scratch, HIDDEN_PAIRS, taken)


@njit
def take_elimination(cells: NDArray[Any], scratch: NDArray[Any]) -> None:
    """Apply the first technique other than singles in each lane that is free.

    Parameters
    ----------
    cells : ndarray of uint16, shape (81, 32)
        The candidates, without singles in the lanes that are free. Written.
    scratch : ndarray of uint16, shape (N_STEP_ROWS, 32)
        `FREE` and the rows of the numbers of steps are written; the following rows, and those of
        `eliminate`, are working memory.
    """
    align_stack()
    _take_naked_pair(cells, scratch)
    for index in range(len(TRIADS)):
        triad = np.uintp(index)
        in_triad = splat(0)
        for k in range(3):
            in_triad = in_triad | load(cells, np.uintp(TRIADS[triad, np.uintp(k)]))
        store(scratch, IN_TRIAD + triad, in_triad)
    for search in range(len(SEARCHES)):
        counter = POINTING if search < 2 else BOX_LINE
        _take_locked(cells, scratch, np.uintp(search), counter)
    _take_hidden_pair(cells, scratch)
