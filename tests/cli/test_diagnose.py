"""`diagnose`, and what other commands say if there is no cover."""

import json

import pytest

from dlx_numba import ExactCover
from dlx_numba.cli.terminal import ExitStatus
from tests.helpers.diagnoses import tiling
from tests.helpers.processes import invoke, invoke_json

TRIANGLE = ExactCover([["a", "b"], ["b", "c"], ["c", "a"]])
ROOM = ExactCover(
    [*([name, ("h", color)] for name, color in zip("ppqq", "abcd", strict=True)), ["x"]],
    secondary=["h"],
)
CONFLICT = "12....4........3"
REASON = (
    "There is no cover: each option contains an even number of 3 items, "
    "but an odd number, 3, must be covered."
)


def test_text(problem_file):
    path = problem_file(TRIANGLE)
    output, errors = invoke("diagnose", path, status=ExitStatus.NOT_SOLVED)
    assert output == f"{REASON}\nThe items: `a`, `b`, `c`.\n"
    assert "diagnose" not in errors
    assert invoke("diagnose", "-q", path, status=ExitStatus.NOT_SOLVED)[1] == ""


def test_json(problem_file, tmp_path):
    file = tmp_path / "reason.json"
    invoke("diagnose", "-f", "json", "-o", file, problem_file(TRIANGLE), status=1)
    record = json.loads(file.read_text())
    assert record.items() >= {"kind": "coloring", "values": {"a": 1, "b": 1, "c": 1}}.items()
    assert record["modulus"] == 2
    [record], _ = invoke_json("diagnose", problem_file(ROOM), status=1)
    assert (record["kind"], record["is_minimal"]) == ("conflict", True)
    assert sorted(record["items"]) == ["h", "p", "q"]


def test_pictures(problem_file):
    for problem in (problem_file(tiling(3, 3, "##")), CONFLICT):
        output, _ = invoke("diagnose", "-f", "svg", problem, status=ExitStatus.NOT_SOLVED)
        assert output.startswith("<svg")
    _, errors = invoke("diagnose", "-f", "svg", problem_file(TRIANGLE), status=ExitStatus.USAGE)
    assert "there is no picture" in errors


def test_the_status_states_what_is_known(problem_file):
    assert invoke("diagnose", problem_file(ExactCover([["a"]])))[0] == "The problem has a cover.\n"
    assert invoke("diagnose", "." * 16)[0] == "The puzzle has a solution.\n"
    for problem in (problem_file(ROOM), CONFLICT):
        output, _ = invoke("diagnose", "--seconds", "0", problem, status=ExitStatus.STOPPED)
        assert "not known" in output


@pytest.mark.parametrize("command", ["cover", "count", "cheapest", "sample"])
def test_commands_explain_that_there_is_no_cover(command, problem_file):
    path = problem_file(TRIANGLE)
    _, errors = invoke(command, path, status=ExitStatus.NOT_SOLVED)
    assert errors.endswith(f"{REASON} See `dlx-numba diagnose {path}`.\n")
    printed = "0\n" if command == "count" else ""
    assert invoke(command, "-q", path, status=ExitStatus.NOT_SOLVED) == (printed, "")
    _, errors = invoke(command, problem_file(ROOM), status=ExitStatus.NOT_SOLVED)
    assert errors.endswith(f"why there is no cover, run `dlx-numba diagnose {path}`.\n")


def test_the_hint_names_the_command_for_the_same_problem(tmp_path):
    path = tmp_path / "two words.dlx"
    path.write_text("a b\na b\na\n")
    _, errors = invoke("count", "--one-based", "--given", 2, path, status=ExitStatus.NOT_SOLVED)
    assert f" See `dlx-numba diagnose --given=2 --one-based '{path}'`.\n" in errors
    _, errors = invoke("count", "-", stdin="a b\na\n", status=ExitStatus.NOT_SOLVED)
    assert errors.endswith(" See `dlx-numba diagnose FILE` with the problem in a file.\n")


def test_a_puzzle_without_a_solution_names_givens():
    for arguments in ([CONFLICT], ["--blank", "o", CONFLICT.replace(".", "o")]):
        output, _ = invoke("diagnose", *arguments, status=ExitStatus.NOT_SOLVED)
        assert output.splitlines()[1] == "To blame: `r1c1=1`, `r1c2=2`, `r2c3=4`."


def test_a_puzzle_that_is_refuted_while_it_is_read_has_reasons():
    arguments = ("diagnose", "--kind", "nonogram", "-")
    runs = "3 3\n2\n1\n1 1\n1 1\n1\n1 1\n"
    output, _ = invoke(*arguments, stdin=runs, status=ExitStatus.NOT_SOLVED)
    assert "There is no cover: nothing is left for run 1 of row 3." in output
    runs = ["0", *["1 " * 10] * 97, "1 " * 20, "1 " * 10, "100", *["1 " * 10] * 9, *["1 " * 9] * 90]
    text = "\n".join(["100 100", *runs]) + "\n"
    output, _ = invoke(*arguments, stdin=text, status=ExitStatus.NOT_SOLVED)
    assert "has no option" in output  # all options would be too many


def test_files_of_puzzles_are_diagnosed_one_by_one(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{'.' * 16}\n{CONFLICT}\n")
    [solvable, conflict], _ = invoke_json("diagnose", path, status=ExitStatus.NOT_SOLVED)
    assert (solvable["place"], solvable["kind"]) == (f"{path}:1", "solvable")
    assert conflict["conditions"][0] == ["given", "r1c1=1"]
    rules = ["diagnose", "--rules", "anti-king"]
    output, _ = invoke(*rules, path, status=ExitStatus.NOT_SOLVED)
    reason = "The puzzle has no solution: 1 rule excludes all solutions."
    assert output.startswith(f"{path}:1: {reason}")
    [record], _ = invoke_json(*rules, "." * 16, status=ExitStatus.NOT_SOLVED)
    assert record["conditions"] == [["rule", {"anti_king": True}]]


def test_relax_prints_what_is_dropped_and_writes_the_plan(tmp_path):
    stated = {"options": {"Ann": ["mon"], "Bob": ["tue"]}, "items": ["mon", "tue", "wed"]}
    path, plan = tmp_path / "shifts.json", tmp_path / "plan.csv"
    path.write_text(json.dumps(stated))
    out, _ = invoke("diagnose", path, "--relax", status=1)
    assert "- `wed` is not covered\nOne of these: Ann Bob\n" in out
    [record], _ = invoke_json("diagnose", path, "--relax", status=1)
    assert (record["relaxed"], record["cost"]) == ([["uncovered", "wed", 1]], 0)
    _, err = invoke("diagnose", path, "--relax", "--format", "csv", status=2)
    assert "--format csv needs --output FILE" in err
    invoke("diagnose", path, "--relax", "-o", plan, status=1)
    assert plan.read_text() == "option,item,change\nAnn,mon,\nBob,tue,\n,wed,uncovered\n"
