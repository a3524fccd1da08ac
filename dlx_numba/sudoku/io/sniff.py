"""Detection of the size of a source's boards, and of their symbols, from its first lines."""

import re

from ..box import SIDE_OF_CELLS
from .rows import is_rule
from .symbols import BLANKS

HEAD_BYTES = 1 << 16  # the bytes that are examined, independent of the block size
HEAD_LINES = 64  # the boards or rows that are examined, unless letters may follow

_DIGITS, _LETTERS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def sniff(head: bytes, side: int | None = None) -> tuple[int, bytes]:
    """Return the side of the boards in `head`, and the symbols of those of this side, in order.

    The side is that of most of the first lines, unless `side` is given; 9 if there are none. A line
    of 16 symbols is a 4×4 board, unless such a line has a symbol that is invalid on 4×4
    boards; then the lines are rows of 16×16 boards.
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
    return side, b"".join(seen.get(side, []))


def _measure(line: bytes) -> tuple[int, bytes] | None:
    """Return the side and the symbols of the board or row on a line, or None."""
    text = line.strip()
    if text.startswith(b"#") or is_rule(text):
        return None
    for field in sorted(re.split(rb"[\s,;#]", text), key=len, reverse=True):
        side = 16 if len(field) == 16 else SIDE_OF_CELLS.get(len(field))
        if side and _fits(field, side):
            return side, field
    tokens = text.replace(b"|", b" ").split()
    symbols = b"".join(tokens)
    spaced = line.replace(b" ", b".") if line.translate(None, BLANKS + b" ") == symbols else b""
    for side, cells in (
        (SIDE_OF_CELLS.get(len(spaced), 0), spaced),
        (len(tokens), _symbols_of_numbers(tokens)),
        (len(symbols), symbols),
        (SIDE_OF_CELLS.get(len(symbols), 0), symbols),
    ):
        if side * side in SIDE_OF_CELLS and _fits(cells, side):
            return side, cells
    return None


def _fits(symbols: bytes, side: int) -> bool:
    """Return whether all symbols occur in some alphabet of boards of this side."""
    known = BLANKS + _DIGITS[: side + 1] + (_LETTERS[:side] if side > 9 else b"")
    return not symbols.upper().translate(None, known)


def _symbols_of_numbers(tokens: list[bytes]) -> bytes:
    """Convert decimal numbers to symbols of the style `1-9A-`, with `0` for blanks.

    The result contains `?` if the tokens are not the cells of a row.
    """
    digits = _DIGITS + _LETTERS
    numbers = [token if token.isdigit() else b"0" for token in tokens if len(token) <= 2]
    if len(numbers) < len(tokens) or not any(len(number) == 2 for number in numbers):
        return b"?"
    return bytes(digits[int(n)] if int(n) < len(digits) else ord("?") for n in numbers)
