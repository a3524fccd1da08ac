"""The work that a search counts, so that it pauses when its budget is spent."""

import pytest

import dlx_numba as dlx
from dlx_numba.kernels.dlx.state import UNLIMITED
from tests.helpers.problems import unstarted

BUDGET = 4000


def lists(n_items, size, joined=()):
    """A few items with many options, most of which contain nothing else."""
    return [*joined, *([k] for k in range(n_items) for _ in range(size))]


def explore(options, **keywords):
    """Return a search that has spent a budget, and the number of covers that it has found."""
    tree = unstarted(dlx.ExactCover(options, algorithm="links", **keywords))
    n_covers, _ = tree.explore(BUDGET, UNLIMITED)
    assert not tree.is_done
    return n_covers


def test_each_cover_is_work():
    assert 0 < explore(lists(2, 500, [[0, 1]])) <= BUDGET
    colored = [[k, ("s", "red")] for k in range(2) for _ in range(500)]
    assert 0 < explore(colored, secondary=["s"]) <= BUDGET


@pytest.mark.parametrize("bounds", [{}, {2: (2, 2)}])
def test_following_a_list_is_work(bounds):
    """Each attempt follows the list of an item whose options contain nothing else."""
    n = BUDGET
    options = [[0, 1]] * 500 + [[1]] * n + [[2]] * len(bounds) * 2
    assert 0 < explore(options, multiplicity=bounds) <= 8 * BUDGET // n + 1


def test_choosing_several_options_is_work():
    options = [["a"]] * 300 + [["a", "b"]] * 300
    assert 0 < explore(options, multiplicity={"a": (3, 90), "b": (2, 90)}) <= BUDGET


def test_building_smaller_bitmaps_is_work():
    options = [["a", k] for k in range(2000)]
    multiplicity = {"a": 1000} | dict.fromkeys(range(2000), (0, 1))
    tree = unstarted(dlx.ExactCover(options, multiplicity=multiplicity, algorithm="bitset"))
    _, updates = tree.explore(1 << 17, UNLIMITED)
    assert 0 < updates < 1 << 15
