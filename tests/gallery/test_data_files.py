"""Files of the hotel, the flights and the airport: round trips, formats, names and errors."""

import csv
import json
import re

import pytest

from dlx_numba.gallery import Airport, Flights, Hotel
from tests.helpers import ROOT
from tests.helpers.processes import invoke

EXAMPLES = ROOT / "docs" / "examples"
HEADERS = {
    Hotel: "kind,name,category,features,arrival,departure,cost",
    Flights: "kind,name,origin,departure,destination,arrival",
    Airport: "kind,name,size,walk,arrival,departure",
}

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("entry", [Airport, Flights])
def test_both_formats_describe_the_same_problem(entry, tmp_path):
    """JSON has a list of objects for each kind; hotels have names of their own there."""
    path = EXAMPLES / f"{entry.__name__.lower()}.csv"
    lists = {}
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        cells = {name: cell for name, cell in row.items() if cell}
        lists.setdefault(f"{cells.pop('kind')}s", []).append(cells)
    written = tmp_path / "data.csv"  # the content determines the format, not the name
    written.write_text(json.dumps(lists), encoding="utf-8")
    assert entry(file=str(written)).statement() == entry(file=str(path)).statement()


def test_parameters_beside_a_file():
    path = str(EXAMPLES / "flights.csv")
    with pytest.raises(ValueError, match="file cannot be combined with schedule"):
        Flights("A0600-B0700", file=path)
    with pytest.raises(ValueError, match="file cannot be combined with seed"):
        Hotel(file=str(EXAMPLES / "hotel.json"), seed=2)


def test_picture_names_rooms_bookings_and_days():
    picture = Hotel(file=str(EXAMPLES / "hotel.csv")).first().svg()
    names = {"11 standard", "21 superior", "Adams", "Baker", "Clark", "Davis", "Evans", "07-07"}
    assert names <= set(re.findall(">([^<]+)<", picture))


def test_names_are_optional_and_may_be_repeated(tmp_path):
    path = tmp_path / "hotel.csv"
    path.write_text(
        "\ufeffArrival,Departure,Name,Kind,Category\r\n,,7,room,single\r\n,,,,\r\n"
        "0,1,,booking,single\r\n1,2,Smith,booking,single\r\n2,3,Smith,booking,single\r\n"
    )
    hotel = Hotel(file=str(path))
    [solution] = hotel.cover().solve()
    assert hotel.text(solution) == "7 single\n  0 to 1  1\n  1 to 2  Smith\n  2 to 3  Smith#2"


ROOM = {"number": 1, "category": "suite"}
BOOKING = {"name": "A", "category": "suite", "arrival": 1, "departure": 2}
STAY = {"rooms": [ROOM], "bookings": [BOOKING]}
BAD_FILES = [  # the problem, the rows of a CSV file or a JSON value, and the error
    (Hotel, "", ": there are no rooms"),
    (Hotel, "room,1,suite", ": there are no bookings"),
    (Hotel, "guest,1", ":2: guest '1': the kind must be one of category, room, booking, cost, not"),
    (Hotel, "room,1,palace", ":2: room '1': the category must be one of single, double, sea view,"),
    (Hotel, "room,1", ":2: room '1': the category is missing"),
    (Hotel, "room,1,suite\nroom,1,single", ":3: room '1': the name is listed twice"),
    (Hotel, "category,a\ncategory,a", ":3: category 'a': the name is listed twice"),
    (Hotel, "room,1,suite,,5", ":2: room '1': unknown column 'arrival'; the columns of a room are"),
    (Hotel, "room,1,suite,,,,,,more", ":2: room '1': unknown column ''; the columns of a room are"),
    (Hotel, 'room,"1,suite', ": unexpected end of data"),
    (Hotel, "cost,breakfast,,,,,5", ":2: cost 'breakfast': the name must be one of upgrade"),
    (Hotel, "cost,upgrade,,,,,-5", ": the cost must be an integer from 0 to 1,000,000, not '-5'"),
    (Hotel, "booking,A,suite,,5,4", "'A': the departure must be after the arrival, not 5 to 4"),
    (Hotel, "booking,A,suite,,2026-02-29,2026-03-01", "number of a night, not '2026-02-29'"),
    (Hotel, "booking,A,suite,,1,2026-03-01", ": the bookings are for 739,675 nights; up to 1,000 "),
    (Hotel, "booking,A,twin,,1,2", "booking 'A': the category must be one of single, "),
    (Flights, "", ": there are no flights"),
    (Flights, "flight,1,A,6:60,B,7:00", "must be a time such as 6:05, not '6:60'"),
    (Airport, "flight,1,small,,6:00,7:00", ": there are no gates"),
    (Airport, "gate,1,small,x\nflight,1", ":2: gate '1': the walk must be an integer from 0 to "),
    (Hotel, [ROOM], ": expected a JSON object with the keys categories, rooms, bookings, costs"),
    (Hotel, {"guests": 1}, ": expected a JSON object with the keys categories, rooms"),
    (Hotel, {"rooms": ROOM}, ": rooms must be a list, not {"),
    (Hotel, {**STAY, "rooms": [5]}, ": room 1 '5': the category is missing"),
    (Hotel, {"rooms": [{"floor": 1}]}, ": room 1: unknown column 'floor'; the columns of a room "),
    (Hotel, {**STAY, "bookings": [{**BOOKING, "arrival": None}]}, "'A': the arrival is missing"),
    (Hotel, {**STAY, "costs": {"upgrade": 1.5}}, "not '1.5'"),
    (Hotel, '{"rooms": [\n  {"number": }]}', ": not valid JSON: Expecting value: line 2 column"),
    (Hotel, '{"costs": {"a": 1, "a": 2}}', ": the key 'a' appears twice"),
    (Hotel, "\udcff", ": 'utf-8' codec can't decode"),
]


@pytest.mark.parametrize(("entry", "content", "reason"), BAD_FILES)
def test_errors_in_files_are_reported(entry, content, reason, tmp_path):
    path = tmp_path / "bad"
    if isinstance(content, str) and not content.startswith(("{", "\udcff")):
        room = "room,1,suite\n" if content.startswith("booking") else ""
        others = "\nroom,last,suite\nbooking,last,suite,,1,2" if entry is Hotel else ""
        content = f"{HEADERS[entry]}\n{room}{content}{others if 'no ' not in reason else ''}\n"
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(ValueError, match=re.escape(reason)) as info:
        entry(file=str(path))
    assert str(info.value).startswith(f"{path}:")


def test_errors_on_the_command_line(tmp_path):
    _, err = invoke("gallery", "hotel", "file=absent.json", status=2)
    assert err == "error: hotel: absent.json: No such file or directory\n"
    path = tmp_path / "hotel.csv"
    path.write_text(f"{HEADERS[Hotel]}\nroom,Garden Suite,suite\nbooking,A,suite,,1,2\n")
    _, err = invoke("gallery", "hotel", f"file={path}", "--knuth", status=2)
    assert err.startswith("error: --knuth: item ('room', 'Garden Suite', 1) cannot be written")


def test_file_on_standard_input():
    path = EXAMPLES / "hotel.json"
    out, _ = invoke("gallery", "hotel", "file=-", stdin=path.read_text(encoding="utf-8"))
    assert out == invoke("gallery", "hotel", f"file={path}")[0]
