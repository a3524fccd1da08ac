"""Bookings in the rooms of a hotel."""

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from ..svg.timetable import Bar, timetable_picture
from .entry import Entry, Statement
from .parameters import check_range

CATEGORIES = ("single", "double", "sea view", "suite")  # in increasing quality
FEATURES = ("balcony", "quiet", "bath", "desk")
UPGRADE_COST = 3
REQUEST_COST = 1


class Room(NamedTuple):
    """A room of the hotel."""

    number: int
    category: int  # index into `CATEGORIES`
    features: frozenset[str]


class Booking(NamedTuple):
    """A request for a room."""

    arrival: int  # the first night
    departure: int  # the day after the last night
    category: int  # index into `CATEGORIES`
    requests: frozenset[str]  # features that the room should have


@dataclass(frozen=True)
class Hotel(Entry):
    """Assign each booking of a hotel to a suitable room, at the lowest cost.

    Items: each booking.
    Secondary items: each room on each night.
    Options: a booking in a room of the booked category, or of the next better one, covers the room
    on all nights of the stay. A better category costs 3, and each request that the room does not
    meet costs 1.

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

    Notes
    -----
    The bookings are generated from a feasible assignment, so that there is always a solution.

    >>> Hotel(rooms=4, nights=7, bookings=9).cover().cheapest()
    [(7, [0, 1, 3, 5, 6, 8, 9, 11, 13])]
    """

    rooms: int = 12
    nights: int = 14
    bookings: int = 40
    seed: int = 1

    def __post_init__(self) -> None:
        check_range("rooms", self.rooms, 1, 100)
        check_range("nights", self.nights, 2, 100)
        check_range("bookings", self.bookings, 1, self.rooms * self.nights * 5 // 6)

    @cached_property
    def scenario(self) -> tuple[list[Room], list[Booking]]:
        """The generated rooms and bookings."""
        rng = Random(self.seed)
        rooms = generate_rooms(self.rooms, rng)
        return rooms, generate_bookings(rooms, self.nights, self.bookings, rng)

    @cached_property
    def assignments(self) -> list[tuple[int, int]]:
        """The possible pairs of a booking and a room, as indices into `scenario`."""
        rooms, bookings = self.scenario
        pairs = [(b, r) for b in range(len(bookings)) for r in range(len(rooms))]
        return [(b, r) for b, r in pairs if 0 <= rooms[r].category - bookings[b].category <= 1]

    def statement(self) -> Statement:
        rooms, bookings = self.scenario
        options, costs = [], []
        for b, r in self.assignments:
            booking, room = bookings[b], rooms[r]
            nights = range(booking.arrival, booking.departure)
            options.append([("booking", b), *(("room", room.number, night) for night in nights)])
            costs.append(
                REQUEST_COST * len(booking.requests - room.features)
                + UPGRADE_COST * (room.category - booking.category)
            )
        items = [("booking", b) for b in range(len(bookings))]
        secondary = [("room", room.number, night) for room in rooms for night in range(self.nights)]
        return Statement(options, items, secondary, costs=costs)

    def text(self, solution: list[int]) -> str:
        rooms, bookings = self.scenario
        nights = [["  ."] * self.nights for _ in rooms]
        remarks = []
        for b, r in (self.assignments[option] for option in solution):
            booking, room = bookings[b], rooms[r]
            for night in range(booking.arrival, booking.departure):
                nights[r][night] = f"{b:3}"
            deviations = [f"no {request}" for request in sorted(booking.requests - room.features)]
            if room.category > booking.category:
                deviations.insert(0, f"booked as {CATEGORIES[booking.category]}")
            if deviations:
                remarks.append(f"booking {b} in {room.number}: {', '.join(deviations)}")
        lines = [
            f"{room.number} {CATEGORIES[room.category]:8}{''.join(row)}"
            for room, row in zip(rooms, nights, strict=True)
        ]
        return "\n".join(lines + remarks)

    def svg(self, solution: list[int]) -> str:
        rooms, bookings = self.scenario
        bars = []
        for b, r in (self.assignments[option] for option in solution):
            arrival, departure, category, requests = bookings[b]
            is_upgrade = rooms[r].category > category
            color = 1 if is_upgrade else 2 if requests - rooms[r].features else 3
            bars.append(Bar(r, arrival, departure, str(b), color))
        names = [f"{room.number} {CATEGORIES[room.category]}" for room in rooms]
        nights = [str(night) for night in range(self.nights + 1)]
        return timetable_picture("Rooms and bookings", names, nights, bars)


def generate_rooms(n_rooms: int, rng: Random) -> list[Room]:
    """Generate rooms, about the same number in each category, with two features each.

    >>> [room.category for room in generate_rooms(6, Random(1))]
    [0, 0, 1, 2, 2, 3]
    """
    return [
        Room(101 + room, room * len(CATEGORIES) // n_rooms, frozenset(rng.sample(FEATURES, 2)))
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
        bookings.append(Booking(arrival, departure, category, requests))
    return sorted(bookings, key=lambda booking: booking[:3])
