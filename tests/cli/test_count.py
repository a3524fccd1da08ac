"""`count` and `sample`, with a memo of subproblems."""

import json
import re

import pytest

import dlx_numba as dlx
from dlx_numba.cli.search_run import SearchRun
from dlx_numba.cli.terminal import ExitStatus
from dlx_numba.runtime.display import ProgressDisplay
from tests.helpers import INSTANCES
from tests.helpers.counting import matchings, tilings
from tests.helpers.processes import invoke

QUEENS = INSTANCES / "queens8.dlx"
COMPILED = pytest.mark.compiled


@COMPILED
def test_hopeless_searches_are_counted_by_a_memo(problem_file):
    path = problem_file(tilings(8, 8, 4))
    out, err = invoke("count", path)
    assert out == "19077209438\n"
    assert "distinct subproblems" in err


def test_a_diagram_that_needs_too_much_memory_is_an_error(problem_file):
    path = problem_file(matchings(22))
    err = invoke("sample", "--memory", "1K", path, status=2)[1]
    assert err.splitlines()[-1].startswith(f"error: {path}: the diagram needs more than 1,024 byte")


@COMPILED
@pytest.mark.parametrize("mode", [("count", "--method", "memo"), ("sample",)], ids=str)
def test_time_limits_are_reported(mode, problem_file):
    path = problem_file(matchings(40))
    out, err = invoke(*mode, "--seconds", 0.1, path, status=ExitStatus.STOPPED)
    assert out == ""
    assert re.search(r"^Stopped before the end: .*% of", err, re.MULTILINE)
    last = r"There (is|are) at least [\d,]+ covers?\. To continue a count later, use --checkpoint\."
    assert bool(re.fullmatch(last, err.splitlines()[-1])) == ("count" in mode)


def test_samples_are_covers_and_repeatable():
    cover = dlx.ExactCover.from_file(QUEENS)
    solutions = cover.solve()
    arguments = ("sample", "-n", 20, "--seed", 7, QUEENS)
    out, err = invoke(*arguments)
    samples = [[int(number) for number in line.split()] for line in out.splitlines()]
    assert len(samples) == 20
    assert all(sample in solutions for sample in samples)
    assert "Altogether 92 solutions, a diagram of " in err
    assert invoke(*arguments)[0] == out
    assert invoke("sample", "-n", 20, "--seed", 8, QUEENS)[0] != out


def test_frequencies():
    text = "a b | s\na s:x\nb s:x\nb s:y\n"
    with_costs = "a\na |5\na |7\n"
    assert invoke("count", "--frequencies", "-", stdin=with_costs)[0] == "0\t1\n1\t1\n"
    out, _ = invoke("count", "--frequencies", "--one-based", "-", stdin=text)
    assert out == "1\t1\n2\t1\n3\t0\n"
    out, _ = invoke("count", "--frequencies", "--format", "names", "-", stdin=text)
    assert out.splitlines()[0] == "a s:x\t1"
    out, _ = invoke("count", "--frequencies", "--format", "json", "-", stdin=text)
    assert json.loads(out.splitlines()[2]) == {
        "options": [2],
        "items": [["b", ["s", "y"]]],
        "covers": 0,
    }


def test_problems_without_covers():
    for mode, expected in (
        (("sample", "-n", 2), ""),
        (("count", "--frequencies"), "0\t0\n"),
        (("count", "--method", "memo"), "0\n"),
    ):
        out, _ = invoke(*mode, "-", stdin="a b\na\n", status=ExitStatus.NOT_SOLVED)
        assert out == expected


@COMPILED
def test_the_last_json_record_states_the_status(problem_file, tmp_path):
    path = problem_file(dlx.gallery.Queens(8).cover())
    for options in ((), ("--method", "search"), ("-j", 2), ("--certificate", tmp_path / "proof")):
        out, _ = invoke("count", "-f", "json", *options, path)
        assert out == '{"status": "done", "count": "92"}\n'
    out, _ = invoke("count", "-f", "json", "--up-to-symmetry", path)
    assert json.loads(out) == {"status": "done", "count": "12"}
    out, _ = invoke("count", "-f", "json", "--frequencies", path)
    assert json.loads(out.splitlines()[-1]) == {"status": "done", "count": "92"}
    out, _ = invoke("count", "-f", "json", "-", stdin="a b\na\n", status=ExitStatus.NOT_SOLVED)
    assert json.loads(out)["count"] == "0"
    pairs = dlx.ExactCover([[str(k // 2)] for k in range(140)])  # 64 bits do not hold the count
    for options in ((), ("--method", "memo")):
        out, _ = invoke("count", "-f", "json", *options, problem_file(pairs))
        assert json.loads(out)["count"] == str(2**70)
    large = problem_file(dlx.gallery.Queens(20).cover())
    out, _ = invoke("count", "-f", "json", "--seconds", 0.1, large, status=ExitStatus.STOPPED)
    record = json.loads(out)
    assert (record["status"], int(record["bound"]) >= 0, len(record)) == ("stopped", True, 2)


def test_an_estimate_is_a_text_or_a_json_record():
    out, _ = invoke("estimate", "-f", "json", "--seed", 1, QUEENS)
    record = json.loads(out)
    estimate = dlx.ExactCover.from_file(QUEENS).search().estimate(1000, 1)
    assert record.items() >= {"status": "done", **estimate._asdict()}.items()
    out, err = invoke("estimate", "--paths", 1000, "--seed", 1, QUEENS)
    assert re.search(rf"nodes +{estimate.nodes:,.0f} ± {estimate.nodes_error:,.0f}\n", out)
    assert "This takes less than a second" in err
    out, err = invoke("estimate", "--seconds", 0, QUEENS)
    assert out.startswith("Estimated from 1 random path,")
    assert "This takes" not in err  # its standard error is infinite
    items = " ".join(map(str, range(1100)))  # the number of paths is larger than any float
    pairs = "\n".join([items, *(str(k // 2) for k in range(2200))])
    assert "updates             inf ± inf" in invoke("estimate", "-", stdin=pairs)[0]
    record = json.loads(invoke("estimate", "-f", "json", "-n", 1, QUEENS)[0])
    assert (record["paths"], record["nodes_error"]) == (1, None)
    record = json.loads(invoke("estimate", "-f", "json", "--seconds", 0, QUEENS)[0])
    assert (record["status"], record["paths"]) == ("stopped", 1)


def test_a_line_says_when_the_method_changes(monkeypatch, capsys):
    monkeypatch.setattr(ProgressDisplay, "is_in_use", lambda: True)
    counter = tilings(8, 8, 2).counter()
    run = SearchRun(counter)
    monkeypatch.setattr(type(counter), "technique", "memo")
    run._show_progress()
    run._show_progress()
    assert capsys.readouterr().err == "(the count continues with: memo)\n"
