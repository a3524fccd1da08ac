"""The endings of output files, which select the formats of commands."""

import json

import pytest

from dlx_numba.cli.endings import FORMATS_OF_ENDING
from dlx_numba.puzzles.exact import write
from tests.helpers import INSTANCES
from tests.helpers.examples import EASY
from tests.helpers.processes import invoke

pytestmark = pytest.mark.compiled

LANGFORD = INSTANCES / "langford8.dlx"
COSTS = INSTANCES / "queens8.cost.dlx"

# How files begin, or what they contain, for each ending
MARKS = {
    ".json": b'"',
    ".jsonl": b'"',
    ".html": b"<!doctype html>",
    ".svg": b"<svg ",
    ".csv": b"\n",
    ".xlsx": b"PK",
    ".dlx": b"| ",
    ".mps": b"ROWS",
    ".cnf": b"p cnf",
    ".opensudoku": b"<opensudoku",
    ".md": b"| ---",
}


@pytest.mark.parametrize(
    ("command", "endings"),
    [
        (("solve", EASY), ".csv .json .jsonl .html .svg"),
        (("solve", "queens"), ".csv .json .jsonl .html .svg .xlsx"),
        (("rate", EASY), ".csv .json .jsonl"),
        (("minimize", EASY), ".csv .json .jsonl"),
        (("canonical", EASY), ".csv .json .jsonl"),
        (("generate", "2", "--seed", "1"), ".csv .json .jsonl .html"),
        (("cover", LANGFORD), ".json .jsonl"),
        (("count", LANGFORD), ".json .jsonl"),
        (("count", "--frequencies", "queens"), ".json .jsonl .svg"),
        (("sample", LANGFORD), ".json .jsonl"),
        (("cheapest", COSTS), ".csv .json .jsonl .xlsx"),
        (("estimate", LANGFORD), ".json .jsonl"),
        (("hint", EASY), ".html .json .jsonl"),
        (("diagnose", LANGFORD), ".json .jsonl"),
        (("diagnose", "--relax", LANGFORD), ".csv .json .jsonl .xlsx"),
        (("puzzles", "queens"), ".html .json"),
        (("show", EASY), ".html .svg .opensudoku"),
        (("show", "queens"), ".csv .json .svg .dlx .mps .cnf"),
        (("explain", LANGFORD, "--steps", "40"), ".csv .json .jsonl .html .svg"),
        (("bench", "--engine", "dlx", "--boards", "1", "--repeat", "1"), ".json .jsonl .md"),
    ],
)
def test_the_ending_of_the_output_selects_the_format(command, endings, tmp_path):
    for ending in endings.split():
        path = tmp_path / f"output{ending.upper() if ending == '.svg' else ending}"
        if ending == ".xlsx":
            pytest.importorskip("openpyxl")
        invoke(*command, "-o", path)
        content = path.read_bytes()
        assert MARKS[ending] in content, ending
        if ending == ".json" and command[0] == "show":
            json.loads(content)
        elif ending in (".json", ".jsonl"):
            for line in content.splitlines():
                json.loads(line)


def test_other_endings_devices_and_texts_have_the_default_format(tmp_path):
    for name in ("boards.txt", "boards.dat", "boards", "boards.tar.v2"):
        path = tmp_path / name
        invoke("solve", EASY, "-o", path)
        assert len(path.read_text().split()[0]) == 81
    invoke("solve", EASY, "-o", "/dev/null")
    trace = tmp_path / "trace.txt"
    invoke("explain", LANGFORD, "--steps", 40, "-o", trace)
    assert "step level" in trace.read_text()
    page = tmp_path / "page"
    invoke("explain", LANGFORD, "--steps", 40, "-o", page)
    assert page.read_text().startswith("<!doctype html>")


def test_a_stated_format_wins(tmp_path):
    path = tmp_path / "output.xlsx"
    invoke("solve", EASY, "-f", "json", "-o", path)
    assert json.loads(path.read_text().splitlines()[0])["status"] == "solved"
    page = tmp_path / "page.txt"
    invoke("explain", LANGFORD, "--steps", 40, "-f", "html", "-o", page)  # html is the default
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("rate x -o r.svg", ".txt, .csv, .parquet, .json, .jsonl, not 'r.svg'"),
        ("show queens -o q.jsonl", ".txt, .csv, .parquet, .xlsx, .json, .html,"),
        ("cover queens -o c.csv", "--output c.csv needs --batch, or a table"),
        ("cover queens -o c.xlsx", ".txt, .csv, .parquet, .json, .jsonl, not 'c.xlsx'"),
        ("rate x -o r.csv.gz", ".txt, .csv, .parquet, .json, .jsonl, not 'r.csv.gz'"),
        ("show queens -o q.lp", ".mps, .cnf, .wcnf, .opensudoku, not 'q.lp'"),
        (
            "explain queens -o q.PNG",
            ".txt, .csv, .parquet, .xlsx, .json, .jsonl, .html, .htm, .svg, not",
        ),
    ],
)
def test_an_ending_that_a_command_cannot_write_lists_those_it_can(
    words, written, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    out, err = invoke(*words.split(), status=2)
    assert out == ""
    assert written in err
    assert not [*tmp_path.iterdir()]


def test_a_picture_replaces_the_text(tmp_path):
    for puzzle in (EASY, "queens"):
        out, _ = invoke("solve", "-f", "svg", puzzle)
        assert out.startswith("<svg ")
        assert out.endswith("</svg>\n")
    path = tmp_path / "board.svg"
    path.write_text(f"{EASY}\n")
    assert "is both input and output" in invoke("solve", path, "-o", path, status=2)[1]


def test_boards_are_no_plans(tmp_path):
    _, err = invoke("solve", EASY, "-o", tmp_path / "plan.ics", status=2)
    assert "--format ics is not for Sudoku boards: use line, csv, grid, json, candidates" in err


def test_problems_have_the_endings_of_the_library():
    for suffix, kind in write._KIND_OF_SUFFIX.items():
        assert FORMATS_OF_ENDING[suffix] == (kind,)
