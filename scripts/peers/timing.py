"""Timed runs, whose results are checked, and how they take turns."""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dlx_numba import Box
from dlx_numba.cover.io.knuth import parse_knuth
from dlx_numba.sudoku.verify import are_solutions

from .adapters import COUNTERS, SOLVERS, package_of
from .problems import Cover, digits
from .workers import Failed

MOST_RUNS = 15
TINY = Cover(parse_knuth("a b | c\na c\nb\na b\nb c"))


def timed_boards(solver: str, puzzles: Sequence[str]) -> float:
    """The seconds for solving all of them, from text."""
    start = time.perf_counter()
    solutions = SOLVERS[solver](puzzles)
    seconds = time.perf_counter() - start
    boards = np.array([list(map(int, solution)) for solution in solutions], np.uint8)
    givens = digits("".join(puzzles)).reshape(-1, 81)
    wrong = np.sum(~are_solutions(boards, givens, Box(3, 3)))
    if wrong:
        raise Failed(f"{wrong} of {len(puzzles)} wrong")
    return seconds


def timed_count(counter: str, problem: Cover, expected: int) -> float:
    """The seconds for counting all solutions."""
    prepare, _ = COUNTERS[counter]
    count = prepare(problem)
    start = time.perf_counter()
    solutions = count()
    seconds = time.perf_counter() - start
    if solutions != expected:
        raise Failed(f"wrong: {solutions:,}")
    return seconds


def warm_up(package: str) -> None:
    """What Numba compiles, and tables that are made once, belong to no measurement."""
    for solver in SOLVERS:
        if package_of(solver) == package:
            timed_boards(solver, ["." * 81])
    if package in COUNTERS:
        timed_count(package, TINY, 2)


def best_times(
    runs: Mapping[str, Callable[[], float]], seconds: float
) -> tuple[dict[str, float], dict[str, str]]:
    """The best time of each, and of those that have none, why. Slow ones get fewer runs.

    They take turns, so that all see the same noise.
    """
    times: dict[str, list[float]] = {name: [] for name in runs}
    failed: dict[str, str] = {}
    for _ in range(MOST_RUNS):
        for name, run in runs.items():
            if name not in failed and sum(times[name]) < seconds:
                try:
                    times[name].append(run())
                except Failed as reason:
                    failed[name] = str(reason)
    return {name: min(times[name]) for name in runs if name not in failed}, failed
