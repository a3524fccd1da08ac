"""The removal of clues: the same as testing one orbit of clues after another."""

import numpy as np
import pytest

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.generator import removal as removal_module
from dlx_numba.sudoku.generator.reduce import Reducer
from dlx_numba.sudoku.generator.start import SYMMETRIES
from dlx_numba.sudoku.generator.stream import random_states
from dlx_numba.sudoku.rating import classes
from tests.helpers.removal import remove_in_order, solution_counts
from tests.helpers.seeds import seeded

# Boxes, and the class whose techniques must solve the puzzles; 0 for a single solution
REQUIREMENTS = [(Box(2, 2), 0), (Box(2, 3), 0), (Box(2, 4), 0), *((Box(3, 3), k) for k in range(4))]


def orbits_of(reducer, puzzle):
    """The orbits of a puzzle in the order in which they were considered."""
    removal = reducer.removal
    n_orbits = removal.fields[puzzle, removal_module.N_ORBITS]
    return np.split(removal.order[puzzle], removal.ends[puzzle, : n_orbits - 1].tolist())


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize(("box", "hardest"), REQUIREMENTS, ids=str)
def test_result_is_that_of_single_removals(box, hardest, symmetry):
    def is_valid(board):
        if hardest:
            return 0 < classes(board[None])[0] <= hardest
        return solution_counts([board], box) == [1]

    reducer, code = Reducer(box, 4, hardest), SYMMETRIES.index(symmetry)
    random = random_states(seeded(1), 0, 4)
    puzzles, grids = reducer.generate(random, code, 0, 0, lambda: False)
    for number, (puzzle, grid) in enumerate(zip(puzzles, grids, strict=True)):
        expected = remove_in_order(grid, orbits_of(reducer, number), is_valid)
        assert puzzle.tolist() == expected.tolist()
