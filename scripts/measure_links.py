"""Measure what dancing links gain over Algorithm X on a dense array.

    python -m scripts.measure_links [--runs 10] [--markdown]

For each instance, all covers are counted with links, on a dense array, and on the same array in
plain Python. Compilation and setup are excluded. Runs alternate, and the best of each counts.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from dlx_numba import ExactCover
from dlx_numba.bench.report import machine
from dlx_numba.kernels.algorithms import ALGORITHMS

from .peers.problems import INSTANCES
from .tables import Row, format_machine, format_speedup, markdown_table, text_table

RUNS = 10
PYTHON_RUNS = 1  # takes seconds
NAMES = ("queens10", "langford8", "pent3x20", "sudoku17")
MAX_PYTHON_UPDATES = 10**7  # larger searches are not run in plain Python


@dataclass(frozen=True)
class AlgorithmTimes:
    """The work and the best time of each algorithm for one instance."""

    instance: str
    nodes: int
    updates: dict[str, int]  # by algorithm
    seconds: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    rows = links_table([measure_instance(name, options.runs) for name in NAMES])
    sys.stdout.write(markdown_table(rows) if options.markdown else text_table(rows))
    print(f"Measured with {format_machine(machine())}.", file=sys.stderr)


def measure_instance(name: str, runs: int = RUNS) -> AlgorithmTimes:
    """Count all covers of an instance with each algorithm. Raises RuntimeError if they disagree."""
    path = INSTANCES / f"{name}.dlx"
    covers = {each: ExactCover.from_file(path, algorithm=each) for each in ALGORITHMS}
    for algorithm in ("links", "dense"):
        covers[algorithm].count()  # compiles the kernels
    updates = {each: covers[each].statistics.updates for each in ("links", "dense")}
    if updates["dense"] > MAX_PYTHON_UPDATES:
        del covers["dense-python"]
    seconds = dict.fromkeys(covers, float("inf"))
    works = set()
    for run in range(runs):
        for algorithm, cover in covers.items():
            if algorithm == "dense-python" and run >= PYTHON_RUNS:
                continue
            search = cover.search()
            begin = time.perf_counter()
            search.count()
            seconds[algorithm] = min(seconds[algorithm], time.perf_counter() - begin)
            works.add(search.counters()[:2])
    if len(works) != 1:
        raise RuntimeError(f"{name}: the algorithms found different covers or nodes: {works}")
    [(_, nodes)] = works
    return AlgorithmTimes(name, nodes, updates, seconds)


def links_table(measurements: Sequence[AlgorithmTimes]) -> list[Row]:
    """Return the table: nodes, updates, and times with their ratio to that of links."""
    rows = [["counting all covers", "nodes", "links removed", "elements examined"]]
    rows[0] += [f"`{name}`, ms" for name in ALGORITHMS]
    for each in measurements:
        row = [each.instance, f"{each.nodes:,}"]
        row += [f"{each.updates[name]:,}" for name in ("links", "dense")]
        for name in ALGORITHMS:
            if name not in each.seconds:
                row.append("–")
                continue
            cell = f"{1000 * each.seconds[name]:,.2f}"
            if name != "links":
                ratio = each.seconds[name] / each.seconds["links"]
                cell += f" ({format_speedup(ratio)})"
            row.append(cell)
        rows.append(row)
    return rows


if __name__ == "__main__":
    main()
