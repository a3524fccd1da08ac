"""`bench`: tables and JSON."""

import re

import pytest

from dlx_numba.cli import bench
from tests.helpers import DATA, INSTANCES
from tests.helpers.processes import invoke, invoke_json

pytestmark = pytest.mark.compiled

EASY = DATA / "easy.txt"
QUEENS = INSTANCES / "queens8.dlx"


def names(text):
    """Return the first words of the lines of a table."""
    _heading, *lines = text.splitlines()
    return [line.split()[0] for line in lines if "  " in line]


@pytest.mark.slow
def test_json_and_markdown():
    arguments = ("--boards", 5, "--repeat", 1, EASY)
    [measurement, _], _ = invoke_json("bench", "--engine", "dlx", *arguments)
    assert measurement["solved"] == len(measurement["seconds"]) == len(measurement["nodes"]) == 5
    arguments = ("--boards", 2, "-f", "markdown", EASY)
    out, _ = invoke("bench", *arguments)
    assert "| engine " in out
    assert {"naive", "textbook", "lanes", "dlx", "nodes", "guesses"} <= set(out.split())


@pytest.mark.slow
def test_the_naive_search_is_measured_on_a_sample_unless_it_is_named(monkeypatch):
    monkeypatch.setattr(bench, "NAIVE_BOARDS", 1)
    arguments = ("--boards", 2, "--repeat", 1, EASY)
    measurements, _ = invoke_json("bench", *arguments)
    solved = {each["solver"]: each["solved"] for each in measurements[:-1]}
    assert solved == {"naive": 1, "textbook": 2, "dlx": 2, "lanes": 2}
    [measurement, _], _ = invoke_json("bench", "--engine", "naive", *arguments)
    assert measurement["solved"] == 2


def test_details_are_optional():
    arguments = ("bench", "--engine", "lanes", "--boards", 2, "--repeat", 1, EASY)
    assert "hardest steps" not in invoke(*arguments)[0]
    assert "hardest steps: 2 hidden" in invoke(*arguments, "--details")[0]


@pytest.mark.thorough
def test_default_has_the_bundled_sets():
    out, _ = invoke("bench", "--boards", 2, "--repeat", 1, "--cutoff", 0.05)
    tables = out.split("\n\n")[:5]
    sets = "simple", "easy", "intermediate", "expert"
    for table, name in zip(tables, sets, strict=False):
        assert table.startswith(f"Sudoku, {name}: ms per puzzle\n")
        assert names(table) == ["engine", "naive", "textbook", "dlx", "lanes"]
    assert names(tables[4]) == ["problem", "12", "Langford", "12", "dominoes"]
    assert max(map(len, out.splitlines())) <= 80


def test_exact_cover(monkeypatch):
    monkeypatch.setattr(bench, "PROBLEMS", bench.PROBLEMS[:1])
    arguments = ("--engine", "bitset", "--repeat", 1)
    out, _ = invoke("bench", *arguments)
    assert out.startswith("Exact cover: ")
    assert re.search(r"12 queens +144 +14,200 +\d+\.\d\d\n", out)
    [*counts, last], _ = invoke_json("bench", *arguments)
    assert (last["status"], last["measurements"], last["exact_cover"]) == ("done", 0, 1)
    assert counts[0].keys() == {"problem", "options", "covers", "algorithm", "seconds", "note"}
    assert {each["algorithm"] for each in counts} == {"bitset"}


@pytest.mark.slow
def test_files_with_exact_cover_problems(tmp_path):
    """Beside sets of Sudokus; a file with several puzzles has a row for each."""
    out, _ = invoke("bench", "--boards", 2, "--repeat", 1, EASY, QUEENS)
    assert out.startswith(f"Sudoku, {EASY}: ms per puzzle\n")
    header = " +".join(["problem", "options", "covers", "textbook", "links", "bitset", "memo"])
    assert re.search(rf"\n{header}\n{QUEENS} +64 +92 ", out)
    puzzles = tmp_path / "bridges.txt"
    puzzles.write_text("1.3\n...\n..2\n\n1.1\n")
    [first, second, last], _ = invoke_json(
        "bench", "--kind", "hashiwokakero", "--engine", "memo", puzzles
    )
    assert [each["problem"] for each in (first, second)] == [f"{puzzles} 1", f"{puzzles} 2"]
    assert [each["covers"] for each in (first, second)] == [1, 1]
    assert last["exact_cover"] == 2
