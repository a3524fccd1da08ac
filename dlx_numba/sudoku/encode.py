"""The exact cover problem of a board as a `Problem`, with the items and options of engine `dlx`."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.problem import Problem
from .box import Box
from .engines.board_links import box_numbers
from .verify import find_conflicts


class EncodedBoard(NamedTuple):
    """The exact cover problem of a board, and the meaning of its items and options.

    Attributes
    ----------
    problem : Problem
        The items and options that remain after the givens, in the order of the engine `dlx`.
    items : list of (str, int, int)
        The name of each item, in Knuth's notation; all numbers are counted from 1. A cell to fill
        is `("p", row, column)`. A value to place is `("r", row, value)`, `("c", column, value)` or
        `("b", box, value)`.
    placements : list of (int, int)
        The cell, counted from 0, and the value of each option.
    """

    problem: Problem
    items: list[tuple[str, int, int]]
    placements: list[tuple[int, int]]


def encode_problem(board: NDArray[np.uint8], box: Box) -> EncodedBoard:
    """Return the exact cover problem of a board.

    Parameters
    ----------
    board
        The values of the cells, shape (cells,), 0 for an empty cell.
    box
        The box of the board.

    Raises
    ------
    ValueError
        If two givens contradict each other.

    Examples
    --------
    >>> board = np.array([1, 2, 3, 0, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1], np.uint8)
    >>> encoded = encode_problem(board, Box(2, 2))
    >>> encoded.items, encoded.problem.items.tolist(), encoded.placements
    ([('p', 1, 4), ('r', 1, 4), ('c', 4, 4), ('b', 2, 4)], [0, 1, 2, 3], [(3, 4)])
    """
    for _, conflict in find_conflicts(board[np.newaxis], box):
        raise ValueError(f"the givens contradict each other: {conflict}")
    n, cells = box.n, box.cells
    cell, digit = np.divmod(np.arange(n * cells), n)
    lines = cell // n, cell % n, box_numbers(box)[cell]
    by_lines = (kind * cells + line * n + digit for kind, line in enumerate(lines, 1))
    items = np.column_stack([cell, *by_lines])
    is_covered = np.zeros(4 * cells, np.bool_)
    is_covered[items[board[cell] == digit + 1]] = True
    options = np.flatnonzero(~is_covered[items].any(axis=1))
    active = np.flatnonzero(~is_covered)
    numbers = np.searchsorted(active, items[options])
    return EncodedBoard(
        Problem(4 * np.arange(len(options) + 1), numbers.ravel(), len(active), n_secondary=0),
        [_item_name(item, box) for item in active.tolist()],
        [(option // n, option % n + 1) for option in options.tolist()],
    )


def _item_name(number: int, box: Box) -> tuple[str, int, int]:
    kind, position = divmod(number, box.cells)
    return "prcb"[kind], position // box.n + 1, position % box.n + 1
