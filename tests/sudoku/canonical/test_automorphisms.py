"""Automorphisms: compared with brute force, and with published numbers of boards."""

import math
import random
import threading

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from tests.helpers import oracles
from tests.helpers.seeds import instances, seeded
from tests.helpers.symmetries import MOST_SYMMETRIC, cell_orders, count_automorphisms


def boards_with_symmetries(box, count, seed):
    """Return boards with few values, few givens, or contradictory givens, and complete ones."""
    rng = random.Random(seeded(seed))
    boards = []
    for number in range(count):
        board = oracles.random_board(box, rng, rng.randint(0, box.cells))
        if number % 3 == 0:
            cells = rng.choices(range(box.cells), k=rng.randint(0, box.cells))
            board[cells] = [rng.randint(0, rng.randint(1, box.n)) for _ in cells]
        if number % 4 == 2:
            board[~np.isin(board, rng.sample(range(1, box.n + 1), rng.randint(1, 3)))] = 0
        boards.append(board)
    return np.array(boards, np.uint8)


@pytest.mark.compiled
@pytest.mark.parametrize("box", [Box(2, 2), Box(1, 4), Box(4, 1), Box(2, 3), Box(3, 2)], ids=str)
def test_numbers_are_those_of_brute_force(box):
    orders = cell_orders(box)
    count = instances(3000) if box.n == 4 else instances(200, 10)
    boards = np.concatenate([boards_with_symmetries(box, count, 21), np.zeros((1, box.cells), int)])
    expected = [count_automorphisms(board.astype(np.uint8), orders) for board in boards]
    assert len(set(expected)) > 2
    assert dlx.automorphisms(boards, box=box).tolist() == expected
    assert expected[-1] == len(orders)


@pytest.mark.compiled
def test_known_numbers():
    assert dlx.automorphisms("1" + "." * 80).tolist() == [3_359_232 // 81]
    assert (dlx.automorphisms(dlx.generate(200, seed=1)) == 1).mean() > 0.9
    assert set(dlx.automorphisms(dlx.transform([MOST_SYMMETRIC] * 50, 3))) == {648}


@pytest.mark.compiled
def test_large_boards():
    assert dlx.automorphisms(np.zeros((1, 400), int)).tolist() == [
        math.factorial(5) * math.factorial(4) ** 5 * math.factorial(4) * math.factorial(5) ** 4
    ]
    with pytest.raises(ValueError, match="puzzle 0: too symmetric"):
        dlx.automorphisms(np.zeros((1, 625), int))


def test_stopped_and_empty_batches():
    stop = threading.Event()
    stop.set()
    with pytest.raises(dlx.Stopped, match="stopped after 0 of 2 puzzles") as caught:
        dlx.automorphisms(["." * 81] * 2, stop=stop)
    assert caught.value.partial.shape == (0,)
    assert dlx.automorphisms([]).tolist() == []
