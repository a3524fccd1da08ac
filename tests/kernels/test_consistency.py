"""Options whose colors no option of some primary item agrees with are removed before a search."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.prepare import prepare
from dlx_numba.kernels import consistency, presolve
from dlx_numba.kernels.consistency import consistent_options
from dlx_numba.runtime.interrupts import Stop
from tests.helpers import oracles
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import nonogram
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
        options, cells = nonogram(size, seed)
        cover = dlx.ExactCover(options, secondary=cells)
        kept = solve_lines(options)
        assert consistent_options(cover.problem).tolist() == kept, seed
        assert prepare(cover).problem.n_options == len(kept)


def test_no_option_of_a_cover_is_removed(monkeypatch):
    n_options = n_removed = 0
    for seed in seeds(600):
        options, bounds, secondary = oracles.colored_problem(seed)
        arguments = options, list(bounds), secondary
        cover = dlx.ExactCover(*arguments, multiplicity=bounds)
        expected = sorted(oracles.multiple_covers(options, bounds))
        kept = consistent_options(cover.problem).tolist()
        n_options += len(options)
        n_removed += len(options) - len(kept)
        assert {option for each in expected for option in each} <= {*kept}, seed
        assert sorted(cover.solve()) == expected, seed
        presolved = dlx.ExactCover(*arguments, multiplicity=bounds, presolve=True).presolved
        with monkeypatch.context() as context:
            context.setattr(
                presolve, "consistent_options", lambda each, _: np.arange(each.n_options)
            )
            slow = dlx.ExactCover(*arguments, multiplicity=bounds, presolve=True).presolved
        assert presolved[:2] == slow[:2], seed
        assert {*range(len(options))} - {*kept} <= {*slow.options}, seed
    assert n_removed > n_options // 10


def test_a_chain_of_removals_is_followed():
    n = 3000
    options = [[k, (f"s{k}", "x"), (f"s{k + 1}", "x")] for k in range(n)]
    options += [[k, (f"s{k}", "y"), (f"s{k + 1}", "y")] for k in range(n)] + [["end", ("s0", "y")]]
    cover = dlx.ExactCover(options, secondary=[f"s{k}" for k in range(n + 1)])
    assert consistent_options(cover.problem).tolist() == list(range(n, 2 * n + 1))


def test_large_problems_are_searched_as_they_are(monkeypatch):
    options, cells = nonogram(5, 0)
    cover = dlx.ExactCover(options, secondary=cells)
    covers = sorted(cover.solve())
    monkeypatch.setattr(consistency, "MAX_ROWS", 10)
    whole = dlx.ExactCover(options, secondary=cells)
    assert prepare(whole).problem.n_options == len(options) > prepare(cover).problem.n_options
    assert sorted(whole.solve()) == covers


@pytest.mark.parametrize("n", range(3))
def test_a_call_that_is_stopped_keeps_all_options_and_is_repeated(n):
    options, cells = nonogram(5, 0)
    cover = dlx.ExactCover(options, secondary=cells)
    stopped = prepare(cover, Stop(event=SetAfter(n)))
    assert stopped.problem.n_options == len(options) > prepare(cover).problem.n_options


def test_items_that_are_covered_from_the_start_need_no_support():
    options = [["a", ("s", "x")], ["b", ("s", "y")], ["b", ("s", "x")]]
    cover = dlx.ExactCover(options, secondary=["s"])
    assert prepare(cover).problem.n_options == 2
    batch = cover.solve_batch(covered=[[], ["a"]], limit=None)
    assert batch.counts.tolist() == [1, 2]
