"""Compare the ratings with those of the real qqwing, and the speed.

    python -m scripts.compare_qqwing [--boards 20000] [--generated 1000] [--runs 3] [--seed 2014]
    python -m scripts.compare_qqwing --write        writes the tables into docs/command-line/rate.md

The boards are random minimal puzzles, random reductions of complete boards that still have a unique
solution, and what `qqwing --generate` prints. qqwing rates each board in several runs, with other
random numbers each time. The first table has the speeds: the best of the runs for qqwing, and of
several rounds for this package. The second one has the number of boards of each class, and of those
whose class differs from that of qqwing. The exit status is 1 if there are any.
"""

import argparse
import csv
import io
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dlx_numba import rate, solve_batch
from dlx_numba.runtime.choices import CLASSES
from dlx_numba.sudoku.rating import classify_boards

from .blocks import write_block
from .puzzles import decode_boards, encode_boards, transform
from .tables import Row, markdown_table, text_table

Boards = NDArray[np.uint8]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "command-line" / "rate.md"

N_BOARDS, N_GENERATED, N_RUNS, SEED = 20_000, 1000, 3, 2014
ROUNDS = 5
CODES = range(1, len(CLASSES))
DIFFICULTY = "Difficulty"


class QQWingRun(NamedTuple):
    """The ratings of one run of qqwing."""

    boards: Boards
    classes: NDArray[np.str_]  # in lower case
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=N_BOARDS)
    parser.add_argument("--generated", type=int, default=N_GENERATED, help="boards by qqwing")
    parser.add_argument("--runs", type=int, default=N_RUNS, help="runs of qqwing")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--write", action="store_true", help=f"write the tables into {PAGE.name}")
    options = parser.parse_args()
    if shutil.which("qqwing") is None:
        raise SystemExit("qqwing is not installed (apt-get install qqwing)")
    rng = np.random.default_rng(options.seed)
    generated = generate_with_qqwing(options.generated).boards
    boards = np.concatenate(
        [
            random_puzzles(options.boards // 2, rng),
            random_puzzles(options.boards - options.boards // 2, rng, max_clues=50),
            generated,
        ]
    )
    runs = [rate_with_qqwing(boards) for _ in range(options.runs)]
    differences = count_differences(boards, runs)
    tables = {
        "rate-speed": speed_table(boards, runs),
        "rate-classes": class_table(boards, differences),
    }
    for table in tables.values():
        print(text_table(table))
    if options.write:
        for name, table in tables.items():
            write_block(name, markdown_table(table), PAGE)
    sys.exit(1 if differences else 0)


def generate_with_qqwing(number: int) -> QQWingRun:
    """Return puzzles that qqwing generates, with its ratings."""
    return _run_qqwing(["--generate", str(number)], "")


def rate_with_qqwing(boards: Boards) -> QQWingRun:
    """Return the ratings of `boards` by qqwing, with random numbers that no earlier run had."""
    time.sleep(1.1)  # the seed is the time in seconds
    run = _run_qqwing(["--solve", "--nosolution", "--puzzle"], encode_boards(boards).decode())
    if not np.array_equal(run.boards, boards):
        raise ValueError("qqwing has not rated all boards")
    return run


def _run_qqwing(options: list[str], text: str) -> QQWingRun:
    command = ["qqwing", *options, "--csv", "--stats"]
    start_time = time.perf_counter()
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start_time
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    boards = decode_boards("".join(row["Puzzle"] for row in rows))
    return QQWingRun(boards, np.array([row[DIFFICULTY].lower() for row in rows]), seconds)


def random_puzzles(number: int, rng: np.random.Generator, max_clues: int | None = None) -> Boards:
    """Return random puzzles with a unique solution: minimal ones, or with up to `max_clues` clues.

    Clues are removed from a complete board in random order, unless there would be several
    solutions. With `max_clues`, this ends at a random number of clues.
    """
    boards = random_solutions(number, rng)
    n_clues = np.zeros(number) if max_clues is None else rng.integers(20, max_clues + 1, number)
    order = np.argsort(rng.random(boards.shape), axis=1)
    everything = np.arange(number)
    for cells in order.T:
        reduced = boards.copy()
        reduced[everything, cells] = 0
        is_tried = np.flatnonzero(np.count_nonzero(boards, axis=1) > n_clues)
        if not len(is_tried):
            break
        is_unique = solve_batch(reduced[is_tried], limit=2).counts == 1
        boards[is_tried[is_unique]] = reduced[is_tried[is_unique]]
    return boards


def random_solutions(number: int, rng: np.random.Generator) -> Boards:
    """Return random complete boards: three boxes are filled at random, then solved."""
    boards = np.zeros((number, 9, 9), np.uint8)
    for box in (0, 3, 6):
        digits = np.argsort(rng.random((number, 9)), axis=1) + 1
        boards[:, box : box + 3, box : box + 3] = digits.reshape(number, 3, 3)
    solutions = solve_batch(boards).solutions
    random = np.random.RandomState(rng.integers(2**32))
    return np.array([transform(solution, random) for solution in solutions])


def count_differences(boards: Boards, runs: list[QQWingRun]) -> int:
    """Return the number of classes of boards that differ from the rating."""
    found = rate(boards).difficulty
    return sum(int(np.count_nonzero(run.classes != found)) for run in runs)


def speed_table(boards: Boards, runs: list[QQWingRun]) -> list[Row]:
    """Return the table of boards per second."""

    def speed(function: Callable[[], object]) -> float:
        def seconds() -> float:
            start_time = time.perf_counter()
            function()
            return time.perf_counter() - start_time

        return len(boards) / min(seconds() for _ in range(ROUNDS))

    qqwing = len(boards) / min(run.seconds for run in runs)
    speeds = {
        "qqwing": qqwing,
        "rate, one thread": speed(lambda: classify_boards(boards)),
        "with the score": speed(lambda: rate(boards, threads=1).scores),
    }
    rows = [["rater", "boards per second", "speedup"]]
    return rows + [
        [name, f"{value:,.0f}", f"{value / qqwing:.0f}"] for name, value in speeds.items()
    ]


def class_table(boards: Boards, differences: int) -> list[Row]:
    """Return the table of the numbers of boards of each class."""
    codes, _ = classify_boards(boards)
    numbers = [f"{np.count_nonzero(codes == code):,}" for code in CODES]
    return [
        [*(CLASSES[code] for code in CODES), "differences from qqwing"],
        [*numbers, f"{differences:,}"],
    ]


if __name__ == "__main__":
    main()
