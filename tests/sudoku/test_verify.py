"""Verification of the solutions and counts that a file states."""

import io
import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.symbols import Alphabet
from dlx_numba.sudoku.verify import are_solutions, find_conflicts, verify_claims
from tests.helpers import oracles
from tests.helpers.seeds import seeded

SOLUTION = "1234341221434321"
UNIQUE = "12..34..2..3..2."
EMPTY = "." * 16
ABCD = Alphabet("A-", 4)
HEADER = "puzzle,solution,solution count\n"


def claims(text, limit):
    [records] = read_records(io.BytesIO(text.encode()))
    return verify_claims(records, dlx.solve_batch(records.boards, limit=limit), limit)


@pytest.mark.parametrize(
    ("cells", "conflict"),
    [
        ([0, 3], "two Cs in row 1"),
        ([1, 9], "two Cs in column 2"),
        ([10, 15], "two Cs in box 4"),
        ([0, 1, 4, 5], "two Cs in row 1"),
        ([0, 6, 9, 15], None),
    ],
)
def test_conflicts(cells, conflict):
    boards = np.zeros((2, 16), np.uint8)
    boards[1, cells] = 3
    found = list(find_conflicts(boards, Box(2, 2), ABCD))
    assert found == ([(1, conflict)] if conflict else [])


def test_correct_claims():
    other = "2143432112343412"  # not the first solution of the empty board
    text = f"{HEADER}{UNIQUE},{SOLUTION},1\n{EMPTY},{other},288\n{UNIQUE},,\n"
    assert claims(text, 1000) == []


@pytest.mark.parametrize(
    ("puzzle", "stated", "limit", "reason"),
    [
        (UNIQUE, 2, 2, "the file gives 2 solutions, but 1 was found"),
        (EMPTY, 1, 1000, "the file gives 1 solution, but 288 were found"),
        (EMPTY, 2, 3, "the file gives 2 solutions, but at least 3 were found"),
        ("11" + "." * 14, 5, 9, "the file gives 5 solutions, but 0 were found"),
        (EMPTY, 500, 100, None),  # counts above the limit are not compared
        (UNIQUE, 5, 1, None),
    ],
)
def test_wrong_count(puzzle, stated, limit, reason):
    expected = [(2, reason)] if reason else []
    assert claims(f"{HEADER}{puzzle},,{stated}\n", limit) == expected


@pytest.mark.parametrize("box", [Box(3, 3), Box(4, 8), Box(3, 11), Box(7, 9), Box(8, 8)], ids=str)
def test_solutions_of_all_sizes(box):
    rng = random.Random(seeded(1))
    solution = oracles.random_solution(box, rng)
    empty = np.zeros((3, box.cells), np.uint8)
    wrong = np.array([solution] * 3)
    wrong[1, :2] = wrong[1, 1::-1]
    wrong[2, 0] = 0
    assert are_solutions(wrong, empty, box).tolist() == [True, False, False]
    assert not are_solutions(np.full((1, box.cells), 255, np.uint8), empty[:1], box)
