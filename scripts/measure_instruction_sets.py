"""Measure kernels that are compiled for instruction sets, against those for this processor.

    python -m scripts.measure_instruction_sets [--rounds 7] [--markdown]

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
import time
from pathlib import Path

from dlx_numba import ExactCover, solve_batch
from dlx_numba.bench.report import machine
from dlx_numba.jit.library import SUFFIX, Library, Store, cpu_name, supported_instruction_sets
from dlx_numba.precompile import build_library

from .peers.problems import INSTANCES
from .puzzles import mixed_boards
from .tables import Row, format_machine, markdown_table, text_table

ROUNDS = 7
REPETITIONS = 5  # in each process
NATIVE = "this processor"
SEARCHES = ("pent6x10r", "queens12")

Times = dict[str, float]  # seconds, by what is measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", action="store_true", help="print the times of one process only")
    options = parser.parse_args()
    if options.json:
        json.dump(measure(), sys.stdout)
        return
    with tempfile.TemporaryDirectory() as name:
        rows = instruction_sets_table(measure_instruction_sets(Path(name), options.rounds))
    sys.stdout.write(markdown_table(rows) if options.markdown else text_table(rows))
    print(f"Measured with {format_machine(machine())}.", file=sys.stderr)


def measure_instruction_sets(folder: Path, rounds: int) -> dict[str, Times]:
    """Compile the kernels for each instruction set, and return the best times of each."""
    best: dict[str, Times] = {NATIVE: measure_process(folder / NATIVE)}  # which compiles them
    keys = {key for file in (folder / NATIVE).glob(f"*{SUFFIX}") for key in Library(file).entries()}
    for name in supported_instruction_sets():
        path = Store(folder / name).path  # that of this processor's library, so it is used
        build_library(path, path.parent, cpu=cpu_name(name), keys=sorted(keys))
        best[name] = {}
    for _ in range(rounds):
        for name, times in best.items():
            for what, seconds in measure_process(folder / name).items():
                times[what] = min(times.get(what, seconds), seconds)
    return best


def measure_process(directory: Path) -> Times:
    """Return the times of a new process that uses the kernels in a directory."""
    output = subprocess.run(
        [sys.executable, "-m", "scripts.measure_instruction_sets", "--json"],
        check=True,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
        env=os.environ | {"DLX_NUMBA_CACHE_DIR": str(directory)},
    ).stdout
    times: Times = json.loads(output)
    return times


def measure() -> Times:
    """Return the best times of this process."""
    boards = mixed_boards()
    calls = {"engine `lanes`": lambda: solve_batch(boards, engine="lanes", threads=1)}
    for name in SEARCHES:
        cover = ExactCover.from_file(INSTANCES / f"{name}.dlx", algorithm="bitset")
        calls[f"bitmaps, {name}"] = lambda cover=cover: cover.count(method="search", threads=1)
    times: Times = {}
    for what, call in calls.items():
        for _ in range(1 + REPETITIONS):  # the first call loads or compiles kernels
            begin = time.perf_counter()
            call()
            times[what] = min(times.get(what, float("inf")), time.perf_counter() - begin)
    return times


def instruction_sets_table(best: dict[str, Times]) -> list[Row]:
    """Return the table: times in ms, with their ratios to those of this processor's own code."""
    rows = [["ms", *best]]
    for what, native in best[NATIVE].items():
        cells = [f"{1000 * native:.1f}"]
        for name in [*best][1:]:
            seconds = best[name][what]
            cells.append(f"{1000 * seconds:.1f} ({seconds / native:.2f})")
        rows.append([what, *cells])
    return rows


if __name__ == "__main__":
    main()
