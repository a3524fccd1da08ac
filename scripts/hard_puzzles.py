"""Make hard Sudoku puzzles by hill climbing.

    python -m scripts.hard_puzzles [--puzzles 200] [--steps 300] [--seed 1]    prints them

Each puzzle starts as a random minimal puzzle: no given can be removed without a second solution.
In each step, one or two givens are added and the puzzle is made minimal again in a random order;
the new puzzle replaces the old one if it is harder. The measure of difficulty is the geometric mean
of the nodes of `dlx` and the guesses of `lanes` in the proof that the solution is unique, over some
random transformations of the puzzle, so that it does not favor a puzzle by which one of the engines
happens to branch badly. The puzzles are transformed once more before they are printed.
"""

import argparse
import sys

import numpy as np
from numpy.typing import NDArray

from dlx_numba import solve_batch

from .puzzles import encode_boards, transform

Boards = NDArray[np.uint8]

MAX_ADDED_GIVENS = 2
N_TRANSFORMATIONS = 4  # of each puzzle, to measure it


def main() -> None:
    parser = argparse.ArgumentParser(description="Print hard puzzles, one per line.")
    parser.add_argument("--puzzles", type=int, default=200)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.RandomState(options.seed)
    puzzles = hard_puzzles(options.puzzles, options.steps, random)
    sys.stdout.buffer.write(encode_boards(transform_all(puzzles, random)))


def hard_puzzles(n_puzzles: int, n_steps: int, random: np.random.RandomState) -> Boards:
    """Return hard puzzles, (n_puzzles, 81); more steps make them harder."""
    solutions = random_solutions(n_puzzles, random)
    puzzles = minimize(solutions, random)
    difficulty = measure(puzzles, random)
    for _ in range(n_steps):
        changed = minimize(add_givens(puzzles, solutions, random), random)
        changed_difficulty = measure(changed, random)
        better = changed_difficulty > difficulty
        puzzles[better] = changed[better]
        # The mean of two measurements: a puzzle that was only lucky is replaced sooner or later.
        difficulty = (difficulty + measure(puzzles, random)) / 2
        difficulty[better] = changed_difficulty[better]
    return puzzles


def random_solutions(n_boards: int, random: np.random.RandomState) -> Boards:
    """Return random complete boards, from the first row and a cell below the first band."""
    boards = np.zeros((n_boards, 81), np.uint8)
    for board in boards:
        board[:9] = 1 + random.permutation(9)
        row, column = 3 + random.randint(6), random.randint(9)
        board[9 * row + column] = board[(column + 1 + random.randint(8)) % 9]
    return transform_all(solve_batch(boards, engine="dlx").solutions, random)


def add_givens(puzzles: Boards, solutions: Boards, random: np.random.RandomState) -> Boards:
    """Return copies of puzzles with some more givens of their solutions."""
    puzzles = puzzles.copy()
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        empty = np.flatnonzero(puzzle == 0)
        added = random.choice(empty, 1 + random.randint(MAX_ADDED_GIVENS), replace=False)
        puzzle[added] = solution[added]
    return puzzles


def minimize(puzzles: Boards, random: np.random.RandomState) -> Boards:
    """Return copies of puzzles without redundant givens, which are removed in random order."""
    puzzles = puzzles.copy()
    rows = np.arange(len(puzzles))
    for cells in np.argsort(random.random_sample(puzzles.shape), axis=1).T:
        tried = rows[puzzles[rows, cells] > 0]
        smaller = puzzles[tried]
        smaller[np.arange(len(tried)), cells[tried]] = 0
        unique = solve_batch(smaller, limit=2, engine="lanes").counts == 1
        puzzles[tried[unique]] = smaller[unique]
    return puzzles


def measure(puzzles: Boards, random: np.random.RandomState) -> NDArray[np.float64]:
    """Return the logarithm of the difficulty of each puzzle."""
    total = np.zeros(len(puzzles))
    for _ in range(N_TRANSFORMATIONS):
        transformed = transform_all(puzzles, random)
        for engine in ("dlx", "lanes"):
            total += np.log1p(solve_batch(transformed, limit=2, engine=engine).nodes)
    return total / (2 * N_TRANSFORMATIONS)


def transform_all(puzzles: Boards, random: np.random.RandomState) -> Boards:
    """Return a random equivalent puzzle for each puzzle."""
    return np.stack([transform(puzzle, random) for puzzle in puzzles])


if __name__ == "__main__":
    main()
