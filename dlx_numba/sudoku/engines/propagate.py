"""Constraint propagation on 32 boards at once.

`cells` (81, 32) has one row for each cell and one lane for each board. An element is the set of
the candidates of a cell: bit d for digit d + 1. There are no branches: the same instructions apply
to all boards.

The propagation uses *triads*, the three cells that a line (row or column) and a box share, and
*chutes*, three boxes side by side (a band) or one above the other (a stack). In a chute, a digit
is placed in one triad of each line and in one triad of each box, which leaves six patterns. A triad
that occurs in none of the patterns that are still possible cannot contain the digit. This rule
takes three operations per triad. It subsumes locked candidates for all digits at once, including
digits that can be placed in one triad only.

The functions share these parameters: `cells` (81, 32) uint16, which may be written; `first`, the
first cell of a triad, line or chute, and `across` and `along`, the distances between lines and
between the cells of a line, uintp. All others, and the results, are vectors of 32 lanes of uint16:
sets of digits; `ones`, a one in each lane. Only `hidden` is a constant: whether hidden singles are
placed.
"""

import numpy as np

from ...jit import inlined, njit
from ...jit.simd import (
    align_stack,
    compiler_barrier,
    lanes_equal,
    load,
    minimum,
    popcount_lanes,
    splat,
    store,
    where_zero,
)

ALL_DIGITS = 511  # the set of the nine digits
SOLVED_TOTAL = 9 * ALL_DIGITS  # the sum of all 81 cells of a solved board

# Rows of `scratch`, the other vectors of the search
TOTAL = 0  # the sum of the cells after this sweep
PREVIOUS_TOTAL = 1  # the sum of the cells before it
ONES = 2  # a one in every lane; not written
N_SCRATCH_ROWS = 3


@inlined
def _load_triad(cells, first, along):
    """Return the candidates of a triad."""
    return load(cells, first) | load(cells, first + along) | load(cells, first + along + along)


@inlined
def load_line(cells, first, along):
    """Return the candidates of the three triads of a line, whose cells are `along` rows apart."""
    step = along + along + along
    return (
        _load_triad(cells, first, along),
        _load_triad(cells, first + step, along),
        _load_triad(cells, first + step + step, along),
    )


@inlined
def load_chute(cells, first, across, along):
    """Return the candidates of the triads of the three lines of a chute."""
    second = first + across
    return (
        load_line(cells, first, along),
        load_line(cells, second, along),
        load_line(cells, second + across, along),
    )


@inlined
def possible_in(line, other, another):
    """Return what the triads of a line of a chute can contain: the digits that are in a pattern."""
    a0, a1, a2 = line
    b0, b1, b2 = other
    c0, c1, c2 = another
    return a0 & (b1 & c2 | b2 & c1), a1 & (b0 & c2 | b2 & c0), a2 & (b0 & c1 | b1 & c0)


@inlined
def _add_decided(cell, digits, ones):
    """Return `digits` with the digit of `cell` if the cell is decided.

    The sum, a single masked instruction, equals the union unless a digit occurs twice, which
    happens on contradictory boards only.
    """
    return where_zero(cell & (cell - ones), digits + cell, digits)


@inlined
def _triad(cells, first, along, ones):
    """Return the candidates of a triad and the digits that are decided in it."""
    a = load(cells, first)
    b = load(cells, first + along)
    c = load(cells, first + along + along)
    decided = _add_decided(c, _add_decided(b, _add_decided(a, splat(0), ones), ones), ones)
    return a | b | c, decided


@inlined
def _line(cells, first, along, ones):
    """Return the candidates of the triads of a line, without digits decided in another triad."""
    step = along + along + along
    x, in_x = _triad(cells, first, along, ones)
    y, in_y = _triad(cells, first + step, along, ones)
    z, in_z = _triad(cells, first + step + step, along, ones)
    return x & ~(in_y | in_z), y & ~(in_x | in_z), z & ~(in_x | in_y)


@inlined
def prefer(digits, preferred):
    """Return the digits that are preferred, or all if there are none."""
    kept = digits & preferred
    return where_zero(kept, digits, kept)


@inlined
def _narrow(cells, first, along, possible, required, hidden):
    """Restrict a triad to `possible`; return the sum and the minimum of its cells.

    Required are the digits that are possible in no other triad of the line. If these are three, no
    other digit is possible. If `hidden`, place each required digit that is a candidate of one cell
    only (a hidden single).
    """
    possible = where_zero(popcount_lanes(required) - splat(3), required, possible)
    a = load(cells, first) & possible
    b = load(cells, first + along) & possible
    c = load(cells, first + along + along) & possible
    if hidden:
        a, b, c = (
            prefer(a, required & ~(b | c)),
            prefer(b, required & ~(a | c)),
            prefer(c, required & ~(a | b)),
        )
    store(cells, first, a)
    store(cells, first + along, b)
    store(cells, first + along + along, c)
    return a + b + c, minimum(minimum(a, b), c)


@inlined
def _narrow_line(cells, first, along, possible, hidden):
    """Restrict the triads of a line; return the sum and the minimum of its cells."""
    step = along + along + along
    x, y, z = possible
    sum_x, min_x = _narrow(cells, first, along, x, x & ~(y | z), hidden)
    sum_y, min_y = _narrow(cells, first + step, along, y, y & ~(x | z), hidden)
    sum_z, min_z = _narrow(cells, first + step + step, along, z, z & ~(x | y), hidden)
    return sum_x + sum_y + sum_z, minimum(minimum(min_x, min_y), min_z)


@inlined
def _chute(cells, first, across, along, hidden, ones):
    """Propagate in one chute.

    Its lines are `across` rows of `cells` apart, and the cells of a line `along` rows. Returns the
    digits that can still be placed, and the sum and the minimum of the cells.
    """
    second = first + across
    third = second + across
    a = _line(cells, first, along, ones)
    b = _line(cells, second, along, ones)
    c = _line(cells, third, along, ones)
    # The registers do not suffice to keep the cells until their line is narrowed.
    compiler_barrier()
    in_a = possible_in(a, b, c)
    in_b = possible_in(b, a, c)
    in_c = possible_in(c, a, b)
    placeable = in_a[0] | in_a[1] | in_a[2]
    sum_a, min_a = _narrow_line(cells, first, along, in_a, hidden)
    sum_b, min_b = _narrow_line(cells, second, along, in_b, hidden)
    sum_c, min_c = _narrow_line(cells, third, along, in_c, hidden)
    return placeable, sum_a + sum_b + sum_c, minimum(minimum(min_a, min_b), min_c)


@njit
def propagate(cells, scratch):
    """Propagate once in every chute of every board (one sweep).

    Parameters
    ----------
    cells : ndarray of uint16, shape (81, 32)
        The candidates. Written.
    scratch : ndarray of uint16, shape (N_SCRATCH_ROWS, 32)
        Row `ONES` is read, and row `TOTAL` is written.

    Returns
    -------
    int
        The set of lanes whose board has no solution; bit i stands for lane i.

    Notes
    -----
    Candidates are only ever removed, so a board has changed if and only if its sum has. A board
    that has not changed, has no empty cell and has the sum `SOLVED_TOTAL` is solved: every digit
    has exactly one place in each column, and neither pass found a contradiction.

    Hidden singles are placed in the second pass only: the patterns of either pass preserve what the
    other one needs to find them, and placing them twice costs more than it saves.
    """
    align_stack()
    chutes = len(cells) // 27  # three; a constant would be unrolled, which is slower
    one = np.int64(1)
    nine = np.int64(9)
    # Given a constant, LLVM would test for one candidate by a population count, which is slower.
    ones = load(scratch, ONES)
    placeable = splat(ALL_DIGITS)
    for band in range(chutes):
        in_band, _, _ = _chute(cells, 27 * band, nine, one, False, ones)
        placeable = placeable & in_band
    total = splat(0)
    smallest_cell = splat(ALL_DIGITS)
    for stack in range(chutes):
        in_stack, sum_stack, min_stack = _chute(cells, 3 * stack, one, nine, True, ones)
        placeable = placeable & in_stack
        total = total + sum_stack
        smallest_cell = minimum(smallest_cell, min_stack)
    store(scratch, TOTAL, total)
    return lanes_equal(smallest_cell, splat(0)) | ~lanes_equal(placeable, splat(ALL_DIGITS))
