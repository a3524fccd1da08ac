"""The progress of a search, and estimates of its size.

An estimate follows random paths through the tree. A path that takes one of d branches at random
represents d such paths. The mean over many paths is unbiased, but it converges slowly if the tree
is uneven.

References
----------
D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29
(1975), 121-136.
"""

from typing import NamedTuple

import numpy as np

from ..kernels.subtree import Subtree
from ..runtime.errors import Stopped
from ..runtime.interrupts import Stop
from ..runtime.text import plural


class Progress(NamedTuple):
    """The progress of a search.

    Attributes
    ----------
    fraction : float
        Knuth's estimate of the fraction of the tree that has been explored, which assumes that
        all branches of a node lead to subtrees of equal size.
    solutions, nodes, updates : int
        The numbers of covers returned or counted, nodes entered and updates so far.
    seconds : float
        The time spent in runs, in seconds.
    choices : tuple of (int, int)
        For each level of the first unfinished subtree, the branch taken (from 1) and the number
        of branches.
    parts : int
        The number of subtrees that remain.
    done : bool
        Whether all solutions have been found and returned.

    Examples
    --------
    >>> print(Progress(0.25, 2, 10, 4_000_000, 2.0, ((1, 2), (1, 3)), 1, False))
    25.00 % explored, 2 covers, 2.0 M updates/s, 1/2 1/3
    """

    fraction: float
    solutions: int
    nodes: int
    updates: int
    seconds: float
    choices: tuple[tuple[int, int], ...]
    parts: int
    done: bool

    @property
    def updates_per_second(self) -> float:
        """The mean speed of the runs so far."""
        return self.updates / self.seconds if self.seconds > 0 else 0.0

    @property
    def depth(self) -> int:
        """The number of levels in `choices`."""
        return len(self.choices)

    @property
    def path(self) -> str:
        """The choices in the notation of Knuth's programs, such as "1/2 1/3"."""
        return " ".join(f"{branch}/{branches}" for branch, branches in self.choices)

    def __str__(self) -> str:
        parts = [f"{100 * self.fraction:.2f} % explored", plural(self.solutions, "cover")]
        if (speed := self.updates_per_second) >= 1e6:
            parts.append(f"{speed / 1e6:.1f} M updates/s")
        elif speed > 0:
            parts.append(f"{speed:,.0f} updates/s")
        return ", ".join([*parts, *[self.path] * bool(self.path)])

    def _repr_html_(self) -> str:
        from ..pictures.html import progress_bar  # only notebooks need HTML

        return progress_bar(self.fraction, str(self))


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

        values, errors = self[1:4], self[4:]
        rows = zip(self._fields[1:4], values, errors, strict=True)
        return facts((name, f"{value:,.0f} ± {error:,.0f}") for name, value, error in rows)


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
        if stop():
            raise Stopped("stopped before the first path")
    random = np.random.default_rng(seed)
    sums = np.zeros((n_paths, 4))
    for k, path_sums in enumerate(sums):
        is_stopped = k > 0 and stop()
        if is_stopped or not tree.probe(random.random(tree.n_levels), path_sums, stop):
            n_paths = k
            break
    if n_paths == 0:
        raise Stopped("stopped during the first path")
    sums = sums[:n_paths, :3]
    errors = np.full(3, np.inf)
    with np.errstate(all="ignore"):  # the sums of a deep tree may overflow
        means = sums.mean(axis=0)
        if n_paths > 1 and np.isfinite(means).all():
            errors = sums.std(axis=0, ddof=1) / n_paths**0.5
    means[np.isnan(means)] = np.inf
    return Estimate(n_paths, *means.tolist(), *errors.tolist())
