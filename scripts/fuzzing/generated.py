"""Campaigns for `generate` and `minimize`: their results are judged by other solvers."""

import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import dlx_numba as dlx
from dlx_numba.runtime.choices import DIFFICULTIES, SYMMETRIES
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.rating import classify_boards
from tests.helpers.removal import is_reduced, is_symmetric, solution_counts, without

from .boards import boards_kept_on_failure, random_boards
from .checks import check, check_equal, kept_on_failure

BOXES = (*[Box(3, 3)] * 6, Box(2, 2), Box(2, 3), Box(3, 2), Box(2, 4), Box(1, 5), Box(3, 4))


def random_options(rng: random.Random) -> dict[str, Any]:
    """Return options of `generate` that can be met."""
    box = rng.choice(BOXES)
    options: dict[str, Any] = {"box": box, "symmetry": rng.choice([None, *SYMMETRIES])}
    if box == Box(3, 3) and rng.random() < 0.6:
        options["difficulty"] = rng.choice(DIFFICULTIES)
    options["minimal"] = rng.choice([None, None, True, False])
    if options["minimal"] is False and rng.random() < 0.5:
        low = rng.randint(box.cells * 45 // 100, box.cells // 2)
        options["clues"] = (low, min(box.cells, low + rng.randint(4, 10)))
    return options


def generate_puzzles(rng: random.Random, folder: Path) -> None:
    """Generate puzzles with random options, and check each by the engine `dlx`."""
    options = random_options(rng)
    number = rng.randint(1, 12 if options["box"].n <= 9 else 2)
    seed = rng.randrange(2**64)
    box, difficulty = options["box"], options.get("difficulty")
    with kept_on_failure(folder / "options.txt", lambda: f"{number} {options} seed={seed}\n"):
        if difficulty == "expert" and "clues" in options:
            return  # rare
        warnings.filterwarnings("ignore", "no .* puzzles", UserWarning)  # others may be rare
        result = dlx.generate(number, seed=seed, threads=rng.randint(1, 2), **options)
        fewer = dlx.generate(max(0, number - 2), seed=seed, threads=1, **options)
        check_equal("first puzzles", fewer.puzzles, result.puzzles[: len(fewer.puzzles)])
        solved = dlx.solve_batch(result.puzzles, 2, "dlx", 1, box=box)
        check_equal("counts", solved.counts, np.ones(number, np.int64))
        check_equal("solutions", result.solutions, solved.solutions)
        if difficulty:
            check_equal("classes", set(dlx.rate(result.puzzles).difficulty), {difficulty})
        for puzzle in result.puzzles:
            check_puzzle(puzzle, options)


def check_puzzle(puzzle: np.ndarray, options: dict[str, Any]) -> None:
    """Check the symmetry of a puzzle, that no clue can be removed, and its number of clues."""
    box, difficulty = options["box"], options.get("difficulty")
    symmetry = options["symmetry"] or "none"
    names = SYMMETRIES[1:5] if symmetry == "random" else (symmetry,)
    names = tuple(name for name in names if is_symmetric(puzzle, name, box.n))
    check(names, f"not symmetric ({symmetry}): {puzzle.tolist()}")
    if "clues" in options:
        low, high = options["clues"]
        check(low <= np.count_nonzero(puzzle) <= high, f"number of clues: {puzzle.tolist()}")
        return
    if options["minimal"] is False and not difficulty:
        return

    def is_valid(board: np.ndarray) -> bool:
        if difficulty and not options["minimal"]:
            return 0 < int(classify_boards(board[None])[0][0]) <= DIFFICULTIES.index(difficulty) + 1
        return solution_counts([board], box) == [1]

    is_any = any(is_reduced(puzzle, name, box.n, is_valid) for name in names)
    check(is_any, f"clues can be removed: {puzzle.tolist()}")


def minimize_boards(rng: random.Random, folder: Path) -> None:
    """Minimize random boards, and check each result by the engine `dlx`."""
    box = rng.choice(BOXES[:-1])
    boards = random_boards(rng, box, rng.randint(1, 20))
    with boards_kept_on_failure(folder / f"boards-{box}.txt", boards):
        counts = solution_counts(boards, box)
        unique = boards[np.array(counts) == 1]
        seed = rng.choice([None, rng.randrange(100)])
        minimal = dlx.minimize(unique, seed=seed, threads=rng.randint(1, 2), box=box)
        check(((minimal == 0) | (minimal == unique)).all(), "other clues")
        check_equal("counts", solution_counts(minimal, box), [1] * len(unique))
        for board in minimal:
            fewer = [without(board, [cell]) for cell in np.flatnonzero(board)]
            check_equal("fewer clues", set(solution_counts(fewer, box)), {2})
        expected = [
            count == 1
            and 1 not in solution_counts((without(b, [cell]) for cell in np.flatnonzero(b)), box)
            for b, count in zip(boards, counts, strict=True)
        ]
        check_equal("is_minimal", dlx.is_minimal(boards, box=box).tolist(), expected)
