"""The types of puzzles that the public functions accept, and entries that are not puzzles."""

import array
import io
import pickle
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pandas
import pyarrow
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers.boards import HARD, random_boards, values_of

PUZZLE, SOLUTION = "1.....3..4.....2", "1324423124133142"


@pytest.mark.slow
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
    for values in ([PUZZLE, PUZZLE], [[PUZZLE], [PUZZLE]]):  # a column, and a table with one
        for kind in (Column, converted):
            assert dlx.solve_batch(kind(values)).counts.tolist() == [1, 1]
    with pytest.raises(ValueError, match="a table of puzzles must have 1 column, not 2"):
        dlx.solve_batch(Column([[PUZZLE, PUZZLE]]))


def test_columns_of_lists_of_lists():
    """Both polars and PyArrow return arrays of objects, which are arrays of objects."""
    rows = dlx.Board(PUZZLE).values.reshape(4, 4)
    boards = np.empty((2, 4), object)
    for k in range(8):
        boards.flat[k] = rows[k % 4]
    column = np.empty(2, object)
    column[:] = list(boards)
    assert dlx.solve_batch(converted(column)).counts.tolist() == [1, 1]


def test_empty_batches(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    empty = [[], (), iter([]), b"", np.array([]), np.array([], "U81"), np.array([], object)]
    for puzzles in (*empty, "", "\n\n", "# comment\n", path, io.BytesIO(), io.StringIO()):
        result = dlx.solve_batch(puzzles)
        assert [len(part) for part in result] == [0, 0, 0]
        assert result.solutions.shape == (0, 81)
        forms = dlx.canonical(puzzles, box="2x3")
        assert (forms == "") if isinstance(puzzles, str) else (forms.shape == (0, 36))


@pytest.mark.parametrize(
    ("puzzles", "reason"),
    [
        (None, "puzzles must be an array or a sequence, not None"),
        ({PUZZLE}, "puzzles must be an array or a sequence, not set"),
        ({PUZZLE: 1}, "not dict"),
        (5, "not int"),
        (np.int64(5), r"must have the shape \(N, cells\)"),
        ([None, PUZZLE], "puzzle 0: expected a string or integers, not None"),
        ([float("nan"), PUZZLE], "puzzle 0: expected a string or integers, not float"),
        (pandas.Series([PUZZLE, None], dtype="string"), "puzzle 1: expected a string, not "),
        ([PUZZLE.encode(), None], "puzzle 1: expected bytes, not None"),
        ([PUZZLE, "." * 15 + "\udcff"], "puzzle 1: expected 16 symbols, found 18"),
        ([PUZZLE.encode(), b"." * 15 + b"\xff"], "puzzle 1: invalid symbol"),
        ([[0] * 16, [0] * 15], "puzzles must have the shape of an array"),
        ([list(PUZZLE)], r"strings must have the shape \(N,\), not \(1, 16\)"),
        (np.array([[PUZZLE], [PUZZLE]]), r"strings must have the shape \(N,\), not \(2, 1\)"),
        (np.ma.zeros((1, 16)), "must be integers or strings, not float64"),
        (array.array("B", bytes(15)), "must have the shape"),
        (f"{PUZZLE}\n{PUZZLE[1:]}".encode(), "puzzle 1: expected 16 symbols, found 15"),
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
        ({PUZZLE: 1}, "not dict"),
        (PUZZLE.encode(), "not bytes"),
        ([PUZZLE], "puzzle must be a string or integers; use solve_batch for many strings"),
        (5, "puzzle must be a string or integers, not int"),
        (np.zeros(16), "puzzle must be integers or strings, not float64"),
        (np.zeros(17, int), "17 cells do not form a square board"),
        (PUZZLE[:-1] + "\ud800", "18 symbols"),
    ],
    ids=repr,
)
def test_invalid_types_of_puzzles(puzzle, reason):
    for function in (dlx.solve_sudoku, dlx.iter_solutions):
        with pytest.raises(ValueError, match=reason):
            function(puzzle)


def test_results_are_data_frames():
    solved = dlx.solve_batch([PUZZLE, None], errors="mark")
    ratings = dlx.rate(["." * 81, None], errors="mark")
    rated = ["puzzle", "difficulty", "techniques", "count", "givens", "hardest", "score"]
    generated = dlx.generate(2, box="2x2", seed=1)
    for result, columns in (
        (solved, ["solution", "count", "nodes", "error"]),
        (ratings, [*rated, "error"]),
        (generated, ["puzzle", "solution"]),
    ):
        frame = result.to_pandas()
        assert list(frame) == columns
        pandas.testing.assert_frame_equal(pandas.DataFrame(result), frame)
        assert pyarrow.table(result).to_pylist() == frame.to_dict("records")
    assert solved.to_pandas()["solution"].tolist() == solved.strings()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (None, "expected a string, not None"),
        (float("nan"), "expected a string, not float"),
        (PUZZLE.encode(), "expected a string, not bytes"),
        ("", "expected 16 symbols, found 0"),
        (PUZZLE[1:], "expected 16 symbols, found 15"),
        (HARD[0], "expected 16 symbols, found 81"),
        (PUZZLE.replace("3", "5"), "invalid symbol '5' in column 7"),
        ("not a board", "expected 16 symbols"),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [list, tuple, iter, lambda each: np.array(each, object)])
def test_bad_strings_are_marked(bad, reason, kind):
    result = dlx.solve_batch(kind([PUZZLE, bad, PUZZLE, bad]), box="2x2", errors="mark")
    assert list(result.errors) == [1, 3]
    assert all(text.startswith(reason) for text in result.errors.values())
    assert [set(array[[1, 3]].flat) for array in result] == [{0}, {-1}, {0}]
    assert result.strings() == [SOLUTION, "", SOLUTION, ""]
    assert repr(result) == "<BatchResult: 4 puzzles, 2 solved, 2 unreadable>"
    assert "unreadable" in str(result)
    assert ">unreadable<" in result._repr_html_()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (None, "puzzle must be a string or integers, not None"),
        (float("nan"), "puzzle must be a string or integers, not float"),
        (values_of(PUZZLE)[1:], "a board with box 2x2 has 16 cells, not 15"),
        ([None, *values_of(PUZZLE)[1:]], "puzzle must be a string or integers, not list"),
    ],
    ids=str,
)
def test_bad_boards_are_marked(bad, reason):
    good = values_of(PUZZLE).tolist()
    for first in (good, np.array(good).reshape(4, 4), dlx.Board(PUZZLE)):
        result = dlx.solve_batch([first, bad, good], errors="mark")
        assert result.errors == {1: reason}
        assert result.strings() == [SOLUTION, "", SOLUTION]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64])
def test_bad_values_of_arrays_are_marked(dtype):
    boards = np.array([values_of(PUZZLE)] * 5, dtype)
    wrong = 100 if dtype == np.uint8 else -1
    boards[1, 3], boards[3, 0] = 9, wrong
    reasons = {1: "cell 3: 9 is not in the range 0 to 4", 3: f"cell 0: {wrong} is not in the"}
    for entries in (boards, boards.reshape(5, 4, 4), np.ma.masked_array(boards, mask=False)):
        before = entries.copy()
        result = dlx.solve_batch(entries, errors="mark")
        assert {k: text[: len(reasons[k])] for k, text in result.errors.items()} == reasons
        assert result.counts.tolist() == [1, -1, 1, -1, 1]
        assert (entries == before).all()


def test_random_batches_are_solved_as_their_readable_part():
    rng = np.random.default_rng(5)
    good = dlx.generate(40, seed=3).strings()
    bad = [None, float("nan"), "", "x", HARD[0][1:], "." * 16, b"." * 81, HARD[0].replace("8", "q")]
    for _ in range(4):
        is_bad = rng.random(100) < 0.3
        entries = [rng.choice(np.array(bad if each else good, object)) for each in is_bad]
        readable = [entry for entry, each in zip(entries, is_bad, strict=True) if not each]
        result = dlx.solve_batch(entries, limit=2, errors="mark", box="3x3")
        assert list(result.errors) == np.flatnonzero(is_bad).tolist()
        expected = dlx.solve_batch(readable, limit=2)
        np.testing.assert_equal([array[~is_bad] for array in result], [*expected])
        ratings = dlx.rate(entries, errors="mark")
        assert ratings.difficulty[~is_bad].tolist() == dlx.rate(readable).difficulty.tolist()
        assert set(ratings.difficulty[is_bad]) <= {"unreadable"}
        forms, errors = dlx.canonical(entries, errors="mark", box="3x3")
        assert np.array_equal(forms[~is_bad], dlx.canonical(readable))
        assert result.errors == ratings.errors == errors


def test_the_first_board_determines_the_size():
    result = dlx.solve_batch([None, "a", PUZZLE, HARD[0]], errors="mark")
    assert result.counts.tolist() == [-1, -1, 1, -1]
    assert dlx.solve_batch(["a", HARD[0], PUZZLE], errors="mark").counts.tolist() == [-1, 1, -1]


def test_batches_without_a_board():
    for entries in ([None], [float("nan"), None], ["a"], [b"a"], ["a", None, "b"], [[1, 2]]):
        result = dlx.solve_batch(entries, errors="mark")
        assert result.solutions.shape == (len(entries), 81)
        assert list(result.errors) == list(range(len(entries)))


def test_bad_text_does_not_affect_the_alphabet():
    sixteen = ["0123456789ABCDEF" + 240 * ".", 254 * "." + "0F"]
    expected = dlx.solve_batch(sixteen)
    result = dlx.solve_batch([sixteen[0], "G" * 10, sixteen[1]], errors="mark")
    assert list(result.errors) == [1]
    assert np.array_equal(result.solutions[[0, 2]], expected.solutions)


@pytest.mark.parametrize(
    ("puzzles", "arguments", "reason"),
    [
        (5, {}, "must be an array or a sequence"),
        (np.zeros((2, 16)), {}, "must be integers or strings, not float64"),
        (np.zeros((2, 15), int), {}, r"the shape \(N, cells\) or \(N, n, n\), not \(2, 15\)"),
        (["a"], {"alphabet": "hex"}, "alphabet must be one of"),
        ([PUZZLE, None], {"errors": "skip"}, "errors must be one of raise, mark, not 'skip'"),
    ],
    ids=str,
)
def test_other_errors_are_raised(puzzles, arguments, reason):
    with pytest.raises(ValueError, match=reason):
        dlx.solve_batch(puzzles, **{"errors": "mark", **arguments})


def test_ratings_of_unreadable_entries():
    ratings = dlx.rate([HARD[0], None, "." * 81, PUZZLE], errors="mark")
    assert ratings.difficulty.tolist() == ["expert", "unreadable", "invalid", "unreadable"]
    assert ratings.counts.tolist() == [1, -1, 2, -1]
    assert ratings.solutions.any(axis=1).tolist() == [True, False, False, False]
    assert ratings.scores.tolist() == [1000, -1, -1, -1]
    assert ratings.strings() == ["guess", "", "", ""]
    assert ratings.count_classes() == {"expert": 1, "invalid": 1, "unreadable": 2}
    assert ratings.take(np.array([1, 0])).errors == {0: ratings.errors[1]}
    assert "unreadable" in ratings._repr_html_()


def test_executors_of_threads_have_the_same_results():
    with ThreadPoolExecutor(3) as executor:
        puzzles = [*dlx.generate(150, seed=7).strings(), *HARD[:2], "." * 81]
        for batch, errors in ((puzzles, "raise"), ([None, *puzzles, "a"], "mark"), ([], "raise")):
            for function in (dlx.rate, dlx.canonical, dlx.solve_batch):
                found = function(batch, executor=executor, errors=errors)
                assert pickle.dumps(found) == pickle.dumps(function(batch, errors=errors))


@pytest.mark.parametrize("text", ["x" * 81, "X" * 16])
def test_crosses_alone_are_no_empty_board(text):
    for call in (dlx.solve_sudoku, lambda board: dlx.solve_batch([board]), dlx.deduce):
        with pytest.raises(ValueError, match=r"invalid symbol '[xX]' in column 1"):
            call(text)
    assert dlx.solve_batch([text], errors="mark").counts.tolist() == [-1]
    assert dlx.solve_batch([text[1:] + "1", text]).counts.tolist() == [1, 1]


@pytest.mark.parametrize(
    "call", [dlx.solve_sudoku, dlx.solve_batch, lambda board: dlx.solve_batch([board])]
)
def test_0_beside_other_empty_cells_may_be_a_digit(call):
    with pytest.raises(ValueError, match="0 could be a digit"):
        call("0.2...0..0..1..0")
    assert call("1.....3..40....2")  # 4 says that it is none


def test_a_byte_order_mark_before_boards_is_skipped():
    board = "1.....3..4.....2"
    solution = dlx.solve_sudoku("\ufeff" + board)
    assert solution == dlx.solve_sudoku(board)
    assert dlx.Board("\ufeff" + board).string() == board
    text = f"\ufeff{board}\n{board}\n"
    for puzzles in (text, text.encode(), text.splitlines()):
        assert dlx.solve_batch(puzzles).strings() == [solution] * 2
        assert len(dlx.canonical(puzzles.strip() if puzzles is text else puzzles)) > 1


@pytest.mark.parametrize("call", [dlx.canonical, dlx.minimize, dlx.transform])
def test_an_empty_string_gives_an_empty_string(call):
    assert call("") == call("\n") == ""
    assert call([]).shape == (0, 81)
