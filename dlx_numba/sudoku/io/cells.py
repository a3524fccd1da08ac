"""The tokenizer of boards: divide a line into cells, decode them, or describe what is wrong."""

import re
import string
from collections.abc import Iterator

from ..box import SIDE_OF_CELLS
from .symbols import BLANKS, INVALID, MAX_SYMBOLS, Alphabet

Cells = bytes | list[bytes]  # symbols, or the texts of separate cells

DECORATION = b" \t|"  # allowed between the symbols of a row
ALL_SYMBOLS = (string.ascii_letters + string.digits).encode() + BLANKS
# The first field of a line, and the text after it
_FIELD = re.compile(rb"\A\s*([^\s,;#]*)(.*)", re.DOTALL)
_COMMA = re.compile(rb"\s*[,;]\s*|\s+")
# Hyphens and bars in place of typographic dashes and of the characters that draw boxes
_RULES = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, *range(0x2500, 0x2580)), "-")
_RULES |= dict.fromkeys(map(ord, "│┃┆┇┊┋║╎╏╵╷╹╻╽╿"), "|")


def plain_line(line: bytes, blanks: bytes = BLANKS) -> bytes:
    """Return a line with rules of ASCII characters; a blank `#` does not start a comment."""
    if b"#" in blanks:
        line = line.replace(b"#", b".")
    if line.isascii():
        return line
    text = line.decode("utf-8", "surrogateescape")
    return text.translate(_RULES).encode("utf-8", "surrogateescape")


def divisions(line: bytes) -> Iterator[tuple[Cells, bytes]]:
    """Yield the cells on a line for each way of writing them, and the text after them.

    Examples
    --------
    >>> list(divisions(b"12. 4"))
    [(b'12.4', b''), (b'12.', b' 4'), ([b'12.', b'4'], b'')]
    """
    cells = split_cells(line)
    is_separated = has_commas(line) or has_numbers(cells)
    has_spaces = b" " in line and set(line).isdisjoint(b".*_|-?")  # which are empty cells
    if has_spaces and len(line) > 36 and len(line) in SIDE_OF_CELLS:
        yield line.replace(b" ", b"."), b""
    if is_separated:
        yield cells, b""
    symbols = line.translate(None, DECORATION)
    yield symbols, b""
    [(field, rest)] = _FIELD.findall(line)
    if field != symbols:
        yield field, rest
    if has_spaces:
        yield line.replace(b" ", b"."), b""
    if not is_separated:
        yield cells, b""


def read_cells(
    line: bytes, alphabet: Alphabet, *sizes: int, rest_after: int = 0
) -> tuple[bytes, bytes] | None:
    """Return the values of the cells on a line and the text after them, or None.

    Parameters
    ----------
    line
        The line.
    alphabet
        The alphabet of the cells.
    sizes
        The possible numbers of cells.
    rest_after
        The number of cells after which there may be text, such as as many cells of a solution.

    Examples
    --------
    >>> read_cells(b"1,,3 , 0", Alphabet("1-9A-", 4), 4)
    (b'\\x01\\x00\\x03\\x00', b'')
    >>> read_cells(b"12.4 text", Alphabet("1-9A-", 4), 4, rest_after=4)
    (b'\\x01\\x02\\x00\\x04', b' text')
    """
    for cells, rest in divisions(plain_line(line, alphabet.blanks)):
        if isinstance(cells, bytes):
            if len(cells) not in sizes or (rest and len(cells) != rest_after):
                continue
            values = b"\xff" if alphabet.has_numbers else cells.translate(alphabet.decode_table)
        else:
            if len(cells) // 2 == rest_after and rest_after in sizes:
                cells, rest = cells[:rest_after], b" ".join(cells[rest_after : 2 * rest_after])
            cells = without_last_comma(cells, *sizes)
            if len(cells) not in sizes:
                continue
            values = bytes([alphabet.value_of.get(cell, INVALID) for cell in cells])
        if INVALID not in values:
            return values, rest
    return None


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


def without_last_comma(cells: list[bytes], *sizes: int) -> list[bytes]:
    """Return the cells without an empty one after the last of a number of cells."""
    return cells[:-1] if cells[-1:] == [b""] and len(cells) - 1 in sizes else cells


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


def find_error(line: bytes, size: int, alphabet: Alphabet, is_row: bool = False) -> str | None:
    """Describe the error in a board or row of `size` cells; None if it does not resemble one."""
    [(field, _)] = _FIELD.findall(line)
    symbols = line if is_row else line[: line.index(field) + len(field)]
    n = SIDE_OF_CELLS.get(len(field), alphabet.n)
    if not is_row and n != alphabet.n and not field.translate(None, ALL_SYMBOLS):
        if n > MAX_SYMBOLS:
            return f"a board of {n}x{n} has numbers, separated by spaces or commas"
        return f"board of {n * n} cells in a file of boards of {size} cells"
    cells = without_last_comma(split_cells(line), size)
    if alphabet.has_numbers or has_commas(line) or max(map(len, cells), default=0) == 2:
        noun, n_cells = "number", len(cells)
        wrong = [cell for cell in cells if cell not in alphabet.value_of]
        n_wrong, error = len(wrong), None
        if wrong:
            has_n = b"%d" % alphabet.n in alphabet.value_of
            kind = f"number from 1 to {alphabet.n}" if has_n else f"symbol of {alphabet.name}"
            error = f"{wrong[0].decode('utf-8', 'replace')!r} is not a {kind}"
    else:
        noun, n_cells = "symbol", len(symbols.translate(None, DECORATION))
        error = find_invalid_symbol(symbols, alphabet)
        others = symbols.translate(None, DECORATION + BLANKS + b"-?")  # blank in other files
        n_wrong = others.translate(alphabet.decode_table).count(INVALID)
    if not size * 2 / 3 <= n_cells <= size * 4 / 3 or 2 * n_wrong > n_cells:
        return None
    return error or f"expected {size} {noun}s{' in the row' * is_row}, found {n_cells}"


def find_invalid_symbol(line: bytes, alphabet: Alphabet) -> str | None:
    """Return a message that names the first invalid symbol of a line, or None."""
    for column, symbol in enumerate(line.decode("utf-8", "replace"), 1):
        code = ord(symbol)
        if code > 127 or (alphabet.decode_table[code] == INVALID and code not in DECORATION):
            return f"invalid symbol {symbol!r} in column {column}"
    return None
