"""Estimates of the size of a search, from random paths through its tree.

A path that takes one of d branches at random represents d such paths. The mean over many paths is
unbiased, but it converges slowly if the tree is uneven.

References
----------
D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29
(1975), 121-136.
"""

from typing import NamedTuple

import numpy as np

from .protocol import ResumableSearch


class Estimate(NamedTuple):
    """The estimated size of a whole search: means over random paths, and their standard errors."""

    samples: int
    solutions: float
    nodes: float
    updates: float
    solutions_error: float
    nodes_error: float
    updates_error: float


def estimate_size(search: ResumableSearch, n_paths: int, seed: int) -> Estimate:
    """Estimate the size of a search that has not yet taken a step, from random paths."""
    random = np.random.default_rng(seed)
    sums = np.zeros((n_paths, 3))
    for path_sums in sums:
        search.probe(random.random(search.n_levels), path_sums)
    errors = np.full(3, np.inf)
    with np.errstate(all="ignore"):  # the numbers of a deep tree may exceed the range of floats
        means = sums.mean(axis=0)
        if n_paths > 1 and np.isfinite(means).all():
            errors = sums.std(axis=0, ddof=1) / n_paths**0.5
    return Estimate(n_paths, *means.tolist(), *errors.tolist())
