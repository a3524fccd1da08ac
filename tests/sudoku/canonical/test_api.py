"""Canonical forms: compared with brute force, and unchanged by symmetries."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.canonical import api
from scripts.fuzzing.boards import find_canonical_forms
from tests.helpers.boards import values_of
from tests.helpers.seeds import seeded, seeds
from tests.helpers.symmetries import MOST_SYMMETRIC, minimal_board_by_rows, random_equivalent


def canonical_board(board, box):
    [form] = dlx.canonical(board[None], threads=1, box=box)
    return tuple(form.tolist())


@pytest.mark.compiled
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
    "three full rows": ("123456789" + "0" * 18 + "456789123" + "0" * 18 + "789123456" + "0" * 18),
    "diagonal boxes": "".join(
        "0" * (row // 3 * 3) + "123456789"[row % 3 * 3 :][:3] + "0" * (6 - row // 3 * 3)
        for row in range(9)
    ),
    "equal values": "1" * 81,
    "one given": "0" * 40 + "5" + "0" * 40,
    "empty": "0" * 81,
}


@pytest.mark.compiled
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


@pytest.mark.compiled
def test_forms_do_not_depend_on_the_alphabet():
    forms = dlx.canonical("1.....3..4.....2"), dlx.canonical("A.....C..D.....B", alphabet="A-")
    assert np.array_equal(*forms)


@pytest.mark.compiled
def test_symmetric_boards_get_more_memory(monkeypatch):
    boards = np.array([values_of(text) for text in SYMMETRIC.values()])
    expected = dlx.canonical(boards)
    monkeypatch.setattr(api, "MIN_MAPS", 2)
    assert np.array_equal(dlx.canonical(boards), expected)


@pytest.mark.compiled
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
