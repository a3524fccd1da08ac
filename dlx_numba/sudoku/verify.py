"""Is a board a solution, and of which puzzle? Array operations over many boards at once."""

import numpy as np
from numpy.typing import NDArray

from .box import Box, units


def check_values(puzzles: NDArray[np.integer], n: int, first: int = 0) -> None:
    """Raise ValueError where a value of `puzzles` (N, cells) is not from 0 to `n`.

    `first` is the number of the first row.
    """
    lowest = 0 if puzzles.dtype.kind == "u" else puzzles.min(initial=0)
    if lowest < 0 or puzzles.max(initial=0) > n:
        row, cell = np.argwhere((puzzles < 0) | (puzzles > n))[0]
        value = puzzles[row, cell]
        raise ValueError(f"puzzle {first + row}, cell {cell}: {value} is not from 0 to {n}")


def are_solutions(
    solutions: NDArray[np.uint8], puzzles: NDArray[np.uint8], box: Box
) -> NDArray[np.bool_]:
    """Which rows of `solutions` are full, correct boards that keep the givens of `puzzles`.

    Both have the shape (N, cells); the answer has the shape (N,).

    >>> board = np.array([[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]], np.uint8)
    >>> are_solutions(board, np.zeros_like(board), Box(2, 2))
    array([ True])
    """
    in_range = ((solutions >= 1) & (solutions <= box.n)).all(axis=1)
    keeps_givens = ((puzzles == 0) | (puzzles == solutions)).all(axis=1)
    bits = np.uint32(1) << (solutions.astype(np.uint32) & 31)
    full = np.uint32((1 << box.n + 1) - 2)
    correct = np.ones(len(solutions), np.bool_)
    for unit in units(box):
        correct &= np.bitwise_or.reduce(bits[:, unit], axis=1) == full
    return np.asarray(in_range & keeps_givens & correct)
