"""Totals against brute force: sums of weights over the chosen options, within two bounds."""

import json
import pickle
import random
from itertools import chain, product

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.jit.namespaces import plain_python
from dlx_numba.kernels import components
from dlx_numba.kernels.dlx.algorithm_m import SubtreeM
from dlx_numba.kernels.dlx.branching import BranchingRule
from dlx_numba.kernels.dlx.totals import choose_carriers, link_totals, measure, meets_totals
from tests.helpers.problems import best_costs, find_covers, ranked, sums_of, total_problem
from tests.helpers.seeds import seeds


def test_searches_find_the_covers_within_the_limits():
    for seed in seeds(5000, 60):
        rng, (cover, expected, weights) = random.Random(seed), total_problem(seed)
        found = cover.solve()
        assert sorted(found) == sorted(expected)
        assert [list(c.totals.values()) for c in found] == sums_of(weights, found)
        assert list(cover) == found
        assert cover.count() == cover.replace(threads=2).count() == len(expected)
        assert cover.first() in (expected or [None])
        assert pickle.loads(pickle.dumps(cover)) == cover
        if seed % 5 == 0:
            for method in ("search", "restarts", "prices"):
                assert all(c in expected for c in find_covers(cover, 1, [method]).take())
        k = rng.choice([1, 1, 3])
        cheapest = cover.replace(threads=1, algorithm=rng.choice(["auto", "links"])).cheapest(k)
        costs = best_costs(cover, expected, k)
        assert cheapest.done
        assert [each.cost for each in cheapest] == costs
        assert all((c.cost, list(c)) in ranked(cover, expected) for c in cheapest)


def test_the_carrier_of_a_weight_is_its_item_with_most_weights_of_the_same_total():
    indptr, items = np.array([0, 2, 3, 4]), np.array([0, 1, 0, 1])
    option, total_start = np.array([0, 1, 0, 2]), np.array([0, 2, 4])
    n_options, carrier = np.zeros(2, np.int64), np.zeros(4, np.int64)
    choose_carriers(indptr, items, option, np.arange(4), total_start, n_options, carrier)
    assert carrier.tolist() == [0, 2, 1, 3]
    assert n_options.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("weights", "bounds", "measured"),
    [
        ([5, 2, 0], (2, 5), [2, 3, 0, 5, 0, 7, 1]),
        ([5, 2, 0], (1, 1), [1, 1, 0, 5, 0, 7, 1]),
        ([5, -2, 3], (2, 2), [2, 2, -2, 5, -2, 8, 0]),
        ([5, 2, 4], (1, 2), [1, 2, 2, 5, 0, 11, 0]),
    ],
)
def test_what_limits_the_contribution_of_an_item_is_measured(weights, bounds, measured):
    cover = dlx.ExactCover([["a"]] * 3, multiplicity={"a": bounds}, totals={"w": (weights, 0, 9)})
    links, _, limits, *_ = SubtreeM.start(cover.problem, BranchingRule()).arrays
    carrier, n_without_weight = plain_python(measure)(links, limits, np.uint32(0))
    assert [*map(int, carrier), n_without_weight] == measured


@pytest.mark.parametrize(("bounds", "spread"), [((1, 1), 5 + 2), ((1, 2), 8 + 2), ((0, 3), 8 + 2)])
def test_how_much_an_item_changes_a_total_at_most(bounds, spread):
    totals = {"w": ([3, 5, -2], 0, 9)}
    cover = dlx.ExactCover([["a"]] * 3, multiplicity={"a": bounds}, totals=totals)
    assert link_totals(cover.problem).spread.tolist() == [spread]


@pytest.mark.parametrize(("options", "carrier"), [(["ab", "a", "b"], 1), (["ba", "b", "a"], 2)])
def test_the_item_with_the_most_weights_carries_them(options, carrier):
    totals = {"w": ({0: 1, 1: 2}, 0, 3)}
    cover = dlx.ExactCover([*map(list, options)], items=["a", "b"], totals=totals)
    assert link_totals(cover.problem).slot_item.tolist() == [carrier]


def test_each_total_has_its_own_carriers():
    totals = {"v": ({0: 1, 1: 2}, 0, 3), "w": ({0: 1, 2: 2}, 0, 3)}
    cover = dlx.ExactCover([["a", "b"], ["a"], ["b"]], totals=totals)
    assert link_totals(cover.problem).slot_item.tolist() == [1, 2]


@pytest.mark.parametrize(("sums", "is_met"), [((2, 5), True), ((1, 5), False), ((2, 6), False)])
def test_all_totals_must_be_met(sums, is_met):
    totals = {"least": ([1, 2], 2, 3), "most": ([1, 2], 0, 5)}
    cover = dlx.ExactCover([["a"], ["a"]], totals=totals)
    _, _, limits, *_ = SubtreeM.start(cover.problem, BranchingRule()).arrays
    limits.totals.sums[:] = sums
    assert plain_python(meets_totals)(limits) == is_met


def test_one_item_may_carry_several_totals():
    totals = {"size": ([0, 1, 2, 3], 3, 3), "weight": ([5, 1, 1, 0], 3, 5)}
    cover = dlx.ExactCover([["a"]] * 4, multiplicity={"a": 2}, totals=totals)
    assert cover.solve() == [[0, 3]]


def test_conditions_apply_together_with_totals():
    for seed in seeds(2000, 30):
        rng, (cover, expected, _) = random.Random(seed), total_problem(seed)
        numbers, usable = range(cover.n_options), sorted({k for c in expected for k in c})
        given = [rng.sample(usable, min(len(usable), rng.choice([0, 1, 2]))) for _ in range(6)]
        forbidden = [rng.sample(numbers, min(len(numbers), rng.choice([0, 1, 3]))) for _ in given]
        rows = list(zip(given, forbidden, strict=True))
        answers = [[c for c in expected if {*a} <= {*c} and not {*b} & {*c}] for a, b in rows]
        for order in ("search", "any"):
            batch = cover.solve_batch(given=given, forbidden=forbidden, limit=None, order=order)
            assert batch.counts.tolist() == list(map(len, answers))
            for first, answer in zip(batch.covers, answers, strict=True):
                assert first in answer if answer else first is None
        assert np.flatnonzero(cover.possible_options()).tolist() == usable
        for (its_given, its_forbidden), answer in zip(rows, answers, strict=True):
            try:
                changed = cover.replace(given=its_given, forbidden=its_forbidden)
            except ValueError:
                assert not answer
                continue
            assert sorted(changed.solve()) == sorted(answer)
            costs = best_costs(cover, answer, 1)
            assert [each.cost for each in changed.cheapest()] == costs


def test_searches_with_totals_resume_and_split(tmp_path):
    for seed in seeds(1000, 20):
        cover, expected, _ = total_problem(seed)
        search, found = cover.search(), []
        while not search.done:
            found += search.run(updates=3)
            search.save(tmp_path / "search")
            search = dlx.Search.load(tmp_path / "search", cover.search())
        assert found == cover.solve()
        parts = cover.search().split(3)
        assert sorted(c for part in parts for c in part.run()) == sorted(expected)


def test_totals_are_read_from_json_and_written_to_it():
    for seed in seeds(30):
        cover, expected = total_problem(seed)[:2]
        read = dlx.ExactCover.read(cover.write(kind="json"), "json")
        assert sorted(read.solve()) == sorted(expected)
        totals = {tuple(each): each.totals for each in cover}
        assert {tuple(each): each.totals for each in read} == totals
    options = {"S1": ["a", ["x", 2]], "S2": ["a", ["x", 3]]}
    stated = {"options": options, "totals": {"x": [None, 2], "y": [{"S2": 1}, 0, 9]}}
    [cover] = dlx.ExactCover.read(json.dumps(stated), "json")
    assert cover.totals == {"x": 2, "y": 0}


def test_invalid_totals_in_json_are_named():
    bounds = ([0, 1, 2, 3], [None, 0, 1], [[0.5], 0, 1], [[1], "0", 1], [{"5": 1}, 0, 1])
    stated = [([["a"]], total) for total in (5, [1], *bounds)] + [([["a", ["x", "1"]]], [0, 1])]
    for options, total in stated:
        with pytest.raises(ValueError, match="total"):
            dlx.ExactCover.read(json.dumps({"options": options, "totals": {"x": total}}), "json")


def test_what_does_not_support_totals_says_so():
    cover = dlx.ExactCover([["a", ("x", 1)], ["a", ("x", 2)]], totals={"x": (2, 3)})
    calls = [("explain", {})]
    calls += [("write", {"kind": kind}) for kind in ("knuth", "cnf", "orlib")]
    settings = {"presolve": True}, {"algorithm": "bitset"}, {"choose": "literal-leftmost"}
    calls += [("replace", each) for each in settings]
    for method, arguments in calls:
        with pytest.raises(ValueError, match="totals"):
            getattr(cover, method)(**arguments)
    with pytest.raises(ValueError, match="option 0 has two weights in total 'x'"):
        dlx.ExactCover([["a", ("x", 1), ("x", 2)]], totals={"x": (2, 3)})


def test_totals_connect_the_parts_of_a_problem():
    options = [[item] for item in range(20) for _ in range(2)]
    weights = [k % 2 for k in range(40)]
    pairs = {f"pair {k}": ({4 * k + 1: 1, 4 * k + 3: 1}, 1, 1) for k in range(10)}
    cover = dlx.ExactCover(options, totals=pairs)
    assert (cover.count(), cover.replace(given=[0]).count()) == (2**10, 2**9)
    one = dlx.ExactCover(options, totals={"sum": (weights, None, 1)}, costs=weights)
    assert (one.count(), one.cheapest()[0].cost) == (21, 0)
    assert dlx.ExactCover(options, totals={"none": ({}, 1, None)}).first() is None


def test_parts_of_a_problem_have_their_own_totals(monkeypatch):
    monkeypatch.setattr(components, "MIN_ITEMS", 0)
    for seed in seeds(1000, 20):
        parts = [total_problem(3 * seed + k)[:2] for k in range(3)]
        stated, first_options = join_problems([cover for cover, _ in parts])
        covers = [
            [[k + first for k in each] for each in expected]
            for first, (_, expected) in zip(first_options, parts, strict=True)
        ]
        expected = sorted(sorted(chain(*each)) for each in product(*covers))
        cover = dlx.ExactCover.read(json.dumps(stated), "json")
        assert sorted(cover.solve()) == expected
        assert cover.count() == len(expected)
        assert cover.first() in (expected or [None])


def join_problems(covers):
    """Return problems side by side as a JSON value, and the number of the first option of each."""
    stated = {"items": [], "secondary": [], "options": [], "multiplicity": {}, "totals": {}}
    first_options = []
    for part, cover in enumerate(covers):
        one, first = json.loads(cover.write(kind="json")), len(stated["options"])
        first_options.append(first)
        for key in ("items", "secondary"):
            stated[key] += [f"{part} {item}" for item in one.get(key, [])]
        for row in one["options"]:
            pairs = [entry if isinstance(entry, list) else [entry] for entry in row]
            entries = [[f"{part} {item}", *color] for item, *color in pairs]
            stated["options"].append([entry if entry[1:] else entry[0] for entry in entries])
        for item, pair in one.get("multiplicity", {}).items():
            stated["multiplicity"][f"{part} {item}"] = pair
        for name, (weights, *limits) in one["totals"].items():
            numbers = {str(first + int(k)): weight for k, weight in weights.items()}
            stated["totals"][f"{part} {name}"] = [numbers, *limits]
    return stated, first_options


def test_diagnoses_name_the_totals_that_no_cover_meets():
    options = [["a", ("x", 1), ("y", 1)], ["a", ("x", 2)], ["b", ("x", 3)], ["b", ("y", 2)]]

    def diagnose(x, y, **more):
        return dlx.ExactCover(options, totals={"x": x, "y": y}, **more).diagnose()

    assert diagnose((0, 9), (0, 9)).kind == "solvable"
    assert str(diagnose((6, None), (0, 9))) == "No cover is within the limits of the total `x`."
    assert diagnose((5, None), (0, 9), given=[0]).conditions == [("total", "x")]
    conflict = diagnose((5, None), (1, None))
    assert str(conflict) == "No cover is within the limits of the totals `x`, `y`."
    assert conflict.is_minimal
    assert conflict.conditions == conflict.helpful == [("total", "x"), ("total", "y")]
    items = {"items": ["a", "b", "c"]}
    assert diagnose((0, 1), (0, 1), **items) == dlx.ExactCover([["a"], ["b"]], **items).diagnose()
