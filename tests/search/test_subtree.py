"""Subtrees: order, weights and counters when they are split."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.kernels.cover_array import Translation
from dlx_numba.runtime.arguments import UNLIMITED
from dlx_numba.search.splitting import split_subtrees
from tests.helpers.hosts import running, wait_until
from tests.helpers.problems import instance, problems, unstarted
from tests.helpers.seeds import seeded


def split(subtrees, n_wanted, stop=lambda: False):
    parts = [*subtrees]
    split_subtrees(parts, subtrees, n_wanted, Translation(), stop)
    return parts


def covers(subtrees):
    """The remaining covers, subtree by subtree."""
    for subtree in subtrees:
        while not subtree.is_done:
            subtree.explore(UNLIMITED, 1000, Translation())
    return [cover for subtree in subtrees for cover in subtree.found.tolist()]


def fraction_of_tree(subtrees):
    """The fraction of the whole tree that was or will be explored in the subtrees."""
    return sum(subtree.tree_share - subtree.explored_offset for subtree in subtrees)


@pytest.mark.parametrize("updates", [0, 20, 1000])
def test_weights_sum_to_one_after_each_split(updates):
    options, bounds = [[k % 3] for k in range(12)], dict.fromkeys(range(3), (1, 3))
    names = ("queens8", "langford7", "queens8.cost")
    for cover in (*map(instance, names), dlx.ExactCover(options, multiplicity=bounds)):
        tree = unstarted(cover)
        tree.explore(updates, UNLIMITED)
        explored, remaining = tree.explored(), tree.remaining()
        assert explored + remaining == pytest.approx(1)
        subtrees = [tree]
        for n_wanted in range(1, 20):
            subtrees = split(subtrees, n_wanted)
            assert fraction_of_tree(subtrees) == pytest.approx(1)
            assert sum(each.explored() for each in subtrees) >= explored - 1e-9
            assert sum(each.remaining() for each in subtrees) <= remaining + 1e-9
        covers(subtrees)
        assert sum(each.explored() for each in subtrees) == pytest.approx(1)


def test_done_subtrees_stay_in_their_places():
    subtrees = split([unstarted(instance("queens8"))], 5)
    subtrees[2].explore(UNLIMITED, UNLIMITED)
    assert subtrees[2].is_done
    assert subtrees[2].split() is None
    parts = split(subtrees, 9)
    assert len(parts) == 9
    assert [part for part in parts if part in subtrees] == subtrees
    assert fraction_of_tree(parts) == pytest.approx(1)


def test_splitting_ends_early_if_stopped():
    cover = instance("queens8")
    answers = iter([False] * 20 + [True])
    subtrees = split([unstarted(cover)], 40, stop=lambda: next(answers))
    assert 1 < len(subtrees) <= 21
    assert covers(subtrees) == cover.solve()


def test_interrupted_explorations_take_a_step_each():
    for _, cover, expected in problems(300):
        tree, cover = unstarted(cover), cover.replace(threads=1)
        while not tree.is_done:
            tree.interrupt()
            tree.explore(UNLIMITED, UNLIMITED)
        assert tree.counters[0] == len(expected)
        if cover.choose != "random":
            cover.count(method="search")
            assert tuple(tree.counters) == cover.statistics


@pytest.mark.compiled
@pytest.mark.parametrize("keywords", [{}, {"algorithm": "bitset"}, {"multiplicity": {0: (1, 2)}}])
def test_another_thread_interrupts_an_exploration_that_would_not_end(keywords):
    options = [[item] for item in range(64) for _ in range(3)]
    tree = unstarted(dlx.ExactCover(options, **keywords))
    with running(lambda: tree.explore(UNLIMITED, UNLIMITED)) as results:
        wait_until(lambda: tree.interrupt() or results)  # it may not have started
    assert not tree.is_done


def test_reset_share_makes_the_remaining_work_a_unstarted():
    tree = unstarted(instance("queens8"))
    tree.explore(1000, UNLIMITED)
    assert 0 < tree.explored() < 1
    tree.reset_share(1)
    assert (tree.explored(), tree.remaining()) == pytest.approx((0, 1))
    tree.explore(UNLIMITED, UNLIMITED)
    assert tree.explored() == pytest.approx(1)
    tree.reset_share(1)
    assert (tree.explored(), tree.remaining()) == (1, 0)


@pytest.mark.parametrize("multiplicity", [None, {0: (1, 2)}])
def test_a_search_pauses_between_the_options_of_a_node(multiplicity):
    # If options have many items, a node may take seconds. A path may end at a dead end.
    rng = random.Random(seeded(11))
    options = [sorted(rng.sample(range(40), 8)) for _ in range(100)]
    cover = dlx.ExactCover(options, algorithm="links", multiplicity=multiplicity)
    whole, paused = unstarted(cover), unstarted(cover)
    whole.explore(UNLIMITED, UNLIMITED)
    n_steps, n_nodes = 0, 40 + sum(map(len, options))
    while not paused.is_done:
        _, updates = paused.explore(1 if n_steps < 2000 else UNLIMITED, UNLIMITED)
        assert updates <= 2 * n_nodes or n_steps == 2000
        n_steps += 1
        if n_steps % 10 == 0 and not paused.is_done:
            content, paused = paused.content(), unstarted(cover)
            paused.restore(content)
    assert n_steps > 1.5 * whole.counters[1]
    assert paused.counters.tolist() == whole.counters.tolist()
