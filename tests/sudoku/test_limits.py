"""Each function that can take long ends soon after `stop` is set, and at its time limit."""

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import dlx_numba as dlx

MAX_SECONDS = 20  # after the call should have ended; without a limit, it would take minutes
DIAGONAL = dlx.SudokuRules(diagonals=True)
EMPTY = np.zeros((4000, 256), np.uint8)
GRID = "".join(
    "123456789ABCDEFG"[(4 * row + row // 4 + k) % 16] for row in range(16) for k in range(16)
)
GRIDS = [GRID] * 4000


def check(result):
    """Raise Stopped if a puzzle is unfinished."""
    if (result.counts < 0).any():
        raise dlx.Stopped("unfinished")


CALLS = {
    "solve_sudoku": lambda **end: dlx.solve_sudoku(np.zeros((64, 64), int), **end),
    "solve_sudoku with rules": lambda **end: dlx.solve_sudoku(
        np.zeros(256, int), rules=dlx.SudokuRules(anti_king=True, non_consecutive=True), **end
    ),
    "iter_solutions": lambda **end: deque(dlx.iter_solutions("." * 81, **end), 0),
    "iter_solutions with rules": lambda **end: deque(
        dlx.iter_solutions("." * 81, rules=DIAGONAL, **end), 0
    ),
    "solve_batch": lambda **end: check(dlx.solve_batch(["." * 81], None, **end)),
    "solve_batch with candidates": lambda **end: check(
        dlx.solve_batch(EMPTY, candidates=True, **end)
    ),
    "canonical": lambda **end: dlx.canonical(GRIDS, **end),
    "automorphisms": lambda **end: dlx.automorphisms(GRIDS, **end),
    "minimize": lambda **end: dlx.minimize(GRIDS, **end),
    "is_minimal": lambda **end: dlx.is_minimal(GRIDS, **end),
    "generate": lambda **end: dlx.generate(10**5, box=(4, 4), seed=1, **end),
    "generate with rules": lambda **end: dlx.generate(10**5, rules=DIAGONAL, seed=1, **end),
    "rate": lambda **end: dlx.rate(["8" + "." * 80] * 10**6, **end),
}


class SetAfter:
    """An event that is set when it is asked for the second time after its creation."""

    def __init__(self):
        self.n_left, self.time = 1, 0.0

    def is_set(self):
        self.n_left -= 1
        self.time = self.time or (time.monotonic() if self.n_left < 0 else 0)
        return self.n_left < 0


@pytest.mark.compiled
@pytest.mark.parametrize("name", CALLS)
def test_calls_end(name):
    call = CALLS[name]

    def stop_and_limit():
        with pytest.raises(dlx.Stopped):
            call(seconds=0.1)  # loads the kernels
        stop = SetAfter()
        with pytest.raises(dlx.Stopped):
            call(stop=stop)
        assert 0 < time.monotonic() - stop.time < MAX_SECONDS
        start = time.monotonic()
        with pytest.raises(dlx.Stopped):
            call(seconds=0.1)
        assert time.monotonic() - start < MAX_SECONDS

    stop_and_limit()
    with ThreadPoolExecutor(1) as thread:
        thread.submit(stop_and_limit).result()
