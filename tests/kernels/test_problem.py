"""Checks of problems and covers that come from files; items that may stay uncovered."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.kernels.reduce import relax_items
from tests.helpers import oracles
from tests.helpers.diagnoses import statement_of
from tests.helpers.problems import stated_problem
from tests.helpers.seeds import seeds

OPTIONS = [["a", ("s", 1)], ["b"], ["b", ("s", 2)]]
BOUNDS = {"b": (0, 2)}
PROBLEM = dlx.ExactCover(OPTIONS, ["a", "b"], ["s"], multiplicity=BOUNDS, costs=[3, 0, 5]).problem


def test_covers_are_accepted_and_other_sets_of_options_are_not():
    for seed in seeds(300):
        rng = random.Random(seed)
        cover, _ = stated_problem(seed, "smallest")
        options, bounds, _ = oracles.random_general_problem(seed)
        expected = list(oracles.multiple_covers(options, bounds))
        problem = cover.problem
        problem.check()
        problem.check_covers(expected)
        for _ in range(10):
            options = rng.sample(range(problem.n_options), rng.randint(0, problem.n_options))
            options.sort()
            if expected and rng.random() < 0.7:
                options = sorted({*rng.choice(expected)} ^ {*options[:1]})
            if options in expected:
                continue
            with pytest.raises(ValueError, match=r"cover|item"):
                problem.check_covers([*expected, options])


@pytest.mark.parametrize("cover", [[0, 0], [-1], [9], [None], "0", [0.0]])
def test_lists_that_are_not_sets_of_options_are_rejected(cover):
    with pytest.raises((TypeError, ValueError)):
        PROBLEM.check_covers([cover])


@pytest.mark.parametrize(
    "changes",
    [
        {"indptr": np.array([0, 2, 1, 5])},
        {"indptr": np.array([], np.int64)},
        {"items": np.array([0, 2, 1, 1, 3])},
        {"items": np.array([0, 2, 1, 1, 1])},
        {"color": np.array([1, 1, 0, 0, 2])},
        {"color": np.array([0, 1])},
        {"low": None},
        {"high": np.array([1])},
        {"low": np.array([2, 0])},
        {"low": np.array([0, 0]), "high": np.array([0, 1])},
        {"cost": np.array([1])},
        {"cost": np.full(3, 2**61)},
    ],
)
def test_inconsistent_problems_are_rejected(changes):
    PROBLEM.check()
    with pytest.raises(ValueError, match=r"."):
        PROBLEM._replace(**changes).check()


@pytest.mark.parametrize("upper", [1, 2, 4, None])
def test_items_that_may_stay_uncovered_are_made_secondary_or_removed(upper):
    tables = {"large": (0, None), "small": (0, 4)}
    seats = [[guest, table, *noisy] for guest in "abc" for table in tables for noisy in ([], ["n"])]
    bounds = {**dict.fromkeys("abc", (1, 1)), **tables, "n": (0, upper)}
    cover = dlx.ExactCover(seats, multiplicity=bounds, given=[0], forbidden=[2], presolve=True)
    selected = named_problem(cover).selected.problem
    relaxed, items = relax_items(selected, 0)
    kept = {1: ["b", "c", "n"], 2: ["n", "b", "c"]}.get(upper, ["b", "c"])
    assert [named_problem(cover).items_left[item] for item in items] == kept
    assert relaxed.n_primary == 2 + (upper == 2)
    assert relax_items(selected, selected.n_primary)[0].n_items == selected.n_items
    options, limits, *_ = statement_of(cover)
    covers = sorted(each for each in oracles.multiple_covers(options, limits) if 0 in each)
    assert sorted(cover.solve()) == covers
    assert cover.count(method="memo") == len(covers)
    if upper in (1, None):
        bounds["small"] = (0, None)  # no multiplicity is left, whatever options are given
        plain = dlx.ExactCover(seats, multiplicity=bounds, given=[0], forbidden=[2])
        assert sorted(plain.diagram(order=["n", "c"])) == covers
        diagram = plain.diagram()
        for option in range(len(seats)):
            chosen = [each for each in covers if option in each]
            assert sorted(diagram.condition(given=[option])) == chosen
