"""The protocol between a search and the algorithm that does the work.

The package `search` runs, splits, distributes, estimates and stores searches only by means of
these operations. `kernels.algorithms` has the classes that implement them.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..kernels.links import Ints
from ..kernels.resumable import CoverBuffer

if TYPE_CHECKING:
    from typing_extensions import Self

Counters = NDArray[np.int64]


class ResumableSearch(Protocol):
    """A depth-first search for covers that can be advanced, inspected, copied and split.

    Methods that advance the search take a budget of updates (links removed, Knuth's measure of
    work), may exceed it by the work of one node, and return whether the search is exhausted. An
    exhausted search answers only `counters`.
    """

    counters: Counters  # the covers found, the nodes and the updates (3,)

    @property
    def n_levels(self) -> int:
        """The largest number of options in a cover."""

    def count(self, updates: int, max_covers: int) -> bool:
        """Advance by about `updates`, or until `max_covers` further covers have been counted."""

    def collect(
        self, updates: int, max_covers: int, buffer: CoverBuffer
    ) -> tuple[bool, list[list[int]]]:
        """Advance as `count` does, and also return the covers as lists of option numbers."""

    def current_path(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the branch taken at each level (from 0), and the number of branches there."""

    def explored(self) -> float:
        """Return the fraction of the tree that has been explored."""

    def split(self) -> "tuple[Self, float] | None":
        """Split off part of the remaining tree.

        Returns another search, which follows this one in the order of the search, and the
        fraction of the tree that it has taken over; or None if nothing can be split off now.
        """

    def copy(self) -> "Self":
        """Return an independent copy."""

    def release(self) -> None:
        """Free the memory of an exhausted search; the counters remain."""

    def probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        """Follow a random path from the root of a search that has not yet taken a step.

        `draws` (n_levels,) are uniform random numbers. The covers, nodes and updates that the path
        represents are added to `sums` (3,).
        """

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the state as named arrays, to be stored."""

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], indptr: Ints) -> "Self":
        """Restore a search from `arrays()`, given the option boundaries of its problem."""
