"""Measure what dancing links gain over Algorithm X on a dense array.

    python -m scripts.measure links [--runs 10]

For each instance, all covers are counted with links, on a dense array, and on the same array in
plain Python. Times are processor times without compilation and setup. Runs alternate, and the best
of each counts.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

from dlx_numba import ExactCover
from dlx_numba.bench.report import format_speedup
from dlx_numba.kernels.algorithms import subtree_class
from dlx_numba.kernels.dlx.branching import BranchingRule
from dlx_numba.kernels.dlx.state import UNLIMITED

from ..peers.problems import INSTANCES
from ..tables import Row

ALGORITHMS = ("links", "dense", "dense-python")  # which enter the same nodes
RUNS = 10
MAX_PYTHON_RUNS = 3  # a run takes seconds
NAMES = ("queens10", "langford8", "pent3x20", "sudoku17")
MAX_PYTHON_UPDATES = 10**7  # larger searches are not run in plain Python


@dataclass(frozen=True)
class AlgorithmTimes:
    """The work and the best processor time of each algorithm for one instance."""

    instance: str
    nodes: int
    updates: dict[str, int]  # by algorithm
    seconds: dict[str, float]


def measure(options: argparse.Namespace) -> list[AlgorithmTimes]:
    return [measure_instance(name, options.runs) for name in NAMES]


def tables(times: Sequence[AlgorithmTimes]) -> list[list[Row]]:
    return [links_table(times)]


def measure_instance(name: str, runs: int = RUNS) -> AlgorithmTimes:
    """Count all covers of an instance with each algorithm. Raises RuntimeError if they disagree."""
    problem = ExactCover.from_file(INSTANCES / f"{name}.dlx").problem
    updates: dict[str, int] = {}
    seconds: dict[str, float] = {}
    found = set()
    for run in range(1 + runs):  # the first run compiles the kernels
        for algorithm in ALGORITHMS:
            if algorithm == "dense-python" and (
                run > MAX_PYTHON_RUNS or updates["dense"] > MAX_PYTHON_UPDATES
            ):
                continue
            tree = subtree_class(algorithm, problem).start(problem, BranchingRule())
            begin = time.process_time()
            tree.explore(UNLIMITED, UNLIMITED)
            elapsed = time.process_time() - begin
            if run > 0:
                seconds[algorithm] = min(seconds.get(algorithm, elapsed), elapsed)
            n_covers, nodes, updates[algorithm] = tree.counters.tolist()
            found.add((n_covers, nodes))
    if len(found) != 1:
        raise RuntimeError(f"{name}: the algorithms found different covers or nodes: {found}")
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
            cell = f"{float(f'{1000 * each.seconds[name]:.3g}'):,g}"
            if name != "links":
                ratio = each.seconds[name] / each.seconds["links"]
                cell += f" ({format_speedup(ratio)})"
            row.append(cell)
        rows.append(row)
    return rows
