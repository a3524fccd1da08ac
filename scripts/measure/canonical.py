"""Measure `canonical`: forms of puzzles and of complete boards per second.

    python -m scripts.measure canonical [--boards 20000] [--runs 7]

All boards are transformed by random symmetries first. One thread is used; the sets alternate in
each round, and the best round of each counts.
"""

import argparse
import random
import time
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dlx_numba import canonical, solve_batch
from dlx_numba.sudoku.box import Box
from tests.helpers.symmetries import random_equivalent

from ..puzzles import mixed_boards
from ..tables import Row
from .harness import best_times

N_BOARDS = 20_000
RUNS = 7


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--boards", type=int, default=N_BOARDS, help="number of boards per set")


def measure(options: argparse.Namespace) -> list[Row]:
    puzzles = np.resize(mixed_boards(), (options.boards, 81))
    sets = {"mixed puzzles": puzzles, "complete": solve_batch(puzzles).solutions}
    calls = {name: partial(canonical, mixed(boards), threads=1) for name, boards in sets.items()}
    for call in calls.values():  # compiles the kernels
        call()
    rows = [["boards", "forms per second"]]
    for name, seconds in best_times(calls, options.runs, time.process_time).items():
        rows.append([name, f"{options.boards / seconds:,.0f}"])
    return rows


def mixed(boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rng = random.Random(1)
    return np.array([random_equivalent(board, Box(3, 3), rng) for board in boards])
