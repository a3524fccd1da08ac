"""Boards as JSON arrays, and as array initializers of C, Java or Python.

A board is a list of n lists of n cells, a list of n² cells, or a list of n strings; a string may
also contain a whole board. Lists of boards may be nested in any way. Braces, brackets and the two
kinds of quotes are equivalent, and line breaks may occur anywhere.
"""

import re

from ..box import Box
from .record_buffer import RecordCollector
from .rows import find_board_error, find_row_error, read_board, read_row
from .scan import LINE
from .symbols import INVALID, Alphabet

# The text before the first brace in `int[][] board = new int[][] {{8, 0, ...`
_DECLARATION = re.compile(rb"[^={\[]*(?:\[[^\]={]*\][^={\[]*)*=(?!=)\s*(?:new\s[^{]*)?")
_COMMENT = re.compile(rb"//.*|/\*.*?\*/")
_START = re.compile(rb"[\[{]\s*(?:[\[{\"'.\d]|null\b|None\b|$)")
_OBJECT = re.compile(rb'\{\s*"[^"]*"\s*:')
_VECTOR = re.compile(rb"[\[{]([^\[\]{}]*)[\]}]")
_STRING = re.compile(rb"\"([^\"]*)\"|'([^']*)'")
_TOKEN = re.compile(rb"([\[{])|([\]}])|\"([^\"]*)\"|'([^']*)'|([^\[\]{}\"']+|.)")
_NULL = {b"null": 0, b"None": 0}
_EMPTY = (b"", *_NULL)
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


def lines_of_arrays(head: bytes) -> bytes:
    """Return the innermost lists in `head` as lines of cells, whose size `sniff` can detect.

    Examples
    --------
    >>> lines_of_arrays(b'[[1, null, 3, "."],\\n["12..", "..34"]]').split()
    [b'1,.,3,.', b'12..', b'..34']
    """
    lines = []
    for vector in _VECTOR.findall(_COMMENT.sub(b"", head)):
        strings = [double or single for double, single in _STRING.findall(vector)]
        if any(len(string) > 2 for string in strings):
            lines += strings
        else:
            cells = [cell.strip(b" \t\r\n\"'") for cell in vector.split(b",")]
            if not vector.split(b",")[-1].strip():
                cells.pop()
            lines.append(b",".join(b"." if cell in _EMPTY else cell for cell in cells))
    return b"\n".join(lines)


class _List:
    """A list that is not closed yet: its cells, or its rows."""

    def __init__(self, line: int, closing: bytes = b"") -> None:
        self.line, self.closing = line, closing
        self.cells = bytearray()
        self.rows: list[bytes] = []
        self.has_boards = False
        self.error: tuple[int, str] | None = None


class ArrayReader(RecordCollector):
    """A reader of boards in lists.

    Parameters
    ----------
    alphabet, chunk_boards, box
        The parameters of `RecordCollector`.
    """

    def __init__(self, alphabet: Alphabet, chunk_boards: int, box: Box) -> None:
        super().__init__(alphabet, chunk_boards, box)
        self.value_of = alphabet.value_of | _NULL
        self.outside = _List(1)  # rows outside of all lists
        self.open: list[_List] = []

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        text = _COMMENT.sub(b"", line) if b"/" in line else line
        if not self.open:
            text = b"" if text.lstrip().startswith(b"#") else _without_declaration(text)
        for opening, closing, double, single, other in _TOKEN.findall(text):
            if opening:
                self.open.append(_List(self.buffer.line, _CLOSING[opening]))
            elif closing:
                self._close(closing)
            elif other:
                self._read_cells(other)
            else:
                self._read_string(double or single)
        self.buffer.state[LINE] += 1

    def end_drawing(self) -> None:
        """Add bad records for lists that are not closed, and for rows that are not a board."""
        if self.open:
            self.add_bad(self.open[0].line, "the list is not closed")
            self.open.clear()
        self._end_rows()

    def _end_rows(self) -> None:
        """Add the rows outside of all lists as a board, or as a bad record."""
        outside, self.outside = self.outside, _List(self.buffer.line)
        self._add_rows(outside)

    def _innermost(self) -> _List:
        return self.open[-1] if self.open else self.outside

    def _read_cells(self, text: bytes) -> None:
        cells = [cell.strip() for cell in text.split(b",")]
        cells = cells[not cells[0] : len(cells) - (not cells[-1] and len(cells) > 1)]
        if not self.open:
            if any(cell.strip(b";") for cell in cells):
                outside = text.strip(b" \t,;").decode("utf-8", "replace")
                self.add_bad(self.buffer.line, f"{outside[:40]!r} is not in a list")
            return
        values = [INVALID if not cell else self.value_of.get(cell, INVALID) for cell in cells]
        if INVALID in values:
            self._fail(self._describe_cell(cells[values.index(INVALID)]))
        self.open[-1].cells += bytes(values)

    def _read_string(self, string: bytes) -> None:
        innermost = self._innermost()
        if len(string) <= 2:
            value = self.value_of.get(string.strip(), INVALID)
            if value == INVALID:
                self._fail(self._describe_cell(string))
            innermost.cells.append(value)
        elif (row := read_row(string, self.alphabet)) is not None:
            self._add_row(row, self.buffer.line)
        elif (board := read_board(string, self.alphabet)) is not None:
            self._add_board(board[0], self.buffer.line)
        elif reason := find_row_error(string, self.alphabet):
            self._fail(reason)
            self._add_row(b"", self.buffer.line)
        else:
            reason = find_board_error(string, self.alphabet)
            self.add_bad(self.buffer.line, reason or "the string is neither a row nor a board")

    def _describe_cell(self, cell: bytes) -> str:
        if not cell:
            return "a number is missing between two commas"
        return f"{cell.decode('utf-8', 'replace')!r} is not a number from 1 to {self.alphabet.n}"

    def _fail(self, reason: str) -> None:
        innermost = self._innermost()
        innermost.error = innermost.error or (self.buffer.line, reason)

    def _close(self, closing: bytes) -> None:
        if not self.open:
            self.add_bad(self.buffer.line, f"unexpected {closing.decode()!r}")
            return
        if closing != self.open[-1].closing:
            self._fail(f"expected {self.open[-1].closing.decode()!r}, not {closing.decode()!r}")
        closed = self.open.pop()
        if closed.cells and not closed.rows:
            self._add_vector(closed)
        elif closed.rows or closed.error:
            self._add_rows(closed)
            self._innermost().has_boards = True
        elif closed.has_boards:
            self._innermost().has_boards = True
        elif self.open:
            self._add_vector(closed)

    def _add_vector(self, vector: _List) -> None:
        """Add a list of cells as a board or as a row."""
        n, size = self.alphabet.n, len(vector.cells)
        if vector.error is None and size == self.cells:
            self._add_board(bytes(vector.cells), vector.line)
        elif size < 2 * n:
            row = bytes(vector.cells)
            if vector.error is None and size != n:
                row = b""
                vector.error = vector.line, f"expected {n} numbers in the row, found {size}"
            parent = self._innermost()
            parent.error = parent.error or vector.error
            self._add_row(row, vector.line)
        else:
            reason = f"expected {self.cells} numbers, found {size}"
            self.add_bad(*(vector.error or (vector.line, reason)))
            self._innermost().has_boards = True

    def _add_row(self, row: bytes, line: int) -> None:
        parent = self._innermost()
        if not self.open and not parent.rows:
            parent.line = line
        parent.rows.append(row)
        if not self.open and len(parent.rows) == self.alphabet.n:
            self._end_rows()

    def _add_rows(self, rows: _List) -> None:
        """Add a list of rows as a board, or as a bad record."""
        n = self.alphabet.n
        if rows.error is None and rows.cells:
            rows.error = rows.line, "the list contains both rows and numbers"
        if rows.error is None and rows.rows and len(rows.rows) != n:
            rows.error = rows.line, f"expected {n} rows, found {len(rows.rows)}"
        if rows.error is not None:
            self.add_bad(*rows.error)
        elif rows.rows:
            self._add_board(b"".join(rows.rows), rows.line)

    def _add_board(self, values: bytes, line: int) -> None:
        if self.outside.rows:
            self._end_rows()
        self.add_board(values, line)
        self._innermost().has_boards = True


def _without_declaration(text: bytes) -> bytes:
    declaration = _DECLARATION.match(text)
    return text[declaration.end() :].lstrip() if declaration else text.strip()
