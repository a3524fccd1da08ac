"""Nested lists as in JSON, and as array initializers of C, Java or Python, line by line.

Braces and brackets are equivalent, and so are the two kinds of quotes. Line breaks may occur
anywhere between elements.
"""

import re
from collections.abc import Iterator
from typing import Any

# The kinds of parts of nested lists, with their values
OPEN = "open"  # a list begins
CLOSE = "close"  # the innermost list ends
ELEMENTS = "elements"  # elements without quotes, list of bytes
STRING = "string"  # the text of a string, bytes; it may be outside of all lists
ERROR = "error"  # a description of an error in the innermost list, str
OUTSIDE = "outside"  # a description of an error outside of all lists, str

# The text before the first brace in `int[][] board = new int[][] {{8, 0, ...`
_DECLARATION = re.compile(rb"[^={\[]*(?:\[[^\]={]*\][^={\[]*)*=(?!=)\s*(?:new\s[^{]*)?")
_COMMENT = re.compile(rb"//.*|/\*.*?(?:\*/|$)")
_HASH_COMMENT = re.compile(rb"\s#.*")
_START = re.compile(rb"[\[{]\s*(?:[\[{\"'.\d]|null\b|None\b|true\b|false\b|True\b|False\b|$)")
_OBJECT = re.compile(rb'\{\s*"[^"]*"\s*:')
# A comma between two lists belongs to the end of the first one.
_TOKEN = re.compile(rb"([\[{])|([\]}])(?:, *(?=[\[{]))?|\"([^\"]*)\"|'([^']*)'|([^\[\]{}\"']+|.)")
_CLOSING = {b"[": b"]", b"{": b"}"}


def looks_like_arrays(head: bytes) -> bool:
    """Return whether a text starts like a list or an array initializer.

    Examples
    --------
    >>> looks_like_arrays(b"int[][] board = {{8,0"), looks_like_arrays(b"[Puzzle]")
    (True, False)
    """
    for line in head.splitlines():
        text = without_comments(line).strip()
        if text and not text.startswith(b"#"):
            text = without_declaration(text)
            if text:
                return _START.match(text) is not None and _OBJECT.match(text) is None
    return False


def without_comments(line: bytes) -> bytes:
    if b"/" in line:
        line = _COMMENT.sub(b"", line)
    if b"#" in line:  # in a string, it is not a comment
        end_of_strings = max(line.rfind(b'"'), line.rfind(b"'")) + 1
        line = line[:end_of_strings] + _HASH_COMMENT.sub(b"", line[end_of_strings:])
    return line


def without_declaration(text: bytes) -> bytes:
    declaration = _DECLARATION.match(text)
    return text[declaration.end() :].lstrip() if declaration else text.strip()


class ArrayParser:
    """A parser of nested lists, line by line."""

    def __init__(self) -> None:
        self._closings: list[bytes] = []

    def parse(self, line: bytes) -> Iterator[tuple[str, Any]]:
        """Yield the parts of one line, which is given without its line end."""
        text = without_comments(line)
        if not self._closings:
            text = b"" if text.lstrip().startswith(b"#") else without_declaration(text)
        for token in _TOKEN.finditer(text):
            opening, closing, double, single, other = token.groups(b"")
            if other and self._closings:
                elements = [element.strip() for element in other.split(b",")]
                elements = elements[not elements[0] : len(elements) - (not elements[-1])]
                if b"" in elements:
                    yield ERROR, "a number is missing between two commas"
                if elements:
                    yield ELEMENTS, elements
            elif opening:
                self._closings.append(_CLOSING[opening])
                yield OPEN, None
            elif closing and self._closings:
                expected = self._closings.pop()
                if closing != expected:
                    yield ERROR, f"expected {expected.decode()!r}, not {closing.decode()!r}"
                yield CLOSE, None
            elif closing:
                yield OUTSIDE, f"unexpected {closing.decode()!r}"
            elif not other:
                yield STRING, double or single
            elif outside := other.strip(b" \t,;").decode("utf-8", "replace"):
                yield OUTSIDE, f"{outside[:40]!r} is not in a list"
