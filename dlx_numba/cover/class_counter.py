"""Count isomorphism classes of subproblems, one by one."""

import math
from collections.abc import Callable
from typing import NamedTuple

from ..kernels.problem import Problem
from ..kernels.symmetry.isomorphs import IsomorphClasses
from ..runtime.job import Counters, Job, Work
from ..search.race import MAX_RATIO


class _Class(NamedTuple):
    """A class that is being counted."""

    counter: Job
    problem: Problem
    multiplicity: int  # how often its covers count


class ClassCounter(Job):
    """A count of the covers of classes; a class that takes too long is divided, with its level.

    Parameters
    ----------
    classes : IsomorphClasses
    start : callable
        Called as `start(problem, is_limited)`. Returns a job that counts the covers of a class, and
        whose work is limited or not.
    memory : int
        The number of bytes that classes may use; with more, they are no longer divided.
    """

    done = False  # whether the classes have been counted

    def __init__(
        self, classes: IsomorphClasses, start: Callable[[Problem, bool], Job], memory: int
    ) -> None:
        self._classes = classes
        self._start = start
        self._memory = memory
        self._level = classes.n_items  # classes with at least this many primary items are divided
        # Replaced as a whole, because other threads read it
        self._current: _Class | None = None
        self.done = classes.is_done
        self._n_counted = 0
        self._past = (0, 0)  # nodes and updates of the classes that are done, or were too large
        self._least = 0  # the last value of `result`, which never decreases

    @property
    def result(self) -> int:
        """The number of covers; before the end, of those found so far."""
        # The sum is read first: the covers of the current class move to it in the end, and must not
        # count twice.
        found = self._classes.n_covers
        current = self._current
        if current is not None:
            found += current.counter.counters().solutions * current.multiplicity
        return max(self._least, found)

    @property
    def n_known(self) -> int:
        """The number of classes that are known, at least 1."""
        return max(1, self._n_counted + self._classes.n_classes + (self._current is not None))

    @property
    def fraction(self) -> float:
        """The fraction of the known classes that have been counted."""
        return self._n_counted / self.n_known

    def counters(self) -> Counters:
        """Return the numbers of covers, nodes and updates; a class that was divided is a node."""
        nodes, updates = self._past
        current = self._current
        own = Counters(0, 0, 0) if current is None else current.counter.counters()
        nodes += self._classes.n_divided + own.nodes
        return Counters(self.result, nodes, updates + own.updates)

    def __str__(self) -> str:
        return f"{self._n_counted:,} of {self.n_known:,} classes of isomorphic subproblems"

    def step(self, work: Work) -> None:
        """Count the covers of a class, or divide one of a level that takes too long.

        While there is memory to divide classes, the work of counting one is limited to MAX_RATIO
        times the mean work of dividing one.
        """
        classes = self._classes
        has_memory = classes.nbytes <= self._memory
        is_large = classes.is_dividing or (has_memory and classes.n_items >= self._level)
        if self._current is None and is_large:
            classes.divide()
        else:
            if self._current is None:
                problem, multiplicity = classes.pop()
                self._current = _Class(self._start(problem, has_memory), problem, multiplicity)
            limit = MAX_RATIO * classes.work / max(1, classes.n_divided)
            self._count(self._current, work.up_to(limit if has_memory else math.inf))
        self.done = self._current is None and classes.is_done

    def _count(self, current: _Class, work: Work) -> None:
        """Count the covers of a class until it is done, or takes too long."""
        current.counter.advance(work)
        if not current.counter.done and work.stop():  # the next step goes on with this class
            return
        n_covers, n_nodes, n_updates = current.counter.counters()
        self._least = self.result  # so that it does not decrease if the class is counted in vain
        past_nodes, past_updates = self._past
        self._past = past_nodes + n_nodes, past_updates + n_updates
        self._current = None  # first, so that no thread counts its covers twice
        if current.counter.done:
            self._classes.n_covers += n_covers * current.multiplicity
            self._n_counted += 1
        else:  # it takes too long: divide all classes of its level, which is the largest
            self._classes.add(current.problem, current.multiplicity)
            self._level = self._classes.n_items
