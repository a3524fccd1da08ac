"""Crews for the flights of a day."""

from dataclasses import dataclass
from functools import cached_property

from ..svg.timetable import Bar, timetable_picture
from .entry import Entry, Statement
from .parameters import check_range
from .schedule import SCHEDULE, Flight, clock, read_schedule

SHORTEST, LONGEST = 30, 150  # minutes between two flights of a crew
LEAST, EXTRA = 300, 60  # minutes paid for a day at the least; and for what is before and after it


@dataclass(frozen=True)
class Flights(Entry):
    """Give each flight of a day a crew, at lowest cost.

    Items: each flight.
    Options: a day of a crew, that is flights from the base back to the base. Each leaves where the
    one before landed, half an hour to two and a half hours later, and all are over within so many
    hours. A day costs its minutes, 300 at the least, and 60 more.

    `schedule` has the flights, with commas between them: `MUC0600-HAM0715` leaves MUC at 6:00 and
    lands at HAM at 7:15. Airlines solve such problems, set partitioning, with thousands of flights.

    >>> flights = Flights("MUC0600-HAM0715,HAM0800-MUC0915,MUC1000-VIE1100,VIE1130-MUC1230")
    >>> flights.cover().cheapest(2)
    [(450, [2]), (720, [0, 1])]
    """

    schedule: str = SCHEDULE
    base: str = "MUC"
    hours: int = 10

    def __post_init__(self) -> None:
        check_range("hours", self.hours, 1, 24)
        starts = sorted({flight.start for flight in self.flights})
        if self.base not in starts:
            raise ValueError(f"base must be one of {', '.join(starts)}, not {self.base!r}")

    @cached_property
    def flights(self) -> list[Flight]:
        return read_schedule(self.schedule)

    @cached_property
    def days(self) -> list[list[Flight]]:
        """All that a crew may do in a day."""
        begun = [[flight] for flight in self.flights if flight.start == self.base]
        for day in begun:  # which grows meanwhile
            last = day[-1]
            begun += [
                [*day, flight]
                for flight in self.flights
                if flight.start == last.goal and SHORTEST <= flight.leaves - last.lands <= LONGEST
                if flight.lands - day[0].leaves <= 60 * self.hours
            ]
        return [day for day in begun if day[-1].goal == self.base]

    def statement(self) -> Statement:
        options = [[flight.name for flight in day] for day in self.days]
        costs = [EXTRA + max(LEAST, day[-1].lands - day[0].leaves) for day in self.days]
        return Statement(options, items=[flight.name for flight in self.flights], costs=costs)

    def text(self, solution: list[int]) -> str:
        lines = []
        for day in sorted(self.days[option] for option in solution):
            goals = " ".join(flight.goal for flight in day)
            lines.append(f"{clock(day[0].leaves)}-{clock(day[-1].lands)}  {self.base} {goals}")
        return "\n".join(lines)

    def svg(self, solution: list[int]) -> str:
        days = sorted(self.days[option] for option in solution)
        first = min(day[0].leaves for day in days) // 60
        last = -(-max(day[-1].lands for day in days) // 60)
        bars = [
            Bar(row, leaves / 60 - first, lands / 60 - first, goal, 2 if goal == self.base else 0)
            for row, day in enumerate(days)
            for leaves, lands, _, goal, _ in day
        ]
        hours = [str(hour) for hour in range(first, last + 1)]
        crews = [f"crew {row}" for row in range(1, len(days) + 1)]
        return timetable_picture("A day of the crews", crews, hours, bars)
