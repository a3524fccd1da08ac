"""One round of reasoning on 32 boards at once, and the choice of a guess where it ends.

`cells` has one row for each cell of the board and one lane for each board: a number in it is the
set of the digits that the cell may still hold, bit d for digit d + 1. There are no branches: all
boards go through the same instructions.

What is reasoned about are *triads*, the three cells that a line (row or column) and a box have in
common, and *chutes*, three boxes side by side (a band) or one above the other (a stack). In a
chute a digit goes to one triad of each line, and to one of each box: one of six patterns. A triad
that has no part in a pattern that is still possible can not hold the digit. This takes three
operations a triad, and is all of locked candidates at once, hidden triads of digits included.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import inlined, kernel
from ...jit.simd import (
    align_stack,
    count_bits,
    forget,
    lanes_equal,
    load,
    smaller,
    splat,
    store,
    where_zero,
)

ALL_DIGITS = 511
COMPLETE = 9 * ALL_DIGITS  # the sum of all 81 cells of a solved board

# Rows of `notes`, where the lanes' other numbers are kept.
TOTAL = np.uintp(0)  # the sum of the cells after this sweep
PREVIOUS = np.uintp(1)  # the sum of the cells before it
CHOICE = np.uintp(2)  # the cell to guess at, in the lower seven bits
SCORES = np.uintp(3)  # what the choice is made by, for each row and column
NOTES = 3 + 18


@inlined
def _with_decided(cell: Any, digits: Any) -> Any:
    """`digits` and the digit of `cell`, if only one is left.

    A sum, which is one masked instruction, is as good as a union: only boards that contradict
    themselves have the same digit twice.
    """
    return where_zero(cell & (cell - splat(1)), digits + cell, digits)


@inlined
def _triad(cells: NDArray[Any], first: int, along: int) -> Any:
    """The digits that a triad may hold, and those that it holds for certain."""
    a = load(cells, first)
    b = load(cells, first + along)
    c = load(cells, first + along + along)
    certain = _with_decided(c, _with_decided(b, _with_decided(a, splat(0))))
    return a | b | c, certain


@inlined
def _line(cells: NDArray[Any], first: int, along: int) -> Any:
    """The digits that the three triads of a line may hold, less those certain in another."""
    step = along + along + along
    x, in_x = _triad(cells, first, along)
    y, in_y = _triad(cells, first + step, along)
    z, in_z = _triad(cells, first + step + step, along)
    return x & ~(in_y | in_z), y & ~(in_x | in_z), z & ~(in_x | in_y)


@inlined
def _place(cell: Any, here_only: Any) -> Any:
    """The cell, decided if one of its digits has its only place in it."""
    placed = cell & here_only
    return where_zero(placed, cell, placed)


@inlined
def _narrow(cells: NDArray[Any], first: int, along: int, may: Any, must: Any, hidden: bool) -> Any:
    """Leave a triad the digits that it may hold; its sum and its smallest cell.

    Where it must hold three digits, there is no room for others. `hidden`: a digit that it must
    hold and that one cell only can take is placed.
    """
    may = where_zero(count_bits(must) - splat(3), must, may)
    a = load(cells, first) & may
    b = load(cells, first + along) & may
    c = load(cells, first + along + along) & may
    if hidden:
        a, b, c = (
            _place(a, must & ~(b | c)),
            _place(b, must & ~(a | c)),
            _place(c, must & ~(a | b)),
        )
    store(cells, first, a)
    store(cells, first + along, b)
    store(cells, first + along + along, c)
    return a + b + c, smaller(smaller(a, b), c)


@inlined
def _narrow_line(
    cells: NDArray[Any], first: int, along: int, x: Any, y: Any, z: Any, hidden: bool
) -> Any:
    """Leave the triads of a line the digits x, y, z; the line's sum and its smallest cell."""
    step = along + along + along
    sum_x, least_x = _narrow(cells, first, along, x, x & ~(y | z), hidden)
    sum_y, least_y = _narrow(cells, first + step, along, y, y & ~(x | z), hidden)
    sum_z, least_z = _narrow(cells, first + step + step, along, z, z & ~(x | y), hidden)
    return sum_x + sum_y + sum_z, smaller(smaller(least_x, least_y), least_z)


@inlined
def _chute(cells: NDArray[Any], first: int, across: int, along: int, hidden: bool) -> Any:
    """Reason in one chute, of lines `across` cells apart, each of cells `along` cells apart.

    Returns the digits that still have a place, the sum of the cells and the smallest of them.
    """
    second = first + across
    third = second + across
    a0, a1, a2 = _line(cells, first, along)
    b0, b1, b2 = _line(cells, second, along)
    c0, c1, c2 = _line(cells, third, along)
    # There are not registers enough for the cells to wait in until their line is narrowed.
    forget()
    x = a0 & (b1 & c2 | b2 & c1)
    y = a1 & (b0 & c2 | b2 & c0)
    z = a2 & (b0 & c1 | b1 & c0)
    placed = x | y | z
    sum_a, least_a = _narrow_line(cells, first, along, x, y, z, hidden)
    x = b0 & (a1 & c2 | a2 & c1)
    y = b1 & (a0 & c2 | a2 & c0)
    z = b2 & (a0 & c1 | a1 & c0)
    sum_b, least_b = _narrow_line(cells, second, along, x, y, z, hidden)
    x = c0 & (a1 & b2 | a2 & b1)
    y = c1 & (a0 & b2 | a2 & b0)
    z = c2 & (a0 & b1 | a1 & b0)
    sum_c, least_c = _narrow_line(cells, third, along, x, y, z, hidden)
    return placed, sum_a + sum_b + sum_c, smaller(smaller(least_a, least_b), least_c)


@kernel
def sweep(cells: NDArray[Any], notes: NDArray[Any]) -> Any:
    """Reason once in all chutes of all boards; the set of lanes found to have no solution.

    Candidates are only ever taken away, so that a board has changed if its sum has. One that
    has not, has no empty cell and sums up to COMPLETE is solved: every digit has a place in each
    column, which is then its only one, and both passes found nothing to object to.

    Digits are placed as the only one in a line or box in the second pass alone: the patterns of
    either pass leave what the other needs to see it, and twice would cost more than it finds.
    """
    align_stack()
    chutes = len(cells) // 27  # three, but not unrolled: more than one copy runs slower
    one = np.uintp(1)
    nine = np.uintp(9)
    placed = splat(ALL_DIGITS)
    for band in range(chutes):
        in_band, _, _ = _chute(cells, np.uintp(27 * band), nine, one, False)
        placed = placed & in_band
    total = splat(0)
    least = splat(ALL_DIGITS)
    for stack in range(chutes):
        in_stack, its_sum, its_least = _chute(cells, np.uintp(3 * stack), one, nine, True)
        placed = placed & in_stack
        total = total + its_sum
        least = smaller(least, its_least)
    store(notes, TOTAL, total)
    return lanes_equal(least, splat(0)) | ~lanes_equal(placed, splat(ALL_DIGITS))


@inlined
def _has_two(cell: Any) -> Any:
    """One (in the place that scores have in a choice) where two digits are left, else nothing."""
    return where_zero(count_bits(cell) - splat(2), splat(128), splat(0))


@inlined
def _add(memory: NDArray[Any], row: int, number: Any) -> None:
    store(memory, row, load(memory, row) + number)


@kernel
def choose(cells: NDArray[Any], notes: NDArray[Any]) -> None:
    """Choose the cell to guess at, for all boards at once.

    It is one with the fewest digits left, and of these the one that has most cells with two
    digits left in its row and column: they follow from the guess, and from its opposite. This
    halves the guesses that the first cell with fewest digits makes on hard boards; to look at
    the box as well gained nothing. The least number wins: four bits of digits left (less two: a
    decided cell has most), five of score, seven of cell.
    """
    rows, columns = SCORES, SCORES + np.uintp(9)
    for line in range(9):  # a choice's cell is put together of its row and its column
        store(notes, rows + np.uintp(line), splat(2 * 4096 - 31 * 128 - 9 * line))
        store(notes, columns + np.uintp(line), splat(-line))
    for x in range(0, 9, 3):
        for band in range(3):
            in_first, in_second, in_third = splat(0), splat(0), splat(0)
            for y in range(3 * band, 3 * band + 3):
                first = np.uintp(9 * y + x)
                a = _has_two(load(cells, first))
                b = _has_two(load(cells, first + np.uintp(1)))
                c = _has_two(load(cells, first + np.uintp(2)))
                _add(notes, rows + np.uintp(y), a + b + c)
                in_first, in_second, in_third = in_first + a, in_second + b, in_third + c
            _add(notes, columns + np.uintp(x), in_first)
            _add(notes, columns + np.uintp(x + 1), in_second)
            _add(notes, columns + np.uintp(x + 2), in_third)
    best = splat(0xFFFF)
    for y in range(9):
        row = load(notes, rows + np.uintp(y))
        for x in range(9):
            digits = count_bits(load(cells, np.uintp(9 * y + x))) << 12
            best = smaller(best, digits - row - load(notes, columns + np.uintp(x)))
    store(notes, CHOICE, best)
