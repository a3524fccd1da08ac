"""JSON objects with puzzles in a list, or on several lines each."""

import json
import re
from collections.abc import Iterator

from .table import LineSplitter, Piece, read_object

# A list of objects; or an object whose first line is neither complete nor cut off.
_START = re.compile(rb'[\[\s]*\{\s*"[^"\n]*"\s*:')
_OPEN_LINE = (b"{", b"[", b",", b":")
_CONTENT = re.compile(r"[^\s,;\[\]]")
_NEXT_OBJECT = re.compile(r"\n(?:[^\S\n]|\[)*(?=\{)|\Z")
_decoder = json.JSONDecoder()

MAX_ERRORS = 100  # after which the rest is not read, because each takes time in proportion to it


def looks_like_objects(head: bytes) -> bool:
    """Return whether a text starts like a list of objects, or like an object of several lines.

    Examples
    --------
    >>> looks_like_objects(b'[{"puzzle": "1..."},'), looks_like_objects(b'{"puzzle":\\n"1..."}')
    (True, True)
    >>> looks_like_objects(b'{"puzzle": "1..."}\\n'), looks_like_objects(b"[[1, 2], [3, 4]]")
    (False, False)
    """
    if _START.match(head) is None:
        return False
    first_line = head.lstrip().split(b"\n", 1)[0].rstrip()
    return first_line.startswith(b"[") or first_line.endswith(_OPEN_LINE)


class ObjectSplitter(LineSplitter):
    """Divides a text into objects at its end. The line of a puzzle is that of its object."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def split(self, line: bytes, number: int) -> Iterator[Piece]:
        """Keep the line."""
        self._lines.append(line)
        return iter(())

    def end(self) -> Iterator[Piece]:
        """Yield the objects."""
        for line, text, reason in split_objects(b"\n".join(self._lines)):
            reason = reason or "no board in the JSON object"
            yield read_object(text, line) or Piece(line, b"", ("", "", ""), reason)


def split_objects(content: bytes) -> Iterator[tuple[int, str, str]]:
    """Yield the line and the text of each object in a text, and "" or what is wrong with it.

    Examples
    --------
    >>> list(split_objects(b'[{"a": 1},\\n{"b": []}\\n, 3]'))
    [(1, '{"a": 1}', ''), (2, '{"b": []}', ''), (3, '3', "expected a JSON object, found '3'")]
    """
    text = content.decode("utf-8", "replace")
    line, end, n_errors = 1, 0, 0
    while match := _CONTENT.search(text, end):
        start, reason = match.start(), ""
        line += text.count("\n", end, start)
        try:
            _, end = _decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            next_object = _NEXT_OBJECT.search(text, start + 1)
            end = next_object.end() if next_object else len(text)
            is_cut = getattr(error, "pos", 0) >= len(text.rstrip())
            if is_cut or str(error).startswith("Unterminated string"):
                reason, end = "the JSON object is not closed", len(text)
            elif (n_errors := n_errors + 1) == MAX_ERRORS:
                reason, end = "too many errors; the rest is not read", len(text)
        found = text[start:end].rstrip().rstrip(",;")
        if not found.endswith("}"):
            reason = reason or f"expected a JSON object, found {found[:40]!r}"
        yield line, found, reason
        line += text.count("\n", start, end)
