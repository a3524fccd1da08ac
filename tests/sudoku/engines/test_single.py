"""Single boards: the same solutions as in a batch, from any number of threads."""

import dlx_numba as dlx
from dlx_numba.sudoku.engines import single


def test_calls_within_a_call(monkeypatch):
    """A signal handler or a finalizer may call the function while the same thread is in it."""
    text = "1.....3..4.....2"
    expected = dlx.solve_sudoku(text)
    original = single.BoardSolver.solve
    depth = 0

    def nested(solver, values, stop):
        nonlocal depth
        depth += 1
        if depth <= 3:
            assert dlx.solve_sudoku("." * 16) == "1234341221434321"
        return original(solver, values, stop)

    monkeypatch.setattr(single.BoardSolver, "solve", nested)
    assert dlx.solve_sudoku(text) == expected
