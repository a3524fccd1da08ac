"""Resume a run after the last complete record in its output file.

The records in the file are only counted. The last puzzle is solved again, and what the run writes
for it must be in the file.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from .io.records import Records

STYLES = ("line", "json")  # in which each line is a record

MAX_RECORD_BYTES = 1 << 17  # a file with a longer one is not an output file

# The text in a record of a puzzle whose search was stopped. Such a record is not final.
_STOPPED = {
    "line": b" # unfinished\n",
    "numbered line": b", unfinished\n",
    "json": b'"solution": null, "count": null, "status": "unfinished"',
}

# With numbered solutions, the first record of a puzzle, or unreadable text
_FIRST_RECORD = {
    "line": re.compile(rb"# unreadable: |.*# puzzle \d+, (?:solution 1|no solution)$"),
    "json": re.compile(rb'.*"solution_number": (?:1|null), '),
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
    n_records, n_puzzles, n_last : int
        The number of complete records, of the puzzles and unreadable records that they belong to,
        and of the records of the last puzzle.
    start : int
        The position of the last puzzle, or 0.
    size : int
        The number of bytes, including those of an incomplete record.
    """

    n_records: int
    n_puzzles: int
    n_last: int
    start: int
    size: int


def count_records(path: str, style: str, is_numbered: bool) -> Written:
    """Count the records in an output file.

    Raises ResumeError if it contains a record that is too long, and OSError if it cannot be read.
    """
    stopped = _STOPPED["numbered line" if style == "line" and is_numbered else style]
    is_first = _FIRST_RECORD[style].match
    n_records = n_puzzles = n_last = start = size = 0
    rest = b""
    with open(path, "rb") as file:
        for line in iter(partial(file.readline, MAX_RECORD_BYTES), b""):
            if stopped in line:
                rest = b""
                break
            rest, null, _ = line.partition(b"\0")  # after a power loss, blocks may be empty
            if null or not rest.endswith(b"\n"):
                break
            if not is_numbered or is_first(rest):
                n_puzzles, n_last, start = n_puzzles + 1, 0, size
            n_records, n_last, size, rest = n_records + 1, n_last + 1, size + len(rest), b""
    if len(rest) == MAX_RECORD_BYTES:
        raise ResumeError(path, n_records)
    # The start of a record that is not final says nothing about the next one.
    n_stopped = max(k for k in range(len(stopped)) if rest.endswith(stopped[:k]))
    return Written(n_records, n_puzzles, n_last, start, size + len(rest) - n_stopped)


def skip_written(
    path: str, written: Written, chunks: Iterator[Records]
) -> tuple[Records | None, Iterator[Records]]:
    """Return the last record of the input in an output file, and the chunks that begin with it.

    Raises ResumeError if the output file has more records than the input.
    """
    n_left = written.n_puzzles
    while n_left:
        if (chunk := next(chunks, None)) is None:
            raise ResumeError(path, written.n_records)
        if n_left <= chunk.n_records:
            last = chunk.part(n_left - 1, n_left)
            rest = chunk.part(n_left, chunk.n_records)
            return last, chain([last], [rest] if rest.n_records else [], chunks)
        n_left -= chunk.n_records
    return None, chunks
