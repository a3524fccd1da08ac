"""The slow path of reading: lines, one by one, that the kernel does not know."""

import re

import numpy as np

from .chunk import Chunk
from .qqwing import BREAKS_ROW, Remark, read_remark
from .rows import board_fault, is_rule, read_board, read_row, row_fault
from .scan import DELIMITER, LINE
from .symbols import INVALID, Alphabet, Values
from .table import Table, read_header, split_row

_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\n|\r)")

_UNKNOWN = "neither a board nor a text that qqwing prints"
_COUNT = re.compile(r"[0-9]{1,18}")
_SECTION = re.compile(rb"\[(puzzle|state)\]", re.IGNORECASE)


class LineReader:
    """A state machine over lines. What it reads, it adds to `chunk`; full chunks it sets aside."""

    def __init__(self, alphabet: Alphabet, chunk_boards: int) -> None:
        self.alphabet = alphabet
        self.chunk_boards = chunk_boards
        self.cells = alphabet.n**2
        self.chunk = Chunk(chunk_boards, self.cells)
        self.full: list[Chunk] = []
        self.table: Table | None = None
        self.broken_at: int | None = None  # the column that the rest of a table's row starts at
        self.rows: list[bytes] = []  # of the board that is being read row by row
        self.rows_line = 0
        self.rows_fault: tuple[int, str] | None = None
        self.passes_over = False  # the next board is none of the puzzles

    def leaves_to_kernel(self, byte: int) -> bool:
        """Whether the kernel is to read the next line, which starts with `byte`.

        It knows nothing of what the lines before have begun; and a call in vain takes a while.
        """
        return (
            (self.alphabet.decode_table[byte] != INVALID or byte in b" \t\r\n|+-=#")
            and not self.rows
            and not self.passes_over
            and (self.table is None or self.table.suits_kernel)
        )

    def start_chunk(self) -> None:
        """Set the chunk aside, if it holds anything, and start another at the same place."""
        if self.chunk.count or self.chunk.bad:
            self.full.append(self.chunk)
            self.chunk = self.chunk.successor()

    def take_full(self) -> list[Chunk]:
        full, self.full = self.full, []
        return full

    def read(self, line: bytes) -> None:
        """Take one line, without its end."""
        text = line.strip()
        if not text:
            self._read_blank(line)
        elif text.startswith(b"#"):
            self.end_drawing()
        elif (row := read_row(line, self.alphabet)) is not None:
            self._add_row(row)
        elif not is_rule(text):
            self._read_other(line, text)
        self.chunk.state[LINE] += 1

    def rate(self, text: bytes, first: int) -> None:
        """Take what a table tells of the boards from `first` on, which the kernel has read."""
        if self.table is not None and self.table.rates:
            starts = self.chunk.starts[first : self.chunk.count].tolist()
            for index, start in enumerate(starts, first):
                line = line_at(text, start)[1].decode("utf-8", "replace")
                self._read_ratings(split_row(line, self.table.delimiter), self.table, index)

    def end_drawing(self) -> None:
        """Take the rows so far for all of their board."""
        rows, self.rows = self.rows, []
        fault, self.rows_fault = self.rows_fault, None
        if not rows:
            return
        if fault is None and len(rows) < self.alphabet.n:
            fault = self.rows_line, f"board of {len(rows)} rows, {self.alphabet.n} were expected"
        if fault is None:
            self._add_board(b"".join(rows), self.rows_line)
        else:
            self._add_bad(*fault)

    def _read_blank(self, line: bytes) -> None:
        if self.rows and len(line) == self.alphabet.n:
            self._add_row(bytes(self.alphabet.n))  # all spaces: no cell of the row is given
        else:
            self.end_drawing()

    def _read_other(self, line: bytes, text: bytes) -> None:
        string = line.decode("utf-8", "replace")
        if self.table is not None and self.table.delimiter in string:
            self.end_drawing()
            self._read_table_row(string, self.table)
        elif (remark := read_remark(string)) is not None:
            self.end_drawing()
            self._read_remark(remark)
        elif (found := read_board(line, self.alphabet)) is not None:
            self.end_drawing()
            self._read_pair(*found)
        elif section := _SECTION.fullmatch(text):
            self.end_drawing()
            self.passes_over = section[1].lower() == b"state"
        elif (table := read_header(string)) is not None:
            self.end_drawing()
            self._start_table(table)
        else:
            self._read_fault(line)

    def _read_pair(self, values: bytes, rest: bytes) -> None:
        """Take a board on one line and, from the text after it, its solution."""
        if self._add_board(values, self.chunk.line) and 0 in values and self.table is None:
            solution = read_board(rest.lstrip(b" \t,;"), self.alphabet)
            if solution is not None:
                self._add_solution(solution[0])

    def _read_table_row(self, line: str, table: Table) -> None:
        fields = split_row(line, table.delimiter)
        resumed, self.broken_at = self.broken_at, None
        puzzle = _field(fields, table.puzzle)
        board = read_board(puzzle.encode(), self.alphabet)
        if board is not None:
            if self._add_board(board[0], self.chunk.line):
                self._read_facts(fields, table)
        elif resumed is not None:
            self._read_facts([""] * resumed + fields, table)
        elif (header := read_header(line)) is not None:
            self._start_table(header)
        elif (remark := read_remark(puzzle)) is not None and remark.failure:
            self._read_remark(remark)
        else:
            indent = b" " * line.find(puzzle)
            reason = board_fault(indent + puzzle.encode(), self.alphabet)
            self._add_bad(
                self.chunk.line, reason or f"no board in column {table.puzzle + 1} of the table"
            )
        if fields[-1] == BREAKS_ROW:
            self.broken_at = len(fields)

    def _read_facts(self, fields: list[str], table: Table) -> None:
        """Take what a row of a table tells of the last puzzle."""
        last = self.chunk.last
        if last is None:
            return
        solution = _field(fields, table.solution)
        if (found := read_board(solution.encode(), self.alphabet)) is not None:
            self._add_solution(found[0])
        elif (remark := read_remark(solution)) is not None and remark.failure:
            self.chunk.counts[last] = 0
        self._read_ratings(fields, table, last)

    def _read_ratings(self, fields: list[str], table: Table, index: int) -> None:
        if _COUNT.fullmatch(count := _field(fields, table.solutions)):
            self.chunk.counts[index] = int(count)
        if difficulty := _field(fields, table.difficulty):
            self.chunk.difficulties[index] = difficulty

    def _start_table(self, table: Table) -> None:
        self.table = table
        solution = -1 if table.solution is None else table.solution
        self.chunk.state[DELIMITER:] = ord(table.delimiter), table.puzzle, solution

    def _read_remark(self, remark: Remark) -> None:
        chunk = self.chunk
        if remark.failure:
            if remark.solutions == 0 and chunk.last_is_open:
                chunk.counts[chunk.count - 1] = 0
            else:
                reason = f"qqwing's text {remark.failure!r} stands in place of a board"
                self._add_bad(chunk.line, reason)
        elif chunk.last is not None:
            if remark.solutions is not None:
                chunk.counts[chunk.last] = remark.solutions
            if remark.difficulty:
                chunk.difficulties[chunk.last] = remark.difficulty

    def _read_fault(self, line: bytes) -> None:
        if (reason := row_fault(line, self.alphabet)) is not None:
            self.rows_fault = self.rows_fault or (self.chunk.line, reason)
            self._add_row(b"")
        else:
            self.end_drawing()
            reason = board_fault(line, self.alphabet)
            self._add_bad(
                self.chunk.line, reason or "neither a board nor a text that qqwing prints"
            )

    def _add_row(self, values: bytes) -> None:
        if not self.rows:
            self.rows_line = self.chunk.line
        self.rows.append(values)
        if len(self.rows) == self.alphabet.n:
            self.end_drawing()

    def _add_board(self, values: bytes, line: int) -> bool:
        """Add a puzzle and return True, or take the solution of the last one."""
        board = _array(values)
        if self.passes_over:
            self.passes_over = False
            return False
        if self.chunk.take_solution(board):
            return False
        if self.chunk.count == self.chunk_boards:
            self.start_chunk()
        self.chunk.add(board, line)
        return True

    def _add_solution(self, values: bytes) -> None:
        """Keep what a line tells to be the solution of the puzzle on it, right or wrong."""
        if 0 not in values:
            self.chunk.solutions[self.chunk.count - 1] = _array(values)

    def _add_bad(self, line: int, reason: str) -> None:
        self.passes_over = False
        if len(self.chunk.bad) == self.chunk_boards:
            self.start_chunk()
        self.chunk.add_bad(line, reason)


def line_at(text: bytes, start: int) -> re.Match[bytes]:
    """The line that starts there in a text of whole lines; group 1 is it without its end."""
    line = _LINE.match(text, start)
    assert line is not None
    return line


def _array(values: bytes) -> Values:
    return np.frombuffer(values, np.uint8)


def _field(fields: list[str], column: int | None) -> str:
    return fields[column].strip() if column is not None and column < len(fields) else ""
