"""The reader of boards: the kernel `scan` where it can read the lines, otherwise piece by piece."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..box import Box
from . import scan
from .board import format_board
from .cells import count_groups, find_box_error, find_error, is_rule, plain_line, read_cells
from .puzzlink import find_link_error
from .qqwing import Remark, read_remark
from .records import BadRecord, Records
from .symbols import BLANKS, INVALID, Alphabet, Values
from .table import A_LINE, SOLUTION_NAME, LineSplitter, TextPiece, split_row

MAX_LINE_BYTES = 1 << 18  # the numbers of a 64×64 board and of its solution need a tenth of this
MAX_BAD = 1 << 11  # bad records in a chunk, each of which may take 50 µs to examine

_COUNT = re.compile(r"[0-9]{1,18}")
_SECTION = re.compile(rb"\s*\[(puzzle|state|solution)\]\s*", re.IGNORECASE)

_BANNER = re.compile(rb"\s*[-=*#~+_]{3,}\s*[A-Za-z][^|]*")  # of a program above its board
_WORD = re.compile(rb"[A-Za-z]{3}")  # of a title
SIZE = re.compile(
    rb"\s*(?:n\s*[=:]\s*)?([0-9]{1,2})(?:(?:\s*[xX,]\s*|[^\S ]* \s*)([0-9]{1,2}))?\s*"
)
UNKNOWN_LINE = "not a board"


class LineReader:
    """A reader of boards on lines, drawn boards, tables and lists.

    The records of a chunk are collected in arrays, by the kernel `scan` and by `read_piece` in
    turn. `register`, `boards`, `solutions` and `lines` are described there. The arrays have a row
    more than a chunk has boards: for a board that may be the solution of the last puzzle.

    Parameters
    ----------
    alphabet
        The alphabet of the boards.
    chunk_boards
        The maximum number of boards in a chunk.
    box
        The box of the boards.
    splitter
        Divides the lines into pieces.
    """

    def __init__(
        self, alphabet: Alphabet, chunk_boards: int, box: Box, splitter: LineSplitter | None = None
    ) -> None:
        self.alphabet = alphabet
        self.chunk_boards = chunk_boards
        self.box = box
        self.cells = box.cells
        self.splitter = splitter or LineSplitter()
        self.register = np.zeros(scan.N_FIELDS, np.int64)
        self.register[scan.LINE] = 1
        self.register[scan.GROUPS] = box.rows  # as many boxes are side by side
        self.solutions = np.zeros((chunk_boards + 1, self.cells), np.uint8)
        self.chunks: list[Records] = []  # those that are complete
        # The rows so far of a drawn board: their lines, and their values or what is wrong
        self.rows: list[tuple[int, bytes | str]] = []
        self.groups: list[int] = []  # of cells, in each of these rows
        self.band = 0  # the first row after a blank line inside the board, otherwise 0
        self.section = b""  # which starts before the next board
        # The lines of text that may be titles of the next drawing; a banner is one of any board
        self.titles: dict[int, bool] = {}  # whether each is a banner
        self.answered: Values | None = None  # a puzzle without solution at the end of a chunk
        self.open_row = b""  # which may continue in the next text
        self.has_records = False  # in earlier chunks
        self._start_chunk()

    def _start_chunk(self) -> None:
        """Allocate the arrays of a chunk, and clear what was found in the last one.

        The array of solutions is used again if none was found: it is all zeros.
        """
        self.boards = np.empty((self.chunk_boards + 1, self.cells), np.uint8)
        if self.register[scan.SOLVED]:
            self.solutions = np.zeros_like(self.boards)
        self.lines = np.empty(self.chunk_boards + 1, np.int64)
        self.counts: dict[int, int] = {}
        self.others: dict[int, dict[str, Any]] = {}
        self.bad: list[BadRecord] = []
        self.register[[scan.COUNT, scan.SOLVED, scan.FULL]] = 0

    @property
    def count(self) -> int:
        """The number of boards in the chunk."""
        return int(self.register[scan.COUNT])

    @property
    def is_empty_table(self) -> bool:
        """Whether the text has a header only."""
        return self.splitter.table is not None and not self.has_records

    @property
    def next_line(self) -> int:
        """The number of the first line of the next text."""
        return int(self.register[scan.LINE]) + len(self.open_row.splitlines())

    @property
    def ends_with_bad(self) -> bool:
        """Whether the last record of the chunk is bad."""
        return bool(self.bad) and self.bad[-1].index == self.count

    @property
    def _awaits_solution(self) -> bool:
        """Whether the last record is a puzzle whose solution is unknown.

        Only complete solutions are stored: if one cell of it is 0, there is none.
        """
        last = self.count - 1
        is_board = last >= 0 and not self.ends_with_bad
        return is_board and not self.solutions[last, 0] and not self.boards[last].all()

    def end_board(self) -> None:
        """End a drawn board that has all of its rows, and text that no rows follow yet."""
        if len(self.rows) == self.box.n:
            self._end_drawing()
        self._reject_titles()

    def end_chunk(self, *, is_answered: bool = False) -> None:
        """End the chunk, unless it is empty, and start another one.

        If it is answered before the next text arrives, this may be the solution of its last puzzle.
        """
        if self.count or self.bad:
            awaits_solution = is_answered and self._awaits_solution
            self.answered = self.boards[self.count - 1] if awaits_solution else None
            self.chunks.append(self.records)
            self.has_records = True
            self._start_chunk()

    @property
    def records(self) -> Records:
        """The records of the chunk so far."""
        rows = range(self.count)
        table = self.splitter.first_table
        return Records(
            "",
            self.box,
            self.alphabet,
            self.boards[: self.count],
            self.lines[: self.count],
            self.solutions[: self.count] if self.register[scan.SOLVED] else None,
            np.array([self.counts.get(row, -1) for row in rows], np.int64) if self.counts else None,
            [self.others.get(row, {}) for row in rows] if self.others else None,
            None if table is None else table.names,
            tuple(self.bad),
        )

    def take_chunks(self) -> Iterator[Records]:
        """Yield the complete chunks and remove them from this reader."""
        while self.chunks:
            yield self.chunks.pop(0)

    def read(self, text: memoryview, *, is_last: bool = False) -> Iterator[Records]:
        """Read whole lines, and yield the complete chunks.

        The kernel `scan` reads as many lines as it can. The one at which it stops, or each one if
        it does not suit the text, is divided into pieces, which `read_piece` reads.
        A row of a table may continue in the next text, unless this is the last one.
        """
        if self.open_row:
            text = memoryview(bytearray(self.open_row + text))
            self.open_row = b""
        self.register[scan.POSITION] = 0
        while self.register[scan.POSITION] < len(text):
            if self.suits_kernel:
                self._scan(text)
            if self.register[scan.FULL]:
                self.end_chunk()
            elif (start := int(self.register[scan.POSITION])) < len(text):
                line: Any = self.splitter.match(text, start)  # its "end" is None in open quotes
                if line["end"] is None and not is_last and len(text) - start <= MAX_LINE_BYTES:
                    self.open_row = bytes(text[start:])
                    return
                if line["end"] is None:  # the quotes are not closed
                    line = A_LINE.match(text, start)
                for piece in self.splitter.split(line[1], int(self.register[scan.LINE])):
                    self.read_piece(piece)
                self.register[scan.POSITION] = line.end()
                self.register[scan.LINE] += len(line[0].splitlines())
            yield from self.take_chunks()

    def _scan(self, text: memoryview) -> None:
        """Read lines with the kernel `scan`, as far as it can read them.

        It reads only the boards of a table: the other fields of these rows are added afterward, of
        the boards from `count` on, whose rows begin at the byte `start`, on the line `line`.
        """
        table = self.splitter.table
        symbols = self.alphabet
        register = self.register
        register[scan.AWAITS_SOLUTION] = self._awaits_solution
        if table:
            register[scan.DELIMITER] = ord(table.delimiter)
            register[scan.PUZZLE] = table.puzzle
            # Relative to the puzzle, which is first: see `LineSplitter.suits_kernel`
            register[scan.SOLUTION] = max(0, table.solution - table.puzzle)
            register[scan.N_LEFT] = table.width - table.puzzle
        else:
            register[[scan.DELIMITER, scan.PUZZLE, scan.SOLUTION, scan.N_LEFT]] = 0
        start, line, count = register[[scan.POSITION, scan.LINE, scan.COUNT]].tolist()
        highest = symbols.n if symbols.has_digits and symbols.blanks == BLANKS else 0
        chunk = self.boards, self.solutions, self.lines
        data = np.frombuffer(text, np.uint8)
        scan.scan(data, register, symbols.decode, symbols.n, highest, *chunk)
        if table and (table.others or table.count_column >= 0):
            rows = bytes(text[start : self.register[scan.POSITION]]).splitlines()
            numbers = (self.lines[count : self.count] - line).tolist()
            for index, number in enumerate(numbers, count):
                row = split_row(rows[number].decode("utf-8", "replace"), table.delimiter)
                if 0 <= table.count_column < len(row):
                    self._add_count(row[table.count_column].strip(), index)
                if table.others:
                    self.others[index] = table.other_fields(row)

    def end(self) -> Iterator[Records]:
        """End the text, and yield the last chunks."""
        yield from self.read(memoryview(b""), is_last=True)  # a row that was left open
        for piece in self.splitter.end():  # a row whose quotes were left open
            self.read_piece(piece)
        self._end_drawing()
        self._reject_titles()  # no board follows them
        self.end_chunk()
        yield from self.take_chunks()

    @property
    def suits_kernel(self) -> bool:
        """Whether the kernel `scan` can read the next lines, if they contain boards.

        It reads no numbers, and does not know what may decide the meaning of the next board: rows,
        a section or titles above it, or a puzzle in the last chunk that it may be the solution of.
        """
        return (
            type(self.splitter) is LineSplitter
            and self.splitter.suits_kernel
            and not (self.alphabet.has_numbers or self.rows or self.section or self.titles)
            and (self.answered is None or self.count > 0)
        )

    def read_piece(self, piece: TextPiece) -> None:
        """Read a row, a board, or the text around them.

        A line with a board may have its solution, too.
        """
        line = piece.line
        text = plain_line(piece.text or b"", self.alphabet.blanks)
        is_record = piece.fields is not None
        if is_record or piece.text is None or text.lstrip().startswith(b"#"):
            self._end_drawing()
        if len(text) > MAX_LINE_BYTES:
            self._add_bad(line, f"the line is longer than {MAX_LINE_BYTES:,} bytes")
        elif is_record:
            self._read_record(piece, text)
        elif not text.strip():
            self._read_blank(line, text)
        elif (values := self._read_cells(text, self.box.n)) is not None:
            if len(values) < self.cells:
                self.groups.append(count_groups(text))
                self._add_row(line, values)
            elif self._add_board(values, line) and 0 in values[: self.cells]:
                self._add_solution(values[self.cells :])
        elif not (is_rule(text) or text.lstrip().startswith(b"#")):
            self._read_other(line, text)

    def _read_cells(self, text: bytes, row: int) -> bytes | None:
        return read_cells(text, self.alphabet, row, self.cells)

    def _end_drawing(self) -> None:
        """Add the rows so far as a board, or as a bad record if rows are missing or invalid."""
        rows, self.rows = self.rows, []
        height = self.box.n
        groups, self.groups = self.groups, []
        self.band = 0
        # A row that is text, not bytes, is the reason why it cannot be read.
        errors = [(line, row) for line, row in rows if isinstance(row, str)]
        if rows and not errors and len(rows) < height:  # those above may have been read as a board
            rows = self._without_rules([*self._take_rows_above(rows[0][0]), *rows])
        if rows and len(rows) != height:
            errors.append((rows[0][0], f"expected {height} rows, found {len(rows)}"))
        elif rows and (reason := find_box_error(groups, self.box)):
            errors.append((rows[0][0], reason))
        if errors:
            self._add_bad(*errors[0])
        elif rows:
            self._add_board(b"".join(row for _, row in rows if isinstance(row, bytes)), rows[0][0])
            self.register[scan.END] = rows[-1][0] + 1

    def _take_rows_above(self, line: int) -> list[tuple[int, bytes | str]]:
        """Remove the drawn board that ends above a line, if any, and return its rows.

        It was complete too early: with the rows from this line on, it has too many rows, or some of
        its rows, whose cells seemed to be empty, are rules between boxes.
        """
        n = self.box.n
        last = self.count - 1
        is_drawn = last >= 0 and self.lines[last] == line - n and self.register[scan.END] == line
        if not is_drawn or self.ends_with_bad:
            return []
        self.register[scan.COUNT] -= 1
        board = self.boards[last].tobytes()
        return [(line - n + k, board[k * n :][:n]) for k in range(n)]

    def _without_rules(self, rows: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
        """Return the rows of a board without rules of hyphens, which are its empty cells, too.

        Of a single such row, nobody knows whether it is a rule.
        """
        band = self.box.rows
        n_rules = self.box.n // band - 1
        blank = self.alphabet.decode_table[ord("-")]
        are_rules = all({*row} == {blank} for _, row in rows[band :: band + 1])
        if blank == INVALID or not are_rules or not 1 < n_rules == len(rows) - self.box.n:
            return rows
        return [row for k, row in enumerate(rows, 1) if k % (band + 1)]

    def _has_band(self) -> bool:
        """Return whether as many rows as a box has follow the last blank line."""
        return len(self.rows) - self.band == self.box.rows

    def _read_blank(self, line: int, text: bytes) -> None:
        """Read blanks: a row of empty cells, a line between two bands, or the end of a board.

        A row of empty cells is n blanks, or n empty fields between tabs.
        """
        n = self.box.n
        are_valid = all(isinstance(row, bytes) for _, row in self.rows)
        if self.rows and n in (len(text), text.count(b"\t") + 1):
            self._add_row(line, bytes(n))  # a row of empty cells
        elif are_valid and len(self.rows) < n and self._has_band():
            self.band = len(self.rows)
        else:
            self._end_drawing()

    def _add_row(self, line: int, row: bytes | str) -> None:
        """Add the values of a row, or what is wrong with it."""
        self.titles = {}
        if self.band and self._has_band():
            # Not a band: the blank line was the end of an incomplete board.
            rows = self.rows[self.band :]
            del self.rows[self.band :]
            self._end_drawing()
            self.rows = rows
        self.rows.append((line, row))
        # Below bands, a further row makes the last one too large.
        if len(self.rows) == self.box.n and not self.band:
            self._end_drawing()

    def _read_other(self, line: int, text: bytes) -> None:
        """Read a line that is neither a row nor a board.

        The tests go from certain to vague: a remark, a section, a size, a link, a banner; what
        resembles a row or a board, and has an error; other text, which may be a title if it has a
        word.
        """
        remark = read_remark(text.decode("utf-8", "replace"))
        section = _SECTION.fullmatch(text)
        if remark is not None or section is not None:
            self._end_drawing()
        if remark is not None:
            self._read_remark(remark, line)
        elif section is not None:
            self.section = section[1].lower()
        elif not self.rows and self._is_size(text):
            return
        elif reason := find_link_error(text.decode("utf-8", "replace")):
            self._add_bad(line, reason)
        elif _BANNER.fullmatch(text) and _WORD.search(text):
            self._end_drawing()
            self.titles[line] = True
        elif reason := find_error(text, self.box.n, self.alphabet, is_row=True):
            self._add_row(line, reason)
        elif reason := find_error(text, self.cells, self.alphabet):
            self._add_bad(line, reason)
        elif _WORD.search(text) is None:
            self._add_bad(line, UNKNOWN_LINE)
        else:
            self._end_drawing()
            self.titles[line] = False

    def _is_size(self, text: bytes) -> bool:
        """Return whether a line gives the size of the boards, or of their boxes, as `3x3`."""
        found = SIZE.fullmatch(text)
        n = self.box.n
        sizes = tuple(int(number) for number in found.groups() if number) if found else ()
        return sizes in ((n,), (n, n), (self.box.rows, self.box.columns))

    def _read_record(self, piece: TextPiece, text: bytes) -> None:
        """Read the row of a table or a JSON object.

        A text in the place of the solution that is no complete board is kept as another field, and
        the solution of a board without empty cells is ignored. `solved` is an empty cell, which is
        not complete, either, if this text is no board at all.
        """
        if piece.box not in (None, self.box):
            self._add_bad(piece.line, f"its box is {piece.box}, not {self.box}", piece.others)
        elif (values := self._read_cells(text, self.cells)) is None:
            reason = find_error(text, self.cells, self.alphabet) or piece.error
            self._add_bad(piece.line, reason, piece.others)
        elif self._add_board(values, piece.line):
            last = self.count - 1
            solution, count = piece.fields or ("", "")
            others = piece.others or {}
            solved = self._read_cells(solution.encode(errors="replace"), self.cells) or b"\0"
            remark = read_remark(solution)
            if remark is not None and remark.failure:
                self.counts[last] = 0
            elif 0 in solved and solution.strip():  # no board, or not a complete one
                others = {SOLUTION_NAME: solution, **others}
            elif 0 in values and 0 not in solved:
                self._add_solution(solved[: self.cells])
            self._add_count(count, last)
            if others:
                self.others[last] = others

    def _add_count(self, count: str, index: int) -> None:
        """Store the number of solutions that a record gives for a puzzle."""
        if _COUNT.fullmatch(count):
            self.counts[index] = int(count)

    def _read_remark(self, remark: Remark, line: int) -> None:
        """Note what a line of qqwing says of the last board, or a board that it could not print.

        That there is no solution is said of the last board if it awaits an answer; otherwise, it
        takes the place of a board.
        """
        last = self.count - 1
        is_answer = remark.solutions == 0 and self._awaits_solution and last not in self.counts
        if remark.failure and not is_answer:
            self._add_bad(line, f"qqwing printed {remark.failure!r} instead of a board")
        elif last >= 0 and not self.ends_with_bad:
            if remark.solutions is not None:
                self.counts[last] = remark.solutions
            if remark.difficulty:
                self.others[last] = {**self.others.get(last, {}), "difficulty": remark.difficulty}

    def _add_board(self, values: bytes, line: int) -> bool:
        """Add a board as a puzzle, or as the solution of the last one; return True for a puzzle.

        The board after [State] is omitted, and that after [Solution] need not be correct. If the
        chunk of the last puzzle was ended before its solution arrived, this is omitted, too.
        """
        self._end_drawing()
        self._reject_titles(is_above_board=True)
        board = np.frombuffer(values, np.uint8)[: self.cells]
        section, self.section = self.section, b""
        if section == b"state":
            return False
        is_labeled = section == b"solution"
        puzzle = self.boards[self.count - 1]
        if self._awaits_solution and (is_labeled or _is_solution(board, puzzle)):
            self._add_solution(values[: self.cells])
            return False
        if self.answered is not None and not (self.count or self.bad):  # of the chunk before
            puzzle, self.answered = self.answered, None
            if is_labeled or _is_solution(board, puzzle):
                return False
        if self.count == self.chunk_boards:
            self.end_chunk()
        self.boards[self.count] = board
        self.lines[self.count] = line
        self.register[scan.END] = 0
        self.register[scan.COUNT] += 1
        return True

    def _reject_titles(self, *, is_above_board: bool = False) -> None:
        """Add the lines of text that are no titles, as no drawing follows, as bad records."""
        titles, self.titles = self.titles, {}
        for line, is_banner in titles.items():
            if not (is_banner and is_above_board):
                self._add_bad(line, UNKNOWN_LINE)

    def _add_solution(self, values: bytes) -> None:
        """Store the solution that the source gives for the last puzzle, correct or not."""
        solution = np.frombuffer(values, np.uint8)
        if 0 in values:  # kept as the field of a table that has no complete solution
            self.others[self.count - 1] = {SOLUTION_NAME: format_board(solution, self.alphabet)}
        elif values:
            self.solutions[self.count - 1] = solution
            self.register[scan.SOLVED] += 1

    def _add_bad(self, line: int, reason: str, others: dict[str, Any] | None = None) -> None:
        """Add a bad record."""
        self._end_drawing()
        self._reject_titles()
        self.section = b""
        if len(self.bad) == min(self.chunk_boards, MAX_BAD):
            self.end_chunk()
        self.bad.append(BadRecord(self.count, line, reason, others or {}))


def _is_solution(board: Values, puzzle: Values) -> bool:
    """Return whether a board is complete and has the givens of a puzzle, correct or not."""
    return bool(board.all() and ((puzzle == 0) | (puzzle == board)).all())
