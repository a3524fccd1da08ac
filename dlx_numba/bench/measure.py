"""How long a solver takes for each board of a set."""

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupts import Stop
from ..sudoku.box import Box
from ..sudoku.engines.base import BatchResult, Engine
from ..sudoku.engines.registry import make_engine
from ..sudoku.verify import are_solutions

# Runs take so long at least that the clock's own time does not count.
RUN_SECONDS = 0.1


class BoardSet(NamedTuple):
    """Boards to measure with."""

    name: str
    boards: NDArray[np.uint8]  # (N, cells)
    box: Box


class Measurement(NamedTuple):
    """A solver's times on a set; `seconds` has one for each board that it solved in time."""

    solver: str
    set_name: str
    boards: int
    seconds: NDArray[np.float64]
    per_second: float  # boards, one thread, the whole set in one call
    note: str


class WrongSolution(AssertionError):
    """A solver gave an answer that is no solution."""


def measure(
    solver: str, boards: BoardSet, *, limit: int, repeat: int, cutoff: float
) -> Measurement:
    """Solve each board of a set in turn, then the set as a whole, in one thread.

    Set-up of each instance is included, compilation and a warm-up are not. During the warm-up,
    each solution is checked, and WrongSolution raised where it is none; what is not solved within
    `cutoff` seconds then is left out of the measurement. Times are the best of `repeat` runs.
    """
    try:
        engine = make_engine(solver, boards.box)
        _solve(engine, boards.boards[:1], limit, Stop(cutoff))  # compiles
        counts = _solve(engine, boards.boards, limit, Stop(cutoff), check=boards.box)
    except ValueError as error:  # boards that this solver does not take
        return Measurement(solver, boards.name, len(boards.boards), np.empty(0), 0.0, str(error))
    solved = boards.boards[counts >= 0]
    note = ""
    if len(solved) < len(boards.boards):
        note = f"{len(solved)} of {len(boards.boards)} boards: cut off after {cutoff:g} s"
    if not len(solved):
        return Measurement(solver, boards.name, len(boards.boards), np.empty(0), 0.0, note)
    seconds = _board_seconds(engine, solved, limit, repeat)
    rate = len(solved) / _set_seconds(engine, solved, limit, repeat)
    return Measurement(solver, boards.name, len(boards.boards), seconds, rate, note)


def _board_seconds(
    engine: Engine, boards: NDArray[np.uint8], limit: int, repeat: int
) -> NDArray[np.float64]:
    """(N,) the time of each board alone, without that of a call which has nothing to solve.

    Board follows board, as in a file: over copies of one, the processor would learn its branches.
    """
    nothing = np.zeros((0, boards.shape[1]), np.uint8)
    best = np.full(len(boards) + 1, np.inf)
    rows = [*(boards[k : k + 1] for k in range(len(boards))), nothing]
    spent = 0.0
    while repeat > 0 or spent < RUN_SECONDS:
        for k, row in enumerate(rows):
            begin = time.perf_counter()
            _solve(engine, row, limit, Stop())
            elapsed = time.perf_counter() - begin
            best[k] = min(best[k], elapsed)
            spent += elapsed
        repeat -= 1
    return np.asarray(np.maximum(best[:-1] - best[-1], 0))


def _set_seconds(engine: Engine, boards: NDArray[np.uint8], limit: int, repeat: int) -> float:
    """The time of the boards in one call."""
    best, copies = np.inf, 1
    while repeat > 0:
        many = np.tile(boards, (copies, 1))
        begin = time.perf_counter()
        _solve(engine, many, limit, Stop())
        elapsed = time.perf_counter() - begin
        if elapsed < RUN_SECONDS and best == np.inf:
            copies += int(copies * min(100, RUN_SECONDS / elapsed))
            continue
        best = min(best, elapsed / copies)
        repeat -= 1
    return best


def _solve(
    engine: Engine, boards: NDArray[np.uint8], limit: int, stop: Stop, check: Box | None = None
) -> NDArray[np.int64]:
    result = BatchResult.allocate(boards)
    engine.solve(boards, limit, result, stop)
    if check is not None:
        found = result.counts > 0
        if not are_solutions(result.solutions[found], boards[found], check).all():
            raise WrongSolution(f"{engine!r} gave a board that is no solution")
    return result.counts
