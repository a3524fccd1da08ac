"""Resumable searches: run a search for some time, look at its progress, and resume it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ..kernels.cover_array import CoverArray, join_covers
from ..kernels.dlx.state import UNLIMITED
from ..kernels.subtree import Counters, Subtree, check_counters
from ..runtime.archive import MAX_COUNTER, check_integers, check_number
from ..runtime.arguments import check_integer
from ..runtime.clock import Clock
from ..runtime.interrupts import Stop, StopEvent
from ..runtime.workers import call_in_thread
from .checkpoint import Saveable
from .executor_runner import ExecutorRunner
from .prepared import PreparedProblem
from .progress import Estimate, Progress, describe_search, estimate_size
from .proof import Proof
from .splitting import split_subtrees
from .thread_runner import ALONE, RunLimits, ThreadRunner, Workers, check_limit, choose_workers

MAX_ITERATED = 1024  # covers that an iteration finds at a time
MAX_LISTED = 1 << 18  # options of covers that a run converts to lists at a time: some 50 ms


class Search(Saveable):
    """A search that can be run for some time, inspected, saved, split and resumed.

    Searches are created by `ExactCover.search()`, `Search.load(path)` and `Search.split`.
    Solutions are sorted lists of option numbers, from 0.

    One thread at a time can use a search. Meanwhile, `run`, `count`, iteration, `split`, `save`
    and pickling raise RuntimeError in any other thread. `done` and `progress` may be used in any
    thread at any time.

    If an exception interrupts a run, such as KeyboardInterrupt from a signal handler, no solution
    is lost: the next run returns those that were found, and the next count includes those that were
    counted.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> search = ExactCover([["a"], ["a", "b"], ["a"], ["b"], ["b"]]).search()
    >>> search.run(solutions=2)
    [[0, 3], [0, 4]]
    >>> search.progress.fraction
    0.3333333333333333
    >>> search.count(), search.done
    (3, True)
    """

    _kind = "dlx_numba search"
    _version = 7

    def __init__(
        self,
        spec: PreparedProblem,
        subtrees: list[Subtree] | None = None,
        workers: Workers | None = None,
    ) -> None:
        """Create a search of the whole tree, or of subtrees in the order of the search."""
        super().__init__("search")
        self._workers = workers or choose_workers(None, None, spec)
        self._spec = spec
        self.subtrees = [spec.start()] if subtrees is None else subtrees
        self._tree = self.subtrees[0] if spec.rule.is_literal else None
        self._past: Counters = np.zeros(3, np.int64)  # the counters of subtrees that are removed
        self._past_explored = 0.0  # the fraction of the whole tree that was explored in them
        self._ready: list[list[int]] = []  # solutions that the next run returns first
        self._n_returned = 0  # solutions that `run` and iterations have returned
        self._result: list[list[int]] = []
        self._n_reported = 0  # solutions that `count` has included in its results
        # Of the last run. Its caller takes the results, unless another call has begun.
        self._last_limits: RunLimits | None = None
        self._executor_runner: ExecutorRunner | None = None
        self.proof = Proof(spec)

    def _facts(self) -> dict[str, Any]:
        self._spec.reject_literal("be saved")
        return {
            "ready": self._ready,
            "past": self._past.tolist(),
            "explored": self._past_explored,
            "seconds": self._clock.seconds,
            "counted": [self._n_pending, self.n_counted],
            "subtrees": [subtree.content() for subtree in self.subtrees],
        }

    @classmethod
    def _from_facts(cls, spec: PreparedProblem, facts: Mapping[str, Any]) -> Search:
        subtrees = [spec.start() for _ in facts["subtrees"]]
        for subtree, content in zip(subtrees, facts["subtrees"], strict=True):
            subtree.restore(content)
        loaded = cls(spec, subtrees)
        loaded._ready = facts["ready"]
        loaded._past = check_counters(facts["past"])
        if not isinstance(loaded._ready, list):
            raise TypeError("expected a list of solutions")
        spec.check(loaded._ready + [cover for tree in subtrees for cover in tree.found.tolist()])
        loaded._past_explored = check_number(facts["explored"])
        loaded._clock = Clock(check_number(facts["seconds"]))
        n_pending, n_counted = check_integers(facts["counted"], 0, MAX_COUNTER).tolist()
        loaded._n_returned = loaded.counters()[0] - n_counted
        loaded._n_reported = n_counted - n_pending
        return loaded

    def _hand_over(self, loaded: Search) -> str:
        if loaded.algorithm != self.algorithm:
            return f"a search with the algorithm {loaded.algorithm!r}, not {self.algorithm!r}"
        loaded._workers = self._workers
        is_same = self._spec.fingerprint() == loaded._spec.fingerprint()
        return "" if is_same else "a search of another problem"

    def _pickled(self) -> dict[str, Any]:
        """Return the attributes to be pickled; the tasks of an executor belong to this process."""
        own: dict[str, Any] = {"_executor_runner": None, "_last_limits": None}
        return {**self.__dict__, **own, "_workers": self._workers._replace(executor=None)}

    @property
    def done(self) -> bool:
        """Whether all solutions have been found and returned."""
        with self._use.state_lock:
            return not (self._ready or self._n_pending) and all(
                subtree.is_done and not subtree.found for subtree in self.subtrees
            )

    @property
    def result(self) -> list[list[int]]:
        """The solutions that the last run returned."""
        return self._result

    @property
    def n_counted(self) -> int:
        """The number of solutions that were only counted, so that no call returns them."""
        return self.counters()[0] - self._n_returned

    @property
    def _n_pending(self) -> int:
        """The number of solutions that interrupted calls have counted, but not yet reported."""
        return self.n_counted - self._n_reported

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self._spec.algorithm

    @property
    def seed(self) -> int | None:
        """The seed of random choices."""
        return self._spec.rule.seed

    def run(
        self,
        seconds: float | None = None,
        updates: int | None = None,
        solutions: int | None = None,
        stop: StopEvent | None = None,
    ) -> list[list[int]]:
        """Resume the search until a limit is reached or the search is exhausted.

        Parameters
        ----------
        seconds : float, optional
            The time limit, which is met to within a few hundredths of a second. A run of less than
            a millisecond may make no progress.
        updates : int, optional
            The limit for the number of updates (Knuth's measure of work; see `Statistics`). A
            single thread exceeds it by the work of one option at most, several threads by one slice
            each.
        solutions : int, optional
            The number of solutions to return.
        stop : StopEvent, optional
            An object with a method `is_set`, such as `threading.Event`, that ends the run within a
            few hundredths of a second after it is set.

        Returns
        -------
        list of list of int
            The next solutions in the order of the search, for any number of threads. Solutions
            that were found after a part of the tree that is still unexplored are returned later.

        Raises
        ------
        TypeError, ValueError
            If a limit is not a number or is negative.
        RuntimeError
            If another thread is using the search.
        Exception
            What the executor or a signal handler raises. The search can be resumed.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.run(solutions=1), search.run()
        ([[0, 2]], [[1, 2]])
        """
        wanted = check_limit(solutions, "solutions")
        limits = self._run(self._collect, wanted, seconds, updates, stop=stop)
        taken = self._ready[:wanted]
        n_returned = self._n_returned + len(taken)
        if self._last_limits is not limits:
            raise RuntimeError("the search is in use by another thread")
        # CPython switches threads and runs signal handlers only at calls and at the ends of loops:
        # these assignments are done together or not at all.
        self._ready[:wanted] = []
        self._n_returned = n_returned
        self._result = taken
        return taken

    def count(
        self,
        seconds: float | None = None,
        updates: int | None = None,
        solutions: int | None = None,
        stop: StopEvent | None = None,
    ) -> int:
        """Resume the search as `run` does, but only count the solutions, in constant memory.

        Parameters
        ----------
        seconds, updates, solutions, stop
            As for `run`.

        Returns
        -------
        int
            The number of solutions found by this call, and by interrupted calls before it.

        Raises
        ------
        TypeError, ValueError, RuntimeError, Exception
            As for `run`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"], ["a"], ["b"]]).search().count()
        2
        """
        wanted = check_limit(solutions, "solutions")
        limits = self._run(self._count, wanted, seconds, updates, stop=stop)
        counted = min(wanted, self._n_pending)
        if self._last_limits is not limits:
            raise RuntimeError("the search is in use by another thread")
        self._n_reported += counted
        return counted

    def __iter__(self) -> Iterator[list[int]]:
        """Iterate over the remaining solutions, in constant memory."""
        n_wanted = 1
        is_stopped = False
        while not (is_stopped or self.done):
            is_stopped = self._run(self._collect, n_wanted, workers=ALONE).stop()
            n_wanted = min(2 * n_wanted, MAX_ITERATED)
            while True:
                taken = self._ready[:1]
                self._ready[:1] = []  # done together with the line before: see `run`
                if not taken:
                    break
                self._n_returned += 1
                self._last_limits = None  # a run of another thread must not take it, too
                yield taken[0]

    def split(self, parts: int) -> list[Search]:
        """Split the remaining work into at most `parts` searches.

        Together, the searches find each remaining solution once. They are independent: each can be
        run in another thread or process, saved, or split again. This search is done afterwards.

        Parameters
        ----------
        parts : int
            The largest number of searches, at least 1.

        Returns
        -------
        list of Search
            In the order of the search. The list is empty if no work is left.

        Raises
        ------
        ValueError
            If `parts` is less than 1.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a"], ["a"], ["b"], ["b"]])
        >>> [list(part) for part in cover.search().split(3)]
        [[[0, 3], [1, 3], [2, 3]], [[0, 4], [1, 4]], [[2, 4]]]
        """
        self._spec.reject_literal("be split")
        n_parts = check_integer(parts, "parts", minimum=1)
        stop = Stop()
        return self._use.run(partial(self._split, n_parts, stop), stop)

    def estimate(
        self,
        paths: int = 1000,
        seed: int = 0,
        *,
        seconds: float | None = None,
        stop: StopEvent | None = None,
    ) -> Estimate:
        """Estimate the size of the whole search, from its beginning, by random paths.

        Parameters
        ----------
        paths : int, default: 1000
            The number of random paths.
        seed : int, default: 0
            The seed for the random paths.
        seconds : float, optional
            The time limit. A path that does not end in time is left out.
        stop : StopEvent, optional
            Ends the call when `stop.is_set()` returns True.

        Returns
        -------
        Estimate
            Means with their standard errors: the numbers of solutions, nodes and updates.

        Raises
        ------
        Stopped
            If the call is stopped before the end of the first path.
        ValueError
            If `paths` is less than 1, or `seed` or `seconds` is negative.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> estimate = ExactCover([["a"], ["a"], ["b"], ["b"]]).search().estimate(10)
        >>> estimate.solutions, estimate.nodes
        (4.0, 3.0)
        """
        n_paths = check_integer(paths, "paths", minimum=1)
        seed = check_integer(seed, "seed", minimum=0)
        return estimate_size(self._spec.start(), n_paths, seed, Stop(seconds, stop))

    @property
    def levels(self) -> list[int] | None:
        """The number of nodes of each level, if the search is literal."""
        return None if self._tree is None else self._tree.levels

    @property
    def progress(self) -> Progress:
        """The progress of the search; during a run, as of a few hundredths of a second ago."""
        return self._progress()

    @property
    def _explored(self) -> float:
        """Knuth's estimate of the explored fraction of the tree."""
        with self._use.state_lock:
            explored = self._past_explored + sum(subtree.explored() for subtree in self.subtrees)
            is_over = all(subtree.is_done for subtree in self.subtrees)
            return 1.0 if is_over else min(max(explored, 0.0), 1.0)

    def _progress(self, fraction: float | None = None, solutions: int | None = None) -> Progress:
        """Return the progress, with the fraction and the number of solutions that are known."""
        with self._use.state_lock:
            remaining = (subtree for subtree in self.subtrees if not subtree.is_done)
            choices = next((subtree.choices() for subtree in remaining), ())
            n_found, *work = self.counters()
            counters = (n_found if solutions is None else solutions), *work
            explored = self._explored if fraction is None else fraction
            return describe_search(explored, counters, self._clock.seconds, choices)

    def counters(self) -> tuple[int, int, int]:
        """Return the numbers of solutions returned, nodes entered and updates so far.

        Returns
        -------
        solutions, nodes, updates : int

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"]]).search().counters()
        (0, 0, 0)
        """
        with self._use.state_lock:
            total = self._past
            for subtree in self.subtrees:
                total = total + subtree.counters
            solutions, nodes, updates = total.tolist()
            return solutions - self._n_found() - len(self._ready), nodes, updates

    def push_back(self, solutions: list[list[int]]) -> None:
        """Put the last solutions of the last run back, so that the next run returns them first.

        A caller that could not process all solutions of a run does this before it saves the search.

        Parameters
        ----------
        solutions : list of list of int
            The solutions, in the order of the run.
        """

        def push() -> None:
            with self._use.state_lock:
                self._last_limits = None
                self._ready[:0] = solutions
                self._n_returned -= len(solutions)

        self._use_alone(push)

    def __str__(self) -> str:
        return str(self.progress)

    def _repr_html_(self) -> str:
        return self.progress._repr_html_()

    def _run(
        self,
        work: Callable[[RunLimits, Workers], None],
        wanted: int,
        seconds: float | None = None,
        updates: int | None = None,
        workers: Workers | None = None,
        stop: StopEvent | None = None,
    ) -> RunLimits:
        """Do some work alone, with the workers of a run, and return the limits."""
        condition = Stop(seconds, stop, self._use.stop_request)
        n_updates = check_limit(updates, "updates")
        limits = RunLimits(condition, self._spec.translation, wanted, n_updates)
        self._use.run(partial(work, limits, workers or self._workers), condition)
        return limits

    def _collect(self, limits: RunLimits, workers: Workers) -> None:
        """Explore until `_ready` has the solutions that are wanted, or another limit is reached.

        Solutions that an interrupted call has counted are no longer pending.
        """
        self._last_limits = limits
        self._n_reported = self.n_counted
        wanted = limits.max_covers
        n_most = MAX_ITERATED  # covers at a time, because lists take longer than the search
        is_over = False
        while not is_over and len(self._ready) < wanted:
            limits.max_covers = min(wanted - len(self._ready), n_most)
            self._explore(limits, workers)
            covers = self._take(limits.max_covers)
            self._ready += covers.tolist()
            n_options = int(covers.indptr[-1] - covers.indptr[0])
            n_most = 1 + MAX_LISTED * len(covers) // (1 + n_options)
            is_over = len(covers) < limits.max_covers or limits.are_spent()

    def _count(self, limits: RunLimits, workers: Workers) -> None:
        """Explore until the solutions that are wanted are pending, or another limit is reached."""
        self._last_limits = limits
        limits.max_covers -= self._n_pending
        if limits.max_covers <= 0:
            return
        wanted = limits.max_covers
        if wanted < UNLIMITED and workers != ALONE:
            # Several workers may find more covers, which a run returns later.
            limits.max_covers -= len(self._ready)
            if limits.max_covers > 0:
                self._explore(limits, workers)
            self._discard_found(wanted)
            return
        limits.translate = None
        limits.n_counted = self._n_found() + len(self._ready)
        if limits.n_counted <= wanted:
            self._discard_found()
            self._explore(limits, workers)
            self._discard_found()  # covers found while subtrees were split
        else:
            self._discard_found(wanted)

    def _explore(self, limits: RunLimits, workers: Workers) -> None:
        """Explore until a limit is reached."""
        with self._clock:
            for explore in self._steps(limits, workers):
                explore()

    def _steps(self, limits: RunLimits, workers: Workers) -> Iterator[Callable[[], None]]:
        """Yield the functions that explore until a limit is reached, to be called in turn."""
        n_threads, executor = workers
        if self._executor_runner is not None and self._executor_runner.executor is not executor:
            self._cancel_tasks()
        for _ in self._phases(limits):
            lock = self._use.state_lock
            if executor is not None:
                if self._executor_runner is None:  # a proof cancels the tasks, and their runner
                    self._executor_runner = ExecutorRunner(executor, self._spec.translation)
                run = partial(self._executor_runner.run, self.subtrees, limits, lock)
                yield partial(call_in_thread, run)
                continue
            runner = ThreadRunner(self.subtrees, limits, lock, n_threads, self.counters()[2])
            yield runner.explore
            if n_threads != 1 and runner.has_work():
                yield runner.explore_with_threads
        if executor is not None and limits.is_last:
            yield partial(call_in_thread, self._cancel_tasks)

    def _phases(self, limits: RunLimits) -> Iterator[None]:
        """Yield for each phase of a run: before the search asks for a proof, and afterward."""
        while (first := max(0, self.proof.updates - self.counters()[2])) < limits.updates:
            withheld, limits.updates = limits.updates - first, first
            yield
            limits.updates += withheld
            proof_updates = self.proof.updates
            if self.counters()[2] >= proof_updates:
                self._end_if_impossible(limits.stop)
            if self.proof.updates == proof_updates:
                break
        yield

    def _end_if_impossible(self, stop: Stop) -> None:
        """End a search without covers if a coloring or weights prove that there is none."""
        has_covers = self.counters()[0] or self._n_found() or self._ready
        if not (self.done or has_covers or stop()) and self.proof.succeeds(stop):
            self._cancel_tasks()
            with self._use.state_lock:
                for subtree in self.subtrees:
                    self._past = self._past + subtree.counters
                self.subtrees.clear()
                self._past_explored = 1.0

    def _cancel_tasks(self) -> None:
        if self._executor_runner is not None:
            self._executor_runner.cancel_tasks()
            self._executor_runner = None

    def _split(self, parts: int, stop: Stop) -> list[Search]:
        """Return searches of the remaining work, as `split` does."""
        self._cancel_tasks()
        with self._use.state_lock:
            self._last_limits = None
            split_subtrees(self.subtrees, self.subtrees[:], parts, self._spec.translation, stop)
            subtrees, self.subtrees = self.subtrees, []
            for subtree in subtrees:
                found = np.array([len(subtree.found), 0, 0])
                self._past = self._past + subtree.counters - found
                self._past_explored += subtree.explored()
                subtree.counters = found
                subtree.reset_share()
            remaining = (each for each in subtrees if each.found or not each.is_done)
            searches = [Search(self._spec, [subtree]) for subtree in remaining]
            moved = np.array([len(self._ready) + self._n_pending, 0, 0])
            if moved.any():
                searches = searches or [Search(self._spec, [])]
                searches[0]._ready, self._ready = self._ready, []
                searches[0]._past, self._past = searches[0]._past + moved, self._past - moved
        return searches

    def _n_found(self) -> int:
        """Return the number of covers that have been found, but are neither ready nor counted."""
        return sum(len(subtree.found) for subtree in self.subtrees)

    def _take(self, wanted: int, skips_gaps: bool = False) -> CoverArray:
        """Take solutions from the subtrees: up to `wanted`, in the order of the search.

        Unless it `skips_gaps`, only those that precede everything unexplored are taken. Subtrees
        that are done and have no others left are removed.
        """
        with self._use.state_lock:
            taken: list[CoverArray] = []
            for subtree in self.subtrees:
                taken.append(subtree.found.take(wanted))
                wanted -= len(taken[-1])
                if not skips_gaps and (subtree.found or not subtree.is_done):
                    break
            for subtree in self.subtrees:
                if subtree.is_done and not subtree.found:
                    self._past = self._past + subtree.counters
                    self._past_explored += subtree.explored()
            self.subtrees[:] = [each for each in self.subtrees if each.found or not each.is_done]
            return join_covers(taken)

    def _discard_found(self, wanted: int = UNLIMITED) -> None:
        """Discard covers that have been found and not returned; they stay counted."""
        with self._use.state_lock:
            self._take(max(0, wanted - len(self._ready)), skips_gaps=True)
            del self._ready[:wanted]
