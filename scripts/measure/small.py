"""Measure small problems: what a first call costs, in microseconds.

    python -m scripts.measure small [--runs 200]

Each problem is stated as `ExactCover`, then `first` finds a cover, and `solve(2)` tells whether it
is the only one. The problems alternate, and the best time of each step counts.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

from dlx_numba import ExactCover

from ..puzzles import DATA
from ..tables import Row

RUNS = 200
KNUTH = ["c e", "a d g", "b c f", "a d f", "b g", "d e g"]
KAKURO = ["61.42", "23561", ".218.", "35694", "96.71"]  # the solution; dots are black
QUEENS = [
    *("CCCCCCCA", "BCCCCCCA", "BCCCGGEE", "FDCFGEEE"),
    *("FFFFGEEE", "FFFFGEEE", "FFFGGGEE", "FFFGGGHH"),
]


def measure(options: argparse.Namespace) -> list[Row]:
    problems, best = dict(small_problems()), defaultdict[str, list[float]](list)
    for _ in range(options.runs):
        for name, arguments in problems.items():
            seconds = measure_steps(arguments)
            best[name] = [*map(min, seconds, best[name] or seconds)]
    rows = [["microseconds", "options", "statement", "first", "uniqueness", "together"]]
    for name, seconds in best.items():
        times = [f"{1e6 * each:,.0f}" for each in (*seconds, sum(seconds))]
        rows.append([name, f"{len(problems[name]['options']):,}", *times])
    return rows


def measure_steps(arguments: dict[str, Any]) -> list[float]:
    """Return the seconds of each step."""
    ends = [time.perf_counter()]
    cover = ExactCover(**arguments)
    ends.append(time.perf_counter())
    cover.first()
    ends.append(time.perf_counter())
    cover.solve(2)
    ends.append(time.perf_counter())
    return [end - begin for begin, end in pairwise(ends)]


def small_problems() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield names and the arguments of `ExactCover`."""
    yield "Knuth's six options", {"options": [option.split() for option in KNUTH]}
    yield "dominoes, 4×5", {"options": dominoes(4, 5)}
    yield "Kakuro with totals, 21 cells", kakuro(KAKURO)
    yield "queens in regions, 8×8", queens(QUEENS)
    puzzle = (DATA / "expert.txt").read_text(encoding="ascii").split()[0]
    yield "Sudoku", {"options": sudoku(puzzle)}


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
