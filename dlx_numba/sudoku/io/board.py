"""A single board as a string, and boards drawn as grids."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ...runtime.text import plural
from ..box import BOARD_SIZES, SIDE_OF_CELLS, Box
from .cells import (
    DECORATION,
    find_invalid_symbol,
    has_commas,
    has_numbers,
    is_rule,
    plain_line,
    split_cells,
    values_of,
)
from .symbols import BLANKS, INVALID, MAX_SYMBOLS, Alphabet, Values, select_alphabet, single_blank


def parse_board(
    text: str, box: Box | None = None, alphabet: Alphabet | str = "auto"
) -> tuple[Values, Alphabet, Box]:
    r"""Parse a board.

    Parameters
    ----------
    text
        The board on one line, or drawn on several lines. Its cells are symbols, or numbers
        separated by spaces or commas. Empty cells may be spaces.
    box
        The box; None for the standard box of the board's size.
    alphabet
        The symbols, or the name of their alphabet; "auto" to choose the alphabet that fits.

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
    lines, blanks = _select_rows(encode_text(text))
    side_of = SIDE_OF_CELLS if box is None else {box.cells: box.n}
    cells = _join_cells(lines, side_of)
    n = side_of.get(len(cells), 0)
    are_numbers = has_numbers(cells) and len(cells) > 81
    if (
        has_commas(b"".join(lines))
        or (n and (are_numbers or n > MAX_SYMBOLS))
        or (alphabet.lower() if isinstance(alphabet, str) else alphabet.style) == "numbers"
    ):
        _check_size(len(cells), "number", n, box)
        seen = b"" if has_numbers(cells) else b"".join(cell or b"." for cell in cells)
        alphabet = _fit_alphabet(alphabet, n, seen, blanks)
        values = values_of(cells, alphabet)
        if INVALID in values:
            wrong = next(cell for cell in cells if cell not in alphabet.value_of)
            expected = f"a number from 1 to {n}"
            if b"%d" % n not in alphabet.value_of:
                expected = f"a symbol of {alphabet.name}"
            raise ValueError(f"{wrong.decode('utf-8', 'replace')!r} is not {expected}")
    else:
        seen, n = _join_symbols(lines, side_of)
        if are_numbers and not n:
            _check_size(len(cells), "number", n, box)
        _check_size(len(seen), "symbol", n, box)
        alphabet = _fit_alphabet(alphabet, n, seen, blanks)
        values = seen.translate(alphabet.decode_table)
        if INVALID in values:
            errors = (find_invalid_symbol(line, alphabet) for line in lines)
            raise ValueError(next(filter(None, errors), "a tab is not an empty cell"))
    return np.array(bytearray(values), np.uint8), alphabet, box or Box.of_side(n)


def encode_text(text: str) -> bytes:
    """Return a text as UTF-8; surrogates, which have no encoding, are invalid symbols as well."""
    return text.encode("utf-8", "surrogatepass")


def symbols_of_texts(texts: Iterable[str]) -> bytes:
    """Return the symbols of those boards that are not written as numbers, to find their alphabet.

    Examples
    --------
    >>> symbols_of_texts(["1?\\n?2", "1,2,,"])
    b'1..2'
    """
    symbols = bytearray()
    for text in texts:
        lines, blanks = _select_rows(encode_text(text))
        joined = b" ".join(lines)
        if not has_commas(joined) and not has_numbers(split_cells(joined)):
            seen = joined.translate(None, DECORATION)
            symbols += seen if blanks == BLANKS else seen.replace(blanks, b".")
    return bytes(symbols)


def _select_rows(text: bytes) -> tuple[list[bytes], bytes]:
    """Return the lines without the rules between them, and the symbols of empty cells.

    If `-` is the symbol of an empty cell, a line of `-` alone may be a rule or a row.
    """
    lines = plain_line(text).splitlines()
    rows = [line for line in lines if line.isspace() or not is_rule(line)]
    blanks = single_blank(b"".join(rows)) or BLANKS
    if blanks == b"-":
        widths = {len(rows[0].translate(None, DECORATION)), len(split_cells(rows[0]))}
        rows = [
            line
            for line in lines
            if not is_rule(line)
            or (line.count(b"-") in widths and not line.translate(None, DECORATION + b"-,;"))
        ]
    return rows, blanks


def _join_cells(lines: list[bytes], side_of: dict[int, int]) -> list[bytes]:
    """Return the separate cells of the lines, without empty ones after a comma at each end."""
    text = b" ".join(lines)
    if not has_commas(text):
        return split_cells(text)
    rows = [split_cells(line) for line in lines]
    cells = [cell for row in rows for cell in row]
    if len(cells) not in side_of and all(row and not row[-1] for row in rows):
        return [cell for row in rows for cell in row[:-1]]
    return cells


def _join_symbols(lines: list[bytes], side_of: dict[int, int]) -> tuple[bytes, int]:
    """Return the symbols of the lines, and the side of their board, 0 if there is none."""
    symbols, spaced = b"".join(lines).translate(None, DECORATION), b"".join(lines)
    if set(spaced).isdisjoint(b".*_|-?") and len(spaced) in side_of:
        symbols = spaced.replace(b" ", b".")
    # spaces are not empty cells if there are other blanks or rules
    n = side_of.get(len(symbols), 0)
    if n > MAX_SYMBOLS:
        raise ValueError(f"a board of {n}x{n} has numbers, separated by spaces or commas")
    return symbols, n


def _check_size(size: int, kind: str, n: int, box: Box | None) -> None:
    if not n and box is None:
        raise ValueError(f"{plural(size, kind)}: a board has {BOARD_SIZES}")
    if not n and box is not None:
        raise ValueError(f"expected {box.cells} {kind}s, found {size}")


def _fit_alphabet(alphabet: Alphabet | str, n: int, seen: bytes, blanks: bytes) -> Alphabet:
    """Return the alphabet with these blanks; select the one that a name and the symbols specify."""
    if isinstance(alphabet, str):
        return select_alphabet(alphabet, n, seen, blanks)[0]
    if alphabet.n != n:
        raise ValueError(f"alphabet {alphabet.name} does not fit a board of {n * n} cells")
    return alphabet if alphabet.blanks == blanks else replace(alphabet, blanks=blanks)


def format_board(values: Values, alphabet: Alphabet) -> str:
    """Return a board as one line, with `.` for an empty cell.

    Examples
    --------
    >>> format_board(np.array([1, 0, 16], np.uint8), Alphabet("1-9A-", 16))
    '1.G'
    >>> format_board(np.array([1, 0, 36], np.uint8), Alphabet.of_numbers(36))
    '1 . 36'
    """
    return alphabet.symbols_of(values).tobytes().replace(b"\0", b"").decode()


def format_cells(values: Values, alphabet: Alphabet) -> list[str]:
    """Return the symbol of each cell of a board, with `.` for an empty cell.

    Examples
    --------
    >>> format_cells(np.array([1, 0, 36], np.uint8), Alphabet.of_numbers(36))
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
