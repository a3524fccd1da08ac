"""The engines for giant boards, on boards of all sizes."""

import random
import threading

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.search import portfolio
from dlx_numba.sudoku.box import Box
from tests.helpers.seeds import seeds


def latin_grid(box):
    """Return a grid whose rows are shifted."""
    n, rows = box.n, np.arange(box.n)[:, np.newaxis]
    shifts = box.columns * (rows % box.rows) + rows // box.rows
    return 1 + (shifts + np.arange(n)) % n


def random_board(rng, box, share):
    board = latin_grid(box)
    n = box.n
    board = np.array([0, *rng.sample(range(1, n + 1), n)])[board].astype(np.uint8).ravel()
    board[[k for k in range(box.cells) if rng.random() > share]] = 0
    return board


def check_engine(name, n_seeds):
    for seed in seeds(n_seeds, 6):
        rng = random.Random(seed)
        box = Box(*rng.choice([(2, 2), (2, 3), (3, 3)]))
        boards = np.array([random_board(rng, box, rng.uniform(0.3, 0.6)) for _ in range(3)])
        boards[0, rng.randrange(box.cells)] = rng.randint(1, box.n)
        limit = rng.choice([1, 2, 5])
        shape = {"box": tuple(box)}
        expected = dlx.solve_batch(boards, limit, engine="dlx", **shape)
        found = dlx.solve_batch(boards, limit, engine=name, threads=rng.choice([1, 2]), **shape)
        assert found.counts.tolist() == expected.counts.tolist()
        for board, solution, count in zip(boards, found.solutions, found.counts, strict=True):
            assert count or not solution.any()
            if count:
                [n_solutions] = dlx.solve_batch(solution[np.newaxis], 2, **shape).counts
                assert n_solutions == 1
                assert np.all((board == 0) | (board == solution))


def test_methods_that_take_turns_agree_with_dancing_links(monkeypatch):
    monkeypatch.setattr(portfolio, "has_sat", lambda: False)
    check_engine("portfolio", 60)
    monkeypatch.setattr(portfolio, "FIRST_UPDATES", 1)
    monkeypatch.setattr(portfolio, "SLICE_UPDATES", 64)
    check_engine("portfolio", 30)


@pytest.mark.slow
def test_cadical_agrees_with_dancing_links():
    pytest.importorskip("pysat")
    check_engine("sat", 30)


@pytest.mark.compiled
@pytest.mark.parametrize("box", [Box(5, 5), Box(6, 6)], ids=str)
def test_giant_boards_are_solved(box):
    rng = random.Random(1)
    board = random_board(rng, box, 0.7)
    result = dlx.solve_batch(board[np.newaxis], 2, box=tuple(box))
    assert result.counts[0] > 0
    solution = dlx.solve_sudoku(board.reshape(box.n, box.n), box=tuple(box))
    assert np.all((board == 0) | (board == solution.ravel()))
    board[:2] = 1
    assert dlx.solve_batch(board[np.newaxis], box=tuple(box)).counts.tolist() == [0]


def test_a_stopped_call_leaves_boards_unsolved():
    boards = np.zeros((2, 625), np.uint8)
    stop = threading.Event()
    stop.set()
    assert dlx.solve_batch(boards, box=(5, 5), stop=stop).counts.tolist() == [-1, -1]
    with pytest.raises(dlx.Stopped):
        dlx.solve_sudoku(boards[0], box=(5, 5), stop=stop)
