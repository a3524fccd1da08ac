"""Nested lists as in JSON, and as array initializers of C, Java or Python, line by line.

Braces and brackets are equivalent, and so are the two kinds of quotes. Line breaks may occur
anywhere between elements.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Any

# The text before the first brace in `int[][] board = new int[][] {{8, 0, ...`
_DECLARATION = re.compile(rb"[^={\[]*(?:\[[^\]={]*\][^={\[]*)*=(?!=)\s*(?:new\s[^{]*)?")
_COMMENT = re.compile(rb"//.*|/\*.*?\*/|\s#[^\"']*$")
_START = re.compile(rb"[\[{]\s*(?:[\[{\"'.\d]|null\b|None\b|true\b|false\b|True\b|False\b|$)")
_OBJECT = re.compile(rb'\{\s*"[^"]*"\s*:')
_TOKEN = re.compile(rb"([\[{])|([\]}])|\"([^\"]*)\"|'([^']*)'|([^\[\]{}\"']+|.)")
_CLOSING = {b"[": b"]", b"{": b"}"}


def looks_like_arrays(head: bytes) -> bool:
    """Return whether a text starts like a list or an array initializer.

    Examples
    --------
    >>> looks_like_arrays(b"int[][] board = {{8,0"), looks_like_arrays(b"[Puzzle]")
    (True, False)
    """
    for line in head.splitlines():
        text = _COMMENT.sub(b"", line).strip()
        if text and not text.startswith(b"#"):
            text = _without_declaration(text)
            if text:
                return _START.match(text) is not None and _OBJECT.match(text) is None
    return False


def _without_declaration(text: bytes) -> bytes:
    declaration = _DECLARATION.match(text)
    return text[declaration.end() :].lstrip() if declaration else text.strip()


class Part(Enum):
    """The kinds of parts of nested lists."""

    OPEN = auto()  # a list begins
    CLOSE = auto()  # the innermost list ends
    ELEMENTS = auto()  # elements without quotes, list of bytes; null is an empty text
    STRING = auto()  # the text of a string, bytes; it may be outside of all lists
    ERROR = auto()  # a description of an error in the innermost list, str
    OUTSIDE = auto()  # a description of an error outside of all lists, str


class ArrayParser:
    """A parser of nested lists, line by line."""

    def __init__(self) -> None:
        self._closings: list[bytes] = []

    def parse(self, line: bytes) -> Iterator[tuple[Part, Any]]:
        """Yield the parts of one line, which is given without its line end."""
        text = _COMMENT.sub(b"", line) if b"/" in line or b"#" in line else line
        if not self._closings:
            text = b"" if text.lstrip().startswith(b"#") else _without_declaration(text)
        for opening, closing, double, single, other in _TOKEN.findall(text):
            if opening:
                self._closings.append(_CLOSING[opening])
                yield Part.OPEN, None
            elif closing and not self._closings:
                yield Part.OUTSIDE, f"unexpected {closing.decode()!r}"
            elif closing:
                expected = self._closings.pop()
                if closing != expected:
                    reason = f"expected {expected.decode()!r}, not {closing.decode()!r}"
                    yield Part.ERROR, reason
                yield Part.CLOSE, None
            elif other:
                yield from self._split_elements(other)
            else:
                yield Part.STRING, double or single

    def _split_elements(self, text: bytes) -> Iterator[tuple[Part, Any]]:
        elements = [element.strip() for element in text.split(b",")]
        elements = elements[not elements[0] : len(elements) - (not elements[-1])]
        if self._closings:
            if b"" in elements:
                yield Part.ERROR, "a number is missing between two commas"
            if elements:
                yield Part.ELEMENTS, [b"" if e in (b"null", b"None") else e for e in elements]
        elif any(element.strip(b";") for element in elements):
            outside = text.strip(b" \t,;").decode("utf-8", "replace")
            yield Part.OUTSIDE, f"{outside[:40]!r} is not in a list"
