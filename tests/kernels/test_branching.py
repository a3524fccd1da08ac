"""Branching rules."""

from functools import partial

import numpy as np
import pytest

from dlx_numba.jit.namespaces import plain_python
from dlx_numba.kernels.dlx import branching as rules
from dlx_numba.kernels.dlx import branching_m, moves
from dlx_numba.kernels.dlx.algorithm_m import bound_links
from dlx_numba.kernels.dlx.branching import MANY, Branching, BranchingRule, set_rule
from dlx_numba.kernels.dlx.links import INACTIVE, build_links
from dlx_numba.kernels.dlx.state import N_REGISTERS
from tests.helpers.seeds import seeds

# Unsigned sizes may temporarily wrap around; if kernels run as plain Python, NumPy warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

# Searches do not call them from Python, and to compile them for a test takes seconds.
smallest_of_many, smallest_item, lowest_ranked_item, item_rank, wins_tie = map(
    plain_python,
    (
        rules.smallest_of_many,
        rules.smallest_item,
        rules.lowest_ranked_item,
        rules.item_rank,
        rules.wins_tie,
    ),
)
bounded_rank, choose_bounded_item = map(
    plain_python, (branching_m.bounded_rank, branching_m.choose_bounded_item)
)
attach, detach = map(plain_python, (moves.attach, moves.detach))


def many_items(rng):
    """Return links without options and the sizes of their items, some of which are removed."""
    n_items, n_secondary = int(rng.integers(MANY, 2 * MANY)), int(rng.integers(0, 40))
    links = build_links(np.array([0]), np.array([], np.int64), n_items, n_secondary).unsigned()
    sizes = rng.integers(rng.integers(2, 8), 12, n_items)
    links.size[1 : 1 + n_items] = sizes
    secondary = links.size[1 + n_items :]
    secondary += rng.integers(0, 3, len(secondary), np.uint32)
    secondary += INACTIVE * rng.integers(0, 2, len(secondary), np.uint32)  # some are covered
    removed = 1 + rng.permutation(n_items)[: int(rng.integers(0, n_items))]
    for item in removed:
        detach(links, np.uint32(item))
    return links, sizes, removed


def first_of_lowest_rank(links, register, rank):
    """Follow the list of active items, as problems of few items are searched."""
    best, best_rank, n_ties, item = 0, np.inf, 0, links.R[0]
    while item:
        if rank(item) <= best_rank and np.isfinite(rank(item)):
            n_ties = n_ties + 1 if rank(item) == best_rank else 1
            best_rank = rank(item)
            best = item if wins_tie(register, n_ties) else best
        item = links.R[item]
    return best


def plain_rank(links, register, item):
    return item_rank(register, item, links.size[item])


def rank_if_needed(links, bounds, register, item):
    if bounds.need[item] <= 0 and links.D[item] == item:
        return np.inf
    return bounded_rank(links, bounds, register, item)


def registers(rng, branching, n_items):
    """Return the same registers twice."""
    rule = BranchingRule(branching, int(rng.integers(0, n_items)), int(rng.integers(0, 99)))
    both = np.zeros((2, N_REGISTERS), np.int64)
    for register in both:
        set_rule(register, rule)
    return both


def test_items_are_chosen_by_the_same_rule_in_large_problems():
    for seed in seeds(200):
        links, sizes, removed = many_items(np.random.default_rng(seed))
        assert smallest_of_many(links) == smallest_item(links)
        for item in removed[::-1]:
            attach(links, np.uint32(item))
        assert smallest_of_many(links) == smallest_item(links) == 1 + np.argmin(sizes)


def test_ranks_and_random_ties_in_large_problems():
    for seed in seeds(60):
        rng = np.random.default_rng(seed)
        links, sizes, _ = many_items(rng)
        for branching in (Branching.SHARP, Branching.RANDOM):
            register, other = registers(rng, branching, len(sizes))
            rank = partial(plain_rank, links, register)
            assert lowest_ranked_item(links, register) == first_of_lowest_rank(links, other, rank)
            assert register.tolist() == other.tolist()


def test_bounded_items_in_large_problems():
    for seed in seeds(60):
        rng = np.random.default_rng(seed)
        links, sizes, _ = many_items(rng)
        low = rng.integers(0, rng.integers(1, 14), len(sizes))
        bounds = bound_links(links, np.zeros_like(low), low + rng.integers(1, 3, len(low)))
        bounds.need[1:] = low
        is_active = links.size[1 : 1 + len(sizes)] < INACTIVE
        links.size[1 : 1 + len(sizes)] -= (low * is_active).astype(np.uint32)  # may be negative
        links.D[1] = 1 + len(sizes)  # one item has options, as far as the choice sees it
        for branching in (Branching.SMALLEST, Branching.SHARP, Branching.RANDOM):
            register, other = registers(rng, branching, len(sizes))
            before = register.copy()
            rank = partial(rank_if_needed, links, bounds, register)
            chosen = choose_bounded_item(links, bounds, register)
            expected = first_of_lowest_rank(links, other, rank)
            assert chosen == expected
            if rank(chosen) <= 1:  # no random number is drawn if the choice is forced
                other = before
            assert register.tolist() == other.tolist()
