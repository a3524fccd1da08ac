"""The progress of a search, and estimates of its size.

An estimate follows random paths through the tree. A path that takes one of d branches at random
represents d such paths. The mean over many paths is unbiased, but it converges slowly if the tree
is uneven.

References
----------
D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29
(1975), 121-136.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..kernels.dlx.state import N_SUMS, PATHS
from ..kernels.subtree import Subtree
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop, raise_if_stopped
from ..runtime.text import plural

MAX_LEVELS = 24  # whose branches are shown


class Progress(NamedTuple):
    """The progress of a search, a count, an optimization or a construction.

    Attributes
    ----------
    fraction : float or None
        The fraction that is done; None if it is unknown. Of a search, it is Knuth's estimate, which
        assumes that all branches of a node lead to subtrees of equal size.
    text : str
        What is known besides, such as the speed, and the branches that a search has taken in the
        notation of Knuth's programs: "1/2 1/3" is the first of two, and then the first of three.
    solutions, nodes, updates : int
        The numbers of covers, and the work, as in `Statistics`.
    seconds : float
        The time spent in runs, in seconds.

    Examples
    --------
    >>> print(Progress(0.25, "2 covers", 2, 10, 40, 2.0))
    25.00 % explored, 2 covers
    """

    fraction: float | None
    text: str
    solutions: int
    nodes: int
    updates: int
    seconds: float

    def __str__(self) -> str:
        if self.fraction is None:
            return self.text
        return f"{100 * self.fraction:.2f} % explored, {self.text}"

    def _repr_html_(self) -> str:
        from ..pictures.html import paragraph, progress_bar  # only notebooks need HTML

        if self.fraction is None:
            return paragraph(self.text)
        return progress_bar(self.fraction, str(self))


def describe_search(
    fraction: float, counters: tuple[int, ...], seconds: float, choices: Sequence[tuple[int, int]]
) -> Progress:
    """Return the progress of a search.

    Parameters
    ----------
    fraction
        The explored fraction.
    counters
        The numbers of solutions, nodes and updates.
    seconds
        The time spent in runs.
    choices
        For each level of the first unfinished subtree, the branch taken (from 1) and the number of
        branches.

    Examples
    --------
    >>> print(describe_search(0.25, (2, 10, 4_000_000), 2.0, [(1, 2), (1, 3)]))
    25.00 % explored, 2 covers, 2.0 M updates/s, 1/2 1/3
    """
    solutions, nodes, updates = counters
    parts = [plural(solutions, "cover")]
    speed = updates / seconds if seconds > 0 else 0.0
    if speed >= 1e6:
        parts.append(f"{speed / 1e6:.1f} M updates/s")
    elif speed > 0:
        parts.append(f"{speed:,.0f} updates/s")
    path = " ".join(f"{branch}/{branches}" for branch, branches in choices[:MAX_LEVELS])
    if len(choices) > MAX_LEVELS:
        path += " …"
    if path:
        parts.append(path)
    return Progress(fraction, ", ".join(parts), solutions, nodes, updates, seconds)


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

    def _repr_html_(self) -> str:
        from ..pictures.html import facts  # only notebooks need HTML

        sizes = {
            "solutions": (self.solutions, self.solutions_error),
            "nodes": (self.nodes, self.nodes_error),
            "updates": (self.updates, self.updates_error),
        }
        return facts(
            (name, f"{value:,.0f} ± {error:,.0f}") for name, (value, error) in sizes.items()
        )


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
        Ends the estimate after the current path, or during a long one, which is left out.

    Returns
    -------
    Estimate

    Raises
    ------
    Stopped
        If the call is stopped before the end of the first path.
    """
    while tree.build():
        raise_if_stopped(stop, "the first path")
    random = np.random.default_rng(seed)
    sums = np.zeros((n_paths, N_SUMS))
    for n_ended, path_sums in enumerate(sums):
        is_stopped = n_ended > 0 and stop()
        if is_stopped or not tree.probe(random.random(tree.n_levels), path_sums, stop):
            n_paths = n_ended  # without the path that was stopped
            break
    if n_paths == 0:
        raise Stopped("stopped during the first path")
    sums = sums[:n_paths, :PATHS]  # of covers, nodes and updates
    errors = np.full(3, np.inf)
    with np.errstate(all="ignore"):  # the sums of a deep tree may overflow
        means = sums.mean(axis=0)
        if n_paths > 1 and np.isfinite(means).all():
            errors = sums.std(axis=0, ddof=1) / n_paths**0.5
    means[np.isnan(means)] = np.inf
    return Estimate(n_paths, *means.tolist(), *errors.tolist())
