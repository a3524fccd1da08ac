"""`transform`: random equivalents of boards, uniform over all of them."""

import random
from collections import Counter

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku import transform as module
from dlx_numba.sudoku.box import Box
from tests.helpers import oracles
from tests.helpers.seeds import instances, seeded
from tests.helpers.symmetries import cell_orders

PUZZLE = "1.....3..4.....2"


@pytest.mark.parametrize("box", [Box(2, 2), Box(2, 3), Box(3, 2), Box(3, 3), Box(4, 4)], ids=str)
def test_images_are_equivalent(box):
    rng = random.Random(seeded(31))
    boards = np.array([oracles.random_board(box, rng, box.cells // 2) for _ in range(30)])
    images = dlx.transform(boards, 5, box=box)
    assert images.dtype == np.uint8
    assert (images != boards).any(axis=1).all()
    assert np.array_equal(dlx.canonical(images, box=box), dlx.canonical(boards, box=box))


def test_all_equivalent_boards_have_the_same_probability():
    """The chi-squared statistic, whose mean is the number of boards and whose variance is twice."""
    board = [1, 2, 3, 4] + [0, 1, 0, 0] + [0, 0, 2, 0] + [0] * 4
    [number] = dlx.automorphisms(board)
    n_equivalent = len(cell_orders(Box(2, 2))) * 24 // number
    mean = 15 + instances(80)
    images = dlx.transform([board] * (mean * n_equivalent), 7)
    counts = Counter(map(bytes, images))
    assert len(counts) == n_equivalent
    statistic = sum((count - mean) ** 2 / mean for count in counts.values())
    assert abs(statistic - n_equivalent) < 5 * (2 * n_equivalent) ** 0.5


def test_the_seed_and_the_number_determine_the_transformation(monkeypatch):
    boards = np.tile(dlx.generate(1, seed=1).puzzles, (100, 1))
    expected = dlx.transform(boards, 3)
    assert np.array_equal(dlx.transform(boards[:7], 3), expected[:7])
    assert not np.array_equal(dlx.transform(boards, 4), expected)
    assert not np.array_equal(dlx.transform(boards), dlx.transform(boards))
    monkeypatch.setattr(module, "BLOCK_BOARDS", 9)
    assert np.array_equal(dlx.transform(boards, 3), expected)
    assert dlx.transform([PUZZLE], 2**80).tolist() == dlx.transform([PUZZLE], 2**80).tolist()


def test_known_images():
    """Seeds keep their meaning in all versions."""
    image = [0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0]
    assert dlx.transform([PUZZLE], 1).tolist() == [image]


def test_empty_batches_and_invalid_arguments():
    assert dlx.transform([]).shape == (0, 81)
    assert dlx.transform("." * 16) == "." * 16
    for arguments, kind, reason in (
        (([PUZZLE], -1), ValueError, "seed must be 0 or more, or None for a random one, not -1"),
        (([PUZZLE], 1.5), TypeError, "seed must be an integer, or None for a random one, not 1.5"),
    ):
        with pytest.raises(kind, match=reason):
            dlx.transform(*arguments)


def test_a_string_remains_a_string():
    text = "1.....3..4.....2"
    assert dlx.minimize("1.2" + text[3:]) == text
    assert dlx.canonical(dlx.transform(text, seed=1)) == dlx.canonical(text)
    two = f"{text}\n{text}"
    assert [len(line) for line in dlx.transform(two, seed=1).split("\n")] == [16, 16]
    assert dlx.canonical([text]).shape == (1, 16)
