"""Nested lists as in JSON, and as array initializers of C, Java or Python, line by line.

Braces and brackets are equivalent, and so are the two kinds of quotes. Line breaks may occur
anywhere between elements.
"""

import re
from abc import ABC, abstractmethod

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


class ArrayParser(ABC):
    """A parser of nested lists, which calls a method for each of their parts.

    Attributes
    ----------
    depth : int
        The number of lists that are open.
    """

    def __init__(self) -> None:
        self._closings: list[bytes] = []

    @property
    def depth(self) -> int:
        return len(self._closings)

    def parse_line(self, line: bytes) -> None:
        """Parse one line, given without its line end."""
        text = _COMMENT.sub(b"", line) if b"/" in line or b"#" in line else line
        if not self._closings:
            text = b"" if text.lstrip().startswith(b"#") else _without_declaration(text)
        for opening, closing, double, single, other in _TOKEN.findall(text):
            if opening:
                self._closings.append(_CLOSING[opening])
                self.open_list()
            elif closing:
                self._close(closing)
            elif other:
                self._parse_elements(other)
            else:
                self.read_string(double or single)

    def _close(self, closing: bytes) -> None:
        if not self._closings:
            self.reject(f"unexpected {closing.decode()!r}")
            return
        if closing != self._closings[-1]:
            self.fail(f"expected {self._closings[-1].decode()!r}, not {closing.decode()!r}")
        self._closings.pop()
        self.close_list()

    def _parse_elements(self, text: bytes) -> None:
        elements = [element.strip() for element in text.split(b",")]
        elements = elements[not elements[0] : len(elements) - (not elements[-1])]
        if self._closings:
            if b"" in elements:
                self.fail("a number is missing between two commas")
            if elements:
                self.read_elements([b"" if e in (b"null", b"None") else e for e in elements])
        elif any(element.strip(b";") for element in elements):
            outside = text.strip(b" \t,;").decode("utf-8", "replace")
            self.reject(f"{outside[:40]!r} is not in a list")

    @abstractmethod
    def open_list(self) -> None:
        """Start a list in the innermost one."""

    @abstractmethod
    def close_list(self) -> None:
        """End the innermost list."""

    @abstractmethod
    def read_elements(self, elements: list[bytes]) -> None:
        """Add elements without quotes to the innermost list; null is an empty text."""

    @abstractmethod
    def read_string(self, text: bytes) -> None:
        """Add a string to the innermost list. It may be outside of all lists."""

    @abstractmethod
    def fail(self, reason: str) -> None:
        """Note an error in the innermost list."""

    @abstractmethod
    def reject(self, reason: str) -> None:
        """Note an error outside of all lists."""
