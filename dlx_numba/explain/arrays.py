"""Arrays and a budget that report to a recorder while a kernel runs on them."""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CELLS_PER_CHECK = 3 << 8  # of the log, between two checks whether the recording is stopped


class LoggedArray(np.ndarray[Any, Any]):
    """An array that logs each assignment to a cell: its own number, the index and the value.

    `check` raises an exception if the recording is stopped: a step can have many assignments.
    """

    number: int
    log: "array[int]"
    check: Callable[[], None]

    def __setitem__(self, index: Any, value: Any) -> None:
        np.ndarray.__setitem__(self, index, value)
        self.log.extend((self.number, index, value))
        if len(self.log) % CELLS_PER_CHECK == 0:
            self.check()


@dataclass
class Choices:
    """The nodes of the chosen options, by level, which tell a recorder the level of the search.

    A kernel writes a node when it enters the next level, and reads it when it returns.
    """

    nodes: NDArray[np.uint32]
    enter_level: Callable[[int, int], None]
    return_to_level: Callable[[int, int], None]

    def __setitem__(self, level: int, node: int) -> None:
        self.nodes[level] = node
        self.enter_level(int(level), int(node))

    def __getitem__(self, level: int) -> np.uint32:
        node: np.uint32 = self.nodes[level]
        self.return_to_level(int(level), int(node))
        return node


@dataclass
class Following:
    """The list of options that a search tries, in place of `D`; a recorder may leave some out."""

    following: Callable[[int], np.integer]

    def __getitem__(self, node: int) -> np.integer:
        return self.following(node)


@dataclass
class Budget:
    """A budget that is spent when the record is full."""

    __array_ufunc__ = None  # so that NumPy leaves comparisons to this class

    has_space: Callable[[], bool]

    def __gt__(self, updates: object) -> bool:
        return self.has_space()

    def __le__(self, updates: object) -> bool:
        return not self.has_space()
