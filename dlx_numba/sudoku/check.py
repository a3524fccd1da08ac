"""Is a board a solution, and of which puzzle? Array operations over many boards at once."""

import numpy as np
from numpy.typing import NDArray

from ..box import Box
from .naive import units


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
