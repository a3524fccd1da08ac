"""Run times and search effort of a solver on a set of boards."""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.choices import NAIVE
from ..runtime.interrupts import Stop
from ..sudoku.box import Box
from ..sudoku.engines.base import Boards, EngineResult, StopCheck
from ..sudoku.engines.registry import ENGINES, make_engine
from ..sudoku.verify import are_solutions
from .naive import NaiveSolver

Solve = Callable[[Boards, int, EngineResult, StopCheck], None]  # see `Engine.solve`


MIN_CPU_SECONDS = 1e-4  # shorter calls are timed by the wall clock
MIN_RUN_SECONDS = 0.1  # shorter runs are repeated, because of the limited resolution of the clock
LONG_SECONDS = 0.5  # longer runs are not repeated


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
    boards: Boards
    box: Box

    def first(self, n_boards: int) -> "BoardSet":
        """Return the first boards of the set."""
        return self._replace(boards=self.boards[:n_boards])

    @property
    def mean_givens(self) -> float:
        """The mean number of givens of a board."""
        return float(np.count_nonzero(self.boards, axis=1).mean())


class Measurement(NamedTuple):
    """The run times and the search effort of a solver on a set of boards.

    Attributes
    ----------
    solver
        The name of the solver.
    boards
        The boards.
    work_unit
        The unit of `nodes`: "nodes" or "guesses".
    solved
        bool array of shape (boards,): whether the board was solved before the cutoff.
    seconds
        float64 array with the run time of each solved board.
    nodes
        int64 array with the number of nodes or guesses for each solved board.
    per_second
        Solved boards per second in one call for all of these boards, in one thread.
    note
        The reason that boards were not solved; "" if all were.
    """

    solver: str
    boards: BoardSet
    work_unit: str
    solved: NDArray[np.bool_]
    seconds: NDArray[np.float64]
    nodes: NDArray[np.int64]
    per_second: float = 0.0
    note: str = ""


class WrongSolution(AssertionError):
    """A solver returned an invalid solution."""


def measure(
    solver: str, boards: BoardSet, *, limit: int, repeat: int, cutoff: float
) -> Measurement:
    """Measure a solver in one thread, on each board of a set and on the whole set.

    The times include the setup of each board, but neither compilation nor a warm-up run, in which
    all solutions are verified. They are CPU times, so other programs on the machine affect them
    little.

    Parameters
    ----------
    solver
        One of `SOLVERS`.
    boards
        The boards to solve.
    limit
        Search for up to `limit` solutions of each board.
    repeat
        The number of runs; the fastest one counts.
    cutoff
        Time limit of the warm-up run, in seconds. Boards that are not solved by then are excluded
        from the measurement.

    Returns
    -------
    Measurement
        Without times if the solver does not support the boards, or solves none before the cutoff.

    Raises
    ------
    WrongSolution
        If the solver returns an invalid solution.
    """
    n_boards = len(boards.boards)
    nothing = np.zeros(n_boards, bool), np.empty(0), np.empty(0, np.int64)
    work_unit = "nodes" if solver == NAIVE else ENGINES[solver].work_unit
    unsolved = Measurement(solver, boards, work_unit, *nothing)
    try:
        solve = _make_solver(solver, boards.box)
        _solve(solve, boards.boards[:1], limit, Stop(cutoff))  # compiles the kernels
        result = _solve(solve, boards.boards, limit, Stop(cutoff))
    except ValueError as error:  # the solver does not support these boards
        return unsolved._replace(note=str(error))
    has_solution = result.counts > 0
    claimed = result.solutions[has_solution]
    if not are_solutions(claimed, boards.boards[has_solution], boards.box).all():
        raise WrongSolution(f"{solver} returned an invalid solution")
    solved = result.counts >= 0  # -1 if the cutoff came first; 0 if there is no solution
    n_solved = int(np.count_nonzero(solved))
    if n_solved < n_boards:
        note = f"{n_solved} of {n_boards} boards: cut off after {cutoff:g} s"
        unsolved = unsolved._replace(note=note)  # the times of the solved boards are added below
    if not n_solved:
        return unsolved
    solved_boards = boards.boards[solved]
    return unsolved._replace(
        solved=solved,
        seconds=_board_seconds(solve, solved_boards, limit, repeat),
        nodes=result.nodes[solved],
        per_second=n_solved / _seconds_of_set(solve, solved_boards, limit, repeat),
    )


def _make_solver(name: str, box: Box) -> Solve:
    return NaiveSolver(box).solve if name == NAIVE else make_engine(name, box).solve


def _board_seconds(solve: Solve, boards: Boards, limit: int, repeat: int) -> NDArray[np.float64]:
    """Return the run time of each board in a separate call, minus that of an empty call.

    The boards take turns, as in a file: if one board were repeated, the branch predictor of the
    processor would learn it. An empty call precedes each, so the fastest one was not interrupted.

    There are up to `repeat` rounds: fewer if they take LONG_SECONDS together, and more if they take
    less than MIN_RUN_SECONDS.
    """
    empty = boards[:0]
    empty_seconds = np.inf
    best = np.full(len(boards), np.inf)
    total = 0.0
    while (repeat > 0 and total < LONG_SECONDS) or total < MIN_RUN_SECONDS:
        for k in range(len(boards)):
            empty_seconds = min(empty_seconds, time_call(solve, empty, limit))
            elapsed = time_call(solve, boards[k : k + 1], limit)
            best[k] = min(best[k], elapsed)
            total += elapsed
        repeat -= 1
    return best - empty_seconds


def _seconds_of_set(solve: Solve, boards: Boards, limit: int, repeat: int) -> float:
    """Return the run time of all boards in one call, the shortest of `repeat` runs.

    Small sets are solved several times in one call, so that a run takes `MIN_RUN_SECONDS`.
    """
    best = np.inf
    copies = 1
    while repeat > 0:
        batch = np.tile(boards, (copies, 1))
        elapsed = time_call(solve, batch, limit)
        if elapsed < MIN_RUN_SECONDS and best == np.inf:  # this was no run, but a trial
            # The number at least doubles. As short times are inexact, it grows about a hundredfold
            # at most.
            copies += int(copies * min(100, MIN_RUN_SECONDS / elapsed))
            continue
        best = min(best, elapsed / copies)
        repeat = repeat - 1 if elapsed < LONG_SECONDS else 0
    return best


def time_call(solve: Solve, boards: Boards, limit: int) -> float:
    """Return the CPU time of a call, which other programs affect less than the wall time.

    Its resolution does not suffice for short calls: it may be 0 for one that is interrupted. The
    wall time of such a call is long, but another run is faster.
    """
    start = time.perf_counter()
    cpu_start = time.thread_time()
    _solve(solve, boards, limit, Stop())
    cpu_seconds = time.thread_time() - cpu_start
    seconds = time.perf_counter() - start
    return cpu_seconds if cpu_seconds >= MIN_CPU_SECONDS else seconds


def _solve(solve: Solve, boards: Boards, limit: int, stop: Stop) -> EngineResult:
    """Solve boards in one call."""
    result = EngineResult.allocate(boards)
    solve(boards, limit, result, stop)
    return result
