"""Verification of the solutions and counts that a file states."""

import io

import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.io.read import read_boards
from dlx_numba.sudoku.verify import verify_claims

SOLUTION = "1234341221434321"
UNIQUE = "12..34..2..3..2."
EMPTY = "." * 16
HEADER = "puzzle,solution,solution count\n"


def claims(text, limit):
    [records] = read_boards(io.BytesIO(text.encode()))
    return verify_claims(records, dlx.solve_batch(records.boards, limit=limit), limit)


def test_correct_claims():
    other = "2143432112343412"  # not the first solution of the empty board
    text = f"{HEADER}{UNIQUE},{SOLUTION},1\n{EMPTY},{other},288\n{UNIQUE},,\n"
    assert claims(text, 1000) == []


def test_wrong_solution():
    wrong = SOLUTION[::-1][1:] + "1"
    reason = "the solution given in the file does not solve the puzzle"
    assert claims(f"{HEADER}{EMPTY},{SOLUTION},\n{EMPTY},{wrong},\n", 1) == [(3, reason)]


@pytest.mark.parametrize(
    ("puzzle", "stated", "limit", "reason"),
    [
        (UNIQUE, 2, 2, "the file states 2 solutions, but 1 was found"),
        (EMPTY, 1, 1000, "the file states 1 solution, but 288 were found"),
        (EMPTY, 2, 3, "the file states 2 solutions, but at least 3 were found"),
        ("11" + "." * 14, 5, 9, "the file states 5 solutions, but 0 were found"),
    ],
)
def test_wrong_count(puzzle, stated, limit, reason):
    assert claims(f"{HEADER}{puzzle},,{stated}\n", limit) == [(2, reason)]


def test_counts_above_the_limit_are_not_compared():
    assert claims(f"{HEADER}{EMPTY},,500\n", 100) == []
    assert claims(f"{HEADER}{UNIQUE},,5\n", 1) == []
