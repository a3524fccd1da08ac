"""Measure the detection of symmetries, and counts and representatives up to symmetry.

    python -m scripts.measure symmetry [--runs 5]

For each problem: the time to find its symmetries; to count its covers, and its covers up to
symmetry; and to enumerate all covers, and one representative of each orbit. Without compilation;
the best of several runs, which alternate. Each result is compared with the number of orbits.
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

from dlx_numba import ExactCover, example

from ..tables import Row
from .harness import best_times

BLOCK = "symmetry"
RUNS = 5
MAX_ENUMERATED = 100_000  # covers


class Instance(NamedTuple):
    """A problem with a known number of covers up to symmetry; None if it is not counted."""

    name: str
    cover: ExactCover
    n_orbits: int | None


INSTANCES = [
    Instance("queens 8", example("queens", n=8).cover(), 12),
    Instance("queens 12", example("queens", n=12).cover(), 1787),
    Instance("pentominoes 6×10", example("polyominoes").cover(), 2339),
    Instance("Soma cube", example("polycubes").cover(), 240),
    Instance("Langford pairs 11", example("langford", n=11).cover(), 17792),
    Instance("Latin squares 4×4", example("latin", n=4).cover(), 2),
    Instance("dominoes 8×8", example("tilings", region="8x8").cover(), 1629189),
    Instance("dominoes 12×12", example("tilings", region="12x12").cover(), 6632560613086062),
    Instance(
        "dominoes 16×16", example("tilings", region="16x16").cover(), 305611096281378760240051639364
    ),
    Instance("Latin squares 27×27", example("latin", n=27).cover(), None),
]


def measure(options: argparse.Namespace) -> list[Row]:
    header = ["problem", "options", "symmetries", "detection", "count", "up to symmetry", "ratio"]
    rows = [[*header, "all covers", "representatives", "ratio"]]
    return rows + [measure_instance(instance, options.runs) for instance in INSTANCES]


def measure_instance(instance: Instance, runs: int) -> list[str]:
    """Return the cells of one row."""
    name, cover, n_orbits = instance
    order = cover.symmetries(limit=None).order
    detection = best_times({"": lambda: cover.symmetries(limit=None)}, runs)[""]
    size = f"{order:,}" if order < 10**9 else f"{order:.1e}"
    row = [name, f"{cover.n_options:,}", size, milliseconds(detection)]
    if n_orbits is None:
        return [*row, *[""] * 6]
    assert cover.count(up_to_symmetry=True) == n_orbits
    row += pair(cover.count, lambda: cover.count(up_to_symmetry=True), runs)
    if cover.count() > MAX_ENUMERATED:
        return [*row, *[""] * 3]
    assert len(cover.solve(up_to_symmetry=True)) == n_orbits
    return [*row, *pair(cover.solve, lambda: cover.solve(up_to_symmetry=True), runs)]


def pair(plain: Callable[[], object], up_to_symmetry: Callable[[], object], runs: int) -> list[str]:
    """Return the times of two calls, and their ratio."""
    one, other = best_times({"plain": plain, "up to symmetry": up_to_symmetry}, runs).values()
    return [milliseconds(one), milliseconds(other), f"{other / one:.2f}"]


def milliseconds(seconds: float) -> str:
    """Return a time as text."""
    return f"{1000 * seconds:,.1f} ms"
