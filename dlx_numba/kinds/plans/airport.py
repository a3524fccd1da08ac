"""Gates of an airport for the flights of a day."""

from random import Random
from typing import NamedTuple

from ...cover.encode import Statement
from ...pictures.timetable import Bar, Timetable
from ..parameters import check_range
from ..puzzle import Puzzle
from ..records import Record
from .table import TIME, by_name, parse_rows

formats = "gates and flights of an airport, as CSV or JSON"

SIZES = ("small", "medium", "large")
CLEARANCE_MINUTES = 15  # between two aircraft at a gate
MAX_WALK = 1000  # minutes
FIRST_MINUTE = 360  # random flights arrive from 6:00 on

FIELDS = {
    "gates": ("gate", "name", "size", "walk"),
    "flights": ("flight", "name", "size", "arrival", "departure"),
}


class Gate(NamedTuple):
    """A gate of the airport."""

    name: str
    size: int  # index into SIZES
    walk: int  # from the terminal, in minutes


class Turn(NamedTuple):
    """The time that an aircraft spends at a gate; times are minutes since midnight."""

    arrival: int
    departure: int
    size: int  # index into SIZES
    name: str


def example(gates: int = 6, flights: int = 30, seed: int = 1) -> Puzzle:
    """Assign each aircraft at an airport to a gate, with short walks.

    Items: each flight.
    Secondary items: each gate at each time, in minutes, at which an aircraft arrives.
    Options: a flight at a gate of its size or a larger one covers the gate at all these times from
    its arrival until 15 minutes after its departure. It costs the walk to the gate, in minutes.

    Parameters
    ----------
    gates
        The number of gates, from 1 to 50.
    flights
        The number of flights, up to six for each gate.
    seed
        The seed for the random gates and flights.

    Notes
    -----
    Two stays overlap if one of them contains the beginning of the other. So times at which
    aircraft arrive suffice, and the problem does not depend on a grid of minutes. Random flights
    are generated from a feasible assignment.

    >>> example(gates=2, flights=6).cover().cheapest()[0].cost
    18
    """
    check_range("gates", gates, 1, 50)
    check_range("flights", flights, 1, 6 * gates)
    return assign(*generate(gates, flights, Random(seed)))


def generate(n_gates: int, n_flights: int, rng: Random) -> tuple[list[Gate], list[Turn]]:
    """Generate gates, and flights that fit, by arrival."""
    gates = [Gate(f"{k + 1}", k * 3 // n_gates, 2 + 2 * k) for k in range(n_gates)]
    free = [FIRST_MINUTE + 5 * rng.randint(0, 12) for _ in gates]
    turns = []
    for k in range(n_flights):
        gate = k % n_gates
        arrival = free[gate] + 5 * rng.randint(0, 8)
        departure = arrival + 5 * rng.randint(7, 22)
        free[gate] = departure + CLEARANCE_MINUTES
        size = max(0, gates[gate].size - (rng.random() < 0.3))
        turns.append(Turn(arrival, departure, size, ""))
    return gates, [turn._replace(name=str(k)) for k, turn in enumerate(sorted(turns), 1)]


def assign(gates: list[Gate], turns: list[Turn]) -> Puzzle:
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
        tuple(bars),
        tuple(f"{gate.name} {SIZES[gate.size]}" for gate in gates),
        legend=((3, "at a gate of its size"), (1, "at a larger gate")),
        axes=("gate", "hour of the day"),
        words=tuple((f"(?!flight,)(.*),{k}", rf"gate \1 at {k // 60}:{k % 60:02}") for k in times),
    )
    items = [("flight", turn.name) for turn in turns]
    secondary = [(gate.name, time) for gate in gates for time in times]
    statement = Statement(options, items, secondary, costs=costs, view=picture)
    return Puzzle(picture.title, statement)


def parse(record: Record) -> Puzzle:
    """Return the plan of an airport. Raises ValueError if a row is invalid."""
    rows = parse_rows(record, FIELDS, "gate", "flight")
    gates = [
        Gate(name, row.choice("size", SIZES), row.number("walk", MAX_WALK))
        for name, row in by_name(rows["gate"]).items()
    ]
    turns = [
        Turn(*row.period(*TIME), row.choice("size", SIZES), name)
        for name, row in by_name(rows["flight"]).items()
    ]
    return assign(gates, sorted(turns))
