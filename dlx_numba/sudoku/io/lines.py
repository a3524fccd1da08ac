"""The slow path of reading: a state machine for the lines that the kernel `scan` cannot read."""

import re

from ..box import Box
from .qqwing import ROW_BREAK, Remark, read_remark
from .record_buffer import RecordCollector
from .rows import (
    find_board_error,
    find_row_error,
    is_rule,
    read_board,
    read_comma_row,
    read_row,
)
from .scan import DELIMITER, LINE
from .symbols import INVALID, Alphabet
from .table import OBJECT_COLUMNS, Table, read_header, read_object, split_row

_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\n|\r)")

_UNKNOWN_LINE = "neither a board nor a line that qqwing prints"
_COUNT = re.compile(r"[0-9]{1,18}")
_SECTION = re.compile(rb"\[(puzzle|state)\]", re.IGNORECASE)


class LineReader(RecordCollector):
    """A reader of boards on lines, drawn boards and tables, line by line.

    Parameters
    ----------
    alphabet, chunk_boards, box
        The parameters of `RecordCollector`.
    """

    def __init__(self, alphabet: Alphabet, chunk_boards: int, box: Box) -> None:
        super().__init__(alphabet, chunk_boards, box)
        self.table: Table | None = None
        self.resumed_column: int | None = None  # where the rest of a broken table row starts
        self.rows: list[bytes] = []  # the rows so far of a drawn board
        self.rows_line = 0
        self.band = 0  # the first row after a blank line inside the board, otherwise 0
        self.band_line = 0
        self.rows_error: tuple[int, str] | None = None
        self.skips_next_board = False  # after [State]

    def kernel_can_read(self, first_byte: int) -> bool:
        """Return whether to call the kernel for the next line, which starts with `first_byte`.

        The kernel ignores the state of this reader, and a call that reads nothing is slow.
        """
        return (
            not self.alphabet.has_numbers
            and (self.alphabet.decode_table[first_byte] != INVALID or first_byte in b" \t\r\n|+-=#")
            and not self.rows
            and not self.skips_next_board
            and (self.table is None or self.table.suits_kernel)
        )

    @property
    def expects_plain_lines(self) -> bool:
        """Whether `scan_plain` reads boards with this alphabet, and no table is being read."""
        alphabet = self.alphabet
        has_digits = alphabet.symbols == b"123456789"[: alphabet.n]
        return has_digits and alphabet.decode_table[ord(".")] == 0 and self.table is None

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        text = line.strip()
        if not text:
            self._read_blank(line)
        elif text.startswith(b"#"):
            self.end_drawing()
        elif (row := read_row(line, self.alphabet)) is not None:
            self._add_row(row)
        elif not is_rule(text) or len(text) == self.cells:
            self._read_other(line, text)
        self.buffer.state[LINE] += 1

    def read_ratings(self, text: bytes | memoryview, first: int) -> None:
        """Read the ratings in a table for the boards from `first` on, which the kernel has read."""
        if self.table is not None and self.table.has_ratings:
            starts = self.buffer.starts[first : self.buffer.count].tolist()
            for index, start in enumerate(starts, first):
                line = line_at(text, start)[1].decode("utf-8", "replace")
                self._read_ratings(split_row(line, self.table.delimiter), self.table, index)

    def end_drawing(self) -> None:
        """Add the rows so far as a board, or as a bad record if rows are missing or invalid."""
        rows, self.rows, self.band = self.rows, [], 0
        error, self.rows_error = self.rows_error, None
        if not rows:
            return
        if error is None and len(rows) < self.alphabet.n:
            error = self.rows_line, f"expected {self.alphabet.n} rows, found {len(rows)}"
        if error is None:
            self.add_board(b"".join(rows), self.rows_line)
        else:
            self.add_bad(*error)

    def _read_blank(self, line: bytes) -> None:
        if self.rows and len(line) == self.alphabet.n:
            self._add_row(bytes(self.alphabet.n))  # n spaces: a row of empty cells
        elif self.rows and self.rows_error is None and len(self.rows) - self.band == self.box.rows:
            self.band = len(self.rows)
        else:
            self.end_drawing()

    def _read_other(self, line: bytes, text: bytes) -> None:
        string = line.decode("utf-8", "replace")
        if self.table is not None and self.table.delimiter in string:
            self.end_drawing()
            self._read_table_row(string, self.table)
        elif (row := read_comma_row(line, self.alphabet)) is not None:
            self._add_row(row)
        elif (remark := read_remark(string)) is not None:
            self.end_drawing()
            self._read_remark(remark)
        elif (found := read_board(line, self.alphabet)) is not None:
            self.end_drawing()
            self._read_pair(*found)
        elif section := _SECTION.fullmatch(text):
            self.end_drawing()
            self.skips_next_board = section[1].lower() == b"state"
        elif (table := read_header(string)) is not None:
            self.end_drawing()
            self._start_table(table)
        elif (fields := read_object(string)) is not None:
            self.end_drawing()
            self._read_object(fields)
        else:
            self._read_invalid(line)

    def _read_object(self, fields: list[str]) -> None:
        """Read the fields of a JSON object, in the order of `OBJECT_COLUMNS`."""
        board = read_board(fields[0].encode(), self.alphabet)
        if board is None:
            reason = find_board_error(fields[0].encode(), self.alphabet)
            self.add_bad(self.buffer.line, reason or "no board in the JSON object")
        elif self.add_board(board[0], self.buffer.line):
            self._read_other_columns(fields, OBJECT_COLUMNS)

    def _read_pair(self, values: bytes, rest: bytes) -> None:
        """Add a board on one line and its solution, if that is in the rest of the line."""
        if self.add_board(values, self.buffer.line) and 0 in values and self.table is None:
            solution = read_board(rest.lstrip(b" \t,;"), self.alphabet)
            if solution is not None:
                self.add_solution(solution[0])

    def _read_table_row(self, line: str, table: Table) -> None:
        fields = split_row(line, table.delimiter)
        resumed_column, self.resumed_column = self.resumed_column, None
        puzzle = _field(fields, table.puzzle)
        board = read_board(puzzle.encode(), self.alphabet)
        if board is not None:
            if self.add_board(board[0], self.buffer.line):
                self._read_other_columns(fields, table)
        elif resumed_column is not None:
            self._read_other_columns([""] * resumed_column + fields, table)
        elif (header := read_header(line)) is not None:
            self._start_table(header)
        elif (remark := read_remark(puzzle)) is not None and remark.failure:
            self._read_remark(remark)
        else:
            indent = b" " * line.find(puzzle)
            reason = find_board_error(indent + puzzle.encode(), self.alphabet)
            self.add_bad(
                self.buffer.line, reason or f"no board in column {table.puzzle + 1} of the table"
            )
        if fields[-1] == ROW_BREAK:
            self.resumed_column = len(fields)

    def _read_other_columns(self, fields: list[str], table: Table) -> None:
        """Read the solution and the ratings of the last puzzle."""
        last = self.buffer.last
        if last is None:
            return
        solution = _field(fields, table.solution)
        if (found := read_board(solution.encode(), self.alphabet)) is not None:
            self.add_solution(found[0])
        elif (remark := read_remark(solution)) is not None and remark.failure:
            self.buffer.counts[last] = 0
        self._read_ratings(fields, table, last)

    def _read_ratings(self, fields: list[str], table: Table, index: int) -> None:
        if _COUNT.fullmatch(count := _field(fields, table.solution_count)):
            self.buffer.counts[index] = int(count)
        if difficulty := _field(fields, table.difficulty):
            self.buffer.difficulties[index] = difficulty

    def _start_table(self, table: Table) -> None:
        self.table = table
        solution = -1 if table.solution is None else table.solution
        self.buffer.state[DELIMITER:] = ord(table.delimiter), table.puzzle, solution

    def _read_remark(self, remark: Remark) -> None:
        buffer = self.buffer
        if remark.failure:
            if remark.solutions == 0 and buffer.last_is_open:
                buffer.counts[buffer.count - 1] = 0
            else:
                self.add_bad(buffer.line, f"qqwing printed {remark.failure!r} instead of a board")
        elif buffer.last is not None:
            if remark.solutions is not None:
                buffer.counts[buffer.last] = remark.solutions
            if remark.difficulty:
                buffer.difficulties[buffer.last] = remark.difficulty

    def _read_invalid(self, line: bytes) -> None:
        if (reason := find_row_error(line, self.alphabet)) is not None:
            self.rows_error = self.rows_error or (self.buffer.line, reason)
            self._add_row(b"")
        else:
            self.end_drawing()
            reason = find_board_error(line, self.alphabet)
            self.add_bad(self.buffer.line, reason or _UNKNOWN_LINE)

    def _add_row(self, values: bytes) -> None:
        if self.band and len(self.rows) - self.band == self.box.rows:
            # Not a band: the blank line was the end of an incomplete board.
            rows, line, error = self.rows[self.band :], self.band_line, self.rows_error
            del self.rows[self.band :]
            self.rows_error = None
            self.end_drawing()
            self.rows, self.rows_line, self.rows_error = rows, line, error
        if not self.rows:
            self.rows_line = self.buffer.line
        if len(self.rows) == self.band:
            self.band_line = self.buffer.line
        self.rows.append(values)
        if len(self.rows) == self.alphabet.n:
            self.end_drawing()

    def add_board(self, values: bytes, line: int) -> bool:
        """Add a board as `RecordCollector` does, unless it follows [State]."""
        if self.skips_next_board:
            self.skips_next_board = False
            return False
        return super().add_board(values, line)

    def add_bad(self, line: int, reason: str) -> None:
        """Add a bad record."""
        self.skips_next_board = False
        super().add_bad(line, reason)


def line_at(text: bytes | memoryview, start: int) -> re.Match[bytes]:
    """Match the line that starts at `start`; group 1 is the line without its line end."""
    line = _LINE.match(text, start)
    assert line is not None
    return line


def _field(fields: list[str], column: int | None) -> str:
    return fields[column].strip() if column is not None and column < len(fields) else ""
