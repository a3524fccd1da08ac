"""Measure the ways to count covers: a search, a memo, levels in memory and on disk, and "auto".

    python -m scripts.measure counters [--runs 3] [--seconds 10]

The times are those of the processor, in one thread, without the statement of the problem. A dash
stands for a count that takes longer than the limit.
"""

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import dlx_numba as dlx
from dlx_numba import ExactCover
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.runtime.resources import memory_limit
from dlx_numba.search.level_counter import LevelCounter
from dlx_numba.search.thread_runner import ALONE
from tests.helpers.counting import latin_squares, matchings, partitions, tilings
from tests.helpers.problems import instance

from ..tables import Row
from .races import colorings

RUNS = 3


SPANS = [
    *((2, 8, 8), (2, 12, 12), (2, 20, 20), (3, 3, 40), (3, 6, 9), (3, 9, 12), (4, 4, 20)),
    *((4, 5, 12), (4, 6, 8), (4, 8, 8), (5, 4, 20), (5, 5, 10), (5, 5, 15), (5, 5, 25)),
    *((5, 5, 40), (5, 6, 10), (6, 4, 12)),
]  # the size of all pieces, and those of a board
MIXED = ((1, 2), 8), ((1, 2, 3), 6), ((1, 2, 3), 8), ((3, 4), 6)  # pieces, and the side of a square
INSTANCES = {
    "12 pentominoes 6×10": "pent6x10r",
    "10 queens": "queens10",
    "12 queens": "queens12",
    "Langford 11": "langford11",
    "random40": "random40",
    "MacMahon squares": "macmahon4x6f",
    "Sudoku": "sudoku17m1",
}
PROBLEMS: dict[str, Callable[[], ExactCover]] = {
    **{f"{n}-ominoes {r}×{c}": partial(tilings, r, c, n) for n, r, c in SPANS},
    **{f"{max(n)}-ominoes and less {k}×{k}": partial(tilings, k, k, *n) for n, k in MIXED},
    **{f"matchings of K{n}": partial(matchings, n) for n in (14, 22, 26, 30)},
    **{f"partitions of {n}": partial(partitions, n) for n in (10, 12)},
    **{f"Latin squares of {n}": partial(latin_squares, n) for n in (5, 6)},
    **{f"3-colorings, {n} edges": partial(colorings, n) for n in (45, 60)},
    **{name: partial(instance, file) for name, file in INSTANCES.items()},
    "hexiamonds": lambda: dlx.example("polyiamonds").cover(),
    "intervals of 60": lambda: ExactCover(
        [range(a, b) for a in range(60) for b in range(a + 1, min(a + 8, 61))]
    ),
}


@dataclass
class Times:
    """The processor time of each way to count; infinite beyond the limit."""

    name: str
    seconds: dict[str, float] = field(default_factory=dict)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=10, help="the limit of a count")


def measure(options: argparse.Namespace) -> list[Times]:
    return [measure_problem(name, options) for name in PROBLEMS]


def measure_problem(name: str, options: argparse.Namespace) -> Times:
    """Count in all ways, in alternation. Raises RuntimeError if the results differ."""
    cover = PROBLEMS[name]().replace(threads=1)
    result = Times(name)
    counts = set[int]()
    for n_before in range(1 + options.runs):  # the first run loads the kernels
        for way in ("search", "memo", "levels", "disk", "auto"):
            best = result.seconds.get(way, math.inf)
            if n_before > 0 and best == math.inf and way in result.seconds:
                continue
            begin = time.process_time()
            count = count_covers(cover, way, options.seconds)
            seconds = time.process_time() - begin
            if count is not None:
                counts.add(count)
            result.seconds[way] = math.inf if count is None else min(best, seconds)
    if len(counts) > 1:
        raise RuntimeError(f"{name}: the counts differ")
    return result


def count_covers(cover: ExactCover, way: str, seconds: float) -> int | None:
    """Return the number of covers; None if it takes too long."""
    if way in ("levels", "disk"):
        with TemporaryDirectory() as folder:
            return count_by_levels(cover, Path(folder) if way == "disk" else None, Stop(seconds))
    counter = cover.counter(way)
    return counter.result if counter.run(seconds=seconds) else None


def count_by_levels(cover: ExactCover, folder: Path | None, stop: Stop) -> int | None:
    """Count the covers of all components level by level."""
    product = 1
    for number, component in enumerate(cover._named.prepare(Stop()).components):
        path = None if folder is None else folder / str(number)
        counter = LevelCounter(component.problem, memory_limit(None), ALONE, path)
        if not run(counter, stop):
            return None
        product *= counter.counters()[0]
    return product


def table(results: list[Times]) -> list[Row]:
    ways = ["search", "memo", "levels", "disk", "auto"]
    rows: list[Row] = [["processor time, s", *ways]]
    for each in results:
        times = (each.seconds[way] for way in ways)
        rows.append([each.name, *("–" if t == math.inf else f"{t:.3f}" for t in times)])
    return rows
