"""Combine the covers of independent components of a problem, their numbers, and the cheapest."""

import math
from collections import deque
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from ..kernels.cover_array import as_array
from ..runtime.interrupts import Stop
from ..runtime.job import Counters, Work, run
from ..runtime.text import plural
from ..search.exploration import Exploration
from ..search.finder import CoverFinder
from ..search.prepared import PreparedProblem
from ..search.resumable import ResumableJob
from ..search.search import MAX_ITERATED
from ..search.thread_runner import ALONE, Workers, check_limit

if TYPE_CHECKING:
    from ..search.node import ComponentResult, CostedCover

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

    done = False  # whether there are no further combinations

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
        self._parts: list[_ComponentCovers] = []  # of the components that have been needed
        self._chosen: list[list[int]] = []  # a cover of each of the first components
        self._total = np.zeros(3, np.int64)
        self._covers: list[list[int]] = []  # of the current step
        self._open_part()

    @property
    def levels(self) -> list[int] | None:
        return self._parts[0].search.levels  # a literal search has one component

    def step(self, work: Work) -> None:
        """Seek covers of a component unless some are at hand, and combine those that are.

        The component is the first one of which no cover is chosen yet.
        """
        part = self._parts[len(self._chosen)]
        if not (part.left or part.is_over):
            before = part.search.counters()
            part.seek(work.stop, self._max_batch)
            self._total = self._total + part.search.counters() - before
        n_most = min(work.until, self.n_found + MAX_ITERATED)
        while self.n_found < n_most and not self.done:
            part = self._parts[len(self._chosen)]
            if part.left:
                self._choose(part.left.popleft())
            elif not part.is_over:
                break
            elif self._chosen and self.n_found:  # go on with the next cover of the one before
                part.restart()
                self._chosen.pop()
            else:  # a component has no cover, or the first one no other
                self.done = True
        if self._covers:  # converted now, because that takes long for many covers
            self._found.append(as_array(self._covers))
            self._covers = []

    def run(self, seconds: float | None = None, *, solutions: int | None = None) -> list[list[int]]:
        """Return the next combinations, as `Search.run` does."""
        wanted = check_limit(solutions, "solutions")
        self._max_batch = min(wanted, MAX_ITERATED)
        stop = Stop(seconds, request=self._use.stop_request)
        self._use.run(lambda: run(self, stop, self.n_found + wanted), stop)
        return [*self.take()]

    def counters(self) -> Counters:
        """Return the numbers of combinations found, nodes and updates so far."""
        _, nodes, updates = self._total.tolist()
        return Counters(self.n_found, nodes, updates)

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        n_solved = len(self._parts) - (not self.n_found)
        return (
            f"{n_solved:,} of {len(self._specs):,} components have a cover, "
            f"{plural(self.n_found, 'cover')}"
        )

    def _open_part(self) -> None:
        """Begin with the next component. The first one is iterated over only once."""
        number = len(self._parts)
        max_kept = MAX_KEPT if number else 0  # none of the first one
        self._parts.append(_ComponentCovers(self._specs[number], self._workers, max_kept))

    def _choose(self, cover: list[int]) -> None:
        """Choose a cover of a component: go on with the next one, or note a combination."""
        if len(self._chosen) + 1 == len(self._specs):
            self._covers.append(sorted(chain(*self._chosen, cover)))
            self.n_found += 1
            return
        self._chosen.append(cover)
        if len(self._chosen) == len(self._parts):
            self._open_part()


class _ComponentCovers:
    """The covers of a component, which may be iterated over several times.

    Parameters
    ----------
    spec : PreparedProblem
    workers : Workers
    max_kept : int
        If there are as many covers or more, they are not kept, but sought again.

    Attributes
    ----------
    left : deque of list of int
        The covers at hand that have not been chosen yet.
    is_over : bool
        Whether no others follow.
    search : Exploration
    """

    def __init__(self, spec: PreparedProblem, workers: Workers, max_kept: int) -> None:
        self._spec = spec
        self._workers = workers
        self._max_kept = max_kept
        self._begin()

    def _begin(self) -> None:
        self.search = Exploration(self._spec, workers=self._workers)
        self.left = deque[list[int]]()
        self.is_over = False
        self._kept: list[list[int]] = []
        self._batch = 1

    def seek(self, stop: Stop, max_batch: int) -> None:
        """Search for the next covers, when none are left."""
        covers, is_complete = self.search.find_covers(stop, self._batch)
        self.left.extend(covers)
        if len(self._kept) < self._max_kept:
            self._kept += self.left
        self.is_over = is_complete and len(covers) < self._batch
        self._batch = min(2 * self._batch, max_batch)

    def restart(self) -> None:
        """Begin again with the first cover."""
        if len(self._kept) < self._max_kept:  # then it has all covers
            self.left.extend(self._kept)
        else:
            self._begin()


def multiply(counts: Sequence[int]) -> int:
    """Return the number of combinations, given the number of covers of each component.

    Products of numbers of similar size take less time.

    >>> multiply([2, 3, 4])
    24
    """
    while len(counts) > 1:
        counts = [math.prod(counts[k : k + 8]) for k in range(0, len(counts), 8)]
    return counts[0]


def cheapest_unions(k: int, lists: "list[list[CostedCover]]") -> "list[CostedCover]":
    """Return the `k` cheapest unions of a cover from each list.

    Each list is ascending by cost, and so is the result.
    """
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
    # The pair of the n-th and the m-th union is one of the k cheapest only if n * m <= k: so many
    # pairs, of the first n and the first m, cost no more.
    pairs = [(union, other) for n, union in enumerate(left, 1) for other in right[: k // n]]
    pairs.sort(key=lambda pair: pair[0][0] + pair[1][0])  # by the sum of the costs
    return [
        (left_cost + right_cost, left_options + right_options)
        for (left_cost, left_options), (right_cost, right_options) in pairs[:k]
    ]


def bound_of_others(k: int, unions: "list[CostedCover]", results: "list[ComponentResult]") -> int:
    """Return a bound on the costs of all covers but the `k` cheapest of the known `unions`."""
    # An unknown cover is so in a component, where it costs `outside`, and elsewhere `lowest`.
    lowest = sum(result.lowest for result in results)
    others = [each.outside - each.lowest for each in results if each.outside is not None]
    bounds = [lowest + min(others)] if others else []
    if len(unions) == k or not others:
        bounds.append(unions[-1][0])  # of the known covers that are not among the k cheapest
    return min(bounds)
