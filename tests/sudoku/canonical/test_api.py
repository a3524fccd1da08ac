"""Canonical forms and automorphisms: compared with brute force, and unchanged by symmetries."""

import math
import random
import threading

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.canonical import api
from scripts.fuzzing.boards import find_canonical_forms
from tests.helpers import oracles
from tests.helpers.boards import values_of
from tests.helpers.seeds import instances, seeded, seeds
from tests.helpers.symmetries import (
    cell_orders,
    count_automorphisms,
    minimal_board_by_rows,
    random_equivalent,
)

pytestmark = pytest.mark.compiled

# The complete board with the most symmetries, 648; it is the smallest of all complete boards.
MOST_SYMMETRIC = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"


def canonical_board(board, box):
    [form] = dlx.canonical(board[None], threads=1, box=box)
    return tuple(form.tolist())


def test_forms_are_minimal_and_those_of_equivalent_boards(tmp_path, monkeypatch):
    """Threads take a few boards at a time, and kernels return after a few segments."""
    monkeypatch.setattr(api, "MIN_SLICE_BOARDS", 2)
    monkeypatch.setattr(api, "SEGMENTS_PER_CALL", 1000)
    for seed in seeds(200, 6):
        find_canonical_forms(random.Random(seed), tmp_path)
    board, box = values_of("015200004300246100032010001405403526"), Box(3, 2)
    assert canonical_board(board, box) == minimal_board_by_rows(board, box)


SYMMETRIC = {
    "most symmetric": MOST_SYMMETRIC,
    "cyclic": "123456789456789123789123456234567891567891234891234567345678912678912345912345678",
    "one value": MOST_SYMMETRIC.translate(str.maketrans("23456789", "00000000")),
    "full band": MOST_SYMMETRIC[:27] + "0" * 54,
    "full row": "123456789" + "0" * 72,
    "three full rows": f"123456789{'0' * 18}456789123{'0' * 18}789123456{'0' * 18}",
    "diagonal boxes": "".join(
        "0" * (row // 3 * 3) + "123456789"[row % 3 * 3 :][:3] + "0" * (6 - row // 3 * 3)
        for row in range(9)
    ),
    "equal values": "1" * 81,
    "one given": "0" * 40 + "5" + "0" * 40,
    "empty": "0" * 81,
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_boards(name):
    """These boards have the most transformations that produce the same form."""
    box = Box(3, 3)
    board = values_of(SYMMETRIC[name])
    form = canonical_board(board, box)
    if np.count_nonzero(board) > 0 and name not in ("one given", "full row"):
        assert form == minimal_board_by_rows(board, box)
    rng = random.Random(seeded(6))
    for _ in range(10):
        assert canonical_board(random_equivalent(board, box, rng), box) == form
    assert canonical_board(np.array(form, np.uint8), box) == form


def test_forms_do_not_depend_on_the_alphabet():
    form = dlx.canonical("A.....C..D.....B", alphabet="A-")
    assert form.translate(str.maketrans("ABCD", "1234")) == dlx.canonical("1.....3..4.....2")


def test_symmetric_boards_get_more_memory(monkeypatch):
    boards = np.array([values_of(text) for text in SYMMETRIC.values()])
    expected = dlx.canonical(boards)
    monkeypatch.setattr(api, "MIN_MAPS", 2)
    assert np.array_equal(dlx.canonical(boards), expected)


@pytest.mark.parametrize("threads", [1, 2])
def test_too_symmetric_boards_are_errors(monkeypatch, threads):
    monkeypatch.setattr(api, "MIN_SLICE_BOARDS", 2)
    monkeypatch.setattr(api, "MIN_MAPS", 16)
    monkeypatch.setattr(api, "MAX_BYTES", 2 * 47 * 256)
    boards = np.array([values_of("0" * 81)] * 5 + [values_of(MOST_SYMMETRIC)] * 2)
    with pytest.raises(ValueError, match=r"^puzzle 5: too symmetric"):
        dlx.canonical(boards, threads)
    forms, errors = dlx.canonical([None, *boards], threads, errors="mark")
    assert list(errors) == [0, 6, 7]
    assert errors[7].startswith("too symmetric")
    assert np.array_equal(forms[1:6], dlx.canonical(boards[:5]))
    assert not forms[[0, 6, 7]].any()


def test_large_boxes_are_rejected():
    with pytest.raises(ValueError, match="box 1x9: canonical forms need boxes of up to 8 rows"):
        dlx.canonical(np.zeros((1, 81), np.uint8), box=(1, 9))


def boards_with_symmetries(box, count):
    """Return boards with few values, few givens, or contradictory givens, and complete ones."""
    rng = random.Random(seeded(21))
    boards = []
    for number in range(count):
        board = oracles.random_board(box, rng, rng.randint(0, box.cells))
        if number % 3 == 0:
            cells = rng.choices(range(box.cells), k=rng.randint(0, box.cells))
            board[cells] = [rng.randint(0, rng.randint(1, box.n)) for _ in cells]
        if number % 4 == 2:
            board[~np.isin(board, rng.sample(range(1, box.n + 1), rng.randint(1, 3)))] = 0
        boards.append(board)
    return boards


@pytest.mark.parametrize("box", [Box(2, 2), Box(1, 4), Box(4, 1), Box(2, 3), Box(3, 2)], ids=str)
def test_numbers_of_automorphisms_are_those_of_brute_force(box):
    orders = cell_orders(box)
    count = instances(3000) if box.n == 4 else instances(200, 10)
    boards = np.array([*boards_with_symmetries(box, count), np.zeros(box.cells, np.uint8)])
    expected = [count_automorphisms(board, orders) for board in boards]
    assert len(set(expected)) > 2
    assert dlx.automorphisms(boards, box=box).tolist() == expected


def test_known_numbers_of_automorphisms():
    assert dlx.automorphisms("1" + "." * 80).tolist() == [3_359_232 // 81]
    assert (dlx.automorphisms(dlx.generate(200, seed=1)) == 1).mean() > 0.9
    assert set(dlx.automorphisms(dlx.transform([MOST_SYMMETRIC] * 50, 3))) == {648}


def test_automorphisms_of_large_boards():
    assert dlx.automorphisms(np.zeros((1, 400), int)).tolist() == [
        math.factorial(5) * math.factorial(4) ** 5 * math.factorial(4) * math.factorial(5) ** 4
    ]
    with pytest.raises(ValueError, match="puzzle 0: too symmetric"):
        dlx.automorphisms(np.zeros((1, 625), int))


def test_automorphisms_of_stopped_and_empty_batches():
    stop = threading.Event()
    stop.set()
    with pytest.raises(dlx.Stopped, match="stopped after 0 of 2 puzzles") as caught:
        dlx.automorphisms(["." * 81] * 2, stop=stop)
    assert caught.value.partial.shape == (0,)
    assert dlx.automorphisms([]).tolist() == []
