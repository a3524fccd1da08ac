"""Measure kernels that are compiled for instruction sets, against those for this processor.

    python -m scripts.measure instruction_sets [--runs 7]

The engine `lanes` solves the mixed set, and searches on bitmaps count all covers, in one thread.
Each library of kernels is measured in a separate process. The processes alternate, and the best
time of each counts, because other load on the machine can only slow it down.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from dlx_numba import ExactCover, solve_batch
from dlx_numba.jit.library import SUFFIX, Library, supported_instruction_sets
from dlx_numba.precompile import compile_kernels

from ..libraries import compile_entry, cpu_name
from ..peers.problems import INSTANCES
from ..puzzles import mixed_boards
from ..tables import Row
from .harness import best_times

RUNS = 7
REPETITIONS = 5  # in each process
NATIVE = "this processor"
SEARCHES = ("pent6x10r", "queens12")

Times = dict[str, float]  # seconds, by what is measured


def measure(options: argparse.Namespace) -> dict[str, Times]:
    with tempfile.TemporaryDirectory() as name:
        return measure_instruction_sets(Path(name), options.runs)


def print_times() -> None:
    """Print the times of this process."""
    json.dump(measure_kernels(), sys.stdout)


def measure_instruction_sets(folder: Path, rounds: int) -> dict[str, Times]:
    """Compile the kernels for each instruction set, and return the best times of each."""
    best: dict[str, Times] = {NATIVE: measure_process(folder / NATIVE)}  # which compiles them
    keys = {key for file in (folder / NATIVE).glob(f"*{SUFFIX}") for key in Library(file).entries()}
    for name in supported_instruction_sets():
        tasks = [partial(compile_entry, key) for key in sorted(keys)]
        compile_kernels(folder / name, cpu=cpu_name(name), tasks=tasks)
        best[name] = {}
    for _ in range(rounds):
        for name, times in best.items():
            cpu = (
                {}
                if name == NATIVE
                else {"NUMBA_CPU_NAME": cpu_name(name), "NUMBA_CPU_FEATURES": ""}
            )
            for what, seconds in measure_process(folder / name, **cpu).items():
                times[what] = min(times.get(what, seconds), seconds)
    return best


def measure_process(directory: Path, **variables: str) -> Times:
    """Return the times of a new process that uses the kernels in a directory."""
    output = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import print_times; print_times()"],
        check=True,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"DLX_NUMBA_CACHE_DIR": str(directory)} | variables,
    ).stdout
    times: Times = json.loads(output)
    return times


def measure_kernels() -> Times:
    """Return the best times of this process."""
    boards = mixed_boards()
    calls = {"engine `lanes`": lambda: solve_batch(boards, engine="lanes", threads=1)}
    for name in SEARCHES:
        cover = ExactCover.read(INSTANCES / f"{name}.dlx", algorithm="bitset")
        calls[f"bitmaps, {name}"] = lambda cover=cover: cover.replace(threads=1).count(
            method="search"
        )
    return best_times(calls, 1 + REPETITIONS)  # the first call loads or compiles kernels


def table(best: dict[str, Times]) -> list[Row]:
    """Return the table: times in ms, with their ratios to those of this processor's own code."""
    rows = [["ms", *best]]
    for what, native in best[NATIVE].items():
        cells = [f"{1000 * native:.1f}"]
        for name in [*best][1:]:
            seconds = best[name][what]
            cells.append(f"{1000 * seconds:.1f} ({seconds / native:.2f})")
        rows.append([what, *cells])
    return rows
