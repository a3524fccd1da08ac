"""Crews for the flights of a day."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..pictures.timetable import Bar, timetable_picture
from ..runtime.arguments import check_choice
from .data_file import TIME, Row, by_name, read_rows, reject_other_parameters
from .entry import Entry, Statement
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
CONNECTION_MINUTES = range(30, 151)
MIN_PAID_MINUTES = 300  # for each duty
BRIEFING_MINUTES = 60  # also paid, for the work before and after a duty

TIMES = "departure", "arrival"
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
        """The flights of the schedule or the file, by departure."""
        if self.file:
            rows = read_rows(self.file, FIELDS, "flight")["flight"]
        else:
            rows = parse_schedule(self.schedule)
        return sorted(
            Flight(*row.period(*TIME, *TIMES), row.text("origin"), row.text("destination"), name)
            for name, row in by_name(rows).items()
        )

    @cached_property
    def duties(self) -> list[list[Flight]]:
        """All possible duties of a crew."""
        duties = [[flight] for flight in self.flights if flight.origin == self.base]
        for duty in duties:  # the list grows during the iteration
            first, last = duty[0], duty[-1]
            duties += [
                [*duty, flight]
                for flight in self.flights
                if flight.origin == last.destination
                and flight.departure - last.arrival in CONNECTION_MINUTES
                and flight.arrival - first.departure <= 60 * self.hours
            ]
        return [duty for duty in duties if duty[-1].destination == self.base]

    def statement(self) -> Statement:
        sequences = [[flight.name for flight in duty] for duty in self.duties]
        options = {" → ".join(names): names for names in sequences}
        costs = [
            BRIEFING_MINUTES + max(MIN_PAID_MINUTES, duty[-1].arrival - duty[0].departure)
            for duty in self.duties
        ]
        return Statement(options, items=[flight.name for flight in self.flights], costs=costs)

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


def parse_schedule(text: str) -> list[Row]:
    """Return the flights of a schedule.

    Parameters
    ----------
    text
        The flights, with commas between them.

    Raises
    ------
    ValueError
        If a flight is malformed.

    Examples
    --------
    >>> list(parse_schedule("MUC0600-HAM0715")[0].cells.values())
    ['MUC0600-HAM0715', 'MUC', '06:00', 'HAM', '07:15']
    """
    rows = []
    for name in text.split(","):
        match = re.fullmatch(r"([A-Z]+)(\d\d)(\d\d)-([A-Z]+)(\d\d)(\d\d)", name)
        if match is None:
            raise ValueError(f"a flight must have the form MUC0600-HAM0715, not {name!r}")
        times = match.expand(r"\1 \2:\3 \4 \5:\6").split()
        rows.append(Row(dict(zip(FIELDS["flights"][1:], [name, *times], strict=True)), "flight"))
    return rows


def format_time(minutes: int) -> str:
    """Return a time of day.

    >>> format_time(435)
    '07:15'
    """
    return f"{minutes // 60:02}:{minutes % 60:02}"
