"""Colors, multiplicities, costs, given options and presolving, compared with brute force."""

import random
from copy import deepcopy
from functools import partial
from unittest.mock import Mock

import numpy as np

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.kernels import presolve
from dlx_numba.kernels.dlx import linked_subtree
from dlx_numba.runtime.arguments import UNLIMITED
from dlx_numba.search import prepared, thread_runner
from scripts.fuzzing.covers import search_small_problems
from tests.helpers.problems import instance, stated_problem, unstarted
from tests.helpers.seeds import seeds


def test_any_problem_has_the_covers_that_brute_force_finds(tmp_path):
    """In the same order with links and bitmaps, threads and executors."""
    for seed in seeds(3000, 120):
        search_small_problems(random.Random(seed), tmp_path)


def test_searches_restore_links_colors_and_bounds():
    for seed in seeds(300):
        cover, expected = stated_problem(seed, "smallest")
        tree = unstarted(cover)
        groups = tree.path_groups
        before = deepcopy(groups[:-1])
        tree.explore(UNLIMITED, UNLIMITED)
        assert tree.is_done, seed
        assert tree.counters[0] == len(expected)
        linked_subtree.retreat(*groups, 0)
        np.testing.assert_equal(groups[:-1], before)


def test_slices_do_not_change_results(monkeypatch):
    def results(seed):
        cover, _ = stated_problem(seed, "random")
        return (
            named_problem(cover).find_presolved(),
            cover.solve(),
            cover.statistics,
            cover.cheapest(3),
            cover.statistics,
        )

    whole = [results(seed) for seed in seeds(200)]
    for name in ("UPDATES_PER_SLICE", "MIN_UPDATES_PER_SLICE"):
        monkeypatch.setattr(thread_runner, name, 3)
    monkeypatch.setattr(prepared, "TRIAL_UPDATES", 3)
    monkeypatch.setattr(presolve, "PRESOLVE_SLICE", 3)
    assert [results(seed) for seed in seeds(200)] == whole
    stop = Mock(return_value=False)
    monkeypatch.setattr(presolve, "PRESOLVE_SLICE", 40)
    presolve.presolve_problem(dlx.ExactCover([["a"]] * 40).problem, stop)
    assert stop.call_count > 40  # the list of all options is followed for each of them


def test_equal_seeds_give_equal_random_choices():
    queens = partial(instance, "queens8", choose="random")
    assert len({tuple(queens(seed=seed).first()) for seed in range(20)}) > 10
    unseeded = queens()
    assert unseeded.solve() == queens(seed=unseeded.seed).solve()


def test_sharp_and_listed_items_are_branched_on_first():
    options = [["a", "b"], ["a"], ["b"], ["#c"], ["#c", "d"], ["d"]]
    assert dlx.ExactCover(options, choose="sharp").solve()[0] == [0, 3, 5]
    listed = dlx.ExactCover(options, choose=["d"])
    assert listed.solve()[0] == [0, 4]
    assert listed.items == ["a", "b", "#c", "d"]


def test_presolving_applies_given_options_and_removes_all_of_an_impossible_problem():
    # Item b is in each option of a, so option 2 is removed; then option 3 is the only one with c.
    options = [["a", "b"], ["a", "b", "d"], ["b", "c"], ["c"], ["d", "e"], ["e"]]
    given = dlx.ExactCover(options, given=[4], presolve=True)
    assert (named_problem(given).find_presolved(), given.solve()) == (
        ([2], [0, 3], ["b"]),
        [[0, 3, 4]],
    )
    impossible = dlx.ExactCover([["a"], ["b"]], items=["a", "b", "c"], presolve=True)
    assert (named_problem(impossible).find_presolved(), impossible.solve()) == (
        ([0, 1], [], []),
        [],
    )
    assert named_problem(dlx.ExactCover(options)).find_presolved() is None
