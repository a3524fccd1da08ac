"""Measure how many puzzles of each Sudoku variant are checked for uniqueness per second and core.

    python -m scripts.measure variants [--puzzles 200] [--runs 5]

The puzzles are made by `generate`, with 26 and with 22 clues; those without rules cannot have 22 in
general, so they have 26 only. Processor time of one thread; the variants alternate, and the best
round of each counts. The problem of a variant is built before, which takes the time in the last
column.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dlx_numba import Box, SudokuRules, generate, solve_batch
from dlx_numba.puzzles.variants.formulate import formulate

from ..tables import Row
from .harness import best_times

PUZZLES, RUNS = 200, 5
CLUES = (26, 22)
MIN_BATCH = 1000  # puzzles are repeated up to this number
PLAIN = "none (bitmaps)"
JIGSAW = "111122333 111222333 112222333 444455666 444555666 445555666 777788999 777888999 778888999"

VARIANTS: dict[str, dict[str, Any]] = {
    PLAIN: {},
    "diagonals": {"diagonals": True},
    "windows": {"windows": True},
    "disjoint groups": {"disjoint_groups": True},
    "jigsaw": {"regions": JIGSAW},
    "anti-knight": {"anti_knight": True},
    "anti-king": {"anti_king": True},
    "non-consecutive": {"non_consecutive": True},
    "4 thermometers": {"thermometers": [range(k, k + 4) for k in (9, 30, 48, 68)]},
    "9 cages": {"cages": [(15, [27 * k + j, 27 * k + 9 + j, 27 * k + 18 + j])
                          for k in range(3) for j in (0, 4, 8)]},
    "4 clones": {"clones": [[0, 40, 80], [1, 41], [9, 49]]},
}  # fmt: skip


@dataclass(frozen=True)
class VariantSpeed:
    """The speed of one thread for puzzles of a variant, by their number of clues."""

    variant: str
    puzzles_per_second: dict[str, float]
    nodes: dict[str, float]  # per puzzle
    formulate_ms: float


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--puzzles", type=int, default=PUZZLES)


def measure(options: argparse.Namespace) -> list[VariantSpeed]:
    """Measure all variants. Raises RuntimeError if a puzzle is not unique."""
    rules = {name: SudokuRules(**values) for name, values in VARIANTS.items()}
    batches = {
        (name, clues): make_batch(each, options.puzzles, clues)
        for name, each in rules.items()
        for clues in CLUES
        if name != PLAIN or clues == CLUES[0]
    }
    calls = {
        key: partial(solve_batch, batch, 2, rules=rules[key[0]], threads=1)
        for key, batch in batches.items()
    }
    results = {key: call() for key, call in calls.items()}
    for key, result in results.items():
        if not (result.counts == 1).all():
            raise RuntimeError(f"{key}: a puzzle is not unique")
    best = best_times(calls, options.runs, time.process_time)
    speeds = []
    for name, each in rules.items():
        clues = [number for number in CLUES if (name, number) in best]
        start = time.process_time()
        formulate(each, Box(3, 3))
        speeds.append(
            VariantSpeed(
                name,
                {str(number): len(batches[name, number]) / best[name, number] for number in clues},
                {str(number): float(results[name, number].nodes.mean()) for number in clues},
                1e3 * (time.process_time() - start),
            )
        )
    return speeds


def table(speeds: Sequence[VariantSpeed]) -> list[Row]:
    """Return the table: one row for each variant."""
    rows: list[Row] = [["variant"]]
    for number in CLUES:
        rows[0] += [f"{number} clues", "nodes"]
    rows[0].append("problem, ms")
    for each in speeds:
        row = [each.variant]
        for clues in map(str, CLUES):
            is_measured = clues in each.nodes
            row.append(f"{each.puzzles_per_second[clues]:,.0f}" if is_measured else "")
            row.append(f"{each.nodes[clues]:,.0f}" if is_measured else "")
        rows.append([*row, f"{each.formulate_ms:.0f}"])
    return rows


def make_batch(rules: SudokuRules, n_puzzles: int, clues: int) -> np.ndarray:
    """Return puzzles, repeated such that there are enough for a measurement."""
    puzzles = generate(n_puzzles, rules=rules, seed=1, minimal=False, clues=clues).puzzles
    return np.tile(puzzles, (-(-MIN_BATCH // n_puzzles), 1))
