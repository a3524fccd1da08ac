"""Measure small problems, made and solved by a call, in microseconds.

    python -m scripts.measure small [--runs 200] [--levels FILE] [--write]
    .venv-peers/bin/python -m scripts.measure small

The second form, after `bash scripts/compare_peers --help`, also measures xcover, exact-cover and
miniexact. All are given the same options, as lists of names or as a matrix; they are converted by
the package itself, except that miniexact is given numbers for the names. The problems and the
packages alternate, the best time of each counts, and all numbers of covers are compared. The levels
of a game of queens are read from a JSON file: a list of objects with the rows of "regions".
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import chain, count, islice, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dlx_numba import ExactCover, solve_batch, solve_sudoku

from ..peers.adapters import EXHAUSTED
from ..puzzles import DATA
from ..tables import Row
from .harness import best_times

BLOCK = "small"
RUNS, LEVEL_RUNS = 200, 30
MAX_COVERS = 100  # of a level: others take long to list
KNUTH = ["c e", "a d g", "b c f", "a d f", "b g", "d e g"]
KAKURO = ["61.42", "23561", ".218.", "35694", "96.71"]  # the solution; dots are black
QUEENS = [
    *("CCCCCCCA", "BCCCCCCA", "BCCCGGEE", "FDCFGEEE"),
    *("FFFFGEEE", "FFFFGEEE", "FFFGGGEE", "FFFGGGHH"),
]
OURS = "dlx_numba"
PEERS = {"xcover": "xcover", "exact-cover": "exact_cover", "miniexact": "miniexact"}  # modules

Call = Callable[[], int]  # returns the number of covers


class Task(NamedTuple):
    """A problem, and how each package defines and solves it, if it can."""

    name: str
    n_options: int
    calls: dict[str, Call]


def measure(options: argparse.Namespace) -> list[Row]:
    rows = [["microseconds", "options", OURS, *PEERS]]
    rows += (row_of(task, best_of(task, options.runs)) for task in small_tasks())
    if options.levels:
        rows.append(measure_levels(options.levels))
    return rows


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--levels", type=Path, metavar="FILE", help="levels of queens, as JSON")


def best_of(task: Task, runs: int) -> dict[str, float]:
    """Return the shortest time of each installed package in seconds."""
    calls = {name: call for name, call in task.calls.items() if is_installed(name)}
    found = {name: call() for name, call in calls.items()}  # compiles the kernels
    assert len({*found.values()}) == 1, (task.name, found)
    return best_times(calls, runs)


def is_installed(name: str) -> bool:
    return name == OURS or find_spec(PEERS[name]) is not None


def row_of(task: Task, seconds: dict[str, float]) -> Row:
    times = [f"{1e6 * seconds[name]:,.1f}" if name in seconds else "" for name in (OURS, *PEERS)]
    return [task.name, f"{task.n_options:,}", *times]


def measure_levels(file: Path) -> Row:
    """Return a row with the mean of all levels that have few covers."""
    levels = [queens(each["regions"]) for each in json.loads(file.read_text(encoding="utf-8"))]
    tasks = [
        named_task("", level)
        for level in levels
        if ExactCover(**level).count(MAX_COVERS) < MAX_COVERS
    ]
    times = [best_of(task, LEVEL_RUNS) for task in tasks]
    means = {name: math.fsum(each[name] for each in times) / len(times) for name in times[0]}
    n_options = sum(task.n_options for task in tasks) // len(tasks)
    return row_of(
        Task(f"{len(tasks)} levels of queens, covers counted, mean", n_options, {}), means
    )


def small_tasks() -> Iterator[Task]:
    knuth = {"options": [option.split() for option in KNUTH]}
    yield named_task("Knuth's six options, all covers", knuth)
    stated = ExactCover(**knuth)
    yield Task("the same, made before, first cover", 6, {OURS: lambda: len([stated.first()])})
    yield named_task("dominoes, 4×5, all covers", {"options": dominoes(4, 5)})
    yield named_task("queens in regions, 8×8, all covers", queens(QUEENS))
    puzzle = (DATA / "expert.txt").read_text(encoding="ascii").split()[0]
    yield named_task("Sudoku, all covers", {"options": sudoku(puzzle)})
    totals = kakuro(KAKURO)
    unique = {OURS: lambda: len(ExactCover(**totals).solve(2))}
    yield Task("Kakuro with totals, 21 cells, two covers", len(totals["options"]), unique)
    costs = {OURS: lambda: len(ExactCover(**knuth, costs=[1, 2, 3, 4, 5, 6]).cheapest())}
    yield Task("Knuth's six options with costs, the cheapest cover", 6, costs)
    yield matrix_task("Knuth's six options as a matrix, first cover", knuth["options"])
    yield matrix_task("dominoes, 4×5, as a matrix, first cover", dominoes(4, 5))
    yield matrix_task("Sudoku as a matrix, first cover", sudoku(puzzle))
    board = np.array([[int(value) if value.isdigit() else 0 for value in puzzle]], np.uint8)
    yield Task("Sudoku, a batch of one board", 1, {OURS: lambda: len(solve_batch(board))})
    yield Task("Sudoku, one board", 1, {OURS: lambda: len([solve_sudoku(puzzle)])})


def named_task(name: str, arguments: dict[str, Any], *, counts: bool = False) -> Task:
    """Return the task to list or count all covers of options that are lists of names.

    The other packages count by iterating.
    """
    options = arguments["options"]
    rows = list(options.values()) if isinstance(options, dict) else options
    secondary = list(arguments.get("optional", ()))
    is_secondary = set(secondary)
    primary = [item for item in dict.fromkeys(chain(*rows)) if item not in is_secondary]

    def solve() -> int:
        cover = ExactCover(rows, primary, secondary)
        return cover.count() if counts else len(cover.solve())

    def solve_xcover() -> int:
        import xcover

        return sum(1 for _ in xcover.covers(rows, primary, secondary))

    def solve_miniexact() -> int:
        import miniexact

        solver = miniexact.miniexacts_x()
        number_of = {item: solver.primary(str(item)) for item in primary}
        number_of |= {item: solver.secondary(str(item)) for item in secondary}
        for row in rows:
            solver.add([number_of[item] for item in row])
        return sum(1 for _ in iter(solver.solve, EXHAUSTED))

    return Task(
        name, len(rows), {OURS: solve, "xcover": solve_xcover, "miniexact": solve_miniexact}
    )


def matrix_task(name: str, options: Sequence[Sequence[Any]]) -> Task:
    """Return the task to find a cover of options that are the rows of a matrix."""
    number_of = dict(zip(dict.fromkeys(chain(*options)), count(), strict=False))
    matrix: NDArray[np.int64] = np.zeros((len(options), len(number_of)), np.int64)
    for row, option in zip(matrix, options, strict=True):
        row[[number_of[item] for item in option]] = 1
    # The types that the packages convert to
    as_int32, as_bool = matrix.astype(np.int32), matrix.astype(np.bool_)

    def solve_xcover() -> int:
        import xcover

        return sum(1 for _ in islice(xcover.covers_bool(as_bool), 1))

    def solve_exact_cover() -> int:
        import exact_cover

        return len(exact_cover.get_exact_cover(as_int32)) > 0

    def solve() -> int:
        return ExactCover.from_matrix(matrix).first() is not None

    return Task(
        name, len(options), {OURS: solve, "xcover": solve_xcover, "exact-cover": solve_exact_cover}
    )


def dominoes(height: int, width: int) -> list[list[Any]]:
    """Return an option for each place of a domino."""
    cells = [*product(range(height), range(width))]
    pairs = [[(r, c), cell] for r, c in cells for cell in ((r, c + 1), (r + 1, c))]
    return [pair for pair in pairs if pair[1] in cells]


def kakuro(solution: list[str]) -> dict[str, Any]:
    """Return a problem whose totals are the sums of runs of different digits."""
    digits = {(r, c): d for r, row in enumerate(solution) for c, d in enumerate(row) if d != "."}
    runs: dict[str, list[tuple[int, int]]] = {}
    for r, c in digits:
        left, top = c, r
        while (r, left - 1) in digits:
            left -= 1
        while (top - 1, c) in digits:
            top -= 1
        for name in (f"across {r},{left}", f"down {top},{c}"):
            runs.setdefault(name, []).append((r, c))
    options: dict[str, list[Any]] = {}
    totals: dict[str, tuple[dict[str, int], int, int]] = {}
    for name, cells in runs.items():
        total, weights = sum(int(digits[cell]) for cell in cells), dict[str, int]()
        for cell, digit in product(cells, range(1, 10)):
            option = f"{digit} in {cell}"
            options.setdefault(option, [cell]).append((name, digit))
            weights[option] = digit
        totals[name] = weights, total, total
    return {"options": options, "optional": [*product(runs, range(1, 10))], "totals": totals}


def queens(regions: list[str]) -> dict[str, Any]:
    """Return a problem with a queen in each row, column and region; two do not touch."""
    options = {}
    for r, c in product(range(len(regions)), repeat=2):
        corners = [("corner", r + i, c + j) for i, j in product((0, 1), repeat=2)]
        options[f"{r},{c}"] = [("row", r), ("column", c), regions[r][c], *corners]
    used = {item for option in options.values() for item in option[3:]}
    return {"options": options, "optional": sorted(used)}


def sudoku(puzzle: str) -> list[list[Any]]:
    """Return an option for each value of a cell that its given allows."""
    return [
        [("cell", r, c), ("row", r, d), ("column", c, d), ("box", r // 3, c // 3, d)]
        for r, c, d in product(range(9), range(9), range(1, 10))
        if puzzle[9 * r + c] in (".", "0", str(d))
    ]
