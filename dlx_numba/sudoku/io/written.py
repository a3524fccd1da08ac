"""Read an output file that may be truncated.

A record is complete if its last byte was written: the line feed of its line or, for grids, the
blank line after it.
"""

import csv
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .symbols import INVALID, Alphabet, Values
from .write import MULTIPLE, UNFINISHED

BLOCK_BYTES = 1 << 18
MAX_DIGITS = 18  # of counts
MAX_RECORD_BYTES = 1 << 17  # a file with a longer one is not an output file

_BAD_LINE = b"# unreadable: "
_NEWLINE = ord("\n")

# The text in a record of a puzzle whose search was stopped. Such a record is not final.
_STOPPED = {
    "line": b" # unfinished\n",
    "numbered line": b", unfinished\n",
    "grid": b"\n# unfinished\n",
    "csv": b",,,unfinished,",
    "json": b'"solution": null, "count": null, "status": "unfinished"',
}

# With numbered solutions, the start of the first record of a puzzle, or any part of it. Comments on
# bad records are counted separately.
_FIRST_SOLUTION = {
    "line": re.compile(rb" # puzzle \d+, (?:solution 1|no solution)\n"),
    "grid": re.compile(rb"\n# puzzle \d+(?:, solution 1)?\n"),
    "csv": re.compile(rb"\n(?:\d+,1?,|,,)"),
    "json": re.compile(rb'"solution_number": (?:1|null), '),
}

_TITLE = re.compile(rb"puzzle \d+, solution (\d+)")
_COUNT = re.compile(rb"(\d+)(?: or more)? solutions")


class WrittenBlock(NamedTuple):
    """Consecutive complete records of an output file.

    Attributes
    ----------
    first, last : bytes
        The first and the last record. The first one of a CSV table is preceded by the header.
    n_records : int
        The number of records.
    n_started : int
        The number of records that are the first one of their puzzle, or unreadable text.
    end : int
        The position in the file of the byte after the last record.
    """

    first: bytes
    last: bytes
    n_records: int
    n_started: int
    end: int


class WrittenFile:
    """An output file, up to the first record that is incomplete or not final.

    Parameters
    ----------
    path
        The file.
    style
        Its format, one of `STYLES`.
    is_numbered
        Whether the records have the numbers of puzzles and solutions.

    Attributes
    ----------
    torn : bytes
        After `blocks`: the beginning of the incomplete record at the end of the file.
    header : bytes
        After the first block: the header of a CSV table.
    """

    def __init__(self, path: str, style: str, is_numbered: bool) -> None:
        self.path, self.style, self.is_numbered = path, style, is_numbered
        self.torn = b""
        self.header = b""

    def blocks(self) -> Iterator[WrittenBlock]:
        """Yield all complete records in blocks of limited size.

        Raises
        ------
        ValueError
            If a record is longer than `MAX_RECORD_BYTES`.
        OSError
            If the file cannot be read.
        """
        rest, position, is_end = b"", 0, False
        has_title = self.style == "line" and self.is_numbered
        stopped = _STOPPED["numbered line" if has_title else self.style]
        # Finding a single byte that is rare in other records is much faster than finding a text.
        probe = b"#" if self.style in ("line", "grid") and not self.is_numbered else b"f"
        with open(self.path, "rb", buffering=0) as file:
            while not is_end:
                data = file.read(BLOCK_BYTES)
                is_end = not data
                text = rest + data
                if (null := text.find(0)) >= 0:  # after a power loss, blocks of a file may be empty
                    text, is_end = text[:null], True
                if probe in text and (cut := text.find(stopped)) >= 0:
                    text, is_end = text[: self._end(text[:cut])], True
                end = self._end(text)
                if position == 0 and self.style == "csv":
                    if end <= (header_end := text.find(b"\n") + 1):
                        end = 0  # there is only the header
                    else:
                        self.header = text[:header_end]
                if end:
                    yield self._block(text[:end], position + end, len(self.header) * (not position))
                    position += end
                rest = text[end:]
                if len(rest) > MAX_RECORD_BYTES:
                    raise ValueError(f"{self.path} is not an output file in this format")
        self.torn = rest

    def _end(self, text: bytes) -> int:
        """Return the end of the last complete record of a text that starts with a record."""
        if self.style != "grid":
            return text.rfind(b"\n") + 1
        end = text.rfind(b"\n\n") + 2 if b"\n\n" in text else 0
        return _skip_comments(text, end)

    def _block(self, text: bytes, position: int, start: int) -> WrittenBlock:
        """Return the block of the complete records in `text`, the first of them at `start`."""
        if self.style == "grid":
            n_bad = _count_comments(text)
            n_records = text.count(b"\n\n") + n_bad
            first_end = text.find(b"\n\n") + 2
            if text.startswith(_BAD_LINE):
                first_end = text.find(b"\n") + 1
            if text.endswith(b"\n\n"):
                before = text.rfind(b"\n\n", 0, -2)
                last = _skip_comments(text, before + 2 if before >= 0 else 0)
            else:  # the last record is a comment
                last = text.rfind(b"\n", 0, -1) + 1
        else:
            n_bad = _count_comments(text) if self.style == "line" and self.is_numbered else 0
            # Much faster than `text.count`, because there are many.
            n_records = int(np.count_nonzero(np.frombuffer(text, np.uint8, -1, start) == _NEWLINE))
            first_end = text.find(b"\n", start) + 1
            last = text.rfind(b"\n", start, -1) + 1 or start
        n_started = n_records
        if self.is_numbered:
            first_solutions = _FIRST_SOLUTION[self.style].findall(b"\n" + text[start:])
            n_started = len(first_solutions) + n_bad
        return WrittenBlock(text[:first_end], text[last:], n_records, n_started, position)


def _count_comments(text: bytes) -> int:
    """Return the number of comments on bad records."""
    return text.count(b"\n" + _BAD_LINE) + text.startswith(_BAD_LINE)


def _skip_comments(text: bytes, start: int) -> int:
    """Return the end of the comments on bad records at `start` that are complete."""
    while text.startswith(_BAD_LINE, start) and (end := text.find(b"\n", start)) >= 0:
        start = end + 1
    return start


class WrittenRecord(NamedTuple):
    """The content of a record of a puzzle.

    Attributes
    ----------
    board : bytes
        The solution or the partially filled board; empty if there is none.
    n_solutions, nodes : int
        The count and the work, as `Writer.format` expects them; -1 if they are not stated.
    solution_number : int
        The number of the solution, 0 if it is not stated.
    """

    board: bytes
    n_solutions: int
    nodes: int
    solution_number: int

    def solution(self, alphabet: Alphabet, cells: int) -> Values:
        """Return the values of the board. Raises ValueError if it is not valid."""
        if not self.n_solutions:
            return np.zeros(cells, np.uint8)
        if alphabet.has_numbers:
            symbols = [alphabet.value_of.get(symbol, INVALID) for symbol in self.board.split()]
            values = np.array(symbols, np.uint8)
        else:
            values = alphabet.decode[np.frombuffer(self.board.replace(b" ", b""), np.uint8)]
        if len(values) != cells or INVALID in values:
            raise ValueError("not a board")
        return values


def parse_record(text: bytes, style: str, header: bytes = b"") -> WrittenRecord:
    """Parse the record of a puzzle.

    Parameters
    ----------
    text
        The record.
    style
        Its format, one of `STYLES`.
    header
        The header of a CSV table.

    Raises
    ------
    ValueError
        If the text is not such a record.

    Examples
    --------
    >>> parse_record(b"1234341221434321 # puzzle 3, solution 1\\n", "line")
    WrittenRecord(board=b'1234341221434321', n_solutions=1, nodes=-1, solution_number=1)
    """
    if style == "line":
        board, _, remark = text.rstrip(b"\n").partition(b" # ")
        return _with_remark(board, remark)
    if style == "grid":
        lines = text.splitlines()
        rows = [line for line in lines if line.startswith(b" ")]
        remarks = [line for line in lines if line[:1] not in (b" ", b"-")]
        cells = b" ".join(rows).replace(b"|", b" ").split()
        return _with_remark(b" ".join(cells), b" ".join(remarks))
    if style == "csv":
        names, values = (next(csv.reader([line.decode()]), []) for line in (header, text))
        fields: dict[str, Any] = dict(zip(names, values, strict=True))
    else:
        fields = json.loads(text)
    if not isinstance(fields, dict) or not fields.keys() >= {"solution", "count", "status"}:
        raise ValueError("not a record")
    board = str(fields["solution"] or "").encode()
    count = -1 if fields["status"] == UNFINISHED else 2 if fields["status"] == MULTIPLE else 1
    if not board:
        count = 0
    elif (stated := _number(fields["count"])) >= 0:
        count = stated
    nodes = _number(fields.get("nodes", fields.get("guesses")))
    return WrittenRecord(board, count, nodes, max(0, _number(fields.get("solution_number"))))


def _number(value: Any) -> int:
    """Return a number that is not negative, or -1 if `value` is something else."""
    text = str(value)
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else -1


def _with_remark(board: bytes, remark: bytes) -> WrittenRecord:
    """Return the record of a board with a remark, as they are in lines and with grids."""
    count = 1
    if b"no solution" in remark:
        count = 0
    elif UNFINISHED.encode() in remark:
        count = -1
    elif stated := _COUNT.search(remark):
        count = _number(stated[1].decode())
    title = _TITLE.search(remark)
    return WrittenRecord(board, count, -1, max(0, _number(title[1].decode())) if title else 0)
