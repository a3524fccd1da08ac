"""Resumable searches: run a search for some time, look at its progress, and resume it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..kernels.subtree import Subtree, check_counters
from ..runtime.archive import MAX_COUNTER, check_integers, check_number
from ..runtime.arguments import UNLIMITED, check_integer
from ..runtime.clock import Clock
from ..runtime.interrupts import Stop, StopEvent
from .checkpoint import Saveable
from .exploration import SearchTree
from .prepared import PreparedProblem
from .progress import Estimate, estimate_size
from .splitting import split_subtrees
from .thread_runner import ALONE, RunLimits, Workers, check_limit, choose_workers

MAX_ITERATED = 1024  # covers that an iteration finds at a time
MAX_LISTED = 1 << 18  # options of covers that a run converts to lists at a time: some 50 ms


class Search(SearchTree, Saveable):
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
        workers = workers or choose_workers(None, None, spec)
        super().__init__(spec, subtrees, workers)
        # Never presolve: the subtrees that a search saves are those of the user's problem.
        self._presolving.updates = UNLIMITED
        self._ready: list[list[int]] = []  # solutions that the next run returns first
        self._n_returned = 0  # solutions that `run` and iterations have returned
        self._result: list[list[int]] = []  # of the last run
        self._n_reported = 0  # solutions that `count` has included in its results
        # The limits of the last run. Before a call takes the results of its run, it compares them
        # with its own limits: another thread may have begun a run since, or taken the results.
        self._last_limits: RunLimits | None = None

    def _facts(self) -> dict[str, Any]:
        """Return what a file has."""
        self._spec.reject_literal("be saved")
        return {
            "ready": self._ready,
            "past": self._past.tolist(),
            "explored": self._past_explored,
            "seconds": self.clock.seconds,
            "counted": [self._n_pending, self.n_counted],
            "subtrees": [subtree.content() for subtree in self.subtrees],
        }

    @classmethod
    def _from_facts(cls, spec: PreparedProblem, facts: Mapping[str, Any]) -> Search:
        """Restore a search from what `_facts` returned, which may come from a modified file."""
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
        loaded.clock = Clock(check_number(facts["seconds"]))
        n_pending, n_counted = check_integers(facts["counted"], 0, MAX_COUNTER).tolist()
        # `n_counted` and `_n_pending` are derived from these two, and become what they were.
        loaded._n_returned = loaded.counters().solutions - n_counted
        loaded._n_reported = n_counted - n_pending
        return loaded

    def _hand_over(self, loaded: Search) -> str:
        if loaded.algorithm != self.algorithm:
            return f"a search with the algorithm {loaded.algorithm!r}, not {self.algorithm!r}"
        loaded.workers = self.workers
        is_same = self._spec.fingerprint() == loaded.spec.fingerprint()
        return "" if is_same else "a search of another problem"

    def _pickled(self) -> dict[str, Any]:
        return {**super()._pickled(), "_last_limits": None}

    @property
    def done(self) -> bool:
        """Whether all solutions have been found and returned."""
        with self._use.data_lock:
            return super().done and not self._n_pending

    @property
    def result(self) -> list[list[int]]:
        """The solutions that the last run returned."""
        return self._result

    @property
    def n_counted(self) -> int:
        """The number of solutions that were only counted, so that no call returns them."""
        return self.counters().solutions - self._n_returned

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
        if self._last_limits is not limits:  # a run of another thread may take them as well
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
        if self._last_limits is limits:
            self._n_reported += limits.n_pending
        elif not limits.is_withdrawn:  # a run of another thread reports it
            raise RuntimeError("the search is in use by another thread")
        return limits.n_pending

    def __iter__(self) -> Iterator[list[int]]:
        """Iterate over the remaining solutions, in constant memory."""
        n_wanted = 1  # in a run: few at first, as the iteration may end soon
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
            If `parts` is less than 1, or the search is literal.

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

    def _n_kept(self) -> int:
        return super()._n_kept() + len(self._ready)

    def push_back(self, solutions: list[list[int]]) -> None:
        """Put the last solutions of the last run back, so that the next run returns them first.

        A caller that could not process all solutions of a run does this before it saves the search.

        Parameters
        ----------
        solutions : list of list of int
            The solutions, in the order of the run.
        """

        def push() -> None:
            with self._use.data_lock:
                self._last_limits = None
                self._ready[:0] = solutions
                self._n_returned -= len(solutions)

        self._use_alone(push)

    def _repr_html_(self) -> str:
        return self.progress._repr_html_()

    def _run(
        self,
        work: Callable[[RunLimits], None],
        wanted: int,
        seconds: float | None = None,
        updates: int | None = None,
        workers: Workers | None = None,
        stop: StopEvent | None = None,
    ) -> RunLimits:
        """Run `work` under new limits while no other thread uses the search; return the limits.

        `work` is `_collect` or `_count`. At most `wanted` solutions are found. The caller
        recognizes its own run by the limits: see `_last_limits`.
        """
        condition = Stop(seconds, stop, self._use.stop_request)
        n_updates = check_limit(updates, "updates")
        workers = workers or self.workers
        limits = RunLimits(condition, self._spec.translation, wanted, n_updates, workers=workers)
        self._use.run(partial(work, limits), condition)
        return limits

    def _collect(self, limits: RunLimits) -> None:
        """Explore until `_ready` has the solutions that are wanted, or another limit is reached.

        Solutions that an interrupted call has counted are no longer pending: no later call reports
        them. The covers are found in several parts, for each of which `limits.max_covers` is set.
        """
        if self._last_limits is not None:
            self._last_limits.is_withdrawn = True
        self._last_limits = limits
        self._n_reported = self.n_counted  # nothing is pending
        wanted = limits.max_covers
        n_most = MAX_ITERATED  # covers at a time, because lists take longer than the search
        is_over = False
        while not is_over and len(self._ready) < wanted:
            limits.max_covers = min(wanted - len(self._ready), n_most)
            self._explore(limits)
            covers = self._take(limits.max_covers)
            self._ready += covers.tolist()
            n_options = int(covers.indptr[-1] - covers.indptr[0])
            # So many covers as large as these have about MAX_LISTED options in total.
            n_most = 1 + MAX_LISTED * len(covers) // (1 + n_options)
            is_over = len(covers) < limits.max_covers or limits.are_spent()

    def _count(self, limits: RunLimits) -> None:
        """Explore until the solutions that are wanted are pending, or another limit is reached.

        Pending solutions are counted, and no call has returned their number yet. Covers that were
        found, but not taken, count, too, so that fewer are sought. `limits` is modified: its number
        of covers, and whether they are listed.
        """
        self._last_limits = limits
        n_most = limits.max_covers
        wanted = max(0, n_most - self._n_pending)
        # Covers are not listed if all that the run finds are counted. Several workers may find more
        # than are wanted: then they are listed, so that the next run can return the others. The
        # limits of such a run include the covers that subtrees already have (`RunLimits.are_met`),
        # so only those of `_ready` are subtracted.
        only_counts = limits.max_covers == UNLIMITED or limits.workers == ALONE
        limits.max_covers = wanted - (self._n_kept() if only_counts else len(self._ready))
        if limits.max_covers > 0:
            if only_counts:
                limits.translate = None
                self._discard_found()
            self._explore(limits)
        self._discard_found(wanted)
        limits.n_pending = min(n_most, self._n_pending)

    def _split(self, parts: int, stop: Stop) -> list[Search]:
        """Return searches of the remaining work, as `split` does, and leave none here."""
        self._cancel_tasks()
        with self._use.data_lock:
            self._last_limits = None
            split_subtrees(self.subtrees, self.subtrees[:], parts, self._spec.translation, stop)
            subtrees, self.subtrees = self.subtrees, []
            # This search keeps the counters, except those of covers that are not taken yet.
            for subtree in subtrees:
                kept = np.array([len(subtree.found), 0, 0])  # solutions, nodes and updates
                self._past = self._past + subtree.counters - kept
                self._past_explored += subtree.explored()
                subtree.counters = kept
            remaining = [each for each in subtrees if each.found or not each.is_done]
            # After a run with threads, there may be more subtrees than parts: some get several.
            ends = np.linspace(0, len(remaining), min(parts, len(remaining)) + 1).astype(int)
            searches = [
                Search(self._spec, remaining[start:end]) for start, end in pairwise(ends.tolist())
            ]
            for search in searches:
                for subtree in search.subtrees:  # nothing of a search is explored yet
                    subtree.reset_share(1 / len(search.subtrees))
            # The first part gets the solutions that no call has returned or reported.
            # They are counted there, so that they are reported or returned by it.
            moved = np.array([len(self._ready) + self._n_pending, 0, 0])
            if moved.any():
                searches = searches or [Search(self._spec, [])]
                searches[0]._ready, self._ready = self._ready, []
                searches[0]._past, self._past = searches[0]._past + moved, self._past - moved
        return searches

    def _discard_found(self, wanted: int = UNLIMITED) -> None:
        with self._use.data_lock:
            super()._discard_found(max(0, wanted - len(self._ready)))
            del self._ready[:wanted]
