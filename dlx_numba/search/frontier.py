"""The frontier of a search: the remaining subtrees, and the totals of those that are done."""

import numpy as np

from ..kernels.state import UNLIMITED
from .protocol import Counters
from .subtree import Subtree


class Frontier:
    """The remaining subtrees of a search, with the covers found in them.

    Parameters
    ----------
    subtrees : list of Subtree
        In the order of the search.

    Attributes
    ----------
    subtrees : list of Subtree
    past : ndarray of int64, shape (3,)
        The covers, nodes and updates of subtrees that are done and removed.
    past_explored : float
        The fraction of the whole tree that was explored in them.
    """

    def __init__(self, subtrees: list[Subtree]) -> None:
        self.subtrees = subtrees
        self.past: Counters = np.zeros(3, np.int64)
        self.past_explored = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether all subtrees are done and all covers are taken."""
        return all(subtree.is_done and not subtree.found for subtree in self.subtrees)

    @property
    def n_levels(self) -> int:
        """An upper bound on the number of options in a cover, at least 1."""
        return max([1, *(subtree.state.n_levels for subtree in self.unfinished())])

    @property
    def n_found(self) -> int:
        """The number of covers that have been found but not taken."""
        return sum(len(subtree.found) for subtree in self.subtrees)

    def unfinished(self) -> list[Subtree]:
        """Return the subtrees that are not done."""
        return [subtree for subtree in self.subtrees if not subtree.is_done]

    def counters(self) -> Counters:
        """Return the covers found, taken or not, the nodes and the updates (3,)."""
        total: Counters = self.past + sum(subtree.counters for subtree in self.subtrees)
        return total

    def explored(self) -> float:
        """Return the fraction of the whole tree that has been explored."""
        return self.past_explored + sum(subtree.explored() for subtree in self.subtrees)

    def take(self, wanted: int) -> list[list[int]]:
        """Remove and return covers: the first `wanted` in the order of the search.

        If `wanted` is UNLIMITED, return all covers found so far, even if unfinished subtrees
        before them may have further covers.
        """
        taken: list[list[int]] = []
        for subtree in self.subtrees:
            while subtree.found and len(taken) < wanted:
                taken.append(subtree.found.popleft())
            if wanted < UNLIMITED and (subtree.found or not subtree.is_done):
                break
        self.prune()
        return taken

    def clear_found(self) -> None:
        """Discard the covers that have been found; they stay counted."""
        for subtree in self.subtrees:
            subtree.found.clear()

    def prune(self) -> None:
        """Remove the subtrees that are done and have no covers left to take."""
        remaining, past, explored = [], self.past.copy(), self.past_explored
        for subtree in self.subtrees:
            if subtree.is_done and not subtree.found:
                past += subtree.counters
                explored += subtree.explored()
            else:
                remaining.append(subtree)
        self.subtrees, self.past, self.past_explored = remaining, past, explored

    def remove_all(self) -> list[Subtree]:
        """Remove and return all subtrees, each with new counters and the weight of a whole tree.

        Covers that were found but not taken are counted in the removed subtrees.
        """
        subtrees, self.subtrees = self.subtrees, []
        for subtree in subtrees:
            found = np.array([len(subtree.found), 0, 0])
            self.past += subtree.counters - found
            self.past_explored += subtree.explored()
            subtree.state.counters = found
            subtree.reset_weight()
        return subtrees
