"""Several items in a cell of a table."""

import itertools
import pickle
import random

import numpy as np
import pandas as pd
import pyarrow
import pytest

import dlx_numba as dlx
from dlx_numba.cover.covers import as_cover
from dlx_numba.cover.named_problem import named_problem
from tests.helpers.processes import invoke

CREWS = "pairing,flights,cost\nP1,F0+F40,3\nP2,F40+F80,4\nP3,F80+F90,1\nP4,F0+F90,9\n"
OPTIONS = ("--items", "flights", "--name", "pairing", "--cost", "cost")


def test_cells_with_several_items_are_covered_as_by_brute_force():
    rng = random.Random(1)
    for _ in range(30):
        rows = [rng.sample("abcde", rng.randint(1, 4)) for _ in range(rng.randint(2, 8))]
        items = set().union(*rows)
        wanted = {
            chosen
            for n in range(1, len(rows) + 1)
            for chosen in itertools.combinations(range(len(rows)), n)
            if sorted(item for k in chosen for item in rows[k]) == sorted(items)
        }
        texts = pd.DataFrame({"set": ["+".join(row) for row in rows]})
        lists = pd.DataFrame({"set": rows})
        for problem in (
            dlx.ExactCover.from_frame(texts, ["set"], separator="+"),
            dlx.ExactCover.from_frame(lists, ["set"]),
        ):
            assert {tuple(sorted(cover)) for cover in problem.solve()} == wanted


@pytest.mark.parametrize("command", ["cheapest", "cover", "count", "solve", "sample", "diagnose"])
def test_commands_take_a_separator_or_ask(command, tmp_path):
    path = tmp_path / "crews.csv"
    path.write_text(CREWS)
    options = OPTIONS if command != "diagnose" else OPTIONS[:2]
    _, err = invoke(command, *options, path, status=2)
    assert "flights has `+` in every cell" in err
    typed = " ".join(map(str, ("--separator +", *OPTIONS[:2])))
    assert f"`dlx-numba {command} {typed}" in err
    invoke(command, "--separator", "+", *options, path)
    invoke(command, "--separator", "", *options, path)
    assert "needs --items" in invoke(command, "--separator", "+", path, status=2)[1]


def test_an_item_that_stands_twice_in_a_cell_is_named_with_its_line(tmp_path):
    path = tmp_path / "crews.csv"
    path.write_text("# crews\n" + CREWS.replace("F40+F80", "F40+ F80+F40"))
    _, err = invoke("cover", "--separator", "+", *OPTIONS[:2], path, status=2)
    assert err == f"error: {path}:4: the row has 'F40' twice in flights\n"
    for cells in (["a+b", "b+c+b"], [["a"], ["b", "c", "b"]]):
        with pytest.raises(ValueError, match="row 1 has 'b' twice in x"):
            dlx.ExactCover.from_frame(pd.DataFrame({"x": cells}), ["x"], separator="+")


def test_a_separator_divides_the_cells_of_each_column(tmp_path):
    path = tmp_path / "crews.csv"
    path.write_text(CREWS)
    assert invoke("cheapest", "--separator", "+", *OPTIONS, "-f", "names", path)[0] == "P1 P3 |4\n"
    frame = pd.DataFrame(
        {"job": [["x", "y"], ["z"], ["x"]], "day": [1, 2, 1], "who": ["a;b", "", "c"]}
    )
    problem = dlx.ExactCover.from_frame(frame, [("job", "day")], ["who"], separator=";")
    assert problem.items[:3] == [("job+day", "x", 1), ("job+day", "y", 1), ("job+day", "z", 2)]
    assert problem.options[0][2:] == [("who", "a"), ("who", "b")]
    assert len(problem.options[1]) == 1
    with pytest.raises(ValueError, match="row 1 has no job"):
        dlx.ExactCover.from_frame(pd.DataFrame({"job": [["x"], []]}), ["job"])


def test_a_part_of_a_cell_that_is_a_cell_is_a_question():
    flights = ["F0+F40+F80", "F40+F80", "F0", "F0"]
    with pytest.raises(dlx.DlxError, match=r"x has `\+` in some cells, of which F0 is a part"):
        dlx.ExactCover.from_frame(pd.DataFrame({"x": flights}), ["x"])


def test_a_part_of_an_optional_cell_may_not_be_lost(tmp_path):
    """Otherwise, two guests have a room in the same night."""
    path = tmp_path / "guests.csv"
    path.write_text('guest;room;nights\nAdams;11;"1.7., 2.7."\nBaker;11;2.7.\nCook;;2.7.,\n')
    form = "--items", "guest", "--optional", "room+nights"
    _, err = invoke("cover", *form, path, status=2)
    assert "nights has `,` in some cells, of which 2.7. is a part and a cell, too" in err
    assert invoke("count", *form, "--separator", ",", path, status=1)[0] == "0\n"
    assert invoke("count", *form, "--separator", "", path)[0] == "1\n"


def test_other_cells_with_separators_are_single_items():
    for cells in (["a+b", "c"], ["a+b", "a+b"], ["a+b"], ["a b", "c d"], ["a+b", "c;d"]):
        dlx.ExactCover.from_frame(pd.DataFrame({"x": cells}), ["x"])
    frame = pd.DataFrame({"x": ["a", "b"], "y": ["c,", ""], "z": ["a|b", "c|d"]})
    dlx.ExactCover.from_frame(frame, ["x"], ["y", ("x", "z")])
    frame = pd.DataFrame({"x": ["a|b", "c|d"]})
    with pytest.raises(dlx.DlxError, match=r"x has `\|` in every cell") as raised:
        dlx.ExactCover.from_frame(frame, ["x"])
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    dlx.ExactCover.from_frame(frame, ["x"], separator="")


def check_written(frame, path, written, stated=None):
    """Check that all rows of a frame, written as a plan and read, have the same items."""
    problem = dlx.ExactCover.from_frame(frame, ["x"], separator=stated)
    as_cover(named_problem(problem), [*range(len(frame))]).to_csv(path)
    again = dlx.ExactCover.from_frame(path, ["x"], separator=written)
    assert [*map(set, again.options)] == [*map(set, problem.options)]


@pytest.mark.parametrize("kind", [list, set, frozenset, np.array])
def test_lists_in_cells_are_written_as_they_are_read(kind, tmp_path):
    path = tmp_path / "plan.csv"
    cells = [kind(row) for row in (["a", "b"], ["c"], ["d", "b", "a"])]
    check_written(pd.DataFrame({"x": cells}), path, "+")
    check_written(pd.DataFrame({"x": cells, "note": "1+2;3"}), path, ",")
    check_written(pd.DataFrame({"x": [*cells, "a;c"], "note": "1+2"}), path, ";", ";")


def test_lists_whose_items_contain_the_separator_are_not_written(tmp_path):
    frame = pd.DataFrame({"x": [["a;b"], ["c", "d"]]})
    cover = dlx.ExactCover.from_frame(frame, ["x"], separator=";").first()
    with pytest.raises(ValueError, match="its items contain what would separate them"):
        cover.to_csv(tmp_path / "plan.csv")


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([["a"], [["b"]]], r"row 1: x has \['b'\], which is no item"),
        ([["a", float("nan")], ["b"]], "row 0: x has nan, which is no item"),
    ],
)
def test_what_is_no_item_is_named_with_its_row_and_column(cells, reason):
    for columns in ({"items": ["x"]}, {"items": ["y"], "optional": ["x"]}):
        with pytest.raises(ValueError, match=reason):
            dlx.ExactCover.from_frame(pd.DataFrame({"x": cells, "y": ["p", "q"]}), **columns)
    frame = pd.DataFrame({"x": ["a", "b"], "y": cells})
    with pytest.raises(ValueError, match=r"row [01] has .* in y, which is no name"):
        dlx.ExactCover.from_frame(frame, ["x"], name="y")


def test_tables_of_pyarrow_are_read_and_written():
    table = pyarrow.table({"x": [["a"], ["b", "a"], ["b"]], "cost": [1, 5, 2]})
    [plan] = dlx.ExactCover.from_frame(table, ["x"], cost="cost").cheapest()
    assert plan.to_frame().equals(table.take([0, 2]))
