"""The protocols between a `Search` and the algorithm that does the work.

The package `search` runs, splits, distributes, estimates and stores searches only with these
operations. `search.spec` implements `SearchSpec`, and the classes that `kernels.algorithms` lists
implement `ResumableSearch`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..kernels.branching import BranchingRule
from ..kernels.resumable import CoverBuffer

if TYPE_CHECKING:
    from typing_extensions import Self

Counters = NDArray[np.int64]


class ResumableSearch(Protocol):
    """A depth-first search for covers that can be advanced, inspected, copied and split.

    Methods that advance the search take a budget of updates, may exceed it by the work of one
    node, and return whether the search is exhausted. Only `counters` and `release` may be used
    after that. Each algorithm defines its updates (with links, Knuth's measure of work: links
    removed) such that they are proportional to the time. Option numbers are those of the problem
    that is searched; `SearchSpec.solution` translates them.
    """

    counters: Counters  # the covers found, the nodes and the updates (3,); may be assigned to

    @property
    def n_levels(self) -> int:
        """An upper bound on the number of options in a cover."""

    def count(self, updates: int, max_covers: int) -> bool:
        """Advance by about `updates`, or until `max_covers` further covers have been counted."""

    def collect(
        self, updates: int, max_covers: int, buffer: CoverBuffer
    ) -> tuple[bool, list[list[int]]]:
        """Advance as `count` does, and also return the covers as lists of option numbers.

        `max_covers` is at most `buffer.max_covers`. An implementation need not use the buffer.
        """

    def current_path(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the branch taken at each level (from 0), and the number of branches there.

        Two arrays of shape (n,), where n is the depth of the search.
        """

    def explored(self) -> float:
        """Return the fraction of the tree that has been explored."""

    def split(self) -> "tuple[Self, float] | None":
        """Split off part of the remaining tree.

        Returns another search, which follows this one in the order of the search and has counted
        nothing, and the fraction of the tree that it has taken over; or None if nothing can be
        split off now. Afterwards, `explored` refers to what is left of each tree.
        """

    def copy(self) -> "Self":
        """Return an independent copy."""

    def release(self) -> None:
        """Free the memory of an exhausted search; the counters remain."""

    def probe(self, draws: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
        """Follow a random path from the root of a search that has not yet taken a step.

        `draws` (n_levels,) are uniform random numbers from [0, 1). The covers, nodes and updates
        that the path represents are added to `sums` (3,). The search is unchanged afterwards.
        """

    def path(self) -> dict[str, Any]:
        """Return the position of the search, as JSON values; `follow` restores it."""

    def follow(self, path: dict[str, Any]) -> None:
        """Move a search that has not yet taken a step to the end of a path of another one.

        The counters are unchanged. The path may come from a modified file: LookupError, TypeError,
        ValueError or ArithmeticError is raised if the search cannot take it.
        """


class SearchSpec(Protocol):
    """The specification of a search: what is searched, and how."""

    @property
    def rule(self) -> BranchingRule:
        """The branching rule, which includes the seed for random choices."""

    @property
    def algorithm(self) -> str:
        """The name of the algorithm."""

    def start(self) -> ResumableSearch:
        """Return a search that has not yet taken a step."""

    def solution(self, cover: list[int]) -> list[int]:
        """Translate a cover that the search found to the option numbers of the user's problem."""

    def fingerprint(self) -> str:
        """Return a digest that differs for other problems and for other ways to search them."""

    def content(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the specification as JSON values and named arrays, to be stored."""

    @classmethod
    def from_content(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> "Self":
        """Restore a specification from its `content()`, which may come from a file.

        Raises an exception as `ResumableSearch.follow` does if the content is invalid.
        """

    def check(self, solutions: list[list[int]]) -> None:
        """Raise ValueError unless these are results of `solution`."""
