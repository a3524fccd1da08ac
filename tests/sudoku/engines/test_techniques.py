"""The techniques in lanes: their candidates, compared with the oracle; see also test_rating.py."""

import numpy as np
import pytest

from dlx_numba import solve_batch
from dlx_numba.jit.namespaces import plain_python
from dlx_numba.jit.simd import N_LANES, allocate_rows
from dlx_numba.runtime.choices import CLASSES
from dlx_numba.sudoku.engines import classify
from dlx_numba.sudoku.engines.classify import EASY, EXPERT, INTERMEDIATE, SIMPLE
from dlx_numba.sudoku.engines.lanes import CANDIDATES
from dlx_numba.sudoku.engines.techniques import (
    ALLOWS_ALL,
    ALLOWS_HIDDEN,
    N_SCRATCH_ROWS,
    eliminate,
    eliminate_x_wings,
    place_singles,
)
from scripts.puzzles import read_boards
from tests.helpers import DATA


def classify_boards(boards, hardest=INTERMEDIATE):
    result = np.zeros(len(boards), np.uint8)
    classify.classify_lanes(boards, hardest, *classify.allocate_workspace(), result)
    return result


@pytest.mark.parametrize("hardest", [SIMPLE, EASY], ids=["simple", "easy"])
def test_harder_boards_are_given_up(hardest):
    boards = np.concatenate([read_boards(DATA / f"{name}.txt")[:12] for name in CLASSES[1:]])
    complete = classify_boards(boards)
    expected = np.where(complete <= hardest, complete, EXPERT)
    assert classify_boards(boards, hardest).tolist() == expected.tolist()


def test_other_lanes_are_not_changed():
    boards = read_boards(DATA / "intermediate.txt")[:N_LANES]
    cells, scratch = allocate_rows(81), allocate_rows(N_SCRATCH_ROWS)
    cells[:, : len(boards)] = CANDIDATES[boards.T]
    before = cells.copy()
    plain_python(eliminate)(cells, scratch)
    assert (cells == before).all()


def test_x_wings_remove_no_value_of_the_solution():
    boards = read_boards(DATA / "expert.txt")[:N_LANES]
    cells, scratch = allocate_rows(81), allocate_rows(N_SCRATCH_ROWS)
    cells[:], scratch[[ALLOWS_ALL, ALLOWS_HIDDEN]] = CANDIDATES[boards.T], 0xFFFF
    n_removed = 0
    for _ in range(20):
        plain_python(place_singles)(cells, scratch)
        plain_python(eliminate)(cells, scratch)
        before = cells.copy()
        plain_python(eliminate_x_wings)(cells, scratch)
        n_removed += np.count_nonzero(cells != before)
    assert n_removed > 0
    assert (cells & CANDIDATES[solve_batch(boards).solutions.T] > 0).all()
