"""The work that a search counts, so that it pauses when its budget is spent."""

import pytest

import dlx_numba as dlx
from dlx_numba.kernels.cover_array import Translation
from dlx_numba.kernels.dlx.algorithm_m import SubtreeM
from dlx_numba.kernels.dlx.algorithm_x import SubtreeX
from dlx_numba.kernels.dlx.branching import MANY, Branching, BranchingRule
from dlx_numba.runtime.arguments import UNLIMITED
from tests.helpers.problems import unstarted

BUDGET = 4000


def lists(n_items, size, joined=()):
    """A few items with many options, most of which contain nothing else."""
    return [*joined, *([k] for k in range(n_items) for _ in range(size))]


def explore(options, translate=None, **keywords):
    """Return the number of covers that a search has found when it has spent a budget."""
    tree = unstarted(dlx.ExactCover(options, algorithm="links", **keywords))
    n_covers, _ = tree.explore(BUDGET, UNLIMITED, translate)
    assert not tree.is_done
    return n_covers


def test_each_cover_that_is_stored_is_work():
    assert 0 < explore(lists(2, 500, [[0, 1]]), Translation()) <= BUDGET
    colored = [[k, ("s", "red")] for k in range(2) for _ in range(500)]
    assert 0 < explore(colored, Translation(), secondary=["s"]) <= BUDGET


@pytest.mark.parametrize("bounds", [{}, {2: (2, 2)}])
def test_counting_the_options_of_a_last_item_is_work(bounds):
    options = [*lists(2, 10_000, [[0, 1]]), *[[2]] * len(bounds) * 2]
    n_covers = explore(options, multiplicity=bounds)
    assert 0 < n_covers <= 10_000 * BUDGET
    assert n_covers % 10_000 <= 1


@pytest.mark.parametrize("bounds", [{}, {2: (2, 2)}])
def test_following_a_list_is_work(bounds):
    """Each attempt follows the list of an item whose options contain nothing else."""
    n = BUDGET
    options = [[0, 1]] * 500 + [[1]] * n + [[2]] * len(bounds) * 2
    assert 0 < explore(options, multiplicity=bounds) <= 8 * BUDGET // n + 1


def test_choosing_several_options_is_work():
    options = [["a"]] * 300 + [["a", "b"]] * 300
    assert 0 < explore(options, multiplicity={"a": (3, 90), "b": (2, 90)}) <= BUDGET


def test_using_the_items_of_an_option_is_work():
    """They can be in other options, too, so their lists are not followed."""
    bounds = dict.fromkeys(range(100), (0, 39))
    tree = unstarted(dlx.ExactCover([[*range(100)]] * 40, multiplicity=bounds, algorithm="links"))
    tree.explore(BUDGET, UNLIMITED)
    assert 0 < tree.counters[1] < BUDGET / 100


def test_reading_the_ranks_of_many_items_is_work():
    """If items can be left uncovered, the first one that cannot be is chosen."""
    n_items = 2 * MANY
    options = [[k] for k in range(n_items) for _ in range(2)]
    bounds = dict.fromkeys(range(n_items - 20), (0, 2))
    tree = SubtreeM.start(dlx.ExactCover(options, multiplicity=bounds).problem, BranchingRule())
    tree.explore(BUDGET, UNLIMITED)
    assert 0 < tree.counters[1] < 4 * BUDGET / n_items + 2


@pytest.mark.parametrize("kind", [SubtreeX, SubtreeM])
def test_choosing_one_of_many_items_is_work(kind):
    assert count_nodes(kind, 6400, 1000) == 10
    # Fewer items are in a list, and following it takes longer.
    n_many, n_fewer = (count_nodes(kind, n_items, 1000) for n_items in (MANY, MANY - 1))
    assert n_many > 2 * n_fewer


def test_reading_ties_of_many_items_is_work():
    assert count_nodes(SubtreeX, 6400, 10_000, Branching.RANDOM) == 7


def count_nodes(kind, n_items, budget, branching=Branching.SMALLEST):
    """Return the nodes that a budget suffices for, if items have two options each."""
    options = [[k] for k in range(n_items) for _ in range(2)]
    bounds = {0: (2, 2)} if kind is SubtreeM else None
    problem = dlx.ExactCover(options, multiplicity=bounds).problem
    tree = kind.start(problem, BranchingRule(branching))
    tree.explore(budget, UNLIMITED)
    return int(tree.counters[1])


def test_building_smaller_bitmaps_is_work():
    options = [["a", k] for k in range(2000)]
    multiplicity = {"a": 1000} | dict.fromkeys(range(2000), (0, 1))
    tree = unstarted(dlx.ExactCover(options, multiplicity=multiplicity, algorithm="bitset"))
    _, updates = tree.explore(1 << 17, UNLIMITED)
    assert 0 < updates < 1 << 15


@pytest.mark.parametrize("kind", [SubtreeX, SubtreeM])
def test_looking_for_the_item_that_fails_is_work(kind):
    """Each of 30 attempts fails because of an item that 1,000 others precede."""
    others = [*range(1000)]
    options = [["a", "x"]] * 30 + [others] * 40 + [["last", "x"]] * 40
    problem = dlx.ExactCover(options, items=["a", *others, "x", "last"]).problem
    rule = BranchingRule(Branching.WEIGHTED)
    whole = kind.start(problem, rule)
    _, n_updates = whole.explore(UNLIMITED, UNLIMITED, Translation())
    assert whole.is_done
    tree = kind.start(problem, rule)
    tree.explore(n_updates + 1000, UNLIMITED, Translation())
    assert not tree.is_done
    tree.explore(n_updates + 6000, UNLIMITED, Translation())
    assert tree.is_done
