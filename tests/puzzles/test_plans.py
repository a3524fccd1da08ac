"""Plans of a hotel, of crews and of an airport: formats, names, errors, texts and pictures."""

import csv
import json
import random
import re

import pytest

import dlx_numba as dlx
from dlx_numba.puzzles.marks import find_mark
from dlx_numba.puzzles.plans import airport
from tests.helpers import ROOT
from tests.helpers.seeds import seeds

EXAMPLES = ROOT / "docs" / "examples"
HEADERS = {
    "hotel": "kind,name,category,features,arrival,departure,cost",
    "flights": "kind,name,origin,departure,destination,arrival,hours",
    "airport": "kind,name,size,walk,arrival,departure",
}

pytestmark = pytest.mark.compiled


def read_one(content, kind=None):
    [puzzle] = dlx.read(content, kind)
    return puzzle


@pytest.mark.parametrize("kind", ["airport", "flights"])
def test_both_formats_describe_the_same_problem(kind, tmp_path):
    """JSON has a list of objects for each kind."""
    path = EXAMPLES / f"{kind}.csv"
    lists = {}
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        cells = {name: cell for name, cell in row.items() if cell}
        lists.setdefault(f"{cells.pop('kind')}s", []).append(cells)
    written = tmp_path / "data.csv"  # the content determines the format, not the name
    written.write_text(json.dumps(lists), encoding="utf-8")
    assert read_one(written).statement == read_one(path).statement


@pytest.mark.parametrize("file", ["hotel.csv", "hotel.json", "flights.csv", "airport.csv"])
def test_the_columns_or_keys_of_files_are_marks(file):
    content = (EXAMPLES / file).read_text(encoding="utf-8")
    assert find_mark(content, "-") == file.partition(".")[0]


def test_picture_names_rooms_bookings_and_days():
    hotel = read_one(EXAMPLES / "hotel.csv")
    names = {"11 standard", "21 superior", "Adams", "Baker", "Clark", "Davis", "Evans", "07-07"}
    assert names <= set(re.findall(">([^<]+)<", hotel.svg(hotel.first())))


def test_columns_are_in_any_order_and_empty_rows_are_ignored(tmp_path):
    path = tmp_path / "hotel.csv"
    path.write_text(
        "\ufeffArrival,Departure,Name,Kind,Category\r\n,,7,room,single\r\n,,,,\r\n"
        "0,1,Jones,booking,single\r\n1,2,Smith,booking,single\r\n"
    )
    hotel = read_one(path)
    assert hotel.text(hotel.first()) == "7 single\n  0 to 1  Jones\n  1 to 2  Smith"


def test_several_bases_have_hours_of_their_own():
    flights = [
        {"name": k, "origin": a, "departure": f"{t}:00", "destination": b, "arrival": f"{t + 1}:00"}
        for k, (a, t, b) in enumerate(
            [("A", 6, "B"), ("B", 8, "A"), ("A", 10, "B"), ("B", 12, "A")]
        )
    ]

    def duties(**bases):
        own = [{"name": name, "hours": hours} for name, hours in bases.items()]
        content = {"flights": flights, "bases": own}
        return sorted(read_one(json.dumps(content) + "\n").statement.options)

    assert duties() == duties(A=10) == ["0 → 1", "0 → 1 → 2 → 3", "2 → 3"]
    assert duties(A=3, B=24) == ["0 → 1", "1 → 2", "2 → 3"]


ROOM = {"name": 1, "category": "suite"}
BOOKING = {"name": "A", "category": "suite", "arrival": 1, "departure": 2}
STAY = {"rooms": [ROOM], "bookings": [BOOKING]}
BAD_FILES = [  # the problem, the rows of a CSV file or a JSON value, and the error
    ("hotel", "", ": there are no rooms"),
    ("hotel", "room,1,suite", ": there are no bookings"),
    (
        "hotel",
        "guest,1",
        ":2: guest '1': the kind must be one of category, room, booking, cost, not",
    ),
    (
        "hotel",
        "room,1,palace",
        ":2: room '1': the category must be one of single, double, sea view,",
    ),
    ("hotel", "room,1", ":2: room '1': the category is missing"),
    ("hotel", "room,1,suite\nroom,1,single", ":3: room '1': the name is listed twice"),
    ("hotel", "booking,A,suite,,1,2\nbooking,A,suite,,2,3", ":4: booking 'A': the name is listed"),
    ("hotel", "category,a\ncategory,a", ":3: category 'a': the name is listed twice"),
    (
        "hotel",
        "room,1,suite,,5",
        ":2: room '1': unknown column 'arrival'; the columns of a room are",
    ),
    (
        "hotel",
        "room,1,suite,,,,,,more",
        ":2: room '1': unknown column ''; the columns of a room are",
    ),
    ("hotel", 'room,"1,suite', ":4: not valid CSV: unexpected end of data"),
    ("hotel", "cost,breakfast,,,,,5", ":2: cost 'breakfast': the name must be one of upgrade"),
    ("hotel", "cost,upgrade,,,,,-5", ": the cost must be an integer from 0 to 1,000,000, not '-5'"),
    ("hotel", "booking,A,suite,,5,4", "'A': the departure must be after the arrival, not 5 to 4"),
    ("hotel", "booking,A,suite,,2026-02-29,2026-03-01", "number of a night, not '2026-02-29'"),
    (
        "hotel",
        "booking,A,suite,,1,2026-03-01",
        ": the bookings are for 739,675 nights; up to 1,000 ",
    ),
    ("hotel", "booking,A,twin,,1,2", "booking 'A': the category must be one of single, "),
    (
        "flights",
        "base,XYZ\nflight,1,A,6:00,B,7:00",
        ":2: base 'XYZ': the name must be one of A, not",
    ),
    ("flights", "", ": there are no flights"),
    (
        "flights",
        "\n".join(
            f"flight,{k}{way},{way[0]},{k // 6}:{k % 6}0,{way[1]},{k // 6}:{k % 6}9"
            for k in range(36, 130)
            for way in ("AB", "BA")
        ),
        ": more than 250,000 duties are possible; shorter hours allow fewer",
    ),
    ("flights", "flight,1,A,6:60,B,7:00", "must be a time such as 6:05, not '6:60'"),
    ("airport", "flight,1,small,,6:00,7:00", ": there are no gates"),
    ("airport", "gate,1,small,x\nflight,1", ":2: gate '1': the walk must be an integer from 0 to "),
    ("hotel", [ROOM], ": expected a JSON object with the keys categories, rooms, bookings, costs"),
    ("hotel", {"guests": 1}, ": expected a JSON object with the keys categories, rooms"),
    ("hotel", {**STAY, "rooms": 3}, ": rooms must be a list of objects"),
    ("hotel", {**STAY, "costs": {"upgrade": 1}}, ": costs must be a list of objects"),
    ("hotel", {**STAY, "rooms": [5]}, ": rooms must be a list of objects"),
    ("hotel", {**STAY, "rooms": [{**ROOM, "number": 2}]}, "room 1 '1': unknown column 'number'"),
    ("hotel", {**STAY, "rooms": [{**ROOM, "features": [{}]}]}, ": the features cannot be [{}]"),
    ("hotel", "cost,upgrade,,,,,5\ncost,upgrade,,,,,5", ":3: cost 'upgrade': the name is listed"),
    (
        "hotel",
        {"rooms": [{"floor": 1}]},
        ": room 1: unknown column 'floor'; the columns of a room ",
    ),
    ("hotel", {**STAY, "bookings": [{**BOOKING, "arrival": None}]}, "'A': the arrival is missing"),
    ("hotel", {**STAY, "costs": [{"name": "upgrade", "cost": 1.5}]}, "not '1.5'"),
    ("hotel", '{"rooms": [\n  {"number": }]}', ":2: not valid JSON: Expecting value"),
    ("hotel", '{"costs": {"a": 1, "a": 2}}', ": the key 'a' appears twice"),
]


@pytest.mark.parametrize("columns", ["kind,name,name,category", "kind,name,guest,category"])
def test_each_column_is_known_and_stated_once(columns):
    with pytest.raises(ValueError, match=":1: unknown or repeated column"):
        read_one(f"{columns}\nroom,1,,suite\n", "hotel")


@pytest.mark.parametrize(("kind", "content", "reason"), BAD_FILES)
def test_errors_in_files_are_reported(kind, content, reason, tmp_path):
    path = tmp_path / "bad"
    if isinstance(content, str) and not content.startswith("{"):
        room = "room,1,suite\n" if content.startswith("booking") else ""
        others = "\nroom,last,suite\nbooking,last,suite,,1,2" if kind == "hotel" else ""
        content = f"{HEADERS[kind]}\n{room}{content}{others if 'no ' not in reason else ''}\n"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(reason)) as info:
        read_one(path, kind)
    assert str(info.value).startswith(str(path))


def test_names_without_a_valid_encoding_are_not_read(tmp_path):
    path = tmp_path / "hotel.csv"
    path.write_bytes(f"{HEADERS['hotel']}\nroom,1,suit".encode() + b"\xe9\n")
    with pytest.raises(dlx.UnreadableError, match=r"hotel\.csv: 'utf-8' codec can't decode"):
        read_one(path)
    path = tmp_path / "problem.lp"
    path.write_bytes(b"\\ Pl\xe4tze\nmin x + y\nst\nx + y = 1\nbinary\nx y\nend\n")
    with pytest.raises(dlx.UnreadableError, match="0xe4 on line 1; save the file as UTF-8"):
        read_one(path)


def test_names_that_cannot_be_written_in_a_format_are_reported(tmp_path):
    path = tmp_path / "hotel.csv"
    path.write_text(f"{HEADERS['hotel']}\nroom,Garden Suite,suite\nbooking,A,suite,,1,2\n")
    with pytest.raises(ValueError, match="Garden Suite', 1\\) cannot be written"):
        read_one(path).cover().write(kind="knuth")


def lowest_walk(turns, gates, taken):
    """Return the shortest walk, by trying all gates for one flight after the other."""
    if not turns:
        return 0
    turn, *others = turns
    end, costs = turn.departure + airport.CLEARANCE_MINUTES, [float("inf")]
    for gate in gates:
        if turn.size <= gate.size and all(end <= a or b <= turn.arrival for a, b in taken[gate]):
            later = {**taken, gate: [*taken[gate], (turn.arrival, end)]}
            costs.append(gate.walk + lowest_walk(others, gates, later))
    return min(costs)


def test_shortest_walks_by_brute_force():
    for seed in seeds(100, 6):
        rng = random.Random(seed)
        gates = [airport.Gate(f"{k}", k, rng.randrange(20)) for k in range(3)]
        arrivals = sorted(rng.sample(range(0, 600, 5), 11))
        turns = [
            airport.PlaneTurn(arrival, arrival + rng.randrange(20, 100), rng.randrange(3), f"{k}")
            for k, arrival in enumerate(arrivals)
        ]
        lowest = lowest_walk(turns, gates, dict.fromkeys(gates, ()))
        best = airport.assign(gates, turns).first()
        assert lowest == (float("inf") if best is None else best.cost)


@pytest.mark.parametrize("kind", ["hotel", "flights", "airport"])
def test_plans_are_the_cheapest(kind):
    puzzle = dlx.example(kind)
    assert puzzle.first().cost == puzzle.cover().cheapest()[0].cost
    with pytest.raises(dlx.Stopped):
        puzzle.first(seconds=0)


def test_timetables_without_rows_have_a_row_for_each_option():
    rows = ["A,6:00,B,7:00", "B,8:00,A,9:00", "A,10:00,B,11:00", "B,12:00,A,13:00"]
    header = "kind,name,origin,departure,destination,arrival"
    listed = (f"flight,{k},{row}" for k, row in enumerate(rows))
    flights = read_one("\n".join([header, *listed, ""]))
    one, two = flights.cover().cheapest(2)
    assert (one.cost, two.cost) == (480, 720)
    assert flights.text(one) == "06:00 to 13:00  B A B A"
    assert flights.text(two[::-1]) == "06:00 to 09:00  B A\n10:00 to 13:00  B A"
