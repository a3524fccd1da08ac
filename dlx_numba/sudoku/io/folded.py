"""A single 9×9 board on lines of any length, and boards that old programs draw below a banner."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from .cells import is_rule
from .qqwing import read_remark

CELLS = 81
SIDE = 9
MAX_BYTES = 1 << 12  # of a text with such boards

# A row such as `5 3 4|6 7 8|9 1 2|`
_DRAWN_ROW = re.compile(rb"[ \t|]*(?:(?:[0-9._*xX] ?){3}\|){2}(?:[0-9._*xX] ?){3}\|?[ \t]*")


def unfold(texts: Iterable[memoryview], blanks: bytes) -> Iterator[memoryview]:
    r"""Return the blocks of a text, with a folded board on one line, and without a banner.

    The numbers of the lines remain. `blanks` are the symbols of empty cells.

    >>> text = memoryview(bytearray(b"53..7....6..195....98....6.8...6...34..8.3..1\n"))
    >>> rest = memoryview(bytearray(b"7...2...6.6....28....419..5....8..79\n"))
    >>> [bytes(block) for block in unfold([memoryview(bytearray(bytes(text) + rest))], b".0")]
    [b'53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n\n']
    """
    blocks = iter(texts)
    first = next(blocks, None)
    if first is None:
        return blocks
    if len(first) <= MAX_BYTES:
        lines = bytes(first).split(b"\n")
        changed = _join_rows(lines, blanks) or _without_banner(lines)
        if changed is not None:
            first = memoryview(bytearray(b"\n".join(changed)))
    return chain([first], blocks)


def _join_rows(lines: list[bytes], blanks: bytes) -> list[bytes] | None:
    """Return lines of which one has the board, if the others are rows of it; otherwise None."""
    symbols = b"123456789" + blanks
    rows = {}
    for number, line in enumerate(lines):
        row = line.translate(None, b" \t\r")
        is_comment = row.startswith(b"#") and b"#" not in blanks
        if not row or is_comment:
            continue
        if row.strip(symbols):
            return None
        rows[number] = row
    if len(rows) < 2 or sum(map(len, rows.values())) != CELLS:
        return None
    joined = [b"" if number in rows else line for number, line in enumerate(lines)]
    joined[min(rows)] = b"".join(rows.values())
    return joined


def _without_banner(lines: list[bytes]) -> list[bytes] | None:
    """Return lines whose only boards are drawn, without other text around them; otherwise None."""
    rows = [number for number, line in enumerate(lines) if _DRAWN_ROW.fullmatch(line.rstrip())]
    if not rows or len(rows) % SIDE:
        return None
    kept = list(lines)
    for number, line in enumerate(lines):
        n_before = sum(row < number for row in rows)
        is_plain = not line.strip() or number in rows or is_rule(line.rstrip())
        if is_plain or read_remark(line.decode("utf-8", "replace")) is not None:
            continue
        is_text = re.search(rb"[A-WYZa-wyz]", line) is not None
        if n_before % SIDE or not is_text:  # inside a board, or of another one
            return None
        kept[number] = b""
    return None if kept == lines else kept
