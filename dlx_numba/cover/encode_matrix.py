"""Encode matrices as problems in arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.dlx.links import OptionError, check_options, count_nodes
from ..kernels.problem import Problem, select_items
from ..runtime.arguments import check_integer
from ..runtime.frames import reject_query
from ..runtime.text import plural
from .iterables import reject_mask
from .names import Names, option_label

Items = Iterable[Hashable]
LONG_FORM = "; for a table with one option a row, use ExactCover.from_frame"


def encode_matrix(matrix: ArrayLike) -> Problem:
    """Convert a 0/1 matrix into a problem with primary items only.

    Parameters
    ----------
    matrix : array_like or sparse matrix of SciPy, shape (options, items)
        The entry [i, j] is 1 if option i contains item j.

    Raises
    ------
    ValueError
        If `matrix` is not a 0/1 matrix.
    TypeError
        If it has a mask.
    """
    reject_query(matrix)
    if hasattr(matrix, "tocsr"):
        return encode_sparse(matrix)
    reject_mask(matrix, "matrix")
    try:
        array = np.asarray(matrix)
    except ValueError:
        lengths = [*map(np.size, cast(Any, matrix))]
        if (row := next((k for k, n in enumerate(lengths) if n != lengths[0]), None)) is None:
            raise
        reason = f"row {row} of the matrix has {plural(lengths[row], 'column')}, not {lengths[0]}"
        raise ValueError(reason) from None
    if array.ndim != 2:
        raise ValueError(f"the matrix must have 2 dimensions, not {array.ndim}")
    if array.dtype.kind not in "biufcO":
        reason = f"the matrix must contain only 0 and 1, not elements of {array.dtype}"
        raise ValueError(reason + LONG_FORM)
    n_rows, n_columns = array.shape
    array = array.ravel()
    try:  # the positions of a mask are found much faster than those of integers, or of two axes
        ones = np.asarray(array != 0, np.bool_).nonzero()[0]
    except TypeError:  # a comparison with the missing value of pandas is neither true nor false
        raise ValueError("the matrix must contain only 0 and 1, no missing values") from None
    is_valid = np.asarray(array[ones] == 1, np.bool_)
    if np.count_nonzero(is_valid) < len(ones):
        invalid = ones[np.argmin(is_valid)]
        row, column = divmod(int(invalid), n_columns)
        [value] = array[[invalid]].tolist()
        reason = f"the matrix must contain only 0 and 1: [{row}, {column}] is {value!r}"
        raise ValueError(reason + (LONG_FORM if hasattr(matrix, "columns") else ""))
    count_nodes(n_columns, len(ones))
    width = max(1, n_columns)
    # The position of an entry in the raveled matrix is its row * width + its column.
    indptr = ones.searchsorted(np.arange(0, n_rows * width + 1, width))
    return Problem(indptr, ones % width, n_columns, 0)  # valid: no pair is repeated


def encode_sparse(matrix: Any) -> Problem:
    """Convert a sparse matrix or array of SciPy, of zeros and ones in any format."""
    rows = matrix.tocsr(copy=True)
    if len(rows.shape) != 2:
        raise ValueError(f"a sparse matrix must have 2 dimensions, not {len(rows.shape)}")
    rows.sum_duplicates()
    rows.eliminate_zeros()
    if (rows.data != 1).any():
        raise ValueError("a sparse matrix must contain only 0 and 1")
    return encode_csr(rows.indptr, rows.indices, rows.shape[1])


def encode_csr(indptr: ArrayLike, indices: ArrayLike, n_items: int) -> Problem:
    """Convert a CSR matrix into a problem with primary items only.

    The arrays are copied.

    Parameters
    ----------
    indptr : array_like of int, shape (options + 1,)
        Start of each option in `indices`.
    indices : array_like of int
        Columns of the items.
    n_items : int
        Number of columns.

    Raises
    ------
    ValueError
        If the arrays do not contain integers or are inconsistent, or there are too many items.
    TypeError
        If `n_items` is not an integer, or an array has a mask.
    """
    n_items = check_integer(n_items, "n_items", minimum=0)
    indptr = _copy_integers(indptr, "indptr")
    indices = _copy_integers(indices, "indices")
    problem = Problem(indptr, indices, n_items, 0)
    check_problem(problem, Names(range(n_items), (), ()))
    return problem


def name_columns(matrix: Problem, items: Items | None, secondary: Items) -> tuple[Problem, Names]:
    """Make some columns of a matrix secondary. The items are named by the numbers of the columns.

    Raises ValueError if a secondary item is not a column, or the items are listed.
    """
    if items is not None:
        raise ValueError("the items of a matrix are its columns, so they cannot be listed")
    n_items = matrix.n_items
    names: Sequence[int] = range(n_items)
    if not secondary:
        return matrix, Names(names, [], range(matrix.n_options))
    columns = np.unique(_copy_integers(cast(ArrayLike, [*secondary]), "secondary"))
    if np.any((columns < 0) | (columns >= n_items)):
        raise ValueError(f"secondary items must be from 0 to {n_items - 1}")
    order = np.append(np.setdiff1d(names, columns), columns)  # the primary items first
    matrix = select_items(matrix, order, n_items - len(columns))
    return matrix, Names(order.tolist(), [], range(matrix.n_options))


def _copy_integers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    """Return a copy as int64, or raise ValueError if the values are not integers."""
    reject_mask(values, name)
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must contain integers, not {array.dtype}")
    return array.astype(np.int64)  # always a copy, because the caller may change the array


def check_problem(problem: Problem, names: Names) -> None:
    """Raise ValueError if an option is invalid or the problem is too large."""
    try:
        check_options(problem.indptr, problem.items, problem.n_items)
    except OptionError as error:
        name = names.items[error.item] if 0 <= error.item < problem.n_items else error.item
        option = option_label(names.options, error.option)
        reason = f"item {name!r} {error.reason}"
        if set(names.items) <= {0, 1}:
            reason += "; for a matrix of zeros and ones, use ExactCover.from_matrix"
        raise ValueError(f"option {option}: {reason}") from None
