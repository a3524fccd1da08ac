"""Measure `canonical`: forms per second, and the memory of `canonical --unique`.

    python -m scripts.measure canonical [--boards 20000] [--runs 7]

All boards are transformed by random symmetries first. One thread is used; the sets alternate in
each round, and the best round of each counts.
"""

import argparse
import random
import time
import tracemalloc
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dlx_numba import canonical, iter_solutions, solve_batch
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.canonical.api import DistinctBoards
from tests.helpers.symmetries import random_equivalent

from ..puzzles import mixed_boards
from ..tables import Row
from .harness import best_times

N_BOARDS = 20_000
RUNS = 7
GIVENS = (17, 24, 30, 45, 60)
SMALL_BOXES = (Box(2, 2), Box(2, 3), Box(3, 4), Box(4, 4))


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--boards", type=int, default=N_BOARDS, help="number of boards per set")


def measure(options: argparse.Namespace) -> list[Row]:
    sets = board_sets(options.boards)
    calls = {
        name: partial(canonical, boards, threads=1, box=box) for name, (box, boards) in sets.items()
    }
    for call in calls.values():  # compiles the kernels
        call()
    rows = [["boards", "forms per second", "µs per form"]]
    for name, seconds in best_times(calls, options.runs, time.process_time).items():
        each = seconds / len(sets[name][1])
        rows.append([name, f"{1 / each:,.0f}", f"{1e6 * each:.1f}"])
    size = bytes_per_board(sets["mixed puzzles"][1])
    return [*rows, ["`--unique`", f"{size:.0f} bytes per distinct board"]]


def tables(rows: list[Row]) -> list[list[Row]]:
    return [rows]


def board_sets(n_boards: int) -> dict[str, tuple[Box, NDArray[np.uint8]]]:
    """Return sets of boards by their names."""
    rng = random.Random(1)
    box = Box(3, 3)
    puzzles = np.resize(mixed_boards(), (n_boards, 81))
    solutions = solve_batch(puzzles).solutions
    sets = {"mixed puzzles": (box, transformed(puzzles, box, rng))}
    for givens in GIVENS:
        sets[f"{givens} givens"] = box, transformed(reduced(solutions, givens, rng), box, rng)
    sets["complete"] = box, transformed(solutions, box, rng)
    for other in SMALL_BOXES:
        grids = np.array(list(islice(iter_solutions(np.zeros(other.cells, int), box=other), 100)))
        grids = np.resize(grids.astype(np.uint8), (n_boards // 4, other.cells))
        puzzles = reduced(grids, other.cells * 2 // 5, rng)
        sets[f"{other.n}×{other.n}, 40 % given"] = other, transformed(puzzles, other, rng)
    return sets


def reduced(boards: NDArray[np.uint8], givens: int, rng: random.Random) -> NDArray[np.uint8]:
    """Return copies of boards with random cells emptied."""
    result = boards.copy()
    for board in result:
        board[rng.sample(range(len(board)), len(board) - givens)] = 0
    return result


def transformed(boards: NDArray[np.uint8], box: Box, rng: random.Random) -> NDArray[np.uint8]:
    return np.array([random_equivalent(board, box, rng) for board in boards])


def bytes_per_board(boards: NDArray[np.uint8], n_boards: int = 1_000_000) -> float:
    """Return the memory that the set of distinct boards needs for each."""
    tracemalloc.start()
    seen, rng = DistinctBoards(), np.random.default_rng(1)
    while len(seen) < n_boards:
        seen.add(rng.integers(0, 10, boards.shape, np.uint8), Box(3, 3))
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return used / len(seen)
