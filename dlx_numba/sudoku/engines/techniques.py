"""The techniques that define the classes of difficulty, on 32 boards at once.

`cells` (81, 32) has one row for each cell and one lane for each board. An element is the set of
the candidates of a cell: bit d for digit d + 1. A *unit* is a row, a column or a box, and a cell
with one candidate is *decided*. The techniques are those of qqwing:

- naked single: a cell has one candidate, so no other cell of its units contains this digit;
- hidden single: a digit is a candidate of only one cell of a unit, so that cell contains it;
- pointing, box/line: the candidates for a digit in a box are all in one line, or those in a line
  are all in one box, so the digit is nowhere else in that line or that box;
- naked pair: two cells of a unit have the same two candidates, so no other cell of it has them;
- hidden pair: two digits are candidates of the same two cells of a unit only, so these cells have
  no other candidates.

On a board with a solution, what a technique removes remains removable after other candidates are
gone: of a pair that has lost a candidate, singles decide both cells. So techniques that are
repeated until none of them changes the board end at the same board in any order.

The functions share these parameters: `cells` (81, 32) uint16, and `scratch` (N_SCRATCH_ROWS, 32)
uint16, both of which may be written; `first`, the first cell of a unit, triad or chute, and `step`,
`jump`, `across` and `along`, distances between cells, uintp. All others are vectors of 32 lanes of
uint16: sets of digits; `ones`, a one in each lane; `hidden`, all ones where hidden singles count.
"""

import numpy as np

from ...jit import inlined, njit
from ...jit.simd import align_stack, lanes_equal, load, popcount_lanes, splat, store, where_zero
from ..box import Box, units
from .propagate import ALL_DIGITS, load_chute, possible_in, prefer

# Rows of `scratch`
TOTAL = 0  # the sum of the cells after `place_singles`
PREVIOUS_TOTAL = 1  # the sum of the cells before it
DECIDED = 2  # the digits that are decided in every unit
ALLOWS_HIDDEN = 3  # all ones in the lanes in which hidden singles are placed
ALLOWS_ALL = 4  # all ones in the lanes in which `eliminate` removes candidates
# Working memory of `eliminate`, one row for each cell of a unit; the first two are repeated.
CELLS = 5  # the candidates
TWO_CANDIDATES = 23  # the candidates if there are two
NAKED = 41  # the naked pair to which the cell belongs
HIDDEN = 50  # the hidden pair to which the cell belongs
N_SCRATCH_ROWS = 59

UNITS = np.array(units(Box(3, 3)), np.uint8)  # rows, columns and boxes


@inlined
def _decided(cell, ones):
    """Return the cell if it is decided, otherwise the empty set."""
    return where_zero(cell & (cell - ones), cell, splat(0))


@inlined
def _narrow(cell, decided, only_once, ones):
    """Remove the decided digits from an undecided cell, or place a digit of `only_once` in it."""
    return prefer(where_zero(cell & (cell - ones), cell, cell & ~decided), only_once)


@inlined
def _place_in_unit(cells, first, step, jump, hidden, ones):
    """Apply naked singles, and hidden singles in the lanes of `hidden`, to one unit.

    The cells of the unit are three groups `jump` apart, of three cells `step` apart. Return the
    digits that were decided before, and the sum of the cells afterwards, which tells whether a
    candidate was removed.
    """
    once = splat(0)  # the digits of at least one cell
    several = splat(0)  # the digits of at least two cells
    decided = splat(0)
    total = splat(0)
    for group in range(3):
        for k in range(3):
            cell = load(cells, first + group * jump + k * step)
            several = several | once & cell
            once = once | cell
            decided = decided | _decided(cell, ones)
    only_once = once & ~several & hidden
    for group in range(3):
        for k in range(3):
            row = first + group * jump + k * step
            cell = _narrow(load(cells, row), decided, only_once, ones)
            store(cells, row, cell)
            total = total + cell
    return decided, total


@njit
def place_singles(cells, scratch):
    """Apply naked and hidden singles once in every unit of every board (one sweep).

    Parameters
    ----------
    cells : ndarray of uint16, shape (81, 32)
        The candidates. Written.
    scratch : ndarray of uint16, shape (N_SCRATCH_ROWS, 32)
        Hidden singles are placed in the lanes of row `ALLOWS_HIDDEN` only. The rows `TOTAL` and
        `DECIDED` are written.

    Notes
    -----
    Candidates are only ever removed, so a board has changed if and only if its sum has. It is
    solved if nine digits are decided in every unit; then its solution is unique, because each
    technique only removes candidates that occur in no solution.
    """
    align_stack()
    boxes = len(cells) // 27  # three; a constant would be unrolled, which takes longer to compile
    one = np.int64(1)
    three = np.int64(3)
    nine = np.int64(9)
    ones = splat(1)
    hidden = load(scratch, ALLOWS_HIDDEN)
    in_all = splat(ALL_DIGITS)
    total = splat(0)
    for line in range(3 * boxes):
        decided, _ = _place_in_unit(cells, 9 * line, one, three, hidden, ones)
        in_all = in_all & decided
    for line in range(3 * boxes):
        decided, _ = _place_in_unit(cells, line, nine, 9 * three, hidden, ones)
        in_all = in_all & decided
    for box in range(3 * boxes):
        first = 27 * (box // 3) + 3 * (box % 3)
        decided, box_total = _place_in_unit(cells, first, one, nine, hidden, ones)
        in_all = in_all & decided
        total = total + box_total
    store(scratch, TOTAL, total)
    store(scratch, DECIDED, in_all)


@inlined
def _narrow_triads(cells, first, along, possible, kept):
    """Restrict the triads of a line to what is possible, or kept."""
    for k in range(3):
        row = first + k * along
        store(cells, row, load(cells, row) & (possible[0] | kept))
        row += along + along + along
        store(cells, row, load(cells, row) & (possible[1] | kept))
        row += along + along + along
        store(cells, row, load(cells, row) & (possible[2] | kept))


@inlined
def _lock_chute(cells, first, across, along, kept):
    """Apply pointing and box/line in one chute: three boxes in a row.

    Its lines are `across` rows of `cells` apart, and the cells of a line `along` rows. A digit is
    in one triad of each line and each box of the chute, which leaves six patterns; the techniques
    remove it from the triads that are in none of them. Candidates in `kept` are not removed.
    """
    a, b, c = load_chute(cells, first, across, along)
    _narrow_triads(cells, first, along, possible_in(a, b, c), kept)
    _narrow_triads(cells, first + across, along, possible_in(b, a, c), kept)
    _narrow_triads(cells, first + across + across, along, possible_in(c, a, b), kept)


@inlined
def _reduce_pairs(cells, scratch, unit, kept):
    """Apply naked and hidden pairs in one unit; candidates in `kept` are not removed.

    A lane of a cell has a bit for each candidate. Two cells with the same two candidates are a
    naked pair: other cells lose these. Two cells with two candidates that no other cell has are a
    hidden pair: they lose the others. Cells are stored twice, to be read in cyclic order.
    """
    size = len(UNITS[0])
    ones = splat(1)
    twos = splat(2)
    none = splat(0)
    # The digits of at least one cell, of at least two, and of at least three
    once = none
    several = none
    many = none
    for row in range(size):
        cell = load(cells, UNITS[unit, row])
        many = many | several & cell
        several = several | once & cell
        once = once | cell
        pair = where_zero(popcount_lanes(cell) - twos, cell, none)
        store(scratch, CELLS + row, cell)
        store(scratch, CELLS + 9 + row, cell)
        store(scratch, TWO_CANDIDATES + row, pair)
        store(scratch, TWO_CANDIDATES + 9 + row, pair)
    in_two_cells = several & ~many
    in_pairs = none
    for row in range(size):
        cell = load(scratch, CELLS + row) & in_two_cells
        pair = load(scratch, TWO_CANDIDATES + row)
        naked = none
        hidden = none
        for distance in range(1, 9):  # the other cells, in cyclic order
            other = row + distance
            # Cells with the same two candidates, and cells that share two that no others have
            naked = naked | where_zero(pair ^ load(scratch, TWO_CANDIDATES + other), pair, none)
            common = cell & load(scratch, CELLS + other)
            hidden = hidden | where_zero(common & (common - ones), none, common)
        in_pairs = in_pairs | naked
        store(scratch, NAKED + row, naked)
        store(scratch, HIDDEN + row, hidden)
    for row in range(size):
        cell = load(scratch, CELLS + row)
        hidden = load(scratch, HIDDEN + row)
        cell = where_zero(load(scratch, NAKED + row), cell & (~in_pairs | kept), cell)
        cell = where_zero(hidden, cell, cell & (hidden | kept))
        store(cells, UNITS[unit, row], cell)


@njit
def eliminate(cells, scratch):
    """Apply pointing, box/line, naked pairs and hidden pairs once in every unit.

    Parameters
    ----------
    cells : ndarray of uint16, shape (81, 32)
        The candidates. Written in the lanes of row `ALLOWS_ALL`.
    scratch : ndarray of uint16, shape (N_SCRATCH_ROWS, 32)
        Row `ALLOWS_ALL` is read; the rows from `CELLS` are working memory. Written.
    """
    align_stack()
    chutes = len(cells) // 27
    one = np.int64(1)
    nine = np.int64(9)
    kept = ~load(scratch, ALLOWS_ALL)
    for chute in range(chutes):
        _lock_chute(cells, 27 * chute, nine, one, kept)
    for chute in range(chutes):
        _lock_chute(cells, 3 * chute, one, nine, kept)
    for unit in range(len(UNITS)):
        _reduce_pairs(cells, scratch, unit, kept)


@inlined
def _reduce_lines(cells, across, along, kept):
    """Apply X-wings to all pairs of lines; candidates in `kept` are not removed.

    The lines are `across` rows of `cells` apart, and the cells of a line `along` rows.
    """
    size = len(UNITS[0])
    none = splat(0)
    for one in range(size):
        for other in range(one + 1, size):
            first = one * across
            second = other * across
            once = none
            twice = none
            many = none
            for _ in range(size):
                a = load(cells, first)
                b = load(cells, second)
                many = many | twice & (a | b)
                twice = twice | once & (a | b)
                once = once | a | b
                first, second = first + along, second + along
            # The digits that both lines can have in the same two crossing lines only
            wings = twice & ~many & ~kept
            if np.uint32(~lanes_equal(wings, none)) == 0:
                continue
            for k in range(size):
                place = k * along
                a = load(cells, one * across + place)
                b = load(cells, other * across + place)
                removed = wings & (a | b)
                for line in range(size):
                    if line != one and line != other:
                        row = line * across + place
                        store(cells, row, load(cells, row) & ~removed)


@njit
def eliminate_x_wings(cells, scratch):
    """Apply X-wings once; the parameters are those of `eliminate`."""
    align_stack()
    kept = ~load(scratch, ALLOWS_ALL)
    one = np.int64(1)
    nine = np.int64(9)
    _reduce_lines(cells, nine, one, kept)
    _reduce_lines(cells, one, nine, kept)
