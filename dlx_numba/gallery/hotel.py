"""Bookings in the rooms of a hotel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import count
from operator import itemgetter
from random import Random
from typing import NamedTuple

from ..pictures.timetable import Bar, timetable_picture
from .data_file import by_name, read_rows, reject_other_parameters
from .entry import Entry, Statement
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
    days: Sequence[int | str]  # the number or the date of each day, up to the last departure
    categories: Sequence[str] = CATEGORIES  # in increasing quality
    costs: Mapping[str, int] = COSTS


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
        else:
            check_range("rooms", self.rooms, 1, 100)
            check_range("nights", self.nights, 2, 100)
            check_range("bookings", self.bookings, 1, self.rooms * self.nights * 5 // 6)
        _ = self.data  # reports an invalid file now

    @cached_property
    def data(self) -> HotelData:
        """The rooms and bookings, read or generated."""
        if self.file:
            return read_hotel(self.file)
        rng = Random(self.seed)
        rooms = generate_rooms(self.rooms, rng)
        bookings = generate_bookings(rooms, self.nights, self.bookings, rng)
        return HotelData(rooms, bookings, range(self.nights + 1))

    @cached_property
    def assignments(self) -> list[tuple[Booking, Room]]:
        """The possible pairs of a booking and a room, of its category or the next better one."""
        return [
            (booking, room)
            for booking in self.data.bookings
            for room in self.data.rooms
            if 0 <= room.category - booking.category <= 1
        ]

    def statement(self) -> Statement:
        rooms, bookings, days, _, costs_of = self.data
        options, costs = {}, []
        for booking, room in self.assignments:
            stay = days[booking.arrival : booking.departure]
            nights = f"nights {stay[0]}–{stay[-1]}" if len(stay) > 1 else f"night {stay[0]}"
            name = f"room {room.number}: {nights}, booking {booking.name}"
            options[name] = [("booking", booking.name), *(("room", room.number, n) for n in stay)]
            costs.append(
                costs_of["request"] * len(booking.requests - room.features)
                + costs_of["upgrade"] * (room.category - booking.category)
            )
        items = [("booking", booking.name) for booking in bookings]
        secondary = [("room", room.number, night) for room in rooms for night in days[:-1]]
        return Statement(options, items, secondary, costs=costs)

    def text(self, solution: list[int]) -> str:
        _, _, days, categories, _ = self.data
        stays = sorted((self.assignments[option] for option in solution), key=itemgetter(0))
        lines = []
        for room in self.data.rooms:
            lines.append(f"{room.number} {categories[room.category]}")
            bookings = [booking for booking, other in stays if other == room]
            for arrival, departure, category, requests, name in bookings:
                deviations = [f"booked as {categories[category]}"] * (category < room.category)
                deviations += [f"no {request}" for request in sorted(requests - room.features)]
                remark = f" ({', '.join(deviations)})" if deviations else ""
                lines.append(f"  {days[arrival]} to {days[departure]}  {name}{remark}")
            if not bookings:
                lines.append("  no bookings")
        return "\n".join(lines)

    def svg(self, solution: list[int]) -> str:
        rooms, _, days, categories, _ = self.data
        bars = []
        for booking, room in (self.assignments[option] for option in solution):
            is_met = booking.requests <= room.features
            color = 1 if room.category > booking.category else 3 if is_met else 2
            bars.append(Bar(rooms.index(room), *booking[:2], booking.name, color))
        return timetable_picture(
            "Rooms and bookings",
            [f"{room.number} {categories[room.category]}" for room in rooms],
            [str(day)[-len("07-01") :] for day in days],  # without the year
            bars,
            legend=LEGEND,
            axes=("room", "date" if isinstance(days[0], str) else "day"),
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

    Parameters and errors are those of `read_rows`.
    """
    rows = read_rows(source, FIELDS, "room", "booking")
    costs, names = dict(COSTS), list(COSTS)
    for row in rows["cost"]:
        costs[names[row.choice("name", names)]] = row.number("cost", MAX_COST)
    categories = list(by_name(rows["category"])) or CATEGORIES
    rooms = [
        Room(name, row.choice("category", categories), row.texts("features"))
        for name, row in by_name(rows["room"]).items()
    ]
    expected = "a date such as 2026-07-01 or the number of a night"
    periods = [row.period(_parse_night, expected) for row in rows["booking"]]
    first, last = min(start for start, _ in periods), max(end for _, end in periods)
    if last - first > MAX_NIGHTS:
        limit = f"up to {MAX_NIGHTS:,} are supported"
        raise ValueError(f"{source}: the bookings are for {last - first:,} nights; {limit}")
    bookings: dict[str, Booking] = {}
    for number, (row, period) in enumerate(zip(rows["booking"], periods, strict=True), 1):
        guest = row.text() if "name" in row.cells else str(number)
        stays = (guest if k == 1 else f"{guest}#{k}" for k in count(1))
        name = next(stay for stay in stays if stay not in bookings)
        arrival, departure = (day - first for day in period)
        category, requests = row.choice("category", categories), row.texts("features")
        bookings[name] = Booking(arrival, departure, category, requests, name)
    days: Sequence[int | str] = range(first, last + 1)
    if "-" in rows["booking"][0].cells["arrival"]:
        days = [date.fromordinal(day).isoformat() for day in range(first, last + 1)]
    return HotelData(rooms, list(bookings.values()), days, categories, costs)


def _parse_night(text: str) -> int:
    """Return the number of a night, or the ordinal of a date."""
    return date.fromisoformat(text).toordinal() if "-" in text else int(text)
