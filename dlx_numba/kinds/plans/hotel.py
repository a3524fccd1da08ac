"""Bookings in the rooms of a hotel."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import count
from operator import itemgetter
from random import Random
from typing import NamedTuple

from ...cover.encode import Statement
from ...pictures.timetable import Bar, Timetable
from ..parameters import check_range
from ..puzzle import Puzzle
from ..records import Record
from .table import by_name, parse_rows

formats = "rooms and bookings of a hotel, as CSV or JSON"

CATEGORIES = ("single", "double", "sea view", "suite")  # in increasing quality
COSTS = {"upgrade": 3, "request": 1}
MAX_COST = 1_000_000
MAX_NIGHTS = 1000  # between the first arrival and the last departure

FEATURES = ("balcony", "quiet", "bath", "desk")
GUESTS = "Adams Baker Clark Davis Evans Fisher Green Harris Irwin Jones King Lewis Moore Nash"
LEGEND = ((3, "as booked"), (2, "a request is not met"), (1, "in a better category"))

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


def example(rooms: int = 12, nights: int = 14, bookings: int = 40, seed: int = 1) -> Puzzle:
    """Assign each booking of a hotel to a suitable room, at the lowest cost.

    Items: each booking.
    Secondary items: each room on each night.
    Options: a booking in a room of the booked category, or of the next better one, covers the room
    on all nights of the stay. A better category costs 3, and each request that the room does not
    meet costs 1, unless a file gives other costs.

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
    Random bookings are generated from a feasible assignment, so that there is always a solution.

    >>> example(rooms=4, nights=7, bookings=9).cover().cheapest()
    [[0, 1, 3, 5, 6, 8, 9, 11, 13]]
    """
    check_range("rooms", rooms, 1, 100)
    check_range("nights", nights, 2, 100)
    check_range("bookings", bookings, 1, rooms * nights * 5 // 6)
    rng = Random(seed)
    generated = generate_rooms(rooms, rng)
    return assign(generated, generate_bookings(generated, nights, bookings, rng), range(nights + 1))


def assign(
    rooms: Sequence[Room],
    bookings: Sequence[Booking],
    days: Sequence[int | str],
    categories: Sequence[str] = CATEGORIES,
    prices: Mapping[str, int] = COSTS,
) -> Puzzle:
    """Formulate the assignment of bookings to rooms.

    Parameters
    ----------
    rooms, bookings
        The hotel.
    days
        The number or the date of each day, up to the last departure.
    categories
        In increasing quality.
    prices
        The costs of an upgrade and of a request that is not met.
    """
    options = {}
    costs = []
    bars = []
    pairs = [(booking, row, room) for booking in bookings for row, room in enumerate(rooms)]
    for (arrival, departure, category, requests, guest), row, room in pairs:
        upgrade = room.category - category
        if not 0 <= upgrade <= 1:
            continue
        stay = days[arrival:departure]
        missing = sorted(requests - room.features)
        nights = f"nights {stay[0]}–{stay[-1]}" if len(stay) > 1 else f"night {stay[0]}"
        name = f"room {room.number}: {nights}, booking {guest}"
        options[name] = [("booking", guest), *(("room", room.number, night) for night in stay)]
        costs.append(prices["request"] * len(missing) + prices["upgrade"] * upgrade)
        notes = [f"booked as {categories[category]}"] * upgrade + [f"no {each}" for each in missing]
        color = 1 if upgrade else 2 if missing else 3
        bars.append((Bar(row, arrival, departure, guest, color, ", ".join(notes)),))
    picture = Timetable(
        "Rooms and bookings",
        tuple(bars),
        tuple(f"{room.number} {categories[room.category]}" for room in rooms),
        tuple((position, str(day)) for position, day in enumerate(days)),
        LEGEND,
        ("room", "date" if isinstance(days[0], str) else "day"),
        words=((r"room,(.*),(.*)", r"room \1 in night \2"),),
    )
    items = [("booking", booking.name) for booking in bookings]
    secondary = [("room", room.number, night) for room in rooms for night in days[:-1]]
    statement = Statement(options, items, secondary, costs=costs, view=picture)
    return Puzzle(picture.title, statement)


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


def parse(record: Record) -> Puzzle:
    """Return the plan of a hotel. Raises ValueError if a row is invalid."""
    rows = parse_rows(record, FIELDS, "room", "booking")
    prices = dict(COSTS)
    for name, row in by_name(rows["cost"]).items():
        row.choice("name", list(COSTS))
        prices[name] = row.number("cost", MAX_COST)
    categories = list(by_name(rows["category"])) or CATEGORIES
    rooms = [
        Room(name, row.choice("category", categories), row.texts("features"))
        for name, row in by_name(rows["room"]).items()
    ]
    expected = "a date such as 2026-07-01 or the number of a night"
    periods = [row.period(_parse_night, expected) for row in rows["booking"]]
    first = min(start for start, _ in periods)
    last = max(end for _, end in periods)
    if last - first > MAX_NIGHTS:
        limit = f"up to {MAX_NIGHTS:,} are supported"
        raise ValueError(f"the bookings are for {last - first:,} nights; {limit}")
    bookings: dict[str, Booking] = {}
    for number, (row, period) in enumerate(zip(rows["booking"], periods, strict=True), 1):
        guest = row.text() if "name" in row.cells else str(number)
        stays = (guest if k == 1 else f"{guest}#{k}" for k in count(1))
        name = next(stay for stay in stays if stay not in bookings)
        arrival, departure = (day - first for day in period)
        category = row.choice("category", categories)
        requests = row.texts("features")
        bookings[name] = Booking(arrival, departure, category, requests, name)
    days: Sequence[int | str] = range(first, last + 1)
    if "-" in rows["booking"][0].cells["arrival"]:
        days = [date.fromordinal(day).isoformat() for day in range(first, last + 1)]
    return assign(rooms, [*bookings.values()], days, categories, prices)


def _parse_night(text: str) -> int:
    """Return the number of a night, or the ordinal of a date."""
    return date.fromisoformat(text).toordinal() if "-" in text else int(text)
