"""Random grids: valid, reproducible, and close to the uniform distribution."""

from collections import Counter

import numpy as np
import pytest

from dlx_numba.sudoku.box import Box, units
from dlx_numba.sudoku.generator.grids import allocate_grid_search, fill_grid
from dlx_numba.sudoku.generator.stream import random_states


def random_grids(box, number, seed=1):
    search = allocate_grid_search(box)
    grids = np.zeros((number, box.cells), np.uint8)
    for state, grid in zip(random_states(seed, 0, number), grids, strict=True):
        fill_grid(state, search, box == Box(3, 3), grid)
    return grids


@pytest.mark.parametrize(
    "box", [Box(2, 2), Box(2, 3), Box(3, 2), Box(3, 3), Box(3, 4), Box(1, 5), Box(4, 4)], ids=str
)
def test_each_unit_contains_each_value(box):
    grids = random_grids(box, 20 if box.n < 10 else 2)
    for unit in units(box):
        assert (np.sort(grids[:, unit], axis=1) == np.arange(1, box.n + 1)).all()
    assert len(np.unique(grids, axis=0)) > 1


def test_the_same_random_numbers_give_the_same_grids():
    assert (random_grids(Box(3, 3), 10) == random_grids(Box(3, 3), 20)[:10]).all()
    assert (random_grids(Box(3, 3), 10) != random_grids(Box(3, 3), 10, seed=2)).any()


@pytest.mark.compiled
def test_small_grids_are_nearly_uniform():
    counts = Counter(map(bytes, random_grids(Box(2, 2), 28_800)))
    assert len(counts) == 288
    # Each is drawn 100 times on average; the choices of the search differ by up to a half.
    assert min(counts.values()) > 40
    assert max(counts.values()) < 200


@pytest.mark.compiled
def test_first_band_is_uniform():
    grids = random_grids(Box(3, 3), 20_000).reshape(-1, 9, 9)
    for chute in (grids, grids.transpose(0, 2, 1)):
        first = np.sort(chute[:, 0, :3], axis=1)
        together = sum(
            (np.sort(chute[:, line, 3:6], axis=1) == first).all(axis=1).mean() for line in (1, 2)
        )
        assert abs(together - 2 / 56) < 0.006  # more than four standard deviations
