"""Detect the size and the symbols of the boards of a source from its first lines."""

import operator
from functools import cached_property, lru_cache
from itertools import cycle, dropwhile, takewhile
from typing import NamedTuple

from ..box import SIDE_OF_CELLS, SIDES
from .cells import divisions, is_rule, plain_line, read_cells, split_cells
from .symbols import BLANKS, INVALID, MAX_SYMBOLS, Alphabet, single_blank
from .table import LineSplitter

HEAD_BYTES = 1 << 16  # the bytes that are examined, independent of the block size
HEAD_LINES = 64  # the boards or rows that are examined, unless letters may follow

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXY"
_NUMBER = b"#"


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


class _AnySymbols(Alphabet):
    """The symbols of all alphabets of boards of a side. The value of a symbol is the symbol."""

    @cached_property
    def decode_table(self) -> bytes:
        """Each symbol that occurs in some alphabet, INVALID for all others."""
        known = self.blanks + BLANKS + b"-?"
        if self.n <= MAX_SYMBOLS:
            letters = _LETTERS[: self.n]
            known += b"0123456789"[: self.n + 1] + letters + letters.lower()
        return bytes(code if code in known else INVALID for code in range(256))

    @cached_property
    def value_of(self) -> dict[bytes, int]:
        """The symbol of each text of a separate cell, `_NUMBER` if it has two digits."""
        symbols = {bytes([code]): code for code in self.decode_table if code != INVALID}
        for value in range(self.n + 1):
            symbol = b"%d" % value if value <= 9 else _NUMBER
            symbols[b"%d" % value] = symbols[b"%02d" % value] = symbol[0]
        return symbols | {b"": ord(".")}


@lru_cache
def _any_symbols(side: int, blanks: bytes) -> _AnySymbols:
    return _AnySymbols("1-9A-" if side <= MAX_SYMBOLS else "numbers", side, blanks)


def sniff(lines: list[bytes], side: int | None = None, blanks: bytes = BLANKS) -> Layout:
    """Return the layout of the boards on the first lines of a source.

    The side is the one for which most lines are a row, or a board and possibly its solution, unless
    `side` is given; 9 if there are none. Of two such sides, it is the smaller one: a line of 16
    symbols is a 4×4 board, unless a line has a symbol that is invalid on 4×4 boards. Likewise, a
    line of 36 numbers is a 6×6 board, unless a line has a larger number.

    If no lines are a board of this size, but the symbols of the first lines are one, it is folded.

    `-` or `?` is an empty cell if the boards have no other symbol for it, and other symbols are not
    given.
    """
    plain: list[bytes] = []
    seen: dict[int, list[bytes]] = {}
    common = 9
    for text in lines:
        plain.append(line := plain_line(text, blanks))
        for n, symbols in _measure(line, blanks):
            seen.setdefault(n, []).append(symbols)
        common = max(seen, key=lambda n: len(seen[n]), default=9)
        if len(seen.get(common, ())) >= HEAD_LINES and common <= 9:
            break  # larger boards have letters, which determine the alphabet
    has_board = any(len(rows) >= n or len(rows[0]) > n for n, rows in seen.items())
    folded = _find_folded(plain, side, blanks, has_board)
    side = side or common
    side, width, symbols = folded or (side, side, b"".join(seen.get(side, [])))
    if _NUMBER in symbols:  # only the symbols of empty cells matter
        symbols = symbols.translate(None, _NUMBER + b"0123456789Zz" + _LETTERS + _LETTERS.lower())
    if blanks == BLANKS:
        blanks = single_blank(symbols) or BLANKS
    return Layout(side, width, symbols, blanks)


def board_lines(head: bytes, splitter: LineSplitter) -> list[bytes]:
    """Return the lines of cells in a text, of tables and objects only the boards."""
    lines = enumerate(head.splitlines(), 1)
    pieces = [piece for number, line in lines for piece in splitter.split(line, number)]
    return [piece.text or b"" for piece in (*pieces, *splitter.end())]


def _measure(line: bytes, blanks: bytes) -> list[tuple[int, bytes]]:
    """Return the sides of boards of which a line may be a row, or all, each with the symbols."""
    found: list[tuple[int, bytes]] = []
    is_comment = line.lstrip().startswith(b"#") or is_rule(line)
    for cells, _ in () if is_comment else divisions(line):
        sizes = {len(cells), len(cells) - (cells[-1:] == [b""])}
        whole = {SIDE_OF_CELLS.get(part, 0) for size in sizes for part in (size, size // 2)}
        for n in sorted(sizes.union(whole).intersection(SIDES)):
            read = read_cells(line, _any_symbols(n, blanks), n, n * n, rest_after=n * n)
            found += [] if read is None else [(n, read[0])]
        if found:
            return found
    side = 0 if is_comment else SIDE_OF_CELLS.get(len(split_cells(line)), 0)
    return [(side, b"")] if side > 9 else []  # with invalid cells, which are reported


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


def _fits(symbols: bytes, side: int, blanks: bytes) -> bool:
    """Return whether all symbols occur in some alphabet of boards of this side."""
    return INVALID not in symbols.translate(_any_symbols(side, blanks).decode_table)
