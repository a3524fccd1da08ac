"""Boards in nested lists: those of JSON, and array initializers of C, Java or Python.

A board is a list of n lists of n cells, a list of n² cells, or a list of n strings; a string may
also contain a whole board. Lists of boards may be nested in any way.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from ...runtime.arrays import CLOSE, ELEMENTS, ERROR, OPEN, STRING, ArrayParser
from .lines import LineReader
from .scan import LINE

_NULLS = (b"null", b"None")


def board_lines_of_arrays(head: bytes) -> list[bytes]:
    """Return the innermost lists in `head` as lines of cells, whose size `sniff` can detect.

    Examples
    --------
    >>> board_lines_of_arrays(b'[[1, null, 3, "."],\\n["12..", "..34"]]')
    [b'1,,3,.', b'12..', b'..34']
    """
    splitter = ArraySplitter()
    texts = (splitter.split(line, number) for number, line in enumerate(head.splitlines()))
    return [text for _, text, _ in chain.from_iterable(texts) if text]


class ArrayReader(LineReader):
    """A reader of boards in lists. An innermost list is a row or a board, like a line of text."""

    uses_kernel = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.splitter = ArraySplitter()

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        for start, text, error in self.splitter.split(line, int(self.state[LINE])):
            self.line = start
            if error and self.splitter.starts:
                self._add_row(start, error)
            elif error:
                self.add_bad(start, error)
            elif text:
                self.read_text(text)
            else:
                self.end_drawing()
        self.state[LINE] += 1

    def _add_row(self, line: int, row: bytes | str) -> None:
        """Add a row. A board starts where the list of its rows starts."""
        if not self.rows and isinstance(row, bytes):
            line = self.splitter.start_of_rows
        super()._add_row(line, row)

    def end(self) -> None:
        """Add a bad record if a list is not closed."""
        if self.splitter.starts:
            self.rows = [(self.splitter.starts[0], "the list is not closed")]
        self.end_drawing()


class ArraySplitter:
    """Divides nested lists into their innermost lists and strings, which are lines of text."""

    def __init__(self) -> None:
        self.parser = ArrayParser()
        self.starts: list[int] = []  # the lines on which the open lists start
        self.cells: list[bytes] = []  # of the innermost list
        self.error = ""  # in it
        self.start_of_rows = 0  # the line on which the list of the last text starts

    def split(self, line: bytes, number: int) -> Iterator[tuple[int, bytes, str]]:
        """Yield lines of text with the number of their first line, or errors.

        A text is empty at the end of a list that is not one line.
        """
        for part, value in self.parser.parse(line):
            if part == ELEMENTS:
                self.cells += [b"" if cell in _NULLS else cell for cell in value]
            elif part == STRING and len(value) <= 2 and self.starts:
                self.cells.append(value.strip())
            elif part == STRING:
                self.start_of_rows = self.starts[-1] if self.starts else number
                yield number, value, ""
            elif part == OPEN:
                yield from self._take_cells()
                self.starts.append(number)
            elif part == ERROR and self.starts:
                self.error = self.error or value
            elif part == CLOSE and (self.cells or self.error):
                yield from self._take_cells()
                self.starts.pop()
            elif part == CLOSE:
                self.starts.pop()
                yield number, b"", ""
            else:
                yield number, b"", value

    def _take_cells(self) -> Iterator[tuple[int, bytes, str]]:
        if self.cells or self.error:
            self.start_of_rows = self.starts[-2:][0]
            yield self.starts[-1], b",".join(self.cells), self.error
            self.cells, self.error = [], ""
