"""Bookings in the rooms of a hotel."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import count, product
from operator import attrgetter, itemgetter
from random import Random
from typing import NamedTuple

from ..svg.timetable import Bar, timetable_picture
from .data_file import FileEntry, by_name, read_entries, reject_other_parameters
from .entry import Entry, OptionNames, Rows, Statement
from .parameters import check_range

CATEGORIES = ("single", "double", "sea view", "suite")  # in increasing quality
COSTS = {"upgrade": 3, "request": 1}
MAX_COST = 1_000_000
MAX_NIGHTS = 1000  # between the first arrival and the last departure

FEATURES = ("balcony", "quiet", "bath", "desk")
GUESTS = "Adams Baker Clark Davis Evans Fisher Green Harris Irwin Jones King Lewis Moore Nash"
LEGEND = {3: "as booked", 2: "a request is not met", 1: "in a better category"}

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


@dataclass(frozen=True)
class Hotel(Entry):
    """Assign each booking of a hotel to a suitable room, at the lowest cost.

    Items: each booking.
    Secondary items: each room on each night.
    Options: a booking in a room of the booked category, or of the next better one, covers the room
    on all nights of the stay. A better category costs 3, and each request that the room does not
    meet costs 1, unless a file states other costs.

    Parameters
    ----------
    rooms
        The number of rooms, from 1 to 100.
    nights
        The number of nights, from 2 to 100.
    bookings
        The number of bookings, up to 5/6 of the rooms times the nights.
    seed
        The seed for the random rooms and bookings.
    file
        A JSON or CSV file of rooms and bookings, which replaces the random ones; `-` for standard
        input.

    Notes
    -----
    Random bookings are generated from a feasible assignment, so that there is always a solution.

    >>> Hotel(rooms=4, nights=7, bookings=9).cover().cheapest()
    [(7, [0, 1, 3, 5, 6, 8, 9, 11, 13])]
    """

    rooms: int = 12
    nights: int = 14
    bookings: int = 40
    seed: int = 1
    file: str = ""

    def __post_init__(self) -> None:
        if self.file:
            reject_other_parameters(self)
            _ = self.data  # reports an invalid file now
            return
        check_range("rooms", self.rooms, 1, 100)
        check_range("nights", self.nights, 2, 100)
        check_range("bookings", self.bookings, 1, self.rooms * self.nights * 5 // 6)

    @cached_property
    def data(self) -> HotelData:
        """The rooms and bookings, read or generated."""
        if self.file:
            return read_hotel(self.file)
        rng = Random(self.seed)
        rooms = generate_rooms(self.rooms, rng)
        bookings = generate_bookings(rooms, self.nights, self.bookings, rng)
        return HotelData(rooms, bookings, range(self.nights))

    @cached_property
    def assignments(self) -> list[tuple[Booking, Room]]:
        """The possible pairs of a booking and a room."""
        pairs = product(self.data.bookings, self.data.rooms)
        return [(booking, room) for booking, room in pairs if self.data.is_suitable(room, booking)]

    def statement(self) -> Statement:
        data = self.data
        nights = [data.night_name(night) if data.has_dates else night for night in data.nights]
        options, costs = [], []
        for booking, room in self.assignments:
            first = data.nights.start
            stay = nights[booking.arrival - first : booking.departure - first]
            options.append([("booking", booking.name), *(("room", room.number, n) for n in stay)])
            costs.append(
                data.costs["request"] * len(booking.requests - room.features)
                + data.costs["upgrade"] * (room.category - booking.category)
            )
        items = [("booking", booking.name) for booking in data.bookings]
        secondary = [("room", room.number, night) for room in data.rooms for night in nights]
        return Statement(options, items, secondary, costs=costs)

    def _names(self, options: Rows) -> OptionNames:
        for booking, room in self.assignments:
            first, last = map(self.data.night_name, (booking.arrival, booking.departure - 1))
            nights = f"night {first}" if first == last else f"nights {first}–{last}"
            yield f"room {room.number}: {nights}, booking {booking.name}"

    def text(self, solution: list[int]) -> str:
        stays = [self.assignments[option] for option in solution]
        lines = []
        for room in self.data.rooms:
            lines.append(self._room_name(room))
            bookings = [booking for booking, other in stays if other == room]
            for booking in sorted(bookings, key=attrgetter("arrival")):
                arrival, departure = map(self.data.night_name, booking[:2])
                deviations = ", ".join(self._deviations(booking, room))
                remark = f" ({deviations})" if deviations else ""
                lines.append(f"  {arrival} to {departure}  {booking.name}{remark}")
            if not bookings:
                lines.append("  no bookings")
        return "\n".join(lines)

    def _deviations(self, booking: Booking, room: Room) -> list[str]:
        """Return the differences between a booking and the room that it is assigned to."""
        deviations = [f"no {request}" for request in sorted(booking.requests - room.features)]
        if room.category > booking.category:
            deviations.insert(0, f"booked as {self.data.categories[booking.category]}")
        return deviations

    def _room_name(self, room: Room) -> str:
        return f"{room.number} {self.data.categories[room.category]}"

    def svg(self, solution: list[int]) -> str:
        data, first = self.data, self.data.nights.start
        labels = [data.night_name(night) for night in range(first, data.nights.stop + 1)]
        if data.has_dates:
            labels = [label[len("2026-") :] for label in labels]  # month and day
        bars = []
        for booking, room in (self.assignments[option] for option in solution):
            is_met = booking.requests <= room.features
            color = 1 if room.category > booking.category else 3 if is_met else 2
            start, end = booking.arrival - first, booking.departure - first
            bars.append(Bar(data.rooms.index(room), start, end, booking.name, color))
        return timetable_picture(
            "Rooms and bookings",
            list(map(self._room_name, data.rooms)),
            labels,
            bars,
            legend=LEGEND,
            axes=("room", "date" if data.has_dates else "day"),
        )


def generate_rooms(n_rooms: int, rng: Random) -> list[Room]:
    """Generate rooms, about the same number in each category, with two features each.

    >>> [room.category for room in generate_rooms(6, Random(1))]
    [0, 0, 1, 2, 2, 3]
    """
    return [
        Room(str(101 + room), room * len(CATEGORIES) // n_rooms, frozenset(rng.sample(FEATURES, 2)))
        for room in range(n_rooms)
    ]


def generate_bookings(
    rooms: list[Room], n_nights: int, n_bookings: int, rng: Random
) -> list[Booking]:
    """Generate bookings that fit into the rooms, sorted by arrival.

    The nights of the rooms are split into stays, and five out of six stays are booked, some of
    them in a category below that of the room.

    >>> generate_bookings(generate_rooms(1, Random(1)), 14, 2, Random(1))[1][:3]
    (3, 13, 0)
    """
    stays = [(0, n_nights, room) for room in rooms]
    while len(stays) * 5 < n_bookings * 6:
        longest = max(stays, key=lambda stay: stay[1] - stay[0])
        stays.remove(longest)
        arrival, departure, room = longest
        split = rng.randint(arrival + 1, departure - 1)
        stays += [(arrival, split, room), (split, departure, room)]
    bookings = []
    for arrival, departure, room in rng.sample(stays, n_bookings):
        category = max(0, room.category - (rng.random() < 0.1))
        requests = frozenset(rng.sample(FEATURES, rng.randint(0, 2)))
        bookings.append((arrival, departure, category, requests))
    bookings.sort(key=itemgetter(slice(3)))
    guests = GUESTS.split()
    names = [guests[k % len(guests)] + str(k // len(guests) or "") for k in range(n_bookings)]
    return [Booking(*booking, name) for booking, name in zip(bookings, names, strict=True)]


def read_hotel(source: str) -> HotelData:
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
