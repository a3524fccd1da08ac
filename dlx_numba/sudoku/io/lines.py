"""The slow path of reading: a state machine for the pieces that the kernel `scan` cannot read."""

import re
from collections.abc import Iterator

import numpy as np

from ...runtime.text import plural
from ..box import Box
from .cells import find_error, is_rule, plain_line, read_cells
from .qqwing import Remark, read_remark
from .records import BadRecord, Records
from .scan import CLOSED, COUNT, DELIMITER, LINE, OTHER, POSITION, SOLVED, scan, solves_last
from .symbols import INVALID, Alphabet
from .table import LineSplitter, Piece, split_row

MAX_LINE_BYTES = 1 << 18  # the numbers of a 64×64 board and of its solution need a tenth of this

_LINE = re.compile(rb"([^\r\n]*)(?:\r\n|\n|\r)")

_UNKNOWN_LINE = "neither a board nor a line that qqwing prints"
_COUNT = re.compile(r"[0-9]{1,18}")
_SECTION = re.compile(rb"\[(puzzle|state)\]", re.IGNORECASE)


class LineReader:
    """A reader of boards on lines, drawn boards, tables and lists, line by line.

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
    splitter
        Divides the lines into pieces.
    """

    def __init__(
        self,
        alphabet: Alphabet,
        chunk_boards: int,
        box: Box,
        width: int | None = None,
        splitter: LineSplitter | None = None,
    ) -> None:
        self.alphabet, self.chunk_boards = alphabet, chunk_boards
        self.box, self.cells, self.width = box, box.cells, width or box.n
        self.height = -(-self.cells // self.width)  # the number of rows of a board
        self.splitter = splitter or LineSplitter()
        # Whether the kernel `scan` can read the text
        self.uses_kernel = (
            type(self.splitter) is LineSplitter and self.width == box.n and not alphabet.has_numbers
        )
        self.state = np.array([0, 1, 0, 0, 0, 0, 0, -1], np.int64)
        self.solutions = np.zeros((chunk_boards + 1, self.cells), np.uint8)
        self.chunks: list[Records] = []  # those that are complete
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
        self.ids: dict[int, str] = {}
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
                ids=[self.ids.get(row, "") for row in rows] if self.ids else None,
            )
            self.chunks.append(records)
            self._start_chunk()

    def take_chunks(self) -> Iterator[Records]:
        """Yield the complete chunks and remove them from this reader."""
        while self.chunks:
            yield self.chunks.pop(0)

    def read_fast(self, text: memoryview) -> int:
        """Read the text as far as the kernel `scan` can read it. Return its status."""
        if not self.kernel_can_read(text[self.state[POSITION]]):
            return OTHER
        first, table = self.count, self.splitter.table
        data, symbols = np.frombuffer(text, np.uint8), self.alphabet
        chunk = self.boards, self.solutions, self.lines, self.starts
        status: int = scan(data, self.state, symbols.decode, symbols.n, *chunk)
        if table is not None and max(table.columns[2:]) >= 0:
            for index, start in enumerate(self.starts[first : self.count].tolist(), first):
                line = line_at(text, start)[1].decode("utf-8", "replace")
                self._read_ratings(table.piece(split_row(line, table.delimiter), 0), index)
        return status

    def kernel_can_read(self, first_byte: int) -> bool:
        """Return whether to call the kernel for the next line, which starts with `first_byte`.

        The kernel ignores the state of this reader, and a call that reads nothing is slow.
        """
        table = self.splitter.table
        return (
            self.uses_kernel
            and (self.alphabet.decode_table[first_byte] != INVALID or first_byte in b" \t\r\n|+-=#")
            and not self.rows
            and not self.skips_next_board
            and (table is None or table.suits_kernel)
        )

    def read(self, line: bytes) -> None:
        """Read one line, given without its line end."""
        for piece in self.splitter.split(line, int(self.state[LINE])):
            self._read_piece(piece)
        if (table := self.splitter.table) is not None:
            self.state[DELIMITER:] = ord(table.delimiter), *table.columns[:2]
        self.state[LINE] += 1

    def end(self) -> None:
        """End the text: add what may continue on the next line."""
        for piece in self.splitter.end():
            self._read_piece(piece)
        self.end_drawing()

    def _read_piece(self, piece: Piece) -> None:
        line, text = piece.line, plain_line(piece.text or b"", self.alphabet.blanks)
        string = text.decode("utf-8", "replace")
        if len(text) > MAX_LINE_BYTES:
            self.add_bad(line, f"the line is longer than {MAX_LINE_BYTES:,} bytes")
        elif piece.fields is not None:
            self._read_record(piece, text)
        elif piece.error:
            self._add_row(line, piece.error)
        elif piece.text is None or text.lstrip().startswith(b"#"):
            self.end_drawing()
        elif not text.strip():
            self._read_blank(line, text)
        elif (found := self._read_cells(text, self.row_size)) is not None:
            values, rest = found
            if len(values) < self.cells:
                self._add_row(line, values)
            elif self.add_board(values, line) and 0 in values and self.splitter.table is None:
                self._read_solution(rest.lstrip(b" \t,;"))  # it may be another text
        elif not is_rule(text):
            self._read_other(line, text, string)

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
        values = [row for _, row in rows if isinstance(row, bytes)]
        errors = [(line, row) for line, row in rows if isinstance(row, str)]
        if errors:
            self.add_bad(*errors[0])
        elif len(rows) != self.height:
            self.add_bad(rows[0][0], f"expected {self.height} rows, found {len(rows)}")
        else:
            self.add_board(b"".join(values), rows[0][0])

    def _read_blank(self, line: int, text: bytes) -> None:
        if (self.rows or self.width != self.box.n) and len(text) == self.row_size:
            self._add_row(line, bytes(len(text)))  # a row of empty cells
        elif self._has_band() and all(isinstance(row, bytes) for _, row in self.rows):
            self.band = len(self.rows)
        else:
            self.end_drawing()

    def _read_other(self, line: int, text: bytes, string: str) -> None:
        if (remark := read_remark(string)) is not None:
            self.end_drawing()
            self._read_remark(remark, line)
        elif section := _SECTION.fullmatch(text.strip()):
            self.end_drawing()
            self.skips_next_board = section[1].lower() == b"state"
        elif reason := find_error(text, self.row_size, self.alphabet, is_row=True):
            self._add_row(line, reason)
        elif self.rows and self.width != self.box.n:  # in a folded board
            self._add_row(line, f"expected {plural(self.row_size, 'symbol')}")
        else:
            reason = find_error(text, self.cells, self.alphabet)
            self.add_bad(line, reason or _UNKNOWN_LINE)

    def _read_record(self, piece: Piece, text: bytes) -> None:
        """Read the row of a table or a JSON object."""
        self.end_drawing()
        if (board := self._read_cells(text)) is not None:
            if self.add_board(board[0], piece.line):
                solution = (piece.fields or ("",))[0]
                self._read_solution(solution.encode("utf-8", "replace"))
                if (remark := read_remark(solution)) is not None and remark.failure:
                    self.counts[self.count - 1] = 0
                self._read_ratings(piece, self.count - 1)
                if piece.id:
                    self.ids[self.count - 1] = piece.id
        elif (remark := read_remark(text.decode("utf-8", "replace"))) and remark.failure:
            self._read_remark(remark, piece.line)
        else:
            reason = find_error(text, self.cells, self.alphabet)
            self.add_bad(piece.line, reason or piece.error, piece.id)

    def _read_ratings(self, piece: Piece, index: int) -> None:
        _, count, difficulty = piece.fields or ("", "", "")
        if _COUNT.fullmatch(count):
            self.counts[index] = int(count)
        if difficulty:
            self.difficulties[index] = difficulty

    def _read_remark(self, remark: Remark, line: int) -> None:
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
                self.add_bad(line, f"qqwing printed {remark.failure!r} instead of a board")
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
            self._add_solution(values)
            return False
        if self.count == self.chunk_boards:
            self.end_chunk()
        self.boards[self.count] = board
        self.lines[self.count] = line
        self.state[COUNT] += 1
        return True

    def _read_solution(self, text: bytes) -> None:
        if (found := self._read_cells(text)) is not None:
            self._add_solution(found[0])

    def _add_solution(self, values: bytes) -> None:
        """Store the stated solution of the last puzzle, correct or not, if it is complete."""
        if 0 not in values:
            self.solutions[self.count - 1] = np.frombuffer(values, np.uint8)
            self.state[SOLVED] += 1

    def add_bad(self, line: int, reason: str, record_id: str = "") -> None:
        """Add a bad record."""
        self.end_drawing()
        self.skips_next_board = False
        if len(self.bad) == self.chunk_boards:
            self.end_chunk()
        self.bad.append(BadRecord(self.count, line, reason, record_id))
        self.state[CLOSED] = self.count


def line_at(text: memoryview, start: int) -> re.Match[bytes]:
    """Match the line that starts at `start`; group 1 is the line without its line end."""
    line = _LINE.match(text, start)
    assert line is not None
    return line
