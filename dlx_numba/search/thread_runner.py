"""Threads that work on the parts of a search, and split them when one runs out of work."""

import threading
import time

from ..kernels.links import Ints
from ..runtime.interrupts import SLICE
from .limits import Terms
from .subtree import Hand, Part

FIRST_SLICE = 1 << 15  # updates
SLOW = 0.03  # seconds that a slice should take;
QUICK = 0.002  # or so few, where another thread may wait for work, at the beginning, and later
PATIENCE = 50  # the time of the run so far, divided by this


class Worker:
    """What a thread has for itself: its part, room for covers, and the measure of a slice."""

    def __init__(self, levels: int, keep: bool, is_alone: bool) -> None:
        self.is_alone = is_alone
        self.part: Part | None = None
        self.hand = Hand(levels) if keep else None
        self.most = 1  # covers by the next call: a few at first, for maybe no more are wanted
        self.begin = time.perf_counter()
        self.slice = FIRST_SLICE

    def advance(self, part: Part, terms: Terms, indptr: Ints) -> None:
        """Go on with a part for a slice."""
        updates = min(self.slice, terms.updates)
        begin = time.perf_counter()
        if self.hand is None:
            part.count(updates, terms.wanted - terms.counted)
        else:
            part.gather(updates, min(self.most, terms.wanted - len(part.found)), self.hand, indptr)
            self.most = min(2 * self.most, self.hand.most)
        end = time.perf_counter()
        fair = SLOW
        if not self.is_alone:
            fair = min(max(QUICK, (end - self.begin) / PATIENCE), SLOW)
        if end - begin < fair / 2:
            self.slice = min(2 * self.slice, SLICE)
        elif end - begin > 2 * fair:
            self.slice = max(self.slice // 2, FIRST_SLICE)


class Crew:
    """Works on `parts`, which stand in the order of the search and stay so, in a run on `terms`.

    `indptr` is that of the problem searched, `levels` the most options that a cover may have.
    """

    def __init__(self, parts: list[Part], terms: Terms, indptr: Ints, levels: int) -> None:
        self.parts, self.terms, self.indptr, self.levels = parts, terms, indptr, levels
        self.lock = threading.Condition()
        self.hungry = 0  # threads that wait for work
        self.error: BaseException | None = None
        for part in parts:
            part.is_busy = False

    def run(self, threads: int) -> None:
        worker = Worker(self.levels, self.terms.keep, threads == 1)
        others: list[threading.Thread] = []
        try:
            # What is done at once needs no other thread.
            is_long = self._turn(worker)
            if is_long and threads > 1:
                self._split_first(threads)
            while is_long and len(others) < threads - 1:
                thread = threading.Thread(target=self._work, daemon=True)
                thread.start()
                others.append(thread)
            while self._turn(worker):
                pass
        except BaseException:
            self.terms.stop.call_off()
            raise
        finally:
            for thread in others:
                thread.join()
        if self.error is not None:
            raise self.error

    def _split_first(self, wanted: int) -> None:
        """Split off a part for each thread, so that none begins with waiting."""
        left = [part for part in self.parts if self.terms.lacks(part)]
        for part in left:
            if len(left) >= wanted:
                return
            if (other := part.split()) is not None:
                self.parts.insert(self._place(part) + 1, other)
                left.append(other)

    def _work(self) -> None:
        try:
            worker = Worker(self.levels, self.terms.keep, is_alone=False)
            while self._turn(worker):
                pass
        except BaseException as error:
            self.error = error
            self.terms.stop.call_off()

    def _turn(self, worker: Worker) -> bool:
        """Go on for a slice with some part. Returns whether there was anything to do."""
        with self.lock:
            part = self._next_part(worker)
            if part is None:
                self.lock.notify_all()
                return False
            part.is_busy, worker.part = True, part
        before = part.counters
        try:
            worker.advance(part, self.terms, self.indptr)
        finally:
            with self.lock:
                part.is_busy = self.terms.lacks(part)
                self.terms.note(part.counters - before)
                if self.hungry and (other := part.split()) is not None:
                    self.parts.insert(self._place(part) + 1, other)
                    self.lock.notify()
        return True

    def _next_part(self, worker: Worker) -> Part | None:
        """A part with work left: that which the worker is at, or else one that no other is at."""
        terms = self.terms
        while not (terms.are_over() or terms.are_met(self.parts)):
            if worker.part is not None and terms.lacks(worker.part):
                return worker.part
            left = [part for part in self.parts if terms.lacks(part)]
            for part in left:
                if not part.is_busy:
                    return part
            if not left:
                return None
            self.hungry += 1
            self.lock.wait(SLOW)
            self.hungry -= 1
        return None

    def _place(self, part: Part) -> int:
        return next(k for k, each in enumerate(self.parts) if each is part)
