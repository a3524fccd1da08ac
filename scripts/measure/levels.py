"""Measure counting with levels on disk.

    python -m scripts.measure levels [--boards 20:4 24:256] [--write]

The domino tilings of squares are counted level by level, in memory alone, and with less memory and
a folder. Kasteleyn's formula verifies their number. The time is that of the processors. The peak is
the growth of the largest memory of a process of its own, after a small count. The last column
extrapolates the processor time.
"""

import argparse
import multiprocessing
import resource
import time
from dataclasses import dataclass
from decimal import Decimal, localcontext
from tempfile import TemporaryDirectory

from dlx_numba.cover.named_problem import named_problem
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.search.level_counter import LevelCounter
from dlx_numba.search.levels import sources_of
from dlx_numba.search.thread_runner import ALONE, Workers
from tests.helpers.counting import tilings

from ..tables import Row

BLOCK = "levels"
PAPER_STATES = 590_000_000  # of a published count of pentacubes


@dataclass
class LevelTimes:
    """The result of one count."""

    size: int
    n_covers: int
    memory: int | None
    n_states: int
    n_bytes: int  # of the largest level
    row_bytes: float  # of a state with its count, on that level
    seconds: float
    peak: int  # bytes


def count_level_by_level(size: int, memory: int | None, folder: str | None) -> LevelTimes:
    """Count the domino tilings of a square."""
    limit, workers = memory or 1 << 40, Workers(2) if folder else ALONE
    peaks, largest, row_bytes = [], 0, 0.0
    small = 8, min(limit, 1000) if folder else limit, folder and f"{folder}/small"
    for n, n_bytes, path in (small, (size, limit, folder)):
        [component] = named_problem(tilings(n, n, 2)).prepare(Stop()).components
        counter = LevelCounter(component.problem, n_bytes, workers, path)
        begin = time.process_time()
        while not counter.done:
            run(counter, Stop(), counter.work + 1)
            rows = [each for level in counter._state.levels for each in sources_of(level)]
            if (nbytes := counter.observation.nbytes) > largest:
                largest, row_bytes = nbytes, sum(each.nbytes for each in rows) / sum(map(len, rows))
        seconds = time.process_time() - begin
        peaks.append(1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    peak = peaks[1] - peaks[0]
    n_states = counter._state.n_rows
    return LevelTimes(
        size, counter.counters()[0], memory, n_states, largest, row_bytes, seconds, peak
    )


def kasteleyn(n: int) -> int:
    """Return the number of domino tilings of an n×n board, for even n, by a product of cosines."""
    with localcontext() as context:
        context.prec = 300
        squares = [4 * cosine(Decimal(k) / (n + 1)) ** 2 for k in range(1, n // 2 + 1)]
        product = Decimal(1)
        for first in squares:
            for second in squares:
                product *= first + second
        return int(product.to_integral_value())


def cosine(turn: Decimal) -> Decimal:
    """Return the cosine of a fraction of pi, by its Taylor series."""
    angle, term, total, k = turn * pi(), Decimal(1), Decimal(1), 0
    while abs(term) > Decimal(10) ** -290:
        k += 2
        term *= -angle * angle / (k * (k - 1))
        total += term
    return total


def pi() -> Decimal:
    """Return pi, by Machin's formula."""

    def arctan(inverse: int) -> Decimal:
        power = total = Decimal(1) / inverse
        for k in range(3, 900, 2):
            power /= -inverse * inverse
            total += power / k
        return total

    return 16 * arctan(5) - 4 * arctan(239)


def measure(options: argparse.Namespace) -> list[LevelTimes]:
    results = []
    for board in options.boards:
        size, limit = map(int, board.split(":"))
        for memory in (None, limit << 20):
            with (
                TemporaryDirectory() as folder,
                multiprocessing.get_context("spawn").Pool(1) as pool,
            ):
                arguments = size, memory, folder if memory else None
                results.append(pool.apply(count_level_by_level, arguments))
            if results[-1].n_covers != kasteleyn(size):
                raise RuntimeError("the number of tilings differs from Kasteleyn's formula")
    return results


def table(results: list[LevelTimes]) -> list[Row]:
    head = ["board", "memory, MB", "states", "bytes each", "largest level, MB", "peak, MB"]
    rows: list[Row] = [[*head, "processor time, s", "million states/s", "590 million states, min"]]
    for each in results:
        speed = each.n_states / each.seconds
        sizes = [each.memory, each.n_bytes, each.peak]
        memory, level, peak = ("any" if n is None else f"{n / 2**20:.0f}" for n in sizes)
        row = [f"{each.size}×{each.size}", memory, f"{each.n_states:,}", f"{each.row_bytes:.0f}"]
        row += [level, peak, f"{each.seconds:.1f}", f"{speed / 1e6:.2f}"]
        rows.append([*row, f"{PAPER_STATES / speed / 60:.1f}"])
    return rows


def add_options(parser: argparse.ArgumentParser) -> None:
    boards = {"nargs": "+", "default": ["20:4", "24:256"], "metavar": "SIZE:MB"}
    parser.add_argument("--boards", **boards, help="rows of a square, and the memory with a folder")
