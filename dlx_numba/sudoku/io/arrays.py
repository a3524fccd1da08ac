"""Boards in nested lists: those of JSON, and array initializers of C, Java or Python.

A board is a list of n lists of n cells, a list of n² cells, or a list of n strings; a string may
also contain a whole board. Lists of boards may be nested in any way.
"""

from ...runtime.arrays import ArrayParser
from ..box import Box
from .record_buffer import RecordCollector
from .rows import find_board_error, find_row_error, read_board, read_row
from .scan import LINE
from .symbols import INVALID, Alphabet


def lines_of_arrays(head: bytes) -> bytes:
    """Return the innermost lists in `head` as lines of cells, whose size `sniff` can detect.

    Examples
    --------
    >>> lines_of_arrays(b'[[1, null, 3, "."],\\n["12..", "..34"]]').split()
    [b'1,.,3,.', b'12..', b'..34']
    """
    collector = _LineCollector()
    for line in head.splitlines():
        collector.parse_line(line)
    return b"\n".join(collector.lines)


class _LineCollector(ArrayParser):
    """The innermost lists of a text, and its strings that are longer than a cell, as lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[bytes] = []
        self._cells: list[bytes] = []

    def open_list(self) -> None:
        self._cells = []

    def close_list(self) -> None:
        if self._cells:
            self.lines.append(b",".join(self._cells))
        self._cells = []

    def read_elements(self, elements: list[bytes]) -> None:
        self._cells += [element or b"." for element in elements]

    def read_string(self, text: bytes) -> None:
        if len(text) > 2:
            self.lines.append(text)
        else:
            self._cells.append(text.strip() or b".")

    def fail(self, reason: str) -> None:
        pass

    reject = fail


class _List:
    """A list that is not closed yet: its cells, or its rows."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.cells = bytearray()
        self.rows: list[bytes] = []
        self.has_boards = False
        self.error: tuple[int, str] | None = None


class ArrayReader(RecordCollector, ArrayParser):
    """A reader of boards in lists.

    Parameters
    ----------
    alphabet, chunk_boards, box
        The parameters of `RecordCollector`.
    """

    def __init__(self, alphabet: Alphabet, chunk_boards: int, box: Box) -> None:
        RecordCollector.__init__(self, alphabet, chunk_boards, box)
        ArrayParser.__init__(self)
        self.lists = [_List(1)]  # those that are open; the first one is outside of all lists

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        self.parse_line(line)
        self.buffer.state[LINE] += 1

    def end_drawing(self) -> None:
        """Add bad records for lists that are not closed, and for rows that are not a board."""
        if self.depth:
            self.add_bad(self.lists[1].line, "the list is not closed")
            del self.lists[1:]
        self._end_rows()

    def _end_rows(self) -> None:
        """Add the rows outside of all lists as a board, or as a bad record."""
        outside, self.lists[0] = self.lists[0], _List(self.buffer.line)
        self._add_rows(outside)

    def open_list(self) -> None:
        """Start a list."""
        self.lists.append(_List(self.buffer.line))

    def read_elements(self, elements: list[bytes]) -> None:
        """Add cells to the innermost list."""
        values = bytes([self.alphabet.value_of.get(cell, INVALID) for cell in elements])
        if INVALID in values:
            cell = elements[values.index(INVALID)].decode("utf-8", "replace")
            self.fail(f"{cell!r} is not a number from 1 to {self.alphabet.n}")
        self.lists[-1].cells += values

    def read_string(self, text: bytes) -> None:
        """Add a cell, a row or a board."""
        if len(text) <= 2:
            self.read_elements([text.strip()])
        elif (row := read_row(text, self.alphabet)) is not None:
            self._add_row(row, self.buffer.line)
        elif (board := read_board(text, self.alphabet)) is not None:
            self._add_board(board[0], self.buffer.line)
        elif reason := find_row_error(text, self.alphabet):
            self.fail(reason)
            self._add_row(b"", self.buffer.line)
        else:
            reason = find_board_error(text, self.alphabet)
            self.reject(reason or "the string is neither a row nor a board")

    def fail(self, reason: str) -> None:
        """Note an error in the innermost list."""
        self.lists[-1].error = self.lists[-1].error or (self.buffer.line, reason)

    def reject(self, reason: str) -> None:
        """Add a bad record."""
        self.add_bad(self.buffer.line, reason)

    def close_list(self) -> None:
        """Add the innermost list as a row or as a board."""
        closed = self.lists.pop()
        if (closed.cells and not closed.rows) or (
            self.depth and not (closed.rows or closed.error or closed.has_boards)
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
        if not self.depth and not parent.rows:
            parent.line = line
        parent.rows.append(row)
        if not self.depth and len(parent.rows) == self.alphabet.n:
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
