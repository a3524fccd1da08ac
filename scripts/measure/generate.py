"""Measure `generate` and `minimize`: puzzles per second in one thread.

    python -m scripts.measure generate [--puzzles 20000] [--runs 7]

All kinds of puzzles alternate in each round, and the best round of each counts, because other load
on the machine can only slow it down.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dlx_numba import generate, is_minimal, minimize

from ..tables import Row

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
    best = dict.fromkeys(tasks, float("inf"))
    for number in range(options.runs):
        for name, task in tasks.items():
            start = time.perf_counter()
            size = task(number)
            best[name] = min(best[name], (time.perf_counter() - start) / size)
    return [["puzzles", "per second"], *([name, f"{1 / each:,.0f}"] for name, each in best.items())]


def tables(rows: list[Row]) -> list[list[Row]]:
    return [rows]


def make_tasks(n_puzzles: int) -> dict[str, Callable[[int], int]]:
    """Return the measurements: functions of the round that return the number of puzzles."""
    generate(1, seed=0)

    def make_generator(kind: dict[str, Any], number: int) -> Callable[[int], int]:
        def run(seed: int) -> int:
            return len(generate(number, seed=seed, threads=1, **kind).puzzles)

        return run

    tasks = {
        name: make_generator(kind, max(1, round(part * n_puzzles)))
        for name, (kind, part) in KINDS.items()
    }
    result = generate(n_puzzles, seed=1)
    more_clues = generate(n_puzzles, seed=1, clues=30, minimal=False).puzzles

    def run_all(function: Callable[..., Any], puzzles: np.ndarray) -> Callable[[int], int]:
        return lambda seed: len(function(puzzles, threads=1))

    tasks["minimize complete boards"] = run_all(minimize, result.solutions)
    tasks["minimize puzzles with 30 clues"] = run_all(minimize, more_clues)
    tasks["is_minimal, minimal puzzles"] = run_all(is_minimal, result.puzzles)
    return tasks
