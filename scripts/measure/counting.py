"""Measure counting with a memo of subproblems.

    python -m scripts.measure counting [--runs 5] [--files FOLDER]

For each instance, all covers are counted by `ExactCover.count(method="memo")`, and by the package
`dxz` from PyPI if it is installed, which also stores subproblems, as a decision diagram. Times are
those of a single thread, without reading the problem; with `ours`, without compilation and without
the preparation of arrays, and in the column `total` with the latter and with the choice of an
order. Runs alternate, and the best of each counts. `dxz` runs once if it takes longer than a
second, and is not run on instances for which it is known to take minutes.

`--files` names a folder with instances of the literature in the format of Restena.txt and
Surfnet.txt: a line `items options`, then a line `k i1 ... ik` for each option.
"""

import argparse
import importlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from dlx_numba import ExactCover
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.runtime.resources import memory_limit
from dlx_numba.search.prepared import PreparedProblem
from dlx_numba.search.subproblems import MemoPortfolio
from tests.helpers.counting import matchings, memo_of, tilings

from ..tables import Row, format_speedup

BLOCK = "memo"
RUNS = 5
SLOW_SECONDS = 1.0  # dxz is not repeated if it takes longer
PUBLISHED = {"Restena": 289_562_364, "Surfnet": 159_849_725}
PUBLISHED |= {"grafo263.11": 1_297_200, "Garr201112": 3_346_460}


@dataclass(frozen=True)
class Instance:
    """A problem with a known number of covers."""

    name: str
    problem: ExactCover
    n_covers: int
    is_slow: bool = False  # dxz takes minutes


@dataclass
class CountTimes:
    """The result of one instance; times in seconds."""

    name: str
    n_covers: int
    order: str
    subproblems: int
    ours: float
    total: float
    dxz: float | None = None
    dxz_count: int | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--files", type=Path, help="a folder with instances")


def measure(options: argparse.Namespace) -> list[CountTimes]:
    try:
        dxz: Any = importlib.import_module("dxz")
    except ImportError:
        dxz = None
    return [measure_instance(each, options.runs, dxz) for each in instances(options.files)]


def instances(folder: Path | None) -> Iterator[Instance]:
    """Yield the instances: generated ones, and those of a folder."""
    yield Instance("dominoes 8×8", tilings(8, 8, 2), 12_988_816)
    yield Instance("dominoes 12×12", tilings(12, 12, 2), 53_060_477_521_960_000, True)
    yield Instance("tetrominoes 6×8", tilings(6, 8, 4), 22_483_347, True)
    yield Instance("tetrominoes 8×8", tilings(8, 8, 4), 19_077_209_438, True)
    yield Instance("trominoes 9×12", tilings(9, 12, 3), 20_574_308_184_277_971, True)
    pieces = 92_109_458_286_284_989_468_604
    yield Instance("1 to 3 cells, 8×8", tilings(8, 8, 1, 2, 3), pieces, True)
    yield Instance("perfect matchings of K22", matchings(22), 13_749_310_575)
    yield Instance("perfect matchings of K30", matchings(30), 6_190_283_353_629_375, True)
    if folder is not None:
        for name, n_covers in PUBLISHED.items():
            yield Instance(name, read_graph(folder / f"{name}.txt"), n_covers)


def read_graph(path: Path) -> ExactCover:
    """Read an instance of the literature."""
    lines = path.read_text().split("\n")
    n_items = int(lines[0].split()[0])
    options = [[int(item) - 1 for item in line.split()[1:]] for line in lines[1:] if line.strip()]
    return ExactCover(options, range(n_items))


def measure_instance(instance: Instance, runs: int, dxz: Any) -> CountTimes:
    """Count the covers of an instance. Raises RuntimeError if our count is wrong."""
    result = CountTimes(instance.name, instance.n_covers, "", 0, float("inf"), float("inf"))
    arguments = None if dxz is None or instance.is_slow else dense_matrix(instance.problem)
    for n_before in range(1 + runs):  # the first run compiles the kernels
        begin = time.perf_counter()
        counter = instance.problem.counter("memo")
        counter.run()
        total = time.perf_counter() - begin
        if counter.result != instance.n_covers:
            raise RuntimeError(f"{instance.name}: counted {counter.result:,}")
        if n_before > 0:
            result.ours = min(result.ours, sum(map(kernel_seconds, counter._spec.components)))
            result.total = min(result.total, total)
        result.order, result.subproblems = counter._order, counter.counters()[1]
        if arguments is not None and (result.dxz is None or result.dxz < SLOW_SECONDS):
            begin = time.perf_counter()
            result.dxz_count = dxz.dxz_count(*arguments)
            elapsed = time.perf_counter() - begin
            result.dxz = elapsed if result.dxz is None else min(result.dxz, elapsed)
    return result


def kernel_seconds(component: PreparedProblem) -> float:
    """Count the covers of a component in the chosen order, and return the time of the kernel."""
    portfolio = MemoPortfolio(component.problem, memory_limit(None))
    run(portfolio, Stop())
    memo = memo_of(component.problem, portfolio.best.order, memory_limit(None))
    begin = time.perf_counter()
    memo.run(lambda: False)
    return time.perf_counter() - begin


def dense_matrix(problem: ExactCover) -> tuple[int, int, list[int]]:
    """Return the arguments of `dxz`: rows, columns, and the elements of the matrix."""
    indptr, items, n_items = problem.problem.indptr, problem.problem.items, problem.n_items
    matrix = [0] * (n_items * problem.n_options)
    for option, (begin, end) in enumerate(pairwise(indptr)):
        for item in items[begin:end]:
            matrix[option * n_items + item] = 1
    return problem.n_options, n_items, matrix


def table(times: list[CountTimes]) -> list[Row]:
    """Return the table."""
    rows = [
        ["counting all covers", "covers", "order", "subproblems", "ms", "total, ms", "`dxz`, ms"]
    ]
    for each in times:
        row = [each.name, f"{each.n_covers:,}", each.order, f"{each.subproblems:,}"]
        row += [milliseconds(each.ours), milliseconds(each.total)]
        cell = "–"
        if each.dxz is not None:
            cell = f"{milliseconds(each.dxz)} ({format_speedup(each.dxz / each.ours)})"
            if each.dxz_count != each.n_covers:
                cell += f", wrong: {each.dxz_count:,}"
        rows.append([*row, cell])
    return rows


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds with three digits."""
    return f"{float(f'{1000 * seconds:.3g}'):,g}"
