"""Combine the covers of the independent parts of a problem."""

from collections.abc import Iterator
from concurrent.futures import Executor
from itertools import chain, islice

from ..runtime.exclusive import Resumable
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from ..search.prepared import PreparedProblem
from ..search.search import MAX_ITERATED, Search, run_unshared
from ..search.thread_runner import ALONE, Workers, check_limit, choose_workers

MAX_KEPT = 1 << 16  # covers of a part; a part with more covers is searched again

Limits = tuple[Stop, int, Workers]  # as for `CoverProduct.covers`


class CoverProduct(Resumable):
    """The combinations of the covers of independent parts, in lexicographic order.

    Each part is searched only for as many covers as are needed, and once, unless it has more than
    MAX_KEPT covers.

    Parameters
    ----------
    parts : list of PreparedProblem

    Attributes
    ----------
    solutions : int
        The number of combinations that runs have returned.
    done : bool
        Whether there are no others.
    is_stopped : bool
        Whether the last run was stopped.
    """

    def __init__(self, parts: list[PreparedProblem]) -> None:
        super().__init__("search")
        self._spec, self._n_solved = parts[0], 0
        # The first part is iterated over only once.
        self._parts = [_Part(part, MAX_KEPT if k else 0) for k, part in enumerate(parts)]
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
        for part in self._parts:
            part.limits = stop, max_batch, workers
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
        nodes, updates = zip(*(part.work() for part in self._parts), strict=True)
        return self.solutions, sum(nodes), sum(updates)

    def __str__(self) -> str:
        """Return the progress as a line of text."""
        n_parts = len(self._parts)
        progress = f"{self._n_solved:,} of {n_parts:,} components have a cover"
        return f"{progress}, {plural(self.solutions, 'cover')}"

    def _combine(self) -> Iterator[list[int] | None]:
        """Yield the combinations, and None if a part was stopped. The last part varies fastest."""
        chosen: list[list[int]] = []
        iterators = [iter(self._parts[0])]
        while iterators:
            part = len(chosen)
            for cover in iterators[part]:
                if cover is None:
                    yield None
                    continue
                self._n_solved = max(self._n_solved, part + 1)
                if part + 1 < len(self._parts):
                    chosen.append(cover)
                    iterators.append(iter(self._parts[part + 1]))
                    break
                yield sorted(chain(*chosen, cover))
            else:
                if self._n_solved == part:  # a part without covers
                    return
                iterators.pop()
                chosen[-1:] = []


class _Part:
    """The covers of one part, which are iterated over several times.

    Parameters
    ----------
    part : PreparedProblem
    max_kept : int
        The number of covers up to which they are kept.
    """

    def __init__(self, part: PreparedProblem, max_kept: int) -> None:
        self._part, self._max_kept = part, max_kept
        self._kept: list[list[int]] | None = None  # all covers, if they are known and few
        self._search, self._past = Search(part), (0, 0)
        self.limits: Limits = (Stop(), 1, ALONE)

    def work(self) -> tuple[int, int]:
        """Return the numbers of nodes and updates so far."""
        _, nodes, updates = self._search.counters()
        return self._past[0] + nodes, self._past[1] + updates

    def __iter__(self) -> Iterator[list[int] | None]:
        """Yield the covers, and None whenever the search was stopped."""
        if self._kept is not None:
            yield from self._kept
            return
        if self._search.done:
            self._past, self._search = self.work(), Search(self._part)
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
