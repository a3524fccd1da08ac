"""Combine the covers of the independent parts of a problem."""

from collections.abc import Iterator
from concurrent.futures import Executor
from itertools import chain

from ..runtime.interrupts import Stop
from ..search.search import Search, run_unshared


class CoverProduct:
    """The combinations of the covers of independent parts, in lexicographic order.

    Each part is searched once, and only for as many covers as are needed.

    Parameters
    ----------
    searches : list of Search
        The searches of the parts, unexplored.
    stop : Stop
    max_batch : int
        The largest number of covers to find at a time.
    n_threads, executor
        As for `Search.run`.

    Attributes
    ----------
    is_stopped : bool
        Whether `stop` ended an iteration.
    """

    def __init__(
        self,
        searches: list[Search],
        stop: Stop,
        max_batch: int,
        n_threads: int | None = 1,
        executor: Executor | None = None,
    ) -> None:
        self._searches, self._stop, self._max_batch = searches, stop, max_batch
        self._n_threads, self._executor = n_threads, executor
        self.is_stopped = False

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the combinations. The cover of the last part varies fastest."""
        n_parts = len(self._searches)
        found: list[list[list[int]]] = [[] for _ in range(n_parts)]
        is_exhausted, batch, current = [False] * n_parts, [1] * n_parts, [0] * n_parts
        part = 0
        while part >= 0:
            if current[part] == len(found[part]) and not is_exhausted[part]:
                covers, _, is_complete = run_unshared(
                    self._searches[part],
                    self._stop,
                    batch[part],
                    collects=True,
                    n_threads=self._n_threads,
                    executor=self._executor,
                )
                is_exhausted[part] = len(covers) < batch[part]
                batch[part] = min(2 * batch[part], self._max_batch)
                self.is_stopped = not is_complete
                if n_parts == 1:
                    yield from covers  # which need not be kept
                else:
                    found[part] += covers
                if self.is_stopped or (is_exhausted[part] and not found[part]):
                    return
                if n_parts == 1:
                    continue
            if current[part] < len(found[part]):
                part += 1
                if part < n_parts:
                    continue
                chosen = (covers[index] for covers, index in zip(found, current, strict=True))
                yield sorted(chain.from_iterable(chosen))
                if self._stop():
                    self.is_stopped = True
                    return
            else:
                current[part] = 0
            part -= 1
            current[part] += 1

    def work(self) -> tuple[int, int]:
        """Return the numbers of nodes and updates so far."""
        _, nodes, updates = zip(*(search.counters() for search in self._searches), strict=True)
        return sum(nodes), sum(updates)
