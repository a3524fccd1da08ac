"""The core of a problem with costs: the few options that cheap covers are likely to consist of.

References
----------
A. Caprara, M. Fischetti and P. Toth, A heuristic method for the set covering problem, 1999.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.cheapest.multipliers import DualBound
from ..kernels.problem import Problem, select_options

# The core has the options of the lowest reduced costs: CORE_FACTOR for each item, but at least
# MIN_CORE.
CORE_FACTOR = 100
MIN_CORE = 1 << 14


class Core(NamedTuple):
    """Some options of a problem."""

    problem: Problem
    numbers: NDArray[np.int64]  # of the options
    reduced: NDArray[np.float64]  # (options,) their reduced costs


def core_size(problem: Problem) -> int:
    """Return the number of options of the core, if there are so many."""
    return max(MIN_CORE, CORE_FACTOR * problem.n_items)


def find_core(
    problem: Problem, numbers: NDArray[np.int64], dual: DualBound, known: NDArray[np.int64]
) -> Core:
    """Return the core of a problem.

    `numbers` has the number of each option. Options whose numbers are in `known` belong to the core
    whatever they cost, so that known covers consist of its options.

    >>> problem = Problem(np.array([0, 1, 2]), np.array([0, 0]), 1, 0)
    >>> dual = DualBound(2, 0, np.array([0, 3]))
    >>> find_core(problem, np.array([5, 8]), dual, np.array([5])).reduced.tolist()
    [0.0, 1.5]
    """
    n_core = core_size(problem)
    reduced = dual.reduced
    if n_core < problem.n_options:
        is_kept = np.isin(numbers, known)
        is_kept[np.argpartition(reduced, n_core)[:n_core]] = True
        kept = np.flatnonzero(is_kept)
        problem = select_options(problem, kept)
        numbers = numbers[kept]
        reduced = reduced[kept]
    return Core(problem, numbers, reduced / dual.scale)
