"""Combine the covers of the independent components of a problem."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

import numpy as np

from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..search.prepared import PreparedProblem
from ..search.resumable import Resumable
from ..search.search import MAX_ITERATED, Search
from ..search.thread_runner import ALONE, Workers, check_limit
from ..search.unshared import run_unshared

MAX_KEPT = 1 << 16  # covers of a component; one that has more is searched again


class CoverProduct(Resumable):
    """The combinations of the covers of independent components, in lexicographic order.

    Each component is searched only for as many covers as are needed, and once, unless it has more
    than MAX_KEPT covers.

    Parameters
    ----------
    components : sequence of PreparedProblem
    workers : Workers, optional
        By default, the calling thread.

    Attributes
    ----------
    solutions : int
        The number of combinations that runs have returned.
    done : bool
        Whether there are no others.
    is_stopped : bool
        Whether the last run was stopped.
    """

    done = False

    def __init__(self, components: Sequence[PreparedProblem], workers: Workers = ALONE) -> None:
        super().__init__("search")
        self._specs = components
        self._workers = workers
        self._limits = Stop(), 1  # as for `covers`
        self._kept: dict[int, list[list[int]]] = {}  # all covers of components that have few
        self._n_solved = 0
        self._work = np.zeros(3, np.int64)
        self.levels: list[int] | None = None  # of a literal search, which has a single component
        self._combinations = self._combine()
        self.solutions = 0
        self.is_stopped = False

    def covers(self, stop: Stop, max_batch: int) -> Iterator[list[int]]:
        """Iterate over the combinations that have not been returned, until a run is stopped.

        Parameters
        ----------
        stop : Stop
        max_batch : int
            The largest number of covers to find at a time.
        """
        self._limits = stop, max_batch
        self.is_stopped = False
        for cover in self._combinations:
            if cover is not None:
                yield cover
            self.is_stopped = cover is None or stop()
            if self.is_stopped:
                return
        self.done = True

    def run(self, seconds: float | None = None, *, solutions: int | None = None) -> list[list[int]]:
        """Return the next combinations, as `Search.run` does."""
        wanted = check_limit(solutions, "solutions")
        stop = Stop(seconds, self._use.stop_request)
        found: list[list[int]] = []
        covers = self.covers(stop, min(wanted, MAX_ITERATED))
        self._use.run(lambda: found.extend(islice(covers, wanted)), stop)
        self.solutions += len(found)
        return found

    def counters(self) -> tuple[int, int, int]:
        """Return the numbers of combinations returned by runs, nodes and updates so far."""
        _, nodes, updates = self._work.tolist()
        return self.solutions, nodes, updates

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        return (
            f"{self._n_solved:,} of {len(self._specs):,} components have a cover, "
            f"{plural(self.solutions, 'cover')}"
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
            yield from self._kept[number]
            return
        max_kept = MAX_KEPT if number else 0  # the first component is iterated over only once
        search = Search(self._specs[number])
        kept: list[list[int]] = []
        batch = 1
        is_exhausted = False
        while not is_exhausted:
            stop, max_batch = self._limits
            if stop():  # the search of a small component may end without asking
                yield None
                continue
            before = search.counters()
            covers, _, is_complete = run_unshared(
                search, stop, batch, collects=True, workers=self._workers
            )
            self._work = self._work + search.counters() - before
            self.levels = search.levels
            if len(kept) < max_kept:
                kept += covers
            yield from covers
            if not is_complete:
                yield None
            is_exhausted = is_complete and len(covers) < batch
            batch = min(2 * batch, max_batch)
        if len(kept) < max_kept:
            self._kept[number] = kept
