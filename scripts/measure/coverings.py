"""Compare the own search for the cheapest covering with HiGHS, in the same run.

    python -m scripts.measure coverings [--seconds 10] [--base FOLDER] [--files FOLDER] [--write]

Random coverings are those that the OR-Library describes for its sets 4, 6, A and B. `--files` has
files of the OR-Library, such as scp61.txt. `--base` is another checkout, such as the one before a
change. Each program has one thread, and each covering is checked.
"""

import argparse
import json
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dlx_numba import ExactCover

from ..tables import Row

BLOCK = "coverings"
SECONDS = 10.0
SECONDS_PER_RUN = 0.02  # after which the best covering is observed
ROOT = Path(__file__).resolve().parents[2]
RANDOM = {  # items, options, the share of the items in an option
    "4": (200, 1000, 0.02),
    "6": (200, 1000, 0.05),
    "A": (300, 3000, 0.02),
    "B": (300, 3000, 0.05),
}
QUEENS = (11,)


class Run(NamedTuple):
    """The lowest cost found, when it was found, the bound at the end, and the time of the proof."""

    cost: int
    seconds: float
    bound: int
    proven: float | None

    def cells(self) -> list[str]:
        proof = f"no: bound {self.bound}" if self.proven is None else f"{self.proven:.2f} s"
        return [str(self.cost), f"{self.seconds:.2f} s", proof]


def measure(options: argparse.Namespace) -> list[Row]:
    programs = {"dlx_numba": (ROOT, "own"), "HiGHS": (ROOT, "highs")}
    if options.base:
        programs = {"base": (options.base, "own"), **programs}
    header = ["covering", "options"]
    for name in programs:
        header += [f"{name}: lowest cost", "found", "proven"]
    rows: list[Row] = [header]
    files = sorted(options.files.glob("scp*.txt")) if options.files else []
    for name in [*map(str, files), *RANDOM, *map(str, QUEENS)]:
        row = [title(name), f"{problem(name).n_options:,}"]
        for folder, engine in programs.values():
            row += run(folder, engine, name, options.seconds).cells()
        print(*row, sep=" | ", file=sys.stderr)
        rows.append(row)
    return rows


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of a run")
    parser.add_argument("--base", type=Path, metavar="FOLDER", help="another checkout")
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="files of the OR-Library")


def title(name: str) -> str:
    if name in RANDOM:
        return f"random, as set {name}"
    return Path(name).stem if name.endswith(".txt") else f"{name}×{name} cells, queens"


def problem(name: str) -> ExactCover:
    """Return the covering that a name of RANDOM, a number of QUEENS or a file describes."""
    if name.endswith(".txt"):
        return read(Path(name))
    return random_covering(*RANDOM[name]) if name in RANDOM else domination(int(name))


def random_covering(n_items: int, n_options: int, density: float, seed: int = 1) -> ExactCover:
    """Return a covering as E. Balas and A. Ho made them: costs are from 1 to 100."""
    rng = np.random.default_rng(seed)
    matrix = rng.random((n_options, n_items)) < density
    for row in matrix:
        row[rng.integers(n_items)] |= not row.any()
    for column in matrix.T:
        while column.sum() < 2:
            column[rng.integers(n_options)] = True
    costs = rng.integers(1, 101, n_options)
    return ExactCover.covering([np.flatnonzero(row).tolist() for row in matrix], costs=costs)


def domination(n: int) -> ExactCover:
    """Return the problem to attack or occupy all cells of a board by few queens."""
    cells = list(product(range(n), repeat=2))
    options = [
        [(i, j) for i, j in cells if i == x or j == y or abs(i - x) == abs(j - y)] for x, y in cells
    ]
    return ExactCover.covering(options, costs=[1] * len(options))


def read(path: Path) -> ExactCover:
    """Read a file of the OR-Library: the costs of the columns, then the columns of each row."""
    numbers = iter(map(int, path.read_text(encoding="ascii").split()))
    n_rows = next(numbers)
    costs = [0] * next(numbers)
    costs = [next(numbers) for _ in costs]
    options = list[list[int]]()
    options += ([] for _ in costs)
    for row in range(n_rows):
        for _ in range(next(numbers)):
            options[next(numbers) - 1].append(row)
    return ExactCover.covering(options, costs=costs)


def run(folder: Path, engine: str, name: str, seconds: float) -> Run:
    """Run an engine in a process of its own, which imports the package from a checkout."""
    lines = [
        f"import sys; sys.path.insert(0, {str(folder)!r})",
        f"import dlx_numba; sys.path.insert(0, {str(ROOT)!r})",
        f"from {__name__} import optimize; optimize({engine!r}, {name!r}, {seconds})",
    ]
    process = [sys.executable, "-c", "\n".join(lines)]
    output = subprocess.run(process, check=True, stdout=subprocess.PIPE).stdout
    return Run(*json.loads(output))


def optimize(engine: Any, name: str, seconds: float) -> None:
    """Print the `Run` of an engine as JSON."""
    random_covering(20, 40, 0.2).optimizer(engine=engine).run(1)  # loads the kernels
    cover = problem(name)
    lowest: tuple[int, float] | None = None
    begin = time.perf_counter()
    optimizer = cover.replace(threads=1).optimizer(engine=engine)
    while not optimizer.done and (elapsed := time.perf_counter() - begin) < seconds:
        optimizer.run(min(SECONDS_PER_RUN, seconds - elapsed))
        for found in optimizer.result:
            if lowest is None or found.cost < lowest[0]:
                lowest = found.cost, time.perf_counter() - begin
                cover.problem.check_covers([list(found)])
    proven = time.perf_counter() - begin if optimizer.done else None
    bound = optimizer.result.bound or 0
    print(json.dumps([*(lowest or (0, 0.0)), bound, proven]))
