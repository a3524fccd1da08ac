"""The guesses of the engine `lanes`: a digit in a triad, chosen for 32 boards at once.

A guess has two branches: either a triad contains a digit, or it does not. The digit has at least
two patterns in a chute (see `propagate`), and the triad occurs in some of them but not in all, so
each branch excludes a pattern. On every board that is stuck there is such a digit: if each digit
had one pattern in each chute, the sweep would have decided every cell.

The functions share these parameters: `cells` (81, 32) uint16, see `propagate`, which is read;
`guesses` (N_GUESS_ROWS, 32) uint16, which is written. `chute` and `box` are offsets in it, `first`
the first cell of a unit, `across` and `along` distances between cells, uintp. Sets of digits, such
as `digits` and `preferred`, are vectors of 32 lanes of uint16.
"""

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.intrinsics import count_bits
from ...jit.simd import (
    lanes_equal,
    load,
    minimum,
    popcount_lanes,
    read_lane,
    splat,
    store,
    where_zero,
)
from ..box import Box, units
from .propagate import ALL_DIGITS, load_chute, prefer

# Rows of `guesses`. The guess in each lane:
DIGIT = 0  # the digit, as a set with one element
TRIAD = 1  # the index of the triad in `TRIADS`
# Working memory, one row for each chute, first the bands, then the stacks:
CHOICES = 2  # the digits to choose from
NOT_TWO = 8  # the digits that do not have exactly two patterns
SPLITS = 14  # the digits that occur in more than one triad of the first line
IN_FIRST = 20  # the digits in the last triad of the first line
IN_SECOND = 26  # the digits in the last triad of the second line
# Working memory, four rows for each box: the number of open cells of each digit in binary. Bit d of
# row k is bit k of the number of digit d.
BOXES = 32
# Working memory, one row for each chute: the number of patterns of each digit in binary.
ONES = 68
TWOS = 74
FOURS = 80
HARD_COSTS = 86  # the cost of each chute on a hard board
# Properties of the board in each lane. `IS_FIRST` and `IS_HARD` are inputs.
IS_FIRST = 92  # nonzero until the first guess
IS_HARD = 93  # nonzero if the board is hard
N_FREE = 94  # the number of free digits, all chutes together
FREE = 95  # on hard boards, the free digits of each chute, six rows
N_GUESS_ROWS = 101

OTHER = 512  # counted like a tenth digit: the cells that do not have two candidates


def _list_triads() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the cells of each triad, and the other cells of its line."""
    lines = np.arange(81).reshape(9, 9)
    triads = np.concatenate([lines, lines.T]).reshape(18, 3, 3)  # line, triad, cell
    others = np.stack([triads[:, [1, 2]], triads[:, [0, 2]], triads[:, [0, 1]]], axis=1)
    return triads.reshape(54, 3).astype(np.uint8), others.reshape(54, 6).astype(np.uint8)


# Nine triads for each chute, line by line.
TRIADS, OTHER_CELLS = _list_triads()

UNITS = np.array(units(Box(3, 3)), np.uint8)


# Bitwise arithmetic: each bit of a vector is a separate number of one bit.


@inlined
def _half_add(a, b):
    """Return the sum and the carry of two bits."""
    return a ^ b, a & b


@inlined
def _add(a, b, c):
    """Return the sum and the carry of three bits."""
    return a ^ b ^ c, a & b | a & c | b & c


@inlined
def _examine_chute(cells, guesses, chute, first, across, along):
    """Write the rows of a chute, and return the number of digits that have all six patterns.

    A pattern of a digit is a triad in each line and in each box. The six products below have the
    digits that can be placed in each pattern; adding their bits counts the patterns of all digits
    at once. The parameters are those of `propagate._chute`.
    """
    # Lines a, b and c, with the candidates of their triads in the boxes 0, 1 and 2
    (a0, a1, a2), (b0, b1, b2), (c0, c1, c2) = load_chute(cells, first, across, along)
    ones, to_twos = _add(a0 & b1 & c2, a0 & b2 & c1, a1 & b0 & c2)
    also_ones, also_to_twos = _add(a1 & b2 & c0, a2 & b0 & c1, a2 & b1 & c0)
    ones, third_to_twos = _half_add(ones, also_ones)
    twos, fours = _add(to_twos, also_to_twos, third_to_twos)
    two = twos & ~(ones | fours)
    store(guesses, CHOICES + chute, prefer(twos | fours, two))
    store(guesses, ONES + chute, ones)
    store(guesses, TWOS + chute, twos)
    store(guesses, FOURS + chute, fours)
    store(guesses, NOT_TWO + chute, two ^ splat(ALL_DIGITS))
    store(guesses, SPLITS + chute, a0 & a1 | a0 & a2 | a1 & a2)
    store(guesses, IN_FIRST + chute, a2)
    store(guesses, IN_SECOND + chute, b2)
    return popcount_lanes(twos & fours)  # 6 = 4 + 2 patterns


@inlined
def _examine_hard_chute(guesses, chute):
    """Write the free digits and the cost of a chute, and replace its choices, on hard boards.

    The cost is that of the notes of `choose_guesses`, plus 72: eight times the nine digits.
    """
    ones = load(guesses, ONES + chute)
    twos = load(guesses, TWOS + chute)
    fours = load(guesses, FOURS + chute)
    # Free digits are those with six patterns at the first guess; later, they are kept.
    free = where_zero(load(guesses, IS_FIRST), load(guesses, FREE + chute), twos & fours)
    store(guesses, FREE + chute, free)
    undecided = twos | fours
    choices = prefer(prefer(undecided, free), ~load(guesses, NOT_TWO + chute))
    choices = where_zero(load(guesses, IS_HARD), load(guesses, CHOICES + chute), choices)
    store(guesses, CHOICES + chute, choices)
    eights = popcount_lanes(undecided) + popcount_lanes(free ^ splat(ALL_DIGITS))
    cost = popcount_lanes(ones) + (popcount_lanes(twos) << 1)
    cost = cost + (popcount_lanes(fours) << 2) + (eights << 3)
    store(guesses, HARD_COSTS + chute, cost)


@inlined
def _open(cell):
    """Return the digits of a cell and `OTHER`, or nothing if the cell has two candidates."""
    return where_zero(popcount_lanes(cell) - splat(2), splat(0), cell + splat(OTHER))


@inlined
def _count_triad(cells, first):
    """Return the number of open cells of each digit in a triad of a row, in two bits."""
    a = load(cells, first)
    b = load(cells, first + 1)
    c = load(cells, first + 2)
    return _add(_open(a), _open(b), _open(c))


@inlined
def _examine_box(cells, guesses, box, first):
    """Write the number of open cells of each digit in a box, in binary; `first` is its first cell.

    It is the sum of the numbers for its triads.
    """
    a_low, a_high = _count_triad(cells, first)
    b_low, b_high = _count_triad(cells, first + 9)
    c_low, c_high = _count_triad(cells, first + 18)
    ones, to_twos = _add(a_low, b_low, c_low)
    twos, to_fours = _add(a_high, b_high, c_high)
    twos, also_to_fours = _half_add(twos, to_twos)
    fours, eights = _half_add(to_fours, also_to_fours)
    row = BOXES + 4 * box
    store(guesses, row, ones)
    store(guesses, row + 1, twos)
    store(guesses, row + 2, fours)
    store(guesses, row + 3, eights)


@inlined
def _add_rows(guesses, row, step):
    """Return the sum and the carry of three rows at the same distance."""
    return _add(load(guesses, row), load(guesses, row + step), load(guesses, row + step + step))


@inlined
def _keep_least(digits, cost, bit, weight, shift):
    """Keep the digits whose number does not have bit k, if there are any; return them and the cost.

    `bit` has bit k of the number of each digit and of `OTHER`. The cost grows by 2^k, which is
    `OTHER` shifted by `shift`, if the number of `OTHER` has the bit, and by `weight`, 2 · 2^k, if
    those of all digits have it: the number of a digit counts twice.
    """
    cost = cost + ((bit & splat(OTHER)) >> shift)
    kept = digits & ~bit
    return prefer(digits, ~bit), where_zero(kept, cost + splat(weight), cost)


@inlined
def _rate_chute(guesses, chute, box, next_box, crossing):
    """Return the best digits of a chute and their cost.

    The boxes are `box` and the next two at the distance `next_box`; `crossing` is the first of the
    three chutes that cross this one. The cost is that of the notes of `choose_guesses`. The number
    of open cells and of crossing chutes, which counts twice in it, is added in binary for all
    digits at once, and the digits with the least number are kept bit by bit, from the highest one.
    """
    row = BOXES + 4 * box
    step = 4 * next_box
    low, high = _add_rows(guesses, NOT_TWO + crossing, 1)
    # The sum of the numbers of the boxes and of (high, low); it is at most 30.
    bit_0, carry_0 = _add_rows(guesses, row, step)
    bit_0, carry_1 = _half_add(bit_0, low)
    bit_1, carry_2 = _add_rows(guesses, row + 1, step)
    bit_1, carry_3 = _add(bit_1, high, carry_0)
    bit_1, carry_4 = _half_add(bit_1, carry_1)
    bit_2, carry_5 = _add_rows(guesses, row + 2, step)
    bit_2, carry_6 = _add(bit_2, carry_2, carry_3)
    bit_2, carry_7 = _half_add(bit_2, carry_4)
    bit_3, carry_8 = _add_rows(guesses, row + 3, step)
    bit_3, carry_9 = _add(bit_3, carry_5, carry_6)
    bit_3, carry_10 = _half_add(bit_3, carry_7)
    bit_4 = carry_8 | carry_9 | carry_10
    choices = load(guesses, CHOICES + chute)
    # Digits with two patterns come first: 128 is more than the rest of the cost, 31 + 62 at most.
    cost = where_zero(choices & load(guesses, NOT_TWO + chute), splat(0), splat(128))
    digits, cost = _keep_least(choices, cost, bit_4, np.int64(32), np.int64(5))
    digits, cost = _keep_least(digits, cost, bit_3, np.int64(16), np.int64(6))
    digits, cost = _keep_least(digits, cost, bit_2, np.int64(8), np.int64(7))
    digits, cost = _keep_least(digits, cost, bit_1, np.int64(4), np.int64(8))
    digits, cost = _keep_least(digits, cost, bit_0, np.int64(2), np.int64(9))
    cost = where_zero(load(guesses, IS_HARD), cost, load(guesses, HARD_COSTS + chute))
    return digits, where_zero(choices, splat(0xFFFF), cost)


@inlined
def _choose_triad(guesses, chute, digit):
    """Return the last triad with the digit in the first line in which several triads have it.

    This is the first line or the second one: two patterns differ in at least two lines. The chute
    has nine triads in `TRIADS`: 0 to 2 are those of the first line, and 3 to 5 of the second one.
    If the digit is not in the last triad of the line, the second one is the last that has it.
    """
    in_first = load(guesses, IN_FIRST + chute) & digit
    in_second = load(guesses, IN_SECOND + chute) & digit
    triad = where_zero(
        load(guesses, SPLITS + chute) & digit,
        where_zero(in_second, splat(4), splat(5)),
        where_zero(in_first, splat(1), splat(2)),
    )
    return triad + splat(9 * chute)


@njit
def choose_guesses(cells, guesses):
    """Choose a guess for every board that is stuck.

    Parameters
    ----------
    cells : ndarray of uint16, shape (81, 32)
        The candidates.
    guesses : ndarray of uint16, shape (N_GUESS_ROWS, 32)
        The rows `IS_FIRST` and `IS_HARD` are read. The rows `DIGIT` and `TRIAD` are the guesses;
        the others are working memory, and rows from `N_FREE` remain until the next board. Written.

    Notes
    -----
    A digit that has two patterns in a chute is preferred, because then each branch leaves one. The
    cost of such a digit estimates how little follows from the two branches. It is the number of
    cells in the chute that do not have two candidates, plus twice the number of the digit's open
    cells in the chute, plus twice the number of crossing chutes in which the digit does not have
    two patterns. A cell is *open* if the digit is one of three or more candidates; if it is one of
    two, then one branch or the other often decides the cell. Of equal costs, the first chute and
    the smallest digit are chosen.

    Compared with the cell that has the fewest candidates and most cells with two candidates in its
    row and column, this saves 15 to 70 % of the guesses on hard boards.

    On the hardest boards, few cells have two candidates, and it takes fewer guesses to complete one
    chute after the other. A digit is *free* in a chute if it has all six patterns at the first
    guess. The cost of a chute is its number of patterns, plus eight times the number of its digits
    with several patterns, minus eight times the number of its free digits. So the first chute has
    many free digits, and then the search remains in it. Free digits are preferred, and among them
    those with two patterns; the cost above decides between them.
    """
    chutes = len(cells) // 27  # three; a constant would be unrolled, which takes longer to compile
    one = np.int64(1)
    nine = np.int64(9)
    n_free = splat(0)
    for band in range(chutes):
        box = 3 * band
        first = 9 * box
        in_band = _examine_chute(cells, guesses, band, first, nine, one)
        in_stack = _examine_chute(cells, guesses, 3 + band, box, one, nine)
        n_free = n_free + in_band + in_stack
        _examine_box(cells, guesses, box, first)
        _examine_box(cells, guesses, box + 1, first + 3)
        _examine_box(cells, guesses, box + 2, first + 6)
    n_free = where_zero(load(guesses, IS_FIRST), load(guesses, N_FREE), n_free)
    store(guesses, N_FREE, n_free)
    # If the board of any lane is hard
    if np.uint32(~lanes_equal(load(guesses, IS_HARD), splat(0))) != 0:
        for chute in range(2 * chutes):
            _examine_hard_chute(guesses, chute)
    best = splat(0xFFFF)
    digit = splat(0)
    triad = splat(0)
    for chute in range(2 * chutes):
        stack = chute // 3
        position = chute % 3
        # `stack` is 0 for bands, which the stacks, chutes 3 to 5, cross, and 1 for stacks.
        box, next_box = (position, 3) if stack else (3 * position, 1)
        digits, cost = _rate_chute(guesses, chute, box, next_box, 3 - 3 * stack)
        smallest = digits & (splat(0) - digits)  # the lowest bit
        least = minimum(best, cost)
        changed = least ^ best
        digit = where_zero(changed, digit, smallest)
        triad = where_zero(changed, triad, _choose_triad(guesses, chute, smallest))
        best = least
    store(guesses, DIGIT, digit)
    store(guesses, TRIAD, triad)


@inlined
def choose_cell(cells, lane):
    """Return the cell and the digit, as a set, of a careful guess for the board in a lane.

    They have the fewest alternatives: other digits in the cell, or other cells for the digit in a
    row, column or box. A board gets such guesses when those of triads have taken too long: if few
    cells are given, they leave the place of a contradiction, and go through all solutions of the
    other cells.
    """
    fewest = np.int64(10)
    chosen = np.int64(0)
    chosen_digit = np.int64(0)
    for cell in range(81):
        candidates = np.int64(read_lane(cells, cell, lane))
        n_candidates = count_bits(candidates)
        if 1 < n_candidates < fewest:
            fewest = n_candidates
            chosen = np.int64(cell)
            chosen_digit = candidates & -candidates
    for unit in range(27):
        for k in range(9):
            digit = np.int64(1 << k)
            n_places = np.int64(0)
            place = np.int64(0)
            for position in range(9):
                cell = np.int64(UNITS[unit, position])
                if np.int64(read_lane(cells, cell, lane)) & digit:
                    n_places += 1
                    place = cell
            if 0 < n_places < fewest and np.int64(read_lane(cells, place, lane)) != digit:
                fewest = n_places
                chosen = place
                chosen_digit = digit
    return chosen, chosen_digit
