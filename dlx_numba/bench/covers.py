"""Run times of the algorithms for exact cover on well-known problems."""

import time
from typing import NamedTuple

from ..cover.counting import Method
from ..jit.monitoring import loading_clock
from ..kernels.algorithms import Algorithm
from ..kinds.kind import example
from ..kinds.puzzle import Puzzle
from .measure import WrongSolution

ALGORITHMS: dict[str, tuple[Algorithm, Method]] = {
    "links": ("links", "search"),
    "bitset": ("bitset", "search"),
    "memo": ("auto", "memo"),
}
LONG_SECONDS = 0.5  # longer runs are not repeated

PROBLEMS: dict[str, tuple[Puzzle, int]] = {  # with the published number of covers
    "12 queens": (example("queens", n=12), 14_200),
    "Langford pairs to 11": (example("langford", n=11), 35_584),
    "12 pentominoes in 6×10": (example("polyominoes", symmetry=False), 2_339),
    "dominoes on a chessboard": (example("tilings"), 12_988_816),
}


class CoverMeasurement(NamedTuple):
    """The run time of an algorithm on a problem; the field names are keys of the JSON."""

    problem: str
    options: int
    covers: int
    algorithm: str
    seconds: float | None  # None if the count was cut off


def measure_covers(problem: str, algorithm: str, repeat: int, cutoff: float) -> CoverMeasurement:
    """Count the covers of a problem in one thread.

    The CPU time excludes compilation and the preparation of the problem.

    Parameters
    ----------
    problem
        A key of `PROBLEMS`.
    algorithm
        A key of `ALGORITHMS`.
    repeat
        The number of runs; the fastest one counts. Long runs are not repeated.
    cutoff
        Time limit of a run, in seconds.

    Raises
    ------
    WrongSolution
        If the number of covers is not the published one.
    """
    entry, n_covers = PROBLEMS[problem]
    name, method = ALGORITHMS[algorithm]
    cover = entry.cover(algorithm=name, threads=1)
    best: float | None = None
    while repeat > 0:
        loading, start = loading_clock.seconds, time.process_time()
        counter = cover.counter(method)
        is_done = counter.run(cutoff)
        seconds = time.process_time() - start
        if loading_clock.seconds > loading:
            continue  # kernels were loaded or compiled
        if not is_done:
            break
        if counter.result != n_covers:
            raise WrongSolution(f"{counter.result:,} covers instead of {n_covers:,}")
        best = seconds if best is None else min(best, seconds)
        repeat = repeat - 1 if seconds < LONG_SECONDS else 0
    return CoverMeasurement(problem, cover.n_options, n_covers, algorithm, best)
