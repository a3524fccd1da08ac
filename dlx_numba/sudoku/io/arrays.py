"""Boards in nested lists: those of JSON, and array initializers of C, Java or Python.

A board is a list of n lists of n cells, a list of n² cells, or a list of n strings; a string may
also contain a whole board. Lists of boards may be nested in any way.
"""

from itertools import chain

from ...runtime.arrays import CLOSE, ELEMENTS, ERROR, OPEN, STRING, ArrayParser
from ..box import Box
from .cells import find_board_error, find_row_error
from .lines import LineReader
from .scan import LINE
from .symbols import INVALID, Alphabet

MAX_DEPTH = 32

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


class ArrayReader(LineReader):
    """A reader of boards in lists. An innermost list is a row or a board, like a line of text.

    Parameters
    ----------
    alphabet, chunk_boards, box
        The parameters of `RecordReader`.
    """

    uses_kernel = False

    def __init__(self, alphabet: Alphabet, chunk_boards: int, box: Box) -> None:
        super().__init__(alphabet, chunk_boards, box)
        self.value_of = alphabet.value_of | _NULL
        self.parser = ArrayParser()
        self.starts_of_lists: list[int] = []  # the lines on which the open lists start
        self.values = bytearray()  # of the innermost list
        self.error: tuple[int, str] | None = None  # in the innermost list
        self.is_too_deep = False  # then the rest of the text is not read
        self.depth_of_rows = 0  # the number of lists that contain `rows`
        self.is_innermost = False  # whether it contains neither lists nor strings so far

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        for part, value in self.parser.parse(line) if not self.is_too_deep else ():
            if part == ELEMENTS:
                self._append_cells(value)
            elif part == OPEN and len(self.starts_of_lists) == MAX_DEPTH:
                self.is_too_deep = True
                break
            elif part == OPEN:
                self._check_mixed()
                self.starts_of_lists.append(self.line)
                self.is_innermost = True
            elif part == CLOSE:
                self._close()
                self.is_innermost = False
            elif part == STRING and len(value) <= 2:
                self._append_cells([value.strip()])
            elif part == STRING:
                self._read_string(value)
                self.is_innermost = False
            elif part == ERROR:
                self._fail(value)
            else:
                self.add_bad(self.line, value)
        self.state[LINE] += 1

    def end(self) -> None:
        """Add bad records for lists that are not closed, and for rows that are not a board."""
        if self.starts_of_lists:
            reason = "nested too deeply" if self.is_too_deep else "not closed"
            self.rows = [(self.starts_of_lists[0], f"the list is {reason}")]
        self.end_drawing()

    def _append_cells(self, cells: list[bytes]) -> None:
        values = bytes([self.value_of.get(cell, INVALID) for cell in cells])
        if INVALID in values:
            cell = cells[values.index(INVALID)].decode("utf-8", "replace")
            self._fail(f"{cell!r} is not a number from 1 to {self.alphabet.n}")
        self.values += values

    def _fail(self, reason: str) -> None:
        """Note an error in the innermost list."""
        self.error = self.error or (self.line, reason)

    def _check_mixed(self) -> None:
        """Add an error to the rows if the same list contains cells."""
        if self.values:
            self._fail("the list contains both rows and numbers")
        if self.error is not None:
            self._add_row(*self.error)
        self.values.clear()
        self.error = None

    def _close(self) -> None:
        """Add the innermost list as a row or as a board."""
        start = self.starts_of_lists[-1]
        if self.is_innermost and (self.values or self.error or len(self.starts_of_lists) > 1):
            self.starts_of_lists.pop()
            self._add_vector(start)
        else:
            self._check_mixed()
            self.starts_of_lists.pop()
            if self.rows and isinstance(self.rows[0][1], bytes):
                self.rows[0] = start, self.rows[0][1]
            self.end_drawing()

    def _add_vector(self, start: int) -> None:
        """Add a list of cells as a board or as a row."""
        values, error = bytes(self.values), self.error
        self.values.clear()
        self.error = None
        n, size = self.alphabet.n, len(values)
        if size >= 2 * n:
            if error is None and size == self.cells:
                self.add_board(values, start)
            else:
                self.add_bad(*(error or (start, f"expected {self.cells} numbers, found {size}")))
        elif error is None and size != n:
            self._add_row(start, f"expected {n} numbers in the row, found {size}")
        else:
            self._add_row(*(error or (start, values)))

    def _read_string(self, text: bytes) -> None:
        """Add a row or a board."""
        if (found := self._read_cells(text, self.width)) is None:
            if reason := find_row_error(text, self.width, self.alphabet):
                self._add_row(self.line, reason)
            else:
                reason = find_board_error(text, self.alphabet)
                self.add_bad(self.line, reason or "the string is neither a row nor a board")
        elif len(found[0]) == self.cells:
            self.add_board(found[0], self.line)
        else:
            self._add_row(self.line, found[0])

    def _add_row(self, line: int, row: bytes | str) -> None:
        """Add a row. Rows in a list are a board when the list ends."""
        depth = len(self.starts_of_lists)
        if depth != self.depth_of_rows:
            self.end_drawing()
        self.depth_of_rows = depth
        if depth:
            self.rows.append((line, row))
        else:
            super()._add_row(line, row)
