"""Jobs that find covers."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernels.cover_array import CoverArray, join_covers
from ..kernels.subtree import Subtree
from ..runtime.arguments import UNLIMITED
from ..runtime.job import Job, Work
from .exploration import Exploration
from .prepared import PreparedProblem
from .thread_runner import Workers


class CoverFinder(Job):
    """The base of jobs whose steps find covers: their work is the number of covers.

    Attributes
    ----------
    n_found : int
        The number of covers found so far.
    """

    def __init__(self) -> None:
        self.n_found = 0
        self._found: list[CoverArray] = []  # not taken yet

    @property
    def work(self) -> int:
        """The number of covers found so far."""
        return self.n_found

    @property
    def method(self) -> str:
        """The method that has found the last cover, as in `Statistics`."""
        return "search"

    @property
    def levels(self) -> list[int] | None:
        """The number of nodes of each level, if the search is literal."""
        return None

    def add(self, covers: CoverArray, work: Work) -> None:
        """Add covers that a step has found, as many as are wanted."""
        self._found.append(covers[: n_wanted(work) - self.n_found])
        self.n_found += len(self._found[-1])

    def take(self) -> Sequence[list[int]]:
        """Return the covers that steps have found since the last call."""
        taken = join_covers(self._found)
        self._found = []
        return taken


def n_wanted(work: Work) -> int:
    """Return the number of covers that the steps of a job may find."""
    return int(min(work.until, UNLIMITED))


class TreeFinder(Exploration, CoverFinder):
    """The covers of a search tree, in the order of the search; parameters as of `SearchTree`."""

    work = CoverFinder.work  # the number of covers, which limits steps, and not that of updates

    def __init__(
        self, spec: PreparedProblem, subtrees: list[Subtree] | None, workers: Workers
    ) -> None:
        Exploration.__init__(self, spec, subtrees, workers)
        CoverFinder.__init__(self)

    def step(self, work: Work) -> None:
        """Find all covers that are wanted, or what is found until the step is stopped.

        If tasks of an executor are stopped, the covers that they found after unexplored parts are
        added, too.
        """
        wanted = n_wanted(work) - self.n_found
        covers, is_complete = self.find_covers(work.stop, wanted)
        self.add(covers, work)
        if not is_complete and self.workers.executor is not None:
            self._found.append(self._take(wanted - len(covers), skips_gaps=True))
