"""Statistics of puzzles: the numbers of clues, and the classes."""

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from ..box import Box
from ..engines.classify import CLASSES
from ..rating import classes


class PuzzleStatistics:
    """Statistics of any number of puzzles.

    Parameters
    ----------
    box
        Their box.
    has_classes
        Whether the classes of 9×9 puzzles are counted.

    Examples
    --------
    >>> statistics = PuzzleStatistics(Box(2, 2))
    >>> statistics.add(np.array([[1, 2, 3, 4] * 4, [0, 2] * 8], np.uint8))
    >>> statistics.n_puzzles, statistics.mean, statistics.deviation
    (2, 12.0, 4.0)
    """

    def __init__(self, box: Box, has_classes: bool = True) -> None:
        self.clues: Counter[int] = Counter()  # the number of puzzles by the number of clues
        self.classes: Counter[str] | None = Counter() if has_classes and box == Box(3, 3) else None

    def add(self, puzzles: NDArray[np.uint8]) -> None:
        """Count puzzles (N, cells) with a single solution."""
        self.clues.update(np.count_nonzero(puzzles, axis=1).tolist())
        if self.classes is not None:
            self.classes.update(CLASSES[code] for code in classes(puzzles).tolist())

    @property
    def n_puzzles(self) -> int:
        """The number of puzzles."""
        return self.clues.total()

    @property
    def mean(self) -> float:
        """The mean of the number of clues."""
        return sum(n * number for n, number in self.clues.items()) / self.n_puzzles

    @property
    def deviation(self) -> float:
        """The standard deviation of the number of clues."""
        mean = self.mean
        squares = sum((n - mean) ** 2 * number for n, number in self.clues.items())
        return math.sqrt(squares / self.n_puzzles)
