"""Combine the covers of independent components of a problem, their numbers, and the cheapest."""

import math
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from ..runtime.interrupts import Stop
from ..runtime.job import Work, run
from ..runtime.text import plural
from ..search.exploration import Exploration
from ..search.finder import CoverFinder
from ..search.node import CostedCover
from ..search.prepared import PreparedProblem
from ..search.resumable import ResumableJob
from ..search.search import MAX_ITERATED
from ..search.thread_runner import ALONE, Workers, check_limit

MAX_KEPT = 1 << 16  # covers of a component; one that has more is searched again


class CoverProduct(ResumableJob, CoverFinder):
    """The combinations of the covers of independent components, in lexicographic order.

    Each component is searched only for as many covers as are needed, and once, unless it has more
    than MAX_KEPT covers.

    Parameters
    ----------
    components : sequence of PreparedProblem
    workers : Workers, optional
        By default, the calling thread.
    max_batch : int, default: MAX_ITERATED
        The largest number of covers of a component to find at a time.
    """

    def __init__(
        self,
        components: Sequence[PreparedProblem],
        workers: Workers = ALONE,
        max_batch: int = MAX_ITERATED,
    ) -> None:
        ResumableJob.__init__(self, "search")
        CoverFinder.__init__(self)
        self._specs = components
        self._workers = workers
        self._max_batch = max_batch
        self._permit: Work  # of the step that the generator takes
        self._kept: dict[int, list[list[int]]] = {}  # all covers of components that have few
        self._n_solved = 0
        self._total = np.zeros(3, np.int64)
        self._combinations = self._combine()
        self._is_over = False
        self._levels: list[int] | None = None
        self._has_more = False  # whether the next cover of a component is known
        self._covers: list[list[int]] = []  # not taken yet

    @property
    def done(self) -> bool:
        """Whether there are no further combinations."""
        return self._is_over

    @property
    def levels(self) -> list[int] | None:
        return self._levels

    def step(self, work: Work) -> None:
        """Find the next combinations, unless the search of a component is stopped."""
        self._permit = work
        for cover in self._combinations:
            if cover is None:
                return
            self._covers.append(cover)
            self.n_found += 1
            is_full = self.n_found % MAX_ITERATED == 0 or self.n_found >= work.until
            if is_full or not self._has_more:
                return
        self._is_over = True

    def run(self, seconds: float | None = None, *, solutions: int | None = None) -> list[list[int]]:
        """Return the next combinations, as `Search.run` does."""
        wanted = check_limit(solutions, "solutions")
        self._max_batch = min(wanted, MAX_ITERATED)
        stop = Stop(seconds, self._use.stop_request)
        self._use.run(lambda: run(self, stop, self.n_found + wanted), stop)
        return self.take()

    def take(self) -> list[list[int]]:
        """Return the combinations that steps have found since the last call."""
        taken, self._covers = self._covers, []
        return taken

    def counters(self) -> tuple[int, int, int]:
        """Return the numbers of combinations found, nodes and updates so far."""
        _, nodes, updates = self._total.tolist()
        return self.n_found, nodes, updates

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        return (
            f"{self._n_solved:,} of {len(self._specs):,} components have a cover, "
            f"{plural(self.n_found, 'cover')}"
        )

    def _combine(self) -> Iterator[list[int] | None]:
        """Yield the combinations, and None if a component was stopped. The last varies fastest."""
        chosen: list[list[int]] = []
        iterators = [self._covers_of(0)]
        while iterators:
            component = len(chosen)
            for cover in iterators[component]:
                if cover is None:
                    yield None
                    continue
                self._n_solved = max(self._n_solved, component + 1)
                if component + 1 < len(self._specs):
                    chosen.append(cover)
                    iterators.append(self._covers_of(component + 1))
                    break
                yield sorted(chain(*chosen, cover))
            else:
                if self._n_solved == component:  # a component without covers
                    return
                iterators.pop()
                chosen[-1:] = []

    def _covers_of(self, number: int) -> Iterator[list[int] | None]:
        """Yield the covers of a component, and None whenever its search was stopped."""
        if number in self._kept:
            yield from self._at_hand(self._kept[number])
            return
        max_kept = MAX_KEPT if number else 0  # the first component is iterated over only once
        search = Exploration(self._specs[number], workers=self._workers)
        kept: list[list[int]] = []
        batch = 1
        is_exhausted = False
        while not is_exhausted:
            stop = self._permit.stop
            if stop():  # the search of a small component may end without asking
                yield None
                continue
            before = search.counters()
            covers, is_complete = search.find_covers(stop, batch)
            self._total = self._total + search.counters() - before
            self._levels = search.levels
            if len(kept) < max_kept:
                kept += covers
            yield from self._at_hand(covers)
            if not is_complete:
                yield None
            is_exhausted = is_complete and len(covers) < batch
            batch = min(2 * batch, self._max_batch)
        if len(kept) < max_kept:
            self._kept[number] = kept

    def _at_hand(self, covers: Sequence[list[int]]) -> Iterator[list[int]]:
        """Yield known covers of a component, and note whether others follow."""
        n_left = len(covers)
        for cover in covers:
            n_left -= 1
            self._has_more = n_left > 0
            yield cover
        self._has_more = False


def multiply(counts: Sequence[int]) -> int:
    """Return the number of combinations, given the number of covers of each component.

    Products of numbers of similar size take less time.

    >>> multiply([2, 3, 4])
    24
    """
    while len(counts) > 1:
        counts = [math.prod(counts[k : k + 8]) for k in range(0, len(counts), 8)]
    return counts[0]


def cheapest_unions(k: int, lists: list[list[CostedCover]]) -> list[CostedCover]:
    """Return the `k` cheapest unions of a cover from each list. The lists are in order."""
    if not all(lists):
        return []
    if max(map(len, lists), default=1) == 1:  # thousands of lists, if no more covers are wanted
        costs, options = zip(*chain.from_iterable(lists), strict=True) if lists else ((), ())
        return [(sum(costs), tuple(chain.from_iterable(options)))]
    if len(lists) < 2:
        return lists[0]
    middle = len(lists) // 2
    left = cheapest_unions(k, lists[:middle])
    right = cheapest_unions(k, lists[middle:])
    # The pair of the n-th and the m-th union is one of the k cheapest only if n * m <= k
    pairs = [(a, b) for n, a in enumerate(left, 1) for b in right[: k // n]]
    pairs.sort(key=lambda pair: pair[0][0] + pair[1][0])
    return [(a[0] + b[0], a[1] + b[1]) for a, b in pairs[:k]]
