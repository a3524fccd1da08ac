"""Crews for the flights of a day."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..runtime.arguments import check_choice
from ..svg.timetable import Bar, timetable_picture
from .data_file import by_name, read_entries, reject_other_parameters
from .entry import Entry, OptionNames, Rows, Statement
from .parameters import check_range

SCHEDULE = (
    "MUC0600-HAM0715,HAM0750-MUC0905,MUC0620-BER0725,BER0800-MUC0905,MUC0640-ZRH0735,"
    "ZRH0810-MUC0905,MUC0700-VIE0800,VIE0840-ZRH1000,ZRH1040-MUC1135,MUC0710-CDG0845,"
    "CDG0930-MUC1100,MUC0950-HAM1105,HAM1140-BER1230,BER1310-MUC1415,MUC0945-MXP1050,"
    "MXP1130-MUC1235,MUC1000-BER1105,BER1145-MUC1250,MUC1210-VIE1310,VIE1350-MUC1450,"
    "MUC1220-CDG1355,CDG1440-MUC1610,MUC1330-HAM1445,HAM1520-MUC1635,MUC1340-ZRH1435,"
    "ZRH1515-VIE1635,VIE1715-MUC1815,MUC1500-BER1605,BER1645-HAM1735,HAM1810-MUC1925,"
    "MUC1510-MXP1615,MXP1655-MUC1800,MUC1710-HAM1825,HAM1905-MUC2020,MUC1720-BER1825,"
    "BER1900-MUC2005,MUC1840-VIE1940,VIE2020-MUC2120,MUC1850-ZRH1945,ZRH2025-MUC2120"
)
MIN_CONNECTION_MINUTES, MAX_CONNECTION_MINUTES = 30, 150
MIN_PAID_MINUTES = 300  # for each duty
BRIEFING_MINUTES = 60  # also paid, for the work before and after a duty

FIELDS = {"flights": ("flight", "name", "origin", "departure", "destination", "arrival")}


class Flight(NamedTuple):
    """A flight; times are minutes since midnight."""

    departure: int
    arrival: int
    origin: str
    destination: str
    name: str


@dataclass(frozen=True)
class Flights(Entry):
    """Assign each flight of a day to a crew, at the lowest cost.

    Items: each flight.
    Options: each possible duty, which is a sequence of flights from the base back to the base.
    Each flight departs from the airport where the previous one arrived, 30 to 150 minutes later. A
    duty costs its duration in minutes, but at least 300, plus 60.

    Parameters
    ----------
    schedule
        The flights, with commas between them: `MUC0600-HAM0715` departs from MUC at 6:00 and
        arrives at HAM at 7:15.
    base
        The airport where all duties start and end.
    hours
        The maximum duration of a duty, from 1 to 24 hours.
    file
        A JSON or CSV file of flights, which replaces the schedule; `-` for standard input.

    Notes
    -----
    Airlines solve such set partitioning problems, known as crew pairing, with thousands of
    flights.

    >>> flights = Flights("MUC0600-HAM0715,HAM0800-MUC0915,MUC1000-VIE1100,VIE1130-MUC1230")
    >>> flights.cover().cheapest(2)
    [(450, [2]), (720, [0, 1])]
    """

    schedule: str = SCHEDULE
    base: str = "MUC"
    hours: int = 10
    file: str = ""

    def __post_init__(self) -> None:
        if self.file:
            reject_other_parameters(self, "base", "hours")
        check_range("hours", self.hours, 1, 24)
        origins = sorted({flight.origin for flight in self.flights})
        check_choice("base", self.base, origins)

    @cached_property
    def flights(self) -> list[Flight]:
        """The flights of the schedule, by departure."""
        return read_flights(self.file) if self.file else parse_schedule(self.schedule)

    @cached_property
    def duties(self) -> list[list[Flight]]:
        """All possible duties of a crew."""
        partial = [[flight] for flight in self.flights if flight.origin == self.base]
        for duty in partial:  # the list grows during the iteration
            partial += [[*duty, flight] for flight in self.flights if self._extends(duty, flight)]
        return [duty for duty in partial if duty[-1].destination == self.base]

    def _extends(self, duty: list[Flight], flight: Flight) -> bool:
        """Return whether a crew can take the flight after those of the duty."""
        last = duty[-1]
        connection = flight.departure - last.arrival
        return (
            flight.origin == last.destination
            and MIN_CONNECTION_MINUTES <= connection <= MAX_CONNECTION_MINUTES
            and flight.arrival - duty[0].departure <= 60 * self.hours
        )

    def statement(self) -> Statement:
        options = [[flight.name for flight in duty] for duty in self.duties]
        costs = [
            BRIEFING_MINUTES + max(MIN_PAID_MINUTES, duty[-1].arrival - duty[0].departure)
            for duty in self.duties
        ]
        return Statement(options, items=[flight.name for flight in self.flights], costs=costs)

    def _names(self, options: Rows) -> OptionNames:
        return list(map(" → ".join, options))

    def text(self, solution: list[int]) -> str:
        lines = []
        for duty in sorted(self.duties[option] for option in solution):
            start, end = format_time(duty[0].departure), format_time(duty[-1].arrival)
            destinations = " ".join(flight.destination for flight in duty)
            lines.append(f"{start}-{end}  {self.base} {destinations}")
        return "\n".join(lines)

    def svg(self, solution: list[int]) -> str:
        duties = sorted(self.duties[option] for option in solution)
        bars = [
            Bar(row, *flight[:2], flight.destination, 2 * (flight.destination == self.base))
            for row, duty in enumerate(duties)
            for flight in duty
        ]
        crews = [str(row) for row in range(1, len(duties) + 1)]
        legend = {0: "outbound, or between other airports", 2: f"return to {self.base}"}
        return day_picture("Crew duties", "crew", crews, bars, legend)


def day_picture(
    title: str, axis: str, rows: Sequence[str], bars: Sequence[Bar], legend: Mapping[int, str]
) -> str:
    """Return a picture of bars whose times are minutes since midnight; see `timetable_picture`."""
    first, last = min(bar.start for bar in bars) // 60, max(bar.end for bar in bars) // -60
    shifted = [bar._replace(start=bar.start / 60 - first, end=bar.end / 60 - first) for bar in bars]
    hours = [str(hour) for hour in range(int(first), 1 - int(last))]
    axes = axis, "hour of the day"
    return timetable_picture(title, rows, hours, shifted, legend=legend, axes=axes)


def parse_schedule(text: str) -> list[Flight]:
    """Return the flights of a schedule, sorted by departure.

    Parameters
    ----------
    text
        The flights, with commas between them.

    Raises
    ------
    ValueError
        If a flight is malformed, arrives before it departs, or appears twice.

    Examples
    --------
    >>> parse_schedule("MUC0600-HAM0715")
    [Flight(departure=360, arrival=435, origin='MUC', destination='HAM', name='MUC0600-HAM0715')]
    """
    flights: dict[str, Flight] = {}
    for name in text.split(","):
        match = re.fullmatch(r"([A-Z]+)(\d\d)([0-5]\d)-([A-Z]+)(\d\d)([0-5]\d)", name)
        if match is None:
            raise ValueError(f"a flight must have the form MUC0600-HAM0715, not {name!r}")
        departure, arrival = (60 * int(match[k]) + int(match[k + 1]) for k in (2, 5))
        if arrival <= departure:
            raise ValueError(f"flight {name} arrives before it departs")
        if name in flights:
            raise ValueError(f"flight {name} appears twice")
        flights[name] = Flight(departure, arrival, match[1], match[4], name)
    return sorted(flights.values())


def read_flights(source: str) -> list[Flight]:
    """Read flights, sorted by departure, from a JSON or CSV file, whose format is detected.

    Parameters and errors are those of `read_entries`.
    """
    flights = []
    for name, entry in by_name(read_entries(source, FIELDS, "flight")["flight"]).items():
        departure, arrival = entry.period("departure", "arrival")
        origin, destination = entry.text("origin"), entry.text("destination")
        flights.append(Flight(departure, arrival, origin, destination, name))
    return sorted(flights)


def format_time(minutes: int) -> str:
    """Return a time of day.

    >>> format_time(435)
    '07:15'
    """
    return f"{minutes // 60:02}:{minutes % 60:02}"
