"""Boards in nested lists: those of JSON, and array initializers of C, Java or Python.

A board is a list of n lists of n cells, a list of n² cells, or a list of n strings; a string may
also contain a whole board. Lists of boards may be nested in any way.
"""

from collections.abc import Iterator

from ...runtime.arrays import CLOSE, ELEMENTS, ERROR, OPEN, STRING, ArrayParser
from .table import LineSplitter, Piece


class ArraySplitter(LineSplitter):
    """Divides nested lists into their innermost lists and strings, which are lines of text.

    Examples
    --------
    >>> [piece.text for piece in ArraySplitter().split(b'[[1, null, ".", 3], ["12..", "..34"]]', 1)]
    [b'1,,.,3', b'12..', b'..34', None, None]
    """

    def __init__(self) -> None:
        self.parser = ArrayParser()
        self.starts: list[int] = []  # the lines on which the open lists start
        self.cells: list[bytes] = []  # of the innermost list
        self.error = ""  # in it

    def split(self, line: bytes, number: int) -> Iterator[Piece]:
        """Yield the pieces that end on a line, which is given with its number."""
        for part, value in self.parser.parse(line):
            is_row = bool(self.cells or self.error)
            if part == ELEMENTS:
                self.cells += [b"" if cell in (b"null", b"None") else cell for cell in value]
            elif part == STRING and len(value) <= 2 and self.starts:
                self.cells.append(value.strip())
            elif part == STRING:
                yield Piece(number, value)
            elif part == ERROR and self.starts:
                self.error = self.error or value
            elif part not in (OPEN, CLOSE):
                yield from (Piece(number, b"", error=value), Piece(number, None))
            else:
                if is_row:
                    yield Piece(self.starts[-1], b",".join(self.cells), error=self.error)
                    self.cells, self.error = [], ""
                if part == OPEN:
                    self.starts.append(number)
                else:
                    self.starts.pop()
                    if not is_row:
                        yield Piece(number, None)

    def end(self) -> Iterator[Piece]:
        """Yield an error if a list is not closed."""
        if self.starts:
            yield Piece(self.starts[0], b"", error="the list is not closed")
