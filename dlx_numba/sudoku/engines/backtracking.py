"""The solvers that Dancing Links is measured against, in plain Python as they are taught.

Both are also oracles: short enough to be seen to be right.
"""

from collections.abc import Callable, Iterator
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from ..box import Box, units
from ..result import BatchResult

# More boards than this, and filling in everything would not end within minutes.
MOST_BOARDS = 10**8

Board = list[int]  # a value for each cell, 0 where it is empty


def is_solved(board: Board, box: Box) -> bool:
    """Whether each row, column and box holds each digit once."""
    digits = set(range(1, box.n + 1))
    return all({board[cell] for cell in unit} == digits for unit in units(box))


def check_blanks(blanks: int, n: int) -> None:
    """Raise ValueError where a board has too many empty cells for the very naive solver."""
    if n**blanks > MOST_BOARDS:
        most = max(k for k in range(blanks) if n**k <= MOST_BOARDS)
        raise ValueError(
            f"{blanks} blanks are too many for the very naive solver, which would fill in "
            f"{n}^{blanks} boards; at {n}x{n} it takes up to {most}"
        )


def very_naive(board: Board, box: Box, tick: Callable[[], None]) -> Iterator[Board]:
    """Fill everything, then check. Calls `tick` for each board that it fills.

    Raises ValueError where the board has too many blanks for that.

    >>> next(very_naive([1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 0, 0], Box(2, 2), lambda: None))
    [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    """
    blanks = [cell for cell, value in enumerate(board) if value == 0]
    check_blanks(len(blanks), box.n)
    filled = list(board)
    for values in product(range(1, box.n + 1), repeat=len(blanks)):
        tick()
        for cell, value in zip(blanks, values, strict=True):
            filled[cell] = value
        if is_solved(filled, box):
            yield list(filled)


def naive(board: Board, box: Box, tick: Callable[[], None]) -> Iterator[Board]:
    """Place only what is consistent, in the first empty cell. Calls `tick` for each placement."""
    peers: list[set[int]] = [set() for _ in board]
    for unit in units(box):
        for cell in unit:
            peers[cell].update(unit)
    filled = list(board)

    def consistent(cell: int, value: int) -> bool:
        return all(filled[peer] != value for peer in peers[cell] if peer != cell)

    def place(cell: int) -> Iterator[Board]:
        while cell < len(filled) and filled[cell]:
            cell += 1
        if cell == len(filled):
            yield list(filled)
            return
        for value in range(1, box.n + 1):
            if consistent(cell, value):
                tick()
                filled[cell] = value
                yield from place(cell + 1)
                filled[cell] = 0

    if all(consistent(cell, value) for cell, value in enumerate(board) if value):
        yield from place(0)


class _CalledOff(Exception):
    pass


class PythonEngine:
    """Runs one of the solvers above over blocks of boards."""

    def __init__(
        self, box: Box, solver: Callable[[Board, Box, Callable[[], None]], Iterator[Board]]
    ) -> None:
        self.box, self.solver = box, solver

    def solve(
        self,
        boards: NDArray[np.uint8],
        limit: int,
        result: BatchResult,
        stop: Callable[[], bool],
    ) -> None:
        """Solve `boards` (N, cells) into `result`, until `stop()`, asked at intervals."""
        tried = 0

        def tick() -> None:
            nonlocal tried
            tried += 1
            if tried % 256 == 0 and stop():
                raise _CalledOff

        for at, board in enumerate(boards):
            if stop():
                return
            tried = 0
            try:
                found = list(islice(self.solver(board.tolist(), self.box, tick), limit))
            except _CalledOff:
                return
            if found:
                result.solutions[at] = found[0]
            result.counts[at], result.nodes[at] = len(found), tried
