"""Options with names."""

import csv
import json
import pickle
import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.names import Numbers, option_numbers
from dlx_numba.explain.problem_view import view_search
from tests.helpers import oracles
from tests.helpers.problems import formatted, names_in, stated_problem, with_costs
from tests.helpers.seeds import seeds

SUBSETS = {"S1": ["A"], "S2": ["A", "B"], "S3": ["B", "C"]}


def test_subsets_that_cover_a_universe():
    """The universe {A, B, C} is covered by the subsets S1 = {A} and S3 = {B, C}."""
    cover = dlx.ExactCover(SUBSETS)
    assert cover.items == ["A", "B", "C"]
    assert cover.option_names == ["S1", "S2", "S3"]
    assert (formatted(cover, [0, 2]), formatted(cover, [0, 2], start=1)) == ("0 2", "1 3")
    assert cover.write(kind="knuth") == "A B C\nA\nA B\nB C\n"  # leaves names out
    assert dlx.ExactCover({}).option_names == range(0)
    assert list(dlx.ExactCover(SUBSETS.values()).option_names) == [0, 1, 2]


def test_names_of_any_type():
    cover = dlx.ExactCover({("row", 1): ["a"], 1: ["a", "b"], frozenset("x"): ["b"], 3: ["b"]})
    assert cover.option_names == [("row", 1), 1, frozenset("x"), 3]
    assert formatted(cover, [0, 3], "names") == "row,1 3"
    text = '{"options": [1, 4], "names": ["row,1", 4]'
    assert formatted(cover, [0, 3], "json", start=1).startswith(text)
    numbered = dlx.ExactCover({np.int64(0): ["a"], 1: ["b"]})
    assert numbered.option_names == [0, 1]
    assert formatted(numbered, [0, 1], "names") == "0 1"


def test_names_are_the_keys_also_if_they_are_the_numbers_in_order(tmp_path):
    options = {0: ["a"], 1: ["b"], 2: ["a", "b"]}
    cover = dlx.ExactCover(options, costs={0: 3, 1: 4, 2: 9})
    [cheapest] = cover.cheapest()
    assert (cheapest.names, cheapest.cost) == ([0, 1], 7)
    assert cover.replace(given=[2]).first().names == [2]
    cover.write(tmp_path / "p.json")
    assert dlx.ExactCover.read(tmp_path / "p.json").cheapest()[0].names == [0, 1]
    table = dlx.ExactCover.read(b",a,b,|\n0,1,0,3\n1,0,1,4\n2,1,1,9\n", kind="table")
    assert table.cheapest()[0].names == [0, 1]
    assert pickle.loads(pickle.dumps(cover)).first().names == cover.first().names
    rows = '{"primary_items": ["a"], "rows": [{"row_id": 0, "items": ["a"]}]}'
    assert dlx.ExactCover.read(rows).first().names == [0]
    for unnamed in ('{"options": [["a"]]}', "a\na\n"):
        assert dlx.ExactCover.read(unnamed).first().names == ["a"]


def test_names_survive_reductions_and_conversions():
    for seed in seeds(60):
        cover, expected = stated_problem(seed, "smallest")
        names = [f"option {k}" for k in range(cover.n_options)]
        chosen = {
            key: [names[k] for k in getattr(named_problem(cover).settings, key)]
            for key in ("given", "forbidden")
        }
        stated = json.loads(cover.write(kind="json"))
        assert [stated.pop(key, []) for key in chosen] == [
            sorted({*getattr(named_problem(cover).settings, key)}) for key in chosen
        ]
        for key in stated.keys() & {"options", "costs"}:
            stated[key] = dict(zip(names, stated[key], strict=True))
        text = json.dumps(stated)
        named = dlx.ExactCover.read(text, "json", presolve=seed % 2 > 0, **chosen)
        assert sorted(named.solve()) == expected
        costs = [[each.cost for each in problem.cheapest(3)] for problem in (named, cover)]
        assert costs[0] == costs[1]
        assert list(named.option_names) == names
        again = dlx.ExactCover.read(named.write(kind="json"), presolve=seed % 2 > 0)
        assert again == named


def test_pages_and_drawings_use_the_names():
    view = view_search(named_problem(dlx.ExactCover({"S1": ["A"], 1: ["A"]})), "two")
    assert view.options == ["S1", "A (2)"]
    assert view.option_labels() == ["S1", "1"]
    assert view.references() == ["S1", "A (2)"]
    assert view_search(named_problem(dlx.ExactCover([["A"]])), "one").options == ["A"]


def test_options_without_names_are_found_by_their_descriptions():
    options = [["mon", "ann"], ["mon", "bob"], ["mon", "bob"], ["tue", ("room", 1)]]
    cover = dlx.ExactCover(options, ["mon", "tue"], ["ann", "bob", "room"])
    for k, name in enumerate(names_in(cover, range(4))):
        assert cover.options[k] == options[k]
        assert k in cover.first(given=[name])
    assert cover.replace(forbidden=["mon ann", "mon bob"]).solve() == [[2, 3]]
    assert with_costs(cover.cheapest(costs={"mon ann": 5, "mon bob": 2})) == [(0, [2, 3])]
    assert named_problem(dlx.ExactCover(SUBSETS, costs={"S3": 4, 0: 2})).cost([0, 1, 2]) == 6
    [found] = cover.solve_batch(given=[["mon bob (2)"]]).covers
    assert found.names == ["mon bob (2)", "tue room:1"]
    with pytest.raises(ValueError, match="no option named 'Mon Ann'; did you mean 'mon ann'"):
        cover.first(given=["Mon Ann"])
    for options in ([["a b"], ["a", "b"]], [[1, "a"], ["1", "a"]]):
        alike = dlx.ExactCover(options)
        with pytest.raises(
            ValueError, match=f"several options are named '{names_in(alike, [0])[0]}'"
        ):
            alike.replace(given=names_in(alike, [0]))


@pytest.mark.parametrize(
    ("names", "separator"),
    [
        (["a,b", "S2", "c;d"], " "),
        (["a b", "c", "d;e"], ", "),
        (["X at 2,3", "c6", 'say "x"'], "; "),
        (["a; b, c", "a", "b", 'say "x"', " edge", "c |5", "", "é"], "; "),
    ],
)
def test_all_covers_of_a_problem_have_one_separator(names, separator):
    """Files and terminals have the same lists, which a reader of CSV files understands."""
    problem = dlx.ExactCover({name: [k] for k, name in enumerate(names)}, costs=[1] * len(names))
    cover = problem.first()
    listed, _, cost = formatted(problem, cover, "names").rpartition(" |")
    rows = csv.reader([listed], delimiter=separator[0], skipinitialspace=True)
    assert (next(rows), cost) == (names, str(len(names)))
    assert str(cover) == f"{listed} (cost {cost})"
    assert formatted(problem, [1, 1], "names").startswith(f"{names[1]}{separator}{names[1]}")


def test_cover_with_line_breaks_in_names_is_one_line():
    named = dlx.ExactCover({"two\nlines": ["a"], "b": ["b"]})
    assert formatted(named, [0, 1], "names") == '"two\\nlines" b'
    unnamed = dlx.ExactCover([["two\nlines", ("c", "x\ry")]], secondary=["c"])
    assert formatted(unnamed, [0], "names") == '"two\\nlines" c:"x\\ry"'


@pytest.mark.parametrize("seed", [*seeds(100, 10)])
def test_options_may_be_named_by_any_integers(seed):
    rng = random.Random(seed)
    options, bounds, secondary = oracles.random_general_problem(seed)
    names = rng.sample(range(1, len(options) + 3), len(options))
    costs = [rng.randint(0, 5) for _ in options]
    how = {"items": [*bounds], "secondary": secondary, "multiplicity": bounds}
    plain = dlx.ExactCover(options, costs=costs, **how)
    named = dict(zip(names, options, strict=True))
    cover = dlx.ExactCover(named, costs=dict(zip(names, costs, strict=True)), **how)
    assert [*cover.option_names] == names
    assert [*cover.cheapest(3)] == [*plain.cheapest(3)]
    for found in plain.solve()[:3]:
        own = [names[k] for k in found]
        assert cover.solve(given=own) == plain.solve(given=found)
        assert cover.solve(given=dlx.Cover(found)) == plain.solve(given=found)
        assert cover.count(forbidden=own[:1]) == plain.count(forbidden=found[:1])
        assert cover.replace(given=own[:1]).cheapest(2) == plain.cheapest(2, given=found[:1])
        assert cover.replace(given=own[:1]).count(forbidden=own[1:2]) == (
            plain.count(given=found[:1], forbidden=found[1:2])
        )
        assert cover.check(own) == cover.check(found) == plain.check(found)
        assert [*cover.cheapest(start=own)] == [*plain.cheapest(start=found)]
        batch = cover.solve_batch(given=[own, found], forbidden=[[], own[:0]])
        assert batch.counts.tolist() == [1, 1]
        assert {*own} <= {*cover.first(given=own).names}
        n_covers = plain.count(given=found)
        assert cover.diagram().condition(given=own).count() == n_covers
        assert pickle.loads(pickle.dumps(cover.replace(given=own))).count() == n_covers
    assert cover.count(up_to_symmetry=True) == plain.count(up_to_symmetry=True)
    assert dlx.ExactCover.read(cover.write(kind="json")).solve() == plain.solve()


def test_a_list_of_all_names_gives_their_numbers_and_numbers_remain_numbers():
    cover = dlx.ExactCover({2: ["a"], 0: ["b"], 1: ["c"]})
    names, stated = named_problem(cover).names, named_problem(cover).problem
    assert option_numbers([2, 0, 1], stated, names) == [0, 1, 2]
    assert option_numbers(Numbers([2, 0, 1]), stated, names) == [2, 0, 1]
