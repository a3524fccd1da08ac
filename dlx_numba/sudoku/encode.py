"""A board's exact cover problem with numbers and names, as the engine `dlx` builds it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .box import Box, units
from .engines.board_links import NODES_OF_OPTION, allocate_instance, link_board


class BoardProblem(NamedTuple):
    """The items and options that the givens leave, numbered from 0 in the engine's order."""

    options: NDArray[np.int64]  # (options, 4) the items of each
    placement: NDArray[np.int64]  # (options, 2) its cell and its value
    items: list[tuple[str, int, int]]  # kind, and what its letters stand for: see `board_problem`


def board_problem(board: NDArray[np.uint8], box: Box) -> BoardProblem:
    """The problem of a board (cells,), 0 for an empty cell.

    Items are, in Knuth's letters: `("p", row, column)`, a cell to fill; `("r", row, value)`,
    `("c", column, value)` and `("b", box, value)`, a value to be placed; all from 1. Raises
    ValueError where two givens are at odds, for then nothing is built.

    >>> board = np.array([1, 2, 3, 0, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1], np.uint8)
    >>> problem = board_problem(board, Box(2, 2))
    >>> problem.items, problem.options.tolist(), problem.placement.tolist()
    ([('p', 1, 4), ('r', 1, 4), ('c', 4, 4), ('b', 2, 4)], [[0, 1, 2, 3]], [[3, 4]])
    """
    instance = allocate_instance(box)
    if not link_board(board, instance):
        raise ValueError(f"{_at_odds(board, box)}: no option is built for such a board")
    links, placement, *_ = instance
    active = []
    item = int(links.R[0])
    while item:
        active.append(item)
        item = int(links.R[item])
    number = np.zeros(len(links.size), np.int64)
    number[active] = np.arange(len(active))
    n_options = int(links.size[1 : 1 + box.cells].sum())  # each is in the list of one cell
    first = len(links.size)
    columns = links.column[first : first + NODES_OF_OPTION * n_options]
    places = placement[:n_options].astype(np.int64)
    return BoardProblem(
        number[columns].reshape(-1, NODES_OF_OPTION),
        np.stack([places // box.n, places % box.n + 1], axis=1),
        [_item(item - 1, box) for item in active],
    )


def _item(number: int, box: Box) -> tuple[str, int, int]:
    kind, within = divmod(number, box.cells)
    return "prcb"[kind], within // box.n + 1, within % box.n + 1


def _at_odds(board: NDArray[np.uint8], box: Box) -> str:
    """The first two givens that are at odds, by name."""
    n = box.n
    for unit in units(box):
        seen: dict[int, int] = {}
        for cell in unit:
            value = int(board[cell])
            if value and value in seen:
                one, other = (f"row {c // n + 1}, column {c % n + 1}" for c in (seen[value], cell))
                return f"the givens in {one} and in {other} are at odds"
            seen[value] = cell
    raise AssertionError("no two givens are at odds")
