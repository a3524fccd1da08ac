"""The limits of a run: when it must end."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index

from ..kernels.state import UNLIMITED
from ..runtime.interrupts import Stop
from .protocol import Counters
from .subtree import Subtree


@dataclass
class RunLimits:
    """A run ends when it has `max_covers`, has spent `updates`, is stopped, or is exhausted.

    If `collect` is true, covers are collected; otherwise they are only counted.
    """

    stop: Stop
    collect: bool
    max_covers: int
    updates: int  # the updates that remain
    n_counted: int = 0  # covers that the run has found

    def record(self, counters: Counters) -> None:
        """Account for covers, nodes and updates (3,)."""
        self.n_counted += int(counters[0])
        self.updates -= int(counters[2])

    def has_work(self, subtree: Subtree) -> bool:
        """Return whether exploring a subtree can contribute to the run."""
        return not subtree.is_done and len(subtree.found) < self.max_covers

    def are_met(self, subtrees: Sequence[Subtree]) -> bool:
        """Return whether the run has the covers it needs, up to the first unfinished subtree."""
        if not self.collect:
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


def check_limit(number: int | None, name: str) -> int:
    """Return a limit as a number, UNLIMITED for None. Raises ValueError if it is negative."""
    if number is None:
        return UNLIMITED
    if index(number) < 0:
        raise ValueError(f"{name} must be 0 or more, or None for no limit, not {number}")
    return min(index(number), UNLIMITED)


def make_stop(seconds: float | None) -> Stop:
    """Return the condition that ends a run after `seconds`. Raises ValueError if negative."""
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"seconds must be 0 or more, or None for no limit, not {seconds}")
    return Stop(seconds)
