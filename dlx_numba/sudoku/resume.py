"""Resume a run after the last complete record in its output file.

The records in the file are only counted. The last puzzle is solved again, and what the run writes
for it must be in the file.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from .all_solutions import SolutionBlock
from .engines.base import EngineResult
from .io.records import Numbering, Records

STYLES = ("line", "csv", "json")  # in which a record is a line

BLOCK_BYTES = 1 << 18
MAX_RECORD_BYTES = 1 << 17  # a file with a longer one is not an output file

# The text in a record of a puzzle whose search was stopped. Such a record is not final.
_STOPPED = {
    "line": b" # unfinished\n",
    "numbered line": b", unfinished\n",
    "csv": b",,,unfinished,",
    "json": b'"solution": null, "count": null, "status": "unfinished"',
}

# With numbered solutions, the first record of a puzzle, or unreadable text
_FIRST_RECORD = {
    "line": re.compile(rb"^(?:# unreadable: |.*# puzzle \d+, (?:solution 1|no solution)$)", re.M),
    "csv": re.compile(rb"^(?:\d+,1?,|,,)", re.M),
    "json": re.compile(rb'^.*"solution_number": (?:1|null), ', re.M),
}


class ResumeError(ValueError):
    """An output file does not belong to the input and the options of this run."""

    def __init__(self, path: str, n_records: int) -> None:
        super().__init__(
            f"cannot resume: {path} was written from other input or with other options "
            f"(after record {n_records:,})"
        )


class Written(NamedTuple):
    """The content of an output file, up to the first record that is not final.

    Attributes
    ----------
    header : bytes
        The header of a CSV table.
    n_records, n_puzzles, n_last : int
        The number of complete records, of the puzzles and unreadable records that they belong to,
        and of the records of the last puzzle.
    start : int
        The position of the last puzzle, or 0.
    size : int
        The number of bytes, including those of an incomplete record.
    """

    header: bytes = b""
    n_records: int = 0
    n_puzzles: int = 0
    n_last: int = 0
    start: int = 0
    size: int = 0


def count_records(path: str, style: str, is_numbered: bool) -> Written:
    """Count the records in an output file.

    Raises ResumeError if it contains a record that is too long, and OSError if it cannot be read.
    """
    written, rest, is_end = Written(), b"", False
    stopped = _STOPPED["numbered line" if style == "line" and is_numbered else style]
    with open(path, "rb", buffering=0) as file:
        while not is_end:
            data = file.read(BLOCK_BYTES)
            is_end = not data
            text = rest + data
            if (null := text.find(0)) >= 0:  # after a power loss, blocks of a file may be empty
                text, is_end = text[:null], True
            if (cut := text.find(stopped)) >= 0:
                text, is_end = text[: text.rfind(b"\n", 0, cut) + 1], True
            end = text.rfind(b"\n") + 1
            if style == "csv" and not written.header:
                header = text[: text.find(b"\n") + 1]
                written = written._replace(header=header, size=len(header))
                text, end = text[len(header) :], end - len(header)
            written = _with_lines(written, text[:end], style if is_numbered else "")
            rest = text[end:]
            if len(rest) > MAX_RECORD_BYTES:
                raise ResumeError(path, written.n_records)
    # The start of a record that is not final says nothing about the next one.
    n_stopped = max(k for k in range(len(stopped)) if rest.endswith(stopped[:k]))
    return written._replace(size=written.size + len(rest) - n_stopped)


def _with_lines(written: Written, lines: bytes, numbered_style: str) -> Written:
    """Return the content of a file to which lines are added."""
    # Much faster than `bytes.count`, because there are many.
    n_lines = int(np.count_nonzero(np.frombuffer(lines, np.uint8) == ord("\n")))
    n_puzzles, n_last, start = n_lines, 1, lines.rfind(b"\n", 0, -1) + 1
    if numbered_style:
        starts = [each.start() for each in _FIRST_RECORD[numbered_style].finditer(lines)]
        n_puzzles = len(starts)
        start = starts[-1] if starts else 0
        n_last = lines.count(b"\n", start)
    if n_puzzles == 0:
        start, n_last = written.start - written.size, written.n_last + n_lines
    return written._replace(
        n_records=written.n_records + n_lines,
        n_puzzles=written.n_puzzles + n_puzzles,
        n_last=n_last,
        start=written.size + start,
        size=written.size + len(lines),
    )


class ResumedRun:
    """The rest of a run: the last puzzle in its output file, and the input that follows.

    Parameters
    ----------
    path
        The output file. It is read, not changed.
    chunks
        The chunks of the whole input.
    format_block
        Returns the text of a block. It is called once, for the header of a CSV table.
    style
        The format of the file, one of `STYLES`.
    is_numbered
        Whether the run writes all solutions, with their numbers.

    Attributes
    ----------
    written : Written
        What the file contains.
    last : Records or None
        The last record of the input in the file, which is the first chunk.
    chunks : iterator of Records
        The chunks of the rest of the input, beginning with `last`.

    Raises
    ------
    ResumeError
        If the file has another header, or more records than the input.
    OSError
        If the file cannot be read.
    """

    def __init__(
        self,
        path: str,
        chunks: Iterator[Records],
        format_block: Callable[[SolutionBlock], bytes | bytearray],
        style: str,
        is_numbered: bool,
    ) -> None:
        self.written, self.chunks = count_records(path, style, is_numbered), chunks
        self.last: Records | None = None
        n_left = self.written.n_puzzles
        while n_left:
            chunk = next(chunks, None)
            if chunk is None:
                raise ResumeError(path, self.written.n_records)
            if style == "csv" and n_left == self.written.n_puzzles and chunk.n_records:
                text = format_block(_unsolved(chunk.part(0, 1), is_numbered))
                if not text.startswith(self.written.header):
                    raise ResumeError(path, 0)
            if n_left <= chunk.n_records:
                self.last = chunk.part(n_left - 1, n_left)
                rest = chunk.part(n_left, chunk.n_records)
                self.chunks = chain([self.last], [rest] if rest.n_records else [], chunks)
            n_left -= min(n_left, chunk.n_records)


def _unsolved(records: Records, is_numbered: bool) -> SolutionBlock:
    """Return the block of records without solutions."""
    numbers = np.zeros(len(records), np.int64)
    numbering = Numbering(numbers, numbers) if is_numbered else None
    return SolutionBlock(records, EngineResult.allocate(records.boards), numbering)
