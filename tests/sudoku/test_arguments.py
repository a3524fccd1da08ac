"""Arguments of the functions for Sudoku: their types, alphabets and errors."""

import numpy as np
import pytest

import dlx_numba as dlx
from tests.helpers.boards import HARD


def test_alphabet_rejects_the_symbols_of_another():
    board = "." * 80
    for alphabet, symbol in (("A-I", "1"), ("0-8", "9"), ("1-9", "A"), ("1-9", "I")):
        reason = f"invalid symbol '{symbol}' in column 81"
        with pytest.raises(ValueError, match=reason):
            dlx.solve_sudoku(board + symbol, alphabet=alphabet)
        with pytest.raises(ValueError, match=f"puzzle 1: {reason}"):
            dlx.solve_batch([board + ".", board + symbol], alphabet=alphabet)
    with pytest.raises(ValueError, match="'9' is not a symbol of 0-8"):
        dlx.solve_sudoku(",".join(board + "9"), alphabet="0-8")


def test_alphabet_applies_to_strings_only():
    for function, puzzle in (
        (dlx.solve_batch, np.zeros((2, 81), int)),
        (dlx.solve_batch, [[0] * 81]),
        (dlx.solve_sudoku, np.zeros(81, np.uint8)),
        (dlx.iter_solutions, [[0] * 4] * 4),
    ):
        with pytest.raises(ValueError, match="alphabet '0-8' applies to strings, not to integers"):
            function(puzzle, alphabet="0-8")
    assert len(dlx.solve_batch([], alphabet="0-8").counts) == 0


def test_alphabet_is_determined_from_all_strings():
    def puzzle(symbol):
        return symbol + "1" + "." * 254

    # F is 15 in 1-9A-G; it is 16 in 0-9A-F, which a digit 0 or the caller selects.
    assert dlx.solve_batch([puzzle("F")]).solutions[0, 0] == 15
    hexadecimal = dlx.solve_batch([puzzle("F"), puzzle("0")]).solutions
    assert hexadecimal[:, 0].tolist() == [16, 1]
    named = dlx.solve_batch([puzzle("F")], alphabet="0-9A-")
    assert named.solutions[0, 0] == 16
    assert sorted(dlx.solve_sudoku(puzzle("F"), alphabet="0-9A-")[:16]) == list("0123456789ABCDEF")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"box": (3,)}, r"box must be a pair of integers or a string such as '2x3', not \(3,\)"),
        ({"box": (3.0, 3)}, "box must be a pair"),
        ({"box": (True, 9)}, "box must be a pair"),
        ({"box": "3x"}, "box must be ROWSxCOLUMNS, such as 2x3, not '3x'"),
        ({"alphabet": 9}, "alphabet must be a string, not 9"),
        ({"alphabet": "0-F"}, "must be one of 1-9, 0-8, A-I, numbers for boards"),
    ],
)
def test_arguments_of_all_functions(arguments, reason):
    for function, puzzle in (
        (dlx.solve_batch, [HARD[0]]),
        (dlx.solve_sudoku, HARD[0]),
        (dlx.iter_solutions, HARD[0]),
    ):
        with pytest.raises(ValueError, match=reason):
            function(puzzle, **arguments)


@pytest.mark.parametrize(
    ("name", "value", "error", "reason"),
    [
        ("seconds", -1, ValueError, "seconds must be 0 or more, or None for no limit, not -1"),
        ("box", (6, 11), ValueError, "must be from 4 to 64"),
        ("threads", 0, ValueError, "threads must be 1 or more"),
        ("limit", 1.5, TypeError, "limit must be an integer, or None to count all solutions, not"),
        ("executor", 2, TypeError, "executor must have the interface of concurrent.futures, not 2"),
        ("engine", ["dlx"], ValueError, r"engine must be one of .*, not \['dlx'\]"),
    ],
)
def test_arguments_of_batches(name, value, error, reason):
    with pytest.raises(error, match=reason):
        dlx.solve_batch([HARD[0]], **{name: value})


def test_limits_and_threads_may_be_any_numbers():
    for limit in (np.int32(2), 2**63, 2**70):
        for seconds in (float("inf"), 10**400, np.float32(1000), 1e300, np.int16(500)):
            options = {"limit": limit, "threads": np.int64(2), "seconds": seconds}
            assert dlx.solve_batch([HARD[0]], **options).counts.tolist() == [1]


@pytest.mark.parametrize("shape", [(16, 4, 4), (3, 27), (9, 9, 1)])
def test_several_boards_are_not_one(shape):
    # 16 boards of 4×4 were read as one of 16×16, which has no solution.
    for function in (dlx.solve_sudoku, dlx.iter_solutions, dlx.diagnose_sudoku):
        with pytest.raises(ValueError, match=r"puzzle must have the shape \(cells,\) or \(n, n\)"):
            function(np.zeros(shape, int))
