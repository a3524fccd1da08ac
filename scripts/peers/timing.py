"""Timed runs with checked results, and their alternation."""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..puzzles import decode_boards
from .adapters import COUNTERS, SOLVERS, package_of
from .problems import INSTANCES, ExactCoverProblem, are_solutions
from .workers import MeasurementFailed

MAX_RUNS = 15
WARM_UP_INSTANCE, WARM_UP_COVERS = "queens8", 92


def time_boards(solver: str, puzzles: Sequence[str]) -> float:
    """Return the seconds for solving all puzzles, starting from text."""
    begin = time.perf_counter()
    solutions = SOLVERS[solver](puzzles)
    seconds = time.perf_counter() - begin
    boards = np.array([list(map(int, solution)) for solution in solutions], np.uint8)
    n_wrong = np.sum(~are_solutions(boards, decode_boards("".join(puzzles))))
    if n_wrong:
        raise MeasurementFailed(f"{n_wrong} of {len(puzzles)} wrong")
    return seconds


def time_count(counter: str, problem: ExactCoverProblem, n_covers: int) -> float:
    """Return the seconds for counting all covers; `n_covers` is the true number."""
    count = COUNTERS[counter].prepare(problem)
    begin = time.perf_counter()
    counted = count()
    seconds = time.perf_counter() - begin
    if counted != n_covers:
        raise MeasurementFailed(f"wrong: {counted:,}")
    return seconds


def warm_up(package: str) -> None:
    """Run everything once, so that no measurement includes compilation or the setup of tables."""
    for solver in SOLVERS:
        if package_of(solver) == package:
            time_boards(solver, ["." * 81])
    for counter in COUNTERS:
        if package_of(counter) == package:
            problem = ExactCoverProblem(INSTANCES / f"{WARM_UP_INSTANCE}.dlx")
            time_count(counter, problem, WARM_UP_COVERS)


def best_times(
    runs: Mapping[str, Callable[[], float]], seconds: float
) -> tuple[dict[str, float], dict[str, str]]:
    """Return the best time of each run, and the reasons for failures.

    The runs alternate. Each is repeated until its times sum up to `seconds`.
    """
    times: dict[str, list[float]] = {name: [] for name in runs}
    failures: dict[str, str] = {}
    for _ in range(MAX_RUNS):
        for name, run in runs.items():
            if name not in failures and sum(times[name]) < seconds:
                try:
                    times[name].append(run())
                except MeasurementFailed as failure:
                    failures[name] = str(failure)
    return {name: min(times[name]) for name in runs if name not in failures}, failures
