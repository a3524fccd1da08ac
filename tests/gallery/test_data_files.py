"""Files of the hotel, the flights and the airport: round trips, formats, names and errors."""

import csv
import json
import re

import pytest

from dlx_numba.gallery import Airport, Flights, Hotel
from dlx_numba.gallery.airport import SIZES
from dlx_numba.gallery.flights import format_time
from dlx_numba.gallery.hotel import CATEGORIES, read_hotel
from dlx_numba.runtime.errors import FormatError, UnreadableError
from tests.helpers import ROOT
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

EXAMPLES = ROOT / "docs" / "examples"
HEADER = "kind,name,category,features,arrival,departure,cost"
FLIGHTS = "kind,name,origin,departure,destination,arrival"
AIRPORT = "kind,name,size,walk,arrival,departure"

pytestmark = pytest.mark.compiled


def write_json(path, hotel):
    """Write the rooms and bookings of a hotel as JSON, with numbers for nights and rooms."""
    rooms, bookings = hotel.data[:2]
    data = {
        "rooms": [
            {
                "number": int(room.number),
                "category": CATEGORIES[room.category],
                "features": sorted(room.features),
            }
            for room in rooms
        ],
        "bookings": [
            {
                "name": booking.name,
                "arrival": booking.arrival,
                "departure": booking.departure,
                "category": CATEGORIES[booking.category],
                "requests": sorted(booking.requests),
            }
            for booking in bookings
        ],
    }
    path.write_text(json.dumps(data), encoding="utf-8")


def write_csv(path, hotel):
    """Write the rooms and bookings of a hotel as CSV."""
    rooms, bookings = hotel.data[:2]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER.split(","))
        for booking in bookings:
            stay, category = booking[:2], CATEGORIES[booking.category]
            writer.writerow(
                ["booking", booking.name, category, ";".join(booking.requests), *stay, ""]
            )
        for room in rooms:
            category, features = CATEGORIES[room.category], "; ".join(room.features)
            writer.writerow(["room", room.number, category, features, "", "", ""])


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


@pytest.mark.parametrize("write", [write_json, write_csv])
def test_written_scenario_is_the_same_problem(write, tmp_path):
    path = tmp_path / "hotel.txt"  # the content determines the format, not the name
    for seed in seeds(10):
        generated = Hotel(rooms=6, nights=8, bookings=12, seed=seed)
        write(path, generated)
        read = Hotel(file=str(path))
        assert read.data[:2] == generated.data[:2]
        ours, theirs = read.statement(), generated.statement()
        assert (ours.options, ours.items, ours.costs) == (
            theirs.options,
            theirs.items,
            theirs.costs,
        )
        assert set(ours.secondary) <= set(theirs.secondary)  # without nights before all arrivals
        assert read.cover().cheapest() == generated.cover().cheapest()


def test_examples_are_the_same_in_both_formats():
    from_json, from_csv = (
        read_hotel(str(EXAMPLES / f"hotel.{suffix}")) for suffix in ("json", "csv")
    )
    assert from_json == from_csv
    assert from_json.categories == ["standard", "superior"]
    assert from_json.costs == {"upgrade": 5, "request": 2}


def test_result_and_picture_name_rooms_and_bookings():
    hotel = Hotel(file=str(EXAMPLES / "hotel.csv"))
    cost, solution = hotel.cover().cheapest()[0]
    assert cost == 5 + 2
    text, picture = hotel.text(solution), hotel.svg(solution)
    for name in ("11 standard", "21 superior", "Adams", "Baker", "Clark", "Davis", "Evans"):
        assert name in text
        assert f">{name}<" in picture
    assert text.count("(no quiet)") == text.count("(booked as standard)") == 1
    assert ">07-07<" in picture


def test_names_are_shortened_only_in_pictures(tmp_path):
    name = "Baron von Münchhausen zu Bodenwerder"
    path = tmp_path / "hotel.csv"
    path.write_text(f"{HEADER}\nroom,1,suite\nroom,2,suite\nbooking,{name},suite,,3,4\n")
    hotel = Hotel(file=str(path))
    assert f"3 to 4  {name}" in hotel.text([0])
    assert "2 suite\n  no bookings" in hotel.text([0])
    assert ">Baron von Münchhaus…<" in hotel.svg([0])


def test_names_are_optional_and_may_be_repeated(tmp_path):
    path = tmp_path / "hotel.csv"
    path.write_text(
        "\ufeffArrival;,".replace(";", "")
        + "Departure,Name,Kind,Category\r\n,,7,room,single\r\n,,,,\r\n"
        "0,1,,booking,single\r\n1,2,Smith,booking,single\r\n2,3,Smith,booking,single\r\n"
    )
    hotel = Hotel(file=str(path))
    [solution] = hotel.cover().solve()
    assert hotel.text(solution) == "7 single\n  0 to 1  1\n  1 to 2  Smith\n  2 to 3  Smith#2"


def test_too_many_bookings_have_no_solution(tmp_path):
    path = tmp_path / "hotel.csv"
    path.write_text(f"{HEADER}\nroom,1,suite\nbooking,A,suite,,1,3\nbooking,B,suite,,2,4\n")
    assert "There is no solution." in invoke("gallery", "hotel", f"file={path}", status=1)[1]


BAD_CSV = [  # the rows below the header, the line, and the reason
    ("", None, "there are no rooms"),
    ("room,1,suite", None, "there are no bookings"),
    ("guest,1", 2, "the kind must be one of category, room, booking, cost, not 'guest'"),
    ("room,1,palace", 2, "room '1': the category must be one of single, double, "),
    ("room,1", 2, "room '1': the category is missing"),
    ("room,,suite", 2, "room: the name is missing"),
    ("room,1,suite\nroom,1,single", 3, "room '1': the name is listed twice"),
    ("category,a\ncategory,a", 3, "category 'a': the name is listed twice"),
    (
        "room,1,suite,,2026-07-01",
        2,
        "unknown key 'arrival'; the known keys are name, category, features",
    ),
    ("room,1,suite,,,,,,more", 2, "the row has more cells than the header, which has 7"),
    ('room,"1,suite', 2, "not valid CSV"),
    ("cost,breakfast,,,,,5", 2, "cost 'breakfast': the name must be one of upgrade"),
    ("cost,upgrade,,,,,-5", 2, "the cost must be an integer from 0 to 1,000,000, not '-5'"),
    ("booking,A,suite,,5,4", 3, "booking 'A': the departure must be after the arrival, not 5 to 4"),
    ("booking,A,suite,,2026-07-01,2026-07-01", 3, "not 2026-07-01 to 2026-07-01"),
    ("booking,A,suite,,,4", 3, "booking 'A': the arrival is missing"),
    ("booking,A,suite,,2026-02-29,2026-03-01", 3, "number of a night, not '2026-02-29'"),
    ("booking,A,suite,,1,2026-03-01", 3, "'A': departs 739,675 nights after the first arrival"),
    ("booking,A,suite,,1,2\nbooking,B,suite,,1,2002", 4, "'B': departs 2,001 nights after the "),
    ("booking,A,single,,1,2", 3, "'A': fits no room: there is none of category 'single' or 'doub"),
    ("booking,A,twin,,1,2", 3, "booking 'A': the category must be one of single, "),
]


@pytest.mark.parametrize(("rows", "line", "reason"), BAD_CSV)
def test_bad_rows_are_reported(rows, line, reason, tmp_path):
    path = tmp_path / "bad.csv"
    room = "room,1,suite\n" if rows.startswith("booking") else ""
    others = "" if line is None else "\nroom,last,suite\nbooking,last,suite,,1,2"
    path.write_text(f"{HEADER}\n{room}{rows}{others}\n")
    with pytest.raises(ValueError, match=re.escape(reason)) as info:
        Hotel(file=str(path))
    if line is None:
        assert str(info.value) == f"{path}: {reason}"
    else:
        assert isinstance(info.value, FormatError)
        assert (info.value.source, info.value.line) == (str(path), line)


OTHER_FILES = [  # the problem, the header, the rows, the line, and the reason
    (Flights, FLIGHTS, "", None, "there are no flights"),
    (Flights, FLIGHTS, "flight,1,A,6:60,B,7:00", 2, "must be a time such as 6:05, not '6:60'"),
    (Flights, FLIGHTS, "flight,1,A,7:00,B,7:00", 2, "the arrival must be after the departure, not"),
    (Flights, FLIGHTS, "flight,1,A,6:00,B,7:00\nflight,1,A,8:00,B,9:00", 3, "is listed twice"),
    (Airport, AIRPORT, "flight,1,small,,6:00,7:00", None, "there are no gates"),
    (
        Airport,
        AIRPORT,
        "gate,1,small,x\nflight,1",
        2,
        "the walk must be an integer from 0 to 1,000",
    ),
    (
        Airport,
        AIRPORT,
        "gate,1,small,2\nflight,1,large,,6:00,7:00",
        3,
        "flight '1': fits no gate: there is none of size 'large' or larger",
    ),
]


@pytest.mark.parametrize(("entry", "header", "rows", "line", "reason"), OTHER_FILES)
def test_rows_of_other_files(entry, header, rows, line, reason, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(f"{header}\n{rows}\n")
    with pytest.raises(ValueError, match=re.escape(reason)) as info:
        entry(file=str(path))
    assert line is None or (info.value.source, info.value.line) == (str(path), line)
    name = entry.__name__.lower()
    assert invoke("gallery", name, f"file={path}", status=2)[1].startswith(f"error: {name}: {path}")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("", "the columns must be kind and some of name, category, "),
        ("kind,name,category,arrival,departure,price", "the columns must be kind and some of "),
        ("kind,name,category,arrival,departure,name", "the columns must be kind and some of "),
    ],
)
def test_bad_headers_are_reported(header, reason, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(header)
    with pytest.raises(FormatError, match=f":1: {re.escape(reason)}"):
        Hotel(file=str(path))


ROOM = {"number": 1, "category": "suite"}
BOOKING = {"name": "A", "category": "suite", "arrival": 1, "departure": 2}
BAD_JSON = [
    ([ROOM], "expected a JSON object with the keys categories, rooms, bookings, costs"),
    (
        {"rooms": [ROOM], "bookings": [BOOKING], "guests": 1},
        "expected a JSON object with the keys categories",
    ),
    ({"rooms": ROOM, "bookings": [BOOKING]}, "rooms must be a list, not {"),
    ({"rooms": [5], "bookings": [BOOKING]}, "room 1 '5': the category is missing"),
    ({"rooms": [{"floor": 1}]}, "room 1: unknown key 'floor'; the known keys are name, category"),
    (
        {"rooms": [{**ROOM, "number": True}], "bookings": [BOOKING]},
        "the number must be a string or an integer, not True",
    ),
    (
        {"rooms": [{**ROOM, "number": "\x1b"}], "bookings": [BOOKING]},
        "the name has characters that cannot",
    ),
    (
        {"rooms": [{**ROOM, "features": [["quiet"]]}], "bookings": [BOOKING]},
        "room 1 '1': the features must be a string or an integer, not [['quiet']]",
    ),
    (
        {"rooms": [ROOM], "bookings": [{**BOOKING, "arrival": -5}]},
        "booking 1 'A': the arrival must be a date such as 2026-07-01 or the number of a night",
    ),
    (
        {"rooms": [ROOM], "bookings": [BOOKING], "costs": {"upgrade": 1.5}},
        "cost 1 'upgrade': the cost must be a string or an integer, not 1.5",
    ),
    (
        {"categories": ["suite", 5.5], "rooms": [ROOM], "bookings": [BOOKING]},
        "category 2: the name must be a string or an integer, not 5.5",
    ),
]


@pytest.mark.parametrize(("value", "reason"), BAD_JSON)
def test_bad_entries_are_reported(value, reason, tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(value))
    with pytest.raises(ValueError, match=re.escape(reason)) as info:
        Hotel(file=str(path))
    assert str(info.value).startswith(f"{path}: ")


def test_errors_on_the_command_line(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text('{"rooms": [\n  {"number": }]}')
    with pytest.raises(FormatError, match=":2: not valid JSON: Expecting value"):
        Hotel(file=str(path))
    path.write_text('{"costs": {"a": 1, "a": 2}}')
    with pytest.raises(ValueError, match=f"{path}: the key 'a' appears twice"):
        Hotel(file=str(path))
    path.write_text('{"rooms": [\n  {"number": }]}')
    with pytest.raises(UnreadableError, match="No such file"):
        Hotel(file="absent.json")
    with pytest.raises(ValueError, match="file cannot be combined with seed"):
        Hotel(file=str(EXAMPLES / "hotel.json"), seed=2)
    _, err = invoke("gallery", "hotel", f"file={path}", status=2)
    assert err == f"error: hotel: {path}:2: not valid JSON: Expecting value\n"
    _, err = invoke("gallery", "hotel", "file=absent.json", status=2)
    assert err == "error: hotel: absent.json: No such file or directory\n"
    path.write_bytes(b"\xff\xfe")
    assert "not text in UTF-8" in invoke("gallery", "hotel", f"file={path}", status=2)[1]
    path.write_text(f"{HEADER}\nroom,Garden Suite,suite\nbooking,A,suite,,1,2\n")
    _, err = invoke("gallery", "hotel", f"file={path}", "--knuth", status=2)
    assert err.startswith("error: --knuth: item ('room', 'Garden Suite', 1) cannot be written")


def test_file_on_standard_input():
    content = (EXAMPLES / "hotel.json").read_text(encoding="utf-8")
    out, err = invoke("gallery", "hotel", "file=-", stdin=content)
    assert out.startswith("11 standard\n  2026-07-0")
    assert "Its cost is 7." in err


def test_airport_on_the_command_line():
    out, err = invoke("gallery", "airport")
    assert out.startswith("gate 1, small, 2 minutes\n  0")
    assert "Its cost is 208." in err
