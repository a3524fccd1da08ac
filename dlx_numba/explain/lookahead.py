"""Compiled searches ahead of a recorder, for the first cover."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.algorithms import linked_class
from ..kernels.cover_array import Translation
from ..kernels.dlx.state import Register
from ..kernels.subtree import Subtree
from ..runtime.interrupts import UPDATES_PER_SLICE, Stop, raise_if_stopped
from .problem_view import ProblemView

MAX_UPDATES = 1 << 30  # before the first cover; they take a few seconds
STEPS_PER_LEVEL = 6  # of the path to a cover, at most; also to leave a level


class FirstCover(NamedTuple):
    """The first cover of a search, and the work to find it."""

    cover: frozenset[int] | None  # None if the search ends without one
    depth: int  # levels of the search at the cover
    counters: NDArray[np.int64]  # covers, nodes and updates

    def path_steps(self, level: int) -> int:
        """Return a bound on the number of steps from a level to the first cover."""
        return STEPS_PER_LEVEL * (level + self.depth + 2)


class Limits(NamedTuple):
    """When a recording ends; the number of assignments is approximate."""

    max_covers: int
    max_steps: int
    max_assignments: int
    stop: Stop = Stop()

    def check(self) -> None:
        """Raise Stopped if the time limit or a request ends the recording."""
        raise_if_stopped(self.stop, "the record was complete")


def start_search(view: ProblemView) -> Subtree:
    """Return the search of a problem by its links."""
    return linked_class(view.problem, view.rule).start(view.problem, view.rule)


def find_first_cover(view: ProblemView, limits: Limits) -> FirstCover | None:
    """Search for the first cover. Return None if that takes more than MAX_UPDATES.

    A record that would be full before this cover then skips branches that do not lead to it.
    """
    subtree = start_search(view)
    while not subtree.is_done and not subtree.found:
        limits.check()
        subtree.explore(UPDATES_PER_SLICE, 1, Translation())
        _, _, n_updates = subtree.counters
        if n_updates > MAX_UPDATES and not subtree.found:
            return None
    cover = frozenset(subtree.found.take(1)[0]) if subtree.found else None
    depth = 0 if cover is None else int(subtree.register[Register.LEVEL])
    return FirstCover(cover, depth, subtree.counters)
