"""Rooms and bookings of a hotel, and the files that contain them."""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from ..runtime.errors import FormatError, UnreadableError
from ..runtime.source import Source

CATEGORIES = ("single", "double", "sea view", "suite")  # in increasing quality
COSTS = {"upgrade": 3, "request": 1}
MAX_COST = 1_000_000
MAX_NIGHTS = 1000  # between the first arrival and the last departure

# By kind of entry, the keys of its JSON object, and the columns that have their values in CSV.
FIELDS = {
    "category": {"name": "name"},
    "room": {"number": "name", "category": "category", "features": "features"},
    "booking": {
        "name": "name",
        "category": "category",
        "requests": "features",
        "arrival": "arrival",
        "departure": "departure",
    },
    "cost": {"name": "name", "cost": "cost"},
}
LISTS = {"categories": "category", "rooms": "room", "bookings": "booking"}  # of a JSON object
COLUMNS = ("kind", "name", "category", "features", "arrival", "departure", "cost")
OPTIONAL = {
    *(("key", key) for key in ("categories", "costs", "name", "features", "requests")),
    *(("column", column) for column in ("features", "cost")),
}


class Room(NamedTuple):
    """A room of the hotel."""

    number: str
    category: int  # index into the categories
    features: frozenset[str]


class Booking(NamedTuple):
    """A request for a room."""

    arrival: int  # the first night
    departure: int  # the day after the last night
    category: int  # index into the categories
    requests: frozenset[str]  # features that the room should have
    name: str


class HotelData(NamedTuple):
    """The rooms and bookings of a hotel, with the terms of their assignment."""

    rooms: Sequence[Room]
    bookings: Sequence[Booking]
    nights: range  # all nights; ordinals of dates if `has_dates`
    has_dates: bool = False
    categories: Sequence[str] = CATEGORIES  # in increasing quality
    costs: Mapping[str, int] = COSTS

    def is_suitable(self, room: Room, booking: Booking) -> bool:
        """Return whether the room has the booked category, or the next better one."""
        return 0 <= room.category - booking.category <= 1

    def night_name(self, night: int) -> str:
        """Return the date of a night in the ISO format, or its number."""
        return date.fromordinal(night).isoformat() if self.has_dates else str(night)


ErrorFactory = Callable[[str], ValueError]  # returns an exception with the place and the reason


class _Entry(NamedTuple):
    """A category, room, booking or cost in a file, with the keys of the JSON form."""

    kind: str
    fields: dict[str, Any]
    source: str
    line: int | None  # None in JSON
    label: str

    def error(self, reason: str) -> ValueError:
        """Return an exception with the place and the reason."""
        return _error(self.source, self.line, f"{self.label}: {reason}")

    def name(self, key: str = "name") -> str:
        """Return a name on one line, or raise the error of the entry."""
        value = self.fields[key]
        name = " ".join(str(value).split())
        if isinstance(value, bool) or not isinstance(value, str | int) or not name.isprintable():
            raise self.error(f"the {key} must be a string, not {value!r}")
        if not name:
            raise self.error(f"the {key} is empty")
        return name

    def category(self, categories: Sequence[str]) -> int:
        """Return the index of the category, or raise the error of the entry."""
        name = self.fields["category"]
        if name not in categories:
            names = ", ".join(categories)
            raise self.error(f"unknown category {name!r}; the categories are {names}")
        return categories.index(name)

    def features(self, key: str) -> frozenset[str]:
        """Return a set of features, or raise the error of the entry."""
        values = self.fields.get(key, [])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.error(f"{key} must be a list of strings, not {values!r}")
        return frozenset(values)

    def cost(self) -> tuple[str, int]:
        """Return the name and the value of a cost, or raise the error of the entry."""
        name, cost = self.fields["name"], self.fields["cost"]
        if name not in COSTS:
            raise self.error(f"unknown cost {name!r}; the costs are {', '.join(COSTS)}")
        if not isinstance(cost, int) or isinstance(cost, bool) or not 0 <= cost <= MAX_COST:
            raise self.error(f"a cost must be an integer from 0 to {MAX_COST:,}, not {cost!r}")
        return name, cost

    def night(self, key: str) -> tuple[int, bool]:
        """Return the number of a night, and whether it is the ordinal of a date.

        Raises the error of the entry if the value is neither a number nor a date.
        """
        value = self.fields[key]
        text = str(value)
        if not isinstance(value, bool) and re.fullmatch(r"\d{1,9}", text, re.ASCII):
            return int(text), False
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
            with suppress(ValueError):  # such as February 30
                return date.fromisoformat(text).toordinal(), True
        expected = "a date such as 2026-07-01 or the number of a night"
        raise self.error(f"the {key} must be {expected}, not {value!r}")


def _error(source: str, line: int | None, reason: str) -> ValueError:
    return ValueError(f"{source}: {reason}") if line is None else FormatError(source, line, reason)


def read_hotel(source: str | os.PathLike[str]) -> HotelData:
    """Read rooms and bookings from a JSON or CSV file, whose format is detected.

    Parameters
    ----------
    source
        The path, or `-` for standard input.

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
    is_json = text.lstrip()[:1] in ("{", "[")
    return _assemble(_read_json(text, name) if is_json else _read_csv(text, name), name)


def _read_json(text: str, source: str) -> Iterator[_Entry]:
    """Yield the entries of a JSON object."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, f"not valid JSON: {error.msg}") from None
    except RecursionError:
        raise ValueError(f"{source}: the JSON value is nested too deeply") from None
    _check_object(value, [*LISTS, "costs"], partial(_error, source, None))
    for key, kind in LISTS.items():
        entries = value.get(key, [])
        if not isinstance(entries, list):
            raise ValueError(f"{source}: {key} must be a list, not {entries!r}")
        for number, fields in enumerate(entries, 1):
            label = f"{kind} {number}"
            if kind == "category":
                fields = {"name": fields}
            elif isinstance(fields, dict):
                name = fields.get("name", fields.get("number"))
                label += f" ({name!r})" if isinstance(name, str | int) else ""
            entry = _Entry(kind, fields, source, None, label)
            _check_object(fields, FIELDS[kind], entry.error)
            yield entry._replace(fields={"name": str(number), **fields})
    costs = value.get("costs", {})
    if not isinstance(costs, dict):
        raise ValueError(f"{source}: costs must be an object, not {costs!r}")
    for name, cost in costs.items():
        yield _Entry("cost", {"name": name, "cost": cost}, source, None, "costs")


def _check_object(value: Any, keys: Collection[str], error: ErrorFactory) -> None:
    """Raise the error unless the value is a JSON object with these keys; some are optional."""
    if not isinstance(value, dict):
        raise error(f"expected a JSON object with the keys {', '.join(keys)}")
    _check_names("key", list(value), keys, f"the known keys are {', '.join(keys)}", error)


def _check_names(
    noun: str, names: Sequence[str], known: Collection[str], advice: str, error: ErrorFactory
) -> None:
    """Raise the error if a name is unknown or repeated, or one that is not optional is missing."""
    for name in names:
        if name not in known:
            raise error(f"unknown {noun} {name!r}; {advice}")
        if names.count(name) > 1:
            raise error(f"{noun} {name!r} appears twice")
    for name in known:
        if name not in names and (noun, name) not in OPTIONAL:
            raise error(f"{noun} {name!r} is missing")


def _read_csv(text: str, source: str) -> Iterator[_Entry]:
    """Yield the rows of a CSV file with the columns `COLUMNS`, in any order."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = [name.strip().lower() for name in next(reader, [])]
        advice = f"the columns are {', '.join(COLUMNS)}"
        _check_names("column", columns, COLUMNS, advice, partial(FormatError, source, 1))
        n_bookings = 0
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells[len(columns) :]):
                reason = f"the row has {len(cells)} cells, but the header has {len(columns)}"
                raise FormatError(source, reader.line_num, reason)
            if any(cells):
                fields = dict.fromkeys(COLUMNS, "") | dict(zip(columns, cells, strict=False))
                n_bookings += fields["kind"] == "booking"
                yield _csv_entry(fields, n_bookings, source, reader.line_num)
    except csv.Error as problem:
        raise FormatError(source, max(1, reader.line_num), f"not valid CSV: {problem}") from None


def _csv_entry(cells: dict[str, Any], n_bookings: int, source: str, line: int) -> _Entry:
    """Return the entry in a row, whose cells are given by column."""
    kind = cells.pop("kind")
    if kind not in FIELDS:
        reason = f"the kind must be one of {', '.join(FIELDS)}, not {kind!r}"
        raise FormatError(source, line, reason)
    for column, cell in cells.items():
        if cell and column not in FIELDS[kind].values():
            raise FormatError(source, line, f"a {kind} has no {column}")
    label = f"{kind} {cells['name']!r}" if cells["name"] else kind
    if kind == "booking" and not cells["name"]:
        cells["name"] = str(n_bookings)
    cells["features"] = [part.strip() for part in cells["features"].split(";") if part.strip()]
    if re.fullmatch(r"\d{1,9}", cells["cost"], re.ASCII):
        cells["cost"] = int(cells["cost"])
    fields = {key: cells[column] for key, column in FIELDS[kind].items()}
    return _Entry(kind, fields, source, line, label)


def _assemble(entries: Iterable[_Entry], source: str) -> HotelData:
    """Return the data of all entries, or raise the error of one of them."""
    by_kind: dict[str, list[_Entry]] = {kind: [] for kind in FIELDS}
    for entry in entries:
        by_kind[entry.kind].append(entry)
    costs = {**COSTS, **dict(entry.cost() for entry in by_kind["cost"])}
    categories = _unique_names(by_kind["category"], "name") or list(CATEGORIES)
    numbers = _unique_names(by_kind["room"], "number")
    rooms = [
        Room(number, entry.category(categories), entry.features("features"))
        for number, entry in zip(numbers, by_kind["room"], strict=True)
    ]
    for kind in ("room", "booking"):
        if not by_kind[kind]:
            raise ValueError(f"{source}: there are no {kind}s")
    has_dates = by_kind["booking"][0].night("arrival")[1]
    bookings = [_booking(entry, categories, has_dates) for entry in by_kind["booking"]]
    nights = range(min(b.arrival for b in bookings), max(b.departure for b in bookings))
    data = HotelData(rooms, bookings, nights, has_dates, categories, costs)
    for entry, booking in zip(by_kind["booking"], bookings, strict=True):
        n_nights = booking.departure - nights.start
        if n_nights > MAX_NIGHTS:
            limit = f"up to {MAX_NIGHTS:,} are supported"
            raise entry.error(f"departs {n_nights:,} nights after the first arrival; {limit}")
        if not any(data.is_suitable(room, booking) for room in rooms):
            suitable = map(repr, categories[booking.category : booking.category + 2])
            raise entry.error(f"fits no room: there is none of category {' or '.join(suitable)}")
    return data


def _booking(entry: _Entry, categories: list[str], has_dates: bool) -> Booking:
    """Return a booking, or raise the error of the entry."""
    nights = []
    for key in ("arrival", "departure"):
        night, is_date = entry.night(key)
        if is_date != has_dates:
            kinds = ("the number of a night", "a date")
            raise entry.error(
                f"the {key} is {kinds[is_date]}, but the first arrival is {kinds[has_dates]}"
            )
        nights.append(night)
    arrival, departure = nights
    if departure <= arrival:
        stay = f"{entry.fields['arrival']} to {entry.fields['departure']}"
        raise entry.error(f"the departure must be after the arrival, not {stay}")
    category, requests = entry.category(categories), entry.features("requests")
    return Booking(arrival, departure, category, requests, entry.name())


def _unique_names(entries: Iterable[_Entry], key: str) -> list[str]:
    """Return the names of entries of one kind, or raise the error of one that repeats a name."""
    names: list[str] = []
    for entry in entries:
        name = entry.name(key)
        if name in names:
            raise entry.error(f"the {entry.kind} is listed twice")
        names.append(name)
    return names
