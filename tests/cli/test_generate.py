"""`generate`: the options, the formats, pipes and interrupts."""

import csv
import io
import json
import re
import shlex

import pytest

import dlx_numba as dlx
from dlx_numba.sudoku.results import format_boards
from tests.helpers.processes import invoke, invoke_json

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("", {}),
        ("--quiet", {}),
        ("--symmetry=flip", {"symmetry": "flip"}),
        ("--clues=23-24", {"clues": (23, 24)}),
        ("--clues ' 30 ' --no-minimal", {"clues": 30, "minimal": False}),
        ("--difficulty=simple --minimal", {"difficulty": "simple", "minimal": True}),
        ("--box=2x3 --threads=1", {"box": (2, 3)}),
    ],
)
def test_puzzles_are_those_of_the_library(arguments, options):
    out, err = invoke("generate", 12, "--seed", 1, *shlex.split(arguments))
    assert out.splitlines() == dlx.generate(12, seed=1, **options).strings()
    summary = "" if arguments == "--quiet" else r"12 puzzles, seed 1 \([0-9.]+ s.*\)\n"
    assert re.fullmatch(summary, err)


def test_tables_have_the_columns_of_solve():
    arguments = ("generate", 3, "--seed", 1, "--difficulty", "expert")
    rows = list(csv.DictReader(io.StringIO(invoke(*arguments, "-f", "csv")[0])))
    objects, _ = invoke_json(*arguments)
    result = dlx.generate(3, difficulty="expert", seed=1)
    solutions = format_boards(result.solutions, dlx.Box(3, 3))
    for records in (rows, objects):
        assert [record["puzzle"] for record in records] == result.strings()
        assert [record["solution"] for record in records] == solutions
        kinds = {(record["difficulty"], record["status"]) for record in records}
        assert kinds == {("expert", "unique")}
    assert [row["line"] for row in rows] == ["1", "2", "3"]


def test_large_boards_are_read_again():
    out = invoke("generate", 2, "--box", "3x4", "--seed", 1, "--alphabet", "A-")[0]
    err = invoke("solve", "--check", "--alphabet", "A-", "-", stdin=out)[1]
    assert "2 Sudokus: 2 unique" in err


def test_objects_with_another_box_are_read_again():
    out = invoke("generate", "--box", "3x2", "--seed", 1, "-f", "json")[0]
    solved = invoke("solve", "--check", "-f", "json", "-", stdin=out)[0]
    assert json.loads(solved)["status"] == "unique"
    assert invoke("solve", "-", stdin=solved)[0].strip() == json.loads(solved)["solution"]
    assert json.loads(invoke("canonical", "-f", "json", "-", stdin=out)[0])["box"] == "3x2"


def test_no_puzzles(tmp_path):
    path = tmp_path / "none.txt"
    invoke("generate", 0, "-o", path)
    assert path.read_text() == ""


def test_puzzles_are_written_until_a_request_is_given_up(monkeypatch):
    from dlx_numba.sudoku.generator import stream

    monkeypatch.setattr(stream, "MAX_FAILURES", {9: 60})
    monkeypatch.setattr(stream, "MAX_BLOCK", 30)
    out, err = invoke("generate", 50, "--clues", 22, "--seed", 1, "-j", 1, status=2)
    assert 0 < len(out.splitlines()) < 50
    assert "error: no minimal 9x9 puzzles with 22 clues found" in err


@pytest.mark.parametrize("style", ["line", "html"])
def test_a_time_limit_keeps_what_is_written(style, tmp_path):
    path = tmp_path / "puzzles"
    arguments = "--seconds", 0, "--seed", 1, "-f", style, "-o", path
    _, err = invoke("generate", 7, *arguments, status=3)
    assert err.startswith("Stopped before the end: 0 of 7 puzzles, seed 1 (")
    assert [*tmp_path.iterdir()] == []


def test_books_are_written_completely_or_not_at_all(tmp_path):
    path = tmp_path / "book.html"
    invoke("generate", 7, "--seed", 1, "-f", "html", "--per-page", 4, "-o", path)
    book = path.read_text(encoding="utf-8")
    assert book.count("<section>") == 2 + 1  # puzzles, solutions
    assert book.count("<svg ") == 14
    invoke("generate", 1, "--clues", 80, "-f", "html", "-o", path, status=2)
    assert path.read_text(encoding="utf-8") == book


@pytest.mark.parametrize("rules", ["", "--rules disjoint-groups", "--cages 3 --differences 2"])
def test_f_puzzles_objects_have_boxes_of_other_shapes(rules, tmp_path):
    shape = "--box 3x2 --seed 1"
    options = [*shape.split(), *rules.split()]
    written, _ = invoke("generate", 2, "-f", "fpuzzles", *options)
    path = tmp_path / "tall.jsonl"
    path.write_text(written)
    generated, _ = invoke_json("generate", 2, "-f", "json", "--solution", *options)
    solved, _ = invoke_json("solve", "--check", "-f", "json", path)
    assert [each["solution"] for each in solved] == [each["solution"] for each in generated]
    assert [each["status"] for each in solved] == ["unique"] * 2
    assert invoke("verify", path)[0].count("a cover\n") == 2
