"""Measure `canonical`: forms per second, and the memory of `canonical --unique`.

    python -m scripts.measure_canonical [--boards 20000] [--rounds 7] [--markdown]

All boards are transformed by random symmetries first. One thread is used; the sets alternate in
each round, and the best round of each counts.
"""

import argparse
import random
import sys
import time
import tracemalloc
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from dlx_numba import canonical, iter_solutions, solve_batch
from dlx_numba.bench.report import machine
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.canonical.api import DistinctBoards
from tests.helpers.symmetries import random_equivalent

from .puzzles import mixed_boards
from .tables import format_machine, markdown_table, text_table

N_BOARDS = 20_000
ROUNDS = 7
GIVENS = (17, 24, 30, 45, 60)
SMALL_BOXES = (Box(2, 2), Box(2, 3), Box(3, 4), Box(4, 4))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=N_BOARDS, help="number of boards per set")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    sets = board_sets(options.boards)
    best = dict.fromkeys(sets, float("inf"))
    for _ in range(1 + options.rounds):  # the first round compiles the kernels
        for name, (box, boards) in sets.items():
            begin = time.process_time()
            canonical(boards, threads=1, box=box)
            best[name] = min(best[name], (time.process_time() - begin) / len(boards))
    rows = [["boards", "forms per second", "µs per form"]]
    rows += [[name, f"{1 / each:,.0f}", f"{1e6 * each:.1f}"] for name, each in best.items()]
    sys.stdout.write(markdown_table(rows) if options.markdown else text_table(rows))
    print(f"`--unique`: {bytes_per_board(sets['mixed puzzles'][1]):.0f} bytes per distinct board")
    print(f"Measured with {format_machine(machine())}.", file=sys.stderr)


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


if __name__ == "__main__":
    main()
