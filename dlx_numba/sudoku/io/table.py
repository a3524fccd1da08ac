"""Puzzles with named fields: the columns of tables (CSV), and JSON objects."""

import csv
import json
import re
from collections import Counter
from collections.abc import Container, Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

from ..box import Box, as_box
from .qqwing import ROW_BREAK

PUZZLES = (
    *("puzzle", "puzzles", "quizzes", "quiz", "board", "boards", "sudoku", "question", "problem"),
    "initial_board",
)
# The names of the fields of a record: the puzzle, its solution, and their number
FIELDS = (
    PUZZLES,
    ("solution", "solutions", "answer", "answers"),
    ("solution count", "solution_count", "solutions count", "number of solutions"),
)
RESULT_STATUSES = ("done", "stopped")  # of the record that ends an output, which has no puzzle

# Objects with one of these fields are puzzles with rules, which `variants` reads.
RULES = (
    *("diagonals", "windows", "disjoint_groups", "regions", "extra_regions", "anti_knight"),
    *("anti_king", "non_consecutive", "less_than", "thermometers", "differences", "ratios"),
    *("sums", "clones", "cages", "arrows", "little_killers", "odd", "even", "minimum", "maximum"),
    *("negative", "quadruples", "between_lines", "sandwiches", "renban", "whispers"),
    *("region_sum_lines", "indexers", "x_sums", "skyscrapers", "numbered_rooms", "entropic_lines"),
    *("zipper_lines", "slow_thermometers", "palindromes", "parity_lines", "lockouts"),
)
VISUAL = "visual_elements"  # of Sudoku-Bench
NO_BOARD = "no board in the JSON object"
HAS_RULES = "the puzzle has rules, and is not solved without them"
# Further names of constraints, also of other programs, and parts of such names: letters, without a
# final s
_WHOLE_CONSTRAINTS = {
    *("sum", "ratio", "clone", "xv", "odd", "even", "king", "minimum", "maximum", "negative"),
    *("rule", "variant", "indexer", "hyper"),
}
_PARTS_OF_CONSTRAINTS = (
    *("killer", "thermo", "knight", "disjoint", "consecutive", "constraint", "sandwich", "indexer"),
    *("greaterthan", "inequalit", "entropic", "modular", "nabner", "zipper", "jigsaw", "kropki"),
    "windoku",
)

SOLUTION_NAME = "solution"  # of another field: a solution that is kept, or cannot be read
OTHER = "other"  # the column with the fields that have no column, as a JSON object
_LINE_END = rb"(?:(?P<end>\r\n|\n|\r)|\Z)"
A_LINE = re.compile(rb"([^\r\n]*)" + _LINE_END)
# A field: in quotes, which may be open at the end of the text, or else on one line
_FIELD = rb"""(?:"[^"]*(?:""[^"]*)*(?:"(?=[%s\r\n]|\Z)|\Z)|[^%s\r\n]*)"""
_NAME = re.compile("|".join(FIELDS[0] + FIELDS[1] + ("givens",)), re.IGNORECASE)
_BOARD = re.compile(r"[0-9.]{8}|[^\s,;]{36}")  # in no header
_STRING = re.compile(r"([\"'])(.*?)\1", re.DOTALL)
_NOT_LETTERS = re.compile(r"[^a-z]|s$")
_NOT_CELLS = re.compile(r"[\[\]{}\"']|null\b|None\b")


class TextPiece(NamedTuple):
    """A piece of a text that may be a row of a board, or a board.

    Attributes
    ----------
    line : int
        The line on which it starts.
    text : bytes or None
        The cells; None at the end of a list of rows.
    fields : (str, str) or None
        The solution and the count in a record, "" if unknown. None if the piece is a
        line, and not the puzzle of a record.
    error : str
        For a record, what is wrong if its text is not a board.
    others : dict or None
        The fields of a record that are no boards; see `Records`.
    box : Box or None
        The box of a JSON object.
    """

    line: int
    text: bytes | None
    fields: tuple[str, ...] | None = None
    error: str = ""
    others: dict[str, Any] | None = None
    box: Box | None = None


class FieldColumns(NamedTuple):
    """The columns of `FIELDS` in a table, counted from 0; -1 for a column that is missing.

    If no column contains puzzles, `puzzle` is that of the solutions. `others` are the numbers
    and the names of the columns without boards, and `width` is the number of all columns.
    """

    delimiter: str
    puzzle: int
    solution: int
    count_column: int
    others: tuple[tuple[int, str], ...]
    width: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the other columns, with that of the solutions."""
        solution = (SOLUTION_NAME,) if self.solution >= 0 else ()
        return (*solution, *(name for _, name in self.others))

    def piece(self, row: list[str], line: int) -> TextPiece:
        """Return the record in a row, which starts on the given line."""
        columns = self.puzzle, self.solution, self.count_column
        text, *others = (row[k].strip() if 0 <= k < len(row) else "" for k in columns)
        reason = f"no board in column {self.puzzle + 1} of the table"
        if any(map(str.strip, row[self.width :])):
            text = ""
            reason = f"the row has {len(row)} fields, and the table has {self.width} columns"
        fields = self.other_fields(row)
        if not text and is_unreadable(fields):
            # `Writer._bad_row` wrote the reason in the column after the puzzle, if there is one.
            reason = "".join(row[self.puzzle + 1 :][:1]).strip() or reason
        return TextPiece(line, text.encode(), tuple(others), reason, fields)

    def other_fields(self, row: list[str]) -> dict[str, Any]:
        """Return the fields of a row that are no boards, also those in the column `OTHER`."""
        n = len(row)
        fields: dict[str, Any] = {name: row[k].strip() if k < n else "" for k, name in self.others}
        unfolded = parse_object(fields.get(OTHER) or "{}")
        if unfolded is not None:
            fields.pop(OTHER, None)
            fields |= unfolded
        return fields

    def find_repeated(self) -> str | None:
        """Return a name that several columns have, if any."""
        names = Counter(name for _, name in self.others)
        return next((name for name, number in names.items() if name and number > 1), None)


class LineSplitter:
    """A splitter of a text into its lines; lines of tables, and objects, become records."""

    table: FieldColumns | None = None
    first_table: FieldColumns | None = None

    def __init__(self) -> None:
        self._row: list[str] = []  # the lines of a row that may continue; see `qqwing.ROW_BREAK`
        self._start = 0  # the number of the first of them

    def match(self, text: Any, start: int) -> re.Match[bytes] | None:
        r"""Match a line, or all lines of a row, in the first group, and its `end`.

        The end is None if the text ends inside quotes.

        >>> splitter = LineSplitter()
        >>> splitter.table = read_header("puzzle,note")
        >>> splitter.match(b'1...,"two\nlines"\n2...,\n', 0)[1]
        b'1...,"two\nlines"'
        """
        pattern = A_LINE if self.table is None else _row_pattern(self.table.delimiter)
        return pattern.match(text, start)

    @property
    def suits_kernel(self) -> bool:
        """Whether the kernel `scan` can read the next lines."""
        table = self.table
        is_in_order = table is None or table.solution < 0 or table.puzzle < table.solution
        return not self._row and is_in_order

    def split(self, line: bytes, number: int) -> Iterator[TextPiece]:
        """Yield the pieces that end on a line, or on the lines of a quoted row.

        `number` is that of the first line.
        """
        text = line.decode("utf-8", "replace")
        if not self._row and (header := read_header(text)) is not None:
            self.table = header
            self.first_table = self.first_table or header
            yield TextPiece(number, None)  # ends a board of rows above the table
        elif self.table is not None and (self._row or self.table.delimiter in text):
            self._start = self._start if self._row else number
            self._row.append(text)
            if not text.endswith(ROW_BREAK):  # where qqwing continues a row on the next line
                yield from self.end()
        else:
            yield read_object(text, number) or TextPiece(number, line)

    def split_all(self, text: bytes) -> list[TextPiece]:
        """Return the pieces of a whole text."""
        pieces: list[TextPiece] = []
        start = 0
        number = 1
        while start < len(text) and (line := self.match(text, start)):
            pieces += self.split(line[1], number)
            number += len(line[0].splitlines())
            start = line.end()
        return [*pieces, *self.end()]

    def end(self) -> Iterator[TextPiece]:
        """Yield the row of a table that `split` has kept because it could have continued."""
        if self.table is not None and self._row:
            delimiter = self.table.delimiter
            row, self._row = split_row(delimiter.join(self._row), delimiter), []
            yield self.table.piece(row, self._start)


def read_object(text: str, line: int) -> TextPiece | None:
    """Return the record in a JSON object, or None.

    The last record of `rate --format json` has no text.

    Examples
    --------
    >>> read_object('{"puzzle": "1...", "solution": null, "box": "2x2"}', 1)[:3]
    (1, b'1...', ('', ''))
    """
    if (found := parse_object(text)) is None:
        return None
    named = {str(key).lower(): value for key, value in found.items()}  # by names in lower case
    if named.keys().isdisjoint(FIELDS[0] + FIELDS[1]):
        if named.get("status") in RESULT_STATUSES:
            return TextPiece(line, None)
        return TextPiece(line, b"", ("", ""), NO_BOARD, found)
    if any(named.get(name) for name in RULES):
        return TextPiece(line, b"", ("", ""), HAS_RULES)
    try:
        given = (name for name, value in found.items() if value and not is_remark(value))
        if unknown := [*filter(is_constraint, given)]:
            raise ValueError(f"constraints that are not supported: {', '.join(unknown)}")
        if named.get(VISUAL) not in (None, "", "[]", []):
            raise ValueError(f"its {VISUAL} are rules that are not read")
        box = box_of(named)
    except ValueError as error:
        return TextPiece(line, b"", ("", ""), str(error), other_fields(found))
    puzzle, *others = (_field_text(named.get(name)) for name in _names_in(named))
    reason = str(found.get("reason") or NO_BOARD) if is_unreadable(found) else NO_BOARD
    kept = other_fields(found)
    return TextPiece(line, puzzle.encode("utf-8", "replace"), tuple(others), reason, kept, box)


def parse_object(text: str) -> dict[str, Any] | None:
    """Return a JSON object, or None if the text has another form."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return dict(json.loads(text))
    except (ValueError, RecursionError):
        return None


def is_remark(value: object) -> bool:
    """Return whether a value of an object is a text or a number, as no constraint is."""
    return isinstance(value, str | int | float | None) and not isinstance(value, bool)


def is_unreadable(fields: dict[str, Any]) -> bool:
    """Return whether a record of ours stands for text that is no board."""
    return "unreadable" in (fields.get("status"), fields.get("difficulty"))


def other_fields(found: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an object that are neither boards nor rules."""
    lower = {str(name).lower() for name in found}
    read = {*_names_in(lower)[:2], *RULES, "box"}
    if is_unreadable(found):
        read.add("reason")
    return {name: value for name, value in found.items() if name.lower() not in read}


def _names_in(known: Container[str]) -> list[str]:
    """Return which of the names of each of `FIELDS` is known, or ""."""
    return [next((name for name in names if name in known), "") for names in FIELDS]


def box_of(found: dict[str, Any]) -> Box | None:
    """Return the box of an object, if it names one. Raises ValueError if it is invalid."""
    box = found.get("box")
    return as_box(tuple(box) if isinstance(box, list) else box)


@lru_cache
def is_constraint(name: str) -> bool:
    """Return whether a field has the name of a constraint, or one that resembles that of a rule.

    Examples
    --------
    >>> is_constraint("anti-Knight"), is_constraint("diagnols"), is_constraint("difficulty")
    (True, True, False)
    """
    # Only the letters, without a final s
    letters, *rules = (_NOT_LETTERS.sub("", each.lower()) for each in (name, *RULES))
    rules = [rule for rule in rules if rule not in _WHOLE_CONSTRAINTS]  # not parts of "duration"
    return (
        letters in _WHOLE_CONSTRAINTS
        or any(part in letters for part in (*rules, *_PARTS_OF_CONSTRAINTS))
        or bool(get_close_matches(letters, rules, cutoff=0.8))
    )


def _field_text(value: object) -> str:
    """Return the text of a JSON value; lists are flattened."""
    if isinstance(value, list):
        return " ".join(list_texts(json.dumps(value)))
    return "" if value is None else str(value)


def list_texts(text: str) -> list[str]:
    """Return the strings in a list, or else its cells as one text.

    Examples
    --------
    >>> list_texts('["1...", "..3."]'), list_texts("{{1, 0}, {0, null}}")
    (['1...', '..3.'], ['1, 0, 0, '])
    """
    # Shorter strings are cells.
    strings = [string for _, string in _STRING.findall(text) if len(string) > 2]
    return strings or [_NOT_CELLS.sub("", text)]


def read_header(line: str) -> FieldColumns | None:
    """Return the table with this header, or None if the line is not a header.

    Examples
    --------
    >>> table = read_header("Puzzle,Solution,Difficulty")
    >>> table.puzzle, table.solution, table.count_column, table.others
    (0, 1, -1, ((2, 'Difficulty'),))
    """
    if _BOARD.search(line) or not _NAME.search(line):
        return None
    delimiter = max(",;\t", key=line.count)
    titles = [title.strip() for title in split_row(line, delimiter)]
    names = [title.lower() for title in titles]
    # A comment is a header if it has a column of puzzles, and of others before or of solutions.
    is_comment = names[0].startswith("#") and names[0] != "#"
    if is_comment:
        names[0] = names[0].lstrip("# ")
    # "givens" is a name of the puzzle, except in qqwing's statistics, where it is a number.
    known = (PUZZLES if "singles" in names else (*PUZZLES, "givens"), *FIELDS[1:])
    puzzle, solution, count = (
        next((names.index(name) for name in fields if name in names), -1) for fields in known
    )
    if is_comment and puzzle == 0 and solution < 0:
        return None
    if puzzle < 0 and not is_comment:  # the solutions are solved if there are no puzzles
        puzzle = solution
        solution = -1
    if puzzle < 0:
        return None
    # A number of solutions is no board, so it is written again with the other columns.
    others = tuple((k, title) for k, title in enumerate(titles) if k not in (puzzle, solution))
    return FieldColumns(delimiter, puzzle, solution, count, others, len(titles))


@lru_cache
def _row_pattern(delimiter: str) -> re.Pattern[bytes]:
    """Return a pattern for the lines of a row of a table."""
    end = delimiter.encode()
    field = _FIELD % (end, end)
    return re.compile(rb"(%s(?:%s%s)*)%s" % (field, end, field, _LINE_END))


def split_row(line: str, delimiter: str) -> list[str]:
    """Return the fields of a row, without the quotes around them."""
    if '"' in line:
        with suppress(csv.Error):  # a field of more than 128 KiB
            return next(csv.reader([line], delimiter=delimiter))
    return line.split(delimiter)
