"""Files that describe a problem by entries, such as rooms and bookings: CSV or JSON."""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields as fields_of
from functools import partial
from typing import NamedTuple

from ..cover.io.json import load_json
from ..runtime.arguments import invalid_choice
from ..runtime.errors import FormatError, UnreadableError
from ..runtime.source import Source
from .entry import Entry

# By key of the JSON object: the kind of the entries in its list, and the columns of each entry
Fields = Mapping[str, tuple[str, ...]]

COLUMNS = {"number": "name", "requests": "features"}  # by other names that JSON may give them


class FileEntry(NamedTuple):
    """An entry in a file. Its methods raise its `error` if a cell is invalid."""

    cells: Mapping[str, str]
    label: str
    error_at: Callable[[str], ValueError]

    def error(self, reason: str) -> ValueError:
        """Return an exception with the place and the reason."""
        name = f" {self.cells['name']!r}" if "name" in self.cells else ""
        return self.error_at(f"{self.label}{name}: {reason}")

    def text(self, key: str = "name") -> str:
        """Return a required text on one line."""
        text = " ".join(self.cells.get(key, "").split())
        if not text.isprintable():
            raise self.error(f"the {key} has characters that cannot be printed: {text!r}")
        if not text:
            raise self.error(f"the {key} is missing")
        return text

    def choice(self, key: str, names: Sequence[str]) -> int:
        """Return the index of a text in a list of names."""
        text = self.text(key)
        if text not in names:
            raise self.error(str(invalid_choice(f"the {key}", text, names)))
        return names.index(text)

    def texts(self, key: str) -> frozenset[str]:
        """Return the texts that semicolons separate."""
        return frozenset(filter(None, map(str.strip, self.cells.get(key, "").split(";"))))

    def number(self, key: str, high: int) -> int:
        """Return an integer from 0 to `high`."""
        text = self.text(key)
        if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or int(text) > high:
            raise self.error(f"the {key} must be an integer from 0 to {high:,}, not {text!r}")
        return int(text)

    def time(self, key: str) -> int:
        """Return a time of day, such as 6:05, in minutes since midnight."""
        match = re.fullmatch(r"(\d\d?):([0-5]\d)", self.text(key), re.ASCII)
        if match is None or int(match[1]) > 24:
            raise self.error(f"the {key} must be a time such as 6:05, not {self.text(key)!r}")
        return 60 * int(match[1]) + int(match[2])

    def period(
        self,
        start: str = "arrival",
        end: str = "departure",
        read: Callable[["FileEntry", str], int] = time,
    ) -> tuple[int, int]:
        """Return a start and a later end, which `read` parses."""
        first, last = read(self, start), read(self, end)
        if last <= first:
            period = f"{self.cells[start]} to {self.cells[end]}"
            raise self.error(f"the {end} must be after the {start}, not {period}")
        return first, last


def read_entries(
    source: str | os.PathLike[str], fields: Fields, *required: str
) -> dict[str, list[FileEntry]]:
    """Read the entries of a JSON or CSV file, whose format is detected.

    Parameters
    ----------
    source
        The path, or `-` for standard input.
    fields
        The kinds of entries and their columns. In JSON, entries with two columns may be an object
        of names and values, and an entry may be its name.
    *required
        The kinds that must have an entry.

    Returns
    -------
    dict of lists
        The entries by their kind. The cells are not checked yet.

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
    columns_of = {kind: columns for kind, *columns in fields.values()}
    entries: dict[str, list[FileEntry]] = {kind: [] for kind in columns_of}
    for kind, entry in read(text, name, fields):
        for column in entry.cells:
            if column not in columns_of[kind]:
                known = ", ".join(columns_of[kind])
                raise entry.error(f"unknown key {column!r}; the known keys are {known}")
        entries[kind].append(entry)
    for kind in required:
        if not entries[kind]:
            raise ValueError(f"{name}: there are no {kind}s")
    return entries


def _read_json(text: str, source: str, fields: Fields) -> Iterator[tuple[str, FileEntry]]:
    try:
        value = load_json(text)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, error.msg) from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    if not isinstance(value, dict) or not value.keys() <= fields.keys():
        raise ValueError(f"{source}: expected a JSON object with the keys {', '.join(fields)}")
    for key, items in value.items():
        kind, *columns = fields[key]
        if isinstance(items, dict) and len(columns) == 2:
            items = [dict(zip(columns, pair, strict=True)) for pair in items.items()]
        if not isinstance(items, list):
            raise ValueError(f"{source}: {key} must be a list, not {items!r}")
        for number, item in enumerate(items, 1):
            cells: dict[str, str] = {}
            entry = FileEntry(
                cells, f"{kind} {number}", lambda text: ValueError(f"{source}: {text}")
            )
            for name, cell in (item if isinstance(item, dict) else {"name": item}).items():
                texts = cell if isinstance(cell, list) else [cell]
                if not all(type(text) in (str, int) for text in texts):
                    raise entry.error(f"the {name} must be a string or an integer, not {cell!r}")
                cells[COLUMNS.get(name, name)] = ";".join(map(str, texts))
            yield kind, entry


def _read_csv(text: str, source: str, fields: Fields) -> Iterator[tuple[str, FileEntry]]:
    kinds = [kind for kind, *_ in fields.values()]
    known = dict.fromkeys(name for _, *names in fields.values() for name in names)
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey="", restval="", strict=True)
    try:
        columns = [name.strip().lower() for name in reader.fieldnames or []]
        if not {"kind"} <= {*columns} <= {"kind", *known} or len({*columns}) < len(columns):
            reason = f"the columns must be kind and some of {', '.join(known)}, each once"
            raise FormatError(source, 1, f"{reason}, not {', '.join(columns) or 'none'}")
        reader.fieldnames = columns
        for row in reader:
            error = partial(FormatError, source, reader.line_num)
            if any(map(str.strip, row.pop("", []))):
                raise error(f"the row has more cells than the header, which has {len(columns)}")
            cells = {name: cell.strip() for name, cell in row.items() if cell.strip()}
            if cells:
                kind = cells.pop("kind", "")
                if kind not in kinds:
                    raise error(str(invalid_choice("the kind", kind, kinds)))
                yield kind, FileEntry(cells, kind, error)
    except csv.Error as problem:
        raise FormatError(source, reader.line_num + 1, f"not valid CSV: {problem}") from None


def by_name(entries: Sequence[FileEntry]) -> dict[str, FileEntry]:
    """Return entries of one kind by their names, or raise the error of one that repeats a name."""
    named: dict[str, FileEntry] = {}
    for entry in entries:
        if named.setdefault(entry.text(), entry) is not entry:
            raise entry.error("the name is listed twice")
    return named


def reject_other_parameters(entry: Entry, *allowed: str) -> None:
    """Raise ValueError if a parameter besides `file` and those allowed is not the default."""
    for field in fields_of(entry):
        if field.name not in ("file", *allowed) and getattr(entry, field.name) != field.default:
            raise ValueError(f"file cannot be combined with {field.name}")
