"""Measure what it costs to steer a search, and what threads gain.

    .venv/bin/python scripts/measure_search.py [RUNS]

For each instance: the whole search as one uninterrupted call of the kernel, driven in slices, and
driven by two threads, in turn, the best of RUNS (20) runs each; and how long Ctrl-C takes to end a
run, the longest of RUNS. Do nothing else meanwhile.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import dlx_numba as dlx
from dlx_numba.kernels.searching import State, advance
from dlx_numba.kernels.state import UNLIMITED, Register

INSTANCES = Path(__file__).parents[1] / "tests" / "instances"
NAMES = ("queens12", "langford11", "pent3x20", "pent6x10r", "random40", "sudoku17m1")


def measure_searches(runs: int = 20) -> str:
    """The table, as Markdown."""
    lines = [
        "| counting all covers | one call, ms | in slices | 2 threads | Ctrl-C, at most, ms |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name in NAMES:
        cover = dlx.ExactCover.from_file(INSTANCES / f"{name}.dlx")
        best = [float("inf")] * 3
        for _ in range(runs):
            state = cover.search()._parts[0].state
            ways = (
                lambda state=state: one_call(state),
                lambda cover=cover: cover.search().count(),
                lambda cover=cover: cover.search().count(threads=2),
            )
            best = [min(old, timed(way)) for old, way in zip(best, ways, strict=True)]
        one, sliced, threads = best
        interrupted = max(interruption(cover) for _ in range(runs))
        lines.append(
            f"| {name} | {one * 1000:.1f} | {100 * (sliced / one - 1):+.1f} % "
            f"| {sliced / threads:.2f}× | {interrupted * 1000:.0f} |"
        )
    return "\n".join(lines) + "\n"


def one_call(state: State) -> None:
    state.dance.register[Register.TARGET] = UNLIMITED
    advance(*state, UNLIMITED)


def timed(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def interruption(cover: dlx.ExactCover) -> float:
    """Seconds from Ctrl-C to the end of a run that would go on."""
    sent = 0.0

    def interrupt() -> None:
        nonlocal sent
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    try:
        while True:
            cover.search().count()
    except KeyboardInterrupt:
        return time.perf_counter() - sent


if __name__ == "__main__":
    print(measure_searches(*map(int, sys.argv[1:])), end="")
