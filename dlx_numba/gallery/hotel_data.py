"""Rooms and bookings of a hotel, and the files that contain them."""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from ..runtime.errors import FormatError, UnreadableError
from ..runtime.source import Source

CATEGORIES = ("single", "double", "sea view", "suite")  # in increasing quality
COSTS = {"upgrade": 3, "request": 1}
MAX_COST = 1_000_000
MAX_NIGHTS = 1000  # between the first arrival and the last departure

# The keys of JSON objects, and the columns of CSV files, whose rows use the columns of their kind.
KEYS = ("categories", "rooms", "bookings", "costs")
ROOM_KEYS = ("number", "category", "features")
BOOKING_KEYS = ("name", "category", "requests", "arrival", "departure")
OPTIONAL_KEYS = ("name", "features", "requests")
COLUMNS = ("kind", "name", "category", "features", "arrival", "departure", "cost")
OPTIONAL_COLUMNS = ("features", "cost")
COLUMNS_BY_KIND = {
    "category": ("name",),
    "room": ("name", "category", "features"),
    "booking": ("name", "category", "features", "arrival", "departure"),
    "cost": ("name", "cost"),
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


class _Record(NamedTuple):
    """A category, room, booking or cost in a file, with the keys of the JSON form."""

    kind: str
    fields: dict[str, Any]
    error: ErrorFactory


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


def _read_json(text: str, source: str) -> Iterator[_Record]:
    """Yield the entries of a JSON object with the keys `KEYS`."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(source, error.lineno, f"not valid JSON: {error.msg}") from None
    except RecursionError:
        raise ValueError(f"{source}: the JSON value is nested too deeply") from None
    _check_object(
        value, KEYS, ("categories", "costs"), lambda text: ValueError(f"{source}: {text}")
    )
    for key, kind, keys in (
        ("categories", "category", ()),
        ("rooms", "room", ROOM_KEYS),
        ("bookings", "booking", BOOKING_KEYS),
    ):
        entries = value.get(key, [])
        if not isinstance(entries, list):
            raise ValueError(f"{source}: {key} must be a list, not {entries!r}")
        for number, entry in enumerate(entries, 1):
            fields = {"name": entry} if kind == "category" else entry
            entry_error = _json_error(source, f"{kind} {number}", fields)
            if keys:
                _check_object(fields, keys, OPTIONAL_KEYS, entry_error)
            yield _Record(kind, {"name": str(number), **fields}, entry_error)
    costs = value.get("costs", {})
    if not isinstance(costs, dict):
        raise ValueError(f"{source}: costs must be an object, not {costs!r}")
    for name, cost in costs.items():
        yield _Record("cost", {"name": name, "cost": cost}, _json_error(source, "costs", None))


def _json_error(source: str, entry: str, fields: Any) -> ErrorFactory:
    """Return a function that creates errors for an entry, with its name if it has one."""
    name = fields.get("name", fields.get("number")) if isinstance(fields, dict) else None
    label = f"{entry} ({name!r})" if isinstance(name, str | int) else entry
    return lambda reason: ValueError(f"{source}: {label}: {reason}")


def _read_csv(text: str, source: str) -> Iterator[_Record]:
    """Yield the rows of a CSV file with the columns `COLUMNS`, in any order."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = _check_columns(next(reader, []), _csv_error(source, 1))
        n_bookings = 0
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            error = _csv_error(source, reader.line_num)
            if any(cells[len(columns) :]):
                raise error(f"the row has {len(cells)} cells, but the header has {len(columns)}")
            fields: dict[str, Any] = dict(zip(columns, cells, strict=False))
            kind = fields.pop("kind", "")
            if kind not in COLUMNS_BY_KIND:
                raise error(f"the kind must be one of {', '.join(COLUMNS_BY_KIND)}, not {kind!r}")
            for name, cell in fields.items():
                if cell and name not in COLUMNS_BY_KIND[kind]:
                    raise error(f"a {kind} has no {name}")
            n_bookings += kind == "booking"
            yield _csv_record(kind, fields, n_bookings, source, reader.line_num)
    except csv.Error as problem:
        raise FormatError(source, max(1, reader.line_num), f"not valid CSV: {problem}") from None


def _csv_record(
    kind: str, cells: dict[str, Any], n_bookings: int, source: str, line: int
) -> _Record:
    """Return the record of a row, whose cells are given by column."""
    name, cost = cells.get("name", ""), cells.get("cost", "")
    features = [each.strip() for each in cells.get("features", "").split(";") if each.strip()]
    label = f"{kind} {name!r}: " if name else f"{kind}: "
    if kind == "booking" and not name:
        name = str(n_bookings)
    fields = {
        **cells,
        "name": name,
        "number": name,
        "features": features,
        "requests": features,
        "cost": int(cost) if re.fullmatch(r"\d{1,9}", cost, re.ASCII) else cost,
    }
    return _Record(kind, fields, _csv_error(source, line, label))


def _csv_error(source: str, line: int, label: str = "") -> ErrorFactory:
    """Return a function that creates errors for a line."""
    return lambda reason: FormatError(source, line, label + reason)


def _check_columns(header: Iterable[str], error: ErrorFactory) -> list[str]:
    """Return the names of the columns, or raise the error."""
    columns = [name.strip().lower() for name in header]
    for name in columns:
        if name not in COLUMNS:
            raise error(f"unknown column {name!r}; the columns are {', '.join(COLUMNS)}")
        if columns.count(name) > 1:
            raise error(f"column {name!r} appears twice")
    for name in COLUMNS:
        if name not in columns and name not in OPTIONAL_COLUMNS:
            raise error(f"column {name!r} is missing")
    return columns


def _check_object(
    value: Any, keys: Sequence[str], optional: Sequence[str], error: ErrorFactory
) -> None:
    """Raise the error unless the value is a JSON object with these keys; some are optional."""
    if not isinstance(value, dict):
        raise error(f"expected a JSON object with the keys {', '.join(keys)}")
    for key in value:
        if key not in keys:
            raise error(f"unknown key {key!r}; the known keys are {', '.join(keys)}")
    for key in keys:
        if key not in value and key not in optional:
            raise error(f"key {key!r} is missing")


def _assemble(records: Iterable[_Record], source: str) -> HotelData:
    """Return the data of all records, or raise the error of one of them."""
    by_kind: dict[str, list[_Record]] = {kind: [] for kind in COLUMNS_BY_KIND}
    for record in records:
        by_kind[record.kind].append(record)
    costs = {**COSTS, **dict(map(_cost, by_kind["cost"]))}
    categories = _unique_names(by_kind["category"], "name") or list(CATEGORIES)
    numbers = _unique_names(by_kind["room"], "number")
    rooms = [
        Room(number, _category(record, categories), _features(record, "features"))
        for number, record in zip(numbers, by_kind["room"], strict=True)
    ]
    for kind in ("room", "booking"):
        if not by_kind[kind]:
            raise ValueError(f"{source}: there are no {kind}s")
    has_dates = _night(by_kind["booking"][0], "arrival")[1]
    bookings = [_booking(record, categories, has_dates) for record in by_kind["booking"]]
    nights = range(min(b.arrival for b in bookings), max(b.departure for b in bookings))
    data = HotelData(rooms, bookings, nights, has_dates, categories, costs)
    for record, booking in zip(by_kind["booking"], bookings, strict=True):
        if booking.departure - nights.start > MAX_NIGHTS:
            n_nights = booking.departure - nights.start
            limit = f"up to {MAX_NIGHTS:,} are supported"
            raise record.error(f"departs {n_nights:,} nights after the first arrival; {limit}")
        if not any(data.is_suitable(room, booking) for room in rooms):
            suitable = map(repr, categories[booking.category : booking.category + 2])
            raise record.error(f"fits no room: there is none of category {' or '.join(suitable)}")
    return data


def _booking(record: _Record, categories: list[str], has_dates: bool) -> Booking:
    """Return the booking in a record, or raise the error of the record."""
    nights = []
    for key in ("arrival", "departure"):
        night, is_date = _night(record, key)
        if is_date != has_dates:
            kinds = ("the number of a night", "a date")
            raise record.error(
                f"the {key} is {kinds[is_date]}, but the first arrival is {kinds[has_dates]}"
            )
        nights.append(night)
    arrival, departure = nights
    if departure <= arrival:
        stay = f"{record.fields['arrival']} to {record.fields['departure']}"
        raise record.error(f"the departure must be after the arrival, not {stay}")
    category, requests = _category(record, categories), _features(record, "requests")
    return Booking(arrival, departure, category, requests, _name(record, "name"))


def _unique_names(records: Sequence[_Record], key: str) -> list[str]:
    """Return the names of records of one kind, or raise the error of one that repeats a name."""
    names: list[str] = []
    for record in records:
        name = _name(record, key)
        if name in names:
            raise record.error(f"the {record.kind} is listed twice")
        names.append(name)
    return names


def _name(record: _Record, key: str) -> str:
    """Return a name on one line, or raise the error of the record."""
    value = record.fields[key]
    name = " ".join(str(value).split())
    if isinstance(value, bool) or not isinstance(value, str | int) or not name.isprintable():
        raise record.error(f"the {key} must be a string, not {value!r}")
    if not name:
        raise record.error(f"the {key} is empty")
    return name


def _category(record: _Record, categories: Sequence[str]) -> int:
    """Return the index of a category, or raise the error of the record."""
    name = record.fields.get("category", "")
    if name not in categories:
        raise record.error(f"unknown category {name!r}; the categories are {', '.join(categories)}")
    return categories.index(name)


def _features(record: _Record, key: str) -> frozenset[str]:
    """Return a set of features, or raise the error of the record."""
    values = record.fields.get(key, [])
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise record.error(f"{key} must be a list of strings, not {values!r}")
    return frozenset(values)


def _cost(record: _Record) -> tuple[str, int]:
    """Return the name and the value of a cost, or raise the error of the record."""
    name, cost = record.fields.get("name", ""), record.fields.get("cost", "")
    if name not in COSTS:
        raise record.error(f"unknown cost {name!r}; the costs are {', '.join(COSTS)}")
    if not isinstance(cost, int) or isinstance(cost, bool) or not 0 <= cost <= MAX_COST:
        raise record.error(f"a cost must be an integer from 0 to {MAX_COST:,}, not {cost!r}")
    return name, cost


def _night(record: _Record, key: str) -> tuple[int, bool]:
    """Return the number of a night, and whether it is the ordinal of a date.

    Raises the error of the record if the value is neither a number nor a date.
    """
    value = record.fields.get(key, "")
    text = str(value)
    if not isinstance(value, bool) and re.fullmatch(r"\d{1,9}", text, re.ASCII):
        return int(text), False
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        try:
            return date.fromisoformat(text).toordinal(), True
        except ValueError:  # such as February 30
            pass
    raise record.error(
        f"the {key} must be a date such as 2026-07-01 or the number of a night, not {value!r}"
    )
