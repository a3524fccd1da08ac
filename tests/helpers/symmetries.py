"""The symmetries of Sudoku: random ones, and oracles that try all of them."""

import random
from collections.abc import Iterator
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from tests.helpers.boxes import BoxShape
from tests.helpers.oracles import shuffled_lines


def line_orders(groups: int, size: int) -> Iterator[list[int]]:
    """Yield all orders of the rows of a board in `groups` bands of `size` rows; or of columns."""
    for order in permutations(range(groups)):
        for inner in product(permutations(range(size)), repeat=groups):
            yield [group * size + line for group in order for line in inner[group]]


def grids_of(board: NDArray[np.uint8], box: BoxShape) -> list[NDArray[np.uint8]]:
    """Return the board as a matrix, and its transpose if boxes are square."""
    grid = board.reshape(box.n, box.n)
    return [grid, grid.T] if box.rows == box.columns else [grid]


def cell_orders(box: BoxShape) -> NDArray[np.intp]:
    """Return all permutations of the cells by symmetries, shape (M, cells)."""
    box = BoxShape(*box)  # also of one of the package
    cells = np.arange(box.cells)
    rows, columns = (
        np.array(list(line_orders(*groups))) for groups in ((box.columns, box.rows), box)
    )
    return np.concatenate(
        [
            grid[rows[:, None, :, None], columns[None, :, None, :]].reshape(-1, box.cells)
            for grid in grids_of(cells, box)
        ]
    )


def count_automorphisms(board: NDArray[np.uint8], orders: NDArray[np.intp]) -> int:
    """Count the permutations of the cells that only permute the values of the board."""
    images = np.vstack([board, board[orders]])
    labeled, _ = relabeled_lines(images, np.zeros((len(images), board.max() + 1), np.int64))
    return int((labeled[1:] == labeled[0]).all(axis=1).sum())


def minimal_board_by_rows(board: NDArray[np.uint8], box: BoxShape) -> tuple[int, ...]:
    """Return the smallest equivalent board: try all orders of columns, and extend them by rows.

    Each order of the columns is combined with every row that can be the first one; those with the
    smallest first row are extended by every row that can be the second one, and so on. The matrices
    of a step have a row for each combination. If two rows of a band are equal, the first one is
    chosen first.
    """
    box = BoxShape(*box)  # also of one of the package
    n = box.n
    orders = np.array(list(line_orders(box.rows, box.columns)))
    grids = np.concatenate([grid[:, orders].transpose(1, 0, 2) for grid in grids_of(board, box)])
    chosen = np.zeros((len(grids), 0), np.int64)  # the rows so far
    labels = np.zeros((len(grids), n + 1), np.int64)  # of each value, 0 if it has none
    form: list[int] = []
    for depth in range(n):
        extended = []
        for row in range(n):
            band = row // box.rows * box.rows
            is_open = (chosen != row).all(axis=1)
            if depth % box.rows:
                is_open &= chosen[:, -1] // box.rows * box.rows == band
            for other in range(band, row):
                is_equal = (grids[:, row] == grids[:, other]).all(axis=1)
                is_open &= ~is_equal | (chosen == other).any(axis=1)
            numbers = np.flatnonzero(is_open)
            extended.append((numbers, np.full(len(numbers), row)))
        number, row = map(np.concatenate, zip(*extended, strict=True))
        lines, row_labels = relabeled_lines(grids[number, row], labels[number])
        smallest = min(map(bytes, lines))
        form += smallest
        best = (lines == np.frombuffer(smallest, np.uint8)).all(axis=1)
        number, row, labels = number[best], row[best], row_labels[best]
        grids = grids[number]
        chosen = np.column_stack([chosen[number], row])
    return tuple(form)


def relabeled_lines(
    lines: NDArray[np.uint8], labels: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return lines with the labels of their values, and all labels; new values have the next."""
    labels = labels.copy()
    each = np.arange(len(lines))
    result = np.zeros_like(lines)
    for column, values in enumerate(lines.T):
        is_new = (values > 0) & (labels[each, values] == 0)
        labels[each[is_new], values[is_new]] = labels[is_new].max(axis=1, initial=0) + 1
        result[:, column] = np.where(values > 0, labels[each, values], 0)
    return result, labels


def random_equivalent(
    board: NDArray[np.uint8], box: BoxShape, rng: random.Random
) -> NDArray[np.uint8]:
    """Return a board that a random symmetry makes of `board` (cells,)."""
    box = BoxShape(*box)  # also of one of the package
    grid = rng.choice(grids_of(board, box))[shuffled_lines(box.columns, box.rows, rng)]
    grid = grid[:, shuffled_lines(box.rows, box.columns, rng)]
    values = np.array([0, *rng.sample(range(1, box.n + 1), box.n)], np.uint8)
    return values[grid].ravel()
