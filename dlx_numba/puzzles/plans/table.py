"""CSV and JSON files that describe a plan by rows of a few kinds, such as rooms and bookings."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from ...runtime.errors import FormatError
from ..exact.notation import TextLines
from ..exact.table import Line, read_lines
from ..records import Record

# By key of the JSON object: the kind of the rows in its list, and the columns of each row
Fields = Mapping[str, tuple[str, ...]]


class Row(NamedTuple):
    """A row of a file. Its methods raise ValueError if a cell is invalid."""

    cells: Mapping[str, str]
    kind: str
    record: Record
    line: int = 1  # in the record

    def error(self, reason: str) -> FormatError:
        """Return an exception with the place and the reason."""
        name = f" {self.cells['name']!r}" if "name" in self.cells else ""
        return self.record.error(self.line, f"{self.kind}{name}: {reason}")

    def text(self, key: str = "name") -> str:
        """Return a required text on one line."""
        text = " ".join(self.cells.get(key, "").split())
        if not text:
            raise self.error(f"the {key} is missing")
        return text

    def parse(self, key: str, convert: Callable[[str], int], expected: str) -> int:
        """Return what `convert` returns for a text, unless it raises ValueError."""
        text = self.text(key)
        try:
            return convert(text)
        except ValueError:
            raise self.error(f"the {key} must be {expected}, not {text!r}") from None

    def choice(self, key: str, names: Sequence[str]) -> int:
        """Return the index of a text in a list of names."""
        return self.parse(key, names.index, f"one of {', '.join(names)}")

    def number(self, key: str, high: int, low: int = 0) -> int:
        """Return an integer from `low` to `high`."""
        expected = f"an integer from {low} to {high:,}"
        return self.parse(key, lambda text: low + range(low, high + 1).index(int(text)), expected)

    def texts(self, key: str) -> frozenset[str]:
        """Return the texts that semicolons separate."""
        texts = [text.strip() for text in self.cells.get(key, "").split(";") if text.strip()]
        if len({*texts}) < len(texts):
            raise self.error(f"a text of the {key} is repeated")
        return frozenset(texts)

    def period(
        self,
        convert: Callable[[str], int],
        expected: str,
        start: str = "arrival",
        end: str = "departure",
    ) -> tuple[int, int]:
        """Return a start and a later end; see `parse`."""
        first, last = (self.parse(key, convert, expected) for key in (start, end))
        if last <= first:
            raise self.error(
                f"the {end} must be after the {start}, not {self.cells[start]} to {self.cells[end]}"
            )
        return first, last


def parse_time(text: str) -> int:
    """Return the minutes from midnight to a time of day."""
    time = re.fullmatch("([01]?[0-9]|2[0-3]):([0-5][0-9])", text)
    if time is None:
        raise ValueError(f"{text!r} is no time")
    return 60 * int(time[1]) + int(time[2])


TIME = parse_time, "a time such as 6:05"  # arguments of `Row.period`
LISTS = ("features",)  # columns whose cells may have several texts


def parse_rows(record: Record, fields: Fields, *required: str) -> dict[str, list[Row]]:
    """Return the rows of a CSV text or a JSON object by their kind; cells are not checked yet.

    Parameters
    ----------
    record
        The text or the object.
    fields
        The kinds of rows and their columns. In JSON, rows with two columns are an object of names
        and values, and others a list of objects, or of names.
    *required
        The kinds that must have a row.

    Raises
    ------
    ValueError
        If the file is invalid; names the row, if possible.
    """
    split = _split_csv if record.value is None else _split_json
    columns_of = {kind: columns for kind, *columns in fields.values()}
    rows: dict[str, list[Row]] = {kind: [] for kind in columns_of}
    for kind, row in split(record, fields):
        if kind not in rows:
            raise row.error(f"the kind must be one of {', '.join(rows)}, not {kind!r}")
        for column in row.cells:
            if column not in columns_of[kind]:
                known = ", ".join(columns_of[kind])
                raise row.error(f"unknown column {column!r}; the columns of a {kind} are {known}")
        rows[kind].append(row)
    for kind in required:
        if not rows[kind]:
            raise ValueError(f"there are no {kind}s")
    return rows


def _split_json(record: Record, fields: Fields) -> Iterator[tuple[str, Row]]:
    """Yield each row and its kind."""
    value = record.value
    if not isinstance(value, dict) or not value.keys() <= fields.keys():
        raise ValueError(f"expected a JSON object with the keys {', '.join(fields)}")
    for key, items in value.items():
        kind = fields[key][0]
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise ValueError(f"{key} must be a list of objects")
        for number, item in enumerate(items, 1):
            cells = {name: _as_text(name, cell) for name, cell in item.items() if cell is not None}
            yield kind, Row(cells, f"{kind} {number}", record)


def _as_text(name: str, cell: Any) -> str:
    """Return a text or a number in JSON, or a list of them in a column of lists, as in CSV."""
    texts = cell if isinstance(cell, list) and name in LISTS else [cell]
    if any(type(text) not in (str, int, float) for text in texts):
        raise ValueError(f"the {name} cannot be {cell!r}")
    return ";".join(map(str, texts))


def _split_csv(record: Record, fields: Fields) -> Iterator[tuple[str, Row]]:
    """Yield each row and its kind, which is in a column."""
    lines = TextLines(record.text, "")
    try:
        (_, titles), *rows = read_lines(record.text, lines) or [Line(1, [])]
    except ValueError as error:
        raise record.error(lines.number, str(error)) from None
    columns = [title.lower() for title in titles]
    known = {"kind", *(name for _, *columns in fields.values() for name in columns)}
    for name, n in Counter(columns).items():
        if name not in known or n > 1:
            raise record.error(1, f"unknown or repeated column {name[:20]!r}")
    for number, line in rows:
        cells = {name: cell for name, cell in zip_longest(columns, line, fillvalue="") if cell}
        if cells:
            kind = cells.pop("kind", "")
            yield kind, Row(cells, kind, record, number)


def by_name(rows: Sequence[Row]) -> dict[str, Row]:
    """Return rows of one kind by their names, or raise the error of one that repeats a name."""
    named: dict[str, Row] = {}
    for row in rows:
        if named.setdefault(row.text(), row) is not row:
            raise row.error("the name is listed twice")
    return named
