"""Work-stealing threads over subtrees."""

import threading
import time
from _thread import RLock
from functools import cached_property

from ..kernels.subtree import Subtree
from ..runtime.interrupts import UPDATES_PER_SLICE
from ..runtime.resources import default_threads
from ..runtime.workers import Task, TaskThreads
from .limits import RunLimits
from .splitting import insert_after

ALONE_SECONDS = 0.001  # of a search, at least, before it starts threads
MIN_UPDATES_PER_SLICE = 1 << 13
# The intended duration of a slice. Between two slices, a thread notices that it should stop.
MAX_SLICE_SECONDS = 0.01
# A thread without work interrupts the slice of another one, but not earlier, because a split takes
# some 0.2 ms. If it still gets no work, it asks again at growing intervals.
MIN_SLICE_SECONDS = 0.0005
RETRY_SECONDS = 0.001
MAX_COLLECTED = 1024  # covers in a slice


class ThreadRunner:
    """Explores the subtrees of a search with one or several threads, in one run.

    Parameters
    ----------
    subtrees : list of Subtree
        In the order of the search. The list is modified: split subtrees are inserted in order.
    limits : RunLimits
    lock : RLock
        Held while subtrees are modified, except for one that a kernel explores, which is busy.
    max_threads : int or None, default: 1
        The number of threads, unless the search is too short. None is one per processor.
    seconds_before : float, default: 0
        For how long earlier runs have explored the search.
    """

    def __init__(
        self,
        subtrees: list[Subtree],
        limits: RunLimits,
        lock: RLock,
        max_threads: int | None = 1,
        seconds_before: float = 0.0,
    ) -> None:
        self.subtrees, self.limits, self.lock = subtrees, limits, lock
        self.max_threads = max_threads
        self.n_threads = 1
        self.is_alone = max_threads != 1  # whether the first thread may start others
        self.start = time.perf_counter() - seconds_before
        self.speed = 0.0  # updates per second in the last slice that took some time
        for subtree in subtrees:
            subtree.is_busy = False  # an error may have ended an earlier run

    @cached_property
    def work_available(self) -> threading.Condition:
        """Notified when a thread that waits for work may continue. Most runs have one thread."""
        return threading.Condition(self.lock)

    def run(self) -> None:
        """Explore the subtrees until a limit is reached or all are done.

        Several threads must not be run from the main thread: an exception of a signal handler could
        leave the condition locked.
        """
        self.explore()
        if self.max_threads == 1 or not self.has_work():
            return
        self.is_alone = False
        self.n_threads = self.max_threads or default_threads()
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

    def explore(self) -> None:
        """Explore subtrees in this thread until a limit is reached or no work is left.

        The exploration also ends if the thread may start others and that pays off.
        """
        limits = self.limits
        max_covers = 1  # of the next slice; starts low, because few may be wanted
        subtree = self._claim(None)
        while subtree is not None:
            begin = time.perf_counter()
            elapsed = begin - self.start
            intended = min(elapsed, ALONE_SECONDS / 2 if self.is_alone else MAX_SLICE_SECONDS)
            updates = min(int(self.speed * intended), UPDATES_PER_SLICE)
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
                subtree = None if self._pays_off(end) else self._claim(subtree)

    def has_work(self) -> bool:
        """Return whether no limit is reached and there is work left."""
        limits = self.limits
        if limits.are_spent() or limits.are_met(self.subtrees):
            return False
        return any(map(limits.has_work, self.subtrees))

    def _pays_off(self, now: float) -> bool:
        """Return whether the first thread should start others: the search is expected to take long.

        The estimate of the remaining work is not trusted for long.
        """
        seconds = now - self.start
        if not self.is_alone or seconds < ALONE_SECONDS:
            return False
        remaining = sum(map(Subtree.remaining, self.subtrees))
        n_more, n_most = 3, 5  # as long as ALONE_SECONDS
        return seconds > n_most * ALONE_SECONDS or (
            seconds * remaining > n_more * ALONE_SECONDS * (1 - remaining)
        )

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
            if self.n_threads > 1:  # the run ends
                for subtree in self.subtrees:
                    if subtree.is_busy:
                        subtree.interrupt()
                self.work_available.notify_all()
        return None
