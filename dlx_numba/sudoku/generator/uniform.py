"""Complete 9×9 grids from the uniform distribution, by rejection sampling.

The first band and the first stack are chosen at random; all are equally likely. Nine digits can be
divided among the lines of the next box of a chute in 56 ways, which also determine those of the
third box. So the other four boxes consist of one division for each of the bands 2 and 3 and the
stacks 2 and 3. They fit if each cell of these boxes gets one digit.

The division of band 2 is chosen at random, too, and the completions are counted. A random number
below `MAX_COMPLETIONS` selects one of them; if it is not less than their number, everything is
chosen again. So all grids are equally likely. There are 48 completions on average. The few starts
with more than the limit lose the excess, which is less than a millionth of all grids.

The functions share these parameters: `random` (2,) uint64, the generator of the random numbers,
which is advanced; `search`, a `UniformSearch`, and `grid` (81,) uint8, both of which may be
written; `start`, a cell, and `across` and `along`, distances between cells. A division is a uint64.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.intrinsics import count_bits, lowest_bit
from .grids import random_below, select_bit, shuffle

MAX_COMPLETIONS = 192
N_DIVISIONS = 56

ONE = np.uint64(1)

# The digits of the three lines of a box are sets of 9 bits, in lanes of 16 bits.
LANE_BITS = 16
LANE = np.uint64(0xFFFF)
EACH_LANE = np.uint64(0x0001_0001_0001)  # times a set: the set in each lane
# Adding this to sets sets the highest bit of a lane, `TOP`, if the set in it is not empty.
BELOW_TOP = np.uint64(0x7FFF_7FFF_7FFF)
TOP = np.uint64(0x8000_8000_8000)


class UniformSearch(NamedTuple):
    """The arrays of `fill_9x9`. The chutes are the bands 2 and 3, and the stacks 2 and 3."""

    digits: NDArray[np.uint32]  # (9,) the digits in random order
    divisions: NDArray[np.uint64]  # (4, 56) of the second box of each chute
    moves: NDArray[np.uint64]  # (3, 3) for each line of a first box, what moves one of its digits
    fitting: NDArray[np.uint64]  # (2, 56) those of stacks 2 and 3 that fit band 2: their numbers
    band_sets: NDArray[np.uint64]  # (2, 56) the divisions of band 3 that fit them, as bits


def allocate_uniform_search() -> UniformSearch:
    """Return the arrays of `fill_9x9`."""
    fitting, band_sets = np.zeros((2, 2, N_DIVISIONS), np.uint64)
    divisions = np.zeros((4, N_DIVISIONS), np.uint64)
    moves = np.zeros((3, 3), np.uint64)
    return UniformSearch(np.zeros(9, np.uint32), divisions, moves, fitting, band_sets)


@inlined
def _line(grid, start, along):
    """Return the set of the three digits of a line."""
    digits = np.uint64(0)
    for k in range(3):
        digits |= ONE << (grid[start + k * along] - 1)
    return digits


@inlined
def _divide(search, chute, grid, start, across, along):
    """Write all divisions of the second box of a chute. Return its lines in both other boxes.

    Each line of the second box gets three digits of the first box, none from the same line. So each
    line of the first box gives the same number of its digits to the next line, and the others to
    the one after it. If this is 3 or 0, the digits of a line stay together; if it is 2 or 1, each
    line has three choices of the digit that is alone: these are 2 · (1 + 3 · 3 · 3) divisions.

    The two divisions with digits together contain all digits of both other boxes, which are
    returned: by XOR with the division of the second box, they become that of the third one.
    """
    divisions = search.divisions[chute]
    moves = search.moves
    n_divisions = 0
    others = np.uint64(0)
    for shift in range(2):
        together = np.uint64(0)
        for line in range(3):
            digits = _line(grid, start + line * across, along)
            # The target line of two digits of this line of the first box, and of the third digit
            most = _lane(line + 1 + shift)
            alone = _lane(line + 2 - shift)
            together |= digits << most
            for k in range(3):
                digit = ONE << lowest_bit(digits)
                digits ^= digit
                moves[line, k] = digit << most | digit << alone
        divisions[n_divisions] = together
        n_divisions += 1
        others |= together
        for i in range(3):
            for j in range(3):
                for k in range(3):
                    moved = moves[0, i] ^ moves[1, j] ^ moves[2, k]
                    divisions[n_divisions] = together ^ moved
                    n_divisions += 1
    return others


@inlined
def _lane(line):
    """Return the first bit of the lane of a line, modulo 3."""
    return line % 3 * LANE_BITS


@inlined
def _write_lines(random, division, grid, start, across, along):
    """Write the lines of a box, each in a random order."""
    for line in range(3):
        digits = division >> _lane(line) & LANE
        at = start + line * across
        for n_left in range(3, 0, -1):
            digit = select_bit(digits, random_below(random, n_left))
            digits ^= ONE << digit
            grid[at] = digit + 1
            at += along


@inlined
def _fill_chute(random, search, grid, across, along):
    """Fill the boxes beside the first one at random; every way is equally likely.

    The lines of the chute are `across` cells apart, and the cells of a line `along` cells.
    """
    others = _divide(search, 0, grid, 0, across, along)
    division = search.divisions[0, random_below(random, N_DIVISIONS)]
    _write_lines(random, division, grid, 3 * along, across, along)
    _write_lines(random, others ^ division, grid, 6 * along, across, along)


@inlined
def _start(random, search, grid):
    """Fill the first band and the first stack at random."""
    digits = search.digits
    for k in range(9):
        digits[k] = k + 1
    shuffle(digits, 9, random)
    for k in range(9):
        grid[k // 3 * 9 + k % 3] = digits[k]
    _fill_chute(random, search, grid, 9, 1)
    _fill_chute(random, search, grid, 1, 9)


@inlined
def _is_box(rows, columns):
    """Return whether each cell of a box gets a digit, given the digits of its lines.

    A cell gets a digit that is in its row and in its column. If each of the nine cells gets one,
    each gets one only, as there are nine digits. Each statement is about the three cells of a
    column: its digits are copied into each lane, for the three rows.
    """
    full = (rows & ((columns & LANE) * EACH_LANE)) + BELOW_TOP
    full &= (rows & ((columns >> _lane(1) & LANE) * EACH_LANE)) + BELOW_TOP
    full &= (rows & ((columns >> _lane(2)) * EACH_LANE)) + BELOW_TOP
    return (full & TOP) == TOP


@inlined
def _fit(search, stack, rows, others, columns):
    """Find the divisions of a stack (0 or 1) that fit band 2, and those of band 3 that fit these.

    `rows` is the division of the box in band 2, `columns` the sum of the divisions of the boxes in
    both bands. The division of the box in band 3 is that of its band XOR `others`.
    """
    divisions = search.divisions
    fitting = search.fitting
    band_sets = search.band_sets
    n_fitting = 0
    for number in range(N_DIVISIONS):
        division = divisions[2 + stack, number]
        if _is_box(rows, division):
            band_set = np.uint64(0)
            for band in range(N_DIVISIONS):  # of band 3
                is_box = _is_box(divisions[1, band] ^ others, columns ^ division)
                band_set |= np.uint64(is_box) << band
            fitting[stack, n_fitting] = division
            band_sets[stack, n_fitting] = band_set
            n_fitting += 1
    return n_fitting


@inlined
def _write_box(grid, start, rows, columns):
    """Write a box, given the digits of its lines."""
    for row in range(3):
        for column in range(3):
            digit = rows >> _lane(row) & columns >> _lane(column) & LANE
            grid[start + 9 * row + column] = lowest_bit(digit) + 1


@njit
def fill_9x9(random, search, grid):
    """Fill a 9×9 grid at random.

    Parameters
    ----------
    random : ndarray of uint64, shape (2,)
        The generator of the random numbers. Written.
    search : UniformSearch
        Working memory. Written.
    grid : ndarray of uint8, shape (81,)
        The grid. Written.

    Returns
    -------
    int
        The number of starts.
    """
    divisions = search.divisions
    fitting = search.fitting
    band_sets = search.band_sets
    n_starts = 0
    while True:
        n_starts += 1
        _start(random, search, grid)
        # Divide the digits of the boxes below and beside the first one. The results have the lines
        # of two boxes together: the rows of bands 2 and 3, and the columns of stacks 2 and 3.
        others_2 = _divide(search, 0, grid, 27, 9, 1)
        others_3 = _divide(search, 1, grid, 54, 9, 1)
        columns_2 = _divide(search, 2, grid, 3, 1, 9)
        columns_3 = _divide(search, 3, grid, 6, 1, 9)
        rows = divisions[0, random_below(random, N_DIVISIONS)]
        n_left = _fit(search, 0, rows, np.uint64(0), columns_2)
        n_right = _fit(search, 1, rows ^ others_2, others_3, columns_3)
        # Take one of MAX_COMPLETIONS completions, or start again: so all grids are equally likely.
        chosen = np.int64(random_below(random, MAX_COMPLETIONS))
        for left in range(n_left):
            for right in range(n_right):
                bands = band_sets[0, left]
                bands &= band_sets[1, right]
                size = count_bits(bands)
                if chosen < size:
                    below = divisions[1, select_bit(bands, chosen)]
                    stack_2 = fitting[0, left]
                    stack_3 = fitting[1, right]
                    _write_box(grid, 30, rows, stack_2)
                    _write_box(grid, 33, rows ^ others_2, stack_3)
                    _write_box(grid, 57, below, stack_2 ^ columns_2)
                    _write_box(grid, 60, below ^ others_3, stack_3 ^ columns_3)
                    return n_starts
                chosen -= size
