"""`hint`, for boards and for problems."""

import json

import pytest

from dlx_numba import ExactCover
from dlx_numba.cli.terminal import ExitStatus
from tests.helpers import ROOT
from tests.helpers.processes import invoke, invoke_json

BOARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def test_a_hint_is_a_sentence_and_the_board_after_the_step():
    output, _ = invoke("hint", BOARD)
    assert output.startswith("Hidden single: in box 4, the 4 can only be in r6c2.")
    assert "\n . 4 . | . 1 . | . . .\n" in output


def test_all_steps_as_json():
    [record], _ = invoke_json("hint", "--all", "-f", "json", BOARD)
    assert (record["done"], len(record["cover"])) == (True, 81)
    [first], _ = invoke_json("hint", "-n", "2", "-f", "json", BOARD)
    assert first["steps"] == record["steps"][:2]
    assert (first["done"], first["end"]) == (False, "")
    assert {step["name"] for step in record["steps"]} == {
        "naked single", "hidden single", "pointing",
    }  # fmt: skip


def test_problems_of_any_kind(problem_file, tmp_path):
    file = tmp_path / "steps.json"
    path = problem_file(ExactCover({"x": ["a", "b"], "y": ["b"], "z": ["a"]}))
    invoke("hint", "-f", "json", "-o", file, "--given", "y", path)
    [step] = json.loads(file.read_text())["steps"]
    assert (step["kind"], step["items"], step["chosen"]) == ("only", ["a"], 2)
    [record], _ = invoke_json("hint", "--all", "--one-based", "--given", "2", path)
    chosen, removed = record["steps"][0]["chosen"], record["steps"][0]["removed"]
    assert (chosen, removed, record["cover"]) == (3, [], [2, 3])
    [record], _ = invoke_json("hint", "--one-based", ROOT / "docs" / "examples" / "knuth.dlx")
    assert record["steps"][0]["removed"] == [6]
    output, _ = invoke("hint", "--all", "futoshiki")
    assert "This is the only cover." in output


@pytest.mark.parametrize(
    ("problem", "options", "status", "end"),
    [
        (ExactCover([["a"], ["a"]]), [], ExitStatus.NOT_SOLVED, "No rule applies"),
        (
            ExactCover([["a"]], items=["a", "b"]),
            [],
            ExitStatus.NOT_SOLVED,
            "nothing is left for `b`.",
        ),
        (ExactCover([["a"]]), ["--seconds", "0"], ExitStatus.STOPPED, "Stopped before"),
    ],
)
def test_the_status_states_what_is_known(problem_file, problem, options, status, end):
    output, _ = invoke("hint", *options, problem_file(problem), status=status)
    assert end in output


def test_a_quiet_hint_says_which_given_breaks_a_rule():
    record = '{"even": [0], "puzzle": "1..............."}\n'
    out, err = invoke("hint", "--quiet", "-", stdin=record, status=ExitStatus.NOT_SOLVED)
    reason = "r1c1=1 breaks a rule: the value in a gray square is even"
    assert (out, err) == ("", f"<stdin>:1: no solution: {reason}\n")


def test_a_page_has_a_section_for_each_step(tmp_path):
    page = tmp_path / "steps.html"
    invoke("hint", "--all", "-f", "html", "--title", "Five < six", "-o", page, "futoshiki")
    text = page.read_text()
    assert text.count("<section data") == text.count("<svg xmlns") > 10
    assert "<h1>Five &lt; six</h1>" in text
    assert "This is the only cover." in text


@pytest.mark.parametrize("command", ["hint", "solve"])
def test_a_text_is_of_the_kind_that_is_stated(command):
    marks = "123456789" * 80 + ".2......."
    assert "read as sukaku" in invoke(command, "--kind", "sukaku", marks, status=None)[1]


def test_the_status_says_that_other_puzzles_cannot_be_read(tmp_path):
    path = tmp_path / "boards.txt"
    path.write_text(f"{'.' * 79}\n{BOARD}\n")
    _, err = invoke("hint", path, status=ExitStatus.UNREADABLE)
    assert f"{path}:1: expected 81 symbols, found 79" in err
    invoke("hint", "--puzzle", "1", path)
