"""Measure `generate` and `minimize`: puzzles per second in one thread.

    python -m scripts.measure generate [--puzzles 20000] [--runs 7]

All kinds of puzzles alternate in each round, and the best round of each counts, because other load
on the machine can only slow it down.
"""

import argparse
from collections.abc import Callable
from functools import partial
from typing import Any

from dlx_numba import generate, is_minimal, minimize

from ..tables import Row
from .harness import best_times

N_PUZZLES = 20_000
RUNS = 7

# The options of `generate`, and the number of puzzles in relation to those of the first row.
KINDS: dict[str, tuple[dict[str, Any], float]] = {
    "any class, minimal": ({}, 1),
    "simple": ({"difficulty": "simple"}, 1),
    "easy": ({"difficulty": "easy"}, 1),
    "intermediate": ({"difficulty": "intermediate"}, 0.3),
    "expert": ({"difficulty": "expert"}, 0.4),
    "simple, minimal": ({"difficulty": "simple", "minimal": True}, 0.01),
    "easy, minimal": ({"difficulty": "easy", "minimal": True}, 0.4),
    "intermediate, minimal": ({"difficulty": "intermediate", "minimal": True}, 0.2),
    "rotate180": ({"symmetry": "rotate180"}, 1),
    "30 clues": ({"clues": 30, "minimal": False}, 1),
    "21 clues": ({"clues": 21}, 0.003),
    "4x4": ({"box": (2, 2)}, 1),
    "6x6": ({"box": (2, 3)}, 1),
    "12x12": ({"box": (3, 4)}, 0.01),
    "16x16": ({"box": (4, 4)}, 0.0005),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--puzzles", type=int, default=N_PUZZLES, help="number of 9x9 puzzles")


def measure(options: argparse.Namespace) -> list[Row]:
    tasks = make_tasks(options.puzzles)
    best = best_times({name: call for name, (call, _) in tasks.items()}, options.runs)
    rates = ([name, f"{tasks[name][1] / seconds:,.0f}"] for name, seconds in best.items())
    return [["puzzles", "per second"], *rates]


def make_tasks(n_puzzles: int) -> dict[str, tuple[Callable[[], object], int]]:
    """Return the measured calls, and their numbers of puzzles."""
    generate(1, seed=0)
    tasks: dict[str, tuple[Callable[[], object], int]] = {}
    for name, (kind, part) in KINDS.items():
        number = max(1, round(part * n_puzzles))
        tasks[name] = partial(generate, number, seed=1, threads=1, **kind), number
    result = generate(n_puzzles, seed=1)
    more_clues = generate(n_puzzles, seed=1, clues=30, minimal=False).puzzles
    for name, function, puzzles in (
        ("minimize complete boards", minimize, result.solutions),
        ("minimize puzzles with 30 clues", minimize, more_clues),
        ("is_minimal, minimal puzzles", is_minimal, result.puzzles),
    ):
        tasks[name] = partial(function, puzzles, threads=1), n_puzzles
    return tasks
