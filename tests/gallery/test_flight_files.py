"""Flights and gates from files, and the lowest costs by brute force."""

import csv
import json
import re

import pytest

from dlx_numba.gallery import Airport, Flights
from dlx_numba.gallery.airport import CLEARANCE_MINUTES, SIZES
from dlx_numba.gallery.flights import format_time
from dlx_numba.runtime.errors import FormatError
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled

FLIGHTS = "kind,name,origin,departure,destination,arrival"
AIRPORT = "kind,name,size,walk,arrival,departure"


def lowest_cost(airport):
    """Return the lowest cost, by trying all gates for one flight after the other."""
    gates, turns = airport.data

    def lowest(number, free_from):
        if number == len(turns):
            return 0
        arrival, departure, size, _ = turns[number]
        costs = [float("inf")]
        for gate in gates:
            if size <= gate.size and free_from.get(gate, 0) <= arrival:
                later = free_from | {gate: departure + CLEARANCE_MINUTES}
                costs.append(gate.walk + lowest(number + 1, later))
        return min(costs)

    return lowest(0, {})


def test_lowest_cost_of_gates_by_brute_force():
    for seed in seeds(30):
        airport = Airport(gates=3, flights=11, seed=seed)
        cost, solution = airport.cover().cheapest()[0]
        assert cost == lowest_cost(airport)
        assert len(solution) == 11


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_written_airport_is_the_same_problem(suffix, tmp_path):
    path = tmp_path / "airport"
    generated = Airport(gates=4, flights=15)
    gates, turns = generated.data
    rows = [{"kind": "gate", "name": g.name, "size": SIZES[g.size], "walk": g.walk} for g in gates]
    for turn in turns:
        times = {"arrival": format_time(turn.arrival), "departure": format_time(turn.departure)}
        rows.append({"kind": "flight", "name": turn.name, "size": SIZES[turn.size], **times})
    if suffix == "csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, AIRPORT.split(","))
            writer.writeheader()
            writer.writerows(rows)
    else:
        lists = {"gates": [], "flights": []}
        for row in rows:
            lists[f"{row.pop('kind')}s"].append(row)
        path.write_text(json.dumps(lists))
    assert Airport(file=str(path)).statement() == generated.statement()


def test_written_flights_are_the_same_problem(tmp_path):
    path = tmp_path / "flights.csv"
    default = Flights()
    lines = [
        f"flight,{f.name},{f.origin},{format_time(f.departure)},{f.destination},"
        f"{format_time(f.arrival)}"
        for f in default.flights
    ]
    path.write_text("\n".join([FLIGHTS, *lines]))
    read = Flights(file=str(path), base="MUC", hours=10)
    assert read.statement() == default.statement()
    cost, solution = read.cover().cheapest()[0]
    assert default.cover().cheapest()[0][0] == cost
    assert read.svg(solution) == default.svg(solution)
    with pytest.raises(ValueError, match="file cannot be combined with schedule"):
        Flights("A0600-B0700", file=str(path))
    with pytest.raises(ValueError, match="base must be one of BER, "):
        Flights(file=str(path), base="LHR")


BAD = [  # the problem, the header, the rows, the line, and the reason
    (Flights, FLIGHTS, "", None, "there are no flights"),
    (Flights, FLIGHTS, "flight,1,A,6:00,B", 2, "flight '1': the arrival is missing"),
    (Flights, FLIGHTS, "flight,1,A,6:60,B,7:00", 2, "must be a time such as 6:05, not '6:60'"),
    (Flights, FLIGHTS, "flight,1,A,7:00,B,7:00", 2, "the arrival must be after the departure, not"),
    (Flights, FLIGHTS, "flight,1,A,6:00,B,7:00\nflight,1,A,8:00,B,9:00", 3, "is listed twice"),
    (Flights, FLIGHTS, "gate,1", 2, "the kind must be flight, not 'gate'"),
    (Airport, AIRPORT, "flight,1,small,,6:00,7:00", None, "there are no gates"),
    (
        Airport,
        AIRPORT,
        "gate,1,tiny\nflight,1,small,,6:00,7:00",
        2,
        "size must be one of small, medium, large, not 'tiny'",
    ),
    (
        Airport,
        AIRPORT,
        "gate,1,small,x\nflight,1",
        2,
        "the walk must be an integer from 0 to 1,000, not 'x'",
    ),
    (
        Airport,
        AIRPORT,
        "gate,1,small,2\nflight,1,large,,6:00,7:00",
        3,
        "flight '1': fits no gate: there is none of size 'large' or larger",
    ),
]


@pytest.mark.parametrize(("entry", "header", "rows", "line", "reason"), BAD)
def test_bad_rows_are_reported(entry, header, rows, line, reason, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(f"{header}\n{rows}\n")
    with pytest.raises(ValueError, match=re.escape(reason)) as info:
        entry(file=str(path))
    assert line is None or (info.value.source, info.value.line) == (str(path), line)
    assert line is None or isinstance(info.value, FormatError)
    name = entry.__name__.lower()
    assert invoke("gallery", name, f"file={path}", status=2)[1].startswith(f"error: {name}: {path}")


def test_airport_on_the_command_line():
    out, err = invoke("gallery", "airport")
    assert out.startswith("gate 1, small, 2 minutes\n  0")
    assert "Its cost is 208." in err
