"""Writing ratings as text: one output record per input record, in order."""

import json
from functools import partial

import numpy as np

from ...runtime.arguments import check_choice
from ..engines.classify import CLASSES, INVALID
from ..rating import Ratings, Steps
from .columns import (
    UNREADABLE,
    Rows,
    bad_comment,
    file_field,
    insert_bad,
    join_columns,
    number_column,
    quote_field,
    text_column,
)
from .records import BadRecord, Records

RATING_STYLES = ("line", "csv", "json")

_NUMBERS = ("count", "givens", *Steps._fields)
_HEADER = ("puzzle", "solution", "difficulty", "techniques", *_NUMBERS)
_INVALID_REMARKS = {0: "no solution", 2: "several solutions"}  # by the number of solutions


def select(records: Records, ratings: Ratings, difficulty: str | None) -> tuple[Records, Ratings]:
    """Return the puzzles of a class, without bad records; all records if the class is None."""
    if difficulty is None:
        return records, ratings
    rows = np.flatnonzero(ratings.codes == CLASSES.index(difficulty))
    return records.take(rows, ()), ratings.take(rows)


class RatingWriter:
    """A formatter for the chunks of one output, in order.

    Parameters
    ----------
    style
        One of `RATING_STYLES`.
    is_bare
        Whether lines are puzzles without a remark.
    has_file
        Whether a CSV table has a column with the source. JSON objects always contain it.

    Raises
    ------
    ValueError
        If there is no such style.

    Examples
    --------
    >>> import io
    >>> from .read import read_boards
    >>> from ..rating import rate
    >>> [records] = read_boards(io.BytesIO(b"." * 81))
    >>> RatingWriter("csv").format(records, rate(records.boards)).decode().split()[1][80:]
    '.,,invalid,,2,0,,,,,,,,,1'
    """

    def __init__(self, style: str, *, is_bare: bool = False, has_file: bool = False) -> None:
        check_choice("style", style, RATING_STYLES)
        self.style, self.is_bare, self.has_file = style, is_bare, has_file
        self._needs_header = style == "csv"

    @property
    def needs_all(self) -> bool:
        """Whether `format` uses more than the classes."""
        return self.style != "line" or not self.is_bare

    def format(self, records: Records, ratings: Ratings) -> bytes:
        """Format a chunk.

        Parameters
        ----------
        records
            The chunk.
        ratings
            The ratings of its boards.

        Returns
        -------
        bytes
            The text.
        """
        header = b""
        if self._needs_header:
            columns = (*_HEADER, *("file",) * self.has_file, "line")
            header = ",".join(columns).encode() + b"\n"
            self._needs_header = False
        if self.style == "line":
            return insert_bad(_lines(records, ratings, self.is_bare), records, bad_comment)
        if self.style == "json":
            return insert_bad(_objects(records, ratings), records, _bad_object)
        file = file_field(records.source, self.has_file)
        rows = _table_rows(records, ratings, file)
        return header + insert_bad(rows, records, partial(_bad_row, file))


def _lines(records: Records, ratings: Ratings, is_bare: bool) -> Rows:
    puzzles = records.alphabet.symbols_of(records.boards)
    if is_bare:
        return join_columns(puzzles, b"\n")
    remarks = ratings.strings()
    for row in np.flatnonzero(ratings.codes == INVALID).tolist():
        remarks[row] = _INVALID_REMARKS[int(ratings.counts[row])]
    names = ratings.difficulty.tolist()
    texts = [
        f"{name}: {remark}" if remark else name for name, remark in zip(names, remarks, strict=True)
    ]
    return join_columns(puzzles, b" # ", text_column(texts), b"\n")


def _solutions(records: Records, ratings: Ratings) -> Rows:
    symbols = records.alphabet.symbols_of(ratings.solutions)
    symbols[ratings.codes == INVALID] = 0
    return symbols


def _table_rows(records: Records, ratings: Ratings, file: str) -> Rows:
    numbers = [ratings.counts, ratings.givens, *ratings.steps]
    columns = [part for column in numbers for part in (b",", number_column(column))]
    return join_columns(
        *(records.alphabet.symbols_of(records.boards), b",", _solutions(records, ratings)),
        *(b",", text_column(ratings.difficulty), b",", text_column(ratings.strings(" + "))),
        *(*columns, f"{file},".encode(), number_column(records.lines), b"\n"),
    )


def _objects(records: Records, ratings: Ratings) -> Rows:
    source = json.dumps(records.source).encode()
    solutions = join_columns(b'"', _solutions(records, ratings), b'"')
    solutions[ratings.codes == INVALID] = text_column(["null".ljust(solutions.shape[1], "\0")])
    lists = [json.dumps(text.split(", ") if text else []) for text in ratings.strings()]
    columns: list[Rows | bytes] = []
    for name, numbers in zip(
        _NUMBERS, (ratings.counts, ratings.givens, *ratings.steps), strict=True
    ):
        columns += [b', "%b": ' % name.encode(), number_column(numbers, "null")]
    return join_columns(
        *(b'{"source": %b, "line": ' % source, number_column(records.lines)),
        *(b', "puzzle": "', records.alphabet.symbols_of(records.boards)),
        *(b'", "solution": ', solutions, b', "difficulty": "', text_column(ratings.difficulty)),
        *(b'", "techniques": ', text_column(lists), *columns, b"}\n"),
    )


def _bad_row(file: str, source: str, bad: BadRecord) -> str:
    return f",{quote_field(bad.reason)},{UNREADABLE},{',' * len(_NUMBERS)}{file},{bad.line}\n"


def _bad_object(source: str, bad: BadRecord) -> str:
    record = {"source": source, "line": bad.line, "puzzle": None, "solution": None}
    return json.dumps({**record, "difficulty": UNREADABLE, "reason": bad.reason}) + "\n"
