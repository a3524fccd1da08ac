"""JSON objects with puzzles in a list, or on several lines each."""

import re
from collections.abc import Iterator
from typing import Any

from .lines import LineReader
from .scan import LINE
from .table import read_object

MAX_OBJECT_BYTES = 1 << 20

# A list of objects; or an object whose first line is neither complete nor cut off.
_START = re.compile(rb'[\[\s]*\{\s*"[^"\n]*"\s*:')
_OPEN_LINE = (b"{", b"[", b",", b":")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*("?)|([\[{])|([\]}])|[^"\[\]{}]+')
# After a quotation mark without a second one on its line, no other has one, either.
_TOKEN_OUTSIDE = re.compile(rb"()([\[{])|([\]}])|[^\[\]{}]+")


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


def board_lines_of_objects(head: bytes) -> list[bytes]:
    """Return the boards of the objects in `head` as lines, whose size `sniff` can detect.

    Examples
    --------
    >>> board_lines_of_objects(b'[{"puzzle": "1...", "n": 5},\\n{"puzzle": [[1, 2], [3, 4]]}]')
    [b'1...', b'1,2,3,4']
    """
    splitter = ObjectSplitter()
    fields = (
        read_object(text.decode("utf-8", "replace"))
        for number, line in enumerate(head.splitlines(), 1)
        for _, text in splitter.split(line, number)
    )
    return [found[0].encode() for found in fields if found is not None]


class ObjectReader(LineReader):
    """A reader of JSON objects. The line of a puzzle is that on which its object starts."""

    uses_kernel = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.splitter = ObjectSplitter()

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        for start, text in self.splitter.split(line, int(self.state[LINE])):
            fields = read_object(text.decode("utf-8", "replace"))
            if fields is not None:
                self._read_object(fields, start)
            elif len(text) > MAX_OBJECT_BYTES:
                self.add_bad(start, f"the object is longer than {MAX_OBJECT_BYTES:,} bytes")
            elif text.startswith(b"{"):
                self.add_bad(start, "no board in the JSON object")
            else:
                found = text[:40].decode("utf-8", "replace")
                self.add_bad(start, f"expected a JSON object, found {found!r}")
        self.state[LINE] += 1

    def end(self) -> None:
        """Add a bad record if the last object is incomplete."""
        if self.splitter.depth:
            self.add_bad(self.splitter.start, "the JSON object is not closed")


class ObjectSplitter:
    """Divides a text into objects, and what is between them except for commas and brackets."""

    def __init__(self) -> None:
        self.depth = 0  # of the open brackets, from the outermost object on
        self.start = 0  # the line on which this object starts
        self._tokens: list[bytes] = []  # of the object, up to `MAX_OBJECT_BYTES` and one more
        self._size = 0  # of the tokens

    def split(self, line: bytes, number: int) -> Iterator[tuple[int, bytes]]:
        """Yield the texts that end on this line, each with the number of its first line."""
        for token in _tokens(line):
            _, opening, closing = token.groups()
            if self.depth == 0:
                if opening != b"{":
                    between = token[0].strip(b" \t,;") if not (opening or closing) else b""
                    if between:
                        yield number, between
                    continue
                self.start, self._tokens, self._size = number, [], 0
            self.depth += (opening is not None) - (closing is not None)
            self._append(token[0])
            if self.depth == 0:
                yield self.start, b"".join(self._tokens)
        if self.depth:
            self._append(b"\n")

    def _append(self, token: bytes) -> None:
        if self._size <= MAX_OBJECT_BYTES:
            self._tokens.append(token)
            self._size += len(token)


def _tokens(line: bytes) -> Iterator[re.Match[bytes]]:
    """Yield strings, brackets and what is between them."""
    for token in _TOKEN.finditer(line):
        if token[1] == b"":
            yield from _TOKEN_OUTSIDE.finditer(line, token.start())
            return
        yield token
