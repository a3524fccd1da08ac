"""Bookings in the rooms of a hotel."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ...cover.encode import Formulation
from ...pictures.timetable import Bar, Timetable
from ..puzzle import Puzzle
from ..records import Record
from .table import by_name, parse_rows

formats = "rooms and bookings of a hotel, as CSV or JSON"

CATEGORIES = ("single", "double", "sea view", "suite")  # in increasing quality
COSTS = {"upgrade": 3, "request": 1}
MAX_COST = 1_000_000
MAX_NIGHTS = 1000  # between the first arrival and the last departure

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


def assign(
    rooms: Sequence[Room],
    bookings: Sequence[Booking],
    days: Sequence[int | str],
    categories: Sequence[str],
    prices: Mapping[str, int],
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
        bars,
        [f"{room.number} {categories[room.category]}" for room in rooms],
        [(position, str(day)) for position, day in enumerate(days)],
        LEGEND,
        ("room", "date" if isinstance(days[0], str) else "day"),
        words=((r"room,(.*),(.*)", r"room \1 in night \2"),),
    )
    items = [("booking", booking.name) for booking in bookings]
    secondary = [("room", room.number, night) for room in rooms for night in days[:-1]]
    formulation = Formulation(options, items, secondary, costs=costs, view=picture)
    return Puzzle(picture.title, formulation)


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
    booked = by_name(rows["booking"])
    periods = [row.period(_parse_night, expected) for row in booked.values()]
    first = min(start for start, _ in periods)
    last = max(end for _, end in periods)
    if last - first > MAX_NIGHTS:
        raise ValueError(
            f"the bookings are for {last - first:,} nights; up to {MAX_NIGHTS:,} are supported"
        )
    bookings = [
        Booking(
            a - first, b - first, row.choice("category", categories), row.texts("features"), name
        )
        for (name, row), (a, b) in zip(booked.items(), periods, strict=True)
    ]
    days: Sequence[int | str] = range(first, last + 1)
    if "-" in rows["booking"][0].cells["arrival"]:
        days = [date.fromordinal(day).isoformat() for day in range(first, last + 1)]
    return assign(rooms, bookings, days, categories, prices)


def _parse_night(text: str) -> int:
    """Return the number of a night, or the ordinal of a date."""
    return date.fromisoformat(text).toordinal() if "-" in text else int(text)


EXAMPLE = """\
kind,name,category,features,arrival,departure
room,101,single,bath;quiet
room,102,single,balcony;quiet
room,103,single,balcony;quiet
room,104,double,desk;quiet
room,105,double,balcony;desk
room,106,double,balcony;quiet
room,107,sea view,balcony;quiet
room,108,sea view,bath;desk
room,109,sea view,balcony;bath
room,110,suite,desk;quiet
room,111,suite,bath;quiet
room,112,suite,balcony;quiet
booking,Adams,single,balcony;quiet,0,1
booking,Baker,single,,0,1
booking,Clark,double,desk;quiet,0,1
booking,Davis,double,,0,1
booking,Evans,suite,,0,3
booking,Fisher,sea view,quiet,0,4
booking,Green,sea view,,0,4
booking,Harris,suite,balcony;desk,0,4
booking,Irwin,single,,0,6
booking,Jones,sea view,quiet,0,6
booking,King,suite,bath;desk,1,4
booking,Lewis,single,bath;quiet,1,5
booking,Moore,single,desk,1,6
booking,Nash,double,balcony;desk,1,6
booking,Adams1,single,,1,8
booking,Baker1,double,quiet,1,8
booking,Clark1,suite,bath;desk,3,7
booking,Davis1,sea view,,4,8
booking,Evans1,suite,balcony;quiet,4,8
booking,Fisher1,sea view,quiet,4,10
booking,Green1,suite,balcony,4,10
booking,Harris1,single,desk,5,6
booking,Irwin1,sea view,desk,6,7
booking,Jones1,single,balcony,6,8
booking,King1,double,,6,9
booking,Lewis1,double,bath;quiet,6,11
booking,Moore1,suite,bath;quiet,7,8
booking,Nash1,sea view,,7,13
booking,Adams2,single,bath;quiet,8,9
booking,Baker2,double,desk;quiet,8,9
booking,Clark2,suite,,8,10
booking,Davis2,single,balcony,8,14
booking,Evans2,sea view,bath;quiet,8,14
booking,Fisher2,single,,9,14
booking,Green2,single,,9,14
booking,Harris2,double,quiet,9,14
booking,Irwin2,sea view,balcony;quiet,10,11
booking,Jones2,suite,bath,10,12
booking,King2,suite,quiet,10,14
booking,Lewis2,double,bath;desk,11,14"""


def example() -> Puzzle:
    """Assign each booking of a hotel to a suitable room, at the lowest cost.

    Items: each booking.
    Secondary items: each room on each night.
    Options: a booking in a room of the booked category, or of the next better one, covers the room
    on all nights of the stay. A better category costs 3, and each request that the room does not
    meet costs 1, unless a file gives other costs.

    >>> example().first().cost
    13
    """
    return parse(Record("example", EXAMPLE))
