"""Compare the engines of `cheapest`, and CP-SAT, on plans of many kinds, in the same run.

    bash scripts/compare_peers planning [--seconds 10] [--small] [--write]
    bash scripts/compare_peers planning --instances FOLDER [--seconds 40] [--write]

All of them get the same problem and the same time limit, one after the other, and one thread,
except that the engine "both" has two. The lowest costs that are proven must agree. `--small` is a
trial with small problems, `--instances` takes problems from the files in a folder, as
`instances.py` reads them, and `--write` writes the table into docs/benchmark-data.md.
"""

import argparse
import json
import math
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from dlx_numba import ExactCover
from dlx_numba.bench.report import machine
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.runtime.choices import OptimizerEngine

from ..blocks import measured_with, write_table
from ..tables import Row, text_table
from .instances import read_instance
from .plans import (
    auction,
    bin_packing,
    crew_pairings,
    exams,
    exchange,
    facilities,
    league,
    nurses,
    projects,
    roster,
    set_covering,
    swiss,
    timetable,
)

ENGINES: dict[OptimizerEngine, str] = {"own": "own", "highs": "HiGHS", "both": "both"}
HEADER = ["problem", "options", "best value", *ENGINES.values(), "CP-SAT"]
MAX_DIFFERENCE = 1e-6  # of values that are calculated in floating-point arithmetic


class Run(NamedTuple):
    """The best value that a solver finds, and its bound; None if there is none."""

    seconds: float
    value: float | None
    bound: float | None
    is_proven: bool

    def cell(self) -> str:
        if self.is_proven:
            return f"{self.seconds:.3f} s"
        value, bound = (
            "none" if x is None or not math.isfinite(x) else f"{round(x):,}"
            for x in (self.value, self.bound)
        )
        return f"no: {value}, bound {bound}"


SMALL: dict[str, Callable[[], ExactCover]] = {
    "roster, 6 people, 7 days": lambda: roster(6, 7),
    "crews, 1 day": lambda: crew_pairings(1, 4, 200),
    "timetable 20×10×3": lambda: timetable(20, 10, 3),
    "exchange, 20 pairs": lambda: exchange(20, 0.15),
    "projects, 20 students": lambda: projects(20, 8, 6),
    "nurses, 6 in 7 days": lambda: nurses(6, 7),
    "Swiss pairing of 12": lambda: swiss(12, 4),
    "league of 6": lambda: league(6),
    "set covering 20×50": lambda: set_covering(20, 50, 0.1),
    "exams, 15 in 6 slots": lambda: exams(15, 6, 40),
    "facilities, 5 for 15": lambda: facilities(5, 15),
    "auction of 20": lambda: auction(20, 60),
    "bins for 12": lambda: bin_packing(12, 100),
}
PROBLEMS: dict[str, Callable[[], ExactCover]] = {
    "roster, 12 people, 14 days": lambda: roster(12, 14),
    "roster, 30 people, 28 days": lambda: roster(30, 28),
    "crews, 3 days": lambda: crew_pairings(3, 12, 5_000),
    "crews, 7 days": lambda: crew_pairings(7, 12, 20_000),
    "timetable 30×12×4": lambda: timetable(30, 12, 4),
    "timetable 80×25×10": lambda: timetable(80, 25, 10),
    "exchange, 60 pairs": lambda: exchange(60, 0.08),
    "exchange, 150 pairs": lambda: exchange(150, 0.06),
    "projects, 200 students": lambda: projects(200, 50, 21),
    "nurses, 25 in 14 days": lambda: nurses(25, 14),
    "nurses, 100 in 14 days": lambda: nurses(100, 14),
    "Swiss pairing of 128": lambda: swiss(128, 6),
    "league of 12": lambda: league(12),
    "set covering 200×1,000": lambda: set_covering(200, 1_000, 0.02),
    "exams, 60 in 12 slots": lambda: exams(60, 12, 300),
    "facilities, 20 for 80": lambda: facilities(20, 80),
    "auction of 150": lambda: auction(150, 1_000),
    "bins for 40": lambda: bin_packing(40, 1_000),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10, help="time limit of a run")
    parser.add_argument("--small", action="store_true", help="small problems, for a trial")
    parser.add_argument("--instances", type=Path, help="a folder of files with problems")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    options = parser.parse_args()
    name, problems = "planning", SMALL if options.small else PROBLEMS
    if options.instances is not None:
        paths = sorted(options.instances.iterdir())
        name, problems = (
            "instances",
            {each.stem: partial(read_instance, each) for each in paths},
        )
    table = [HEADER, *rows(problems, options.seconds)]
    print(text_table(table))
    if options.write:
        programs = f"ortools {version('ortools')}, highspy {version('highspy')}"
        limits = f", {programs}, time limit {options.seconds:g} s"
        write_table(name, table, measured_with(machine(), limits))


def rows(problems: dict[str, Callable[[], ExactCover]], seconds: float) -> Iterator[Row]:
    """Yield a row of the table for each problem."""
    for make in SMALL.values():
        run_engine(make(), seconds, "both")  # loads the kernels
    for name, make in problems.items():
        runs = [run_engine(make(), seconds, engine) for engine in ENGINES]
        runs.append(run_cp_sat(make(), seconds))
        proven = [run.value for run in runs if run.is_proven]
        if None in proven:
            raise SystemExit(f"{name}: a solver says that there is no plan")
        if any(abs((value or 0) - (proven[0] or 0)) > MAX_DIFFERENCE for value in proven):
            raise SystemExit(f"{name}: the proven values differ: {proven}")
        found = [run.value for run in runs if run.value is not None]
        best = (
            proven[0]
            if proven
            else (max if named_problem(make()).names.scale.factor < 0 else min)(found)
        )
        cells = [run.cell() for run in runs]
        print(name, *cells, sep=" | ", file=sys.stderr)
        yield [
            name,
            f"{make().n_options:,}",
            f"{'' if proven else 'at best '}{round(best or 0):,}",
            *cells,
        ]


def run_engine(cover: ExactCover, seconds: float, engine: OptimizerEngine) -> Run:
    start = time.perf_counter()
    covers = cover.replace(threads=1).cheapest(seconds=seconds, engine=engine)
    elapsed = time.perf_counter() - start
    for found in covers:
        cover.problem.check_covers([list(found)])
    return Run(elapsed, covers[0].cost if covers else None, covers.bound, covers.done)


def run_cp_sat(cover: ExactCover, seconds: float) -> Run:
    with TemporaryDirectory() as folder:
        path = Path(folder, "problem")
        path.write_bytes(pickle.dumps(cover))
        command = [sys.executable, "-m", "scripts.peers.cp_sat", str(path), str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Run(*json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    main()
