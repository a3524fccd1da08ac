"""`count` and `sample`, with a memo of subproblems."""

import json
import re

import pytest

import dlx_numba as dlx
from tests.helpers import INSTANCES
from tests.helpers.counting import matchings
from tests.helpers.processes import invoke, invoke_json

QUEENS = INSTANCES / "queens8.dlx"


@pytest.mark.compiled
@pytest.mark.parametrize("mode", [("count", "--method", "memo"), ("sample",)], ids=str)
def test_time_limits_are_reported(mode, problem_file):
    path = problem_file(matchings(40))
    out, err = invoke(*mode, "--seconds", 0.1, path, status=3)
    assert out == ""
    assert re.search(r"^Stopped before the end: .*% of", err, re.MULTILINE)
    last = r"There (is|are) at least [\d,]+ covers?\. To continue a count later, use --folder\."
    assert bool(re.fullmatch(last, err.splitlines()[-1])) == ("count" in mode)


def test_samples_are_those_of_the_library():
    sample = dlx.ExactCover.read(QUEENS).diagram().sample(20, seed=7)
    out, err = invoke("sample", "-n", 20, "--seed", 7, QUEENS)
    assert out.splitlines() == [" ".join(map(str, cover)) for cover in sample]
    assert "Altogether 92 solutions, a diagram of " in err


def test_frequencies_are_drawn_as_heat_maps():
    output, _ = invoke("count", "--frequencies", "-f", "svg", "latin")
    assert output.count(">20%</text>") == 5 * 25  # each digit is in each cell of a fifth
    _, error = invoke("count", "-f", "svg", "latin", status=2)
    assert "--format svg needs --frequencies" in error
    _, error = invoke("count", "--frequencies", "-f", "svg", "-", stdin="a b\na\nb\n", status=2)
    assert "only frequencies of options with cells are drawn" in error


def test_frequencies():
    assert invoke("count", "--frequencies", "-", stdin="a b\na\n", status=1)[0] == "0\t0\n"
    text = "a b | s\na s:x |5\nb s:x\nb s:y\n"
    out, _ = invoke("count", "--frequencies", "--one-based", "-", stdin=text)
    assert out == "1\t1\n2\t1\n3\t0\n"
    out, _ = invoke("count", "--frequencies", "--format", "names", "-", stdin=text)
    assert out.splitlines()[0] == "a s:x |5\t1"
    records, _ = invoke_json("count", "--frequencies", "-", stdin=text)
    last_option = {"options": [2], "items": [["b", ["s", "y"]]], "cost": 0, "covers": 0}
    assert records[2] == last_option


def last_record(*arguments, **options):
    return invoke_json(*arguments, **options)[0][-1]


@pytest.mark.compiled
def test_the_last_json_record_states_the_status(problem_file, tmp_path):
    certificate = "--certificate", tmp_path / "proof"
    for options in ((), ("--method", "search"), ("-j", 2), certificate, ("--frequencies",)):
        assert last_record("count", *options, QUEENS) == {"status": "done", "count": "92"}
    assert last_record("count", "--up-to-symmetry", QUEENS) == {"status": "done", "count": "12"}
    assert last_record("count", "-", stdin="a b\na\n", status=1)["count"] == "0"
    pairs = dlx.ExactCover([[str(k // 2)] for k in range(140)])  # 64 bits do not hold the count
    for options in ((), ("--method", "memo")):
        assert last_record("count", *options, problem_file(pairs))["count"] == str(2**70)
    large = problem_file(dlx.example("queens", n=20).cover())
    record = last_record("count", "--seconds", 0.1, large, status=3)
    assert (record["status"], int(record["bound"]) >= 0, len(record)) == ("stopped", True, 2)


def test_several_puzzles_have_records_with_their_places(tmp_path):
    boards, output = "1.....3..4.....2\n1.....3..4......\n", tmp_path / "counts"
    records, _ = invoke_json("count", "-", stdin=boards)
    counts = [("<stdin>:1", "1"), ("<stdin>:2", "3")]
    assert records == [{"status": "done", "place": p, "count": n} for p, n in counts]
    out, err = invoke("count", "-", stdin="1.....3..4.....2\n1...\n", status=4)
    assert (out, "<stdin>:2: " in err) == ("1\n", True)
    assert (
        invoke("count", "--kind", "sudoku", "--puzzle", 1, "-", stdin="1...\n" + boards)[0] == "1\n"
    )
    assert last_record("count", "--distinct", "r*", "queens:n=4")["count"] == "1"
    assert invoke("count", "--output", output, "-", stdin=boards)[0] == ""
    assert output.read_text() == "1\n3\n"


def test_a_stopped_count_of_several_puzzles_says_which_are_not_counted(tmp_path):
    path = tmp_path / "Several.json"
    path.write_text(json.dumps([{"rows": [[1]] * 9, "columns": [[1]] * 9}] * 2), encoding="utf-8")
    records, err = invoke_json("count", "--seconds", 0, path, status=3)
    place = f"{path}, 1"
    assert records == [{"status": "stopped", "place": place, "bound": "0"}]
    assert f"{place} and the puzzles after it are not counted.\n" in err


@pytest.mark.parametrize("options", [("--distinct", "*", "queens:n=6"), ("killer",)], ids=str)
def test_conditions_affect_all_counts(options):
    conditions = (), ("--given", 0), ("--forbidden", 0)
    counts = [int(invoke("count", *each, *options, status=None)[0]) for each in conditions]
    assert counts[0] == sum(counts[1:]) > 0
    several = "1.....3..4.....2\n1.....3..4......\n"
    for arguments, stdin in ((["hashiwokakero"], ""), (["-"], several)):
        _, error = invoke("count", "--given", 0, *arguments, stdin=stdin, status=2)
        assert "cannot be combined with --given" in error


def test_an_estimate_is_a_text_or_a_json_record():
    estimate = dlx.ExactCover.read(QUEENS).search().estimate(1000, 1)
    record = last_record("estimate", "--seed", 1, QUEENS)
    assert record.items() >= {"status": "done", **estimate._asdict()}.items()
    out, err = invoke("estimate", "--paths", 1000, "--seed", 1, QUEENS)
    assert re.search(rf"nodes +{estimate.nodes:,.0f} ± {estimate.nodes_error:,.0f}\n", out)
    assert "This takes less than a second" in err
    out, err = invoke("estimate", "--seconds", 0, QUEENS, status=3)
    assert out.startswith("Estimated from 1 random path,")
    assert "This takes" not in err  # its standard error is infinite
    out, _ = invoke("estimate", "queens:n=40")
    assert re.search(r"solutions +\d\.?\d*e\+31 ± \d\.?\d*e\+\d\d\n", out)
    assert re.search(r"updates per second, \d\.?\d*e\+\d\d s\n", out)
    items = " ".join(map(str, range(1100)))  # the number of paths is larger than any float
    pairs = "\n".join([items, *(str(k // 2) for k in range(2200))])
    assert (
        "updates             inf ± inf"
        in invoke("estimate", "--kind", "knuth", "-", stdin=pairs)[0]
    )
    record = last_record("estimate", "--seconds", 0, QUEENS, status=3)
    assert (record["status"], record["paths"], record["nodes_error"]) == ("stopped", 1, None)
