"""Threads that explore subtrees, and split them when a thread runs out of work."""

import threading
import time

from ..kernels.resumable import CoverBuffer
from ..runtime.interrupts import UPDATES_PER_SLICE
from .limits import RunLimits
from .subtree import Subtree

MIN_UPDATES_PER_SLICE = 1 << 15
MAX_SLICE_SECONDS = 0.03  # the intended duration of a slice of a single thread
# With several threads, slices start short, because idle threads get work only between two slices,
# and grow in proportion to the duration of the run.
MIN_SLICE_SECONDS = 0.002
RUN_SECONDS_PER_SLICE_SECOND = 50


class Worker:
    """The state of one thread: its subtree, a buffer for covers, and the size of its slices.

    Parameters
    ----------
    n_levels : int
        An upper bound on the number of options in a cover.
    collect : bool
        Whether covers are collected; otherwise they are counted.
    is_alone : bool
        Whether no other thread may be waiting for work.
    """

    def __init__(self, n_levels: int, collect: bool, is_alone: bool) -> None:
        self.is_alone = is_alone
        self.subtree: Subtree | None = None
        self.buffer = CoverBuffer(n_levels) if collect else None
        self.max_covers = 1  # of the next slice; starts low, because few may be wanted
        self.start_time = time.perf_counter()
        self.slice_updates = MIN_UPDATES_PER_SLICE

    def advance(self, subtree: Subtree, limits: RunLimits) -> None:
        """Explore a subtree for one slice."""
        updates = min(self.slice_updates, limits.updates)
        begin = time.perf_counter()
        if self.buffer is None:
            subtree.count(updates, limits.max_covers - limits.n_counted)
        else:
            max_covers = min(self.max_covers, limits.max_covers - len(subtree.found))
            subtree.collect(updates, max_covers, self.buffer)
            self.max_covers = min(2 * self.max_covers, self.buffer.max_covers)
        end = time.perf_counter()
        intended = MAX_SLICE_SECONDS
        if not self.is_alone:
            proportional = (end - self.start_time) / RUN_SECONDS_PER_SLICE_SECOND
            intended = min(max(MIN_SLICE_SECONDS, proportional), MAX_SLICE_SECONDS)
        if end - begin < intended / 2:
            self.slice_updates = min(2 * self.slice_updates, UPDATES_PER_SLICE)
        elif end - begin > 2 * intended:
            self.slice_updates = max(self.slice_updates // 2, MIN_UPDATES_PER_SLICE)


class ThreadRunner:
    """Explores the subtrees of a search with one or several threads, in one run.

    Parameters
    ----------
    subtrees : list of Subtree
        In the order of the search. The list is modified: split subtrees are inserted in order.
    limits : RunLimits
    n_levels : int
        An upper bound on the number of options in a cover.
    """

    def __init__(self, subtrees: list[Subtree], limits: RunLimits, n_levels: int) -> None:
        self.subtrees, self.limits, self.n_levels = subtrees, limits, n_levels
        self.lock = threading.Condition()
        self.n_waiting = 0  # the number of threads that wait for work
        self.error: BaseException | None = None
        for subtree in subtrees:
            subtree.is_busy = False

    def run(self, n_threads: int) -> None:
        """Explore the subtrees until a limit is reached or all are done."""
        worker = Worker(self.n_levels, self.limits.collect, n_threads == 1)
        others: list[threading.Thread] = []
        try:
            # Start no other threads if the run ends within one slice.
            has_work = self._advance(worker)
            if has_work and n_threads > 1:
                self._split_for(n_threads)
            while has_work and len(others) < n_threads - 1:
                thread = threading.Thread(target=self._work, daemon=True)
                thread.start()
                others.append(thread)
            while self._advance(worker):
                pass
        except BaseException:
            self.limits.stop.cancel()
            raise
        finally:
            for thread in others:
                thread.join()
        if self.error is not None:
            raise self.error

    def _split_for(self, n_threads: int) -> None:
        """Split off a subtree for each thread, so that no thread starts without work."""
        subtrees = [subtree for subtree in self.subtrees if self.limits.has_work(subtree)]
        for subtree in subtrees:
            if len(subtrees) >= n_threads:
                return
            if (other := subtree.split()) is not None:
                self._insert_after(subtree, other)
                subtrees.append(other)

    def _work(self) -> None:
        """Explore subtrees in a thread other than the calling one."""
        try:
            worker = Worker(self.n_levels, self.limits.collect, is_alone=False)
            while self._advance(worker):
                pass
        except BaseException as error:
            self.error = error
            self.limits.stop.cancel()

    def _advance(self, worker: Worker) -> bool:
        """Explore a subtree for one slice. Return whether there was any work."""
        with self.lock:
            subtree = self._next_subtree(worker)
            if subtree is None:
                self.lock.notify_all()
                return False
            subtree.is_busy, worker.subtree = True, subtree
        counters = subtree.counters
        try:
            worker.advance(subtree, self.limits)
        finally:
            with self.lock:
                subtree.is_busy = self.limits.has_work(subtree)
                self.limits.record(subtree.counters - counters)
                if self.n_waiting and (other := subtree.split()) is not None:
                    self._insert_after(subtree, other)
                    self.lock.notify()
        return True

    def _next_subtree(self, worker: Worker) -> Subtree | None:
        """Return the worker's subtree, or one that no other thread is exploring.

        Waits for work if other threads have some. Returns None if the run must end.
        """
        limits = self.limits
        while not (limits.are_spent() or limits.are_met(self.subtrees)):
            if worker.subtree is not None and limits.has_work(worker.subtree):
                return worker.subtree
            subtrees = [subtree for subtree in self.subtrees if limits.has_work(subtree)]
            for subtree in subtrees:
                if not subtree.is_busy:
                    return subtree
            if not subtrees:
                return None
            self.n_waiting += 1
            self.lock.wait(MAX_SLICE_SECONDS)
            self.n_waiting -= 1
        return None

    def _insert_after(self, subtree: Subtree, other: Subtree) -> None:
        position = next(k for k, each in enumerate(self.subtrees) if each is subtree)
        self.subtrees.insert(position + 1, other)
