"""Options whose colors no option of some primary item agrees with are removed before a search."""

import random

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.kernels import consistency, presolve
from dlx_numba.kernels.consistency import consistent_options
from dlx_numba.kernels.dlx import supports
from dlx_numba.kernels.dlx.algorithm_m import SubtreeM
from dlx_numba.kernels.dlx.branching import BranchingRule
from dlx_numba.runtime.arguments import UNLIMITED
from dlx_numba.runtime.interrupts import Stop
from scripts.fuzzing.covers import search_colored_problems
from tests.helpers import oracles
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import find_covers, nonogram
from tests.helpers.seeds import seeds


def solve_lines(options):
    """Return the numbers of the options that agree with all cells that are known, repeatedly."""
    left = dict(enumerate(options))
    while True:
        seen: dict = {}
        for line, *cells in left.values():
            for cell, color in cells:
                seen.setdefault((line, cell), set()).add(color)
        possible: dict = {}
        for (_, cell), colors in seen.items():
            possible[cell] = possible.get(cell, colors) & colors
        kept = {k: each for k, each in left.items() if all(c in possible[i] for i, c in each[1:])}
        if len(kept) == len(left):
            return list(left)
        left = kept


@pytest.mark.parametrize("size", [3, 7, 12])
def test_what_remains_of_a_nonogram_is_what_line_solving_leaves(size):
    for seed in seeds(20):
        cover = nonogram(size, seed)
        kept = solve_lines(cover.options)
        assert consistent_options(cover.problem).tolist() == kept, seed
        assert named_problem(cover).prepare().problem.n_options == len(kept)


def test_problems_with_consistent_colors_have_the_covers_of_brute_force(tmp_path):
    for seed in seeds(250, 10):
        search_colored_problems(random.Random(seed), tmp_path)


def test_presolving_would_remove_the_same_options(monkeypatch):
    n_removed = 0
    for seed in seeds(600):
        options, bounds, secondary = oracles.colored_problem(seed)
        cover = dlx.ExactCover(options, list(bounds), secondary, multiplicity=bounds, presolve=True)
        removed = {*range(len(options))} - {*consistent_options(cover.problem).tolist()}
        n_removed += len(removed)
        with monkeypatch.context() as context:
            context.setattr(
                presolve, "consistent_options", lambda each, _: np.arange(each.n_options)
            )
            slow = named_problem(cover.replace()).find_presolved()
        assert named_problem(cover).find_presolved()[:2] == slow[:2], seed
        assert removed <= {*slow.options}, seed
    assert n_removed


def test_a_chain_of_removals_is_followed():
    n = 3000
    options = [[k, (f"s{k}", "x"), (f"s{k + 1}", "x")] for k in range(n)]
    options += [[k, (f"s{k}", "y"), (f"s{k + 1}", "y")] for k in range(n)] + [["end", ("s0", "y")]]
    cover = dlx.ExactCover(options, secondary=[f"s{k}" for k in range(n + 1)])
    assert consistent_options(cover.problem).tolist() == list(range(n, 2 * n + 1))


@pytest.mark.parametrize(("module", "limit"), [(supports, "MAX_ROWS"), (consistency, "MAX_STEPS")])
def test_large_problems_are_searched_as_they_are(module, limit, monkeypatch):
    cover = nonogram(5, 0)
    covers = sorted(cover.solve())
    monkeypatch.setattr(module, limit, 10)
    whole = nonogram(5, 0)
    assert (
        named_problem(whole).prepare().problem.n_options
        == cover.n_options
        > named_problem(cover).prepare().problem.n_options
    )
    assert sorted(whole.solve()) == covers


@pytest.mark.parametrize("n", range(2))
def test_a_call_that_is_stopped_keeps_all_options_and_is_repeated(n):
    cover = nonogram(5, 0)
    stopped = named_problem(cover).prepare(Stop(event=SetAfter(n)))
    assert (
        stopped.problem.n_options
        == cover.n_options
        > named_problem(cover).prepare().problem.n_options
    )


def test_items_that_are_covered_from_the_start_need_no_support():
    options = [["a", ("s", "x")], ["b", ("s", "y")], ["b", ("s", "x")]]
    cover = dlx.ExactCover(options, secondary=["s"])
    assert named_problem(cover).prepare().problem.n_options == 2
    batch = cover.solve_batch(covered=[[], ["a"]], limit=None)
    assert batch.counts.tolist() == [1, 2]


def test_a_search_with_consistent_colors_fails_at_the_root_if_no_option_is_consistent():
    n_failed = 0
    for seed in seeds(300, at_least=60):
        options, bounds, secondary = oracles.colored_problem(seed)
        problem = dlx.ExactCover(options, list(bounds), secondary, multiplicity=bounds).problem
        if problem.color is not None and not len(consistent_options(problem)):
            tree = SubtreeM.start(problem, BranchingRule(is_consistent=True))
            tree.explore(UNLIMITED, UNLIMITED)
            assert tree.counters[:2].tolist() in ([0, 0], [0, 1]), seed
            n_failed += 1
    assert n_failed


@pytest.mark.compiled
def test_searches_with_consistent_colors_have_fewer_nodes():
    """Each item colors four cells in 25 ways."""
    for seed in range(3):
        rng, options = random.Random(seed), []
        for item in range(60):
            cells = [("cell", k) for k in rng.sample(range(60), 4)]
            options += [[item, *((cell, rng.choice("abc")) for cell in cells)] for _ in range(25)]
        cover = dlx.ExactCover(options, range(60), [("cell", k) for k in range(60)])
        searches = [cover.replace(consistency=each).search() for each in (None, "colors")]
        assert [search.run() for search in searches] == [[], []]
        plain, consistent = (search.counters()[1] for search in searches)
        assert 1 < consistent < plain / 10


def test_limits_of_consistent_colors(monkeypatch):
    cover = nonogram(5, 0)
    with pytest.raises(ValueError, match=r"^consistency must be colors, not 'color'"):
        cover.replace(consistency="color")
    with pytest.raises(ValueError, match="a literal search cannot have colors"):
        cover.replace(consistency="colors", choose="literal-leftmost")
    with pytest.raises(ValueError, match="algorithm of a search with consistency"):
        cover.replace(consistency="colors", algorithm="bitset")
    without_colors = dlx.ExactCover([["a"], ["b"]], consistency="colors", algorithm="bitset")
    assert without_colors.solve() == [[0, 1]]
    assert find_covers(cover, 1, ["consistency"]).method == "consistency"
    monkeypatch.setattr(supports, "MAX_ROWS", 10)
    with pytest.raises(ValueError, match="are too many for consistent colors"):
        cover.replace(consistency="colors").search()
    assert find_covers(cover, 1, ["consistency", "search"]).method == "search"
