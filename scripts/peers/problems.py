"""Exact cover problems in the forms that the packages take.

Items are numbers, the primary ones from 0, the secondary ones after them.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dlx_numba.cover.io.named import NamedProblem


class Problem(Protocol):
    n_primary: int
    n_items: int

    def lists(self, first: int = 0) -> list[list[int]]:
        """The items of each option, numbered from `first`."""

    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """The items of all options, and where those of each one start; then the end."""

    def matrix(self) -> NDArray[np.bool_]:
        """A row for each option. Each secondary item has one more, a slack that covers it alone."""


class Cover:
    """A problem of any kind."""

    def __init__(self, problem: NamedProblem) -> None:
        primary = problem.primary or []
        items = [*primary, *problem.secondary]
        number = {name: k for k, name in enumerate(items)}
        self.options = [[number[name] for name in option] for option in problem.options]
        self.n_primary, self.n_items = len(primary), len(items)

    def lists(self, first: int = 0) -> list[list[int]]:
        return [[first + item for item in option] for option in self.options]

    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        starts = np.cumsum([0, *map(len, self.options)])
        return np.concatenate(self.options).astype(np.uint32), starts.astype(np.uint32)

    def matrix(self) -> NDArray[np.bool_]:
        options = self.options + [[item] for item in range(self.n_primary, self.n_items)]
        matrix = np.zeros((len(options), self.n_items), np.bool_)
        for row, option in zip(matrix, options, strict=True):
            row[option] = True
        return matrix


# An empty board: option 81 r + 9 c + d puts digit d + 1 into row r, column c.
ROW, COLUMN, DIGIT = np.indices((9, 9, 9)).reshape(3, 729)
ITEMS = np.stack(
    [
        9 * ROW + COLUMN,
        81 + 9 * ROW + DIGIT,
        162 + 9 * COLUMN + DIGIT,
        243 + 9 * (ROW // 3 * 3 + COLUMN // 3) + DIGIT,
    ],
    axis=1,
)
MATRIX = np.zeros((729, 324), np.bool_)
np.put_along_axis(MATRIX, ITEMS, True, axis=1)
# What a given takes away: the options that share an item with its own, then its own four items.
TAKEN = np.concatenate([(ITEMS[:, None, :] == ITEMS).any(axis=2), MATRIX], axis=1)


class Sudoku:
    """What the givens of a puzzle leave: small, and quick to build in each form."""

    def __init__(self, puzzle: str) -> None:
        self.board = digits(puzzle)
        cells = np.flatnonzero(self.board)
        taken = TAKEN[9 * cells + self.board[cells] - 1].any(axis=0)
        self.options = np.flatnonzero(~taken[:729])
        self.items = np.flatnonzero(~taken[729:])
        self.n_primary = self.n_items = len(self.items)

    def lists(self, first: int = 0) -> list[list[int]]:
        options: list[list[int]] = self._numbered(first).tolist()
        return options

    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        flat = self._numbered(0).ravel()
        return flat, np.arange(0, len(flat) + 1, 4, dtype=np.uint32)

    def matrix(self) -> NDArray[np.bool_]:
        # take is faster than an index, and its result is contiguous.
        return MATRIX.take(self.options, axis=0).take(self.items, axis=1)

    def filled(self, chosen: Sequence[int] | NDArray[Any] | None) -> NDArray[np.uint8]:
        """The board with the chosen options, or as it is where there are none."""
        if chosen is not None:
            options = self.options[chosen]
            self.board[options // 9] = options % 9 + 1
        return self.board

    def _numbered(self, first: int) -> NDArray[np.uint32]:
        """The four items of each option."""
        number = np.empty(324, np.uint32)
        number[self.items] = np.arange(first, first + self.n_items)
        return number[ITEMS[self.options]]


def digits(text: str) -> NDArray[np.uint8]:
    """0 where a cell is empty."""
    return np.frombuffer(text.replace(".", "0").encode(), np.uint8) - 48
