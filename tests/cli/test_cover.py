"""`cover`: problems that are solved at once, and errors in options and input."""

import json

import pytest

from tests.helpers import INSTANCES
from tests.helpers.processes import invoke, run

pytestmark = pytest.mark.compiled

QUEENS = INSTANCES / "queens8.dlx"
QUEENS_WITH_COSTS = INSTANCES / "queens8.cost.dlx"


@pytest.mark.processes
def test_covers_are_printed_and_counted():
    out, err = run("cover", QUEENS)
    assert len(out.splitlines()) == 92
    assert "(64 options, 16+30 items, 256 entries successfully read)" in err
    assert "Altogether 92 solutions, " in err
    assert run("cover", "--count", QUEENS)[0] == "92\n"


def test_limit_and_choose():
    assert len(invoke("cover", "--limit", 5, QUEENS)[0].splitlines()) == 5
    assert invoke("cover", "--count", "--choose", "leftmost", QUEENS)[0] == "92\n"


def test_algorithms_find_the_same_covers():
    out, err = invoke("cover", "--algorithm", "links", "--limit", 20, QUEENS)
    nodes = err.partition("updates, ")[2].partition(" nodes")[0]
    for algorithm in ("dense", "dense-python"):
        same, err = invoke("cover", "--algorithm", algorithm, "--limit", 20, QUEENS)
        assert same == out
        assert f"updates, {nodes} nodes" in err


def test_matrix():
    matrix = "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n"
    assert invoke("cover", "-", stdin=matrix)[0] == "0 3 4\n"
    assert invoke("cover", "-", stdin="1 0\n1 0\n", status=1)[0] == ""


def test_cheapest():
    out, _ = invoke("cover", "--cheapest", 2, "--format", "names", QUEENS_WITH_COSTS)
    assert [line.rpartition(" |")[2] for line in out.splitlines()] == ["60", "60"]
    assert out.startswith("r0 c1 a1 b6; r1 c4 ")


def test_given_and_forbidden_options():
    arguments = ("--given", "1, 12", "-f", "json", "--limit", 1, QUEENS_WITH_COSTS)
    record = json.loads(invoke("cover", *arguments)[0])
    assert record["options"][:2] == [1, 12]
    assert record["items"][0] == ["r0", "c1", "a1", "b6"]
    assert record["cost"] == 60
    out, err = invoke("cover", "--count", "--presolve", "--forbid", "0,63", QUEENS_WITH_COSTS)
    assert out == "84\n"
    assert "(presolved: " in err


def test_order_of_the_covers():
    orders = [
        invoke("cover", "--choose", *choose, "--limit", 9, QUEENS_WITH_COSTS)[0]
        for choose in (["random", "--seed", 1], ["random", "--seed", 1], ["c7,r0,"], ["sharp"])
    ]
    assert orders[0] == orders[1]
    assert len({*orders}) == 3
    assert invoke("cover", "--choose", "2,0", "-", stdin="101\n010\n")[0] == "0 1\n"


def test_colors():
    problem = "a b | s\na s:x\na s:y\nb s:y\n"
    assert invoke("cover", "-f", "names", "-", stdin=problem)[0] == "a s:y; b s:y\n"
    assert invoke("cover", "--given", 0, "-", stdin=problem, status=1)[0] == ""


def test_dense_array_does_not_support_multiplicities():
    arguments = ("cover", "--algorithm", "dense", "-")
    _, err = invoke(*arguments, stdin="2|a\na\na\n", status=2)
    assert "<stdin>: algorithm 'dense' does not support multiplicities; use links" in err


def test_unreadable_input(tmp_path):
    assert "absent" in invoke("cover", tmp_path / "absent.dlx", status=2)[1]
    assert "<stdin>:2: " in invoke("cover", "-", stdin="a b\na c\n", status=2)[1]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (
            ["--choose", "x"],
            "--choose must be one of smallest, leftmost, random, sharp, or a list A,B,... of items",
        ),
        (["--choose", "x,"], "<stdin>: choose: 'x' is not a primary item"),
        (
            ["--algorithm", "bits"],
            "--algorithm must be one of links, dense, dense-python, not 'bits'",
        ),
        (
            ["--cheapest", 1, "--algorithm", "dense"],
            "--cheapest cannot be combined with --algorithm dense",
        ),
        (["--format", "xml"], "--format must be one of numbers, names, json, not 'xml'"),
        (["--given", "x"], "--given expects option numbers separated by commas, not 'x'"),
        (["--given", "0,1"], "<stdin>: given options 0 and 1 cannot be in one cover"),
        (["--forbid", "2"], "<stdin>: forbidden option 2 does not exist"),
        (["--cheapest", 1, "--count"], "--cheapest cannot be combined with --count"),
        (["--cheapest", 1, "--threads", 2], "--cheapest cannot be combined with --threads"),
        (["--dask", "tcp://x:1", "--threads", 2], "--dask cannot be combined with --threads"),
        (["--resume"], "--resume requires --checkpoint"),
    ],
)
def test_invalid_options(options, reason):
    assert reason in invoke("cover", *options, "-", stdin="a\na\na\n", status=2)[1]
