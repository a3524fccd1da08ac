"""Random grids: valid and reproducible, and of 9×9, uniform."""

from collections import Counter
from functools import cache
from math import factorial

import numpy as np
import pytest

from dlx_numba.sudoku.box import Box, units
from dlx_numba.sudoku.generator.grids import allocate_grid_search, fill_grid
from dlx_numba.sudoku.generator.stream import random_words
from dlx_numba.sudoku.generator.uniform import (
    MAX_COMPLETIONS,
    N_DIVISIONS,
    allocate_uniform_search,
    fill_9x9,
)


def random_grids(box, number):
    """Return grids, and what the kernel returned for each."""
    if box == Box(3, 3):
        fill, search = fill_9x9, allocate_uniform_search()
    else:
        fill, search = fill_grid, allocate_grid_search(box)
    grids = np.zeros((number, box.cells), np.uint8)
    states = random_words(1, 0, number)
    return grids, [fill(state, search, grid) for state, grid in zip(states, grids, strict=True)]


@cache
def uniform_grids():
    return random_grids(Box(3, 3), 20_000)


@pytest.mark.parametrize(
    "box", [Box(2, 2), Box(2, 3), Box(3, 2), Box(3, 3), Box(3, 4), Box(1, 5), Box(4, 4)], ids=str
)
def test_each_unit_contains_each_value(box):
    grids, _ = random_grids(box, 20 if box.n < 10 else 2)
    for unit in units(box):
        assert (np.sort(grids[:, unit], axis=1) == np.arange(1, box.n + 1)).all()
    assert len(np.unique(grids, axis=0)) > 1


@pytest.mark.compiled
def test_small_grids_are_nearly_uniform():
    counts = Counter(map(bytes, random_grids(Box(2, 2), 28_800)[0]))
    assert len(counts) == 288
    # Each is drawn 100 times on average; the choices of the search differ by up to a half.
    assert min(counts.values()) > 40
    assert max(counts.values()) < 200


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("chute", range(6))
def test_each_way_to_fill_a_chute_is_equally_likely(chute):
    """The digits of each line of a box are together in the next box in 2 of 56 ways."""
    grids = uniform_grids()[0].reshape(-1, 9, 9)
    if chute >= 3:
        grids = grids.transpose(0, 2, 1)
    first, *others = range(3 * (chute % 3), 3 * (chute % 3) + 3)
    digits = np.sort(grids[:, first, :3], axis=1)
    together = sum(
        (np.sort(grids[:, line, 3:6], axis=1) == digits).all(axis=1).mean() for line in others
    )
    assert abs(together - 2 / 56) < 0.006  # more than four standard deviations


@pytest.mark.slow
@pytest.mark.compiled
def test_completions_are_counted():
    """The number of starts agrees with the number of grids (Felgenhauer and Jarvis, 2005)."""
    _, starts = uniform_grids()
    ways_to_fill_a_chute = N_DIVISIONS * 6**6
    completions = 6_670_903_752_021_072_936_960 / factorial(9) / ways_to_fill_a_chute**2
    expected = MAX_COMPLETIONS / (completions / N_DIVISIONS)
    assert abs(np.mean(starts) - expected) < 0.12  # nearly five standard deviations
