"""Random complete grids, by a randomized search, and the random numbers of the kernels.

The search fills the empty cell that has the fewest candidates with one of them, at random. A search
that takes long starts again, because few unlucky choices at its beginning would cost most of the
time; each may take longer than the one before, so one of them ends. So not all grids are equally
likely; for 9×9, `uniform` has another method.

The functions share these parameters: `search`, a `GridSearch`, which is written; `random` (2,)
uint64, the generator of the random numbers, which is advanced; `all_values` uint64, bit value - 1
of each value; `cell` and `depth`, uintp.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import inlined, njit
from ...jit.intrinsics import count_bits, lowest_bit
from ..box import Box
from ..engines.board_links import unit_numbers

STEPS_PER_CELL = 8  # a search that takes more steps than this starts again; later ones take more

ONE = np.uint64(1)


class GridSearch(NamedTuple):
    """The arrays of `fill_grid`."""

    unit_of: NDArray[np.uint32]  # (cells, 3) see `unit_numbers`
    used: NDArray[np.uint64]  # (3 n,) the values in each row, column and box; bit value - 1
    empty: NDArray[np.uint32]  # (cells,) the cells: first those that are filled, in order
    untried: NDArray[np.uint64]  # (cells,) the candidates of the filled cells that are not tried


def allocate_grid_search(box: Box) -> GridSearch:
    """Return the arrays for grids of a box."""
    return GridSearch(
        unit_numbers(box),
        np.zeros(3 * box.n, np.uint64),
        np.zeros(box.cells, np.uint32),
        np.zeros(box.cells, np.uint64),
    )


@inlined
def random_below(random, bound):
    """Return a random number below `bound`, at most 2**32, and advance the generator.

    `random` (2,) uint64 is an xorshift generator with 128 bits (Marsaglia), which
    must not be zero.
    """
    x = random[0]
    y = random[1]
    x ^= x << 23
    x = x ^ y ^ (x >> 18) ^ (y >> 5)
    random[0] = y
    random[1] = x
    return ((x >> 32) * np.uint64(bound)) >> 32


@inlined
def shuffle(numbers, size, random):
    """Permute the first `size` numbers at random."""
    for left in range(size, 1, -1):
        other = random_below(random, left)
        numbers[left - 1], numbers[other] = numbers[other], numbers[left - 1]


@inlined
def select_bit(mask, number):
    """Return the position of a bit set in `mask`, which follows `number` others."""
    for _ in range(number):
        mask &= mask - ONE
    return lowest_bit(mask)


@inlined
def _flip(search, cell, bit):
    """Add a value to the sets of a cell, or remove it."""
    for kind in range(3):
        search.used[search.unit_of[cell, kind]] ^= bit


@inlined
def _candidates(search, cell, all_values):
    """Return the values that no other cell in a unit of the cell has, as bits."""
    candidates = all_values
    for kind in range(3):
        candidates &= ~search.used[search.unit_of[cell, kind]]
    return candidates


@inlined
def _choose_cell(search, depth, all_values):
    """Move the empty cell with the fewest candidates to position `depth`; return these candidates.

    The empty cells are those from this position on.
    """
    empty = search.empty
    best = depth
    least = 65  # more than there can be
    candidates = np.uint64(0)
    for position in range(depth, len(empty)):
        values = _candidates(search, empty[position], all_values)
        size = count_bits(values)
        if size < least:
            best = position
            least = size
            candidates = values
            if least <= 1:
                break
    empty[depth], empty[best] = empty[best], empty[depth]
    return candidates


@njit
def fill_grid(random, search, grid):
    """Fill a grid at random.

    Parameters
    ----------
    random : ndarray of uint64, shape (2,)
        The generator of the random numbers. Written.
    search : GridSearch
        Working memory for the box of the grid. Written.
    grid : ndarray of uint8, shape (cells,)
        The grid. Written.

    Returns
    -------
    int
        The number of values that the search has placed.
    """
    used = search.used
    empty = search.empty
    untried = search.untried
    n = len(used) // 3
    cells = len(empty)
    all_values = ~np.uint64(0) >> (64 - n)
    n_placed = max_placed = 0
    depth = -1
    while depth < cells:
        if depth < 0 or n_placed > max_placed:  # start, or restart a search that takes long
            used[:] = 0
            for cell in range(cells):
                empty[cell] = cell
            depth = 0
            # Each search may take longer than the one before, by a part of all steps so far.
            max_placed = n_placed + STEPS_PER_CELL * cells + n_placed // STEPS_PER_CELL
            untried[depth] = _choose_cell(search, depth, all_values)
        left = untried[depth]  # the candidates that are left
        if left == 0:  # go back, and take the value of the cell before
            depth -= 1
            if depth >= 0:
                cell = empty[depth]
                _flip(search, cell, ONE << (grid[cell] - 1))
            continue
        value = select_bit(left, random_below(random, count_bits(left)))
        bit = ONE << value
        untried[depth] = left ^ bit
        cell = empty[depth]
        grid[cell] = value + 1
        _flip(search, cell, bit)
        n_placed += 1
        depth += 1
        if depth < cells:
            untried[depth] = _choose_cell(search, depth, all_values)
    return n_placed
