"""A board as a string, and boards drawn as grids."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..box import Box
from .symbols import Alphabet, Values


def format_board(values: Values, alphabet: Alphabet) -> str:
    """Return a board as one line, with `.` for an empty cell.

    Examples
    --------
    >>> format_board(np.array([1, 0, 16], np.uint8), Alphabet("1-9A-", 16))
    '1.G'
    >>> format_board(np.array([1, 0, 36], np.uint8), Alphabet("numbers", 36))
    '1 . 36'
    """
    return alphabet.symbols_of(values).tobytes().replace(b"\0", b"").decode()


def format_cells(values: Values, alphabet: Alphabet) -> list[str]:
    """Return the symbol of each cell of a board, with `.` for an empty cell.

    Examples
    --------
    >>> format_cells(np.array([1, 0, 36], np.uint8), Alphabet("numbers", 36))
    ['1', '.', '36']
    """
    text = format_board(values, alphabet)
    return text.split() if alphabet.has_numbers else list(text)


def format_grid(values: Values, box: Box, alphabet: Alphabet) -> str:
    """Return a board (cells,) as a grid in qqwing's readable style, without a final line end.

    Examples
    --------
    >>> values = np.array([1, 2, 3, 4] + [0] * 12, np.uint8)
    >>> print(format_grid(values, Box(2, 2), Alphabet("1-9A-", 4)))
     1 2 | 3 4
     . . | . .
    -----|-----
     . . | . .
     . . | . .
    """
    return draw_grids(alphabet.symbols_of(values.reshape(1, -1)), box).tobytes().decode()[:-1]


def draw_grids(symbols: Values, box: Box) -> Values:
    """Draw many boards as grids.

    Parameters
    ----------
    symbols
        The texts of the boards, as `Alphabet.symbols_of` returns them, shape (N, length).
    box
        The box of the boards.

    Returns
    -------
    ndarray of uint8, shape (N, length)
        The text of each grid; every line ends in a line feed.
    """
    stride = (symbols.shape[1] + 1) // box.cells  # from a cell to the next, 1 or 3
    width = max(1, stride - 1)
    template, positions = _grid_template(box, width)
    grids = np.tile(template, (len(symbols), 1))
    for column in range(width):
        grids[:, positions[column::width]] = symbols[:, column::stride]
    if width > 1:
        grids[grids == 0] = ord(" ")  # numbers are aligned on the right
    return grids


@lru_cache
def _grid_template(box: Box, width: int) -> tuple[Values, npt.NDArray[np.intp]]:
    """Return a grid with `width` times `?` in its cells, and the positions of these characters."""
    row = " |".join([(" " + "?" * width) * box.columns] * box.rows)
    rule = "|".join(["-" * ((width + 1) * box.columns + 1)] * box.rows)
    band = f"{row}\n" * box.rows
    grid = np.frombuffer(f"{rule}\n".join([band] * box.columns).encode(), np.uint8)
    return grid, np.flatnonzero(grid == ord("?"))
