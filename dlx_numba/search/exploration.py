"""Explore a search tree in parts, in threads or by tasks of an executor, and take what is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..kernels.cover_array import CoverArray, join_covers
from ..kernels.subtree import CounterArray, Subtree
from ..runtime.arguments import UNLIMITED
from ..runtime.interrupts import Stop
from ..runtime.job import Counters, Work
from ..runtime.workers import call_in_thread
from .executor_runner import ExecutorRunner
from .prepared import PreparedProblem
from .presolving import Presolving
from .progress import Progress, describe_search
from .proof import Proof
from .resumable import Resumable, ResumableJob
from .thread_runner import ALONE, RunLimits, ThreadRunner, Workers


class Found(NamedTuple):
    """The covers that an exploration has found."""

    covers: CoverArray
    is_complete: bool  # whether there are no others, or these are as many as are wanted


class SearchTree(Resumable):
    """A search tree, or subtrees in the order of the search, which are explored in parts.

    Parameters
    ----------
    spec : PreparedProblem
    subtrees : list of Subtree, optional
        By default, the whole tree.
    workers : Workers
        Who explores, unless the limits of a run say something else.
    """

    def __init__(
        self,
        spec: PreparedProblem,
        subtrees: list[Subtree] | None = None,
        workers: Workers = ALONE,
    ) -> None:
        super().__init__("search")
        self._spec = spec  # replaced by a smaller problem if presolving pays off
        self.workers = workers
        self.subtrees = [spec.start()] if subtrees is None else subtrees
        # A literal search is never divided, so its tree has the numbers of all `levels`.
        self._tree = self.subtrees[0] if spec.rule.is_literal else None
        self._past: CounterArray = np.zeros(3, np.int64)  # of subtrees that are removed
        self._past_explored = 0.0  # the fraction of the whole tree that was explored in them
        self._executor_runner: ExecutorRunner | None = None
        self.proof = Proof(spec)
        self._presolving = Presolving(spec)

    def _pickled(self) -> dict[str, Any]:
        """Return the attributes to be pickled; the tasks of an executor belong to this process."""
        return {**self.__dict__, "_executor_runner": None}

    @property
    def spec(self) -> PreparedProblem:
        """The problem that is searched. Presolving may have removed parts of it."""
        return self._spec

    @property
    def done(self) -> bool:
        """Whether the tree is explored, and all covers are taken."""
        return self.is_explored and not self._n_kept()

    @property
    def is_explored(self) -> bool:
        """Whether all covers have been found."""
        return all(subtree.is_done for subtree in self.subtrees)

    @property
    def _n_updates(self) -> int:
        """The updates so far; read by the thread that explores."""
        return int(self._past[2]) + sum(subtree.n_updates for subtree in self.subtrees)

    @property
    def levels(self) -> list[int] | None:
        """The number of nodes of each level, if the search is literal."""
        return None if self._tree is None else self._tree.levels

    @property
    def explored(self) -> float:
        """Knuth's estimate of the explored fraction of the tree."""
        with self._use.data_lock:
            explored = self._past_explored + sum(subtree.explored() for subtree in self.subtrees)
            return 1.0 if self.is_explored else min(max(explored, 0.0), 1.0)

    @property
    def progress(self) -> Progress:
        """The progress of the search; during a run, as of a few hundredths of a second ago."""
        return self._progress()

    def _progress(self, fraction: float | None = None, solutions: int | None = None) -> Progress:
        """Return the progress, with the fraction and the number of solutions that are known."""
        with self._use.data_lock:
            remaining = (subtree for subtree in self.subtrees if not subtree.is_done)
            choices = next((subtree.choices() for subtree in remaining), ())
            counters = self.counters()
            if solutions is not None:
                counters = counters._replace(solutions=solutions)
            explored = self.explored if fraction is None else fraction
            return describe_search(explored, counters, self.clock.seconds, choices)

    def __str__(self) -> str:
        return str(self.progress)

    def counters(self) -> Counters:
        """Return the numbers of solutions returned, nodes entered and updates so far.

        Returns
        -------
        tuple of int
            The fields `solutions`, `nodes` and `updates`.

        Examples
        --------
        >>> from dlx_numba import ExactCover
        >>> ExactCover([["a"]]).search().counters()
        Counters(solutions=0, nodes=0, updates=0)
        """
        with self._use.data_lock:
            total = self._past
            for subtree in self.subtrees:
                total = total + subtree.counters
            solutions, nodes, updates = total.tolist()
            return Counters(solutions - self._n_kept(), nodes, updates)

    def _n_kept(self) -> int:
        """Return the number of covers that have been found, but are neither taken nor counted."""
        return sum(len(subtree.found) for subtree in self.subtrees)

    def _explore(self, limits: RunLimits) -> None:
        """Explore until a limit is reached, with pauses for presolving and for proofs.

        While presolving may change the order of covers, a single thread explores, up to the first
        cover. `limits` records what is used of them.
        """
        runner = self._executor_runner
        executor = limits.workers.executor
        if runner is not None and runner.executor is not executor:
            self._cancel_tasks()
        with self.clock:
            # Each part of the run ends at the next pause, if its limits permit it.
            while (n_to_pause := max(0, self._pause - self._n_updates)) < limits.updates:
                pause = self._pause
                part = replace(limits, updates=n_to_pause)
                may_presolve = self._presolving.updates < UNLIMITED
                is_sample = limits.translate is not None and may_presolve
                if is_sample:  # other workers could find a later cover before presolving
                    part.workers = ALONE
                    part.max_covers = min(1, limits.max_covers)
                self._explore_part(part)
                limits.record(part.n_counted - limits.n_counted, n_to_pause - part.updates)
                if is_sample and self._n_kept():  # presolving would change the order of covers
                    self._presolving.updates = UNLIMITED
                if self._n_updates >= self._presolving.updates:
                    self._presolve(limits)
                if self._n_updates >= self.proof.updates:
                    self._end_if_impossible(limits.stop)
                # No attempt was made or completed: there are covers, or the part has ended early.
                if self._pause == pause:
                    break
            self._explore_part(limits)  # what remains of the run
        if limits.is_last and executor is not None:
            call_in_thread(self._cancel_tasks)

    def _explore_part(self, limits: RunLimits) -> None:
        """Explore, without pauses, until a limit is reached or all covers have been found."""
        n_threads, executor = limits.workers
        lock = self._use.data_lock
        if executor is None:
            runner = ThreadRunner(self.subtrees, limits, lock, n_threads, self._n_updates)
            runner.explore()
            if n_threads != 1 and runner.has_work():
                runner.explore_with_threads()
        else:
            if self._executor_runner is None:  # a proof cancels the tasks, and their runner
                self._executor_runner = ExecutorRunner(executor, self._spec.translation)
            tasks = self._executor_runner
            call_in_thread(lambda: tasks.run(self.subtrees, limits, lock))

    @property
    def _pause(self) -> int:
        """The updates after which the search pauses."""
        return min(self.proof.updates, self._presolving.updates)

    def _presolve(self, limits: RunLimits) -> None:
        """Search a smaller problem from now on if presolving yields one.

        Its search begins anew, and finds covers in another order. Thus covers must not have been
        found already, unless all are only counted: then the count begins again.
        """
        n_taken, *work = self.counters()  # the work: nodes and updates
        n_found = n_taken + self._n_kept()
        # A `Search`, which reports covers, never presolves, so the counters here are the count. The
        # counters of components subtract what they have counted from a limit, also from UNLIMITED.
        is_whole_count = limits.translate is None and limits.max_covers + n_found >= UNLIMITED
        if n_found and not is_whole_count:
            self._presolving.updates = UNLIMITED  # never presolve
            return
        spec = self._spec if self.is_explored else self._presolving.attempt(limits.stop)
        if spec != self._spec:
            self._cancel_tasks()
            with self._use.data_lock:
                self._spec = spec
                self.subtrees[:] = [spec.start()]
                self._past = np.array([0, *work])
                self._past_explored = 0.0
                self.proof = Proof(spec)
            if limits.translate is not None:  # its options have other numbers
                limits.translate = spec.translation

    def _end_if_impossible(self, stop: Stop) -> None:
        """End a search without covers if a coloring or weights prove that there is none."""
        has_covers = self.counters().solutions or self._n_kept()
        if not (self.done or has_covers or stop()) and self.proof.succeeds(stop):
            self._cancel_tasks()
            with self._use.data_lock:
                for subtree in self.subtrees:
                    self._past = self._past + subtree.counters
                self.subtrees.clear()
                self._past_explored = 1.0

    def _cancel_tasks(self) -> None:
        if self._executor_runner is not None:
            self._executor_runner.cancel_tasks()
            self._executor_runner = None

    def _take(self, wanted: int, skips_gaps: bool = False) -> CoverArray:
        """Take solutions from the subtrees: up to `wanted`, in the order of the search.

        Unless it `skips_gaps`, only those that precede everything unexplored are taken. Subtrees
        that are done and have no others left are removed.
        """
        with self._use.data_lock:
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
        """Discard covers that have been found and not taken; they stay counted."""
        with self._use.data_lock:
            self._take(wanted, skips_gaps=True)


class Exploration(SearchTree, ResumableJob):
    """The exploration of a search tree, for other jobs; `Search` is for users.

    It can be used while no other thread uses it: an exception discards it.
    """

    @property
    def work(self) -> int:
        """The updates so far."""
        return self._n_updates

    def progress_with(self, fraction: float | None, solutions: int | None) -> Progress:
        """Return the progress, with the fraction and the number of solutions that are known."""
        return self._progress(fraction, solutions)

    def end_if_impossible(self, stop: Stop) -> None:
        """End a search without covers if a coloring or weights prove that there is none."""
        self._end_if_impossible(stop)

    def step(self, work: Work) -> None:
        """Count covers."""
        updates = UNLIMITED if work.until >= UNLIMITED else int(work.until) - self.work
        self.count_covers(work.stop, updates=updates)

    def find_covers(self, stop: Stop, wanted: int, updates: int = UNLIMITED) -> Found:
        """Return the next covers, up to a number of them, or what is found with some updates."""
        translation = self._spec.translation
        self._explore(
            RunLimits(stop, translation, wanted, updates, workers=self.workers, is_last=True)
        )
        covers = self._take(wanted)
        return Found(covers, self.is_explored or len(covers) == wanted)

    def count_covers(
        self,
        stop: Stop,
        wanted: int = UNLIMITED,
        updates: int = UNLIMITED,
        workers: Workers | None = None,
    ) -> bool:
        """Count covers until there are as many as are wanted, or with some updates.

        Return whether there are no others, or as many as are wanted. That supposes that none were
        counted before; a caller that continues a count reads the counters.
        """
        workers = workers or self.workers
        self._explore(RunLimits(stop, None, wanted, updates, workers=workers, is_last=True))
        self._discard_found()
        return self.is_explored or self.counters().solutions >= wanted
