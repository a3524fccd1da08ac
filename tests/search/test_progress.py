"""The progress of searches, and estimates of their size."""

import re

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels import subtree
from tests.helpers.hosts import SetAfter
from tests.helpers.problems import general_problem, instance, problems, total_problem
from tests.helpers.seeds import instances


@pytest.mark.usefixtures("small_slices")
def test_progress_increases_to_one():
    """Also if the search is divided among threads."""
    cases = [(instance(name), 200, 1) for name in ("queens8", "langford7", "queens8.cost")]
    cases += [(cover, 7, 1) for _, cover, _ in problems(300)]
    for cover, updates, threads in [*cases, (instance("langford8"), 2000, 3)]:
        search = cover.replace(threads=threads).search()
        fraction = -1.0
        while not search.done:
            search.count(updates=updates)
            progress = search.progress
            assert fraction - 1e-9 <= progress.fraction <= 1
            fraction = progress.fraction
            choices = re.findall(r" (\d+)/(\d+)\b", progress.text)
            assert all(1 <= int(branch) <= int(n_branches) for branch, n_branches in choices)
        assert search.progress.fraction == 1
        assert "100.00 % explored" in str(search.progress)


@pytest.mark.slow
def test_estimates_are_unbiased():
    options = [[k % 3, 3 + k % 5, ("shared", k % 2)] for k in range(20)]
    bounds = dict.fromkeys(range(8), (1, 3))
    bounded = dlx.ExactCover(options, secondary=["shared"], multiplicity=bounds)
    covers = [instance("langford8"), instance("queens8", choose="leftmost")]
    for algorithm in ("links", "bitset"):
        covers += [each.replace(algorithm=algorithm) for each in (instance("queens8"), bounded)]
    for cover in covers:
        search = cover.search()
        estimate = search.estimate(2000, seed=1)
        search.count()
        for field in ("solutions", "nodes", "updates"):
            error = getattr(estimate, f"{field}_error")
            difference = getattr(estimate, field) - getattr(search.progress, field)
            assert abs(difference) <= 4 * error


def expected_sums(cover):
    """Return what an estimate is on average: the sums of all paths, by their probabilities."""
    tree = cover.search()._spec.start()
    branches = tree.groups[-1].branches
    digits = np.zeros(len(branches), np.int64)
    draws = np.zeros(len(branches))
    expected = np.zeros(3)
    while True:
        sums = np.zeros(4)
        branches[:] = 0
        assert tree.probe(draws, sums, lambda: False)
        n_levels = np.count_nonzero(branches)
        expected += sums[:3] / branches[:n_levels].prod(dtype=np.float64)
        can_grow = np.flatnonzero(digits[:n_levels] + 1 < branches[:n_levels])
        if not len(can_grow):
            return expected.tolist()
        end = can_grow[-1] + 1
        digits[end - 1] += 1
        digits[end:] = 0
        draws[:end] = (digits[:end] + 0.5) / branches[:end]
        draws[end:] = 0


@pytest.mark.parametrize("seed", range(instances(2000, 60)))
def test_estimates_are_unbiased_where_propagation_refutes_nodes(seed):
    covers = [
        total_problem(seed)[0],
        general_problem(seed, has_bounds=seed % 2 > 0, consistency="colors"),
        general_problem(seed, has_bounds=seed % 2 > 0),
    ]
    for cover in covers:
        search = cover.replace(algorithm="links", choose="smallest").search()
        search.run()
        assert expected_sums(cover.replace(algorithm="links", choose="smallest")) == pytest.approx(
            search.counters()
        )


def test_a_total_that_refutes_the_root_leaves_one_node():
    cover = dlx.ExactCover([["a"], ["a"]], totals={"t": ([3, 3], None, 1)})
    estimate = cover.search().estimate(10)
    assert (estimate.nodes, estimate.updates, estimate.solutions) == (1, 0, 0)


def test_estimates_end_at_the_time_limit():
    search = instance("queens8").search()
    assert search.estimate(50, seconds=0).paths == 1
    assert search.estimate(50, seconds=60) == search.estimate(50)


def test_long_paths_pause_and_are_left_out(monkeypatch):
    covers = [cover for _, cover, _ in problems(60)]
    expected = [cover.search().estimate(20) for cover in covers]
    monkeypatch.setattr(subtree, "PROBE_UPDATES", 1)
    assert [cover.search().estimate(20) for cover in covers] == expected
    for algorithm in ("links", "bitset"):
        search = instance("queens8", algorithm=algorithm).search()
        with pytest.raises(dlx.Stopped, match="during the first path"):
            search.estimate(50, seconds=0)
        assert search.estimate(50, stop=SetAfter(20)).paths < 10
