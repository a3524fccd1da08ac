"""Measure the first call in a process, in milliseconds of processor time.

    python -m scripts.measure first_call [--runs 20] [--base FOLDER]

The processes alternate, and the shortest time of each counts. All of them have the start of Python,
without the files that `site` executes. Byte code and kernels are stored before. `--base` is another
checkout to measure in the same run, such as the one before a change.
"""

import argparse
import os
import resource
import subprocess
import sys
import sysconfig
from pathlib import Path

from ..tables import Row

RUNS = 20
ROOT = Path(__file__).resolve().parents[2]
BOARD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PROBLEM = "[['a', 'b'], ['b', 'c'], ['c']]"
PROGRAMS = {
    "nothing": "",
    "`import numpy`": "import numpy",
    "`import numpy, llvmlite.binding`": "import numpy, llvmlite.binding",
    "an exact cover: `first`": f"from dlx_numba import ExactCover; ExactCover({PROBLEM}).first()",
    "a board: `solve_sudoku`": f"from dlx_numba import solve_sudoku; solve_sudoku('{BOARD}')",
}


def measure(options: argparse.Namespace) -> list[Row]:
    checkouts = {"ms": ROOT}
    if options.base:
        checkouts["base, ms"] = options.base
    best = dict[tuple[str, str], float]()
    for _ in range(1 + options.runs):  # the first run stores byte code and kernels
        for column, folder in checkouts.items():
            for name, program in PROGRAMS.items():
                seconds = processor_time(program, folder)
                best[name, column] = min(seconds, best.get((name, column), seconds))
    rows: list[Row] = [["the process does", *checkouts, "× NumPy"]]
    numpy = best["`import numpy`", "ms"]
    for name in PROGRAMS:
        times = [f"{1000 * best[name, column]:.0f}" for column in checkouts]
        rows.append([name, *times, f"{best[name, 'ms'] / numpy:.2f}"])
    return rows


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base", type=Path, metavar="FOLDER", help="another checkout")


def processor_time(program: str, folder: Path) -> float:
    """Return the processor time of a process in seconds, which runs a program in a checkout."""
    path = os.pathsep.join([str(folder), sysconfig.get_path("purelib")])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": path}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-S", "-c", program], check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
