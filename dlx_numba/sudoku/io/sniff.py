"""Detect the size and the symbols of the boards of a source from its first lines."""

import operator
from collections.abc import Iterable
from itertools import cycle, dropwhile, takewhile
from typing import NamedTuple

from ..box import SIDE_OF_CELLS, SIDES
from .cells import (
    Cells,
    divisions,
    has_commas,
    has_numbers,
    is_rule,
    plain_line,
    split_cells,
    without_last_comma,
)
from .symbols import BLANKS, MAX_SYMBOLS, single_blank
from .table import field_of, read_header, read_object, split_row

HEAD_BYTES = 1 << 16  # the bytes that are examined, independent of the block size
HEAD_LINES = 64  # the boards or rows that are examined, unless letters may follow

_DIGITS, _LETTERS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NUMBER = b"#"
_SYMBOL_SIDE_OF_CELLS = {cells: n for cells, n in SIDE_OF_CELLS.items() if n <= MAX_SYMBOLS}


class Layout(NamedTuple):
    """The boards of a source.

    Attributes
    ----------
    side : int
        The side of the boards.
    width : int
        The number of cells on a line that contains neither a row nor a board: boards may be folded
        at any length. Otherwise, it is the side.
    symbols : bytes
        The symbols of the first boards, in order.
    blanks : bytes
        The symbols of empty cells.
    """

    side: int
    width: int
    symbols: bytes
    blanks: bytes


def sniff(lines: list[bytes], side: int | None = None, blanks: bytes = BLANKS) -> Layout:
    """Return the layout of the boards on the first lines of a source.

    The side is that of most lines, unless `side` is given; 9 if there are none. A line
    of 16 symbols is a 4×4 board, unless such a line has a symbol that is invalid on 4×4
    boards; then the lines are rows of 16×16 boards. Likewise, a line of 36 or 64 numbers is a
    6×6 or 8×8 board, unless such a line has a larger number.

    If no lines are a board of this size, but the symbols of the first lines are one, it is folded.

    `-` or `?` is an empty cell if the boards have no other symbol for it, and other symbols are not
    given.
    """
    plain: list[bytes] = []
    seen: dict[int, list[bytes]] = {}
    for text in lines:
        plain.append(line := plain_line(text, blanks))
        if (found := _measure(line, blanks)) is not None:
            seen.setdefault(found[0], []).append(found[1])
        if sum(map(len, seen.values())) >= HEAD_LINES and _most_common(seen) <= 9:
            break  # larger boards have letters, which determine the alphabet
    common = _most_common(seen)
    if common == 16 and len(seen[16][0]) == 16 and _fits(b"".join(seen[16]), 4, blanks):
        common = 4
        seen.setdefault(4, []).extend(seen[16])
    elif common in (6, 8) and common * common in seen:
        common *= common
    has_board = any(len(rows) >= n or len(rows[0]) > n for n, rows in seen.items())
    folded = _find_folded(plain, side, blanks, has_board)
    side = side or common
    side, width, symbols = folded or (side, side, b"".join(seen.get(side, [])))
    if _NUMBER in symbols:  # only the symbols of empty cells matter
        symbols = symbols.translate(None, _NUMBER + _DIGITS + _LETTERS + _LETTERS.lower())
    if blanks == BLANKS:
        blanks = single_blank(symbols) or BLANKS
    return Layout(side, width, symbols, blanks)


def _most_common(seen: dict[int, list[bytes]]) -> int:
    return max(seen, key=lambda n: len(seen[n]), default=9)


def board_lines(head: bytes) -> list[bytes]:
    """Return the lines of a text, of tables and objects only the boards."""
    table, lines = None, []
    for line in head.splitlines():
        text = line.decode("utf-8", "replace")
        if (record := read_object(text)) is not None:
            line = record[0].encode()
        elif (header := read_header(text)) is not None:
            table, line = header, b""
        elif table is not None and table.delimiter in text:
            line = field_of(split_row(text, table.delimiter), table.puzzle).encode()
        lines.append(line)
    return lines


def _measure(line: bytes, blanks: bytes) -> tuple[int, bytes] | None:
    """Return the side and the symbols of the board or row on a line, or None."""
    if line.lstrip().startswith(b"#") or is_rule(line):
        return None
    parts = split_cells(line)
    is_separated = has_commas(line) or has_numbers(parts)
    for cells, rest in divisions(line):
        if isinstance(cells, list) and len(cells) not in SIDES and len(cells) not in SIDE_OF_CELLS:
            cells = without_last_comma(cells, len(cells) - 1)
        for side in _sides(cells, is_separated, has_rest=rest != b""):
            symbols = _as_symbols(cells, side, blanks) if side in SIDES else None
            if symbols is not None:
                return side, symbols
    side = SIDE_OF_CELLS.get(len(parts), 0) if is_separated else 0
    if side > 9:  # a board with a few invalid cells, which are reported when it is read
        valid = [cell for cell in parts if _as_symbols([cell], side, blanks) is not None]
        if 4 * len(valid) >= 3 * len(parts):
            return side, _as_symbols(valid, side, blanks) or b""
    return None


def _sides(cells: Cells, is_separated: bool, has_rest: bool) -> Iterable[int]:
    """Return the sides of boards of which the cells may be all or a row, or with a solution.

    There may be text after a board, but not after a row. A line of 16 symbols alone is a row, until
    all lines are known.
    """
    size = len(cells)
    if isinstance(cells, bytes):
        is_row = size <= MAX_SYMBOLS and not has_rest
        return [size if is_row else _SYMBOL_SIDE_OF_CELLS.get(size, 0)]
    if not is_separated:  # symbols, unless the board must have numbers and is not two small boards
        side = SIDE_OF_CELLS.get(size, size)
        is_large = side > MAX_SYMBOLS and size // 2 not in SIDE_OF_CELLS
        return [side] if is_large and max(map(len, cells)) == 1 else []
    sides = [SIDE_OF_CELLS.get(size, 0), size, SIDE_OF_CELLS.get(size // 2, 0)]
    return sides[::-1] if size == 16 else sides


def _find_folded(
    lines: list[bytes], side: int | None, blanks: bytes, has_board: bool
) -> tuple[int, int, bytes] | None:
    """Return the side, the width and the symbols if the first lines are a board that is folded.

    If the lines may also be rows or boards, those before the first blank line must all be boards
    whose last line is shorter. Lines of 9×9 boards are not parts of larger boards.
    """
    lines = [line for line in lines if not line.startswith(b"#")]
    if has_board:  # the lines up to the first blank one
        lines = list(takewhile(bool, dropwhile(operator.not_, lines)))
    lines = list(filter(None, lines))
    stripped = [line.strip() for line in lines if not line.isspace()]
    for parts in (stripped, [line.replace(b" ", b".") for line in lines]):
        width = len(parts[0]) if parts else 1
        for n in (9, *SIDES) if side is None else (side,):
            full, last = divmod(n * n, width)
            sizes = [width] * full + [last] * (last > 0)
            tested = parts if has_board else parts[: len(sizes)]
            is_cut = len(tested) % len(sizes) > 0
            if (
                width not in (n, n * n)
                and n <= MAX_SYMBOLS
                and len(tested) >= len(sizes)
                and (last > 0 or not has_board)
                and (not is_cut or len(tested) >= HEAD_LINES)
                and not (side is None and width == 81 and _fits(b"".join(tested[:full]), 9, blanks))
                and all(len(part) == size for part, size in zip(tested, cycle(sizes)))
                and _fits(symbols := b"".join(tested[: len(sizes)]), n, blanks)
            ):
                return n, width, symbols
    return None


def _as_symbols(cells: Cells, side: int, blanks: bytes) -> bytes | None:
    """Convert symbols or separate cells to symbols, or return None if one is invalid.

    The symbol of a number with two digits is `_NUMBER`.
    """
    if isinstance(cells, bytes):
        return cells if _fits(cells, side, blanks) else None
    symbols = bytearray()
    for cell in cells:
        if cell.isdigit() and len(cell) <= 2 and int(cell) <= side:
            symbols += b"%d" % int(cell) if int(cell) <= 9 else _NUMBER
        elif len(cell) <= 1 and _fits(cell, side, blanks):
            symbols += cell or b"."
        else:
            return None
    return bytes(symbols)


def _fits(symbols: bytes, side: int, blanks: bytes) -> bool:
    """Return whether all symbols occur in some alphabet of boards of this side."""
    known = BLANKS + b"-?"
    if side <= MAX_SYMBOLS:
        known += _DIGITS[: side + 1] + (_LETTERS[:side])
    return not symbols.translate(None, blanks).upper().translate(None, known)
