"""The types of puzzles that the public functions accept, and the errors for all others."""

import array
import io
import sys
from collections import deque
from types import SimpleNamespace

import numpy as np
import pandas
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers.boards import random_boards

SMALL = "1.....3..4.....2"


@pytest.mark.parametrize("box", [Box(2, 2), Box(2, 3), Box(3, 3), Box(4, 4), Box(5, 5)], ids=str)
def test_all_types_of_batches_give_the_same_result(box):
    boards = random_boards(box, 300 if box.n <= 9 else 20, 2 * box.n)
    expected = dlx.solve_batch(boards, limit=2)
    texts = [format_board(board, Alphabet("1-9A-", box.n)) for board in boards]
    lines = [text.encode() for text in texts]
    masked = np.ma.masked_equal(np.where(boards, boards, box.n + 1), box.n + 1)
    square = (len(boards), box.n, box.n)
    for puzzles in (
        *(boards.astype(kind) for kind in (np.int8, np.uint16, ">i4", np.int64)),
        *(boards.tolist(), list(boards), tuple(boards), deque(boards), iter(boards)),
        *(boards.reshape(square), boards.reshape(square).tolist(), memoryview(boards)),
        *(np.asfortranarray(boards), np.repeat(boards, 2, axis=0)[::2]),
        *(masked, list(masked), masked.reshape(square), masked.astype(np.int64)),
        [[*rows] for rows in masked.reshape(square)],  # lists of masked rows
        *(texts, tuple(texts), deque(texts), iter(texts), dict(enumerate(texts)).values()),
        *([text + "\n" for text in texts], [text.lower() for text in texts]),
        *(np.array(texts), np.array(lines), np.array(texts, object), np.array(lines, object)),
        *(np.array(texts).astype(">U700"), np.repeat(texts, 2)[::2], np.ma.array(texts)),
        np.array(texts, np.dtypes.StringDType()),
        *(lines, tuple(lines), b"\n".join(lines), b"\r\n".join(lines), b"\r".join(lines)),
        *(b"\n".join([*lines, b""]), bytearray(b"\n".join(lines))),
        pandas.Series(texts, dtype="string", index=range(5, len(texts) + 5)),
        pandas.DataFrame(boards),
    ):
        assert dlx.solve_batch(puzzles, limit=2) == expected


class Column:
    """A column of a data frame, as NumPy sees it."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, object)

    def __getitem__(self, key):
        raise KeyError(key)  # keys are labels, not positions


def converted(values, **others):
    """Return a column of another package, which only its method converts."""
    return SimpleNamespace(to_numpy=lambda: np.array(values, object), **others)


def test_columns_of_other_packages():
    for values in ([SMALL, SMALL], [[SMALL], [SMALL]]):  # a column, and a table with one
        for kind in (Column, converted):
            assert dlx.solve_batch(kind(values)).counts.tolist() == [1, 1]
    with pytest.raises(ValueError, match="a table of puzzles must have 1 column, not 2"):
        dlx.solve_batch(Column([[SMALL, SMALL]]))


def test_columns_of_lists_of_lists():
    """Both polars and PyArrow return arrays of objects, which are arrays of objects."""
    rows = dlx.Board(SMALL).values.reshape(4, 4)
    boards = np.empty((2, 4), object)
    for k in range(8):
        boards.flat[k] = rows[k % 4]
    column = np.empty(2, object)
    column[:] = list(boards)
    assert dlx.solve_batch(converted(column)).counts.tolist() == [1, 1]


@pytest.mark.parametrize("interface", ["__arrow_c_array__", "__arrow_c_stream__"])
@pytest.mark.parametrize("is_table", [False, True])
def test_columns_with_an_arrow_interface(monkeypatch, interface, is_table):
    """PyArrow reads them if it is installed. A program in its place states what is called."""
    puzzles = type("Foreign", (), {interface: None})()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="puzzles of the type Foreign: install PyArrow, or"):
        dlx.solve_batch(puzzles)
    column = converted([SMALL, SMALL], type=None)
    arrow = SimpleNamespace(
        array=lambda values: values is puzzles,
        chunked_array=lambda values: column if values in (puzzles, [True]) else None,
        types=SimpleNamespace(is_struct=lambda kind: is_table),
        Table=SimpleNamespace(from_struct_array=lambda values: Column([[SMALL], [SMALL]])),
    )
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    assert dlx.solve_batch(puzzles).counts.tolist() == [1, 1]


def test_empty_batches(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    empty = [[], (), iter([]), b"", np.array([]), np.array([], "U81"), np.array([], object)]
    for puzzles in (*empty, "", "\n\n", "# comment\n", path, io.BytesIO(), io.StringIO()):
        result = dlx.solve_batch(puzzles)
        assert [len(part) for part in result] == [0, 0, 0]
        assert result.solutions.shape == (0, 81)
        assert dlx.canonical(puzzles, box="2x3").shape == (0, 36)


@pytest.mark.parametrize(
    ("puzzles", "reason"),
    [
        (None, "puzzles must be an array or a sequence, not None"),
        ({SMALL}, "puzzles must be an array or a sequence, not set"),
        ({SMALL: 1}, "not dict"),
        (5, "not int"),
        (np.int64(5), r"must have the shape \(N, cells\)"),
        ([None, SMALL], "puzzle 0: expected a string or integers, not None"),
        ([float("nan"), SMALL], "puzzle 0: expected a string or integers, not float"),
        (pandas.Series([SMALL, None], dtype="string"), "puzzle 1: expected a string, not "),
        ([SMALL.encode(), SMALL], "puzzle 1: expected bytes, not str"),
        ([SMALL.encode(), None], "puzzle 1: expected bytes, not None"),
        ([SMALL, "." * 15 + "\udcff"], "puzzle 1: expected 16 symbols, found 18"),
        ([SMALL.encode(), b"." * 15 + b"\xff"], "puzzle 1: expected 16 symbols, found 18"),
        ([[0] * 16, [0] * 15], "puzzles must have the shape of an array"),
        ([list(SMALL)], r"strings must have the shape \(N,\), not \(1, 16\)"),
        (np.array([[SMALL], [SMALL]]), r"strings must have the shape \(N,\), not \(2, 1\)"),
        (np.ma.zeros((1, 16)), "must be integers or strings, not float64"),
        (array.array("B", bytes(15)), "must have the shape"),
        (f"{SMALL}\n{SMALL[1:]}".encode(), "puzzle 1: expected 16 symbols, found 15"),
    ],
    ids=str,
)
def test_invalid_types_of_batches(puzzles, reason):
    with pytest.raises(ValueError, match=reason):
        dlx.solve_batch(puzzles)


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (None, "puzzle must be a string or integers, not None"),
        ({SMALL: 1}, "not dict"),
        (SMALL.encode(), "not bytes"),
        ([SMALL], "puzzle must be a string or integers; use solve_batch for many strings"),
        (np.array([SMALL]), "use solve_batch for many strings"),
        (5, "no standard box for a 1x1 board"),
        (np.zeros(16), "puzzle must be integers or strings, not float64"),
        (np.zeros(16, bool), "puzzle must be integers or strings, not bool"),
        (np.zeros(17, int), "17 cells do not form a square board"),
        (SMALL[:-1] + "\ud800", "18 symbols"),
    ],
    ids=repr,
)
def test_invalid_types_of_puzzles(puzzle, reason):
    for function in (dlx.solve_sudoku, dlx.iter_solutions):
        with pytest.raises(ValueError, match=reason):
            function(puzzle)


def test_results_are_data_frames():
    solved = dlx.solve_batch([SMALL, None], errors="mark")
    ratings = dlx.rate(["." * 81, None], errors="mark")
    generated = dlx.generate(2, box="2x2", seed=1)
    for result, columns in (
        (solved, ["solution", "count", "nodes", "error"]),
        (ratings, ["puzzle", "difficulty", "count", "givens", "error"]),
        (generated, ["puzzle", "solution"]),
        (ratings.steps, list(ratings.steps.__match_args__)),
    ):
        frame = result.to_pandas()
        assert list(frame) == columns
        pandas.testing.assert_frame_equal(pandas.DataFrame(result), frame)
    assert solved.to_pandas()["solution"].tolist() == solved.strings()
