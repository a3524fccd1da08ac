"""Crews for the flights of a day."""

from collections.abc import Mapping
from typing import NamedTuple

from ...cover.encode import Formulation
from ...pictures.timetable import Bar, Timetable
from ..puzzle import Puzzle
from ..records import Record
from .table import TIME, by_name, parse_rows

formats = "flights of a day, for which crews are planned, as CSV or JSON"

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


def assign(flights: list[Flight], bases: Mapping[str, int]) -> Puzzle:
    """Formulate the assignment of flights to crews, whose bases have maximum hours of a duty."""
    duties = [[flight] for flight in flights if flight.origin in bases]
    departing = {flight.origin: list[Flight]() for flight in flights}
    for flight in flights:
        departing[flight.origin].append(flight)
    for duty in duties:  # the list grows during the iteration
        if len(duties) > MAX_DUTIES:
            raise ValueError(
                f"more than {MAX_DUTIES:,} duties are possible; shorter hours allow fewer"
            )
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
        [
            tuple(
                Bar(0, *flight[:2], flight.destination, 2 * (flight.destination == duty[0].origin))
                for flight in duty
            )
            for duty in duties
        ],
        legend=((0, "outbound, or between other airports"), (2, f"return to {', '.join(bases)}")),
        axes=("crew", "hour of the day"),
    )
    sequences = [[flight.name for flight in duty] for duty in duties]
    options = {" → ".join(names): names for names in sequences}
    items = [flight.name for flight in flights]
    costs = [BRIEFING_MINUTES + each for each in paid]
    formulation = Formulation(options, items, costs=costs, view=picture)
    return Puzzle(picture.title, formulation)


def parse(record: Record) -> Puzzle:
    """Return the plan of the crews. Raises ValueError if a row is invalid.

    Without a base, it is the airport from which the first flight departs.
    """
    rows = parse_rows(record, FIELDS, "flight")
    flights = sorted(
        Flight(*row.period(*TIME, *TIMES), row.text("origin"), row.text("destination"), name)
        for name, row in by_name(rows["flight"]).items()
    )
    origins = sorted({flight.origin for flight in flights})
    bases: dict[str, int] = {}
    for name, row in by_name(rows["base"]).items():
        row.choice("name", origins)
        bases[name] = row.number("hours", MAX_HOURS, 1) if "hours" in row.cells else HOURS
    return assign(flights, bases or {flights[0].origin: HOURS})


EXAMPLE = """\
kind,name,origin,departure,destination,arrival
flight,MUC0600-HAM0715,MUC,6:00,HAM,7:15
flight,MUC0620-BER0725,MUC,6:20,BER,7:25
flight,MUC0640-ZRH0735,MUC,6:40,ZRH,7:35
flight,MUC0700-VIE0800,MUC,7:00,VIE,8:00
flight,MUC0710-CDG0845,MUC,7:10,CDG,8:45
flight,HAM0750-MUC0905,HAM,7:50,MUC,9:05
flight,BER0800-MUC0905,BER,8:00,MUC,9:05
flight,ZRH0810-MUC0905,ZRH,8:10,MUC,9:05
flight,VIE0840-ZRH1000,VIE,8:40,ZRH,10:00
flight,CDG0930-MUC1100,CDG,9:30,MUC,11:00
flight,MUC0945-MXP1050,MUC,9:45,MXP,10:50
flight,MUC0950-HAM1105,MUC,9:50,HAM,11:05
flight,MUC1000-BER1105,MUC,10:00,BER,11:05
flight,ZRH1040-MUC1135,ZRH,10:40,MUC,11:35
flight,MXP1130-MUC1235,MXP,11:30,MUC,12:35
flight,HAM1140-BER1230,HAM,11:40,BER,12:30
flight,BER1145-MUC1250,BER,11:45,MUC,12:50
flight,MUC1210-VIE1310,MUC,12:10,VIE,13:10
flight,MUC1220-CDG1355,MUC,12:20,CDG,13:55
flight,BER1310-MUC1415,BER,13:10,MUC,14:15
flight,MUC1330-HAM1445,MUC,13:30,HAM,14:45
flight,MUC1340-ZRH1435,MUC,13:40,ZRH,14:35
flight,VIE1350-MUC1450,VIE,13:50,MUC,14:50
flight,CDG1440-MUC1610,CDG,14:40,MUC,16:10
flight,MUC1500-BER1605,MUC,15:00,BER,16:05
flight,MUC1510-MXP1615,MUC,15:10,MXP,16:15
flight,ZRH1515-VIE1635,ZRH,15:15,VIE,16:35
flight,HAM1520-MUC1635,HAM,15:20,MUC,16:35
flight,BER1645-HAM1735,BER,16:45,HAM,17:35
flight,MXP1655-MUC1800,MXP,16:55,MUC,18:00
flight,MUC1710-HAM1825,MUC,17:10,HAM,18:25
flight,VIE1715-MUC1815,VIE,17:15,MUC,18:15
flight,MUC1720-BER1825,MUC,17:20,BER,18:25
flight,HAM1810-MUC1925,HAM,18:10,MUC,19:25
flight,MUC1840-VIE1940,MUC,18:40,VIE,19:40
flight,MUC1850-ZRH1945,MUC,18:50,ZRH,19:45
flight,BER1900-MUC2005,BER,19:00,MUC,20:05
flight,HAM1905-MUC2020,HAM,19:05,MUC,20:20
flight,VIE2020-MUC2120,VIE,20:20,MUC,21:20
flight,ZRH2025-MUC2120,ZRH,20:25,MUC,21:20"""


def example() -> Puzzle:
    """Assign each flight of a day to a crew, at the lowest cost.

    Items: each flight.
    Options: each possible duty, which is a sequence of flights from the base back to the base.
    Each flight departs from the airport where the previous one arrived, 30 to 150 minutes later. A
    duty costs its duration in minutes, but at least 300, plus 60.

    Notes
    -----
    Airlines solve such set partitioning problems, known as crew pairing, with thousands of
    flights.

    >>> example().first().cost
    4605
    """
    return parse(Record("example", EXAMPLE))
