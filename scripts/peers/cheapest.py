"""Compare the cheapest covers with CP-SAT of OR-Tools, in the same run.

    bash scripts/compare_peers cheapest [--seconds 30] [--threads 2] [--write]

Both programs get the same problems, time limits and numbers of threads, one after the other. Every
cover is checked. `--write` writes the table into docs/benchmark-data.md.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import product
from typing import NamedTuple

from ortools.sat.python import cp_model

from dlx_numba import ExactCover
from dlx_numba.bench.report import machine

from ..blocks import measured_with, write_table
from ..tables import Row, text_table
from .plans import Item, crew_pairings, problem, timetable

SECONDS_PER_RUN = 0.01  # after which the best cover is observed
EARLY_SECONDS = 1.0
HEADER = [
    "problem",
    "options",
    "lowest cost",
    "dlx_numba: first cover",
    "after 1 s",
    "proven",
    "CP-SAT: first cover",
    "after 1 s",
    "proven",
]


class Run(NamedTuple):
    """The covers that a program finds, of decreasing cost, and its bound at the end."""

    found: list[tuple[float, int]]  # the time, and the cost
    bound: int | None
    seconds: float
    is_proven: bool

    def cells(self, lowest: int) -> list[str]:
        """Return the times of the first cover and of the proof, and the excess after a second."""
        early = [cost for seconds, cost in self.found if seconds <= EARLY_SECONDS]
        excess = f"+{100 * (early[-1] - lowest) / lowest:.1f} %" if early else "–"
        first = f"{self.found[0][0]:.3f} s" if self.found else "–"
        if self.is_proven:
            return [first, excess, f"{self.seconds:.3f} s"]
        best = f"{self.found[-1][1]:,}" if self.found else "none"
        return [first, excess, f"no: {best}, bound {self.bound:,}"]


def weighted_tiling(n_rows: int, n_columns: int, n_cells: int, seed: int = 1) -> ExactCover:
    """Return the tilings with straight and bent pieces of two or three cells."""
    rng = random.Random(seed)
    square = [(0, 0), (0, 1), (1, 0), (1, 1)]
    shapes = [[(0, k) for k in range(n_cells)], [(k, 0) for k in range(n_cells)]]
    if n_cells == 3:
        shapes += [[cell for cell in square if cell != gap] for gap in square]
    cells = list(product(range(n_rows), range(n_columns)))
    options: list[list[Item]] = [
        [(row + i, column + j) for i, j in shape] for (row, column), shape in product(cells, shapes)
    ]
    options = [option for option in options if set(option) <= set(cells)]
    return problem(options, list(cells), [rng.randint(1, 99) for _ in options])


PROBLEMS: dict[str, Callable[[], ExactCover]] = {
    "timetable 20×10×3": lambda: timetable(20, 10, 3),
    "timetable 24×12×3": lambda: timetable(24, 12, 3),
    "timetable 30×12×4": lambda: timetable(30, 12, 4),
    "timetable 40×15×8": lambda: timetable(40, 15, 8),
    "timetable 80×25×10": lambda: timetable(80, 25, 10),
    "crew pairings, 3 days": lambda: crew_pairings(3, 12, 5_000),
    "crew pairings, 7 days": lambda: crew_pairings(7, 12, 20_000),
    "dominoes 30×30": lambda: weighted_tiling(30, 30, 2),
    "trominoes 12×12": lambda: weighted_tiling(12, 12, 3),
    "trominoes 18×18": lambda: weighted_tiling(18, 18, 3),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30, help="time limit of a run")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    options = parser.parse_args()
    table = [HEADER, *rows(options.seconds, options.threads)]
    print(text_table(table))
    if options.write:
        write(table, options.seconds, options.threads)


def write(table: list[Row], seconds: float, threads: int) -> None:
    """Replace the marked block of the documentation."""
    limits = f", ortools {version('ortools')}, {threads} threads each, time limit {seconds:g} s"
    write_table("cheapest", table, measured_with(machine(), limits))


def rows(seconds: float, threads: int) -> Iterator[Row]:
    """Yield a row of the table for each problem."""
    run_dlx_numba(timetable(5, 3, 3), seconds, threads)  # loads the kernels
    for name, make in PROBLEMS.items():
        cover = make()
        runs = [run(cover, seconds, threads) for run in (run_dlx_numba, run_cp_sat)]
        lowest = min(run.found[-1][1] for run in runs if run.found)
        remark = "" if any(run.is_proven for run in runs) else "≤ "
        cells = [cell for run in runs for cell in run.cells(lowest)]
        print(name, *cells, sep=" | ", file=sys.stderr)
        yield [name, f"{cover.n_options:,}", f"{remark}{lowest:,}", *cells]


def run_dlx_numba(cover: ExactCover, seconds: float, threads: int) -> Run:
    found = list[tuple[float, int]]()
    start = time.perf_counter()
    optimizer = cover.replace(threads=threads).optimizer()
    while not optimizer.done and time.perf_counter() - start < seconds:
        optimizer.run(SECONDS_PER_RUN)
        for best in optimizer.result:
            if not found or best.cost < found[-1][1]:
                found.append((time.perf_counter() - start, best.cost))
                cover.problem.check_covers([best])
    bound = optimizer.result.bound
    return Run(found, bound, time.perf_counter() - start, optimizer.done)


class Observer(cp_model.CpSolverSolutionCallback):
    """Records when CP-SAT finds solutions, and their costs."""

    def __init__(self) -> None:
        super().__init__()
        self.start, self.found = time.perf_counter(), list[tuple[float, int]]()

    def on_solution_callback(self) -> None:
        self.found.append((time.perf_counter() - self.start, round(self.objective_value)))


def run_cp_sat(cover: ExactCover, seconds: float, threads: int) -> Run:
    model = cover.to_cpsat()
    solver, observer = cp_model.CpSolver(), Observer()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = threads
    status = solver.solve(model, observer)
    elapsed = time.perf_counter() - observer.start
    bound = round(solver.best_objective_bound)
    return Run(observer.found, bound, elapsed, status == cp_model.OPTIMAL)


if __name__ == "__main__":
    main()
