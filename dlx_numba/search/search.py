"""A search that its caller steers: runs it for a while, looks how far it is, goes on."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from operator import index
from typing import Any

import numpy as np

from ..kernels.algorithm_x import NODES, SOLUTIONS, UNLIMITED, UPDATES
from ..kernels.problem import build_instance
from ..kernels.searching import State, start_search
from ..runtime.interrupts import MOST_THREADS, Stop, held_signals
from .checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from .estimate import Estimate, estimate_size
from .executor_runner import Spread
from .limits import Terms, checked
from .paths import ways_taken
from .progress import Progress
from .spec import Task
from .split import divide
from .subtree import Counters, Part
from .thread_runner import Crew, Worker


class Search:
    """A search that can be run for a while, looked at, saved, split, and gone on with.

    It comes from `ExactCover.search()`, `Search.load(path)` or another search's `split`. Solutions
    are lists of option numbers, from 0, in rising order.

    >>> from dlx_numba import ExactCover
    >>> search = ExactCover([["a"], ["a", "b"], ["a"], ["b"], ["b"]]).search()
    >>> search.run(solutions=2)
    [[0, 3], [0, 4]]
    >>> print(search.progress.path, search.progress.fraction)
    1/3 2/2 0.3333333333333333
    >>> search.count(), search.done
    (3, True)
    """

    def __init__(self, task: Task, parts: list[Part] | None = None) -> None:
        """A search for a task, or for these parts of it, which stand in the order of the search."""
        self._task = task
        self._parts = [Part(self._fresh_state())] if parts is None else parts
        self._ready: list[list[int]] = []  # solutions to be handed out next
        self._past: Counters = np.zeros(
            3, np.int64
        )  # covers, nodes and updates of parts that are gone
        self._explored = 0.0  # how much of the tree was explored in them
        self._seconds = 0.0
        self._spread: Spread | None = None

    def _fresh_state(self) -> State:
        return start_search(build_instance(self._task.problem), self._task.begin)

    def __getstate__(self) -> dict[str, Any]:
        """All but the executor: its tasks are not this search's any more, once it is elsewhere."""
        return {**self.__dict__, "_spread": None}

    @property
    def done(self) -> bool:
        """Whether all solutions were found, and handed out."""
        return not self._ready and all(part.is_done and not part.found for part in self._parts)

    @property
    def solutions(self) -> int:
        """How many solutions were handed out, or counted."""
        return self.counters()[0]

    def run(
        self,
        seconds: float | None = None,
        updates: int | None = None,
        solutions: int | None = None,
        *,
        threads: int = 1,
        executor: Executor | None = None,
    ) -> list[list[int]]:
        """Go on until one of the bounds is reached, or to the end, and return the solutions found.

        `seconds` is kept to within some hundredths, `updates` (links removed, Knuth's measure of
        work) to within those of a node, or with several threads of a slice; with `solutions`,
        they are the next so many in the order of the search, whatever the number of threads.
        Without, several threads may find them in another order.

        With `executor`, any of `concurrent.futures`, the work is sent there in tasks of seconds;
        `threads` is then of no account. Updates and nodes are counted once a task has come back,
        and the tasks that are out when a bound is reached are awaited by the next run.

        Ctrl-C ends a run at once and is raised; no solution is lost: those found are returned by
        the next run. Raises ValueError for bounds below 0 or threads below 1, and what the
        executor raises; then, too, the search can go on.
        """
        wanted = checked(solutions, "solutions")
        terms = Terms(_stop(seconds), True, wanted, checked(updates, "updates"))
        with held_signals(terms.stop.call_off):
            if len(self._ready) < wanted:
                if wanted < UNLIMITED:
                    terms.wanted -= len(self._ready)
                self._go_on(terms, threads, executor)
                self._ready += self._take(terms.wanted)
        # Without a call, so that no Ctrl-C comes between.
        taken, self._ready[:wanted] = self._ready[:wanted], []
        return taken

    def count(
        self,
        seconds: float | None = None,
        updates: int | None = None,
        solutions: int | None = None,
        *,
        threads: int = 1,
        executor: Executor | None = None,
    ) -> int:
        """Go on as `run` does, but only count the solutions found, in constant memory.

        With `solutions`, several threads may count some more, up to those of a slice.
        """
        terms = Terms(
            _stop(seconds), False, checked(solutions, "solutions"), checked(updates, "updates")
        )
        before = self.solutions
        with held_signals(terms.stop.call_off):
            found = sum(len(part.found) for part in self._parts) + len(self._ready)
            terms.counted = found
            if found <= terms.wanted:
                self._ready.clear()
                for part in self._parts:
                    part.found.clear()
                self._go_on(terms, threads, executor)
                for part in self._parts:  # what was found on the way to more parts
                    part.found.clear()
                self._prune()
            else:
                self._ready += self._take(terms.wanted)
                del self._ready[: terms.wanted]
        return self.solutions - before

    def __iter__(self) -> Iterator[list[int]]:
        """The solutions that are left, one after the other, in constant memory."""
        stop = Stop()
        terms = Terms(stop, True, UNLIMITED, UNLIMITED)
        worker = Worker(self._levels, keep=True, is_alone=True)
        while self._parts or self._ready:
            while self._ready:
                solution = self._ready[0]
                del self._ready[0]  # without a call, so that no Ctrl-C comes between
                yield solution
            if not self._parts:
                return
            part = self._parts[0]
            if part.found:
                solution = self._task.numbered(part.found[0])
                del part.found[0]
                yield solution
            elif part.is_done:
                self._prune()
            else:
                self.come_home()
                begin = time.perf_counter()
                with held_signals(stop.call_off):
                    worker.advance(part, terms, self._task.problem.indptr)
                self._seconds += time.perf_counter() - begin

    def split(self, parts: int) -> "list[Search]":
        """Hand what is left to do over to so many searches, or to fewer where there is no more.

        Together, they find each solution that is left once. They are independent: each may be run
        in a thread or process of its own, saved, or split again. This search is done then. They
        stand in the order of the search.

        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a"], ["a"], ["b"], ["b"]])
        >>> [list(part) for part in cover.search().split(3)]
        [[[0, 3], [1, 3], [2, 3]], [[0, 4], [1, 4]], [[2, 4]]]
        """
        if checked(parts, "parts") < 1:
            raise ValueError("parts must be 1 or more")
        self.come_home()
        stop = Stop()
        with held_signals(stop.call_off):
            indptr = self._task.problem.indptr
            self._parts = divide(self._parts, parts, indptr, self._levels, stop)
        divided, self._parts = self._parts, []
        for part in divided:
            found = np.array([len(part.found), 0, 0])
            self._past += part.counters - found
            self._explored += part.explored()
            part.state.dance.register[[SOLUTIONS, NODES, UPDATES]] = found
            part.make_whole()
        split = [Search(self._task, [part]) for part in divided if part.found or not part.is_done]
        if self._ready:
            split = split or [Search(self._task, [])]
            split[0]._take_over(self._ready)
            self._past[0] -= len(self._ready)
            self._ready = []
        return split

    def estimate(self, samples: int = 1000, seed: int = 0) -> Estimate:
        """How large the whole search is, from its beginning: Knuth's estimate by random paths.

        >>> from dlx_numba import ExactCover
        >>> estimate = ExactCover([["a"], ["a"], ["b"], ["b"]]).search().estimate(10)
        >>> estimate.solutions, estimate.nodes
        (4.0, 3.0)
        """
        if checked(samples, "samples") < 1:
            raise ValueError("samples must be 1 or more")
        return estimate_size(self._fresh_state(), samples, seed)

    @property
    def progress(self) -> Progress:
        """How far the search is."""
        left = [part for part in self._parts if not part.is_done]
        choices: tuple[tuple[int, int], ...] = ()
        if left:
            taken, ways = ways_taken(left[0].state)
            choices = tuple(zip((taken + 1).tolist(), ways.tolist(), strict=True))
        explored = self._explored + sum(part.explored() for part in self._parts)
        fraction = min(max(explored, 0.0), 1.0) if left else 1.0
        how_far = (fraction, *self.counters(), self._seconds)
        return Progress(*how_far, choices, len(left), self.done)

    def counters(self) -> tuple[int, int, int]:
        """The solutions handed out, the nodes and the updates."""
        solutions, nodes, updates = self._past + sum(part.counters for part in self._parts)
        found = sum(len(part.found) for part in self._parts) + len(self._ready)
        return int(solutions) - found, int(nodes), int(updates)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all that it takes to go on later, in another process, too: see `load`.

        The file is replaced at once by the whole of the new one. Item names are not in it.
        """
        how_far = (self._ready, self._past, self._explored, self._seconds)
        save_checkpoint(path, Checkpoint(self._task, self._parts, *how_far))

    @classmethod
    def load(cls, path: str | os.PathLike[str], search: "Search | None" = None) -> "Search":
        """The search that `save` wrote, to go on with.

        With `search`, such as `cover.search()`, the one that was saved must be of the same problem,
        and have begun in the same way.

        Raises CheckpointError (a ValueError), which names the file, where it holds no search that
        this version knows, is damaged, or is of another problem; OSError where it cannot be read.
        """
        loaded = load_checkpoint(path)
        if search is not None and search._task.fingerprint() != loaded.task.fingerprint():
            raise CheckpointError(os.fspath(path), "a search of another problem")
        new = cls(loaded.task, loaded.parts)
        new._ready, new._past = loaded.ready, loaded.past
        new._explored, new._seconds = loaded.explored, loaded.seconds
        return new

    @property
    def seed(self) -> int:
        """Of the random choices."""
        return self._task.seed

    @property
    def _levels(self) -> int:
        return max([1, *(len(part.state.dance.choice) for part in self._parts)])

    def put_back(self, solutions: list[list[int]]) -> None:
        """Take back solutions that were handed out: they come next, and are saved with the rest."""
        self._ready[:0] = solutions

    def _take_over(self, solutions: list[list[int]]) -> None:
        """Hand out solutions that another search has found."""
        self._ready += solutions
        self._past[0] += len(solutions)

    def _go_on(self, terms: Terms, threads: int, executor: Executor | None) -> None:
        """Run until there are the covers wanted, or to another bound; signals are held."""
        if index(threads) < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
        indptr = self._task.problem.indptr
        if executor is None or (self._spread and self._spread.executor is not executor):
            self.come_home()
        begin = time.perf_counter()
        try:
            if executor is None:
                Crew(self._parts, terms, indptr, self._levels).run(min(threads, MOST_THREADS))
            else:
                self._spread = self._spread or Spread(executor)
                self._spread.run(self._parts, terms, indptr, self._levels)
        finally:
            self._seconds += time.perf_counter() - begin

    def _take(self, wanted: int) -> list[list[int]]:
        """Hand out covers that were found: all, or the first so many in the order of the search."""
        taken: list[list[int]] = []
        for part in self._parts:
            while part.found and len(taken) < wanted:
                taken.append(self._task.numbered(part.found.popleft()))
            if wanted < UNLIMITED and (part.found or not part.is_done):
                break
        self._prune()
        return taken

    def _prune(self) -> None:
        """Let go of parts that are done."""
        left, past, explored = [], self._past.copy(), self._explored
        for part in self._parts:
            if part.is_done and not part.found:
                past += part.counters
                explored += part.explored()
            else:
                left.append(part)
        self._parts, self._past, self._explored = left, past, explored

    def come_home(self) -> None:
        """Forget what an executor is still at: it will be done once more."""
        if self._spread is not None:
            self._spread.drop()
            self._spread = None


def _stop(seconds: float | None) -> Stop:
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"seconds must be 0 or more, or None for no bound, not {seconds}")
    return Stop(seconds)
