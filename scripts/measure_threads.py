"""Measure what limits the speedup of two threads.

    python -m scripts.measure_threads [--runs 20] [--markdown]

For each instance, all covers are counted with one thread, with two threads, and by two processes at
the same time, each of which counts all of them with one thread. The columns are the time of one
thread; the speedup of two threads; the most that the machine permits, which is the throughput of
the two processes relative to that of one; and the processor time of two threads relative to that
of one thread, which does not depend on other programs. The rest of the difference is the time that
threads wait. Runs alternate, and the best of each counts. The machine should be idle otherwise.
"""

import argparse
import sys
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from dlx_numba import ExactCover

from .peers.problems import INSTANCES, N_COVERS
from .tables import Row, markdown_table, text_table

RUNS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    header = ["counting all covers", "one thread, ms", "2 threads", "2 processes", "processor time"]
    rows: list[Row] = [header]
    with ProcessPoolExecutor(2) as executor:
        rows += [measure(name, options.runs, executor) for name in N_COVERS]
    sys.stdout.write(markdown_table(rows) if options.markdown else text_table(rows))


def measure(name: str, runs: int, executor: ProcessPoolExecutor) -> Row:
    """Return the row of an instance."""
    list(executor.map(count, [name] * 4))  # reads the problem and loads the kernels
    best: dict[str, float] = defaultdict(lambda: float("inf"))
    for run in range(1 + runs):
        for n_threads in (1, 2):
            used = time.process_time()
            begin, end = count(name, n_threads)
            if run:
                best[f"{n_threads}"] = min(best[f"{n_threads}"], end - begin)
                used = time.process_time() - used
                best[f"{n_threads} used"] = min(best[f"{n_threads} used"], used)
        begins, ends = zip(*executor.map(count, [name] * 2), strict=True)
        best["processes"] = min(best["processes"], max(ends) - min(begins))
    speedup, most = best["1"] / best["2"], 2 * best["1"] / best["processes"]
    work = 100 * (best["2 used"] / best["1 used"] - 1)
    return [name, f"{1000 * best['1']:.1f}", f"{speedup:.2f}×", f"{most:.2f}×", f"{work:+.1f} %"]


@cache
def problem(name: str) -> ExactCover:
    """Return an instance."""
    return ExactCover.from_file(INSTANCES / f"{name}.dlx")


def count(name: str, n_threads: int = 1) -> tuple[float, float]:
    """Count the covers of an instance; return the times of the beginning and of the end."""
    search = problem(name).search()
    begin = time.perf_counter()
    n_covers = search.count(threads=n_threads)
    end = time.perf_counter()
    if n_covers != N_COVERS[name]:
        raise RuntimeError(f"{name}: counted {n_covers:,} covers instead of {N_COVERS[name]:,}")
    return begin, end


if __name__ == "__main__":
    main()
