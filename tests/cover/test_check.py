"""Claimed covers are checked, and what is wrong is named."""

from itertools import combinations

import pytest

import dlx_numba as dlx
from tests.helpers.problems import general_problem, total_problem
from tests.helpers.seeds import seeds

ROUTES = {"r1": ["a", "b"], "r2": ["b", "c"], "r3": ["c"], "r4": ["a", ("s", "red")]}


@pytest.mark.parametrize("create", [general_problem, total_problem])
def test_a_claim_is_a_cover_if_the_search_finds_it(create):
    for seed in seeds(200):
        problem = create(seed)
        problem = problem[0] if isinstance(problem, tuple) else problem
        covers = {tuple(cover) for cover in problem.solve(limit=None)}
        for size in range(4):
            for claim in combinations(range(problem.n_options), size):
                if all(len(problem.options[k]) for k in claim):
                    assert bool(problem.check(claim)) == (claim in covers), (seed, claim)


def test_violations_are_named():
    problem = dlx.ExactCover(ROUTES, secondary=["s"], costs=[2, 3, 4, 1])
    assert str(problem.check(["r1", "r3"])) == "a cover"
    assert problem.check(["r1", "r3"]).cost == 6
    check = problem.check(["r1", "r2"])
    assert check.problems == ["`b` is covered 2 times, by r1 and r2"]
    assert problem.check(["r3"]).problems == ["`a` is not covered", "`b` is not covered"]
    given = problem.replace(given=["r1"], forbidden=["r4"])
    assert given.check(["r4", "r2"]).problems == [
        "option `r1` is given but not chosen",
        "option `r4` is forbidden",
    ]
    with pytest.raises(ValueError, match="there is no option named 'r9'"):
        problem.check(["r9"])


def test_items_left_uncovered_cost_their_penalty():
    problem = dlx.ExactCover({"Ann": ["mon"]}, ["mon", "tue"], penalty={"mon": 9, "tue": 7})
    assert problem.check(["Ann"]) == ([], 7)


@pytest.mark.parametrize("claimed", [[], ["Ann"], ["Ann", "Bob"], ["Bob"]])
def test_each_missing_option_costs_the_penalty(claimed):
    options = {"Ann": ["mon"], "Bob": ["mon"]}
    problem = dlx.ExactCover(options, exactly={"mon": 2}, costs=[1, 2], penalty={"mon": 5})
    known = [name for name in claimed if name in options]
    others = [name for name in options if name not in known]
    [cheapest] = problem.cheapest(given=known, forbidden=others)
    check = problem.check(claimed)
    assert check
    assert check.cost == cheapest.cost


def test_colors_and_totals_are_checked():
    options = [["a", ("s", "red")], ["b", ("s", "blue")], ["b", ("s", "red")]]
    problem = dlx.ExactCover(options, secondary=["s"], totals={"hours": ([3, 4, 5], 0, 7)})
    assert problem.check([0, 1]).problems == ["`s` has the colors blue and red"]
    plain = dlx.ExactCover([["a", ("s", "red")], ["b", "s"]], secondary=["s"])
    assert plain.check([0, 1]).problems == ["`s` is covered 2 times, by option 0 and option 1"]
    assert problem.check([0, 2]).problems == ["the total `hours` is 8"]
