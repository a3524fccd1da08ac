"""Parse a line as cells, as a row of a drawn board or as a whole board, or describe its errors."""

import re
import string

from ..box import SIDE_OF_CELLS
from .symbols import BLANKS, INVALID, MAX_SYMBOLS, Alphabet

DECORATION = b" \t|"  # allowed between the symbols of a row
ALL_SYMBOLS = (string.ascii_letters + string.digits).encode() + BLANKS
# The first field of a line, and the text after it
_FIELD = re.compile(rb"\A\s*([^\s,;#]*)(.*)", re.DOTALL)
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


def is_rule(line: bytes) -> bool:
    """Return whether a line is a horizontal rule of a drawn board.

    `*` inside a line is an empty cell.

    Examples
    --------
    >>> is_rule(b" ---+---+---"), is_rule(b"|***|***|***|")
    (True, False)
    """
    marks = line.translate(None, DECORATION)
    return not marks.translate(None, b"-+*=") and (not marks or marks.strip(b"*") != b"")


def read_row(line: bytes, alphabet: Alphabet) -> bytes | None:
    """Return the n values of a row, or None if the line is not a row.

    A line of n² characters is a board, whose empty cells are spaces. Numbers are separated by
    spaces.

    Examples
    --------
    >>> read_row(b" . 5 . | . . 8 | 3 . .", Alphabet("1-9A-", 9))
    b'\\x00\\x05\\x00\\x00\\x00\\x08\\x03\\x00\\x00'
    """
    if not alphabet.has_numbers:
        values = line.translate(alphabet.decode_table, DECORATION)
        if len(values) == alphabet.n and INVALID not in values and len(line) != alphabet.n**2:
            return values
    tokens = line.replace(b"|", b" ").split()
    if len(tokens) == alphabet.n and (alphabet.n > 9 or alphabet.has_numbers):
        return read_cells(tokens, alphabet.n, alphabet)
    return _read_spaced(line, alphabet, alphabet.n)


def read_comma_row(line: bytes, alphabet: Alphabet) -> bytes | None:
    """Return the n values of a row of cells separated by commas, or None.

    Examples
    --------
    >>> read_comma_row(b"1,,3 , 0", Alphabet("1-9A-", 4))
    b'\\x01\\x00\\x03\\x00'
    """
    return read_cells(split_cells(line), alphabet.n, alphabet) if has_commas(line) else None


def read_board(line: bytes, alphabet: Alphabet) -> tuple[bytes, bytes] | None:
    """Return the n² values of a board on one line and the text after it, or None."""
    n_cells = alphabet.n**2
    [(field, rest)] = _FIELD.findall(line)
    if len(field) == n_cells and not alphabet.has_numbers:
        values = field.translate(alphabet.decode_table)
        return None if INVALID in values else (values, rest)
    spaced = _read_spaced(line, alphabet, n_cells)
    if spaced is not None:
        return spaced, b""
    tokens = line.replace(b"|", b" ").split()
    if len(tokens) > 1 and len({len(token) for token in tokens}) == 1:
        values = b"".join(tokens).translate(alphabet.decode_table)
        if len(values) == n_cells and INVALID not in values:
            return values, b""
    cells = split_cells(line)  # perhaps those of two boards
    n_boards = 2 if len(cells) // n_cells == 2 else 1
    separated = read_cells(cells, n_boards * n_cells, alphabet)
    if separated is None:
        return None
    return separated[:n_cells], b" ".join(cells[n_cells : 2 * n_cells])


def _read_spaced(line: bytes, alphabet: Alphabet, size: int) -> bytes | None:
    """Return the values of a line of `size` characters whose empty cells are spaces, or None."""
    if len(line) != size or line.isspace() or alphabet.has_numbers:
        return None
    values = line.replace(b" ", b".").translate(alphabet.decode_table)
    return values if INVALID not in values and values.count(0) == line.count(b" ") > 0 else None


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


def find_row_error(line: bytes, alphabet: Alphabet) -> str | None:
    """Describe the error in a row; return None if the line does not resemble a row."""
    n = alphabet.n
    if (error := find_cell_error(line, n, " in the row", alphabet)) or alphabet.has_numbers:
        return error
    symbols = line.translate(alphabet.decode_table, DECORATION)
    if not n * 2 / 3 <= len(symbols) <= n * 4 / 3:
        return None
    if len(symbols) - _count_invalid(line, alphabet) < n / 2:
        return None
    error = find_invalid_symbol(line, alphabet)
    return error or f"expected {n} symbols in the row, found {len(symbols)}"


def find_board_error(line: bytes, alphabet: Alphabet) -> str | None:
    """Describe the error in a board on one line; return None if it does not resemble a board."""
    cells = alphabet.n**2
    [(field, _)] = _FIELD.findall(line)
    if (
        len(field) != cells
        and len(field) in SIDE_OF_CELLS
        and not field.translate(None, ALL_SYMBOLS)
    ):
        if (n := SIDE_OF_CELLS[len(field)]) > MAX_SYMBOLS:
            return f"a board of {n}x{n} has numbers, separated by spaces or commas"
        return f"board of {len(field)} cells in a file of boards of {cells} cells"
    if (error := find_cell_error(line, cells, "", alphabet)) or alphabet.has_numbers:
        return error
    if len(line) >= 2 * alphabet.n and _read_spaced(line, alphabet, len(line)) is not None:
        return f"expected {cells} symbols and spaces, found {len(line)}"
    n_valid = len(field) - _count_invalid(field, alphabet)
    if len(field) < 2 * alphabet.n or n_valid < len(field) * 3 / 4:
        return None
    error = find_invalid_symbol(line[: line.index(field) + len(field)], alphabet)
    return error or f"expected {cells} symbols, found {len(field)}"


def _count_invalid(line: bytes, alphabet: Alphabet) -> int:
    """Count the invalid symbols of a line, without those that are blank in other files."""
    symbols = line.translate(None, DECORATION + BLANKS + b"-?")
    return symbols.translate(alphabet.decode_table).count(INVALID)


def find_invalid_symbol(line: bytes, alphabet: Alphabet) -> str | None:
    """Return a message that names the first invalid symbol of a line, or None."""
    for column, symbol in enumerate(line.decode("utf-8", "replace"), 1):
        code = ord(symbol)
        if code > 127 or (alphabet.decode_table[code] == INVALID and code not in DECORATION):
            return f"invalid symbol {symbol!r} in column {column}"
    return None
