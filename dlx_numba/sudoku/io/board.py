"""A single board as a string, and boards drawn as grids."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..box import SIDE_OF_CELLS, Box
from .rows import find_invalid_symbol, is_rule, read_numbers
from .symbols import INVALID, Alphabet, Values, choose_alphabet


def parse_board(
    text: str, box: Box | None = None, alphabet: Alphabet | None = None
) -> tuple[Values, Alphabet, Box]:
    r"""Parse a board.

    Parameters
    ----------
    text
        The board on one line, or drawn on several lines. Its cells are symbols, or numbers
        separated by spaces. Empty cells may be spaces.
    box
        The box; None for the standard box of the board's size.
    alphabet
        The symbols; None to choose the alphabet that fits.

    Returns
    -------
    values : ndarray of uint8, shape (cells,)
        The values of the cells, 0 for an empty cell.
    alphabet : Alphabet
    box : Box

    Raises
    ------
    ValueError
        If the text is not a board; the message states the reason.

    Examples
    --------
    >>> values, alphabet, box = parse_board("12|..\n..|..\n--+--\n..|..\n..|.4")
    >>> values[:3], alphabet.name, str(box)
    (array([1, 2, 0], dtype=uint8), '1-4', '2x2')
    """
    lines = [line for line in text.encode().splitlines() if line.isspace() or not is_rule(line)]
    tokens = b" ".join(lines).replace(b"|", b" ").split()
    symbols, spaced = b"".join(tokens), b"".join(lines)
    if not set(spaced).isdisjoint(b".*_|"):
        spaced = b""  # spaces are not empty cells if there are other blanks or rules
    side_of = SIDE_OF_CELLS if box is None else {box.cells: box.n}
    cells = next((c for c in map(len, (spaced, symbols, tokens)) if c in side_of), 0)
    if not cells:
        if box is None:
            raise ValueError(f"{len(symbols)} symbols: not the size of any board")
        raise ValueError(f"expected {box.cells} symbols, found {len(symbols)}")
    seen = spaced.replace(b" ", b".") if len(spaced) == cells else symbols
    are_numbers = len(seen) != cells
    if alphabet is None:
        # Dots and the digit 0 together would imply 0-9A-, but in numbers 0 is an ordinary digit.
        alphabet, _ = choose_alphabet(side_of[cells], b"" if are_numbers else seen)
    elif alphabet.n != side_of[cells]:
        raise ValueError(f"alphabet {alphabet.name} does not fit a board of {cells} cells")
    values = seen.translate(alphabet.decode_table)
    if are_numbers:
        values = read_numbers(tokens, alphabet) or bytes([INVALID])
    if INVALID in values:
        errors = (find_invalid_symbol(line, alphabet) for line in lines)
        raise ValueError(next((error for error in errors if error), "a number is out of range"))
    return np.array(bytearray(values), np.uint8), alphabet, box or Box.of_side(alphabet.n)


def format_board(values: Values, alphabet: Alphabet) -> str:
    """Return a board as one line, with `.` for an empty cell.

    Examples
    --------
    >>> format_board(np.array([1, 0, 16], np.uint8), Alphabet("1-9A-", 16))
    '1.G'
    """
    return alphabet.symbols_of(values).tobytes().decode()


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
        The characters of the cells, shape (N, cells).
    box
        The box of the boards.

    Returns
    -------
    ndarray of uint8, shape (N, length)
        The text of each grid; every line ends in a line feed.
    """
    template, positions = _grid_template(box)
    grids = np.tile(template, (len(symbols), 1))
    grids[:, positions] = symbols
    return grids


@lru_cache
def _grid_template(box: Box) -> tuple[Values, npt.NDArray[np.intp]]:
    """Return a grid with `?` in its cells, and the positions of the cells."""
    row = " |".join([" ?" * box.columns] * box.rows)
    rule = "|".join(["-" * (2 * box.columns + 1)] * box.rows)
    band = f"{row}\n" * box.rows
    grid = np.frombuffer(f"{rule}\n".join([band] * box.columns).encode(), np.uint8)
    return grid, np.flatnonzero(grid == ord("?"))
