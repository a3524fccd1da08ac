"""Boards in nested lists: those of JSON, and array initializers of C, Java or Python.

A board is a list of n lists of n cells, a list of n² cells, or a list of n strings; a string may
also contain a whole board. Lists of boards may be nested in any way.
"""

from itertools import chain

from ...runtime.arrays import CLOSE, ELEMENTS, ERROR, OPEN, STRING, ArrayParser
from ..box import Box
from .record_reader import RecordReader
from .rows import find_board_error, find_row_error, read_board, read_row
from .scan import LINE
from .symbols import INVALID, Alphabet

_NULL = {b"": 0, b"null": 0, b"None": 0}


def lines_of_arrays(head: bytes) -> bytes:
    """Return the innermost lists in `head` as lines of cells, whose size `sniff` can detect.

    Examples
    --------
    >>> lines_of_arrays(b'[[1, null, 3, "."],\\n["12..", "..34"]]').split()
    [b'1,.,3,.', b'12..', b'..34']
    """
    parser, lines = ArrayParser(), []
    cells: list[bytes] = []
    for part, value in chain.from_iterable(map(parser.parse, head.splitlines())):
        if part == ELEMENTS:
            cells += [b"." if cell in _NULL else cell for cell in value]
        elif part == STRING and len(value) > 2:
            lines.append(value)
        elif part == STRING:
            cells.append(value.strip() or b".")
        elif part in (OPEN, CLOSE):
            lines += [b",".join(cells)] if part == CLOSE and cells else []
            cells = []
    return b"\n".join(lines)


class _List:
    """A list that is not closed yet: its cells, or its rows."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.cells = bytearray()
        self.rows: list[bytes] = []
        self.has_boards = False
        self.error: tuple[int, str] | None = None


class ArrayReader(RecordReader):
    """A reader of boards in lists.

    Parameters
    ----------
    alphabet, chunk_boards, box
        The parameters of `RecordReader`.
    """

    def __init__(self, alphabet: Alphabet, chunk_boards: int, box: Box) -> None:
        super().__init__(alphabet, chunk_boards, box)
        self.value_of = alphabet.value_of | _NULL
        self.parser = ArrayParser()
        self.lists = [_List(1)]  # those that are open; the first one is outside of all lists

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        for part, value in self.parser.parse(line):
            if part == ELEMENTS:
                self._read_cells(value)
            elif part == OPEN:
                self.lists.append(_List(self.line))
            elif part == CLOSE:
                self._close()
            elif part == STRING:
                self._read_string(value)
            elif part == ERROR:
                self._fail(value)
            else:
                self.add_bad(self.line, value)
        self.state[LINE] += 1

    def end_drawing(self) -> None:
        """Add bad records for lists that are not closed, and for rows that are not a board."""
        if len(self.lists) > 1:
            self.add_bad(self.lists[1].line, "the list is not closed")
            del self.lists[1:]
        self._end_rows()

    def _end_rows(self) -> None:
        """Add the rows outside of all lists as a board, or as a bad record."""
        outside, self.lists[0] = self.lists[0], _List(self.line)
        self._add_rows(outside)

    def _read_cells(self, cells: list[bytes]) -> None:
        values = bytes([self.value_of.get(cell, INVALID) for cell in cells])
        if INVALID in values:
            cell = cells[values.index(INVALID)].decode("utf-8", "replace")
            self._fail(f"{cell!r} is not a number from 1 to {self.alphabet.n}")
        self.lists[-1].cells += values

    def _read_string(self, text: bytes) -> None:
        """Add a cell, a row or a board."""
        if len(text) <= 2:
            self._read_cells([text.strip()])
        elif (row := read_row(text, self.alphabet)) is not None:
            self._add_row(row, self.line)
        elif (board := read_board(text, self.alphabet)) is not None:
            self._add_board(board[0], self.line)
        elif reason := find_row_error(text, self.alphabet):
            self._fail(reason)
            self._add_row(b"", self.line)
        else:
            reason = find_board_error(text, self.alphabet)
            self.add_bad(self.line, reason or "the string is neither a row nor a board")

    def _fail(self, reason: str) -> None:
        """Note an error in the innermost list."""
        self.lists[-1].error = self.lists[-1].error or (self.line, reason)

    def _close(self) -> None:
        """Add the innermost list as a row or as a board."""
        closed = self.lists.pop()
        if (closed.cells and not closed.rows) or (
            len(self.lists) > 1 and not (closed.rows or closed.error or closed.has_boards)
        ):
            self._add_vector(closed)
        else:
            self._add_rows(closed)
            self.lists[-1].has_boards |= bool(closed.rows or closed.error or closed.has_boards)

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
            self.lists[-1].error = self.lists[-1].error or vector.error
            self._add_row(row, vector.line)
        else:
            reason = f"expected {self.cells} numbers, found {size}"
            self.add_bad(*(vector.error or (vector.line, reason)))
            self.lists[-1].has_boards = True

    def _add_row(self, row: bytes, line: int) -> None:
        parent = self.lists[-1]
        if parent is self.lists[0] and not parent.rows:
            parent.line = line
        parent.rows.append(row)
        if parent is self.lists[0] and len(parent.rows) == self.alphabet.n:
            self._end_rows()

    def _add_rows(self, rows: _List) -> None:
        """Add a list of rows as a board, or as a bad record."""
        n = self.alphabet.n
        if rows.error is None and rows.rows and rows.cells:
            rows.error = rows.line, "the list contains both rows and numbers"
        if rows.error is None and rows.rows and len(rows.rows) != n:
            rows.error = rows.line, f"expected {n} rows, found {len(rows.rows)}"
        if rows.error is not None:
            self.add_bad(*rows.error)
        elif rows.rows:
            self._add_board(b"".join(rows.rows), rows.line)

    def _add_board(self, values: bytes, line: int) -> None:
        if self.lists[0].rows:
            self._end_rows()
        self.add_board(values, line)
        self.lists[-1].has_boards = True
