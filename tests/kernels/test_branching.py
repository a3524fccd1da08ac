"""The choice of an item: block by block in large problems, and by cost."""

import itertools
import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.jit.namespaces import plain_python
from dlx_numba.kernels.dlx import branching_m
from dlx_numba.kernels.dlx.algorithm_m import SubtreeM, link_bounded
from dlx_numba.kernels.dlx.algorithm_x import SubtreeX
from dlx_numba.kernels.dlx.branching import (
    BLOCK,
    LOW_PRIORITY,
    MANY,
    MAX_ITEM_WEIGHT,
    Branching,
    BranchingRule,
    blame,
    count_branches,
    item_rank,
    next_item,
)
from dlx_numba.kernels.dlx.branching_m import (
    Costs,
    choose_affordable_item,
    exclusive_items,
    look_ahead,
)
from dlx_numba.kernels.dlx.links import INACTIVE
from dlx_numba.kernels.dlx.state import N_REGISTERS, Register
from dlx_numba.runtime.arguments import UNLIMITED
from tests.helpers.problems import unstarted
from tests.helpers.seeds import seeds


@pytest.mark.parametrize("rule", ["smallest", "sharp", "random"])
@pytest.mark.parametrize("has_bounds", [False, True])
def test_further_items_that_are_covered_at_once_change_no_choice(rule, has_bounds):
    """An option covers all further items, among which the others are near the ends of blocks."""
    for seed in seeds(150, at_least=10):
        rng = random.Random(seed)
        names = [f"{'#' * (k % 2)}{k}" for k in range(rng.randint(1, 12))]
        sizes = rng.choices(range(1, min(3, len(names)) + 1), k=rng.randint(1, 60))
        options = [rng.sample(names, size) for size in sizes]
        bounds = {name: rng.choice([(1, 1), (0, 2), (1, 3)]) for name in names * has_bounds}
        further = [f"further {k}" for k in range(rng.choice([MANY, MANY + 3 * BLOCK]))]
        items, first = list(further), rng.randrange(1, BLOCK)
        near = [k + d for k in range(first, len(items), BLOCK) for d in (-1, 0, 1)]
        for position, item in zip(sorted(rng.sample(near, len(names))), names, strict=True):
            items.insert(position, item)
        keywords = {"multiplicity": bounds, "choose": rule, "seed": seed, "algorithm": "links"}
        keywords["threads"] = 1
        small = dlx.ExactCover(options, names, **keywords).search()
        large = dlx.ExactCover([*options, further], items, **keywords).search()
        covers = [cover[:-1] for cover in large.run(solutions=100)]
        expected = small.run(solutions=100)
        if rule == "random":  # which also shuffles the options
            assert len(covers) == len(expected), seed
        else:
            assert covers == expected, seed
            assert large.counters()[1] - small.counters()[1] in (0, 1), seed


def test_the_next_item_has_few_options_if_there_are_many_items():
    sizes = np.random.default_rng(1).integers(1, 5, 2 * MANY)
    options = [[item] for item, size in enumerate(sizes) for _ in range(size)]
    links = SubtreeX.start(dlx.ExactCover(options).problem, BranchingRule()).links
    for highest in range(5):
        few = [0, *(1 + np.flatnonzero(sizes <= highest)).tolist(), 0]
        for item, following in itertools.pairwise(few[:50]):
            assert next_item(links, np.uint32(item), np.int64(highest)) == following


def test_ties_are_broken_at_random():
    further = [f"further {k}" for k in range(MANY)]
    options = [further, *([item] for item in range(10) for _ in range(2))]
    chosen = set()
    for seed in range(20):
        tree = unstarted(dlx.ExactCover(options, choose="random", seed=seed, algorithm="links"))
        tree.explore(UNLIMITED, 1)
        chosen.add(tree.path()["items"][1])
    assert len(chosen) > 4


def test_items_without_enough_options_have_a_negative_number_of_branches():
    links, _, _ = link_bounded(dlx.ExactCover([["a", "b"], ["a"]]).problem)
    links.size[1] = np.uint32(-3 % 2**32)
    assert plain_python(count_branches)(links, np.uint32(1)) == -3
    assert plain_python(count_branches)(links, np.uint32(2)) == 1


def test_no_item_has_so_many_options_that_it_is_chosen_like_items_of_low_priority():
    register = np.ones(N_REGISTERS + 2, np.int64)
    register[Register.BRANCHING] = Branching.WEIGHTED
    sizes = (1, 2, 1000, 1 << 20, int(INACTIVE) - 1)
    ranks = [plain_python(item_rank)(register, np.uint32(1), np.int64(n)) for n in sizes]
    assert ranks == sorted(ranks)
    assert ranks[-1] < LOW_PRIORITY


@pytest.mark.parametrize("weight", [MAX_ITEM_WEIGHT - 1, MAX_ITEM_WEIGHT])
def test_weights_have_a_maximum(weight):
    options = [["lesson", f"day {k // 2}"] for k in range(6)]
    days = [f"day {k}" for k in range(3)]
    cover = dlx.ExactCover(options, ["lesson"], days, multiplicity={"lesson": 2})
    rule = BranchingRule(Branching.WEIGHTED)
    links, _, bounds, state = SubtreeM.start(cover.problem, rule).path_groups
    owner = np.uint32(1)
    state.register[N_REGISTERS + owner] = weight
    bounds.need[owner] = 4  # on at most three days
    links.size[owner] = np.uint32(0)
    assert plain_python(blame)(links, state.register) == 0  # it is the first item
    assert state.register[N_REGISTERS + owner] == MAX_ITEM_WEIGHT
    links.size[owner] = np.uint32(3)
    state.register[N_REGISTERS + owner] = weight
    found = plain_python(look_ahead)(links, bounds, state.register, np.uint32(0))
    assert found == (0, False)
    assert state.register[N_REGISTERS + owner] == MAX_ITEM_WEIGHT


@pytest.mark.parametrize("limit", [14, 15])
def test_the_least_costs_of_all_items_exceed_those_of_a_cover(limit):
    """An option covers at most two of three items that cost 10 each."""
    cover = dlx.ExactCover([["a", "b"], ["a"], ["b"], ["c"], ["c"]])
    links, _, bounds = link_bounded(cover.problem)
    costs = np.full(len(links.D), 10)
    sums = np.zeros(9, np.int64)
    limits = np.array([limit, limit, 2, 1, 0, 0])
    item, is_possible, _ = plain_python(choose_affordable_item)(
        links, bounds, Costs(costs, costs, sums, sums, limits), limit, np.zeros(4, np.uint32), 0
    )
    assert (item, is_possible) == ((1, True) if limit == 15 else (0, False))


def test_two_items_of_an_option_may_own_the_items_that_it_shares():
    lessons = [["pupils", "teacher", f"day {k % 3}"] for k in range(6)]
    exams = [["exam", "day 0"]] * 2  # which takes place once
    days = [f"day {k}" for k in range(3)]
    bounds = {"pupils": 2, "teacher": 2}
    items = ["pupils", "teacher", "exam"]
    cover = dlx.ExactCover(lessons + exams, items, days, multiplicity=bounds)
    assert exclusive_items(cover.problem).item.tolist() == [1, 2]


def test_the_items_of_many_pairs_are_not_compared(monkeypatch):
    lessons = [["lesson", f"day {k % 3}", f"hour {k}"] for k in range(6)]
    days = [f"day {k}" for k in range(3)]
    hours = [f"hour {k}" for k in range(6)]
    cover = dlx.ExactCover(lessons, ["lesson"], days + hours, multiplicity={"lesson": 2})
    monkeypatch.setattr(branching_m, "MAX_PAIRS", 12)
    assert [len(each) for each in exclusive_items(cover.problem)] == [1, 2, 3]
    monkeypatch.setattr(branching_m, "MAX_PAIRS", 11)
    assert [len(each) for each in exclusive_items(cover.problem)] == [0, 1, 0]
