"""Measure the Sudoku engines and the C baseline on the same puzzles, in the same run.

    python -m scripts.measure sudoku [FILE...] [--runs 5] [--seconds 0.2]

FILE has one 9×9 puzzle per line; by default, the four sets of data/ and the mixed set are measured.
The C baseline, scripts/baseline/sudoku_dlx.c, is plain Dancing Links in C, compiled with
`cc -O3 -march=native`. Rates are boards per second, setup of each board included; reading files and
compiling kernels are excluded. Runs alternate, and the best run of each program counts, because
other load on the machine can only slow a run down.
"""

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dlx_numba import solve_batch
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.verify import are_solutions

from ..puzzles import DATA, SETS, encode_boards, mixed_boards, read_boards, repeat_boards
from ..tables import Row, format_speedup

BASELINE_SOURCE = Path(__file__).parents[1] / "baseline" / "sudoku_dlx.c"
ENGINES = ("dlx", "lanes")
THREADED_ENGINE = "lanes"
LIMITS = (1, 2)  # the first solution; a test of uniqueness
RUNS = 5
SECONDS_PER_RUN = 0.2
BOARDS_PER_CALL = 10_000
MAX_BOARDS_PER_CALL = 1_000_000  # of the runs with threads, which are one call each

Boards = NDArray[np.uint8]


@dataclass(frozen=True)
class SudokuSpeed:
    """The speeds on one set of puzzles, with up to `limit` solutions per puzzle."""

    set_name: str
    limit: int
    baseline: float  # boards per second, one thread
    engines: dict[str, float]  # boards per second, one thread
    two_threads: float  # speedup of two threads over one, with the engine THREADED_ENGINE


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, help="puzzles; default: the five sets")
    parser.add_argument("--seconds", type=float, default=SECONDS_PER_RUN, help="length of a run")


def standard_sets() -> dict[str, Boards]:
    """Return the sets of data/ and the mixed set, by name."""
    sets = {name: read_boards(DATA / f"{name}.txt") for name in SETS}
    return sets | {"mixed": mixed_boards()}


def measure(options: argparse.Namespace) -> list[SudokuSpeed]:
    sets = {path.stem: read_boards(path) for path in options.files} or standard_sets()
    speeds, arguments = [], (options.runs, options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        program = compile_baseline(Path(folder))
        for name, boards in sets.items():
            file = Path(folder) / f"{name}.txt"
            file.write_bytes(encode_boards(boards))
            speeds += [_measure_set(program, file, boards, limit, *arguments) for limit in LIMITS]
    return speeds


def compile_baseline(folder: Path) -> Path:
    """Compile the C baseline into `folder` and return the program."""
    program = folder / "sudoku_dlx"
    compiler = os.environ.get("CC", "cc")
    command = [compiler, "-O3", "-march=native", "-o", str(program), str(BASELINE_SOURCE)]
    subprocess.run(command, check=True)
    return program


def _measure_set(
    program: Path, file: Path, boards: Boards, limit: int, rounds: int, seconds: float
) -> SudokuSpeed:
    n_solutions, rate = run_baseline(program, file, limit, 1)
    for engine in ENGINES:
        verify_engine(boards, limit, engine, n_solutions)
    n_repeats = max(1, round(seconds * rate / len(boards)))
    batch = repeat_boards(boards, max(len(boards), BOARDS_PER_CALL))
    n_boards = seconds * engine_rate(batch, limit, THREADED_ENGINE, seconds)
    large_batch = repeat_boards(boards, max(len(batch), min(int(n_boards), MAX_BOARDS_PER_CALL)))
    baseline = 0.0
    engines = dict.fromkeys(ENGINES, 0.0)
    by_threads = {1: 0.0, 2: 0.0}
    for _ in range(rounds):
        baseline = max(baseline, run_baseline(program, file, limit, n_repeats)[1])
        for engine in engines:
            engines[engine] = max(engines[engine], engine_rate(batch, limit, engine, seconds))
        for threads in by_threads:
            rate = engine_rate(large_batch, limit, THREADED_ENGINE, 0.0, threads)
            by_threads[threads] = max(by_threads[threads], rate)
    return SudokuSpeed(file.stem, limit, baseline, engines, by_threads[2] / by_threads[1])


def run_baseline(program: Path, file: Path, limit: int, n_repeats: int) -> tuple[int, float]:
    """Return the number of solutions and the boards per second, averaged over the repeats."""
    command = [str(program), str(file), str(limit), str(n_repeats)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line.split() for line in output.splitlines()]  # N puzzles N solutions N per second
    seconds_per_board = [1 / float(words[4]) for words in lines]
    return int(lines[0][2]), len(lines) / sum(seconds_per_board)


def verify_engine(boards: Boards, limit: int, engine: str, n_solutions: int) -> None:
    """Check the solutions of an engine, and their number against that of the baseline."""
    result = solve_batch(boards, limit=limit, engine=engine)
    solved = result.counts > 0
    if not are_solutions(result.solutions[solved], boards[solved], Box(3, 3)).all():
        raise RuntimeError(f"{engine}: wrong solution")
    if result.counts.sum() != n_solutions:
        raise RuntimeError(
            f"{engine}: {result.counts.sum():,} solutions instead of {n_solutions:,}"
        )


def engine_rate(boards: Boards, limit: int, engine: str, seconds: float, threads: int = 1) -> float:
    """Return the boards per second of calls with all boards, repeated for at least `seconds`."""
    n_calls, elapsed = 0, 0.0
    begin = time.perf_counter()
    while n_calls == 0 or elapsed < seconds:
        solve_batch(boards, limit=limit, engine=engine, threads=threads)
        n_calls += 1
        elapsed = time.perf_counter() - begin
    return n_calls * len(boards) / elapsed


def table(speeds: Sequence[SudokuSpeed]) -> list[Row]:
    """Return the table of boards per second, with the speedups over the C baseline."""
    engines = list(speeds[0].engines)
    rows = [["set", "limit", "C baseline"]]
    for engine in engines:
        rows[0] += [f"`{engine}`", "speedup"]
    rows[0].append(f"`{THREADED_ENGINE}`, 2 threads")
    for speed in speeds:
        row = [speed.set_name, str(speed.limit), f"{speed.baseline:,.0f}"]
        for rate in speed.engines.values():
            row += [f"{rate:,.0f}", format_speedup(rate / speed.baseline)]
        row.append(f"{speed.two_threads:.2f}×")
        rows.append(row)
    return rows
