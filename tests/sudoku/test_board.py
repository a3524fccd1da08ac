"""The class `Board`, and batches of boards as text and HTML."""

import numpy as np
import pytest

import dlx_numba as dlx
from tests.helpers.boards import values_of

PUZZLE = "1.....3..4.....2"
SOLUTION = "1324423124133142"
UNSOLVABLE = "1...1..........."


def test_forms_of_a_board():
    values = values_of(PUZZLE)
    boards = [dlx.Board(PUZZLE), dlx.Board(values), dlx.Board(values.reshape(4, 4).tolist())]
    assert len(set(boards)) == 1
    assert boards[1] == dlx.Board(str(boards[0]))
    assert [board.string() for board in boards] == 3 * [PUZZLE]
    assert np.array_equal(np.asarray(boards[0]), values.reshape(4, 4))


def test_boards_are_solved_as_boards():
    board = dlx.Board(PUZZLE)
    solution = dlx.solve_sudoku(board)
    assert solution.string() == SOLUTION
    assert np.array_equal(solution.givens, board.values)
    assert repr(solution) == "<Board of 4x4 cells: 4 givens, solved>"
    assert dlx.solve_batch([board, board]).strings() == 2 * [SOLUTION]


def test_boxes_and_alphabets():
    board = dlx.Board("A" + 35 * ".", box="3x2", alphabet="A-")
    assert board.box == (3, 2)
    assert dlx.solve_sudoku(board).string()[0] == "A"
    assert dlx.Board(np.zeros((36, 36), int)).string() == " ".join(36 * 36 * ".")
    with pytest.raises(ValueError, match="the box of the board is 3x2, not 2x3"):
        dlx.solve_sudoku(board, box="2x3")
    with pytest.raises(ValueError, match="alphabet cannot be given with a Board"):
        dlx.solve_sudoku(board, alphabet="1-9")
    marked = dlx.solve_batch([board, dlx.Board(36 * ".")], errors="mark")
    assert marked.errors == {1: "the box of the board is 2x3, not 3x2"}


@pytest.mark.parametrize(
    ("values", "givens", "message"),
    [
        ("1..", None, "3 symbols: a board has 16"),
        (np.zeros((2, 8), int), None, "values must be integers of shape"),
        (np.full(16, 5), None, "values must be in the range 0 to 4"),
        (np.full(16, 0.5), None, "not float64"),
        (PUZZLE, np.full(16, 2), "the givens differ"),
    ],
    ids=["size", "shape", "range", "type", "givens"],
)
def test_invalid_boards(values, givens, message):
    with pytest.raises(ValueError, match=message):
        dlx.Board(values, givens=givens)


def test_batch_result():
    result = dlx.solve_batch([PUZZLE, UNSOLVABLE, "." * 16, PUZZLE], limit=2)
    summary = "(4 puzzles, 3 solved, 1 without a solution)"
    first = result.strings()[2]
    assert str(result).splitlines() == [SOLUTION, "no solution", first, "…", summary]
    text = result._repr_html_()
    assert [text.count(f">{caption}<") for caption in ("1 solution", "no solution")] == [1, 1]
    assert text.count("<svg") == 3
    assert "(1 not shown)" in text


def test_batches_without_boards_and_unfinished_ones():
    assert dlx.solve_batch([]).strings() == []
    assert "0 puzzles" in dlx.solve_batch([])._repr_html_()
    unfinished = dlx.solve_batch([PUZZLE], seconds=0)
    assert repr(unfinished) == "<BatchResult: 1 puzzle, 0 solved, 1 unfinished>"
    assert unfinished.strings() == [""]
    assert ">unfinished<" in unfinished._repr_html_()
    arrays_only = dlx.BatchResult(*dlx.solve_batch([PUZZLE]))
    assert arrays_only.strings() == [SOLUTION]
    assert "<svg" in arrays_only._repr_html_()


def test_strings_have_the_alphabet_of_the_puzzles():
    numbers = dlx.solve_batch([" ".join(PUZZLE)], alphabet="numbers")
    assert numbers.strings() == [" ".join(SOLUTION)]


def test_generated_puzzles():
    result = dlx.generate(5, box="2x3", seed=1)
    strings = result.strings()
    assert np.array_equal(dlx.solve_batch(strings, box="2x3").solutions, result.solutions)
    assert str(result).splitlines()[:3] == strings[:3]
    text = result._repr_html_()
    assert text.count("<svg") == 3
    assert "(2 not shown)" in text
    assert repr(dlx.generate(0)) == "<GenerateResult: 0 puzzles of 9x9 cells>"
