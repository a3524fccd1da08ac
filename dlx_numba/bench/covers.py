"""Run times of the algorithms for exact cover."""

import time
from typing import NamedTuple

from ..puzzles.kind import example
from ..puzzles.puzzle import Puzzle
from ..runtime.choices import Algorithm, BranchingName, Method
from ..runtime.monitoring import loading_clock
from .measure import LONG_SECONDS, WrongSolution

# What `bench` measures: the parameters `algorithm`, `method` and `choose` of a count
ALGORITHMS: dict[str, tuple[Algorithm, Method, BranchingName]] = {
    "textbook": ("links", "search", "literal-smallest"),
    "links": ("links", "search", "smallest"),
    "bitset": ("bitset", "search", "smallest"),
    "memo": ("auto", "memo", "smallest"),
}


class CoverProblem(NamedTuple):
    """A named problem, and the number of its covers, if it is known."""

    name: str
    puzzle: Puzzle
    covers: int | None = None


PROBLEMS = (  # with the published number of covers
    CoverProblem("12 queens", example("queens", n=12), 14_200),
    CoverProblem("Langford pairs to 11", example("langford", n=11), 35_584),
    CoverProblem("12 pentominoes in 6×10", example("polyominoes", symmetry=False), 2_339),
    CoverProblem("dominoes on a chessboard", example("tilings"), 12_988_816),
)


class CoverMeasurement(NamedTuple):
    """The run time of an algorithm on a problem; the field names are keys of the JSON."""

    problem: str
    options: int
    covers: int | None  # None if the count was cut off, and the number is not known
    algorithm: str
    seconds: float | None
    note: str = ""  # why there is no time


def measure_covers(
    problem: CoverProblem, algorithm: str, repeat: int, cutoff: float
) -> CoverMeasurement:
    """Count the covers of a problem in one thread.

    The CPU time excludes compilation and the preparation of the problem.

    Parameters
    ----------
    problem
        The problem.
    algorithm
        A key of `ALGORITHMS`.
    repeat
        The number of runs; the fastest one counts. Long runs are not repeated.
    cutoff
        Time limit of a run, in seconds.

    Raises
    ------
    WrongSolution
        If the number of covers is not the known one.
    """
    search_name, method, choose = ALGORITHMS[algorithm]
    n_options = problem.puzzle.cover().n_options
    unsolved = CoverMeasurement(problem.name, n_options, problem.covers, algorithm, None)
    n_covers = problem.covers  # None if it is not known; then later runs must agree with the first
    best: float | None = None
    try:
        cover = problem.puzzle.cover(algorithm=search_name, choose=choose, threads=1)
        while repeat > 0:
            loading = loading_clock.seconds
            start = time.process_time()
            counter = cover.counter(method)
            is_done = counter.run(cutoff)
            seconds = time.process_time() - start
            if loading_clock.seconds > loading:
                continue  # this run loaded or compiled kernels, so it does not count
            if not is_done:
                return unsolved._replace(note=f"cut off after {cutoff:g} s")
            n_found = counter.result
            if n_covers not in (None, n_found):
                raise WrongSolution(f"{n_found:,} covers instead of {n_covers:,}")
            n_covers = n_found
            best = seconds if best is None else min(best, seconds)
            repeat = repeat - 1 if seconds < LONG_SECONDS else 0
    except ValueError as error:  # the algorithm does not support this problem
        return unsolved._replace(note=str(error))
    return unsolved._replace(covers=n_covers, seconds=best)
