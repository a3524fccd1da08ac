"""Rows of sparse matrices in the CSR layout: an array `start` says where each row begins."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..jit import inlined, njit

ScalarT = TypeVar("ScalarT", bound=np.generic)
Ranges = tuple[NDArray[np.int64], NDArray[np.int64]]
ROWS_PER_SUM = 1 << 14  # whose values stay in the cache


def join_ranges(begin: NDArray[np.integer], end: NDArray[np.integer]) -> Ranges:
    """Return the numbers from each `begin` to its `end`, exclusive, and the range of each number.

    >>> numbers, ranges = join_ranges(np.array([5, 1]), np.array([7, 2]))
    >>> numbers.tolist(), ranges.tolist()
    ([5, 6, 1], [0, 0, 1])
    """
    lengths = end - begin
    # A range ends at the position `cumsum(lengths)` of the result: add the difference to positions.
    numbers = np.repeat(end - np.cumsum(lengths), lengths)
    numbers += np.arange(len(numbers))
    return numbers, np.repeat(np.arange(len(lengths)), lengths)


def row_of(elements: NDArray[ScalarT], start: NDArray[np.integer], row: int) -> NDArray[ScalarT]:
    """Return the elements of a row.

    >>> row_of(np.array([5, 6, 7]), np.array([0, 2, 3]), 1).tolist()
    [7]
    """
    return elements[start[row] : start[row + 1]]


def group(keys: NDArray[np.integer], n: int) -> Ranges:
    """Return the positions of keys, ordered by key, and where those of each key less than n begin.

    The positions of equal keys ascend. Those of larger keys, if there are any, come last.

    >>> positions, start = group(np.array([2, 0, 2]), 3)
    >>> positions.tolist(), start.tolist()
    ([1, 0, 2], [0, 1, 1, 3])
    """
    positions, start = transpose(np.arange(len(keys) + 1), keys, n)  # a row for each key
    return positions, start[: n + 1]


def positions_in(numbers: NDArray[np.integer], n: int, missing: int = -1) -> NDArray[np.int64]:
    """Return the position of each number less than n in an array of distinct numbers, or `missing`.

    >>> positions_in(np.array([2, 0]), 4).tolist()
    [1, -1, 0, -1]
    """
    positions = np.full(n, missing)
    positions[numbers] = np.arange(len(numbers))
    return positions


def transpose(start: NDArray[np.integer], columns: NDArray[np.integer], n_columns: int) -> Ranges:
    """Return the rows of each column of a matrix, ascending, and where those of each begin.

    >>> rows, start = transpose(np.array([0, 2, 3]), np.array([2, 0, 2]), 3)
    >>> rows.tolist(), start.tolist()
    ([0, 0, 1], [0, 1, 1, 3])
    """
    column_start = np.append(0, np.cumsum(np.bincount(columns, minlength=n_columns)))
    rows = np.empty(len(columns), np.int64)
    fill_rows(start, np.ascontiguousarray(columns, np.int64), column_start[:-1].copy(), rows)
    return rows, column_start


def sum_rows(start: NDArray[np.integer], values: NDArray[Any]) -> NDArray[np.int64]:
    """Return the sum of the integers of each row, modulo 2**64. The first row need not begin at 0.

    >>> sum_rows(np.array([1, 3, 3, 4]), np.array([5, 6, 7])).tolist()
    [11, 0, 7]
    """
    return _reduce_rows(np.add, start, values, np.zeros(len(start) - 1, np.int64))


def lowest_in_rows(
    start: NDArray[np.integer], values: NDArray[np.integer], empty: int
) -> NDArray[np.int64]:
    """Return the lowest value of each row, or `empty` for one without values.

    The first row need not begin at 0.

    >>> lowest_in_rows(np.array([0, 2, 2, 3]), np.array([6, 5, 7]), 9).tolist()
    [5, 9, 7]
    """
    return _reduce_rows(np.minimum, start, values, np.full(len(start) - 1, empty))


def any_in_rows(start: NDArray[np.integer], values: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether any of the values of each row is true. The first row need not begin at 0.

    >>> any_in_rows(np.array([0, 2, 2, 3]), np.array([False, True, False])).tolist()
    [True, False, False]
    """
    return _reduce_rows(np.logical_or, start, values, np.zeros(len(start) - 1, np.bool_))


def _reduce_rows(
    function: np.ufunc, start: NDArray[np.integer], values: NDArray[Any], result: NDArray[Any]
) -> NDArray[Any]:
    """Reduce the values of each row to one; rows without values keep that of `result`."""
    is_filled = start[1:] > start[:-1]
    if len(values):
        begin = start[:-1][is_filled] - start[0]
        result[is_filled] = function.reduceat(values, begin, dtype=result.dtype)
    return result


def first_equal(start: NDArray[np.integer], columns: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return for each row the first row with the same columns. The columns of a row ascend.

    Rows with equal sums of random weights are compared with the first of them. If any differs, all
    is repeated with other weights. The first row need not begin at 0.

    >>> first_equal(np.array([0, 2, 3, 5]), np.array([2, 4, 2, 2, 4])).tolist()
    [0, 1, 0]
    """
    columns, start = columns[start[0] : start[-1]], start - start[0]
    random = np.random.default_rng(0)
    n_columns = 1 + int(columns.max(initial=0))
    first, sums = np.empty((2, len(start) - 1), np.int64)
    while True:  # until only equal rows have equal sums
        weights = random.integers(1 << 63, size=n_columns)
        for k in range(0, len(sums), ROWS_PER_SUM):
            part = start[k : k + ROWS_PER_SUM + 1]
            sums[k : k + ROWS_PER_SUM] = sum_rows(part, weights[columns[part[0] : part[-1]]])
        order = np.argsort(sums)
        # Where each range of equal sums begins in the order
        begin = np.flatnonzero(np.append(True, np.diff(sums[order]) != 0)[: len(order)])
        if len(begin) == len(order):
            return np.arange(len(order))
        lengths = np.diff(np.append(begin, len(order)))
        first[order] = np.repeat(np.minimum.reduceat(order, begin), lengths)
        rows = np.flatnonzero(first < np.arange(len(first)))
        own, other = (join_ranges(start[k], start[k + 1])[0] for k in (rows, first[rows]))
        if np.array_equal(columns[own], columns[other]):
            return first


def number_rows(*columns: NDArray[np.integer]) -> Ranges:
    """Return the rank of each row of a table, and how many equal rows are before it.

    A row's rank is its position among the distinct rows in lexicographic order.

    >>> numbers, n_before = number_rows(np.array([5, 4, 5]), np.array([1, 2, 1]))
    >>> numbers.tolist(), n_before.tolist()
    ([1, 0, 1], [0, 0, 1])
    """
    order = np.lexsort(columns[::-1])
    is_new = np.arange(len(order)) == 0
    for column in columns:
        is_new[1:] |= np.diff(column[order]) != 0
    numbers, n_before = np.empty((2, len(order)), np.int64)
    numbers[order] = np.cumsum(is_new) - 1
    n_before[order] = np.arange(len(order)) - np.flatnonzero(is_new)[numbers[order]]
    return numbers, n_before


def renumber(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct codes in ascending order, and the number of each code among these.

    Codes are not negative. Unless they are large, this takes linear time.

    >>> distinct, number = renumber(np.array([7, 3, 7]))
    >>> distinct.tolist(), number.tolist()
    ([3, 7], [1, 0, 1])
    """
    most = int(codes.max(initial=0))
    if most > 16 * len(codes):
        return np.unique(codes, return_inverse=True)
    is_used = np.zeros(most + 1, np.bool_)
    is_used[codes] = True
    return np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[codes]


@inlined
def row_range(start, row):
    """Return the positions of the elements of a row. `start` (rows + 1,) says where rows begin."""
    return range(start[row], start[row + np.uint32(1)])


@njit
def fill_rows(start, columns, end, rows):
    """Write the rows of each column of a matrix.

    Parameters: `start` (rows + 1,) and `columns` (n,) int64, the matrix; `end` int64, where the
    rows of each column begin, modified: where they end; `rows` (n,) int64, written.
    """
    for row in range(len(start) - 1):
        for k in row_range(start, row):
            rows[end[columns[k]]] = row
            end[columns[k]] += 1
