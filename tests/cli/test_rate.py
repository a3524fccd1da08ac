"""`rate`: formats, filters, limits, summaries and exit statuses."""

import csv
import json

import pytest

import dlx_numba as dlx
from dlx_numba.cli import rate
from dlx_numba.explain.deduction.ratings import StepFinder
from dlx_numba.runtime.choices import CLASSES
from dlx_numba.sudoku.rating import rate_boards
from tests.helpers import DATA
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, invoke, invoke_json

pytestmark = pytest.mark.compiled


MIXED = f"{SOLVED}\n{UNIQUE}\n{NONE}\nnot a board\n{SEVERAL}\n"


def test_puzzles_of_one_class_are_selected():
    files = [DATA / f"{name}.txt" for name in CLASSES[1:]]
    out, err = invoke("rate", "--difficulty", "easy", *files)
    assert out.splitlines() == (DATA / "easy.txt").read_text().split()
    assert err.startswith("800 Sudokus: 200 simple, 200 easy, 200 intermediate, 200 expert (")


def test_selected_puzzles_do_not_include_unreadable_text():
    out, err = invoke("rate", "--difficulty", "invalid", "-", stdin=MIXED, status=4)
    assert out.splitlines() == [NONE, SEVERAL]
    assert "1 unreadable" in err


@pytest.mark.parametrize("style", ["line", "csv", "json"])
def test_selection_without_puzzles_is_empty(style):
    out, _ = invoke("rate", "--difficulty", "expert", "-f", style, DATA / "easy.txt")
    assert len(out.splitlines()) == (0 if style == "line" else 1)


def test_output_of_rate_can_be_solved_and_rated_again():
    for style in ("line", "csv", "json"):
        out, _ = invoke("rate", "-q", "-f", style, "-", stdin=MIXED, status=4)
        [*records, _], _ = invoke_json("rate", "-", stdin=out, status=None)
        puzzles = [record["puzzle"] for record in records if record["puzzle"]]
        assert puzzles == [SOLVED, UNIQUE, NONE, SEVERAL]
        solved, _ = invoke("solve", "-q", "-f", "csv", "-", stdin=out, status=None)
        assert SOLVED in solved


def test_time_limit_ends_a_chunk(monkeypatch):
    def rate_two(boards, has_steps, stop):
        stop.cancel()
        return rate_boards(boards[:2], has_steps)

    monkeypatch.setattr(rate, "rate_boards", rate_two)
    out, err = invoke("rate", "--seconds", 100, "-", stdin=MIXED, status=3)
    assert [line.split()[0] for line in out.splitlines()] == [SOLVED, UNIQUE]
    assert "2 Sudokus: 1 simple, 1 expert (" in err
    assert err.endswith("time limit reached: the remaining input was not read\n")


def test_time_limit_ends_the_run():
    _, err = invoke("rate", "--seconds", 0, DATA / "easy.txt", status=3)
    assert err.endswith("time limit reached: the remaining input was not read\n")


def test_steps_are_written_as_json_and_csv(tmp_path):
    board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    path = tmp_path / "boards.txt"
    path.write_text(f"{board}\n{81 * '.'}\n")
    lines = invoke("rate", "--with-steps", "-f", "json", path, status=1)[0].splitlines()
    record, invalid, _ = map(json.loads, lines)
    assert record["used"] == ["51 naked single"]
    assert record["steps"][0] == {
        "name": "naked single",
        "cells": [[5, 5]],
        "digits": [5],
        "text": "Naked single: r5c5 can only be 5. This excludes 5 from r4c4, r5c2, r5c3, r5c7, "
        "r5c8, r6c4 and r7c5.",
    }
    assert (invalid["steps"], invalid["used"]) == ([], [])
    text, _ = invoke("rate", "--with-steps", "-f", "csv", path, status=1)
    table = [*csv.DictReader(text.splitlines())]
    assert table[0]["steps"].startswith("Naked single: r5c5 can only be 5. ")
    assert table[0]["steps"].count(" + ") == 50
    _, err = invoke("rate", "--with-steps", path, status=2)
    assert err == "error: --with-steps needs --format json or csv, or -o FILE.parquet\n"


def test_variants_are_rated_with_their_steps(tmp_path):
    board = ".23...........41"
    path = tmp_path / "variants.json"
    lines = [{"diagonals": True, "puzzle": board}, {"arrows": [[0, 1, 2]], "puzzle": "." * 16}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    text, err = invoke("rate", "--with-steps", "-f", "json", path, status=1)
    record, invalid, _ = map(json.loads, text.splitlines())
    deduction = dlx.deduce(board, dlx.SudokuRules(diagonals=True))
    assert [step["text"] for step in record["steps"]] == [step.text for step in deduction]
    assert record["diagonals"] is True
    assert (invalid["difficulty"], invalid["count"], invalid["steps"]) == ("invalid", 2, [])
    assert "2 Sudokus: " in err
    assert invoke("rate", path, status=1)[0].startswith(f"{board} # ")


def test_each_variant_is_written_when_it_is_rated(tmp_path, monkeypatch):
    path = tmp_path / "variants.json"
    output = tmp_path / "rated.txt"
    rules = dlx.SudokuRules(diagonals=True)
    boards = dlx.generate(4, rules=rules, box="2x2", seed=2).strings()
    lines = [json.dumps({"diagonals": True, "puzzle": board}) for board in boards]
    path.write_text("\n".join(lines))
    find = StepFinder.find
    rated = []

    def find_two(finder, board, stop):
        if len(rated) == 2:
            raise KeyboardInterrupt
        rated.append(board)
        return find(finder, board, stop)

    with monkeypatch.context() as patch:
        patch.setattr(StepFinder, "find", find_two)
        _, err = invoke("rate", "-j", 1, "-o", output, path, status=130)
    assert err.startswith("interrupted: 2 complete records written")
    _, err = invoke("rate", "-o", output, "--resume", path)
    assert err.startswith("(resuming: 2 records are in ")
    assert [line.split()[0] for line in output.read_text().splitlines()] == boards
