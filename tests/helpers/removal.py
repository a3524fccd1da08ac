"""Whether clues can be removed from a puzzle: checks of the results of `generate`."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

import dlx_numba as dlx
from dlx_numba.sudoku.box import Box

Board = NDArray[np.uint8]


def solution_counts(boards: Iterable[Board], box: Box) -> list[int]:
    """Return the number of solutions of each board up to 2, by the engine `dlx`."""
    counts: list[int] = dlx.solve_batch(
        np.array(list(boards), np.uint8).reshape(-1, box.cells), 2, "dlx", 1, box=box
    ).counts.tolist()
    return counts


def without(board: Board, cells: Iterable[int]) -> Board:
    """Return a board without the clues in some cells."""
    changed = board.copy()
    changed[list(cells)] = 0
    return changed


def orbit(cell: int, symmetry: str, n: int) -> set[int]:
    """Return the cells to which a symmetry moves a cell."""
    row, column = divmod(cell, n)
    below, right = n - 1 - row, n - 1 - column
    others = {
        "none": [],
        "rotate90": [(column, below), (below, right), (right, row)],
        "rotate180": [(below, right)],
        "mirror": [(row, right)],
        "flip": [(below, column)],
    }[symmetry]
    return {cell} | {row * n + column for row, column in others}


def is_symmetric(board: Board, symmetry: str, n: int) -> bool:
    """Return whether the cells with a clue have a symmetry."""
    clues = set(np.flatnonzero(board).tolist())
    return all(orbit(cell, symmetry, n) <= clues for cell in clues)


def is_reduced(board: Board, symmetry: str, n: int, is_valid: Callable[[Board], bool]) -> bool:
    """Return whether a board is valid, and is not without the clues of any orbit."""
    orbits = {frozenset(orbit(cell, symmetry, n)) for cell in np.flatnonzero(board).tolist()}
    return is_valid(board) and not any(is_valid(without(board, cells)) for cells in orbits)
