"""Exact cover problems in the forms that the packages accept.

Items are numbers: the primary items from 0, then the secondary items.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dlx_numba import ExactCover

from ..puzzles import decode_boards

INSTANCES = Path(__file__).resolve().parents[2] / "tests" / "instances"
N_COVERS = {  # the true numbers of covers: see tests/instances/README.md
    "queens12": 14200,
    "langford11": 35584,
    "pent3x20": 8,
    "pent6x10r": 2339,
    "random40": 635,
    "sudoku17m1": 507806,
}
PLAIN, COLORS, MULTIPLICITIES = range(3)  # kinds of problems
GENERAL = {"macmahon4x6f": (11736, COLORS), "queendom8.mcc": (4860, MULTIPLICITIES)}


class Problem(Protocol):
    n_primary: int
    n_items: int

    def lists(self, first: int = 0) -> list[list[int]]:
        """Return the items of each option, numbered from `first`."""

    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Return the items of all options, and the start of each option followed by the end."""

    def matrix(self) -> NDArray[np.bool_]:
        """Return the matrix of options and items.

        Each secondary item gets an additional row, a slack option that covers only this item.
        """


class ExactCoverProblem:
    """A problem without colors."""

    def __init__(self, options: list[list[int]], n_primary: int, n_items: int) -> None:
        self.options, self.n_primary, self.n_items = options, n_primary, n_items

    @classmethod
    def from_file(cls, file: Path) -> "ExactCoverProblem":
        problem = ExactCover.read(file).problem
        if problem.color is not None:
            raise ValueError(f"{file}: a matrix cannot represent the colors of this problem")
        options = [option.tolist() for option in np.split(problem.items, problem.indptr[1:-1])]
        return cls(options, problem.n_primary, problem.n_items)

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


# The empty board: option 81 r + 9 c + d puts digit d + 1 into row r, column c.
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
# For each given: the options that conflict with it (729) and the items that it covers (324).
REMOVED = np.concatenate([(ITEMS[:, None, :] == ITEMS).any(axis=2), MATRIX], axis=1)


class SudokuProblem:
    """The options and items that remain after the givens, quick to build in each form."""

    def __init__(self, puzzle: str) -> None:
        self.board = decode_boards(puzzle)[0]
        cells = np.flatnonzero(self.board)
        removed = REMOVED[9 * cells + self.board[cells] - 1].any(axis=0)
        self.options = np.flatnonzero(~removed[:729])
        self.items = np.flatnonzero(~removed[729:])
        self.n_primary = self.n_items = len(self.items)

    def lists(self, first: int = 0) -> list[list[int]]:
        options: list[list[int]] = self._numbered(first).tolist()
        return options

    def arrays(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        flat = self._numbered(0).ravel()
        return flat, np.arange(0, len(flat) + 1, 4, dtype=np.uint32)

    def matrix(self) -> NDArray[np.bool_]:
        # `take` is faster than indexing, and its result is contiguous.
        return MATRIX.take(self.options, axis=0).take(self.items, axis=1)

    def fill(self, cover: Sequence[int] | NDArray[Any] | None) -> NDArray[np.uint8]:
        """Return the board (81,) with the options of a cover, or unchanged if there is none."""
        board: NDArray[np.uint8] = self.board.copy()
        if cover is not None:
            options = self.options[cover]
            board[options // 9] = options % 9 + 1
        return board

    def _numbered(self, first: int) -> NDArray[np.uint32]:
        """Return the four items of each option, numbered from `first`."""
        number = np.empty(324, np.uint32)
        number[self.items] = np.arange(first, first + self.n_items)
        items: NDArray[np.uint32] = number[ITEMS[self.options]]
        return items
