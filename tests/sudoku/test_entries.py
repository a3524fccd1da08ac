"""Batches with entries that are not puzzles: `errors="mark"`; and executors."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dlx_numba as dlx
from tests.helpers.boards import values_of

PUZZLE, SOLUTION = "1.....3..4.....2", "1324423124133142"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (None, "expected a string, not None"),
        (float("nan"), "expected a string, not float"),
        (PUZZLE.encode(), "expected a string, not bytes"),
        ("", "expected 16 symbols, found 0"),
        (PUZZLE[1:], "expected 16 symbols, found 15"),
        (HARD, "expected 16 symbols, found 81"),
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
    assert result.counts.tolist() == [1, -1, 1, -1]
    assert result.nodes[[1, 3]].tolist() == [0, 0]
    assert not result.solutions[[1, 3]].any()
    assert result.strings() == [SOLUTION, "", SOLUTION, ""]
    assert repr(result) == "<BatchResult: 4 puzzles, 2 solved, 2 unreadable>"
    assert "unreadable" in str(result)
    assert ">unreadable<" in result._repr_html_()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (None, "puzzle must be a string or integers, not None"),
        (float("nan"), "puzzle must be integers or strings, not float64"),
        (values_of(PUZZLE)[1:], "a board with box 2x2 has 16 cells, not 15"),
        ([None, *values_of(PUZZLE)[1:]], "puzzle must be integers or strings, not object"),
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
    for array in (boards, boards.reshape(5, 4, 4), np.ma.masked_array(boards, mask=False)):
        before = array.copy()
        result = dlx.solve_batch(array, errors="mark")
        assert {k: text[: len(reasons[k])] for k, text in result.errors.items()} == reasons
        assert result.counts.tolist() == [1, -1, 1, -1, 1]
        assert (array == before).all()


def test_random_batches_are_solved_as_their_readable_part():
    rng = np.random.default_rng(5)
    good = dlx.generate(40, seed=3).strings()
    bad = [None, float("nan"), "", "x", HARD[1:], "." * 16, b"." * 81, HARD.replace("8", "q")]
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
    result = dlx.solve_batch([None, "a", PUZZLE, HARD], errors="mark")
    assert result.counts.tolist() == [-1, -1, 1, -1]
    assert dlx.solve_batch(["a", HARD, PUZZLE], errors="mark").counts.tolist() == [-1, 1, -1]


def test_batches_without_a_board():
    for entries in ([None], [float("nan"), None], ["a"], [b"a"], ["a", None, "b"], [[1, 2]]):
        result = dlx.solve_batch(entries, errors="mark")
        assert result.solutions.shape == (len(entries), 81)
        assert list(result.errors) == list(range(len(entries)))
    for entries in ([], [PUZZLE]):
        assert dlx.solve_batch(entries, errors="mark").errors == {}


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
        (np.zeros((2, 15), int), {}, "15 cells do not form a square board"),
        (["a"], {"alphabet": "hex"}, "alphabet must be one of"),
        ([PUZZLE, None], {"box": "3x"}, "box must be ROWSxCOLUMNS"),
        ([PUZZLE, None], {"errors": "skip"}, "errors must be one of raise, mark, not 'skip'"),
        ([PUZZLE, None], {"engine": "fast"}, "engine must be one of"),
    ],
    ids=str,
)
def test_other_errors_are_raised(puzzles, arguments, reason):
    with pytest.raises(ValueError, match=reason):
        dlx.solve_batch(puzzles, **{"errors": "mark", **arguments})


def test_ratings_of_unreadable_entries():
    ratings = dlx.rate([HARD, None, "." * 81, PUZZLE], errors="mark")
    assert ratings.difficulty.tolist() == ["expert", "unreadable", "invalid", "unreadable"]
    assert ratings.counts.tolist() == [1, -1, 2, -1]
    assert ratings.solutions.any(axis=1).tolist() == [True, False, False, False]
    assert ratings.steps.singles.tolist() == [-1, -1, -1, -1]
    assert ratings.strings() == ["guess", "", "", ""]
    assert ratings.count_classes() == {"expert": 1, "invalid": 1, "unreadable": 2}
    assert ratings.take(np.array([1, 0])).errors == {0: ratings.errors[1]}
    assert "unreadable" in ratings._repr_html_()
    with pytest.raises(ValueError, match="puzzle 1: expected a string"):
        dlx.rate([HARD, None])


def test_executors_of_threads_have_the_same_results():
    with ThreadPoolExecutor(3) as executor:
        puzzles = [*dlx.generate(150, seed=7).strings(), HARD, EASY, "." * 81]
        for batch, errors in ((puzzles, "raise"), ([None, *puzzles, "a"], "mark"), ([], "raise")):
            for function in (dlx.rate, dlx.canonical, dlx.solve_batch):
                found = function(batch, executor=executor, errors=errors)
                assert pickle.dumps(found) == pickle.dumps(function(batch, errors=errors))
