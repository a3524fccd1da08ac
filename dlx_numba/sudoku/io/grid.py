"""Boards drawn with rules between their boxes, in qqwing's readable style."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..box import Box
from .symbols import Alphabet, Values


def grid(board: Values, box: Box, alphabet: Alphabet) -> str:
    """The board (cells,) as lines of text, the last one without a line end.

    >>> board = np.array([1, 2, 3, 4] + [0] * 12, np.uint8)
    >>> print(grid(board, Box(2, 2), Alphabet("1-9A-", 4)))
     1 2 | 3 4
     . . | . .
    -----|-----
     . . | . .
     . . | . .
    """
    return draw(alphabet.symbols_of(board.reshape(1, -1)), box).tobytes().decode()[:-1]


def draw(symbols: Values, box: Box) -> Values:
    """(N, length) uint8: the drawing of each board, a line end after each line.

    `symbols` is (N, cells) uint8, the characters of the cells.
    """
    blank, places = _template(box)
    drawings = np.tile(blank, (len(symbols), 1))
    drawings[:, places] = symbols
    return drawings


@lru_cache
def _template(box: Box) -> tuple[Values, npt.NDArray[np.intp]]:
    """A drawing whose cells are `?`, and where they are."""
    row = " |".join([" ?" * box.columns] * box.rows)
    rule = "|".join(["-" * (2 * box.columns + 1)] * box.rows)
    band = f"{row}\n" * box.rows
    drawing = np.frombuffer(f"{rule}\n".join([band] * box.columns).encode(), np.uint8)
    return drawing, np.flatnonzero(drawing == ord("?"))
