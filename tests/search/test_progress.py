"""The progress of searches, and estimates of their size."""

import pytest

from tests.helpers.problems import instance, problems, unstarted

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
    leftmost = ("queens8", {"choose": "leftmost"})
    bitset = ("queens8", {"algorithm": "bitset"})
    problems_to_estimate = [("queens8", {}), ("langford8", {}), leftmost, bitset]
    for name, arguments in problems_to_estimate:
        cover = instance(name, **arguments)
        cover.count()
        estimate = cover.search().estimate(4000, seed=1)
        for field in ("solutions", "nodes", "updates"):
            error = getattr(estimate, f"{field}_error")
            assert abs(getattr(estimate, field) - getattr(cover.statistics, field)) < 4 * error


def test_estimates_end_at_the_time_limit():
    search = instance("queens8").search()
    assert search.estimate(50, seconds=0).paths == 1
    assert search.estimate(50, seconds=60) == search.estimate(50)
    with pytest.raises(ValueError, match="seconds must be 0 or more"):
        search.estimate(50, seconds=-1)


def test_estimates_of_random_problems():
    differences = []
    for _, cover, _ in problems(200):
        if cover.choose == "random":
            continue
        cover.count()
        before = unstarted(cover).groups[0]
        estimate = cover.search().estimate(200)
        after = unstarted(cover).groups[0]
        assert all((a == b).all() for a, b in zip(before, after, strict=True))
        for field in ("solutions", "nodes", "updates"):
            error = getattr(estimate, f"{field}_error")
            difference = getattr(estimate, field) - getattr(cover.statistics, field)
            if error > 0:
                differences.append(difference / error)
            elif field == "nodes":  # all paths are equal
                assert difference == pytest.approx(0)
    assert abs(sum(differences)) < 4 * len(differences) ** 0.5
