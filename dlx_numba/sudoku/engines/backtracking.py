"""The textbook solvers in plain Python: baselines for the benchmark, and oracles for the tests."""

from collections.abc import Callable, Iterator
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from ..box import Box, units
from .base import EngineResult

MAX_FILLINGS = 10**8  # an exhaustive search of more would take too long

CHECK_INTERVAL = 256  # steps of a solver between two calls of `stop`

CellValues = list[int]  # the value of each cell of a board, 0 if it is empty


def is_solved(board: CellValues, box: Box) -> bool:
    """Return whether each row, column and box contains each value once."""
    digits = set(range(1, box.n + 1))
    return all({board[cell] for cell in unit} == digits for unit in units(box))


def check_blanks(blanks: int, n: int) -> None:
    """Raise ValueError if a board has too many empty cells for an exhaustive search."""
    if n**blanks > MAX_FILLINGS:
        max_blanks = max(k for k in range(blanks) if n**k <= MAX_FILLINGS)
        raise ValueError(
            f"{blanks} blanks are too many for the very naive solver, which would try "
            f"{n}^{blanks} boards; at {n}x{n} it supports up to {max_blanks} blanks"
        )


def very_naive(board: CellValues, box: Box, count_step: Callable[[], None]) -> Iterator[CellValues]:
    """Yield the solutions of a board by checking all fillings of its blanks.

    Parameters
    ----------
    board
        The value of each cell, 0 if it is empty.
    box
        The box of the board.
    count_step
        A function that is called for each board that is filled in.

    Raises
    ------
    ValueError
        If the board has too many blanks for an exhaustive search.

    Examples
    --------
    >>> next(very_naive([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 0, 0], Box(2, 2), lambda: None))
    [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    """
    blanks = [cell for cell, value in enumerate(board) if value == 0]
    check_blanks(len(blanks), box.n)
    filled = list(board)
    for values in product(range(1, box.n + 1), repeat=len(blanks)):
        count_step()
        for cell, value in zip(blanks, values, strict=True):
            filled[cell] = value
        if is_solved(filled, box):
            yield list(filled)


def naive(board: CellValues, box: Box, count_step: Callable[[], None]) -> Iterator[CellValues]:
    """Yield the solutions of a board by backtracking over its blanks in order.

    Parameters are those of `very_naive`; `count_step` is called for each value that is placed.
    """
    peers: list[set[int]] = [set() for _ in board]
    for unit in units(box):
        for cell in unit:
            peers[cell].update(unit)
    filled = list(board)
    blanks = [cell for cell, value in enumerate(board) if value == 0]

    def is_consistent(cell: int, value: int) -> bool:
        return all(filled[peer] != value for peer in peers[cell] if peer != cell)

    if not all(is_consistent(cell, value) for cell, value in enumerate(board) if value):
        return
    at = 0  # not recursive: large boards have more blanks than Python allows nested calls
    while at >= 0:
        if at == len(blanks):
            yield list(filled)
            at -= 1
            continue
        cell = blanks[at]
        for value in range(filled[cell] + 1, box.n + 1):
            if is_consistent(cell, value):
                count_step()
                filled[cell] = value
                at += 1
                break
        else:
            filled[cell] = 0
            at -= 1


class _Canceled(Exception):
    pass


class PythonEngine:
    """The engines `naive-python` and, if `exhaustive`, `very-naive-python`."""

    def __init__(self, box: Box, exhaustive: bool = False) -> None:
        self.box = box
        self.solver = very_naive if exhaustive else naive

    def solve(
        self,
        boards: NDArray[np.uint8],
        limit: int,
        result: EngineResult,
        stop: Callable[[], bool],
    ) -> None:
        """Solve `boards` (N, cells) into `result`; see `Engine.solve`.

        Raises ValueError if a board has too many blanks for an exhaustive search.
        """
        steps = 0

        def count_step() -> None:
            nonlocal steps
            steps += 1
            if steps % CHECK_INTERVAL == 0 and stop():
                raise _Canceled

        for row, board in enumerate(boards):
            if stop():
                return
            steps = 0
            try:
                found = list(islice(self.solver(board.tolist(), self.box, count_step), limit))
            except _Canceled:
                return
            if found:
                result.solutions[row] = found[0]
            result.counts[row], result.nodes[row] = len(found), steps
