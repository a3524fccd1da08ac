"""Crews for the flights of a day."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ...cover.encode import Statement
from ...pictures.timetable import Bar, Timetable
from ...runtime.arguments import check_choice
from ..parameters import check_range
from ..puzzle import Puzzle
from ..records import Record
from .table import TIME, Row, by_name, parse_rows

formats = "flights of a day, for which crews are planned, as CSV or JSON"

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
MAX_DUTIES = 250_000  # and their beginnings
MIN_PAID_MINUTES = 300  # for each duty
BRIEFING_MINUTES = 60  # also paid, for the work before and after a duty
HOURS = 10
MAX_HOURS = 24

TIMES = "departure", "arrival"
FIELDS = {
    "bases": ("base", "name", "hours"),
    "flights": ("flight", "name", "origin", "departure", "destination", "arrival"),
}


class Flight(NamedTuple):
    """A flight; times are minutes since midnight."""

    departure: int
    arrival: int
    origin: str
    destination: str
    name: str


def example(schedule: str = SCHEDULE, base: str = "MUC", hours: int = HOURS) -> Puzzle:
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

    Notes
    -----
    Airlines solve such set partitioning problems, known as crew pairing, with thousands of
    flights.

    >>> flights = example("MUC0600-HAM0715,HAM0800-MUC0915,MUC1000-VIE1100,VIE1130-MUC1230")
    >>> [(cover, cover.cost) for cover in flights.cover().cheapest(2)]
    [([2], 450), ([0, 1], 720)]
    """
    check_range("hours", hours, 1, MAX_HOURS)
    flights = list_flights(parse_schedule(schedule))
    check_choice("base", base, sorted({flight.origin for flight in flights}))
    return assign(flights, {base: hours})


def assign(flights: list[Flight], bases: Mapping[str, int]) -> Puzzle:
    """Formulate the assignment of flights to crews, whose bases have maximum hours of a duty."""
    duties = [[flight] for flight in flights if flight.origin in bases]
    departing = {flight.origin: list[Flight]() for flight in flights}
    for flight in flights:
        departing[flight.origin].append(flight)
    for duty in duties:  # the list grows during the iteration
        if len(duties) > MAX_DUTIES:
            reason = f"more than {MAX_DUTIES:,} duties are possible; shorter hours allow fewer"
            raise ValueError(reason)
        first = duty[0]
        last = duty[-1]
        duties += [
            [*duty, flight]
            for flight in departing.get(last.destination, ())
            if flight.departure - last.arrival in CONNECTION_MINUTES
            and flight.arrival - first.departure <= 60 * bases[first.origin]
        ]
    duties = [duty for duty in duties if duty[-1].destination == duty[0].origin]
    paid = (max(MIN_PAID_MINUTES, duty[-1].arrival - duty[0].departure) for duty in duties)
    picture = Timetable(
        "Crew duties",
        tuple(
            tuple(
                Bar(0, *flight[:2], flight.destination, 2 * (flight.destination == duty[0].origin))
                for flight in duty
            )
            for duty in duties
        ),
        legend=((0, "outbound, or between other airports"), (2, f"return to {', '.join(bases)}")),
        axes=("crew", "hour of the day"),
    )
    sequences = [[flight.name for flight in duty] for duty in duties]
    options = {" → ".join(names): names for names in sequences}
    items = [flight.name for flight in flights]
    costs = [BRIEFING_MINUTES + each for each in paid]
    statement = Statement(options, items, costs=costs, view=picture)
    return Puzzle(picture.title, statement)


def list_flights(rows: list[Row]) -> list[Flight]:
    """Return flights by departure."""
    return sorted(
        Flight(*row.period(*TIME, *TIMES), row.text("origin"), row.text("destination"), name)
        for name, row in by_name(rows).items()
    )


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


def parse(record: Record) -> Puzzle:
    """Return the plan of the crews. Raises ValueError if a row is invalid.

    Without a base, it is the airport from which the first flight departs.
    """
    rows = parse_rows(record, FIELDS, "flight")
    flights = list_flights(rows["flight"])
    origins = sorted({flight.origin for flight in flights})
    bases: dict[str, int] = {}
    for name, row in by_name(rows["base"]).items():
        row.choice("name", origins)
        bases[name] = row.number("hours", MAX_HOURS, 1) if "hours" in row.cells else HOURS
    return assign(flights, bases or {flights[0].origin: HOURS})
