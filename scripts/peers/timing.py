"""Timed runs with checked results, and their alternation."""

import re
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.verify import are_solutions

from ..puzzles import DATA, SETS, decode_boards
from .adapters import COUNTERS, SOLVERS, package_of
from .problems import INSTANCES
from .workers import MeasurementFailed

MAX_RUNS = 15
SMALL_FILE, SMALL_COVERS = INSTANCES / "queens8.dlx", 92


def time_boards(solver: str, puzzles: Sequence[str]) -> float:
    """Return the seconds for solving all puzzles, starting from text."""
    begin = time.perf_counter()
    solutions = SOLVERS[solver](puzzles)
    seconds = time.perf_counter() - begin
    boards = np.array([list(map(int, solution)) for solution in solutions], np.uint8)
    n_wrong = np.sum(~are_solutions(boards, decode_boards("".join(puzzles)), Box(3, 3)))
    if n_wrong:
        raise MeasurementFailed(f"{n_wrong} of {len(puzzles)} wrong")
    return seconds


def time_count(counter: str, file: Path, n_covers: int) -> float:
    """Return the seconds for counting all covers; `n_covers` is the true number."""
    count = COUNTERS[counter].prepare(file)
    begin = time.perf_counter()
    counted = count()
    seconds = time.perf_counter() - begin
    check_count(counted, n_covers)
    return seconds


def time_program(command: Sequence[str], max_seconds: float, file: Path, n_covers: int) -> float:
    """Return the seconds of a process that reads a problem and reports its number of solutions.

    The number is that of the last occurrence of "N solutions" in the output.
    """
    with file.open() as problem:
        begin = time.perf_counter()
        try:
            done = subprocess.run(
                command, stdin=problem, capture_output=True, text=True, timeout=max_seconds
            )
        except subprocess.TimeoutExpired:
            raise MeasurementFailed(f"over {max_seconds:g} s") from None
        seconds = time.perf_counter() - begin
    counts = re.findall(r"(\d+) solution", done.stdout + done.stderr)
    if not counts:
        raise MeasurementFailed("no result")
    check_count(int(counts[-1]), n_covers)
    return seconds


def check_count(counted: int, n_covers: int) -> None:
    if counted != n_covers:
        raise MeasurementFailed(f"wrong: {counted:,}")


def warm_up(package: str) -> None:
    """Run everything once, so that no measurement includes compilation or the setup of tables."""
    puzzle = (DATA / f"{SETS[0]}.txt").read_text(encoding="ascii").split()[0]
    for solver in SOLVERS:
        if package_of(solver) == package:
            time_boards(solver, [puzzle])
    for counter in COUNTERS:
        if package_of(counter) == package:
            time_count(counter, SMALL_FILE, SMALL_COVERS)


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
