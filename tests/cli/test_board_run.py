"""Output that is common to the commands that read files of boards."""

import csv
import io
import json
import os

import pytest

from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke, run

pytestmark = pytest.mark.compiled

COMMANDS = {
    "solve": ["solve"],
    "all": ["solve", "--all", "--limit", 2],
    "rate": ["rate"],
    "canonical": ["canonical"],
    "minimize": ["minimize"],
}


@pytest.fixture
def files(tmp_path):
    """Two files with an unreadable record each; their names need quotes in a table."""
    first, second = tmp_path / 'first, "new".txt', tmp_path / "second.txt"
    first.write_text(f"{UNIQUE}\nbad\n{SEVERAL}\n")
    second.write_text(f"bad\n{NONE}\n")
    return [str(first), str(second)]


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_tables_of_several_files_name_the_file_of_each_record(command, files):
    out, _ = invoke(*command, "-f", "csv", *files, status=1)
    rows = list(csv.DictReader(io.StringIO(out)))
    places = list(dict.fromkeys((row["file"], int(row["line"])) for row in rows))
    assert places == [(files[0], 1), (files[0], 2), (files[0], 3), (files[1], 1), (files[1], 2)]
    out, _ = invoke(*command, "-f", "json", *files, status=1)
    records = [each for each in map(json.loads, out.splitlines()) if "classes" not in each]
    assert list(dict.fromkeys((each["source"], each["line"]) for each in records)) == places
    assert all("file" not in each for each in records)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_table_of_one_file_does_not_name_it(command, files):
    for file in files:
        alone, _ = invoke(*command, "-f", "csv", file, status=1)
        header, *rows = csv.reader(io.StringIO(alone))
        assert "file" not in header
        repeated, _ = invoke(*command, "-f", "csv", file, file, status=1)
        column = header.index("line")
        longer = [[*row[:column], file, *row[column:]] for row in rows]
        both = list(csv.reader(io.StringIO(repeated)))
        assert both[0] == [*header[:column], "file", *header[column:]]
        assert both[1:] == longer * 2


@pytest.mark.processes
def test_files_without_valid_names_are_written(tmp_path):
    names = [os.fsencode(tmp_path) + b"/\xff.txt", os.fsencode(tmp_path) + b"/b.txt"]
    try:
        for name in names:
            with open(name, "w") as file:
                file.write(f"{UNIQUE}\nbad\n")
    except OSError:
        pytest.skip("the file system needs valid names")
    arguments = [os.fsdecode(name) for name in names]
    out, _ = run("solve", "-f", "csv", *arguments, status=1)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [os.path.basename(row["file"]) for row in rows] == ["?.txt", "?.txt", "b.txt", "b.txt"]


def test_board_as_an_argument():
    assert invoke("solve", "-q", UNIQUE)[0] == f"{SOLVED}\n"
    grid = invoke("solve", "-q", "-f", "grid", UNIQUE)[0]
    assert invoke("solve", "-q", grid)[0] == f"{SOLVED}\n"


def test_board_that_is_unreadable_is_reported_once():
    for command in COMMANDS.values():
        out, err = invoke(*command, f"{UNIQUE}1", status=2)
        assert (out, err) == ("", "error: <board>: expected 81 symbols, found 82\n")
    out, err = invoke("solve", "-q", UNIQUE[:-1], UNIQUE, status=2)
    assert (out, err) == (f"{SOLVED}\n", "error: <board>: expected 81 symbols, found 80\n")
