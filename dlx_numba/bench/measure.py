"""Run times of a solver on a set of boards."""

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.interrupts import Stop
from ..sudoku.box import Box
from ..sudoku.engines.base import BatchResult, Engine
from ..sudoku.engines.registry import make_engine
from ..sudoku.verify import are_solutions

MIN_RUN_SECONDS = 0.1  # shorter runs are repeated, because of the limited resolution of the clock


class BoardSet(NamedTuple):
    """A named set of boards of one shape.

    Attributes
    ----------
    name
        The name of the set.
    boards
        uint8 array of shape (boards, cells); 0 is an empty cell.
    box
        The shape of the boxes.
    """

    name: str
    boards: NDArray[np.uint8]
    box: Box


class Measurement(NamedTuple):
    """The run times of a solver on a set of boards.

    Attributes
    ----------
    solver
        The name of the solver.
    set_name
        The name of the set.
    boards
        The number of boards in the set.
    seconds
        float64 array with the run time of each board that was solved before the cutoff.
    per_second
        Boards per second in one call for all of these boards, in one thread.
    note
        The reason that boards are missing from `seconds`; "" if none are.
    """

    solver: str
    set_name: str
    boards: int
    seconds: NDArray[np.float64]
    per_second: float
    note: str


class WrongSolution(AssertionError):
    """A solver returned an invalid solution."""


def measure(
    solver: str, boards: BoardSet, *, limit: int, repeat: int, cutoff: float
) -> Measurement:
    """Measure a solver in one thread, on each board of a set and on the whole set.

    The times include the setup of each board, but neither compilation nor a warm-up run, in which
    all solutions are verified.

    Parameters
    ----------
    solver
        The name of the solver.
    boards
        The boards to solve.
    limit
        Search for up to `limit` solutions of each board.
    repeat
        The number of runs; the fastest one counts.
    cutoff
        Time limit of the warm-up run, in seconds. Boards that are not solved by then, or that the
        solver cannot finish, are excluded from the measurement.

    Returns
    -------
    Measurement
        Without times if the solver does not support the boards, or solves none before the cutoff.

    Raises
    ------
    WrongSolution
        If the solver returns an invalid solution.
    """

    def without_times(note: str) -> Measurement:
        return Measurement(solver, boards.name, len(boards.boards), np.empty(0), 0.0, note)

    try:
        engine = make_engine(solver, boards.box)
        _solve(engine, boards.boards[:1], limit, Stop(cutoff))  # compiles the kernels
        stop = Stop(cutoff)
        counts = _solve(engine, boards.boards, limit, stop, verify=boards.box)
        is_cut_off = stop()
    except ValueError as error:  # the solver does not support these boards
        return without_times(str(error))
    solved = boards.boards[counts >= 0]
    note = ""
    if len(solved) < len(boards.boards):
        note = f"{len(solved)} of {len(boards.boards)} boards"
        note += f": cut off after {cutoff:g} s" if is_cut_off else " solved"
    if not len(solved):
        return without_times(note)
    seconds = _board_seconds(engine, solved, limit, repeat)
    rate = len(solved) / _set_seconds(engine, solved, limit, repeat)
    return Measurement(solver, boards.name, len(boards.boards), seconds, rate, note)


def _board_seconds(
    engine: Engine, boards: NDArray[np.uint8], limit: int, repeat: int
) -> NDArray[np.float64]:
    """Return the run time of each board in a separate call, minus that of an empty call.

    The boards take turns, as in a file: if one board were repeated, the branch predictor of the
    processor would learn it.
    """
    empty = np.zeros((0, boards.shape[1]), np.uint8)
    best = np.full(len(boards) + 1, np.inf)
    batches = [*(boards[k : k + 1] for k in range(len(boards))), empty]
    total = 0.0
    while repeat > 0 or total < MIN_RUN_SECONDS:
        for k, batch in enumerate(batches):
            start = time.perf_counter()
            _solve(engine, batch, limit, Stop())
            elapsed = time.perf_counter() - start
            best[k] = min(best[k], elapsed)
            total += elapsed
        repeat -= 1
    return np.asarray(np.maximum(best[:-1] - best[-1], 0))


def _set_seconds(engine: Engine, boards: NDArray[np.uint8], limit: int, repeat: int) -> float:
    """Return the run time of all boards in one call.

    Small sets are solved several times in one call, so that a run takes `MIN_RUN_SECONDS`.
    """
    best, copies = np.inf, 1
    while repeat > 0:
        batch = np.tile(boards, (copies, 1))
        start = time.perf_counter()
        _solve(engine, batch, limit, Stop())
        elapsed = time.perf_counter() - start
        if elapsed < MIN_RUN_SECONDS and best == np.inf:
            copies += int(copies * min(100, MIN_RUN_SECONDS / elapsed))
            continue
        best = min(best, elapsed / copies)
        repeat -= 1
    return best


def _solve(
    engine: Engine, boards: NDArray[np.uint8], limit: int, stop: Stop, verify: Box | None = None
) -> NDArray[np.int64]:
    """Return the number of solutions of each board, or -1 if it was not solved."""
    result = BatchResult.allocate(boards)
    engine.solve(boards, limit, result, stop)
    if verify is not None:
        found = result.counts > 0
        if not are_solutions(result.solutions[found], boards[found], verify).all():
            raise WrongSolution(f"{engine!r} returned an invalid solution")
    return result.counts
