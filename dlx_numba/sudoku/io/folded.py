"""A single 9×9 board on lines of any length."""

from collections.abc import Iterable, Iterator
from itertools import chain

CELLS = 81
MAX_BYTES = 1 << 12  # of a text with such a board


def unfold(texts: Iterable[memoryview], blanks: bytes) -> Iterator[memoryview]:
    r"""Return the blocks of a text, with a folded board on one line.

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
        changed = _join_rows(bytes(first).split(b"\n"), blanks)
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
