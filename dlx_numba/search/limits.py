"""The limits that end a run."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..kernels.dlx.state import UNLIMITED
from ..kernels.subtree import Subtree, Translation
from ..runtime.arguments import check_integer
from ..runtime.interrupts import Stop


@dataclass
class RunLimits:
    """The limits of a run, and how much of them is used."""

    stop: Stop  # a time limit or a cancellation
    translate: Translation | None  # how covers are collected; None if they are only counted
    max_covers: int
    updates: int  # the remaining budget
    n_counted: int = 0  # the number of covers found by the run
    is_last: bool = False  # whether no run follows, so that tasks which have not returned are lost

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


def check_limit(number: int | None, name: str) -> int:
    """Return a limit as a number, UNLIMITED for None. Raises ValueError if it is negative."""
    if number is None:
        return UNLIMITED
    limit = check_integer(number, name, "for no limit")
    if limit < 0:
        raise ValueError(f"{name} must be 0 or more, or None for no limit, not {number}")
    return min(limit, UNLIMITED)
