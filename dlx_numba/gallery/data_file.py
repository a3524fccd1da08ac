"""Files that describe a problem by entries, such as rooms and bookings: CSV or JSON."""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields as fields_of
from typing import Any, NamedTuple

from ..runtime.arguments import invalid_choice
from ..runtime.errors import FormatError, UnreadableError
from ..runtime.source import Source
from .entry import Entry

# By key of the JSON object: the kind of the entries in its list, and the keys of each entry. The
# first of these is the name.
Fields = Mapping[str, tuple[str, ...]]

COLUMNS = {"number": "name", "requests": "features"}  # of CSV, if their names are not the keys


class FileEntry(NamedTuple):
    """An entry in a file. Its methods raise its `error` if a value is invalid."""

    kind: str
    fields: Mapping[str, Any]  # by the keys of the JSON form
    source: str
    line: int | None  # None in JSON
    label: str

    def error(self, reason: str) -> ValueError:
        """Return an exception with the place and the reason."""
        reason = f"{self.label}: {reason}"
        if self.line is None:
            return ValueError(f"{self.source}: {reason}")
        return FormatError(self.source, self.line, reason)

    def value(self, key: str) -> Any:
        """Return a value that is required."""
        value = self.fields.get(key, "")
        if value == "":
            raise self.error(f"the {key} is missing")
        return value

    def name(self, key: str = "name") -> str:
        """Return a name on one line."""
        value = self.value(key)
        name = " ".join(str(value).split())
        if isinstance(value, bool) or not isinstance(value, str | int) or not name.isprintable():
            raise self.error(f"the {key} must be a string, not {value!r}")
        return name

    def choice(self, key: str, names: Sequence[str]) -> int:
        """Return the index of a value in a list of names."""
        value = self.value(key)
        if value not in names:
            raise self.error(str(invalid_choice(f"the {key}", value, names)))
        return names.index(value)

    def texts(self, key: str) -> frozenset[str]:
        """Return a list of strings as a set; in CSV, semicolons separate them."""
        values = self.fields.get(key, "")
        if self.line is not None or values == "":
            values = [part.strip() for part in values.split(";") if part.strip()]
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.error(f"{key} must be a list of strings, not {values!r}")
        return frozenset(values)

    def number(self, key: str, high: int) -> int:
        """Return an integer from 0 to `high`."""
        value = self.value(key)
        is_number = isinstance(value, int) or (isinstance(value, str) and self.line is not None)
        text = str(value)
        if not is_number or not re.fullmatch(r"\d{1,9}", text, re.ASCII) or int(text) > high:
            raise self.error(f"a {key} must be an integer from 0 to {high:,}, not {value!r}")
        return int(text)

    def time(self, key: str) -> int:
        """Return a time of day, such as 6:05, in minutes since midnight."""
        value = self.value(key)
        match = re.fullmatch(r"(\d\d?):([0-5]\d)", str(value), re.ASCII)
        if match is None or int(match[1]) > 24:
            raise self.error(f"the {key} must be a time such as 6:05, not {value!r}")
        return 60 * int(match[1]) + int(match[2])

    def period(
        self,
        start: str = "arrival",
        end: str = "departure",
        read: Callable[[str], int] | None = None,
    ) -> tuple[int, int]:
        """Return a start and a later end. `read` parses them, by default `time`."""
        first, last = map(read or self.time, (start, end))
        if last <= first:
            period = f"{self.fields[start]} to {self.fields[end]}"
            raise self.error(f"the {end} must be after the {start}, not {period}")
        return first, last


def read_entries(
    source: str | os.PathLike[str], fields: Fields
) -> tuple[str, dict[str, list[FileEntry]]]:
    """Read the entries of a JSON or CSV file, whose format is detected.

    Parameters
    ----------
    source
        The path, or `-` for standard input.
    fields
        The kinds of entries and their fields. In JSON, entries with two fields may be an object of
        names and values, and an entry may be its name.

    Returns
    -------
    (str, dict of lists)
        The name of the file, and the entries by their kind. The values are not checked yet.

    Raises
    ------
    UnreadableError
        If the file cannot be opened, or does not contain text.
    FormatError
        If a line of the file is invalid.
    ValueError
        If the file is invalid elsewhere; names the file and the entry.
    """
    with Source(source) as opened:
        content, name = opened.read_all(), opened.name
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableError(name, "not text in UTF-8") from None
    read = _read_json if text.lstrip()[:1] in ("{", "[") else _read_csv
    keys_of = {kind: keys for kind, *keys in fields.values()}
    by_kind: dict[str, list[FileEntry]] = {kind: [] for kind in keys_of}
    for entry in read(text, name, fields):
        for key in entry.fields:
            if key not in keys_of[entry.kind]:
                known = ", ".join(keys_of[entry.kind])
                raise entry.error(f"unknown key {key!r}; the known keys are {known}")
        by_kind[entry.kind].append(entry)
    return name, by_kind


def _read_json(text: str, source: str, fields: Fields) -> Iterator[FileEntry]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, f"not valid JSON: {error.msg}") from None
    except RecursionError:
        raise ValueError(f"{source}: the JSON value is nested too deeply") from None
    known = ", ".join(fields)
    if not isinstance(value, dict):
        raise ValueError(f"{source}: expected a JSON object with the keys {known}")
    for key, items in value.items():
        if key not in fields:
            raise ValueError(f"{source}: unknown key {key!r}; the known keys are {known}")
        kind, *keys = fields[key]
        if isinstance(items, dict) and len(keys) == 2:
            items = [dict(zip(keys, pair, strict=True)) for pair in items.items()]
        if not isinstance(items, list):
            raise ValueError(f"{source}: {key} must be a list, not {items!r}")
        for number, item in enumerate(items, 1):
            values = item if isinstance(item, dict) else {keys[0]: item}
            name = values.get(keys[0])
            label = f"{kind} {number}" + f" ({name!r})" * isinstance(name, str | int)
            yield FileEntry(kind, values, source, None, label)


def _read_csv(text: str, source: str, fields: Fields) -> Iterator[FileEntry]:
    keys_of = {
        kind: {COLUMNS.get(key, key): key for key in keys} for kind, *keys in fields.values()
    }
    known = dict.fromkeys(["kind", *(column for each in keys_of.values() for column in each)])
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = [name.strip().lower() for name in next(reader, [])]
        for name in ["kind", *columns]:
            if name not in known:
                reason = f"unknown column {name!r}; the columns are {', '.join(known)}"
                raise FormatError(source, 1, reason)
            if (count := columns.count(name)) != 1:
                problem = "appears twice" if count else "is missing"
                raise FormatError(source, 1, f"column {name!r} {problem}")
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells[len(columns) :]):
                reason = f"the row has {len(cells)} cells, but the header has {len(columns)}"
                raise FormatError(source, reader.line_num, reason)
            if any(cells):
                values = {name: cell for name, cell in zip(columns, cells, strict=False) if cell}
                kind = values.pop("kind", "")
                if kind not in keys_of:
                    reason = str(invalid_choice("the kind", kind, keys_of))
                    raise FormatError(source, reader.line_num, reason)
                label = f"{kind} {values['name']!r}" if "name" in values else kind
                named = {keys_of[kind].get(column, column): values[column] for column in values}
                yield FileEntry(kind, named, source, reader.line_num, label)
    except csv.Error as problem:
        raise FormatError(source, max(1, reader.line_num), f"not valid CSV: {problem}") from None


def by_name(entries: Sequence[FileEntry], key: str = "name") -> dict[str, FileEntry]:
    """Return entries of one kind by their names, or raise the error of one that repeats a name."""
    named: dict[str, FileEntry] = {}
    for entry in entries:
        if named.setdefault(entry.name(key), entry) is not entry:
            raise entry.error(f"the {entry.kind} is listed twice")
    return named


def require_entries(source: str, entries: Mapping[str, Sequence[FileEntry]], *kinds: str) -> None:
    """Raise ValueError if there are no entries of one of the kinds."""
    for kind in kinds:
        if not entries[kind]:
            raise ValueError(f"{source}: there are no {kind}s")


def reject_other_parameters(entry: Entry, *allowed: str) -> None:
    """Raise ValueError if a parameter besides `file` and those allowed is not the default."""
    for field in fields_of(entry):
        if field.name not in ("file", *allowed) and getattr(entry, field.name) != field.default:
            raise ValueError(f"file cannot be combined with {field.name}")
