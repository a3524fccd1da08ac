"""Work-stealing threads over subtrees."""

import math
import threading
import time
from _thread import RLock
from functools import cache, cached_property

from ..kernels.subtree import Subtree
from ..runtime.interrupts import UPDATES_PER_SLICE
from ..runtime.resources import default_threads
from .limits import RunLimits
from .splitting import insert_after

ALONE_SECONDS = 0.003  # of a search, before it starts threads
MIN_UPDATES_PER_SLICE = 1 << 13
# The intended duration of a slice. Between two slices, a thread notices that it should stop.
MAX_SLICE_SECONDS = 0.01
# With several threads, slices start shorter, because idle threads get work only between two slices,
# and grow in proportion to the duration of the run.
MIN_SLICE_SECONDS = 0.002
RUN_SECONDS_PER_SLICE_SECOND = 50
MAX_COLLECTED = 1024  # covers in a slice

count_processors = cache(default_threads)  # which takes a good part of a millisecond


class ThreadRunner:
    """Explores the subtrees of a search with one or several threads, in one run.

    Parameters
    ----------
    subtrees : list of Subtree
        In the order of the search. The list is modified: split subtrees are inserted in order.
    limits : RunLimits
    lock : RLock
        Held while subtrees are modified, except for one that a kernel explores, which is busy.
    """

    def __init__(self, subtrees: list[Subtree], limits: RunLimits, lock: RLock) -> None:
        self.subtrees, self.limits, self.lock = subtrees, limits, lock
        self.n_threads = 1
        self.n_waiting = 0  # the number of threads that wait for work
        self.error: BaseException | None = None

    @cached_property
    def work_available(self) -> threading.Condition:
        """Notified when a thread that waits for work may continue. Most runs have one thread."""
        return threading.Condition(self.lock)

    def run(self, n_threads: int | None, seconds_before: float) -> None:
        """Explore the subtrees until a limit is reached or all are done; None is one per processor.

        Earlier runs have explored the search for `seconds_before`: threads start only if the search
        takes long. Several threads must not be run from the main thread: an exception of a signal
        handler could leave the condition locked.
        """
        self.explore(seconds_alone(n_threads, seconds_before))
        if n_threads == 1 or not self.has_work():
            return
        self.n_threads = n_threads or count_processors()
        self.split_for(self.n_threads)
        others = [
            threading.Thread(target=self._explore_in_thread, daemon=True)
            for _ in range(self.n_threads - 1)
        ]
        for thread in others:
            thread.start()
        self._explore_in_thread()
        for thread in others:
            thread.join()
        if self.error is not None:
            raise self.error

    def explore(self, seconds: float = math.inf) -> None:
        """Explore subtrees in this thread until a limit is reached or no work is left.

        After some seconds, but at least one slice, the exploration ends as well.
        """
        limits = self.limits
        max_covers = 1  # of the next slice; starts low, because few may be wanted
        slice_updates = MIN_UPDATES_PER_SLICE
        start = time.perf_counter()
        subtree = self._claim(None)
        while subtree is not None:
            begin = time.perf_counter()
            wanted = limits.max_covers - limits.n_counted
            if limits.translate is not None:
                wanted = min(max_covers, limits.max_covers - len(subtree.found))
                max_covers = min(2 * max_covers, MAX_COLLECTED)
            updates = min(slice_updates, limits.updates)
            work = subtree.explore(updates, wanted, limits.translate)
            end = time.perf_counter()
            intended = MAX_SLICE_SECONDS
            if self.n_threads > 1:
                proportional = (end - start) / RUN_SECONDS_PER_SLICE_SECOND
                intended = min(max(MIN_SLICE_SECONDS, proportional), MAX_SLICE_SECONDS)
            if end - begin < intended / 2:
                slice_updates = min(2 * slice_updates, UPDATES_PER_SLICE)
            elif end - begin > 2 * intended:
                slice_updates = max(slice_updates // 2, MIN_UPDATES_PER_SLICE)
            with self.lock:
                limits.record(*work)
                self._release(subtree, end)
                subtree = self._claim(subtree) if end - start < seconds else None

    def has_work(self) -> bool:
        """Return whether no limit is reached and there is work left."""
        limits = self.limits
        if limits.are_spent() or limits.are_met(self.subtrees):
            return False
        return any(map(limits.has_work, self.subtrees))

    def _explore_in_thread(self) -> None:
        """Explore subtrees in one of several threads; an error ends the run of all."""
        try:
            self.explore()
        except BaseException as error:
            self.error = error
            self.limits.stop.cancel()

    def split_for(self, n_threads: int) -> None:
        """Split off a subtree for each thread, so that no thread starts without work."""
        with self.lock:
            subtrees = [subtree for subtree in self.subtrees if self.limits.has_work(subtree)]
            for subtree in subtrees:
                if len(subtrees) >= n_threads:
                    return
                if (other := subtree.split()) is not None:
                    insert_after(self.subtrees, subtree, other)
                    subtrees.append(other)

    def _claim(self, last: Subtree | None) -> Subtree | None:
        """Return `last`, or else a subtree that no thread is exploring, which is busy then.

        Waits for work if other threads have some. Returns None if the run must end.
        """
        limits = self.limits
        with self.lock:
            while not (limits.are_spent() or limits.are_met(self.subtrees)):
                if last is not None and limits.has_work(last):
                    last.is_busy = True
                    return last
                subtrees = [subtree for subtree in self.subtrees if limits.has_work(subtree)]
                for subtree in subtrees:
                    if not subtree.is_busy:
                        subtree.is_busy = True
                        return subtree
                if not subtrees:
                    break
                self.n_waiting += 1
                self.work_available.wait(MAX_SLICE_SECONDS)
                self.n_waiting -= 1
            if self.n_waiting:
                self.work_available.notify_all()
        return None

    def _release(self, subtree: Subtree, now: float) -> None:
        """Make a subtree available; give work to a thread that waits for it."""
        subtree.is_busy = False
        subtree.observe(now)
        if self.n_waiting and (other := subtree.split()) is not None:
            insert_after(self.subtrees, subtree, other)
            self.work_available.notify()


def seconds_alone(n_threads: int | None, seconds_before: float) -> float:
    """Return for how long one thread explores a search before further threads would pay off."""
    return math.inf if n_threads == 1 else ALONE_SECONDS - seconds_before
