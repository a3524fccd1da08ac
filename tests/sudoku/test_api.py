"""The public functions for Sudoku: all engines agree, with any limits, threads and sizes."""

import random
from typing import get_args

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.runtime.choices import EngineName
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines.registry import ENGINES
from scripts.fuzzing.boards import solve_boards
from tests.helpers import oracles
from tests.helpers.boards import HARD, large_board, values_of
from tests.helpers.seeds import seeds

LARGE = "3x4 4x4 5x5 4x7 5x6 3x11 6x6 7x7 8x8 1x37"


@pytest.mark.parametrize("box", LARGE.split())
def test_large_boards(box):
    box = Box.parse(box)
    boards = np.array([large_board(box, seed) for seed in range(3)])
    result = dlx.solve_batch(boards, box=box)
    for solution, board in zip(result.solutions, boards, strict=True):
        assert oracles.is_solution(solution, board, box)
    boards[1, :2] = boards[1, np.flatnonzero(boards[1])[0]]
    assert dlx.solve_batch(boards, box=box).counts.tolist() == [1, 0, 1]


@pytest.mark.compiled
def test_engines_threads_and_executors_agree_with_a_simple_solver(tmp_path):
    for seed in seeds(500, 8):
        solve_boards(random.Random(seed), tmp_path)


def test_contradictory_givens_are_named():
    with pytest.raises(dlx.NoSolution, match="no solution: two 8s in row 1"):
        dlx.solve_sudoku("88" + HARD[0][2:])


def test_all_solutions_have_the_type_of_the_puzzle():
    text = "1.....3..4......"
    solutions = list(dlx.iter_solutions(text))
    square = values_of(text).astype(np.int16).reshape(4, 4)
    arrays = list(dlx.iter_solutions(square))
    assert [array.dtype for array in arrays] == [np.int16] * 3
    assert ["".join(map(str, array.ravel())) for array in arrays] == solutions
    assert list(dlx.iter_solutions(square.tolist())) == [array.tolist() for array in arrays]
    assert [len(row) for row in dlx.iter_solutions(square.ravel().tolist())] == [16] * 3
    hexadecimal = next(dlx.iter_solutions("F" + "." * 255, alphabet="0-9A-"))
    assert sorted(hexadecimal[:16]) == list("0123456789ABCDEF")
    assert next(dlx.iter_solutions("." * 36, box="3x2"))[:6] == "123456"


def test_changes_to_an_array_do_not_affect_its_solutions():
    board = np.zeros(16, np.uint8)
    solutions = dlx.iter_solutions(board)
    single, first = dlx.solve_sudoku(board), next(solutions)
    expected = single.tolist()
    board[:], first[:], single[:] = 1, 0, 0
    assert sum(1 for _ in solutions) == 287
    assert dlx.solve_sudoku(np.zeros(16, np.uint8)).tolist() == expected
    assert not single.any()


@pytest.mark.compiled
def test_slices_do_not_change_the_result(monkeypatch):
    expected = dlx.solve_batch([HARD[0]], limit=2, engine="dlx", threads=1, seconds=600)
    monkeypatch.setattr("dlx_numba.sudoku.engines.dlx.UPDATES_PER_SLICE", 50)
    assert dlx.solve_batch([HARD[0]], limit=2, engine="dlx", threads=1, seconds=600) == expected


def test_the_type_of_engine_names_has_all_engines():
    assert get_args(EngineName) == ("auto", *ENGINES)


def test_a_few_boards_are_solved_as_many_are():
    """A short way takes arrays of up to 32 boards; a time limit takes them the general way."""
    generator = np.random.default_rng(1)
    grids = dlx.generate(300, seed=1).solutions
    boards = grids * (generator.random(grids.shape) < generator.uniform(0.2, 0.6, (300, 1)))
    boards[::7, 3] = generator.integers(0, 10, 43)
    row = 0
    while row < len(boards):
        few = boards[row : row + int(generator.integers(1, 35))].astype(np.uint8)
        row += len(few)
        limit = int(generator.integers(1, 4))
        result = dlx.solve_batch(few, limit)
        general = dlx.solve_batch(few, limit, seconds=1e6)
        assert result == general
        assert vars(result).keys() == vars(general).keys()
        assert [*map(type, vars(result).values())] == [*map(type, vars(general).values())]
        for other in (few.astype(int), few.reshape(-1, 9, 9), np.asfortranarray(few)):
            assert dlx.solve_batch(other, np.int64(limit)) == general
        few.flags.writeable = False
        assert dlx.solve_batch(few, limit) == general


@pytest.mark.parametrize("value", [10, 18, 19, 255])
def test_invalid_values_of_a_few_boards(value):
    boards = np.zeros((3, 81), np.uint8)
    boards[1, 5] = value
    message = f"puzzle 1, cell 5: {value} is not in the range 0 to 9"
    for settings in ({}, {"seconds": 10}, {"limit": None}):
        with pytest.raises(ValueError, match=message):
            dlx.solve_batch(boards, **settings)
    assert dlx.solve_batch(boards, errors="mark").counts.tolist() == [1, -1, 1]
    for limit in (0, True, 1.5):
        with pytest.raises((TypeError, ValueError), match="limit must be"):
            dlx.solve_batch(boards[:1], limit)
