"""Subtrees of a search: units of work that can be split again."""

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from ..kernels.resumable import CoverBuffer
from ..runtime.interrupts import UPDATES_PER_SLICE
from .protocol import Counters, ResumableSearch

Choices = tuple[tuple[int, int], ...]

OBSERVATION_SECONDS = 0.05  # the time between two observations of a busy subtree


@dataclass
class Subtree:
    """A part of the search tree, with the search that explores it.

    The weight of the subtree is a fraction of the whole tree. The estimate of `state` may include
    branches that were explored before the subtree was split off; `explored_offset` is subtracted.
    """

    state: ResumableSearch
    weight: float = 1.0  # the fraction of the whole tree that `state` accounts for
    explored_offset: float = 0.0  # the fraction of the whole tree that was explored elsewhere
    is_done: bool = False
    is_busy: bool = False  # whether a kernel is exploring it
    found: deque[list[int]] = field(default_factory=deque)  # solutions not yet returned to the user
    # What `explored` and `choices` return while the subtree is busy, and how old it is
    last_explored: float = 0.0
    last_choices: Choices = ()
    observation_time: float = field(default_factory=time.perf_counter)

    @property
    def counters(self) -> Counters:
        """A copy of the numbers of covers found, nodes and updates (3,)."""
        counters: Counters = self.state.counters.copy()
        return counters

    def count(self, updates: int, max_covers: int) -> None:
        """Explore for about `updates`, or until `max_covers` further covers are counted."""
        if self.state.count(updates, max_covers):
            self.finish()

    def collect(self, updates: int, max_covers: int, buffer: CoverBuffer) -> None:
        """Explore for about `updates`, or until `max_covers` further solutions are in `found`."""
        is_exhausted, covers = self.state.collect(updates, max_covers, buffer)
        self.found += map(buffer.translate, covers)
        if is_exhausted:
            self.finish()

    def finish(self) -> None:
        """Mark the subtree as done, and free its memory."""
        self.is_done = True
        self.state.release()

    def observe(self, now: float) -> None:
        """Store what other threads see while the subtree is busy, unless that was done recently."""
        if now - self.observation_time >= OBSERVATION_SECONDS and not self.is_done:
            self.last_explored, self.last_choices = self.explored(), self.choices()
            self.observation_time = now

    def choices(self) -> Choices:
        """Return the branch taken at each level, from 1, and the number of branches there."""
        if self.is_busy:
            return self.last_choices
        taken, branches = self.state.current_path()
        return tuple(zip((taken + 1).tolist(), branches.tolist(), strict=True))

    def explored(self) -> float:
        """Return the fraction of the whole tree that was explored here."""
        if self.is_busy:
            return self.last_explored
        fraction = 1.0 if self.is_done else self.state.explored()
        return self.weight * fraction - self.explored_offset

    def remaining(self) -> float:
        """Return the fraction of the whole tree that remains to be explored here."""
        return self.weight - self.explored_offset - self.explored()

    def split(self) -> "Subtree | None":
        """Split off part of the remaining work into a new subtree, or return None if impossible.

        The new subtree follows this one in the order of the search. Together, both find the
        covers and count the nodes and updates that this one would have found and counted.
        """
        if self.is_done:
            return None
        explored, remaining = self.explored(), self.remaining()
        parts = self.state.split()
        if parts is None:
            return None
        state, fraction = parts
        other = Subtree(state)
        moved = self.weight * fraction
        self._set_weight(remaining - moved, explored)
        other._set_weight(moved, 0.0)
        return other

    def _set_weight(self, remaining: float, explored: float) -> None:
        """Set the weight such that these fractions of the whole tree remain and are explored."""
        fraction = self.state.explored()
        self.weight = remaining / (1 - fraction) if fraction < 1 else remaining
        self.explored_offset = self.weight * fraction - explored
        self.last_explored = explored

    def reset_weight(self) -> None:
        """Set the weight such that the remaining work is a whole tree, unexplored so far."""
        if self.is_done:
            self.weight, self.explored_offset = 1.0, 0.0
        else:
            self._set_weight(1.0, 0.0)


def max_levels(subtrees: Iterable[Subtree]) -> int:
    """Return an upper bound on the number of options in a cover of the subtrees, at least 1."""
    return max([1, *(subtree.state.n_levels for subtree in subtrees if not subtree.is_done)])


def split_subtrees(
    subtrees: list[Subtree], n_wanted: int, buffer: CoverBuffer, stop: Callable[[], Any]
) -> list[Subtree]:
    """Split the largest subtree repeatedly until there are `n_wanted`, if that is possible.

    A subtree with a single open branch is explored until it has more; the covers found meanwhile
    are in `found`.

    Parameters
    ----------
    subtrees : list of Subtree
        In the order of the search. The subtrees are modified, the list is not.
    n_wanted : int
        The number of subtrees to reach.
    buffer : CoverBuffer
    stop : callable
        Splitting ends early if `stop()` is true.

    Returns
    -------
    list of Subtree
        The given subtrees and the new ones, in the order of the search.
    """
    number = count()
    followers: dict[int, list[Subtree]] = {id(subtree): [] for subtree in subtrees}
    queue = [
        (-subtree.remaining(), next(number), 1, subtree)
        for subtree in subtrees
        if not subtree.is_done
    ]
    heapq.heapify(queue)
    while queue and len(followers) < n_wanted and not stop():
        _, _, updates, subtree = heapq.heappop(queue)
        other = subtree.split()
        if other is None:
            subtree.collect(updates, 1, buffer)
            updates = min(2 * updates, UPDATES_PER_SLICE)  # the next choice may be far away
        else:
            updates = 1
            followers[id(subtree)].append(other)
            followers[id(other)] = []
            heapq.heappush(queue, (-other.remaining(), next(number), 1, other))
        if not subtree.is_done:
            heapq.heappush(queue, (-subtree.remaining(), next(number), updates, subtree))
    ordered: list[Subtree] = []
    stack = subtrees[::-1]
    while stack:  # the subtree that was split off last follows first
        subtree = stack.pop()
        ordered.append(subtree)
        stack += followers[id(subtree)]
    return ordered
