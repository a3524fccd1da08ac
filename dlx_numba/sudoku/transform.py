"""`transform`: random boards that are equivalent to others under the Sudoku symmetry group."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from .box import BoxLike
from .convert import Puzzles, convert_entries
from .generator.api import check_seed

BLOCK_BOARDS = 4096  # limits the memory, and fits into the cache


@overload
def transform(  # type: ignore[overload-overlap]  # a string is also an iterable
    boards: str, seed: int | None = None, *, box: BoxLike = None, alphabet: str = "auto"
) -> str: ...
@overload
def transform(
    boards: Puzzles, seed: int | None = None, *, box: BoxLike = None, alphabet: str = "auto"
) -> NDArray[np.uint8]: ...
def transform(
    boards: Puzzles, seed: int | None = None, *, box: BoxLike = None, alphabet: str = "auto"
) -> Any:
    """Return a random equivalent of each board.

    A random symmetry of Sudoku transforms each board: a permutation of the values, of the bands, of
    the rows of each band, of the stacks, and of the columns of each stack, and the transposition if
    boxes are square. All symmetries have the same probability, so all boards that are equivalent to
    a board have the same probability, too. Solutions, difficulty and minimality are those of the
    original board, up to the symmetry.

    Parameters
    ----------
    boards : array_like, str, bytes, path-like or file
        Boards in one of the forms that `solve_batch` accepts: puzzles, complete boards, and boards
        with contradictory givens. Equal boards are transformed independently.
    seed : int, optional
        A nonnegative integer. The transformation of board k depends on the seed, on k and on the
        box only. None for a random seed.
    box, alphabet
        As for `solve_batch`.

    Returns
    -------
    ndarray of uint8, shape (N, cells), or str
        The boards, 0 for an empty cell; for a string, a line for each board.

    Raises
    ------
    ValueError
        If an argument is invalid.
    TypeError
        If `seed` is not an integer.

    Examples
    --------
    >>> from dlx_numba import canonical
    >>> boards = transform(["1.....3..4.....2"] * 3, seed=1)
    >>> boards.shape
    (3, 16)
    >>> len(np.unique(canonical(boards), axis=0))
    1
    """
    entries = convert_entries(boards, box, alphabet)
    random = np.random.Generator(np.random.PCG64(check_seed(seed)))
    n = entries.box.n
    height, width = entries.box
    results = np.empty_like(entries.boards)
    for start in range(0, len(results), BLOCK_BOARDS):
        block = entries.boards[start : start + BLOCK_BOARDS]
        # A row of random numbers for each board. Sorting a part of them gives a random order: of
        # `width` bands, the rows of all bands, `height` stacks, their columns, and the values. The
        # last one decides the transposition.
        keys = random.random((len(block), 3 * n + height + width + 1))
        bands, rows, stacks, columns, digits, flip = np.split(
            keys, np.cumsum([width, n, height, n, n]), axis=1
        )
        row = _line_orders(bands, rows)[:, :, None]
        column = _line_orders(stacks, columns)[:, None, :]
        cells = row * n + column
        if height == width:
            cells = np.where(flip[:, :, None] < 0.5, cells, row + column * n)
        values = np.zeros((len(block), n + 1), np.uint8)
        values[:, 1:] = digits.argsort(axis=1) + 1
        moved = np.take_along_axis(block, cells.reshape(block.shape), axis=1)
        results[start : start + BLOCK_BOARDS] = np.take_along_axis(values, moved, axis=1)
    return entries.as_given(results)


def _line_orders(groups: NDArray[np.float64], lines: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return an order (N, n) of lines for each row of random keys (N, groups) and (N, n)."""
    n_boards, n_groups = groups.shape
    order = lines.reshape(n_boards, n_groups, -1).argsort(axis=2)
    order += groups.argsort(axis=1)[:, :, None] * order.shape[2]
    return order.reshape(n_boards, -1)
