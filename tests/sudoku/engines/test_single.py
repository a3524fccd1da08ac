"""Single boards: calls within a call, and all solutions in the same order."""

import numpy as np

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.engines import dlx as engine
from dlx_numba.sudoku.engines import single


def test_calls_within_a_call(monkeypatch):
    """A signal handler or a finalizer may call the function while the same thread is in it."""
    text = "1.....3..4.....2"
    expected = dlx.solve_sudoku(text)
    original = single.BoardSolver.solve
    calls_within = iter(range(3))

    def nested(solver, values, stop):
        if next(calls_within, None) is not None:
            assert dlx.solve_sudoku("." * 16) == "1234341221434321"
        return original(solver, values, stop)

    monkeypatch.setattr(single.BoardSolver, "solve", nested)
    assert dlx.solve_sudoku(text) == expected


def test_order_does_not_depend_on_blocks_and_slices(monkeypatch):
    def blocks(size):
        empty = np.zeros(16, np.uint8)
        return list(engine.iterate_blocks(empty, Box(2, 2), lambda: False, size))

    expected = np.concatenate(blocks(256)).tolist()
    assert len(set(map(tuple, expected))) == 288
    monkeypatch.setattr(engine, "UPDATES_PER_SLICE", 20)
    for size in (1, 7, 288, 1000):
        assert max(map(len, blocks(size))) <= size
        assert np.concatenate(blocks(size)).tolist() == expected
