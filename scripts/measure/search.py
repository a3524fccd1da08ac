"""Measure the overhead of resumable searches, the speedup of threads, and the delay of Ctrl-C.

    python -m scripts.measure search [--runs 20]

For each instance, all covers are counted by one uninterrupted call of the kernel, in slices (so
that Ctrl-C and time limits take effect), and by two threads. Runs alternate, and the best of each
counts. The delay is the longest time from Ctrl-C to the end of a search. The machine should be
idle otherwise.
"""

import argparse
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from dlx_numba import ExactCover
from dlx_numba.search import thread_runner

from ..peers.problems import INSTANCES, N_COVERS
from ..tables import Row

RUNS = 20
SECONDS_BEFORE_INTERRUPT = 0.3


@dataclass(frozen=True)
class SearchTimes:
    """Times in seconds for one instance."""

    instance: str
    one_call: float
    in_slices: float
    two_threads: float
    interrupt_delay: float


def measure(options: argparse.Namespace) -> list[SearchTimes]:
    return [_measure_instance(name, options.runs) for name in N_COVERS]


def _measure_instance(name: str, runs: int) -> SearchTimes:
    problem = ExactCover.read(INSTANCES / f"{name}.dlx")
    problem.replace(threads=2).count()  # compiles all kernels
    one_call = in_slices = two_threads = float("inf")
    for _ in range(runs):
        one_call = min(one_call, _time_count(problem, name, uninterrupted=True))
        in_slices = min(in_slices, _time_count(problem, name))
        two_threads = min(two_threads, _time_count(problem, name, threads=2))
    delay = max(interrupt_delay(problem) for _ in range(runs))
    return SearchTimes(name, one_call, in_slices, two_threads, delay)


def _time_count(
    problem: ExactCover, name: str, *, threads: int = 1, uninterrupted: bool = False
) -> float:
    """Return the seconds for counting all covers, without the setup of the search."""
    search = problem.replace(threads=threads).search()
    with unlimited_slices() if uninterrupted else nullcontext():
        begin = time.perf_counter()
        n_covers = search.count()
        seconds = time.perf_counter() - begin
    if n_covers != N_COVERS[name]:
        raise RuntimeError(f"{name}: counted {n_covers:,} covers instead of {N_COVERS[name]:,}")
    return seconds


@contextmanager
def unlimited_slices() -> Iterator[None]:
    """Let a search in one thread run in a single call of the kernel."""
    default = thread_runner.MIN_UPDATES_PER_SLICE
    thread_runner.MIN_UPDATES_PER_SLICE = 1 << 62
    try:
        yield
    finally:
        thread_runner.MIN_UPDATES_PER_SLICE = default


def interrupt_delay(problem: ExactCover) -> float:
    """Return the seconds from Ctrl-C to the end of an endless series of searches."""
    sent = 0.0

    def interrupt() -> None:
        nonlocal sent
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    # A shell starts background jobs with SIGINT ignored, and Python then leaves it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(SECONDS_BEFORE_INTERRUPT, interrupt).start()
    try:
        while True:
            problem.replace(threads=1).search().count()
    except KeyboardInterrupt:
        return time.perf_counter() - sent


def table(measurements: Sequence[SearchTimes]) -> list[Row]:
    """Return the table: time of one call, overhead of slices, speedup of threads, delay."""
    header = ["counting all covers", "one call, ms", "in slices", "2 threads"]
    rows = [[*header, "longest Ctrl-C delay, ms"]]
    for each in measurements:
        overhead = 100 * (each.in_slices / each.one_call - 1)
        row = [each.instance, f"{1000 * each.one_call:.1f}", f"{overhead:+.1f} %"]
        row += [f"{each.in_slices / each.two_threads:.2f}×", f"{1000 * each.interrupt_delay:.0f}"]
        rows.append(row)
    return rows
