"""Rooms and bookings of a hotel, and the files that contain them."""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import NamedTuple

from .data_file import FileEntry, by_name, read_entries, require_entries

CATEGORIES = ("single", "double", "sea view", "suite")  # in increasing quality
COSTS = {"upgrade": 3, "request": 1}
MAX_COST = 1_000_000
MAX_NIGHTS = 1000  # between the first arrival and the last departure

FIELDS = {
    "categories": ("category", "name"),
    "rooms": ("room", "number", "category", "features"),
    "bookings": ("booking", "name", "category", "requests", "arrival", "departure"),
    "costs": ("cost", "name", "cost"),
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
    number: int  # its position, from 0


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


def read_hotel(source: str | os.PathLike[str]) -> HotelData:
    """Read rooms and bookings from a JSON or CSV file, whose format is detected.

    Parameters and errors are those of `read_entries`.
    """
    name, entries = read_entries(source, FIELDS)
    costs, names = dict(COSTS), list(COSTS)
    for entry in entries["cost"]:
        number = entry.choice("name", names)
        costs[names[number]] = entry.number("cost", MAX_COST)
    categories = list(by_name(entries["category"])) or list(CATEGORIES)
    rooms = [
        Room(number, entry.choice("category", categories), entry.texts("features"))
        for number, entry in by_name(entries["room"], "number").items()
    ]
    require_entries(name, entries, "room", "booking")
    has_dates = _night(entries["booking"][0], "arrival")[1]
    bookings = [
        _booking(entry, number, categories, has_dates)
        for number, entry in enumerate(entries["booking"])
    ]
    nights = range(min(b.arrival for b in bookings), max(b.departure for b in bookings))
    data = HotelData(rooms, bookings, nights, has_dates, categories, costs)
    for entry, booking in zip(entries["booking"], bookings, strict=True):
        n_nights = booking.departure - nights.start
        if n_nights > MAX_NIGHTS:
            limit = f"up to {MAX_NIGHTS:,} are supported"
            raise entry.error(f"departs {n_nights:,} nights after the first arrival; {limit}")
        if not any(data.is_suitable(room, booking) for room in rooms):
            suitable = map(repr, categories[booking.category : booking.category + 2])
            raise entry.error(f"fits no room: there is none of category {' or '.join(suitable)}")
    return data


def _booking(entry: FileEntry, number: int, categories: list[str], has_dates: bool) -> Booking:
    """Return a booking, whose name is optional, or raise the error of the entry."""

    def read_night(key: str) -> int:
        night, is_date = _night(entry, key)
        if is_date != has_dates:
            kinds = ("the number of a night", "a date")
            raise entry.error(
                f"the {key} is {kinds[is_date]}, but the first arrival is {kinds[has_dates]}"
            )
        return night

    arrival, departure = entry.period(read=read_night)
    category = entry.choice("category", categories)
    name = entry.name() if "name" in entry.fields else str(number + 1)
    return Booking(arrival, departure, category, entry.texts("requests"), name, number)


def _night(entry: FileEntry, key: str) -> tuple[int, bool]:
    """Return the number of a night, and whether it is the ordinal of a date."""
    value = entry.value(key)
    text = str(value)
    if not isinstance(value, bool) and re.fullmatch(r"\d{1,9}", text, re.ASCII):
        return int(text), False
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        with suppress(ValueError):  # such as February 30
            return date.fromisoformat(text).toordinal(), True
    expected = "a date such as 2026-07-01 or the number of a night"
    raise entry.error(f"the {key} must be {expected}, not {value!r}")
