"""What is found for a batch of puzzles."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class BatchResult(NamedTuple):
    """A row a puzzle, in the order of the puzzles."""

    solutions: NDArray[np.uint8]  # (N, cells) the first solution; zeros where there is none
    counts: NDArray[np.int64]  # (N,) solutions, at most the limit; -1 where time ran out before
    nodes: NDArray[np.int64]  # (N,) nodes of the search tree that were entered, or guesses

    @classmethod
    def room_for(cls, boards: NDArray[np.uint8]) -> "BatchResult":
        """Room for the answers to `boards` (N, cells)."""
        size = len(boards)
        return cls(np.zeros_like(boards), np.full(size, -1), np.zeros(size, np.int64))

    def rows(self, rows: slice) -> "BatchResult":
        """A view of some of the rows."""
        return BatchResult(self.solutions[rows], self.counts[rows], self.nodes[rows])
