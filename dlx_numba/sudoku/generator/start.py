"""Prepare the removal of clues: their order, and the symmetries of puzzles."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...runtime.choices import SYMMETRIES
from ..box import Box
from .grids import fill_grid, random_below, shuffle
from .removal import MIN_CLUES, N_CLUES, N_ORBITS, POSITION
from .uniform import fill_9x9

# qqwing's names. "mirror" exchanges left and right, "flip" top and bottom; "random" is one of the
# others except "none", for each puzzle.
RANDOM_SYMMETRY = SYMMETRIES.index("random")
N_RANDOM_SYMMETRIES = 4


class Orbits(NamedTuple):
    """The orbits of the cells under each symmetry except "random"."""

    cells: NDArray[np.uint32]  # (5, cells) the cells, orbit by orbit
    ends: NDArray[np.uint32]  # (5, cells + 1) the end of each orbit, after a 0
    numbers: NDArray[np.int64]  # (5,) the number of orbits


def find_orbits(box: Box) -> Orbits:
    """Return the orbits of the cells of a board.

    Examples
    --------
    >>> find_orbits(Box(3, 3)).numbers.tolist()
    [81, 21, 41, 45, 45]
    """
    grid = np.arange(box.cells).reshape(box.n, box.n)
    images = [  # in the order of `SYMMETRIES`
        [grid],
        [np.rot90(grid, turns) for turns in range(4)],
        [grid, np.rot90(grid, 2)],
        [grid, grid[:, ::-1]],
        [grid, grid[::-1]],
    ]
    cells = np.zeros((len(images), box.cells), np.uint32)
    ends = np.zeros((len(images), box.cells + 1), np.uint32)
    numbers = np.zeros(len(images), np.int64)
    for symmetry, transformed in enumerate(images):
        # The cells of an orbit are those with the same smallest image.
        smallest = np.min([image.ravel() for image in transformed], axis=0)
        cells[symmetry] = np.argsort(smallest, kind="stable")
        sizes = np.unique(smallest, return_counts=True)[1]
        numbers[symmetry] = len(sizes)
        ends[symmetry, 1 : 1 + len(sizes)] = np.cumsum(sizes)
    return Orbits(cells, ends, numbers)


@njit
def start_puzzles(
    random, search, uniform, removal, orbits, symmetry, rows, columns, least, most, full
):
    """Fill grids at random, and prepare the removal of their clues in random order.

    Parameters
    ----------
    random : ndarray of uint64, shape (N, 2)
        The generators of the random numbers, by puzzle. Written.
    search : GridSearch
        Working memory. Written.
    uniform : UniformSearch
        Working memory for 9×9. Written.
    removal : Removal
        The puzzles. Written.
    orbits : Orbits
        The orbits of the cells.
    symmetry : int
        The index of the symmetry in `SYMMETRIES`.
    rows, columns : int
        The dimensions of a box.
    least, most : int
        The range of the random number of clues that are kept in any case.
    full : bool
        Whether `removal` has the grids already.
    """
    is_9x9 = rows == 3 and columns == 3
    shuffled = search.empty  # no grid is being filled when orbits are shuffled
    cells = len(shuffled)
    for puzzle in range(len(random)):
        stream = random[puzzle]
        grid = removal.grids[puzzle]
        if is_9x9 and not full:
            fill_9x9(stream, uniform, grid)
        elif not full:
            fill_grid(stream, search, grid)
        for cell in range(cells):
            removal.boards[puzzle, cell] = grid[cell]
        kind = symmetry  # that of this puzzle
        if symmetry == RANDOM_SYMMETRY:
            kind = 1 + np.int64(random_below(stream, N_RANDOM_SYMMETRIES))
        n_orbits = orbits.numbers[kind]
        for orbit in range(n_orbits):
            shuffled[orbit] = orbit
        shuffle(shuffled, n_orbits, stream)
        n_ordered = 0
        for position in range(n_orbits):
            orbit = shuffled[position]
            for index in range(orbits.ends[kind, orbit], orbits.ends[kind, orbit + 1]):
                removal.order[puzzle, n_ordered] = orbits.cells[kind, index]
                n_ordered += 1
            removal.ends[puzzle, position] = n_ordered
        fields = removal.fields[puzzle]
        fields[N_ORBITS] = n_orbits
        fields[POSITION] = 0
        fields[N_CLUES] = cells
        fields[MIN_CLUES] = least + np.int64(random_below(stream, most - least + 1))


@njit
def shuffle_clues(random, removal):
    """Permute the clues of each puzzle of `removal`, none of which have orbits, at random.

    `random` (N, 2) uint64 has the generators of the random numbers. The generator 0, with which
    there are no random numbers, leaves the order as it is.
    """
    for puzzle in range(len(random)):
        if random[puzzle, 0] | random[puzzle, 1] != 0:
            shuffle(removal.order[puzzle], removal.fields[puzzle, N_CLUES], random[puzzle])
