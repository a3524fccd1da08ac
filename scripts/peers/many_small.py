"""Compare the first cover of 1,000 different small problems with Sage's Dancing Links.

    python -m scripts.peers.many_small [--runs 10]

Install numba and passagemath-combinat, which has Sage's DLX, into the environment first. All
problems have a cover, and from 6 to 300 options. The programs alternate, and the shortest processor
time of each counts. Sage takes numbers; with names, a dictionary numbers them before.
"""

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dlx_numba import ExactCover

from ..measure.harness import best_times
from ..tables import text_table

N_PROBLEMS = 1000
SIZES = 6, 300  # options

Options = list[list[str]]


def random_problem(rng: random.Random) -> Options:
    """Return the options of a cover, and others of two to four items."""
    least, most = SIZES
    n_options = round(least * (most / least) ** rng.random())
    names = [f"i{k}" for k in range(max(4, min(60, round(3 * n_options**0.5))))]
    left = rng.sample(names, len(names))
    options = list[list[str]]()
    while left:
        size = rng.randint(2, 4)
        options.append(left[:size])
        left = left[size:]
    while len(options) < n_options:
        options.append(rng.sample(names, rng.randint(2, 4)))
    rng.shuffle(options)
    return options


def numbered(options: Options) -> list[list[int]]:
    number_of = dict[str, int]()
    return [[number_of.setdefault(name, len(number_of)) for name in option] for option in options]


def as_matrix(options: Options) -> NDArray[np.uint8]:
    rows = numbered(options)
    matrix = np.zeros((len(rows), 1 + max(map(max, rows))), np.uint8)
    for row, numbers in zip(matrix, rows, strict=True):
        row[numbers] = 1
    return matrix


def sage(rows: list[list[int]]) -> bool:
    from sage.combinat.matrices.dancing_links import dlx_solver  # only this function needs it

    return bool(dlx_solver(rows).search() == 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    rng = random.Random(1)
    problems = [random_problem(rng) for _ in range(N_PROBLEMS)]
    matrices = list(map(as_matrix, problems))
    rows = list(map(numbered, problems))
    solvers: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
        "dlx_numba, names": (lambda options: ExactCover(options).first(), problems),
        "dlx_numba, matrices": (lambda matrix: ExactCover.from_matrix(matrix).first(), matrices),
        "Sage, names": (lambda options: sage(numbered(options)), problems),
        "Sage, numbers": (sage, rows),
    }
    assert all(solve(each) for solve, given in solvers.values() for each in given)
    calls = {
        name: lambda solve=solve, given=given: [*map(solve, given)]
        for name, (solve, given) in solvers.items()
    }
    seconds = best_times(calls, runs, time.process_time)
    times = {name: f"{1e6 * total / N_PROBLEMS:.1f}" for name, total in seconds.items()}
    print(text_table([["microseconds a problem", *times], ["first cover", *times.values()]]))


if __name__ == "__main__":
    main()
