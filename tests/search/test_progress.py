"""The progress of searches, and estimates of their size."""

import pytest

import dlx_numba as dlx
from tests.helpers.problems import instance, problems

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")


def test_progress_increases_to_one():
    instances = [(instance(name), 200) for name in ("queens8", "langford7", "queens8.cost")]
    for cover, updates in [*instances, *((cover, 7) for _, cover, _ in problems(300))]:
        search = cover.search()
        fraction = -1.0
        while not search.done:
            search.count(updates=updates)
            progress = search.progress
            assert fraction - 1e-9 <= progress.fraction <= 1
            fraction = progress.fraction
            assert progress.depth == len(progress.path.split())
            assert all(1 <= branch <= n_branches for branch, n_branches in progress.choices)
        assert search.progress.fraction == 1
        assert "100.00 % explored" in str(search.progress)


@pytest.mark.usefixtures("small_slices")
def test_progress_of_split_searches_adds_up():
    search = instance("langford8").search()
    fraction = 0.0
    while not search.done:
        search.count(updates=2000, threads=3)
        progress = search.progress
        assert fraction - 1e-9 <= progress.fraction <= 1
        fraction = progress.fraction
    assert search.solutions == 300


def test_estimates_are_unbiased():
    covers = [instance("queens8"), instance("langford8"), instance("queens8", choose="leftmost")]
    options = [[k % 3, 3 + k % 5, ("shared", k % 2)] for k in range(20)]
    for algorithm in ("links", "bitset"):
        bounds = dict.fromkeys(range(8), (1, 3))
        keywords = {"secondary": ["shared"], "multiplicity": bounds, "algorithm": algorithm}
        covers += [instance("queens8", algorithm=algorithm), dlx.ExactCover(options, **keywords)]
    for cover in covers:
        search = cover.search()
        estimate = search.estimate(4000, seed=1)
        search.count()
        for field in ("solutions", "nodes", "updates"):
            error = getattr(estimate, f"{field}_error")
            difference = getattr(estimate, field) - getattr(search.progress, field)
            assert abs(difference) <= 4 * error


def test_estimates_end_at_the_time_limit():
    search = instance("queens8").search()
    assert search.estimate(50, seconds=0).paths == 1
    assert search.estimate(50, seconds=60) == search.estimate(50)
    with pytest.raises(ValueError, match="seconds must be 0 or more"):
        search.estimate(50, seconds=-1)
