"""Gates of an airport for the flights of a day."""

from typing import NamedTuple

from ...cover.encode import Formulation
from ...pictures.timetable import Bar, Timetable
from ..puzzle import Puzzle
from ..records import Record
from .table import TIME, by_name, parse_rows

formats = "gates and flights of an airport, as CSV or JSON"

SIZES = ("small", "medium", "large")
CLEARANCE_MINUTES = 15  # between two aircraft at a gate
MAX_WALK = 1000  # minutes

FIELDS = {
    "gates": ("gate", "name", "size", "walk"),
    "flights": ("flight", "name", "size", "arrival", "departure"),
}


class Gate(NamedTuple):
    """A gate of the airport."""

    name: str
    size: int  # index into SIZES
    walk: int  # from the terminal, in minutes


class PlaneTurn(NamedTuple):
    """The time that an aircraft spends at a gate; times are minutes since midnight."""

    arrival: int
    departure: int
    size: int  # index into SIZES
    name: str


def assign(gates: list[Gate], turns: list[PlaneTurn]) -> Puzzle:
    """Formulate the assignment of aircraft to gates."""
    times = sorted({turn.arrival for turn in turns})
    options = {}
    costs = []
    bars = []
    for turn in turns:
        needed = [t for t in times if turn.arrival <= t < turn.departure + CLEARANCE_MINUTES]
        for row, gate in enumerate(gates):
            if turn.size <= gate.size:
                uses = [(gate.name, time) for time in needed]
                options[f"flight {turn.name} at gate {gate.name}"] = [("flight", turn.name), *uses]
                costs.append(gate.walk)
                color = 1 if turn.size < gate.size else 3
                bars.append((Bar(row, turn.arrival, turn.departure, turn.name, color),))
    picture = Timetable(
        "Gates and flights",
        bars,
        [f"{gate.name} {SIZES[gate.size]}" for gate in gates],
        legend=((3, "at a gate of its size"), (1, "at a larger gate")),
        axes=("gate", "hour of the day"),
        words=[(f"(?!flight,)(.*),{k}", rf"gate \1 at {k // 60}:{k % 60:02}") for k in times],
    )
    items = [("flight", turn.name) for turn in turns]
    secondary = [(gate.name, time) for gate in gates for time in times]
    formulation = Formulation(options, items, secondary, costs=costs, view=picture)
    return Puzzle(picture.title, formulation)


def parse(record: Record) -> Puzzle:
    """Return the plan of an airport. Raises ValueError if a row is invalid."""
    rows = parse_rows(record, FIELDS, "gate", "flight")
    gates = [
        Gate(name, row.choice("size", SIZES), row.number("walk", MAX_WALK))
        for name, row in by_name(rows["gate"]).items()
    ]
    turns = [
        PlaneTurn(*row.period(*TIME), row.choice("size", SIZES), name)
        for name, row in by_name(rows["flight"]).items()
    ]
    return assign(gates, sorted(turns))


EXAMPLE = """\
kind,name,size,walk,arrival,departure
gate,1,small,2
gate,2,small,4
gate,3,medium,6
gate,4,medium,8
gate,5,large,10
gate,6,large,12
flight,1,medium,,6:05,7:50
flight,2,small,,6:15,8:05
flight,3,large,,6:35,7:25
flight,4,small,,7:05,8:55
flight,5,small,,7:20,8:55
flight,6,medium,,7:30,9:10
flight,7,large,,7:55,9:40
flight,8,small,,8:20,8:55
flight,9,large,,8:40,9:50
flight,10,small,,9:10,10:50
flight,11,medium,,9:25,10:35
flight,12,medium,,9:40,10:45
flight,13,small,,9:50,10:25
flight,14,medium,,10:20,11:40
flight,15,large,,10:30,12:05
flight,16,small,,11:05,12:55
flight,17,small,,11:20,12:10
flight,18,medium,,11:20,12:10
flight,19,medium,,11:30,13:10
flight,20,medium,,12:20,14:10
flight,21,large,,12:35,14:10
flight,22,small,,12:50,14:20
flight,23,small,,12:55,14:35
flight,24,small,,13:40,14:40
flight,25,medium,,14:05,14:55
flight,26,large,,14:45,15:20
flight,27,small,,15:05,15:40
flight,28,large,,15:05,16:00
flight,29,medium,,15:15,16:25
flight,30,medium,,15:35,17:05"""


def example() -> Puzzle:
    """Assign each aircraft at an airport to a gate, with short walks.

    Items: each flight.
    Secondary items: each gate at each time, in minutes, at which an aircraft arrives.
    Options: a flight at a gate of its size or a larger one covers the gate at all these times from
    its arrival until 15 minutes after its departure. It costs the walk to the gate, in minutes.

    Notes
    -----
    Two stays overlap if one of them contains the beginning of the other. So times at which
    aircraft arrive suffice, and the problem does not depend on a grid of minutes.

    >>> example().first().cost
    208
    """
    return parse(Record("example", EXAMPLE))
