"""Jobs: work that is done in steps, so that it can be stopped, observed, and continued later."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, NamedTuple

from .batches import WorkerThreads
from .interrupts import ResultT, Stop
from .showing import Display, showing

# The steps of a job as a generator, which receives their limits
StepsOf = Generator[None, "Work", ResultT]


@dataclass(frozen=True)
class Work:
    """A limit of the steps of a job, and the threads that they may use."""

    stop: Stop
    threads: WorkerThreads
    until: float = math.inf  # the amount of work since the beginning of the job

    def up_to(self, amount: float) -> Work:
        """Return the same limits for the steps of another job, up to an amount of its work."""
        return Work(self.stop, self.threads, amount)


class Counters(NamedTuple):
    """The amount of work of a job, as in `Statistics`."""

    solutions: int
    nodes: int
    updates: int


class Job(ABC):
    """The base of everything that is done in steps.

    A step returns soon after its stop is set, and depends on the work before it, never on the time.
    So the steps are the same, however often a job is stopped. If an exception ends a step, the job
    is as before the step, or it is discarded; see `ExclusiveUse`.

    """

    clock: AbstractContextManager[Any] = nullcontext()  # measures the time of runs

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether nothing is left to do."""

    @property
    def work(self) -> float:
        """The amount of work so far, in a unit of the job; 0 if nothing limits it."""
        return 0

    @property
    def n_threads(self) -> int:
        """The number of threads of a run."""
        return 1

    @abstractmethod
    def step(self, work: Work) -> None:
        """Do a part of the work, of some hundredths of a second."""

    @abstractmethod
    def counters(self) -> Counters:
        """Return the numbers of covers, nodes and updates so far, as in `Statistics`."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the progress as a line of text."""

    def describe(self) -> tuple[float | None, str]:
        """Return the fraction that is done, None if it is unknown, and the progress as text."""
        return None, str(self)

    def is_over(self, work: Work) -> bool:
        """Return whether the job is done, or has done what it may."""
        return self.done or self.work >= work.until or work.stop()

    def advance(self, work: Work, max_steps: int | None = None) -> None:
        """Take steps until the job is done, or as many as `work` permits."""
        for _ in islice(count(), max_steps):  # without an end if that is None
            if self.is_over(work):
                break
            self.step(work)


@contextmanager
def working(job: Job, stop: Stop, until: float, progress: Display = False) -> Iterator[Work]:
    """Measure and show the steps that a block takes of a job. Yield the limits of these steps.

    Unlike `run`, this leaves it to the block which steps to take.
    """
    threads = WorkerThreads(job.n_threads, stop)
    with job.clock, showing(progress, job.describe), threads:
        yield Work(stop, threads, until)


def run(
    job: Job,
    stop: Stop,
    until: float = math.inf,
    progress: Display = False,
    max_steps: int | None = None,
) -> bool:
    """Run a job until it is done, until `stop` is set, or until an amount of work.

    Parameters
    ----------
    job : Job
    stop : Stop
        Canceled if an exception ends the run.
    until : float, optional
        The amount of work since the beginning of the job.
    progress : bool or callable, default: False
        How to show the progress.
    max_steps : int, optional
        The number of steps, at most.

    Returns
    -------
    bool
        Whether the job is done, or as much of it as is wanted.
    """
    with working(job, stop, until, progress) as work:
        job.advance(work, max_steps)
    return job.done or job.work >= until
