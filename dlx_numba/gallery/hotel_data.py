"""Rooms and bookings of a hotel, and the files that contain them."""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import count
from typing import NamedTuple

from .data_file import FileEntry, by_name, read_entries

CATEGORIES = ("single", "double", "sea view", "suite")  # in increasing quality
COSTS = {"upgrade": 3, "request": 1}
MAX_COST = 1_000_000
MAX_NIGHTS = 1000  # between the first arrival and the last departure

FIELDS = {
    "categories": ("category", "name"),
    "rooms": ("room", "name", "category", "features"),
    "bookings": ("booking", "name", "category", "features", "arrival", "departure"),
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
    name: str  # differs from those of the other bookings


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
    entries = read_entries(source, FIELDS, "room", "booking")
    costs, names = dict(COSTS), list(COSTS)
    for entry in entries["cost"]:
        costs[names[entry.choice("name", names)]] = entry.number("cost", MAX_COST)
    categories = list(by_name(entries["category"])) or list(CATEGORIES)
    rooms = [
        Room(name, entry.choice("category", categories), entry.texts("features"))
        for name, entry in by_name(entries["room"]).items()
    ]
    bookings: dict[str, Booking] = {}
    for number, entry in enumerate(entries["booking"], 1):
        guest = entry.text() if "name" in entry.cells else str(number)
        stays = (guest if k == 1 else f"{guest}#{k}" for k in count(1))
        name = next(stay for stay in stays if stay not in bookings)
        period, category = entry.period(read=_night), entry.choice("category", categories)
        bookings[name] = Booking(*period, category, entry.texts("features"), name)
    nights = range(
        min(booking.arrival for booking in bookings.values()),
        max(booking.departure for booking in bookings.values()),
    )
    has_dates = "-" in entries["booking"][0].cells["arrival"]
    data = HotelData(rooms, list(bookings.values()), nights, has_dates, categories, costs)
    for entry, booking in zip(entries["booking"], data.bookings, strict=True):
        n_nights = booking.departure - nights.start
        if n_nights > MAX_NIGHTS:
            limit = f"up to {MAX_NIGHTS:,} are supported"
            raise entry.error(f"departs {n_nights:,} nights after the first arrival; {limit}")
        if not any(data.is_suitable(room, booking) for room in rooms):
            suitable = map(repr, categories[booking.category : booking.category + 2])
            raise entry.error(f"fits no room: there is none of category {' or '.join(suitable)}")
    return data


def _night(entry: FileEntry, key: str) -> int:
    """Return the number of a night, or the ordinal of a date."""
    text = entry.text(key)
    if re.fullmatch(r"\d{1,9}", text, re.ASCII):
        return int(text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        with suppress(ValueError):  # such as February 30
            return date.fromisoformat(text).toordinal()
    expected = "a date such as 2026-07-01 or the number of a night"
    raise entry.error(f"the {key} must be {expected}, not {text!r}")
