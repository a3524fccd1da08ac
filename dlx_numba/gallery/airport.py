"""Gates of an airport for the flights of a day."""

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from ..pictures.timetable import Bar
from .data_file import TIME, by_name, read_rows, reject_other_parameters
from .entry import Entry, Statement
from .flights import day_picture, format_time
from .parameters import check_range

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

    def occupies(self, time: int) -> bool:
        """Return whether the aircraft needs its gate at a time."""
        return self.arrival <= time < self.departure + CLEARANCE_MINUTES


@dataclass(frozen=True)
class Airport(Entry):
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
    file
        A JSON or CSV file of gates and flights, which replaces the random ones; `-` for standard
        input.

    Notes
    -----
    Two stays overlap if one of them contains the beginning of the other. So times at which
    aircraft arrive suffice, and the problem does not depend on a grid of minutes. Random flights
    are generated from a feasible assignment.

    >>> Airport(gates=2, flights=6).cover().cheapest()[0][0]
    18
    """

    gates: int = 6
    flights: int = 30
    seed: int = 1
    file: str = ""

    def __post_init__(self) -> None:
        if self.file:
            reject_other_parameters(self)
        else:
            check_range("gates", self.gates, 1, 50)
            check_range("flights", self.flights, 1, 6 * self.gates)
        _ = self.data  # reports an invalid file now

    @cached_property
    def data(self) -> tuple[list[Gate], list[Turn]]:
        """The gates and the stays of aircraft, by arrival, read or generated."""
        if self.file:
            return read_airport(self.file)
        rng = Random(self.seed)
        gates = [Gate(f"{k + 1}", k * 3 // self.gates, 2 + 2 * k) for k in range(self.gates)]
        free = [FIRST_MINUTE + 5 * rng.randint(0, 12) for _ in gates]
        turns = []
        for k in range(self.flights):
            gate = k % self.gates
            arrival = free[gate] + 5 * rng.randint(0, 8)
            departure = arrival + 5 * rng.randint(7, 22)
            free[gate] = departure + CLEARANCE_MINUTES
            size = max(0, gates[gate].size - (rng.random() < 0.3))
            turns.append(Turn(arrival, departure, size, ""))
        return gates, [turn._replace(name=str(k)) for k, turn in enumerate(sorted(turns), 1)]

    @cached_property
    def assignments(self) -> list[tuple[Turn, Gate]]:
        """The possible pairs of a flight and a gate."""
        gates, turns = self.data
        return [(turn, gate) for turn in turns for gate in gates if turn.size <= gate.size]

    def statement(self) -> Statement:
        gates, turns = self.data
        times = sorted({turn.arrival for turn in turns})
        options = {
            f"flight {turn.name} at gate {gate.name}": [
                ("flight", turn.name),
                *((gate.name, time) for time in times if turn.occupies(time)),
            ]
            for turn, gate in self.assignments
        }
        items = [("flight", turn.name) for turn in turns]
        secondary = [(gate.name, time) for gate in gates for time in times]
        costs = [gate.walk for _, gate in self.assignments]
        return Statement(options, items, secondary, costs=costs)

    def text(self, solution: list[int]) -> str:
        lines = []
        for gate in self.data[0]:
            lines.append(f"gate {gate.name}, {SIZES[gate.size]}, {gate.walk} minutes")
            lines += [
                f"  {format_time(turn.arrival)}-{format_time(turn.departure)}  {turn.name}"
                for turn, other in sorted(self.assignments[option] for option in solution)
                if other == gate
            ]
        return "\n".join(lines)

    def svg(self, solution: list[int]) -> str:
        gates = self.data[0]
        bars = [
            Bar(gates.index(gate), *turn[:2], turn.name, 1 if turn.size < gate.size else 3)
            for turn, gate in (self.assignments[option] for option in solution)
        ]
        names = [f"{gate.name} {SIZES[gate.size]}" for gate in gates]
        legend = {3: "at a gate of its size", 1: "at a larger gate"}
        return day_picture("Gates and flights", "gate", names, bars, legend)


def read_airport(source: str) -> tuple[list[Gate], list[Turn]]:
    """Read gates and flights, by arrival, from a JSON or CSV file, whose format is detected.

    Parameters and errors are those of `read_rows`.
    """
    rows = read_rows(source, FIELDS, "gate", "flight")
    gates = [
        Gate(name, row.choice("size", SIZES), row.number("walk", MAX_WALK))
        for name, row in by_name(rows["gate"]).items()
    ]
    turns = [
        Turn(*row.period(*TIME), row.choice("size", SIZES), name)
        for name, row in by_name(rows["flight"]).items()
    ]
    return gates, sorted(turns)
