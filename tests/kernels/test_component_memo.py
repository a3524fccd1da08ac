"""Counts by a memo of the components of what remains, against a search."""

import pickle
import random
from itertools import combinations

import pytest

import dlx_numba as dlx
from dlx_numba.kernels.memo.item_order import narrow_tree
from dlx_numba.kernels.memo.option_sets import encode_as_bits
from dlx_numba.kernels.memo.tree_search import TreeSearch
from dlx_numba.runtime.interrupts import Stop, complete
from dlx_numba.runtime.job import run
from dlx_numba.search.subproblems import MemoPortfolio
from tests.helpers.seeds import seeds


def random_sparse_problem(rng):
    """Return a problem whose options have primary and secondary items that are near each other."""
    n_primary, n_secondary = rng.randint(1, 14), rng.randint(1, 14)
    options = []
    for _ in range(rng.randint(1, 40)):
        first = rng.randrange(n_primary)
        own = {min(n_primary - 1, first + rng.randint(0, 3)) for _ in range(rng.randint(0, 3))}
        shared = {min(n_secondary - 1, first + rng.randint(0, 2)) for _ in range(rng.randint(0, 2))}
        colors = [("s", k) if rng.random() < 0.5 else (("s", k), rng.randint(0, 2)) for k in shared]
        options.append([*(("p", k) for k in own), *colors])
    primary = [("p", k) for k in range(n_primary)]
    return dlx.ExactCover(options, primary, secondary=[("s", k) for k in range(n_secondary)])


def tree_search(problem, memory):
    tree = complete(narrow_tree(problem, 1 << 60), Stop())
    encoded = complete(encode_as_bits(problem, tree.order), Stop())
    return TreeSearch(problem, tree, encoded, memory)


@pytest.mark.kernels
def test_counts_of_random_problems_are_those_of_a_search():
    for seed in seeds(4000, 60):
        rng = random.Random(seed)
        cover = random_sparse_problem(rng)
        search = tree_search(cover.problem, rng.choice([1 << 30, 1 << 12, 1]))
        while not search.is_done:
            search.run(Stop(), max_subproblems=search.subproblems + rng.choice([1, 3, 1000]))
            if rng.random() < 0.1:
                search = pickle.loads(pickle.dumps(search))
        assert search.value == search.count_so_far() == cover.count(method="search")


def coloring(n, edges):
    """Return the problem of coloring a graph with 3 colors."""
    options = [
        [v, *((edge, color) for edge in edges if v in edge)] for v in range(n) for color in range(3)
    ]
    return dlx.ExactCover(options, secondary=[(e, color) for e in edges for color in range(3)])


def test_sparse_graphs_are_colored_by_components():
    edges = random.Random(1).sample([*combinations(range(70), 2)], 105)
    cover = coloring(70, edges)
    assert cover.count() == 214_353_952_929_792
    assert cover.statistics.method == "memo"
    assert cover.statistics.nodes < 50_000


def test_counts_may_have_many_words():
    """A tree of n nodes has 3 * 2 ** (n - 1) colorings."""
    cover = coloring(300, [(k // 2, k) for k in range(1, 300)])
    assert cover.count(method="memo") == 3 * 2**299


def test_problems_with_large_boundaries_have_no_tree():
    cover = coloring(30, [*combinations(range(30), 2)])
    assert complete(narrow_tree(cover.problem, 1 << 24), Stop()) is None
    memo = MemoPortfolio(cover.problem, 1 << 20)
    run(memo, Stop(), 1000)
    assert memo.order != "tree"
