"""Rooms of a hotel for guests with wishes."""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from ..svg.timetable import Bar, timetable_picture
from .entry import Entry, Statement
from .guests import KINDS, Booking, Room, draw_bookings, draw_rooms
from .parameters import check_range

UPGRADE = 3


@dataclass(frozen=True)
class Hotel(Entry):
    """Give each booking of a hotel a room of its kind, or a better one, at lowest cost.

    Items: each booking; secondary: each room in each night.
    Options: a booking in a room takes the room in all its nights. It costs 3 where the room is
    one kind better than booked, and 1 for each wish that it does not fulfil.

    Rooms and bookings are drawn at random, by the `seed`; there is always a way.

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
    def house(self) -> tuple[list[Room], list[Booking]]:
        chance = Random(self.seed)
        rooms = draw_rooms(self.rooms, chance)
        return rooms, draw_bookings(rooms, self.nights, self.bookings, chance)

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The number of each booking, with the number of each room that will do."""
        rooms, bookings = self.house
        pairs = [(b, r) for b in range(len(bookings)) for r in range(len(rooms))]
        return [(b, r) for b, r in pairs if 0 <= rooms[r].kind - bookings[b].kind <= 1]

    def statement(self) -> Statement:
        rooms, bookings = self.house
        options, costs = [], []
        for b, r in self.places:
            booking, room = bookings[b], rooms[r]
            nights = range(booking.arrival, booking.departure)
            options.append([("booking", b), *(("room", room.number, night) for night in nights)])
            costs.append(len(booking.wishes - room.extras) + UPGRADE * (room.kind - booking.kind))
        items = [("booking", b) for b in range(len(bookings))]
        secondary = [("room", room.number, night) for room in rooms for night in range(self.nights)]
        return Statement(options, items, secondary, costs=costs)

    def text(self, solution: list[int]) -> str:
        rooms, bookings = self.house
        nights = [["  ."] * self.nights for _ in rooms]
        complaints = []
        for b, r in (self.places[option] for option in solution):
            for night in range(bookings[b].arrival, bookings[b].departure):
                nights[r][night] = f"{b:3}"
            missing = [f"no {wish}" for wish in sorted(bookings[b].wishes - rooms[r].extras)]
            if rooms[r].kind > bookings[b].kind:
                missing.insert(0, f"booked as {KINDS[bookings[b].kind]}")
            if missing:
                complaints.append(f"booking {b} in {rooms[r].number}: {', '.join(missing)}")
        lines = zip(rooms, nights, strict=True)
        drawn = [f"{room.number} {KINDS[room.kind]:8}{''.join(row)}" for room, row in lines]
        return "\n".join(drawn + complaints)

    def svg(self, solution: list[int]) -> str:
        rooms, bookings = self.house
        bars = []
        for b, r in (self.places[option] for option in solution):
            arrival, departure, kind, wishes = bookings[b]
            colour = 1 if rooms[r].kind > kind else 2 if wishes - rooms[r].extras else 3
            bars.append(Bar(r, arrival, departure, str(b), colour))
        names = [f"{room.number} {KINDS[room.kind]}" for room in rooms]
        nights = [str(night) for night in range(self.nights + 1)]
        return timetable_picture("Rooms and bookings", names, nights, bars)
