"""Explore subtrees in one thread, or in several that steal work from each other."""

import threading
import time
from _thread import RLock

from ..kernels.subtree import Subtree
from ..runtime.interrupts import UPDATES_PER_SLICE
from ..runtime.resources import default_threads
from ..runtime.workers import Task, TaskThreads
from .limits import RunLimits
from .splitting import insert_after

ALONE_UPDATES = 1 << 15  # of a search, at least, before it starts threads: about a millisecond
MIN_UPDATES_PER_SLICE = 1 << 13
# The intended duration of a slice. Between two slices, a thread notices that it should stop.
MAX_SLICE_SECONDS = 0.01
# A thread without work interrupts the slice of another one, but not earlier, because a split takes
# some 0.2 ms. If it still gets no work, it asks again at growing intervals.
MIN_SLICE_SECONDS = 0.0005
RETRY_SECONDS = 0.001
MAX_COLLECTED = 1024  # covers in a slice


class SequentialRunner:
    """A run that explores the subtrees of a search in the calling thread.

    Parameters
    ----------
    subtrees : list of Subtree
        In the order of the search.
    limits : RunLimits
    lock : RLock
        Held while subtrees are modified, except for one that a kernel explores, which is busy.
    updates_before : int, default: 0
        The updates of earlier runs of the search.
    may_start_threads : bool, default: False
        Whether the run also ends when threads would pay off, so that they can continue it.
    """

    def __init__(
        self,
        subtrees: list[Subtree],
        limits: RunLimits,
        lock: RLock,
        updates_before: int = 0,
        may_start_threads: bool = False,
    ) -> None:
        self.subtrees, self.limits, self.lock = subtrees, limits, lock
        self.may_start_threads = may_start_threads
        self.updates_alone = updates_before
        self.start = time.perf_counter()
        self.speed = 0.0  # updates per second in the last slice that took some time
        for subtree in subtrees:
            subtree.is_busy = False  # an error may have ended an earlier run

    def explore(self) -> None:
        """Explore subtrees in this thread until a limit is reached or no work is left."""
        limits = self.limits
        max_covers = 1  # of the next slice; starts low, because few may be wanted
        subtree = self._claim(None)
        while subtree is not None:
            begin = time.perf_counter()
            intended = min(begin - self.start, MAX_SLICE_SECONDS)
            updates = min(int(self.speed * intended), UPDATES_PER_SLICE)
            if self.may_start_threads:  # whether they start does not depend on the clock
                updates = MIN_UPDATES_PER_SLICE
            updates = min(max(updates, MIN_UPDATES_PER_SLICE), limits.updates)
            wanted = limits.max_covers - limits.n_counted
            if limits.translate is not None:
                wanted = min(max_covers, limits.max_covers - len(subtree.found))
                max_covers = min(2 * max_covers, MAX_COLLECTED)
            work = subtree.explore(updates, wanted, limits.translate)
            end = time.perf_counter()
            speed = work[1] / (end - begin)
            if speed > self.speed or end - begin > intended / 2:  # short slices are slow
                self.speed = speed
            with self.lock:
                limits.record(*work)
                subtree.is_busy = False
                subtree.observe(end)
                self.updates_alone += work[1]
                subtree = None if self._pays_off() else self._claim(subtree)

    def has_work(self) -> bool:
        """Return whether no limit is reached and there is work left."""
        limits = self.limits
        if limits.are_spent() or limits.are_met(self.subtrees):
            return False
        return any(map(limits.has_work, self.subtrees))

    def _pays_off(self) -> bool:
        """Return whether threads should be started: the search is expected to take long.

        The estimate of the remaining work is not trusted for long.
        """
        updates = self.updates_alone
        if not self.may_start_threads or updates < ALONE_UPDATES:
            return False
        remaining = sum(map(Subtree.remaining, self.subtrees))
        n_more, n_most = 3, 5  # times as much work as ALONE_UPDATES
        return updates > n_most * ALONE_UPDATES or (
            updates * remaining > n_more * ALONE_UPDATES * (1 - remaining)
        )

    def _claim(self, last: Subtree | None) -> Subtree | None:
        """Return `last`, or else the first subtree with work, which is busy then.

        Returns None if the run must end.
        """
        if not self.has_work():
            return None
        if last is None or not self.limits.has_work(last):
            last = next(filter(self.limits.has_work, self.subtrees))
        with self.lock:
            last.claim(time.perf_counter())
        return last


class ThreadRunner(SequentialRunner):
    """A run that explores the subtrees of a search with several threads.

    Subtrees are split for threads without work, and inserted in order.

    Parameters
    ----------
    runner : SequentialRunner
        The run in one thread, which this one continues.
    n_threads : int or None
        The number of threads. None is one per processor.
    """

    def __init__(self, runner: SequentialRunner, n_threads: int | None) -> None:
        super().__init__(runner.subtrees, runner.limits, runner.lock)
        self.start, self.speed = runner.start, runner.speed
        self.n_threads = n_threads or default_threads()
        # Notified when a thread that waits for work may continue
        self.work_available = threading.Condition(self.lock)

    def run(self) -> None:
        """Explore the subtrees until a limit is reached or all are done.

        This must not be run from the main thread: an exception of a signal handler could leave the
        condition locked.
        """
        threads, others = TaskThreads(self.n_threads), list[Task[None]]()
        try:
            for _ in range(self.n_threads - 1):
                others.append(threads.submit(self._explore_in_thread))
            self.explore()
        except BaseException:  # also if the system starts no more threads
            self.limits.stop.cancel()
            raise
        finally:
            threads.close()
            for other in others:
                other.wait()
        for other in others:
            other.result()

    def _explore_in_thread(self) -> None:
        """Explore subtrees in one of several threads; an error ends the run of all."""
        try:
            self.explore()
        except BaseException:
            self.limits.stop.cancel()
            raise

    def _claim(self, last: Subtree | None) -> Subtree | None:
        """Return `last`, or else a subtree that no thread is exploring, which is busy then.

        Splits it if there are fewer subtrees than threads. Waits if only other threads have work.
        Returns None if the run must end.
        """
        limits = self.limits
        retry_seconds = RETRY_SECONDS
        with self.lock:
            while not (limits.are_spent() or limits.are_met(self.subtrees)):
                subtrees = [subtree for subtree in self.subtrees if limits.has_work(subtree)]
                idle = [subtree for subtree in subtrees if not subtree.is_busy]
                if idle:
                    subtree = last if last in idle else idle[0]
                    if len(subtrees) < self.n_threads and (other := subtree.split()) is not None:
                        insert_after(self.subtrees, subtree, other)
                        self.work_available.notify()
                    subtree.claim(time.perf_counter())
                    return subtree
                if not subtrees:
                    break
                largest = max(subtrees, key=Subtree.remaining)
                seconds = largest.claim_time + MIN_SLICE_SECONDS - time.perf_counter()
                if seconds <= 0:
                    largest.interrupt()
                    seconds, retry_seconds = retry_seconds, 2 * retry_seconds
                self.work_available.wait(min(seconds, MAX_SLICE_SECONDS))
            for subtree in self.subtrees:  # the run ends
                if subtree.is_busy:
                    subtree.interrupt()
            self.work_available.notify_all()
        return None
