"""Rows of sparse matrices in the CSR layout: an array `start` says where each row begins."""

import numpy as np
from numpy.typing import NDArray

Ranges = tuple[NDArray[np.int64], NDArray[np.int64]]


def join_ranges(begin: NDArray[np.integer], end: NDArray[np.integer]) -> Ranges:
    """Return the numbers from each `begin` to its `end`, exclusive, and the range of each number.

    >>> numbers, ranges = join_ranges(np.array([5, 1]), np.array([7, 2]))
    >>> numbers.tolist(), ranges.tolist()
    ([5, 6, 1], [0, 0, 1])
    """
    lengths = end - begin
    numbers = np.repeat(end - np.cumsum(lengths), lengths)
    numbers += np.arange(len(numbers))
    return numbers, np.repeat(np.arange(len(lengths)), lengths)


def group(keys: NDArray[np.integer], n: int) -> Ranges:
    """Return the positions of keys less than n, ordered by key, and where those of each key begin.

    >>> positions, start = group(np.array([2, 0, 2]), 3)
    >>> positions.tolist(), start.tolist()
    ([1, 0, 2], [0, 1, 1, 3])
    """
    positions = np.argsort(keys, kind="stable")
    return positions, np.searchsorted(keys[positions], np.arange(n + 1))
