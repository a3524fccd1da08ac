"""`cover` and `cheapest`: problems that are solved at once, and errors in options and input."""

import pytest

import dlx_numba as dlx
from tests.helpers import INSTANCES
from tests.helpers.processes import invoke, invoke_json

pytestmark = pytest.mark.compiled

QUEENS = INSTANCES / "queens8.dlx"
QUEENS_WITH_COSTS = INSTANCES / "queens8.cost.dlx"


@pytest.mark.parametrize(
    ("limit", "status", "summary"), [(91, "limit", "Limited to 91"), (93, "done", "Altogether 92")]
)
def test_a_limited_search_does_not_claim_to_be_complete(limit, status, summary):
    for command in (("cover", QUEENS), ("count", QUEENS), ("count", "queens")):
        assert f"\n{summary} solutions, " in invoke(*command, "--limit", limit)[1]
    records, _ = invoke_json("count", "--limit", limit, QUEENS)
    assert records == [{"status": status, "count": str(min(limit, 92))}]


def test_a_few_covers_in_any_order():
    every = invoke("cover", QUEENS)[0].splitlines()
    found = invoke("cover", "--order", "any", "--limit", 100, QUEENS)[0].splitlines()
    assert sorted(found) == sorted(every)
    out, err = invoke("cover", "--order", "any", "--limit", 3, QUEENS)
    assert len({*out.splitlines()} & set(every)) == len(out.splitlines()) == 3
    assert "Limited to 3 solutions, " in err
    assert invoke("cover", "--order", "any", QUEENS)[0].splitlines() == every
    out, _ = invoke("cover", "--order", "any", "--batch", "-", QUEENS, stdin="0\n!1\n")
    assert set(out.splitlines()) <= set(every)
    out, err = invoke("cover", "--order", "any", "--limit", 3, "--seconds", 0, QUEENS, status=3)
    assert out == ""
    assert "Stopped before the end: 0 solutions, " in err
    invoke("cover", "--order", "any", "--limit", 3, "--kind", "knuth", "-", stdin="a\n", status=1)


def test_given_and_forbidden_options():
    [record], _ = invoke_json("cover", "--given", "1, 12", "--limit", 1, QUEENS_WITH_COSTS)
    assert (record["options"][:2], record["cost"]) == ([1, 12], 60)
    assert record["items"][0] == ["r0", "c1", "a1", "b6"]
    out, err = invoke("count", "--presolve", "--forbidden", "0,63", QUEENS_WITH_COSTS)
    assert (out, "(presolved: " in err) == ("84\n", True)


def test_order_of_the_covers():
    orders = [
        invoke("cover", "--choose", *choose, "--limit", 9, QUEENS_WITH_COSTS)[0]
        for choose in (["random", "--seed", 1], ["random", "--seed", 1], ["c7,r0,"], ["sharp"])
    ]
    assert orders[0] == orders[1]
    assert len({*orders}) == 3
    assert invoke("cover", "--choose", "2,0", "-", stdin="101\n010\n")[0] == "0 1\n"


def test_options_without_names_keep_their_numbers():
    problem = '{"options": {"S1": ["a"], "1": ["b"], "S3": ["b"]}, "costs": [1, 2, 4]}'
    assert invoke("cover", "-f", "names", "-", stdin=problem)[0] == "S1 1 |3\nS1 S3 |5\n"
    assert invoke("cheapest", "--one-based", "-f", "names", "-", stdin=problem)[0] == "S1 2 |3\n"
    [record, _], _ = invoke_json("cheapest", "--one-based", "-", stdin=problem)
    assert (record["options"], record["names"]) == ([1, 2], ["S1", 2])


@pytest.mark.parametrize("command", ["cover", "cheapest"])
def test_options_that_are_given_several_times_add_up(command):
    problem = "a b c d\na\nb\nc\nd\na b\nc d\n"
    once = invoke(command, "--given", "0,1", "--forbidden", "2,4", "-", stdin=problem)[0]
    twice = ("--given", 0, "--given", 1, "--forbidden", 2, "--forbidden", 4)
    assert invoke(command, *twice, "-", stdin=problem)[0] == once
    assert invoke("diagnose", *twice, "-", stdin=problem, status=0)


def test_given_and_forbidden_options_by_name():
    problem = ',A,B,C\nS1,1,0,0\n"S2,b",1,1,0\nS3,0,0,1\n'
    for arguments in (
        ["--given", '"S2,b"'],
        ["--given", "S2,b"],
        ["--given", "S3, 1"],
        ["--forbidden", "S1"],
    ):
        assert invoke("cover", "--kind", "table", *arguments, "-", stdin=problem)[0] == "1 2\n"
    arguments = "--kind", "table", "--forbidden", "S3", "-"
    assert invoke("cover", *arguments, stdin=problem, status=1)[0] == ""


def test_numbers_count_from_one_and_may_also_be_names():
    table = ",a,b\n1,1,0\n2,1,0\n3,0,1\n"
    for kind, problem in (("knuth", "a b\na\na\nb\n"), ("table", table)):
        for selection in (("--given", 1), ("--forbidden", 2)):
            arguments = "--kind", kind, "--one-based", *selection, "-"
            assert invoke("cover", *arguments, stdin=problem)[0] == "1 3\n"
    arguments = "--kind", "table", "-"
    assert invoke("cover", "-f", "names", *arguments, stdin=table)[0] == "1 3\n2 3\n"
    _, err = invoke("cover", "--given", 1, *arguments, stdin=table, status=2)
    assert "--given: 1 is the number of an option and the name of another one" in err


def test_output_in_a_file(tmp_path):
    path, saved = tmp_path / "covers", tmp_path / "saved"
    arguments = ("cover", "--quiet", "-o", path, "--checkpoint", saved, QUEENS)
    assert invoke(*arguments, "--limit", 2) == ("", "")
    invoke(*arguments, "--limit", 5, "--resume")
    assert path.read_text() == invoke("cover", "--limit", 5, QUEENS)[0]


def test_picture_of_the_matrix_and_the_first_cover(tmp_path):
    path, absent = tmp_path / "matrix.svg", tmp_path / "none.svg"
    first = invoke("cover", "--limit", 2, "--svg", path, QUEENS)[0].splitlines()[0]
    expected = dlx.ExactCover.read(QUEENS).svg(map(int, first.split()))
    assert path.read_text(encoding="utf-8") == expected
    invoke("cover", "--svg", absent, "-", stdin="a b\na\n", status=1)
    assert not absent.exists()


@pytest.mark.parametrize(
    ("text", "label"), [("A = {1}\nB = {}\n", "B"), ('{"options": [[1], []]}', "1")]
)
def test_options_without_items_are_named(text, label):
    for command in ("cover", "count", "cheapest", "solve"):
        err = invoke(command, "-", stdin=text)[1]
        assert f"(in no cover, without items to cover: `{label}`)" in err
    assert "`2`" in invoke("cover", "--one-based", "-", stdin='{"options": [[1], []]}')[1]
