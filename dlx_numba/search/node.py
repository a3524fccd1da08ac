"""A node of a branch and bound for the cheapest covers, and the best covers known."""

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.cheapest.multipliers import NO_PRICES

NODE_STEPS = 400  # of the ascent in a node other than the root
CostedCover = tuple[int, tuple[int, ...]]  # a cost and sorted options
NO_OPTIONS = np.zeros(0, np.int64)
CHILD_ASCENT: dict[str, Any] = {"n_steps": NODE_STEPS, "gap": 0.0}  # which starts anew


@dataclass(slots=True)
class BestCovers:
    """The `k` cheapest covers found so far, in ascending order."""

    k: int
    max_cost: int  # of any cover
    covers: list[CostedCover] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether `k` covers are known."""
        return len(self.covers) == self.k

    @property
    def limit(self) -> int:
        """The highest cost of a cover that would be among the best."""
        return self.covers[-1][0] - 1 if self.is_full else self.max_cost

    def add(self, cover: CostedCover) -> bool:
        """Add a cover unless it is known or too expensive. Returns whether it was added."""
        cost, _ = cover
        position = bisect_left(self.covers, cover)
        if cost > self.limit or self.covers[position : position + 1] == [cover]:
            return False
        self.covers.insert(position, cover)
        del self.covers[self.k :]  # the last one, if there were `k`
        return True


class ComponentResult(NamedTuple):
    """The knowledge about a component, which other threads see."""

    covers: list[CostedCover]
    outside: int | None  # no other cover costs less; None if there is none
    lowest: int  # no cover costs less
    is_done: bool  # whether these are the cheapest covers


@dataclass(slots=True)
class Node:
    """A node: the covers that contain all options of `chosen`, and none of `removed`."""

    chosen: tuple[int, ...]
    removed: NDArray[np.int64]
    bound: int  # no unknown cover in it costs less
    price: NDArray[np.float64]  # (items,) from which its ascent continues
    total_price: NDArray[np.float64] = field(default_factory=lambda: NO_PRICES)  # or (totals,)
    n_steps: int = NODE_STEPS  # of the ascent that remain
    gap: float = 0.0  # with which its ascent continues; 0 for a new one
    is_neighborhood: bool = False  # which is only searched for better covers
    is_dive: bool = False  # a neighborhood that is narrowed until it has been searched
    n_likely: float = 0.0  # of the greedy construction that chose its options; 0 if none did
    is_close: bool = False  # whether `_Remainder._approach_relaxation` has looked for its prices

    @property
    def is_root(self) -> bool:
        """Whether it stands for all covers."""
        return not (self.chosen or len(self.removed))
