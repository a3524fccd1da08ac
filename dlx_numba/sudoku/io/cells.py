"""The tokenizer of boards: divide a line into cells, decode them, or describe what is wrong."""

import math
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from ...runtime.text import shorten
from ..box import MAX_SIDE, SIDE_OF_CELLS, Box
from .symbols import BLANKS, INVALID, MAX_SYMBOLS, NUMBER, Alphabet

Cells = bytes | list[bytes]  # symbols, or the texts of separate cells

DECORATION = b" \t|"  # allowed between the symbols of a row
MIN_CELLS = 12  # of text that resembles a board
# What the cells of a line may be: a row or a board, a board and its solution, a board before text
ALONE = "alone"
SOLVED = "solved"
BEFORE_TEXT = "before text"

_BETWEEN_FIELDS = re.compile(rb"[\s,;]+")
_SEPARATE = re.compile(rb"[^\s,;|]{1,2}(?: [^\s,;|]{1,2})+")
_FRAME = re.compile(rb"\s*[.:'](?:-{6,}[.+':])+\s*")  # of HoDoKu
_COMMA = re.compile(rb"\s*[,;]\s*|\s+")
# The bytes that stand for the texts of separate cells, and those among numbers of two digits
_SYMBOL_CODES = {b"": NUMBER} | {bytes([code]): code for code in range(128)}
_NUMBER_CODES = {
    b"%0*d" % (width, number): NUMBER + number for number in range(MAX_SIDE + 1) for width in (1, 2)
}
_CODES = _SYMBOL_CODES, _SYMBOL_CODES | _NUMBER_CODES  # the latter if a cell has two characters
# Hyphens and bars in place of typographic dashes and of the characters that draw boxes
_DASHES = map(ord, "−⎯⸺⸻﹘﹣－")  # some of other scripts, and wider or narrower ones
_RULES = dict.fromkeys((*range(0x2010, 0x2016), *range(0x2500, 0x2580), *_DASHES), "-")
_RULES |= dict.fromkeys(map(ord, "│┃┆┇┊┋║╎╏╵╷╹╻╽╿"), "|")


def plain_line(line: bytes, blanks: bytes = BLANKS) -> bytes:
    """Return a line with rules of ASCII characters; a blank `#` does not start a comment."""
    if b"#" in blanks:
        line = line.replace(b"#", b".")
    if line.isascii():
        return line
    text = line.decode("utf-8", "surrogateescape")
    return text.translate(_RULES).encode("utf-8", "surrogateescape")


def divisions(line: bytes) -> Iterator[tuple[Cells, str]]:
    """Yield the cells on a line for each way of writing them, and what they may be.

    The likeliest come first: readers take the first one of a size that they expect, with valid
    cells.

    Examples
    --------
    >>> [cells for cells, kind in divisions(b"12 34") if kind == ALONE]
    [b'1234', [b'12', b'34'], b'12.34']
    """
    text = line.partition(b"#")[0]
    for cells in _framed_cells(text.strip()):
        yield cells, ALONE
    spaced = text.replace(b" ", b".")
    has_spaces = spaced != text and set(text).isdisjoint(b".*_|-?")  # empty cells or frames
    # Words with one blank between them are separate cells: blanks that are empty cells would be
    # side by side somewhere, or at an end.
    numbers = text.split() if _SEPARATE.fullmatch(text) else []
    if len({*map(len, numbers)}) > 1:  # they are not groups of symbols
        yield numbers, ALONE
        yield numbers, SOLVED
    # Short lines often have the length of a board by chance: for them, this comes later.
    if has_spaces and not numbers and len(text) > 36 and len(text) in SIDE_OF_CELLS:
        yield spaced, ALONE
    yield text.translate(None, DECORATION), ALONE
    fields = _BETWEEN_FIELDS.split(text.strip())
    if len(fields) > 1 and len(fields[0]) == len(fields[1]):
        yield fields[0] + fields[1], SOLVED
    if len({len(fields), *map(len, fields)}) == 1:  # n rows of n cells are a board
        yield b"".join(fields), BEFORE_TEXT
    yield fields[0], BEFORE_TEXT
    if has_spaces and not numbers:
        yield spaced, ALONE
    separate = split_cells(text)
    # A comma at the end, after which there is an empty text, may precede an empty cell or not.
    for cells in (separate, separate[:-1]) if separate[-1:] == [b""] else (separate,):
        yield cells, ALONE
        yield cells, SOLVED
    if has_spaces and numbers:
        yield spaced, ALONE
    inner = text.strip()
    if inner.startswith(b"|") and inner.endswith(b"|"):  # blanks between bars are empty cells
        yield [cell.strip() for cell in inner[1:-1].split(b"|")], ALONE
    if b"\t" in text and len(cells := [cell.strip() for cell in text.split(b"\t")]) > len(separate):
        yield cells, ALONE  # empty cells of a spreadsheet


def _framed_cells(text: bytes) -> Iterator[list[bytes]]:
    """Yield the cells of a row between bars in which blanks stand for some empty cells.

    Each has one character, or two, and there is a blank before and after it.

    >>> [*_framed_cells(b"| 1   |     |")]
    [[b'1', b'', b'', b'']]
    """
    parts = text[1:-1].split(b"|")  # the cells of a box each, of the same length
    length = len(parts[0])
    is_framed = text[:1] == text[-1:] == b"|" and {*map(len, parts)} == {length} and length > 2
    for width in (1, 2) if is_framed else ():
        step = width + 1
        n_cells, rest = divmod(length - 1, step)
        gaps = b"".join(part[::step] for part in parts)  # the characters between cells
        cells = [part[k * step + 1 :][:width].strip() for part in parts for k in range(n_cells)]
        if not rest and not gaps.strip() and b"" in cells:
            yield cells


def read_cells(line: bytes, alphabet: Alphabet, row: int, cells: int) -> bytes | None:
    """Return the values of a row, of a board, or of a board and its solution; otherwise None.

    Parameters
    ----------
    line
        The line. Text after a board is ignored.
    alphabet
        The alphabet of the cells.
    row, cells
        The numbers of cells of a row and of a board.

    Examples
    --------
    >>> read_cells(b"1,,3 , 0", Alphabet("1-9A-", 4), 4, 16)
    b'\\x01\\x00\\x03\\x00'
    """
    sizes = {ALONE: (row, cells), SOLVED: (2 * cells,), BEFORE_TEXT: (cells,)}
    for division, kind in divisions(line):
        if len(division) in sizes[kind]:
            if isinstance(division, list):
                is_number = max(map(len, division)) > 1
                code_of = _CODES[is_number]
                codes = bytes([code_of.get(cell, INVALID) for cell in division])
            else:
                # Symbols of other bytes, or of boards with numbers, are invalid.
                codes = division if division.isascii() and not alphabet.has_numbers else b"\xff"
            values = codes.translate(alphabet.decode_table)
            if INVALID not in values:
                return values
    return None


def split_cells(line: bytes) -> list[bytes]:
    """Return the texts of the cells of a line. An empty text between two commas is an empty cell.

    Examples
    --------
    >>> split_cells(b"| 12 . | 3 4 |"), split_cells(b"12,,3 , 4")
    ([b'12', b'.', b'3', b'4'], [b'12', b'', b'3', b'4'])
    """
    text = line.replace(b"|", b" ").strip()
    return _COMMA.split(text) if b"," in text or b";" in text else text.split()


def is_rule(line: bytes) -> bool:
    """Return whether a line is a horizontal rule of a drawn board.

    `*` inside a line is an empty cell.

    Examples
    --------
    >>> is_rule(b" ---+---+---"), is_rule(b"|***|***|***|")
    (True, False)
    """
    marks = line.translate(None, DECORATION)
    is_plain = not marks.translate(None, b"-+*=") and (not marks or marks.strip(b"*") != b"")
    return is_plain or _FRAME.fullmatch(line) is not None


def count_groups(row: bytes) -> int:
    """Return the number of groups of cells that bars separate in a row.

    Examples
    --------
    >>> count_groups(b"| 1 2 | . . |"), count_groups(b"12..")
    (2, 1)
    """
    cells = row.partition(b"#")[0].strip()
    return cells.removeprefix(b"|").removesuffix(b"|").count(b"|") + 1


def drawn_box(groups: Collection[int], n: int) -> Box | None:
    """Return the box that the rows of a drawing show, if each has the same number of groups.

    Examples
    --------
    >>> drawn_box([3] * 6, 6), drawn_box([6] * 6, 6), drawn_box([3, 2], 6)
    (Box(rows=3, columns=2), None, None)
    """
    most = max(groups, default=1)
    is_drawn = min(groups, default=1) == most and 1 < most < n and n % most == 0
    return Box(most, n // most) if is_drawn else None


def find_box_error(groups: Collection[int], box: Box) -> str:
    """Return what is wrong if the rows of a drawing show another box; otherwise ""."""
    drawn = drawn_box(groups, box.n)
    return "" if drawn in (None, box) else f"its bars show {drawn} boxes, not {box}"


class Examined(NamedTuple):
    """The cells in a text, some of which may be invalid."""

    n_cells: int
    noun: str  # what they are called
    invalid: list[str]
    reason: str  # why the text is invalid; "" if there is none


def examine(text: bytes, alphabet: Alphabet) -> Examined:
    """Return what is known about the cells in a text."""
    separate = split_cells(text)
    width = max(map(len, separate), default=0)  # two digits may be one number
    has_numbers = alphabet.has_numbers and len(separate) > 1
    if has_numbers or width == 2 or b"," in text or b";" in text:
        return _examine_numbers(separate, alphabet)
    return _examine_symbols(text, alphabet)


def _examine_numbers(cells: list[bytes], alphabet: Alphabet) -> Examined:
    """Examine cells that are separated."""
    code_of = _CODES[max(map(len, cells)) > 1]
    table = alphabet.decode_table
    wrong = [cell for cell in cells if table[code_of.get(cell, INVALID)] == INVALID]
    invalid = [cell.decode(errors="replace") for cell in wrong]
    is_range = alphabet.symbols[:1] in (b"", b"1")
    kind = f"number from 1 to {alphabet.n}" if is_range else f"symbol of {alphabet.name}"
    reason = f"{shorten(invalid[0])!r} is not a {kind}" if invalid else ""
    n_cells = len(cells) - (cells[-1] == b"")  # there may be a comma at the end
    return Examined(n_cells, "number", invalid, reason)


@lru_cache
def _valid_symbols(table: bytes) -> frozenset[str]:
    """Return the symbols of an alphabet, by its table, and those of decoration."""
    codes = (code for code in range(128) if table[code] != INVALID or code in DECORATION)
    return frozenset(map(chr, codes))


def _examine_symbols(text: bytes, alphabet: Alphabet) -> Examined:
    """Examine a text with a symbol in each cell."""
    symbols = text.decode(errors="replace")
    valid = _valid_symbols(alphabet.decode_table)
    invalid = [symbol for symbol in symbols if symbol not in valid]
    number = len(text.translate(None, DECORATION).decode(errors="replace"))
    reason = ""
    if (n := SIDE_OF_CELLS.get(number, 0)) > MAX_SYMBOLS:
        reason = f"a board of {n}x{n} has numbers, separated by spaces or commas"
    elif alphabet.has_numbers and number > 2:  # one or two digits may be a number
        reason = "numbers need spaces or commas between them"
    elif invalid:
        reason = f"invalid symbol {invalid[0]!r} in column {symbols.index(invalid[0]) + 1}"
    return Examined(number, "symbol", invalid, reason)


def find_error(line: bytes, size: int, alphabet: Alphabet, is_row: bool = False) -> str | None:
    """Describe the error in a board or row of `size` cells; None if it does not resemble one."""
    text = line.partition(b"#")[0]
    field = _BETWEEN_FIELDS.split(text.strip())[0]
    if not is_row and len(field) >= MIN_CELLS:  # other text may follow
        text = text[: text.index(field) + len(field)]
    number, noun, invalid, reason = examine(text, alphabet)
    if not is_row and number in SIDE_OF_CELLS and number != size:
        wrong_size = f"board of {number} cells in a file of boards of {size} cells"
        # Symbols cannot be those of so large a board, which is the reason.
        return reason if number > MAX_SYMBOLS**2 and noun == "symbol" else wrong_size
    wrong = set(invalid) - set("-?.*_")  # empty cells in other files
    # Another number of cells, or as many invalid ones as others, resembles neither row nor board.
    low, high = (size * 2 / 3, size * 4 / 3) if is_row else (MIN_CELLS, math.inf)
    if not low <= number <= high or 2 * sum(symbol in wrong for symbol in invalid) >= number:
        return None
    place = " in the row" if is_row else ""
    return reason or f"expected {size} {noun}s{place}, found {number}"
