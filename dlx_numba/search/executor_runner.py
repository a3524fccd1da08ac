"""A search as tasks of an executor: processes, or a cluster.

A task gets a copy of a part, goes on with it for some seconds, and gives it back. What is not done
is split and sent again: so no worker idles long. A part stays as it was until its task has come
back, so a task that is lost with its worker is simply done once more.
"""

import os
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait

from ..kernels.algorithm_x import UNLIMITED
from ..kernels.links import Ints
from ..kernels.searching import State
from ..runtime.interrupts import Stop
from .limits import Terms
from .split import divide
from .subtree import Part
from .thread_runner import Crew

AT_ONCE = 0.002  # seconds: what is done in so short a time is not sent
SHORT, LONG = 0.2, 2.0  # seconds that a task takes, at first and later
LOOK = 0.05  # seconds between looks whether the run is to end


def work(part: Part, keep: bool, wanted: int, seconds: float, indptr: Ints) -> Part:
    """What a task does: go on with a part for so long."""
    terms = Terms(Stop(seconds), keep, wanted, UNLIMITED)
    Crew([part], terms, indptr, len(part.state.dance.choice)).run(threads=1)
    return part


def slots_of(executor: Executor) -> int:
    """How many tasks an executor runs at once; a guess where it does not tell."""
    if workers := getattr(executor, "_max_workers", None):
        return int(workers)
    client = getattr(executor, "_client", None)  # of Dask's executor
    if client is not None and (threads := sum(client.nthreads().values())):
        return int(threads)
    return os.cpu_count() or 1


class Spread:
    """Sends the parts of a search to an executor, and takes them back, run after run."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self.slots = slots_of(executor)
        self.tasks: dict[Future[Part], Part] = {}
        self.keep = False  # whether the tasks keep what they find
        self.seconds = SHORT

    def run(self, parts: list[Part], terms: Terms, indptr: Ints, levels: int) -> None:
        """Go on with `parts`, which stand in the order of the search and stay so."""
        if terms.keep and not self.keep:
            self.drop()
        self.keep = terms.keep
        if not self.tasks:
            here = Terms(Stop(AT_ONCE), terms.keep, terms.wanted, terms.updates)
            Crew(parts, here, indptr, levels).run(threads=1)
            terms.counted, terms.updates = here.counted, here.updates
        try:
            while not (terms.are_over() or terms.are_met(parts)):
                self._send(parts, terms, indptr, levels)
                if not self.tasks:
                    return
                for task in wait(self.tasks, LOOK, FIRST_COMPLETED).done:
                    self._take_back(task, parts, terms)
        except BaseException:
            self.drop()
            raise

    def drop(self) -> None:
        """Forget the tasks: their parts are as they were sent."""
        for task in self.tasks:
            task.cancel()
        self.tasks.clear()

    def _send(self, parts: list[Part], terms: Terms, indptr: Ints, levels: int) -> None:
        at_work = {id(part) for part in self.tasks.values()}
        idle = [part for part in parts if id(part) not in at_work and terms.lacks(part)]
        free = 2 * self.slots - len(self.tasks)
        if idle and len(idle) < free:
            pieces = divide(idle, free, indptr, levels, terms.are_over)
            idle = [part for part in pieces if terms.lacks(part)]
            _put_back(parts, pieces)
        for part in idle[: max(free, 0)]:
            # Some executors share what they are sent, others copy it only a while later.
            sent = Part(State.copy(part.state), part.share, part.before)
            wanted = terms.wanted - len(part.found) if terms.keep else UNLIMITED
            task = self.executor.submit(work, sent, terms.keep, wanted, self.seconds, indptr)
            self.tasks[task] = part

    def _take_back(self, task: "Future[Part]", parts: list[Part], terms: Terms) -> None:
        part = self.tasks[task]
        done = task.result()
        del self.tasks[task]
        terms.note(done.counters - part.counters)
        done.found = part.found + done.found
        parts[next(k for k, each in enumerate(parts) if each is part)] = done
        self.seconds = min(1.5 * self.seconds, LONG)


def _put_back(parts: list[Part], pieces: list[Part]) -> None:
    """Insert those of the pieces, which are in order, that are new: each behind the one before."""
    places = {id(part) for part in parts}
    before = None
    for piece in pieces:
        if id(piece) not in places:
            at = next(k for k, each in enumerate(parts) if each is before)
            parts.insert(at + 1, piece)
        before = piece
