"""Count and enumerate covers up to symmetry."""

from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from ..kernels.dlx.branching import BranchingRule
from ..kernels.problem import Problem
from ..kernels.symmetry.incidence import Restriction
from ..kernels.symmetry.quotient import quotient_problem
from ..kernels.symmetry.smallest import SmallestFilter
from ..runtime.exclusive import Computation
from ..runtime.interrupts import Stop
from ..search.search import MAX_ITERATED, Search, run_unshared
from ..search.spec import ExactCoverSpec
from .counting import CoverCounter, Method
from .optimizer import CheapestCovers
from .prepare import Settings, prepare, start
from .symmetry import SymmetryGroup

MAX_COLLECTED = 1 << 16  # covers between two selections of representatives
MAX_IMAGES = 16  # of a cover that are expected among the cheapest covers


class OrbitCounter(Computation):
    """A resumable count of the covers of a problem up to symmetry, by Burnside's lemma.

    The number of orbits is the mean number of covers that an element of the group fixes. These
    correspond to the covers of a quotient problem. Conjugate elements fix equally many.

    Parameters
    ----------
    problem : Problem
        The problem as stated.
    restriction : Restriction
        Its given and forbidden options.
    group : SymmetryGroup
    settings : Settings
        The algorithm of the searches, and whether the quotient problems are presolved.
    method, memory, threads, executor
        As for `ExactCover.count`.

    Attributes
    ----------
    method : {"search", "memo"}
        The method that has counted most recently.
    n_covers : int
        The number of covers, not up to symmetry, as soon as it is known.
    """

    def __init__(
        self,
        problem: Problem,
        restriction: Restriction,
        group: SymmetryGroup,
        settings: Settings,
        method: Method = "auto",
        memory: int | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
    ) -> None:
        super().__init__("counter")
        self._problem, self._restriction, self._group = problem, restriction, group
        self._settings = settings
        self._arguments = method, memory, threads, executor
        first, sizes = group._chain.conjugacy_classes()
        self._classes = list(zip(first.tolist(), sizes.tolist(), strict=True))
        self._n_done = self._total = 0
        self._work = np.zeros(2, np.int64)
        self._known: dict[str, int] = {}  # the number of covers of each quotient problem
        self._key = ""
        self._counter: CoverCounter | None = None
        self.method = "search"
        self.n_covers = 0  # not up to symmetry, when the first class is done
        self._start()

    @property
    def done(self) -> bool:
        """Whether the orbits have been counted."""
        return self._n_done == len(self._classes)

    @property
    def count(self) -> int:
        """The number of orbits; before the end, the least number that is possible so far."""
        total = self._total
        if self._counter is not None:
            total += self._classes[self._n_done][1] * self._counter.count
        return -(-total // self._group.order)

    def counters(self) -> tuple[int, int, int]:
        """Return the number of orbits and the work, as `CoverCounter.counters` does."""
        nodes, updates = self._work.tolist()
        return self.count, nodes, updates

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        classes = f"{self._n_done:,} of {len(self._classes):,} conjugacy classes counted"
        return classes if self.done else f"{classes}, {self._counter}"

    def advance(self, stop: Stop) -> None:
        """Run as `run` does, without protection from exceptions and other threads."""
        while not (self.done or stop()):
            if self._counter is None:
                self._start()
            if self._counter is not None:
                self._counter.advance(stop)
                self.method = self._counter.method
                if not self._counter.done:
                    return
                n_covers, *work = self._counter.counters()
                self._known[self._key], self._work = n_covers, self._work + work
                self._counter = None
            self._total += self._classes[self._n_done][1] * self._known[self._key]
            if self._n_done == 0:  # the identity
                self.n_covers = self._total
            self._n_done += 1

    def _start(self) -> None:
        """Prepare to count the covers that an element of the next conjugacy class fixes."""
        graph, (index, _) = self._group._graph, self._classes[self._n_done]
        image = self._group._chain.element(index)
        fixed = image[: graph.n_items], image[graph.options] - len(graph.color)
        quotient = quotient_problem(self._problem, np.concatenate(fixed), self._restriction)
        if quotient is None:
            self._key = ""
            self._known[self._key] = 0
            return
        spec = ExactCoverSpec(quotient, None, [], BranchingRule(), self._settings.algorithm)
        self._key = spec.fingerprint()
        if self._key not in self._known:
            parts = prepare(spec, range(quotient.n_items), self._settings.presolve).parts
            self._counter = CoverCounter(list(map(start, parts)), *self._arguments)


def find_representatives(
    search: Search,
    select: SmallestFilter,
    stop: Stop,
    wanted: int,
    n_threads: int | None,
    executor: Executor | None,
) -> tuple[list[list[int]], bool]:
    """Return the covers that a search finds and that are smaller than their images.

    Returns also whether these are all of them, or as many as are wanted. No other code refers to
    the search.
    """
    found, n_wanted = list[list[int]](), min(max(1, wanted), MAX_ITERATED)
    while len(found) < wanted:
        covers, n_found, is_complete = run_unshared(
            search, stop, n_wanted, collects=True, n_threads=n_threads, executor=executor
        )
        found += select.select(covers)
        if not is_complete or n_found < n_wanted:
            return found[:wanted], is_complete or len(found) >= wanted
        n_wanted = min(2 * n_wanted, MAX_COLLECTED)
    return found[:wanted], True


def find_cheapest_representatives(
    find: Callable[[int], CheapestCovers], select: SmallestFilter, k: int
) -> CheapestCovers:
    """Return the k cheapest covers that are smaller than their images, or the best known.

    `find` returns a number of cheapest covers with their costs. It may leave out some of those with
    the highest cost, so that more of them may be needed.
    """
    n = k * min(select.order, MAX_IMAGES)
    while True:
        covers = find(n)
        smallest = set(map(tuple, select.select([cover for _, cover in covers])))
        found = [pair for pair in covers if tuple(pair[1]) in smallest]
        if len(found) >= k or len(covers) < n or not covers.done:
            found, bound = found[:k], covers.bound
            if covers.done:
                bound = found[-1][0] if found else None
            elif bound is not None:  # the smallest image of a cover may not be known
                bound = min([bound, *(pair[0] for pair in covers if pair not in found)])
            return CheapestCovers(found, bound, covers.done, k)
        n *= 2
