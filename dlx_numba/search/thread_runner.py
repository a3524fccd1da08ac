"""Explore subtrees in one thread, or in several that steal work from each other."""

import threading
import time
from _thread import RLock
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..kernels.cover_array import Translation
from ..kernels.dlx.branching import Branching
from ..kernels.subtree import Subtree
from ..runtime.arguments import UNLIMITED, check_integer
from ..runtime.interrupts import MAX_THREADS, UPDATES_PER_SLICE, Stop
from ..runtime.resources import default_threads
from ..runtime.workers import Task, TaskThreads, call_in_thread
from .prepared import PreparedProblem

ALONE_UPDATES = 1 << 15  # of a search, at least, before it starts threads: about a millisecond
MIN_UPDATES_PER_SLICE = 1 << 13
MAX_FIRST_UPDATES = 1 << 16  # of a slice whose duration is unknown: half of a millisecond
# The intended duration of a slice. Between two slices, a thread notices that it should stop.
MAX_SLICE_SECONDS = 0.01
# A thread without work interrupts the slice of another one, but not earlier, because a split takes
# some 0.2 ms. If it still gets no work, it asks again at growing intervals.
MIN_SLICE_SECONDS = 0.0005
RETRY_SECONDS = 0.001
MAX_COLLECTED = 1 << 14  # covers in a slice: a few milliseconds


class Workers(NamedTuple):
    """The threads of a run, or the executor that replaces them, which a pickle leaves out."""

    n_threads: int | None = 1  # None for all processors
    executor: Executor | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Workers, (self.n_threads,)


ALONE = Workers()  # the calling thread


@dataclass
class RunLimits:
    """The limits of a run, and how much of them is used."""

    stop: Stop  # a time limit or a cancellation
    translate: Translation | None  # how covers are collected; None if they are only counted
    max_covers: int
    updates: int  # the remaining budget
    n_counted: int = 0  # the number of covers found by the run
    workers: Workers = ALONE
    is_last: bool = False  # whether no run follows, so that tasks which have not returned are lost
    n_pending: int = 0  # what a call that counts is to report
    is_withdrawn: bool = False  # whether only that call can report it, as a later run does not

    def record(self, n_covers: int, updates: int) -> None:
        """Account for the covers that a slice or a task has found, and its updates."""
        self.n_counted += n_covers
        self.updates -= updates

    def has_work(self, subtree: Subtree) -> bool:
        """Return whether the run needs a subtree to be explored further."""
        return not subtree.is_done and len(subtree.found) < self.max_covers

    def are_met(self, subtrees: Sequence[Subtree]) -> bool:
        """Return whether the run has found enough covers.

        If covers are collected, only those that precede all unexplored parts of the tree count,
        because they are returned in the order of the search.
        """
        if self.translate is None:
            return self.n_counted >= self.max_covers
        n_found = 0
        for subtree in subtrees:
            n_found += len(subtree.found)
            if n_found >= self.max_covers:
                return True
            if not subtree.is_done:
                return False
        return False

    def are_spent(self) -> bool:
        """Return whether the run is stopped or its budget of updates is spent."""
        return self.updates <= 0 or self.stop()


class ThreadRunner:
    """A run that explores the subtrees of a search, first in the calling thread only.

    Parameters
    ----------
    subtrees : list of Subtree
        In the order of the search.
    limits : RunLimits
    lock : RLock
        Held while subtrees are modified, except for those that kernels explore, which are busy.
    n_threads : int or None, default: 1
        The largest number of threads; None for all processors.
    updates_before : int, default: 0
        The updates of earlier runs of the search.
    """

    def __init__(
        self,
        subtrees: list[Subtree],
        limits: RunLimits,
        lock: RLock,
        n_threads: int | None = 1,
        updates_before: int = 0,
    ) -> None:
        self.subtrees = subtrees
        self.limits = limits
        self.lock = lock
        self.n_threads = 1  # that explore now; see `explore_with_threads`
        self.max_threads = n_threads
        self.n_updates = updates_before  # of all runs
        self.start = time.perf_counter()
        self.speed = 0.0  # updates per second in the last slice that took some time
        # Notified when a thread that waits for work may continue
        self.work_available = threading.Condition(lock)
        for subtree in subtrees:
            subtree.is_busy = False  # an error may have ended an earlier run

    def explore(self) -> None:
        """Explore subtrees in this thread until a limit is reached or no work is left.

        While there is a single thread and more are permitted, it also ends when they would pay off.
        A slice is to take as long as the run so far, up to MAX_SLICE_SECONDS.
        """
        limits = self.limits
        may_start_threads = self.n_threads != self.max_threads
        max_covers = 1  # of the next slice; starts low, because few may be wanted
        subtree = self._claim(None)
        while subtree is not None:
            begin = time.perf_counter()
            intended_seconds = min(begin - self.start, MAX_SLICE_SECONDS)
            updates = int(self.speed * intended_seconds)
            if may_start_threads:  # whether they start does not depend on the clock
                updates = ALONE_UPDATES - self.n_updates
            updates = min(updates, UPDATES_PER_SLICE)
            # While the speed is unknown, slices grow with the search.
            min_updates = max(MIN_UPDATES_PER_SLICE, min(self.n_updates >> 1, MAX_FIRST_UPDATES))
            updates = min(max(updates, min_updates), limits.updates)
            # Read without the lock: several threads may together count more than are wanted.
            wanted = limits.max_covers - limits.n_counted
            if limits.translate is not None:  # each subtree collects its own
                wanted = min(max_covers, limits.max_covers - len(subtree.found))
                max_covers = min(2 * max_covers, MAX_COLLECTED)
            n_found, n_updates = subtree.explore(updates, wanted, limits.translate)
            end = time.perf_counter()
            speed = n_updates / (end - begin)
            # Short slices are slow: such a speed only counts if it is higher than the last one.
            if speed > self.speed or end - begin > intended_seconds / 2:
                self.speed = speed
            with self.lock:
                limits.record(n_found, n_updates)
                subtree.is_busy = False
                subtree.observe(end)
                self.n_updates += n_updates
                is_over = may_start_threads and self._threads_pay_off()
                subtree = None if is_over else self._claim(subtree)

    def has_work(self) -> bool:
        """Return whether no limit is reached and there is work left."""
        limits = self.limits
        if limits.are_spent() or limits.are_met(self.subtrees):
            return False
        return any(map(limits.has_work, self.subtrees))

    def explore_with_threads(self) -> None:
        """Explore subtrees in all threads until a limit is reached or no work is left."""
        self.n_threads = self.max_threads = self.max_threads or default_threads()
        call_in_thread(self._run_threads)

    def _run_threads(self) -> None:
        """Let all threads explore, and wait for them; an error in one of them ends the others."""
        threads = TaskThreads(self.n_threads)
        tasks = list[Task[None]]()  # of all threads but this one
        try:
            for _ in range(self.n_threads - 1):
                tasks.append(threads.submit(self._explore_in_thread))
            self.explore()
        except BaseException:  # also if the system starts no more threads
            self.limits.stop.cancel()
            raise
        finally:
            threads.close()
            for task in tasks:
                task.wait()
        for task in tasks:
            task.result()  # raises the error of its thread

    def _explore_in_thread(self) -> None:
        """Explore subtrees in one of several threads; an error ends the run of all."""
        try:
            self.explore()
        except BaseException:
            self.limits.stop.cancel()
            raise

    def _threads_pay_off(self) -> bool:
        """Return whether threads should be started: the search is expected to take long.

        The estimate of the remaining work is not trusted for long.
        """
        updates = self.n_updates
        if updates < ALONE_UPDATES:
            return False
        remaining = sum(map(Subtree.remaining, self.subtrees))
        # If the fraction `remaining` is left, updates * remaining / (1 - remaining) are expected to
        # follow: threads pay off for more than the first limit, and after the second in any case.
        min_expected = 3 * ALONE_UPDATES
        max_alone = 5 * ALONE_UPDATES
        return updates > max_alone or updates * remaining > min_expected * (1 - remaining)

    def _claim(self, last: Subtree | None) -> Subtree | None:
        """Return `last`, or else a subtree that no thread is exploring, which is busy then.

        Splits it if there are fewer subtrees than threads. Waits if only other threads have work.
        Returns None if the run must end.
        """
        limits = self.limits
        retry_seconds = RETRY_SECONDS
        with self.lock:
            while not (limits.are_spent() or limits.are_met(self.subtrees)):
                open_subtrees = [subtree for subtree in self.subtrees if limits.has_work(subtree)]
                idle = [subtree for subtree in open_subtrees if not subtree.is_busy]
                if idle:
                    subtree = last if last in idle else idle[0]
                    are_too_few = len(open_subtrees) < self.n_threads
                    if are_too_few and (new_part := subtree.split()) is not None:
                        self.subtrees.insert(self.subtrees.index(subtree) + 1, new_part)
                        self.work_available.notify()
                    subtree.claim(time.perf_counter())
                    return subtree
                if not open_subtrees:
                    break
                # All are busy: the thread that explores the largest one is to split it
                largest = max(open_subtrees, key=Subtree.remaining)
                seconds = largest.claim_time + MIN_SLICE_SECONDS - time.perf_counter()
                if seconds <= 0:
                    largest.interrupt()
                    seconds = retry_seconds
                    retry_seconds *= 2
                self.work_available.wait(min(seconds, MAX_SLICE_SECONDS))
            for subtree in self.subtrees:  # the run ends, also in the other threads
                if subtree.is_busy:
                    subtree.interrupt()
            self.work_available.notify_all()
        return None


def choose_workers(
    threads: int | None, executor: Executor | None, spec: PreparedProblem
) -> Workers:
    """Return the workers of a search, with up to MAX_THREADS threads.

    Each thread would make random choices of its own, so a search with random choices has a single
    thread by default: the same seed gives the same order. A literal search always has a single one,
    because it is not divided.

    Raises ValueError if the number is less than 1, or a literal search has an executor.
    """
    if executor is not None:
        spec.reject_literal("have an executor")
    if threads is None:
        is_alone = spec.rule.is_literal or spec.rule.branching == Branching.RANDOM
        return Workers(1 if is_alone else None, executor)
    n_threads = check_integer(threads, "threads", "for all processors", minimum=1)
    return Workers(1 if spec.rule.is_literal else min(n_threads, MAX_THREADS), executor)


def check_limit(number: int | None, name: str, minimum: int = 0) -> int:
    """Return a limit as a number, UNLIMITED for None. Raises ValueError if it is too small."""
    if number is None:
        return UNLIMITED
    return min(check_integer(number, name, "for no limit", minimum=minimum), UNLIMITED)
