"""Combine the covers of the independent components of a problem."""

from collections.abc import Iterator
from concurrent.futures import Executor
from itertools import chain, islice

from ..runtime.exclusive import Resumable
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..search.prepared import PreparedProblem
from ..search.search import MAX_ITERATED, Search, run_unshared
from ..search.thread_runner import ALONE, Workers, check_limit, choose_workers

MAX_KEPT = 1 << 16  # covers of a component; one that has more is searched again

Limits = tuple[Stop, int, Workers]  # as for `CoverProduct.covers`


class CoverProduct(Resumable):
    """The combinations of the covers of independent components, in lexicographic order.

    Each component is searched only for as many covers as are needed, and once, unless it has more
    than MAX_KEPT covers.

    Parameters
    ----------
    components : list of PreparedProblem

    Attributes
    ----------
    solutions : int
        The number of combinations that runs have returned.
    done : bool
        Whether there are no others.
    is_stopped : bool
        Whether the last run was stopped.
    """

    def __init__(self, components: list[PreparedProblem]) -> None:
        super().__init__("search")
        self._spec, self._n_solved = components[0], 0
        # The first component is iterated over only once.
        limits = [0] + [MAX_KEPT] * (len(components) - 1)
        self._components = list(map(_Component, components, limits))
        self._combinations = self._combine()
        self.solutions, self.done, self.is_stopped = 0, False, False

    def covers(self, stop: Stop, max_batch: int, workers: Workers = ALONE) -> Iterator[list[int]]:
        """Iterate over the combinations that have not been returned, until a run is stopped.

        Parameters
        ----------
        stop : Stop
        max_batch : int
            The largest number of covers to find at a time.
        workers : Workers, optional
            By default, the calling thread.
        """
        for component in self._components:
            component.limits = stop, max_batch, workers
        self.is_stopped = False
        for cover in self._combinations:
            if cover is not None:
                yield cover
            self.is_stopped = cover is None or stop()
            if self.is_stopped:
                return
        self.done = True

    def run(
        self,
        seconds: float | None = None,
        *,
        solutions: int | None = None,
        threads: int | None = None,
        executor: Executor | None = None,
    ) -> list[list[int]]:
        """Return the next combinations, as `Search.run` does."""
        wanted = check_limit(solutions, "solutions")
        workers = choose_workers(threads, executor, self._spec)
        stop, found = Stop(seconds, self._use.stop_request), list[list[int]]()
        covers = self.covers(stop, min(wanted, MAX_ITERATED), workers)
        self._use.run(lambda: found.extend(islice(covers, wanted)), stop)
        self.solutions += len(found)
        return found

    def counters(self) -> tuple[int, int, int]:
        """Return the numbers of combinations returned by runs, nodes and updates so far."""
        nodes, updates = zip(*(component.work() for component in self._components), strict=True)
        return self.solutions, sum(nodes), sum(updates)

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        n_components = len(self._components)
        progress = f"{self._n_solved:,} of {n_components:,} components have a cover"
        return f"{progress}, {plural(self.solutions, 'cover')}"

    def _combine(self) -> Iterator[list[int] | None]:
        """Yield the combinations, and None if a component was stopped. The last varies fastest."""
        chosen: list[list[int]] = []
        iterators = [iter(self._components[0])]
        while iterators:
            component = len(chosen)
            for cover in iterators[component]:
                if cover is None:
                    yield None
                    continue
                self._n_solved = max(self._n_solved, component + 1)
                if component + 1 < len(self._components):
                    chosen.append(cover)
                    iterators.append(iter(self._components[component + 1]))
                    break
                yield sorted(chain(*chosen, cover))
            else:
                if self._n_solved == component:  # a component without covers
                    return
                iterators.pop()
                chosen[-1:] = []


class _Component:
    """The covers of one component, which are iterated over several times.

    Parameters
    ----------
    component : PreparedProblem
    max_kept : int
        The number of covers up to which they are kept.
    """

    def __init__(self, component: PreparedProblem, max_kept: int) -> None:
        self._component, self._max_kept = component, max_kept
        self._kept: list[list[int]] | None = None  # all covers, if they are known and few
        self._search: Search | None = None  # a problem may have thousands of components
        self._past = 0, 0
        self.limits: Limits = (Stop(), 1, ALONE)

    def work(self) -> tuple[int, int]:
        """Return the numbers of nodes and updates so far."""
        _, nodes, updates = self._search.counters() if self._search else (0, 0, 0)
        return self._past[0] + nodes, self._past[1] + updates

    def __iter__(self) -> Iterator[list[int] | None]:
        """Yield the covers, and None whenever the search was stopped."""
        if self._kept is not None:
            yield from self._kept
            return
        if self._search is None or self._search.done:
            self._past, self._search = self.work(), Search(self._component)
        kept, batch, is_exhausted = list[list[int]](), 1, False
        while not is_exhausted:
            stop, max_batch, workers = self.limits
            covers, _, is_complete = run_unshared(
                self._search, stop, batch, collects=True, workers=workers
            )
            if len(kept) < self._max_kept:
                kept += covers
            yield from covers
            if not is_complete:
                yield None
            is_exhausted = is_complete and len(covers) < batch
            batch = min(2 * batch, max_batch)
        if len(kept) < self._max_kept:
            self._kept = kept
