"""Lines whose cells are separated by spaces or commas: decimal numbers, or single characters."""

import re

from .symbols import INVALID, Alphabet

_COMMA = re.compile(rb"\s*[,;]\s*|\s+")


def split_cells(line: bytes) -> list[bytes]:
    """Return the texts of the cells of a line, without borders and a comment after `#`.

    An empty text between two commas is an empty cell.

    Examples
    --------
    >>> split_cells(b"| 12 . | 3 4 |  # row 1"), split_cells(b"12,,3 , 4")
    ([b'12', b'.', b'3', b'4'], [b'12', b'', b'3', b'4'])
    """
    text = line.partition(b"#")[0].replace(b"|", b" ").strip()
    return _COMMA.split(text) if has_commas(text) else text.split()


def has_commas(line: bytes) -> bool:
    """Return whether a line has commas or semicolons."""
    return b"," in line or b";" in line


def has_numbers(cells: list[bytes]) -> bool:
    """Return whether texts of cells are numbers or blanks, at least one of them with two digits."""
    return (
        max(map(len, cells), default=0) == 2
        and all(len(cell) < 2 or cell.isdigit() for cell in cells)
    )  # fmt: skip


def read_cells(cells: list[bytes], size: int, alphabet: Alphabet) -> bytes | None:
    """Return the values of `size` cells, or None if their number differs or one is invalid.

    Examples
    --------
    >>> read_cells([b"12", b".", b"3", b"04"], 4, Alphabet.of_numbers(12))
    b'\\x0c\\x00\\x03\\x04'
    """
    cells = without_last_comma(cells, size)
    if len(cells) != size:
        return None
    value_of = alphabet.value_of
    values = bytes([value_of.get(cell, INVALID) for cell in cells])
    return None if INVALID in values else values


def without_last_comma(cells: list[bytes], size: int) -> list[bytes]:
    """Return the cells without an empty one after the last of `size` cells."""
    return cells[:-1] if len(cells) == size + 1 and not cells[-1] else cells


def find_cell_error(line: bytes, size: int, place: str, alphabet: Alphabet) -> str | None:
    """Describe the error in a line of `size` cells; return None if it does not resemble one.

    Parameters
    ----------
    line
        The line.
    size
        The number of cells that is expected.
    place
        The place of the cells in the message, such as " in the row".
    alphabet
        The alphabet of the board.
    """
    cells = without_last_comma(split_cells(line), size)
    is_separated = alphabet.has_numbers or has_commas(line) or max(map(len, cells), default=0) == 2
    if not is_separated or not size * 2 / 3 <= len(cells) <= size * 4 / 3:
        return None
    invalid = [cell for cell in cells if cell not in alphabet.value_of]
    if 2 * len(invalid) > len(cells):
        return None
    if invalid:
        return f"{invalid[0].decode('utf-8', 'replace')!r} is not a number from 1 to {alphabet.n}"
    return f"expected {size} numbers{place}, found {len(cells)}"
