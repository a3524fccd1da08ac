"""CSV and JSON files that describe a plan by rows of a few kinds, such as rooms and bookings."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import NamedTuple

from ...runtime.errors import FormatError
from ...runtime.json import load_json, looks_like_json

# By key of the JSON object: the kind of the rows in its list, and the columns of each row
Fields = Mapping[str, tuple[str, ...]]

COLUMNS = {"number": "name", "requests": "features"}  # by other names that JSON may give them


class Row(NamedTuple):
    """A row of a file. Its methods raise ValueError if a cell is invalid."""

    cells: Mapping[str, str]
    kind: str = ""
    source: str = ""
    line: int = 0  # in a CSV file

    def error(self, reason: str) -> ValueError:
        """Return an exception with the place and the reason."""
        name = f" {self.cells['name']!r}" if "name" in self.cells else ""
        reason = f"{self.kind}{name}: {reason}"
        if self.line:
            return FormatError(self.source, self.line, reason)
        return ValueError(": ".join(filter(None, [self.source, reason])))

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
        return frozenset(filter(None, map(str.strip, self.cells.get(key, "").split(";"))))

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
            period = f"{self.cells[start]} to {self.cells[end]}"
            raise self.error(f"the {end} must be after the {start}, not {period}")
        return first, last


def parse_time(text: str) -> int:
    """Return the minutes from midnight to a time of day."""
    time = datetime.strptime(text, "%H:%M")
    return 60 * time.hour + time.minute


TIME = parse_time, "a time such as 6:05"  # arguments of `Row.period`


def has_rows(head: str, keys: str, *columns: str) -> bool:
    """Return whether a text starts like a table with a kind in each row, and with these columns.

    It may also be a JSON object with a list of objects for one of the keys, a regular expression.

    >>> has_rows("kind,name,size", "gates", "size"), has_rows('{"gates": [{"size"', "gates", "size")
    (True, True)
    """
    if looks_like_json(head):
        rows = re.match(rf'(?s)\s*\{{.*"(?:{keys})"\s*:\s*\[\s*\{{', head)
        return rows is not None and all(f'"{column}"' in head for column in columns)
    header = {column.strip() for column in head.lstrip().partition("\n")[0].lower().split(",")}
    return {"kind", *columns} <= header


def parse_rows(text: str, source: str, fields: Fields, *required: str) -> dict[str, list[Row]]:
    """Return the rows of a JSON or CSV file by their kind; their cells are not checked yet.

    Parameters
    ----------
    text, source
        The content and the name of the file.
    fields
        The kinds of rows and their columns. In JSON, rows with two columns may be an object
        of names and values, and a row may be its name.
    *required
        The kinds that must have a row.

    Raises
    ------
    ValueError
        If the file is invalid; names the file and, if possible, the row.
    """
    split = _split_json if looks_like_json(text) else _split_csv
    try:
        entries = list(split(text, source, fields))
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{source}: {error}") from None
    columns_of = {kind: columns for kind, *columns in fields.values()}
    rows: dict[str, list[Row]] = {kind: [] for kind in columns_of}
    for kind, row in entries:
        if kind not in rows:
            raise row.error(f"the kind must be one of {', '.join(rows)}, not {kind!r}")
        for column in row.cells:
            if column not in columns_of[kind]:
                known = ", ".join(columns_of[kind])
                raise row.error(f"unknown column {column!r}; the columns of a {kind} are {known}")
        rows[kind].append(row)
    for kind in required:
        if not rows[kind]:
            raise ValueError(f"{source}: there are no {kind}s")
    return rows


def _split_json(text: str, source: str, fields: Fields) -> Iterator[tuple[str, Row]]:
    """Yield each row and its kind."""
    value = load_json(text)
    if not isinstance(value, dict) or not value.keys() <= fields.keys():
        raise ValueError(f"expected a JSON object with the keys {', '.join(fields)}")
    for key, items in value.items():
        kind, *columns = fields[key]
        if isinstance(items, dict) and len(columns) == 2:
            items = [dict(zip(columns, pair, strict=True)) for pair in items.items()]
        if not isinstance(items, list):
            raise ValueError(f"{key} must be a list, not {items!r}")
        for number, item in enumerate(items, 1):
            cells = item.items() if isinstance(item, dict) else [("name", item)]
            texts = {
                COLUMNS.get(name, name): ";".join(map(str, cell if type(cell) is list else [cell]))
                for name, cell in cells
                if cell is not None
            }
            yield kind, Row(texts, f"{kind} {number}", source)


def _split_csv(text: str, source: str, fields: Fields) -> Iterator[tuple[str, Row]]:
    """Yield each row and its kind, which is in a column."""
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns = [name.strip().lower() for name in next(filter(None, lines), [])]
    for line in lines:
        pairs = zip_longest(columns, map(str.strip, line), fillvalue="")
        cells = {name: cell for name, cell in pairs if cell}
        if cells:
            kind = cells.pop("kind", "")
            yield kind, Row(cells, kind, source, lines.line_num)


def by_name(rows: Sequence[Row]) -> dict[str, Row]:
    """Return rows of one kind by their names, or raise the error of one that repeats a name."""
    named: dict[str, Row] = {}
    for row in rows:
        if named.setdefault(row.text(), row) is not row:
            raise row.error("the name is listed twice")
    return named
