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

from ..kernels.subtree import Subtree
from ..runtime.interrupts import Stop


class Estimate(NamedTuple):
    """The estimated size of a whole search.

    Attributes
    ----------
    paths : int
        The number of random paths.
    solutions, nodes, updates : float
        The estimated numbers of covers, nodes and updates: means over the paths.
    solutions_error, nodes_error, updates_error : float
        The standard errors of the means; infinite if there is only one path or a sum overflows.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> estimate = ExactCover([["a"], ["a"]]).search().estimate(paths=2)
    >>> estimate.solutions, estimate.solutions_error
    (2.0, 0.0)
    """

    paths: int
    solutions: float
    nodes: float
    updates: float
    solutions_error: float
    nodes_error: float
    updates_error: float


def estimate_size(tree: Subtree, n_paths: int, seed: int, stop: Stop) -> Estimate:
    """Estimate the size of a search from random paths through its tree.

    Parameters
    ----------
    tree : Subtree
        The whole tree, unexplored.
    n_paths : int
        The number of paths, at least 1.
    seed : int
        The seed for the random paths.
    stop : Stop
        Ends the estimate after the current path.

    Returns
    -------
    Estimate
    """
    random = np.random.default_rng(seed)
    sums = np.zeros((n_paths, 3))
    for k, path_sums in enumerate(sums, 1):
        tree.probe(random.random(tree.n_levels), path_sums)
        if stop():
            n_paths, sums = k, sums[:k]
            break
    errors = np.full(3, np.inf)
    with np.errstate(all="ignore"):  # the sums of a deep tree may overflow
        means = sums.mean(axis=0)
        if n_paths > 1 and np.isfinite(means).all():
            errors = sums.std(axis=0, ddof=1) / n_paths**0.5
    return Estimate(n_paths, *means.tolist(), *errors.tolist())
