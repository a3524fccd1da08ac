"""The techniques in lanes: classes, candidates and numbers of steps, compared with the oracle."""

import random

import numpy as np
import pytest

from dlx_numba import solve_batch
from dlx_numba.jit.simd import N_LANES, allocate_rows
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import classify, count_steps
from dlx_numba.sudoku.engines.classify import CLASSES, EASY, EXPERT, INTERMEDIATE, SIMPLE
from dlx_numba.sudoku.engines.lanes import CANDIDATES
from dlx_numba.sudoku.engines.techniques import (
    ALLOWS_ALL,
    ALLOWS_HIDDEN,
    N_SCRATCH_ROWS,
    eliminate,
    place_singles,
)
from tests.helpers import DATA, oracles
from tests.helpers.boards import values_of
from tests.helpers.rating import apply_techniques, slow_rating
from tests.helpers.seeds import seeded

PER_CLASS = 12
GRID = [(row, column) for row in range(9) for column in range(9)]


def known_boards(name, number=PER_CLASS):
    """Return puzzles of a class, as qqwing rated them."""
    lines = (DATA / f"{name}.txt").read_text().split()[:number]
    return np.array([*map(values_of, lines)])


def valid_boards():
    """Return the known boards of all classes, and random ones with additional clues."""
    boards = np.concatenate([known_boards(name) for name in CLASSES[1:]])
    rng = random.Random(seeded(1))
    more = boards.copy()
    for board, solution in zip(more, solve_batch(boards, threads=1).solutions, strict=True):
        for cell in rng.sample(range(81), rng.randint(1, 6)):
            board[cell] = solution[cell]
    return np.concatenate([boards, more])


def classify_boards(boards, hardest=INTERMEDIATE):
    result = np.zeros(len(boards), np.uint8)
    classify.classify_lanes(boards, hardest, *classify.allocate_workspace(), result)
    return result


def test_classes_equal_those_of_the_oracle():
    boards = valid_boards()
    found = [CLASSES[code] for code in classify_boards(boards)]
    assert found == [slow_rating(board)[0] for board in boards.tolist()]


@pytest.mark.parametrize("hardest", [SIMPLE, EASY], ids=["simple", "easy"])
def test_harder_boards_are_given_up(hardest):
    boards = valid_boards()
    complete = classify_boards(boards)
    expected = np.where(complete <= hardest, complete, EXPERT)
    assert classify_boards(boards, hardest).tolist() == expected.tolist()


@pytest.mark.parametrize("number", [0, 1, N_LANES, N_LANES + 1])
def test_any_number_of_boards_is_classified(number):
    boards = np.resize(known_boards("easy"), (number, 81))
    assert classify_boards(boards).tolist() == [EASY] * number


def test_boards_without_a_unique_solution_are_not_solved():
    several = np.zeros(81, np.uint8)
    same_digit = known_boards("simple", 1)[0]
    same_digit[np.flatnonzero(same_digit[:9] == 0)[:2]] = same_digit[:9].max()
    complete = oracles.random_solution(Box(3, 3), random.Random(seeded(2)))
    wrong = complete.copy()
    wrong[[0, 1]] = wrong[[1, 0]]
    boards = np.stack([several, same_digit, wrong, complete])
    assert classify_boards(boards).tolist() == [EXPERT, EXPERT, EXPERT, SIMPLE]


def test_all_techniques_together_leave_the_candidates_of_the_oracle():
    boards = known_boards("expert", N_LANES)
    cells, scratch = allocate_rows(81), allocate_rows(N_SCRATCH_ROWS)
    cells[:, : len(boards)] = CANDIDATES[boards.T]
    scratch[[ALLOWS_HIDDEN, ALLOWS_ALL]] = 0xFFFF
    before = np.zeros_like(cells)
    while (cells != before).any():
        before[:] = cells
        place_singles(cells, scratch)
        eliminate(cells, scratch)
    for lane, board in enumerate(boards.tolist()):
        candidates, _ = apply_techniques(board)
        expected = [sum(1 << (digit - 1) for digit in candidates[cell]) for cell in GRID]
        assert cells[:, lane].tolist() == expected


def test_other_lanes_are_not_changed():
    boards = known_boards("intermediate", N_LANES)
    cells, scratch = allocate_rows(81), allocate_rows(N_SCRATCH_ROWS)
    cells[:, : len(boards)] = CANDIDATES[boards.T]
    before = cells.copy()
    eliminate(cells, scratch)
    assert (cells == before).all()


def test_steps_equal_those_of_the_oracle():
    boards = valid_boards()
    counts = np.zeros((len(boards), count_steps.N_COUNTS), np.uint8)
    count_steps.count_steps(boards, *count_steps.allocate_workspace(), counts)
    for board, found in zip(boards.tolist(), counts.tolist(), strict=True):
        assert found == list(slow_rating(board)[1].values())
