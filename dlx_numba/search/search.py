"""Resumable searches: run a search for some time, look at its progress, and resume it."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

from ..kernels.resumable import CoverBuffer
from ..kernels.state import UNLIMITED
from ..runtime.arguments import check_integer
from ..runtime.interrupts import MAX_THREADS, Stop
from .checkpoint import Checkpoint, CheckpointError, load_checkpoint, save_checkpoint
from .estimate import Estimate, estimate_size
from .executor_runner import ExecutorRunner
from .frontier import Frontier
from .limits import RunLimits, check_limit
from .progress import Progress
from .protocol import SearchSpec
from .spec import ExactCoverSpec
from .subtree import Subtree, split_subtrees
from .thread_runner import ThreadRunner, Worker


class Search:
    """A search that can be run for some time, inspected, saved, split and resumed.

    Searches are created by `ExactCover.search()`, `Search.load(path)` and `Search.split`.
    Solutions are sorted lists of option numbers, from 0.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> search = ExactCover([["a"], ["a", "b"], ["a"], ["b"], ["b"]]).search()
    >>> search.run(solutions=2)
    [[0, 3], [0, 4]]
    >>> print(search.progress.path, search.progress.fraction)
    1/3 2/2 0.3333333333333333
    >>> search.count(), search.done
    (3, True)
    """

    def __init__(self, spec: SearchSpec, subtrees: list[Subtree] | None = None) -> None:
        """Create a search of the whole tree, or of subtrees in the order of the search."""
        self._spec = spec
        self._frontier = Frontier([Subtree(spec.start())] if subtrees is None else subtrees)
        self._ready: list[list[int]] = []  # solutions that the next run returns first
        self._seconds = 0.0
        self._executor_runner: ExecutorRunner | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the executor, whose tasks belong to this process."""
        return {**self.__dict__, "_executor_runner": None}

    @property
    def done(self) -> bool:
        """Whether all solutions have been found and returned."""
        return not self._ready and self._frontier.is_empty

    @property
    def solutions(self) -> int:
        """The number of solutions returned or counted so far."""
        return self.counters()[0]

    @property
    def seed(self) -> int:
        """The seed for random choices."""
        return self._spec.rule.seed

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""
        return self._spec.algorithm

    def run(
        self,
        seconds: float | None = None,
        updates: int | None = None,
        solutions: int | None = None,
        *,
        threads: int = 1,
        executor: Executor | None = None,
    ) -> list[list[int]]:
        """Resume the search until a limit is reached or the search is exhausted.

        Ctrl-C ends the run immediately and raises KeyboardInterrupt. No solution is lost: the next
        run returns those that were found.

        Parameters
        ----------
        seconds : float, optional
            The time limit, which is met to within a few hundredths of a second.
        updates : int, optional
            The limit for the number of updates (Knuth's measure of work; see `Statistics`). A
            single thread exceeds it by the work of one node at most, several threads by one slice
            each.
        solutions : int, optional
            The number of solutions to return: the next ones in the order of the search, for any
            number of threads. Without this limit, several threads may return the solutions in
            another order.
        threads : int, default: 1
            The number of threads. Ignored if there is an executor.
        executor : concurrent.futures.Executor, optional
            Submit the work to this executor in tasks of up to two seconds. Nodes and updates are
            counted when a task returns. Tasks that have not returned when a limit is reached are
            awaited by the next run.

        Returns
        -------
        list of list of int
            The solutions found.

        Raises
        ------
        TypeError, ValueError
            If a limit is not a number or is negative, or `threads` is less than 1.
        Exception
            What the executor raises. The search can be resumed afterwards.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.run(solutions=1), search.run()
        ([[0, 2]], [[1, 2]])
        """
        wanted = check_limit(solutions, "solutions")
        limits = RunLimits(Stop(seconds), True, wanted, check_limit(updates, "updates"))
        if len(self._ready) < wanted:
            if wanted < UNLIMITED:
                limits.max_covers -= len(self._ready)
            self._resume(limits, threads, executor)
            self._ready += map(self._spec.solution, self._frontier.take(limits.max_covers))
        # This statement calls no function, so Ctrl-C cannot interrupt it and lose solutions.
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
        """Resume the search as `run` does, but only count the solutions, in constant memory.

        Parameters
        ----------
        seconds, updates, solutions, threads, executor
            As for `run`. Several threads may exceed `solutions` by the number found in one slice.

        Returns
        -------
        int
            The number of solutions found by this call.

        Raises
        ------
        TypeError, ValueError, Exception
            As for `run`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"], ["a"], ["b"]]).search().count()
        2
        """
        limits = RunLimits(
            Stop(seconds),
            False,
            check_limit(solutions, "solutions"),
            check_limit(updates, "updates"),
        )
        before = self.solutions
        n_found = self._frontier.n_found + len(self._ready)
        limits.n_counted = n_found
        if n_found <= limits.max_covers:
            self._ready.clear()
            self._frontier.clear_found()
            self._resume(limits, threads, executor)
            self._frontier.clear_found()  # covers found while subtrees were split
            self._frontier.prune()
        else:
            self._ready += map(self._spec.solution, self._frontier.take(limits.max_covers))
            del self._ready[: limits.max_covers]
        return self.solutions - before

    def __iter__(self) -> Iterator[list[int]]:
        """Iterate over the remaining solutions, in constant memory."""
        stop = Stop()
        limits = RunLimits(stop, True, UNLIMITED, UNLIMITED)
        frontier = self._frontier
        worker = Worker(frontier.n_levels, collect=True, is_alone=True)
        while frontier.subtrees or self._ready:
            while self._ready:
                solution = self._ready[0]
                del self._ready[0]  # no function call, so Ctrl-C cannot interrupt
                yield solution
            if not frontier.subtrees:
                return
            subtree = frontier.subtrees[0]
            if subtree.found:
                solution = self._spec.solution(subtree.found[0])
                del subtree.found[0]
                yield solution
            elif subtree.is_done:
                frontier.prune()
            else:
                self.cancel_tasks()
                begin = time.perf_counter()
                worker.advance(subtree, limits)
                self._seconds += time.perf_counter() - begin

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
            In the order of the search.

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
        if check_limit(parts, "parts") < 1:
            raise ValueError("parts must be 1 or more")
        self.cancel_tasks()
        stop = Stop()
        frontier = self._frontier
        buffer = CoverBuffer(frontier.n_levels)
        frontier.subtrees = split_subtrees(frontier.subtrees, parts, buffer, stop)
        searches = [
            Search(self._spec, [subtree])
            for subtree in frontier.remove_all()
            if subtree.found or not subtree.is_done
        ]
        if self._ready:
            searches = searches or [Search(self._spec, [])]
            searches[0]._ready = self._ready
            searches[0]._frontier.past[0] += len(self._ready)
            frontier.past[0] -= len(self._ready)
            self._ready = []
        return searches

    def estimate(self, paths: int = 1000, seed: int = 0, *, samples: int | None = None) -> Estimate:
        """Estimate the size of the whole search, from its beginning, by random paths.

        Parameters
        ----------
        paths : int, default: 1000
            The number of random paths.
        seed : int, default: 0
            The seed for the random paths.
        samples : int, optional
            The former name of `paths`; deprecated.

        Returns
        -------
        Estimate
            Means with their standard errors: the numbers of solutions, nodes and updates.

        Raises
        ------
        ValueError
            If `paths` is less than 1.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> estimate = ExactCover([["a"], ["a"], ["b"], ["b"]]).search().estimate(10)
        >>> estimate.solutions, estimate.nodes
        (4.0, 3.0)
        """
        if samples is not None:
            warnings.warn("samples is now called paths", DeprecationWarning, stacklevel=2)
            paths = samples
        if check_limit(paths, "paths") < 1:
            raise ValueError("paths must be 1 or more")
        return estimate_size(self._spec.start(), paths, seed)

    @property
    def progress(self) -> Progress:
        """The progress of the search."""
        remaining = self._frontier.unfinished()
        choices: tuple[tuple[int, int], ...] = ()
        if remaining:
            taken, branches = remaining[0].state.current_path()
            choices = tuple(zip((taken + 1).tolist(), branches.tolist(), strict=True))
        fraction = min(max(self._frontier.explored(), 0.0), 1.0) if remaining else 1.0
        return Progress(
            fraction, *self.counters(), self._seconds, choices, len(remaining), self.done
        )

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
        solutions, nodes, updates = self._frontier.counters().tolist()
        return solutions - self._frontier.n_found - len(self._ready), nodes, updates

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint, from which `load` resumes the search, also in another process.

        The file is replaced atomically. Item names are not stored.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        CheckpointError
            If `path` exists and is not a regular file.
        OSError
            If the file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> from dlx_numba import ExactCover
        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.run(solutions=1)
        [[0, 2]]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     search.save(os.path.join(folder, "search"))
        ...     Search.load(os.path.join(folder, "search")).run()
        [[1, 2]]
        """
        frontier = self._frontier
        totals = (frontier.past, frontier.past_explored, self._seconds)
        save_checkpoint(path, Checkpoint(self._spec, frontier.subtrees, self._ready, *totals))

    @classmethod
    def load(cls, path: str | os.PathLike[str], search: Search | None = None) -> Search:
        """Load a checkpoint that `save` wrote.

        Parameters
        ----------
        path : str or path-like
        search : Search, optional
            A search such as `cover.search()`. The saved search must be of the same problem and
            must have started in the same way.

        Returns
        -------
        Search
            The search, ready to be resumed.

        Raises
        ------
        CheckpointError
            If the file is not a checkpoint, is damaged, has another format version, or stores a
            search of another problem or with another algorithm. The message names the file.
        OSError
            If the file cannot be read.

        Examples
        --------
        >>> import os, tempfile
        >>> from dlx_numba import ExactCover
        >>> cover = ExactCover([["a"], ["a"], ["b"]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "search")
        ...     cover.search().save(path)
        ...     Search.load(path, cover.search()).count()
        2
        """
        spec_class = ExactCoverSpec if search is None else type(search._spec)
        loaded = load_checkpoint(path, spec_class)
        if search is not None and search._spec.fingerprint() != loaded.spec.fingerprint():
            saved, expected = loaded.spec.algorithm, search._spec.algorithm
            reason = "a search of another problem"
            if saved != expected:
                reason = f"a search with the algorithm {saved!r}, not {expected!r}"
            raise CheckpointError(os.fspath(path), reason)
        new = cls(loaded.spec, loaded.subtrees)
        new._ready, new._seconds = loaded.ready, loaded.seconds
        new._frontier.past, new._frontier.past_explored = loaded.past, loaded.explored
        return new

    def push_back(self, solutions: list[list[int]]) -> None:
        """Put solutions back, so that the next run returns them first.

        A caller that could not process all solutions of a run can put the rest back before the
        search is saved.

        Parameters
        ----------
        solutions : list of list of int
            The last solutions that `run` returned, in the same order.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> search = ExactCover([["a"], ["a"], ["b"]]).search()
        >>> search.push_back(search.run(solutions=1))
        >>> search.run()
        [[0, 2], [1, 2]]
        """
        self._ready[:0] = solutions

    def cancel_tasks(self) -> None:
        """Cancel the tasks that an executor has not returned. The next run repeats their work.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"]]).search().cancel_tasks()  # does nothing without an executor
        """
        if self._executor_runner is not None:
            self._executor_runner.cancel_tasks()
            self._executor_runner = None

    def __repr__(self) -> str:
        return f"<Search: {'done, ' * self.done}{self.progress}>"

    def _repr_html_(self) -> str:
        return self.progress._repr_html_()

    def _resume(self, limits: RunLimits, threads: int, executor: Executor | None) -> None:
        """Explore until a limit is reached; signals are deferred."""
        if check_integer(threads, "threads") < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
        frontier, runner = self._frontier, self._executor_runner
        if executor is None or (runner is not None and runner.executor is not executor):
            self.cancel_tasks()
        begin = time.perf_counter()
        try:
            if executor is None:
                n_threads = min(threads, MAX_THREADS)
                ThreadRunner(frontier.subtrees, limits, frontier.n_levels).run(n_threads)
            else:
                self._executor_runner = self._executor_runner or ExecutorRunner(executor)
                self._executor_runner.run(frontier.subtrees, limits, frontier.n_levels)
        finally:
            self._seconds += time.perf_counter() - begin
