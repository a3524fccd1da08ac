"""Measure what limits the speedup of two threads.

    python -m scripts.measure threads [--runs 20] [--only NAME]

For each instance, all covers are counted with one thread, with two threads, and by two processes at
the same time, each of which counts all of them with one thread. The columns are the time of one
thread; the speedup of two threads, by the best times and by the medians; the most that the machine
permits, which is the throughput of the two processes relative to that of one; and the processor
time of two threads relative to that of one thread, which does not depend on other programs. The
rest of the difference is the time that threads wait. Runs alternate. The machine should be idle
otherwise.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from statistics import median

from dlx_numba import ExactCover, example

from ..peers.problems import INSTANCES, N_COVERS
from ..tables import Row

BLOCK = "threads"
RUNS = 20
MIN_SECONDS = 0.05  # systems may count processor time in units of some milliseconds


def read(name: str) -> ExactCover:
    """Return an instance of the tests."""
    return ExactCover.read(INSTANCES / f"{name}.dlx")


PROBLEMS: dict[str, Callable[[], ExactCover]] = {name: partial(read, name) for name in N_COVERS} | {
    "queens13, links": partial(example("queens", n=13).cover, algorithm="links"),
    "queens14": example("queens", n=14).cover,
    "langford12": example("langford", n=12).cover,
    "langford12, links": partial(example("langford", n=12).cover, algorithm="links"),
    "pentominoes 4x15": example("polyominoes", region="4x15").cover,
    "pentominoes 5x12": example("polyominoes", region="5x12").cover,
    "tetrasticks": example("tetrasticks").cover,
    "macmahon4x6f": partial(read, "macmahon4x6f"),  # colors
    "queendom8": partial(read, "queendom8.mcc"),  # multiplicities
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=PROBLEMS, action="append")


def measure(options: argparse.Namespace) -> list[Row]:
    header = ["counting all covers", "one thread, ms", "2 threads", "medians", "2 processes"]
    rows: list[Row] = [[*header, "processor time"]]
    with ProcessPoolExecutor(2) as executor:
        names = options.only or PROBLEMS
        return rows + [measure_instance(name, options.runs, executor) for name in names]


def measure_instance(name: str, runs: int, executor: ProcessPoolExecutor) -> Row:
    """Return the row of an instance."""
    list(executor.map(count, [name] * 4))  # makes the problem and loads the kernels
    times: dict[str, list[float]] = defaultdict(list)
    for run in range(1 + runs):
        for n_threads in (1, 2):
            used = time.process_time()
            begin, end = count(name, n_threads)
            if run:
                times[f"{n_threads}"].append(end - begin)
                times[f"{n_threads} used"].append(time.process_time() - used)
        begins, ends = zip(*executor.map(count, [name] * 2), strict=True)
        times["processes"].append(max(ends) - min(begins))
    best = {key: min(values) for key, values in times.items()}
    speedup, most = best["1"] / best["2"], 2 * best["1"] / best["processes"]
    typical = median(times["1"]) / median(times["2"])
    speedups = [f"{each:.2f}×" for each in (speedup, typical, most)]
    work = f"{100 * (best['2 used'] / best['1 used'] - 1):+.1f} %"
    is_measured = best["1"] >= MIN_SECONDS
    return [name, f"{1000 * best['1']:.1f}", *speedups, work if is_measured else "–"]


@cache
def problem(name: str) -> ExactCover:
    """Return an instance."""
    return PROBLEMS[name]()


@cache
def number_of_covers(name: str) -> int:
    """Return the true number of covers of an instance, or what one thread counts."""
    return N_COVERS.get(name) or problem(name).replace(threads=1).search().count()


def count(name: str, n_threads: int = 1) -> tuple[float, float]:
    """Count the covers of an instance; return the times of the beginning and of the end."""
    expected = number_of_covers(name)
    search = problem(name).replace(threads=n_threads).search()
    begin = time.perf_counter()
    n_covers = search.count()
    end = time.perf_counter()
    if n_covers != expected:
        raise RuntimeError(f"{name}: counted {n_covers:,} covers instead of {expected:,}")
    return begin, end
