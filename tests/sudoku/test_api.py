"""The public functions: all engines agree, and invalid arguments are rejected."""

import random
from typing import get_args

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.registry import ENGINES, EngineName
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.symbols import Alphabet
from dlx_numba.sudoku.verify import are_solutions
from tests.helpers import DATA, oracles
from tests.helpers.seeds import instances, seeded

BOXES = [Box(2, 2), Box(2, 3), Box(3, 2), Box(3, 3), Box(3, 4), Box(4, 4), Box(5, 5), Box(1, 5)]
HARD = (
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
)


LARGE_BOXES = [Box(4, 7), Box(5, 6), Box(3, 11), Box(6, 6), Box(7, 7), Box(8, 8), Box(1, 37)]


def large_board(box, seed):
    """Return a board of numbers that is solved by propagation alone."""
    rng = random.Random(seeded(seed))
    board = oracles.random_solution(box, rng)
    board[rng.sample(range(box.cells), box.cells // 4)] = 0
    return board


@pytest.mark.parametrize("box", LARGE_BOXES, ids=str)
def test_large_boards(box):
    boards = np.array([large_board(box, seed) for seed in range(3)])
    result = dlx.solve_batch(boards, box=box)
    assert (result.counts == 1).all()
    assert result.solutions.dtype == np.uint8
    for solution, board in zip(result.solutions, boards, strict=True):
        assert oracles.is_solution(solution, board, box)
    boards[1, :2] = boards[1, np.flatnonzero(boards[1])[0]]
    assert dlx.solve_batch(boards, box=box).counts.tolist() == [1, 0, 1]


@pytest.mark.parametrize("engine", ["naive", "naive-python", "dlx-leftmost", "dlx-literal"])
def test_engines_on_large_boards(engine):
    box = Box(8, 8)
    rng = random.Random(seeded(2))
    board = oracles.random_solution(box, rng)
    board[rng.sample(range(box.cells), 40)] = 0
    result = dlx.solve_batch(board[None], engine=engine, limit=2)
    expected = dlx.solve_batch(board[None], engine="dlx", limit=2)
    assert result.counts == expected.counts
    assert oracles.is_solution(result.solutions[0], board, box)


def test_many_blanks_need_no_recursion():
    assert (
        dlx.solve_batch(np.zeros((1, 1296), int), engine="naive-python", seconds=0.2).counts == -1
    )


@pytest.mark.parametrize("box", [Box(4, 4), Box(5, 6), Box(6, 6)], ids=str)
def test_strings_of_numbers(box):
    boards = np.array([large_board(box, seed) for seed in range(2)])
    texts = [" ".join(map(str, boards[0])), ", ".join(str(value or ".") for value in boards[1])]
    result = dlx.solve_batch(texts, limit=2)
    expected = dlx.solve_batch(boards, limit=2)
    assert np.array_equal(result.solutions, expected.solutions)
    solved = dlx.solve_sudoku(texts[0], alphabet="numbers")
    assert [int(number) for number in solved.split(" ")] == expected.solutions[0].tolist()
    rows = "\n".join(" ".join(map(str, row)) for row in boards[0].reshape(box.n, box.n))
    assert dlx.solve_sudoku(rows, alphabet="numbers") == solved
    if box.n > 25:
        assert dlx.solve_sudoku(texts[0]) == solved
        nested = boards[0].reshape(box.n, box.n).tolist()
        assert np.array_equal(np.ravel(dlx.solve_sudoku(nested)), expected.solutions[0])


def test_numbers_and_letters_together():
    letters = "0" + "F" * 2 + "." * 253
    numbers = "16 " + ". " * 255
    result = dlx.solve_batch([letters, numbers, "?" * 255 + "1"], limit=1)
    assert result.counts[0] == 0
    assert result.solutions[1, 0] == 16
    assert result.solutions[2, 255] == 2  # in 0-9A-F, which the first string selects


@pytest.mark.parametrize("blank", ["-", "?"])
def test_other_blank_symbols(blank):
    expected = dlx.solve_batch([HARD[0], HARD[1]]).solutions
    texts = [HARD[0].replace(".", blank), HARD[1]]
    assert np.array_equal(dlx.solve_batch(texts).solutions, expected)
    with pytest.raises(ValueError, match=f"puzzle 1: invalid symbol '[{blank}]' in column 5"):
        dlx.solve_batch([HARD[0], HARD[1][:4] + blank + HARD[1][5:]])


@pytest.mark.parametrize("box", BOXES, ids=str)
def test_solutions_are_valid_for_every_box(box):
    rng = random.Random(seeded(box.cells))
    blanks = [rng.randint(0, 3 * box.n) for _ in range(instances(200))]
    boards = np.array([oracles.random_board(box, rng, number) for number in blanks])
    result = dlx.solve_batch(boards, limit=3, box=box)
    found = result.counts > 0
    assert are_solutions(result.solutions[found], boards[found], box).all()
    assert not result.solutions[~found].any()
    assert found.any()
    assert not found.all()


@pytest.mark.parametrize(
    ("engine", "box"),
    [
        (name, box)
        for name in ENGINES
        for box in (Box(2, 2), Box(2, 3), Box(3, 3))
        if not name.startswith("very") and name != "elimination"
        if name != "lanes" or box == (3, 3)
    ],
    ids=str,
)
def test_engines_count_the_same(engine, box):
    rng = random.Random(seeded(7))
    boards = [
        oracles.random_board(box, rng, rng.randint(0, box.cells // 2))
        for _ in range(instances(150))
    ]
    for limit in (1, 2, 20):
        expected = dlx.solve_batch(np.array(boards), limit=limit, engine="naive-python", box=box)
        result = dlx.solve_batch(np.array(boards), limit=limit, engine=engine, box=box)
        assert np.array_equal(result.counts, expected.counts)
        found = result.counts > 0
        assert are_solutions(result.solutions[found], np.array(boards)[found], box).all()


@pytest.mark.parametrize("engine", sorted(ENGINES.keys() - {"lanes", "elimination"}))
def test_every_engine_on_boards_with_few_blanks(engine):
    rng = random.Random(seeded(3))
    boards = np.array(
        [oracles.random_board(Box(2, 2), rng, rng.randint(0, 6)) for _ in range(instances(40))]
    )
    expected = dlx.solve_batch(boards, limit=None, engine="naive-python")
    result = dlx.solve_batch(boards, limit=None, engine=engine)
    assert np.array_equal(result.counts, expected.counts)


@pytest.mark.compiled
def test_thousands_of_boards_agree_with_the_naive_kernel():
    rng = random.Random(seeded(11))
    boards = np.array(
        [oracles.random_board(Box(3, 3), rng, rng.randint(30, 50)) for _ in range(instances(3000))]
    )
    dancing = dlx.solve_batch(boards, limit=50, engine="dlx")
    naive = dlx.solve_batch(boards, limit=50, engine="naive")
    assert np.array_equal(dancing.counts, naive.counts)
    assert len(set(dancing.counts.tolist())) > 5


@pytest.mark.compiled
def test_known_numbers_of_boards():
    empty = np.zeros((1, 16), np.uint8)
    assert dlx.solve_batch(empty, limit=None).counts[0] == 288
    assert dlx.solve_batch(empty, limit=100).counts[0] == 100
    one_row = np.zeros((1, 36), np.uint8)
    one_row[0, :6] = range(1, 7)
    assert dlx.solve_batch(one_row, limit=None).counts[0] * 720 == 28_200_960


def test_very_naive_solver_rejects_too_many_blanks():
    for engine in ("very-naive", "very-naive-python"):
        with pytest.raises(
            ValueError, match=r"60 blanks .* 9\^60 boards; at 9x9 it supports up to 8"
        ):
            dlx.solve_batch([HARD[0]], engine=engine)


@pytest.mark.compiled
@pytest.mark.parametrize("engine", ["lanes", "dlx"])
def test_order_and_number_of_threads_do_not_change_the_result(engine):
    rng = random.Random(seeded(5))
    boards = np.array(
        [oracles.random_board(Box(3, 3), rng, rng.randint(0, 60)) for _ in range(instances(5000))]
    )
    one = dlx.solve_batch(boards, limit=10, threads=1, engine=engine)
    for threads in (2, 3, 7):
        many = dlx.solve_batch(boards, limit=10, threads=threads, engine=engine)
        for array, other in zip(one, many, strict=True):
            assert np.array_equal(array, other)
    shuffled = np.random.default_rng(seeded(1)).permutation(len(boards))
    again = dlx.solve_batch(boards[shuffled], limit=10, engine=engine)
    assert np.array_equal(again.solutions, one.solutions[shuffled])
    assert np.array_equal(again.counts, one.counts[shuffled])
    assert np.array_equal(again.nodes, one.nodes[shuffled])


def test_hard_boards_are_unique():
    result = dlx.solve_batch(list(HARD), limit=2)
    assert result.counts.tolist() == [1, 1, 1]


@pytest.mark.parametrize("name", ["simple", "easy", "intermediate", "expert"])
def test_each_board_of_the_data_has_one_solution(name):
    puzzles = (DATA / f"{name}.txt").read_text().split()
    assert len(set(puzzles)) == 200
    result = dlx.solve_batch(puzzles, limit=2)
    assert (result.counts == 1).all()


def test_types_of_batches():
    text = HARD[0]
    flat = np.array([[int(c) if c != "." else 0 for c in text]])
    expected = dlx.solve_batch([text]).solutions
    batches = (flat, flat.reshape(1, 9, 9), flat.tolist(), flat.astype(np.int64), (text,))
    for puzzles in (*batches, iter([text])):
        assert np.array_equal(dlx.solve_batch(puzzles).solutions, expected)
    assert len(dlx.solve_batch([]).counts) == 0
    assert dlx.solve_batch(np.zeros((0, 36), int)).solutions.shape == (0, 36)


@pytest.mark.compiled
@pytest.mark.parametrize("n", [4, 6, 8, 9, 12, 16, 25])
@pytest.mark.parametrize("style", ["1-9A-", "0-9A-", "A-"])
def test_alphabet_of_strings(n, style):
    box = Box.of_side(n)
    alphabet = Alphabet.named(style, n)
    board = large_board(box, n)
    text = format_board(board, alphabet)
    [expected] = dlx.solve_batch([board]).solutions
    solved = format_board(expected, alphabet)
    drawn = "\n".join(text[row : row + n] for row in range(0, n * n, n))
    commas = ",".join(text) if n <= 9 else drawn
    for puzzle in (text, drawn, commas, text.lower()):
        for name in (style, alphabet.name, alphabet.name.lower()):
            assert dlx.solve_sudoku(puzzle, alphabet=name) == solved
            assert dlx.solve_sudoku(puzzle, alphabet=name, box=str(box)) == solved
            assert next(dlx.iter_solutions(puzzle, alphabet=name)) == solved
            for puzzles in ([puzzle] * 3, np.array([puzzle]), [puzzle.encode()], [drawn, puzzle]):
                result = dlx.solve_batch(puzzles, alphabet=name)
                assert (result.solutions == expected).all()


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
    for alphabet in ("hex", "0-F", "A-P"):
        with pytest.raises(ValueError, match="must be one of 1-9, 0-8, A-I, numbers for boards"):
            dlx.solve_batch([board + "."], alphabet=alphabet)


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
    assert dlx.solve_sudoku(puzzle("F"), alphabet="0-9A-")[0] == "F"
    assert sorted(dlx.solve_sudoku(puzzle("F"), alphabet="0-9A-")[:16]) == list("0123456789ABCDEF")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"puzzles": HARD[0][:-1]}, "<string>:1: expected 81 symbols, found 80"),
        ({"puzzles": [HARD[0], 5]}, "puzzle 1: expected a string"),
        ({"puzzles": [HARD[0], HARD[0][:-1]]}, "puzzle 1: expected 81 symbols, found 80"),
        ({"puzzles": np.zeros((2, 80), int)}, "80 cells do not form a square board"),
        ({"puzzles": np.zeros((2, 25), int)}, "no standard box for a 5x5 board"),
        ({"puzzles": np.zeros((2, 9, 8), int)}, "must have the shape"),
        ({"puzzles": np.zeros(80, int)}, "must have the shape"),
        ({"puzzles": np.zeros((1, 81))}, "must be integers or strings, not float64"),
        ({"puzzles": np.zeros((1, 81), bool)}, "must be integers or strings, not bool"),
        ({"puzzles": np.full((1, 81), 10)}, "puzzle 0, cell 0: 10 is not in the range 0 to 9"),
        ({"puzzles": np.full((1, 81), -1)}, "puzzle 0, cell 0: -1 is not in the range 0 to 9"),
        ({"puzzles": np.zeros((1, 81), int), "box": (2, 3)}, "a board with box 2x3 has 36 cells"),
        ({"puzzles": np.zeros((1, 81), int), "box": "3"}, "must be ROWSxCOLUMNS"),
        (
            {"puzzles": np.zeros((1, 81), int), "box": 3},
            "box must be a pair of integers or a string",
        ),
        ({"puzzles": np.zeros((1, 81), int), "box": (6, 11)}, "must be from 4 to 64"),
        ({"puzzles": np.zeros((1, 81), int), "limit": 0}, "limit must be 1 or more"),
        ({"puzzles": np.zeros((1, 81), int), "threads": 0}, "threads must be 1 or more"),
        (
            {"puzzles": np.zeros((1, 81), int), "engine": "quick"},
            "engine must be one of",
        ),
        (
            {"puzzles": np.zeros((1, 16), int), "engine": "lanes"},
            "'lanes' does not support box 2x2; supported: 3x3",
        ),
    ],
)
def test_invalid_arguments_are_rejected(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        dlx.solve_batch(**arguments)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"box": (3,)}, r"box must be a pair of integers or a string such as '2x3', not \(3,\)"),
        ({"box": (3, 3, 1)}, "box must be a pair"),
        ({"box": (3.0, 3)}, "box must be a pair"),
        ({"box": (True, 9)}, "box must be a pair"),
        ({"alphabet": None}, "alphabet must be a string, not None"),
        ({"alphabet": 9}, "alphabet must be a string, not 9"),
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
        ("seconds", float("nan"), ValueError, "seconds must be 0 or more, .* not nan"),
        ("seconds", "1", TypeError, "seconds must be a number, or None for no limit, not '1'"),
        ("seconds", True, TypeError, "seconds must be a number"),
        ("limit", 1.5, TypeError, "limit must be an integer, or None to count all solutions, not"),
        ("limit", "1", TypeError, "limit must be an integer"),
        ("limit", True, TypeError, "limit must be an integer, .* not True"),
        ("threads", 1.5, TypeError, "threads must be an integer, or None for one per processor"),
        ("threads", False, TypeError, "threads must be an integer"),
        ("executor", 2, TypeError, "executor must have the interface of concurrent.futures, not 2"),
        ("engine", None, ValueError, "engine must be one of .*, not None"),
        ("engine", ["dlx"], ValueError, r"engine must be one of .*, not \['dlx'\]"),
    ],
)
def test_arguments_of_batches(name, value, error, reason):
    with pytest.raises(error, match=reason):
        dlx.solve_batch([HARD[0]], **{name: value})


def test_time_limits_without_effect():
    for seconds in (float("inf"), 10**400, np.float32(1000), 1e300, np.int16(500)):
        assert dlx.solve_batch([HARD[0]], seconds=seconds).counts.tolist() == [1]


@pytest.mark.compiled
@pytest.mark.parametrize("engine", ["lanes", "dlx", "naive"])
def test_time_limit(engine):
    boards = np.zeros((50, 81), np.uint8)
    result = dlx.solve_batch(boards, limit=None, seconds=0.3, threads=2, engine=engine)
    assert result.counts.tolist() == [-1] * 50


@pytest.mark.compiled
@pytest.mark.parametrize("engine", [name for name in ENGINES if ENGINES[name].supports(Box(5, 5))])
def test_time_limit_on_large_boards(engine):
    boards = np.zeros((1, 625), np.uint8)
    if engine.startswith("very-naive"):
        with pytest.raises(ValueError, match="625 blanks are too many"):
            dlx.solve_batch(boards, engine=engine)
    else:
        result = dlx.solve_batch(boards, limit=None, seconds=0.3, engine=engine)
        assert result.counts.tolist() == [-1]


@pytest.mark.compiled
@pytest.mark.parametrize("engine", ["dlx", "naive", "naive-python"])
def test_time_limit_on_easy_boards(engine):
    boards = np.tile(dlx.solve_batch([HARD[0]]).solutions, (200_000, 1))
    result = dlx.solve_batch(boards, seconds=0, threads=1, engine=engine)
    assert (result.counts == -1).any()


def test_limits_and_threads_may_be_any_integers():
    for limit in (np.int32(2), 2**63, 2**70):
        assert dlx.solve_batch([HARD[0]], limit=limit, threads=np.int64(2)).counts.tolist() == [1]
    with pytest.raises(TypeError, match=r"limit must be an integer, .* not 1.5"):
        dlx.solve_batch([HARD[0]], limit=1.5)


def test_solution_has_the_type_of_the_puzzle():
    text = HARD[0]
    solved = dlx.solve_sudoku(text)
    assert isinstance(solved, str)
    assert len(solved) == 81
    square = np.array([int(c) if c != "." else 0 for c in text], np.int16).reshape(9, 9)
    array = dlx.solve_sudoku(square)
    assert array.shape == (9, 9)
    assert array.dtype == np.int16
    assert "".join(map(str, array.ravel())) == solved
    assert dlx.solve_sudoku(square.tolist()) == array.tolist()
    with pytest.raises(dlx.NoSolution, match="no solution: two 8s in row 1"):
        dlx.solve_sudoku("88" + text[2:])
    with pytest.raises(ValueError, match="80 symbols"):
        dlx.solve_sudoku(text[1:])
    with pytest.raises(ValueError, match="a string or integers"):
        dlx.solve_sudoku([text])


def test_all_solutions_have_the_type_of_the_puzzle():
    text = "1.....3..4......"
    solutions = ["1324423124133142", "1324423134122143", "1342423124133124"]
    iterator = dlx.iter_solutions(text)
    assert next(iterator) == solutions[0]
    assert list(iterator) == solutions[1:]
    square = np.array([int(c) if c != "." else 0 for c in text], np.int16).reshape(4, 4)
    arrays = list(dlx.iter_solutions(square))
    assert [array.dtype for array in arrays] == [np.int16] * 3
    assert ["".join(map(str, array.ravel())) for array in arrays] == solutions
    assert list(dlx.iter_solutions(square.tolist())) == [array.tolist() for array in arrays]
    assert [len(row) for row in dlx.iter_solutions(square.ravel().tolist())] == [16] * 3
    hexadecimal = next(dlx.iter_solutions("F" + "." * 255, alphabet="0-9A-"))
    assert sorted(hexadecimal[:16]) == list("0123456789ABCDEF")
    assert next(dlx.iter_solutions("." * 36, box="3x2"))[:6] == "123456"


def test_number_of_all_solutions():
    assert sum(1 for _ in dlx.iter_solutions("." * 16)) == 288
    assert list(dlx.iter_solutions(HARD[0])) == [dlx.solve_sudoku(HARD[0])]
    assert list(dlx.iter_solutions("88" + HARD[0][2:])) == []


def test_changes_to_an_array_do_not_affect_its_solutions():
    board = np.zeros(16, np.uint8)
    solutions = dlx.iter_solutions(board)
    first = next(solutions)
    board[:], first[:] = 1, 0
    assert sum(1 for _ in solutions) == 287


def test_invalid_puzzles_are_rejected_before_the_first_solution():
    for puzzle, reason in (
        ("...", "3 symbols"),
        (["." * 16], "a string or integers"),
        (np.full(16, 5), "puzzle 0, cell 0: 5 is not in the range 0 to 4"),
        (np.full(16, 5, np.uint8), "puzzle 0, cell 0: 5 is not in the range 0 to 4"),
    ):
        with pytest.raises(ValueError, match=reason):
            dlx.iter_solutions(puzzle)


@pytest.mark.compiled
@pytest.mark.parametrize("engine", ["lanes", "dlx", "naive"])
def test_slices_do_not_change_the_result(engine, monkeypatch):
    from dlx_numba.sudoku.engines import backtracking, lanes
    from dlx_numba.sudoku.engines import dlx as dancing

    expected = dlx.solve_batch([HARD[0]], limit=2, engine=engine, threads=1, seconds=600)
    monkeypatch.setattr(dancing, "UPDATES_PER_SLICE", 50)
    monkeypatch.setattr(lanes, "SWEEPS_PER_SLICE", 3)
    monkeypatch.setattr(backtracking, "STEPS_PER_SLICE", 5000)
    result = dlx.solve_batch([HARD[0]], limit=2, engine=engine, threads=1, seconds=600)
    for array, other in zip(expected, result, strict=True):
        assert np.array_equal(array, other)


def test_the_type_of_engine_names_has_all_engines():
    assert get_args(EngineName) == ("auto", *ENGINES)
