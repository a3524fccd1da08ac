"""A hotel's rooms, and its bookings for some time: of a believable kind, drawn at random."""

from random import Random
from typing import NamedTuple

KINDS = ("single", "double", "sea view", "suite")  # each better than those before
EXTRAS = ("balcony", "quiet", "bath", "desk")


class Room(NamedTuple):
    number: int
    kind: int
    extras: frozenset[str]


class Booking(NamedTuple):
    arrival: int  # the first night
    departure: int  # the day after the last one
    kind: int
    wishes: frozenset[str]


def draw_rooms(number: int, chance: Random) -> list[Room]:
    """As many rooms of each kind, each with two extras.

    >>> [room.kind for room in draw_rooms(6, Random(1))]
    [0, 0, 1, 2, 2, 3]
    """
    return [
        Room(101 + room, room * len(KINDS) // number, frozenset(chance.sample(EXTRAS, 2)))
        for room in range(number)
    ]


def draw_bookings(rooms: list[Room], nights: int, number: int, chance: Random) -> list[Booking]:
    """Bookings, by arrival, that the rooms can take: some are for less than a room has.

    The nights of each room are cut into stays, of which one in six is left out.

    >>> draw_bookings(draw_rooms(1, Random(1)), 14, 2, Random(1))[1][:3]
    (3, 13, 0)
    """
    stays = [(0, nights, room) for room in rooms]
    while len(stays) * 5 < number * 6:
        longest = max(stays, key=lambda stay: stay[1] - stay[0])
        stays.remove(longest)
        arrival, departure, room = longest
        middle = chance.randint(arrival + 1, departure - 1)
        stays += [(arrival, middle, room), (middle, departure, room)]
    bookings = []
    for arrival, departure, room in chance.sample(stays, number):
        kind = max(0, room.kind - (chance.random() < 0.1))
        wishes = frozenset(chance.sample(EXTRAS, chance.randint(0, 2)))
        bookings.append(Booking(arrival, departure, kind, wishes))
    return sorted(bookings, key=lambda booking: booking[:3])
