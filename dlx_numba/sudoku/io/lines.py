"""The slow path of reading: a state machine for the lines that the kernel `scan` cannot read."""

import re
from collections.abc import Iterator

import numpy as np

from ...runtime.text import plural
from ..box import Box
from .cells import find_board_error, find_row_error, is_rule, plain_line, read_cells
from .qqwing import ROW_BREAK, Remark, read_remark
from .records import BadRecord, Records
from .scan import (
    CLOSED,
    COUNT,
    DELIMITER,
    LINE,
    OTHER,
    POSITION,
    SOLVED,
    scan,
    solves_last,
)
from .symbols import INVALID, Alphabet
from .table import (
    HAS_RULES,
    OBJECT_COLUMNS,
    Table,
    field_of,
    read_header,
    read_object,
    split_row,
)

MAX_LINE_BYTES = 1 << 18  # the numbers of a 64×64 board and of its solution need a tenth of this

_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\n|\r)")

_UNKNOWN_LINE = "neither a board nor a line that qqwing prints"
_COUNT = re.compile(r"[0-9]{1,18}")
_SECTION = re.compile(rb"\[(puzzle|state)\]", re.IGNORECASE)


class LineReader:
    """A reader of boards on lines, drawn boards and tables, line by line.

    The records of a chunk are collected in arrays, by the kernel `scan` and by `read` in turn. The
    arrays have one row more than a chunk, as `scan` requires. `state`, `boards`, `solutions`,
    `lines` and `starts` are described there.

    Parameters
    ----------
    alphabet
        The alphabet of the boards.
    chunk_boards
        The maximum number of boards in a chunk.
    box
        The box of the boards.
    width
        The number of cells on a line that contains neither a row nor a board: boards may be folded
        at any length. By default, there are no such lines.
    """

    uses_kernel = True  # where the kernel `scan` can read the text

    def __init__(
        self, alphabet: Alphabet, chunk_boards: int, box: Box, width: int | None = None
    ) -> None:
        self.alphabet, self.chunk_boards = alphabet, chunk_boards
        self.box, self.cells, self.width = box, box.cells, width or box.n
        self.state = np.array([0, 1, 0, 0, 0, 0, 0, -1], np.int64)
        self.solutions = np.zeros((chunk_boards + 1, self.cells), np.uint8)
        self.chunks: list[Records] = []  # those that are complete
        self.table: Table | None = None
        self.resumed_column: int | None = None  # where the rest of a broken table row starts
        # The rows so far of a drawn board: their lines, and their values or what is wrong
        self.rows: list[tuple[int, bytes | str]] = []
        self.band = 0  # the first row after a blank line inside the board, otherwise 0
        self.skips_next_board = False  # after [State]
        self._start_chunk()

    def _start_chunk(self) -> None:
        self.boards = np.empty((self.chunk_boards + 1, self.cells), np.uint8)
        if self.state[SOLVED]:
            self.solutions = np.zeros_like(self.boards)
        self.lines = np.empty(self.chunk_boards + 1, np.int64)
        self.starts = np.empty_like(self.lines)
        self.counts: dict[int, int] = {}
        self.difficulties: dict[int, str] = {}
        self.bad: list[BadRecord] = []
        self.state[[COUNT, CLOSED, SOLVED]] = 0

    @property
    def count(self) -> int:
        """The number of boards in the chunk."""
        return int(self.state[COUNT])

    @property
    def last(self) -> int | None:
        """The index of the last record if it is a board, otherwise None."""
        return self.count - 1 if self.count > self.state[CLOSED] else None

    @property
    def ends_with_bad(self) -> bool:
        """Whether the last record of the chunk is bad."""
        return bool(self.bad) and self.last is None

    def end_chunk(self) -> None:
        """End the chunk, unless it is empty, and start another one."""
        rows, counts, difficulties = range(self.count), self.counts, self.difficulties
        if self.count or self.bad:
            records = Records(
                "",
                self.box,
                self.alphabet,
                self.boards[: self.count],
                self.lines[: self.count],
                self.solutions[: self.count] if self.state[SOLVED] else None,
                np.array([counts.get(row, -1) for row in rows], np.int64) if counts else None,
                [difficulties.get(row, "") for row in rows] if difficulties else None,
                tuple(self.bad),
            )
            self.chunks.append(records)
            self._start_chunk()

    def take_chunks(self) -> Iterator[Records]:
        """Yield the complete chunks and remove them from this reader."""
        while self.chunks:
            yield self.chunks.pop(0)

    @property
    def height(self) -> int:
        """The number of rows of a board."""
        return -(-self.cells // self.width)

    def read_fast(self, text: memoryview) -> int:
        """Read the text as far as the kernel `scan` can read it. Return its status."""
        if not self.kernel_can_read(text[self.state[POSITION]]):
            return OTHER
        first = self.count
        data, symbols = np.frombuffer(text, np.uint8), self.alphabet
        chunk = self.boards, self.solutions, self.lines, self.starts
        status: int = scan(data, self.state, symbols.decode, symbols.n, *chunk)
        if self.table is not None and self.table.has_ratings:
            for index, start in enumerate(self.starts[first : self.count].tolist(), first):
                line = line_at(text, start)[1].decode("utf-8", "replace")
                self._read_ratings(split_row(line, self.table.delimiter), self.table, index)
        return status

    def kernel_can_read(self, first_byte: int) -> bool:
        """Return whether to call the kernel for the next line, which starts with `first_byte`.

        The kernel ignores the state of this reader, and a call that reads nothing is slow.
        """
        return (
            self.uses_kernel
            and self.width == self.box.n
            and not self.alphabet.has_numbers
            and (self.alphabet.decode_table[first_byte] != INVALID or first_byte in b" \t\r\n|+-=#")
            and not self.rows
            and not self.skips_next_board
            and (self.table is None or self.table.suits_kernel)
        )

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        self.line = int(self.state[LINE])
        text = plain_line(line, self.alphabet.blanks).strip()
        if not text:
            self._read_blank(line)
        elif text.startswith(b"#"):
            self.end_drawing()
        else:
            self.read_text(line)
        self.state[LINE] += 1

    def read_text(self, line: bytes) -> None:
        """Read a line of text, which starts on the line `self.line` of the source."""
        plain = plain_line(line, self.alphabet.blanks)
        string = line.decode("utf-8", "replace")
        if len(line) > MAX_LINE_BYTES:
            self.add_bad(self.line, f"the line is longer than {MAX_LINE_BYTES:,} bytes")
        elif self.table is not None and self.table.delimiter in string:
            self._read_table_row(string, self.table)
        elif (found := self._read_cells(plain, self.row_size)) is not None:
            values, rest = found
            if len(values) < self.cells:
                self._add_row(self.line, values)
            elif self.add_board(values, self.line) and 0 in values and self.table is None:
                solution = self._read_cells(rest.lstrip(b" \t,;"))  # it may be another text
                if solution is not None:
                    self.add_solution(solution[0])
        elif not is_rule(plain):
            self._read_other(plain, string)

    def _read_cells(self, text: bytes, *sizes: int) -> tuple[bytes, bytes] | None:
        """Return the values of a board, or of as many cells, and the text after a board."""
        return read_cells(text, self.alphabet, *sizes, self.cells, rest_after=self.cells)

    @property
    def row_size(self) -> int:
        """The number of cells of the next row, of which the last one of a board may be shorter."""
        return min(self.width, self.cells - self.width * len(self.rows))

    def end_drawing(self) -> None:
        """Add the rows so far as a board, or as a bad record if rows are missing or invalid."""
        rows, self.rows, self.band = self.rows, [], 0
        if not rows:
            return
        first_line, n = rows[0][0], self.height
        values = [row for _, row in rows if isinstance(row, bytes)]
        errors = [(line, row) for line, row in rows if isinstance(row, str)]
        if errors:
            self.add_bad(*errors[0])
        elif len(rows) != n:
            self.add_bad(first_line, f"expected {n} rows, found {len(rows)}")
        else:
            self.add_board(b"".join(values), first_line)

    def end(self) -> None:
        """End the text: add what may continue on the next line."""
        self.end_drawing()

    def _read_blank(self, line: bytes) -> None:
        if (self.rows or self.width != self.box.n) and len(line) == self.row_size:
            self._add_row(self.line, bytes(len(line)))  # a row of empty cells
        elif self._has_band() and all(isinstance(row, bytes) for _, row in self.rows):
            self.band = len(self.rows)
        else:
            self.end_drawing()

    def _read_other(self, line: bytes, string: str) -> None:
        if (remark := read_remark(string)) is not None:
            self.end_drawing()
            self._read_remark(remark)
        elif section := _SECTION.fullmatch(line.strip()):
            self.end_drawing()
            self.skips_next_board = section[1].lower() == b"state"
        elif (table := read_header(string)) is not None:
            self._start_table(table)
        elif (fields := read_object(string)) is not None:
            self._read_object(fields, self.line)
        elif (reason := find_row_error(line, self.row_size, self.alphabet)) is not None:
            self._add_row(self.line, reason)
        elif self.rows and self.width != self.box.n:  # in a folded board
            self._add_row(self.line, f"expected {plural(self.row_size, 'symbol')}")
        else:
            self.add_bad(self.line, find_board_error(line, self.alphabet) or _UNKNOWN_LINE)

    def _read_object(self, fields: list[str], line: int) -> None:
        """Read the fields of a JSON object on a line, in the order of `OBJECT_COLUMNS`."""
        board = self._read_cells(fields[0].encode())
        if fields[0] == HAS_RULES:
            self.add_bad(line, HAS_RULES)
        elif board is None:
            reason = find_board_error(fields[0].encode(), self.alphabet)
            self.add_bad(line, reason or "no board in the JSON object")
        elif self.add_board(board[0], line):
            self._read_other_columns(fields, OBJECT_COLUMNS)

    def _read_table_row(self, line: str, table: Table) -> None:
        self.end_drawing()
        fields = split_row(line, table.delimiter)
        resumed_column, self.resumed_column = self.resumed_column, None
        puzzle = field_of(fields, table.puzzle)
        board = self._read_cells(puzzle.encode())
        if board is not None:
            if self.add_board(board[0], self.line):
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
            self.add_bad(self.line, reason or f"no board in column {table.puzzle + 1} of the table")
        if fields[-1] == ROW_BREAK:
            self.resumed_column = len(fields)

    def _read_other_columns(self, fields: list[str], table: Table) -> None:
        """Read the solution and the ratings of the last puzzle."""
        last = self.last
        if last is None:
            return
        solution = field_of(fields, table.solution)
        if (found := self._read_cells(solution.encode())) is not None:
            self.add_solution(found[0])
        elif (remark := read_remark(solution)) is not None and remark.failure:
            self.counts[last] = 0
        self._read_ratings(fields, table, last)

    def _read_ratings(self, fields: list[str], table: Table, index: int) -> None:
        if _COUNT.fullmatch(count := field_of(fields, table.solution_count)):
            self.counts[index] = int(count)
        if difficulty := field_of(fields, table.difficulty):
            self.difficulties[index] = difficulty

    def _start_table(self, table: Table) -> None:
        self.end_drawing()
        self.table = table
        solution = -1 if table.solution is None else table.solution
        self.state[DELIMITER:] = ord(table.delimiter), table.puzzle, solution

    def _read_remark(self, remark: Remark) -> None:
        last = self.last
        if remark.failure:
            is_open = (  # a puzzle whose solution and count are unknown
                last is not None
                and last not in self.counts
                and not self.solutions[last, 0]
                and not self.boards[last].all()
            )
            if remark.solutions == 0 and last is not None and is_open:
                self.counts[last] = 0
            else:
                self.add_bad(self.line, f"qqwing printed {remark.failure!r} instead of a board")
        elif last is not None:
            if remark.solutions is not None:
                self.counts[last] = remark.solutions
            if remark.difficulty:
                self.difficulties[last] = remark.difficulty

    def _has_band(self) -> bool:
        """Return whether as many rows as a box has follow the last blank line."""
        return len(self.rows) - self.band == self.box.rows and self.width == self.box.n

    def _add_row(self, line: int, row: bytes | str) -> None:
        """Add the values of a row, or what is wrong with it."""
        if self.band and self._has_band():
            # Not a band: the blank line was the end of an incomplete board.
            rows = self.rows[self.band :]
            del self.rows[self.band :]
            self.end_drawing()
            self.rows = rows
        self.rows.append((line, row))
        if len(self.rows) == self.height:
            self.end_drawing()

    def add_board(self, values: bytes, line: int) -> bool:
        """Add a board as a puzzle, or as the solution of the last one; return True for a puzzle.

        The board after [State] is omitted.
        """
        self.end_drawing()
        board = np.frombuffer(values, np.uint8)
        if self.skips_next_board:
            self.skips_next_board = False
            return False
        if solves_last(board, self.boards, self.solutions, self.state):
            self.add_solution(values)
            return False
        if self.count == self.chunk_boards:
            self.end_chunk()
        self.boards[self.count] = board
        self.lines[self.count] = line
        self.state[COUNT] += 1
        return True

    def add_solution(self, values: bytes) -> None:
        """Store the stated solution of the last puzzle, correct or not, if it is complete."""
        if 0 not in values:
            self.solutions[self.count - 1] = np.frombuffer(values, np.uint8)
            self.state[SOLVED] += 1

    def add_bad(self, line: int, reason: str) -> None:
        """Add a bad record."""
        self.end_drawing()
        self.skips_next_board = False
        if len(self.bad) == self.chunk_boards:
            self.end_chunk()
        self.bad.append(BadRecord(self.count, line, reason))
        self.state[CLOSED] = self.count


def line_at(text: memoryview, start: int) -> re.Match[bytes]:
    """Match the line that starts at `start`; group 1 is the line without its line end."""
    line = _LINE.match(text, start)
    assert line is not None
    return line
