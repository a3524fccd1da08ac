"""Detect the size and the symbols of the boards of a source from its first lines."""

import re
from collections.abc import Iterator

from ..box import SIDE_OF_CELLS, SIDES
from .rows import has_commas, has_numbers, is_rule, split_cells, without_last_comma
from .symbols import BLANKS, MAX_SYMBOLS, single_blank
from .table import read_object

HEAD_BYTES = 1 << 16  # the bytes that are examined, independent of the block size
HEAD_LINES = 64  # the boards or rows that are examined, unless letters may follow

_DIGITS, _LETTERS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NUMBER = b"#"
_SYMBOL_SIDE_OF_CELLS = {cells: n for cells, n in SIDE_OF_CELLS.items() if n <= MAX_SYMBOLS}


def sniff(head: bytes, side: int | None = None) -> tuple[int, bytes, bytes]:
    """Return the side of the boards in `head`, their symbols in order, and those of empty cells.

    The side is that of most of the first lines, unless `side` is given; 9 if there are none. A line
    of 16 symbols is a 4×4 board, unless such a line has a symbol that is invalid on 4×4
    boards; then the lines are rows of 16×16 boards. Likewise, a line of 36 or 64 numbers is a
    6×6 or 8×8 board, unless such a line has a larger number.

    `-` or `?` is an empty cell if the boards have no other symbol for it.
    """
    seen: dict[int, list[bytes]] = {}
    lines = 0
    for line in head[:HEAD_BYTES].splitlines():
        found = _measure(line)
        if found is not None:
            n, symbols = found
            seen.setdefault(n, []).append(symbols)
            lines += 1
            if lines >= HEAD_LINES and max(seen, key=lambda n: len(seen[n])) <= 9:
                break  # larger boards have letters, which determine the alphabet
    if side is None:
        side = max(seen, key=lambda n: len(seen[n]), default=9)
        if side == 16 and len(seen[16][0]) == 16 and _fits(b"".join(seen[16]), 4):
            side = 4
        elif side in (6, 8) and side * side in seen:
            side *= side
    symbols = b"".join(seen.get(side, []))
    if _NUMBER in symbols:  # only the symbols of empty cells matter
        symbols = symbols.translate(None, _NUMBER + _DIGITS + _LETTERS + _LETTERS.lower())
    return side, symbols, single_blank(symbols) or BLANKS


def _measure(line: bytes) -> tuple[int, bytes] | None:
    """Return the side and the symbols of the board or row on a line, or None."""
    text = line.strip()
    if text.startswith(b"#") or is_rule(text):
        return None
    if (record := read_object(text.decode("utf-8", "replace"))) is not None:
        return _measure(record[0].encode())
    for cells, sides in _divisions(line, text):
        for side in sides:
            symbols = _as_symbols(cells, side) if side in SIDES else None
            if symbols is not None:
                return side, symbols
    cells = split_cells(text)
    side = SIDE_OF_CELLS.get(len(cells), 0) if has_commas(text) or has_numbers(cells) else 0
    if side > 9:  # a board with a few invalid cells, which are reported when it is read
        valid = [cell for cell in cells if _as_symbols([cell], side) is not None]
        if 4 * len(valid) >= 3 * len(cells):
            return side, _as_symbols(valid, side) or b""
    return None


def _divisions(line: bytes, text: bytes) -> Iterator[tuple[bytes | list[bytes], list[int]]]:
    """Yield the cells on a line, in all ways to divide it, and the sides of boards that they fit.

    A line of 16 symbols is a row, until all lines are known.
    """
    fields = re.split(rb'[\s,;#"]', text)
    for field in sorted(fields, key=len, reverse=True):
        yield field, [16 if len(field) == 16 else _SYMBOL_SIDE_OF_CELLS.get(len(field), 0)]
    tokens = text.replace(b"|", b" ").split()
    symbols = b"".join(tokens)
    if line.translate(None, BLANKS + b" ") == symbols:
        yield line.replace(b" ", b"."), [_SYMBOL_SIDE_OF_CELLS.get(len(line), 0)]
    columns = text.split(b'"') if b'"' in text else re.split(rb"[,;\t]", text)
    for column in columns if len(columns) > 1 else ():
        cells = split_cells(column)
        yield cells, [SIDE_OF_CELLS.get(len(cells), 0)]
    cells = split_cells(text)
    if has_commas(text) or has_numbers(cells):
        if len(cells) not in SIDES and len(cells) not in SIDE_OF_CELLS:
            cells = without_last_comma(cells, len(cells) - 1)
        size = len(cells)
        sides = [SIDE_OF_CELLS.get(size, 0), size, SIDE_OF_CELLS.get(size // 2, 0)]
        yield cells, sides[::-1] if size == 16 else sides
    if len(symbols) <= MAX_SYMBOLS:
        yield symbols, [len(symbols)]
    yield symbols, [_SYMBOL_SIDE_OF_CELLS.get(len(symbols), 0)]
    # Cells of a board that must have numbers, none of which has two digits; not two small boards.
    side = SIDE_OF_CELLS.get(len(tokens), len(tokens))
    if side > MAX_SYMBOLS and len(tokens) // 2 not in SIDE_OF_CELLS and max(map(len, tokens)) == 1:
        yield tokens, [side]


def _as_symbols(cells: bytes | list[bytes], side: int) -> bytes | None:
    """Convert symbols or separate cells to symbols, or return None if one is invalid.

    The symbol of a number with two digits is `_NUMBER`.
    """
    if isinstance(cells, bytes):
        return cells if _fits(cells, side) else None
    symbols = bytearray()
    for cell in cells:
        if cell.isdigit() and len(cell) <= 2 and int(cell) <= side:
            symbols += b"%d" % int(cell) if int(cell) <= 9 else _NUMBER
        elif len(cell) <= 1 and _fits(cell, side):
            symbols += cell or b"."
        else:
            return None
    return bytes(symbols)


def _fits(symbols: bytes, side: int) -> bool:
    """Return whether all symbols occur in some alphabet of boards of this side."""
    known = BLANKS + b"-?"
    if side <= MAX_SYMBOLS:
        known += _DIGITS[: side + 1] + (_LETTERS[:side] if side > 9 else b"")
    return not symbols.upper().translate(None, known)
