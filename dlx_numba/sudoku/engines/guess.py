"""The guesses of the engine `lanes`: a digit in a triad, chosen for 32 boards at once.

A guess has two branches: either a triad contains a digit, or it does not. The digit has two or more
patterns in a chute (see `propagate`), and the triad occurs in some of them only, so both branches
exclude patterns. Every board that is neither solved nor contradictory has such a digit: if each
digit had one pattern in each chute, a sweep would have decided every cell.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import inlined, kernel
from ...jit.simd import load, minimum, popcount_lanes, splat, store, where_zero
from .propagate import ALL_DIGITS

# Rows of `guesses`, the vectors of this module. The guess in each lane:
DIGITS = np.uintp(0)  # the digit, as a set with one element
TRIAD = np.uintp(1)  # the index of the triad in `TRIADS`
# Six rows each, one for each chute; first the bands, then the stacks:
PAIRS = 2  # the digits that have two patterns
OPEN = 8  # the digits to choose from
SPLITS_FIRST = 14  # the digits that occur in several triads of the first line
IN_FIRST = 20  # the digits in the last triad of the first line
IN_SECOND = 26  # the digits in the last triad of the second line
# Five rows for each box: the number of cells that restrict a digit, in four bits, one in each row
# (the number of digit d is in bit d of the rows); and the number of cells with two candidates.
BOXES = 32
N_GUESS_ROWS = BOXES + 9 * 4

PAIR = 512  # a bit that counts the cells with two candidates


def _list_triads() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the cells of each triad, and the other cells of its line."""
    lines = np.arange(81).reshape(9, 9)
    triads = np.concatenate([lines, lines.T]).reshape(54, 3)
    others = [
        [cell for other in range(3) if other != k % 3 for cell in triads[k - k % 3 + other]]
        for k in range(54)
    ]
    return triads.astype(np.uint8), np.array(others, np.uint8)


# The triads of a line are consecutive, and so are the lines of a chute.
TRIADS, OTHER_CELLS = _list_triads()


@inlined
def _half_add(a: Any, b: Any) -> Any:
    """Return the sum and the carry of two bits, for each digit in each lane."""
    return a ^ b, a & b


@inlined
def _add(a: Any, b: Any, c: Any) -> Any:
    """Return the sum and the carry of three bits, for each digit in each lane."""
    return a ^ b ^ c, a & b | a & c | b & c


@inlined
def _triad(cells: NDArray[Any], first: Any, along: Any) -> Any:
    """Return the candidates of a triad."""
    return load(cells, first) | load(cells, first + along) | load(cells, first + along + along)


@inlined
def _store_chute(guesses: NDArray[Any], chute: Any, a0: Any, a1: Any, a2: Any, b0: Any, b1: Any, b2: Any, c0: Any, c1: Any, c2: Any) -> None:
    """Write the rows of a chute, given the candidates of its triads line by line."""
    odd_1, carry_1 = _add(a0 & b1 & c2, a0 & b2 & c1, a1 & b0 & c2)
    odd_2, carry_2 = _add(a1 & b2 & c0, a2 & b0 & c1, a2 & b1 & c0)
    ones, carry_3 = _half_add(odd_1, odd_2)
    twos, fours = _add(carry_1, carry_2, carry_3)
    pairs = twos & ~(ones | fours)
    store(guesses, np.uintp(PAIRS) + chute, pairs)
    store(guesses, np.uintp(OPEN) + chute, where_zero(pairs, twos | fours, pairs))
    store(guesses, np.uintp(SPLITS_FIRST) + chute, a0 & (a1 | a2) | a1 & a2)
    store(guesses, np.uintp(IN_FIRST) + chute, a2)
    store(guesses, np.uintp(IN_SECOND) + chute, b2)


@inlined
def _closed(cell: Any) -> Any:
    """Return the digits that a cell restricts, and `PAIR` if it has two candidates.

    A cell restricts the digits that are not its candidates, and both of its candidates if it has
    two, because then a guess on either of them decides the cell.
    """
    return where_zero(popcount_lanes(cell) - splat(2), splat(ALL_DIGITS | PAIR), cell ^ splat(ALL_DIGITS))


@inlined
def _measure_triad(cells: NDArray[Any], first: Any) -> Any:
    """Return the candidates of a triad of a row, and the number of closed cells in two bits."""
    a = load(cells, first)
    b = load(cells, first + np.uintp(1))
    c = load(cells, first + np.uintp(2))
    low, high = _add(_closed(a), _closed(b), _closed(c))
    return a | b | c, low, high


@inlined
def _measure_box(cells: NDArray[Any], guesses: NDArray[Any], box: Any, first: Any) -> Any:
    """Write the rows of a box; return the candidates of its three triads in rows."""
    a, a_low, a_high = _measure_triad(cells, first)
    b, b_low, b_high = _measure_triad(cells, first + np.uintp(9))
    c, c_low, c_high = _measure_triad(cells, first + np.uintp(18))
    ones, carry_1 = _add(a_low, b_low, c_low)
    odd, carry_2 = _add(a_high, b_high, c_high)
    twos, carry_3 = _half_add(odd, carry_1)
    fours, eights = _half_add(carry_2, carry_3)
    row = np.uintp(BOXES) + np.uintp(4) * box
    store(guesses, row, ones)
    store(guesses, row + np.uintp(1), twos)
    store(guesses, row + np.uintp(2), fours)
    store(guesses, row + np.uintp(3), eights)
    return a, b, c


@inlined
def _keep(open_digits: Any, bit: Any, score: Any, position: int) -> Any:
    """Keep the digits whose number has a bit, if there are any; add its weight to the score."""
    kept = open_digits & bit
    score = score + where_zero(kept, splat(0), splat(2 << position)) + ((bit & splat(PAIR)) >> (9 - position))
    return where_zero(kept, open_digits, kept), score


@inlined
def _score_chute(guesses: NDArray[Any], chute: Any, box: Any, next_box: Any, crossing: Any) -> Any:
    """Return the score of a chute and its best digits.

    Its boxes are `box` and the next two at the distance `next_box`; `crossing` is the first of the
    three chutes that cross it.
    """
    a = np.uintp(BOXES) + np.uintp(4) * box
    b = a + np.uintp(4) * next_box
    c = b + np.uintp(4) * next_box
    one, two, three = np.uintp(1), np.uintp(2), np.uintp(3)
    pairs = np.uintp(PAIRS) + crossing
    # The sum of four numbers: those of the boxes, and the number of crossing chutes with two patterns.
    d_0, d_1 = _add(
        load(guesses, pairs), load(guesses, pairs + one), load(guesses, pairs + two)
    )
    s, to_1 = _add(load(guesses, a), load(guesses, b), load(guesses, c))
    bit_0, also_to_1 = _half_add(s, d_0)
    s, to_2 = _add(load(guesses, a + one), load(guesses, b + one), load(guesses, c + one))
    s, also_to_2 = _add(s, d_1, to_1)
    bit_1, third_to_2 = _half_add(s, also_to_1)
    s, to_3 = _add(load(guesses, a + two), load(guesses, b + two), load(guesses, c + two))
    s, also_to_3 = _add(s, to_2, also_to_2)
    bit_2, third_to_3 = _half_add(s, third_to_2)
    s, to_4 = _add(load(guesses, a + three), load(guesses, b + three), load(guesses, c + three))
    s, also_to_4 = _add(s, to_3, also_to_3)
    bit_3, third_to_4 = _half_add(s, third_to_3)
    bit_4 = to_4 | also_to_4 | third_to_4  # the sum is at most 30
    digits = load(guesses, np.uintp(OPEN) + chute)
    score = where_zero(load(guesses, np.uintp(PAIRS) + chute), splat(0), splat(128))
    digits, score = _keep(digits, bit_4, score, 4)
    digits, score = _keep(digits, bit_3, score, 3)
    digits, score = _keep(digits, bit_2, score, 2)
    digits, score = _keep(digits, bit_1, score, 1)
    digits, score = _keep(digits, bit_0, score, 0)
    return where_zero(digits, splat(0), score + splat(1)), digits


@inlined
def _update_guess(guesses: NDArray[Any], chute: Any, score: Any, digits: Any, best: Any) -> Any:
    """Replace the guesses of the lanes in which this chute has a higher score; return the best."""
    digit = digits & (splat(0) - digits)
    in_first = load(guesses, np.uintp(IN_FIRST) + chute) & digit
    in_second = load(guesses, np.uintp(IN_SECOND) + chute) & digit
    splits_first = load(guesses, np.uintp(SPLITS_FIRST) + chute) & digit
    triad = where_zero(
        splits_first,
        where_zero(in_second, splat(4), splat(5)),
        where_zero(in_first, splat(1), splat(2)),
    ) + splat(9 * chute)
    # The score is stored as its complement, so that the best one is the minimum.
    cost = splat(0) - score - splat(1)
    least = minimum(best, cost)
    worse = least ^ best
    store(guesses, DIGITS, where_zero(worse, load(guesses, DIGITS), digit))
    store(guesses, TRIAD, where_zero(worse, load(guesses, TRIAD), triad))
    return least


@kernel
def choose_guesses(cells: NDArray[Any], guesses: NDArray[Any]) -> None:
    """Choose a guess for every board that is stuck.

    Parameters
    ----------
    cells : ndarray of uint16, shape (81, 32)
        The candidates.
    guesses : ndarray of uint16, shape (N_GUESS_ROWS, 32)
        The rows `DIGITS` and `TRIAD` are the guesses; the others are working memory. Written.
    """
    chutes = len(cells) // 27  # three; a constant would be unrolled
    one, three, nine = np.uintp(1), np.uintp(3), np.uintp(9)
    for band in range(chutes):
        box = three * np.uintp(band)
        first = nine * box
        a0, b0, c0 = _measure_box(cells, guesses, box, first)
        a1, b1, c1 = _measure_box(cells, guesses, box + one, first + three)
        a2, b2, c2 = _measure_box(cells, guesses, box + one + one, first + three + three)
        _store_chute(guesses, np.uintp(band), a0, a1, a2, b0, b1, b2, c0, c1, c2)
    for stack in range(chutes):
        first = three * np.uintp(stack)
        second, third = first + one, first + one + one
        down = three * nine
        _store_chute(
            guesses,
            three + np.uintp(stack),
            _triad(cells, first, nine),
            _triad(cells, first + down, nine),
            _triad(cells, first + down + down, nine),
            _triad(cells, second, nine),
            _triad(cells, second + down, nine),
            _triad(cells, second + down + down, nine),
            _triad(cells, third, nine),
            _triad(cells, third + down, nine),
            _triad(cells, third + down + down, nine),
        )
    best = splat(0xFFFF)
    for chute in range(2 * chutes):
        is_stack = np.uintp(chute // 3)
        index = np.uintp(chute) - three * is_stack
        box = index * (three - is_stack - is_stack)
        next_box = one + is_stack + is_stack
        score, digits = _score_chute(guesses, np.uintp(chute), box, next_box, three - three * is_stack)
        best = _update_guess(guesses, np.uintp(chute), score, digits, best)
