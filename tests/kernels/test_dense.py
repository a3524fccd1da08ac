"""Algorithm X on a dense array: the same covers and nodes as with links, and as brute force."""

import concurrent.futures
import pickle

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels import dense
from dlx_numba.search import thread_runner
from tests.helpers import oracles
from tests.helpers.problems import instance
from tests.helpers.seeds import instances, seeds

# Unsigned sizes of links may temporarily wrap around; if kernels run as plain Python, NumPy warns.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

ALGORITHMS = ["dense", "dense-python"]


@pytest.mark.parametrize("choose", ["smallest", "leftmost", "random", "sharp", "own"])
@pytest.mark.parametrize(("algorithm", "count"), [("dense", 1600), ("dense-python", 400)])
def test_covers_and_their_order_are_those_of_links(algorithm, count, choose):
    n_colored = n_found = 0
    for seed in seeds(count):
        linked, expected = oracles.stated_problem(seed, choose, has_bounds=False)
        cover, _ = oracles.stated_problem(seed, choose, algorithm, has_bounds=False)
        found = cover.solve()
        assert sorted(found) == expected, seed
        assert found == linked.solve(), seed
        assert cover.statistics.solutions == len(found), seed
        assert cover.count() == len(expected), seed
        assert cover.presolved == linked.presolved, seed
        n_colored += cover.problem.color is not None
        n_found += len(found)
    assert n_colored > instances(count) // 5
    assert n_found > instances(count)


def sorted_problem(seed):
    """A random problem whose options list their items in the order of the items."""
    rng = np.random.default_rng(seed)
    options = [np.flatnonzero(rng.random(9) < 0.3).tolist() for _ in range(25)]
    return [option for option in options if option], list(range(9))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nodes_are_those_of_links_if_options_list_their_items_in_order(algorithm):
    n_nodes = 0
    for seed in seeds(200):
        linked = dlx.ExactCover(*sorted_problem(seed), algorithm="links")
        cover = dlx.ExactCover(*sorted_problem(seed), algorithm=algorithm)
        assert cover.solve() == linked.solve(), seed
        assert cover.statistics[:2] == linked.statistics[:2], seed
        n_nodes += cover.statistics.nodes
    assert n_nodes > instances(400)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_searches_can_be_limited_and_resumed(algorithm):
    for seed in seeds(50):
        cover, _ = oracles.stated_problem(seed, "smallest", algorithm, has_bounds=False)
        search, found = cover.search(), []
        while not search.done:
            found += search.run(updates=1 + seed, solutions=2)
            search = pickle.loads(pickle.dumps(search))
        assert search.progress.fraction == 1
        assert found == list(cover) == cover.solve(), seed
        assert search.counters() == cover.statistics, seed


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_features_of_other_algorithms_are_rejected(algorithm, tmp_path):
    cover = dlx.ExactCover([["a"], ["a"]], algorithm=algorithm)
    executor, path = concurrent.futures.ThreadPoolExecutor(1), tmp_path / "search"
    for feature, call in {
        "checkpoints": lambda: cover.search().save(path),
        "splitting": lambda: cover.search().split(2),
        "estimates": lambda: cover.search().estimate(),
        "threads": lambda: cover.solve(threads=2),
        "executors": lambda: cover.count(executor=executor),
    }.items():
        message = f"algorithm '{algorithm}' does not support {feature}; use links"
        with pytest.raises(ValueError, match=message):
            call()
    assert cover.count(threads=1) == cover.counter().run() + 1 == 2
    assert not path.exists()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_slices_do_not_change_results(monkeypatch, algorithm):
    def results(seed):
        cover, _ = oracles.stated_problem(seed, "random", algorithm, has_bounds=False)
        return cover.solve(), cover.statistics

    whole = [results(seed) for seed in seeds(100)]
    monkeypatch.setattr(thread_runner, "UPDATES_PER_SLICE", 3)
    monkeypatch.setattr(thread_runner, "MIN_UPDATES_PER_SLICE", 3)
    assert [results(seed) for seed in seeds(100)] == whole


@pytest.mark.parametrize("name", ["queens8", "langford7", "sudoku17"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_instances_have_the_covers_of_links(algorithm, name):
    linked, cover = instance(name), instance(name, algorithm=algorithm)
    assert cover.solve() == linked.solve()
    assert cover.statistics[:2] == linked.statistics[:2]


@pytest.mark.thorough
@pytest.mark.compiled
@pytest.mark.parametrize("name", ["queens10", "langford8", "macmahon4x6f", "pent3x20"])
def test_larger_instances_have_the_covers_of_links(name):
    linked, cover = instance(name, algorithm="links"), instance(name, algorithm="dense")
    assert cover.solve(limit=800) == linked.solve(limit=800, threads=1)
    if name != "macmahon4x6f":  # whose options do not list their items in order
        assert cover.statistics[:2] == linked.statistics[:2]


def test_updates_are_the_elements_examined():
    # Step X4 scans column a (2 elements) and the row of option 0 (2 items). Step X5 scans column b
    # (2 elements) and the row of option 1, which then leaves no option for an active item.
    cover = dlx.ExactCover([["a", "b"], ["b"]], algorithm="dense")
    assert cover.solve() == [[0]]
    assert cover.statistics == (1, 1, 8)


def test_problems_without_items_or_options():
    for algorithm in ALGORITHMS:
        assert dlx.ExactCover([], algorithm=algorithm).solve() == [[]]
        assert dlx.ExactCover([[], ["s"]], secondary=["s"], algorithm=algorithm).solve() == [[]]
        assert dlx.ExactCover([], items=["a"], algorithm=algorithm).solve() == []


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_unsupported_problems_are_rejected(algorithm, monkeypatch):
    options = [["a"], ["a"]]
    with pytest.raises(ValueError, match=f"'{algorithm}' does not support multiplicities"):
        dlx.ExactCover(options, multiplicity={"a": 2}, algorithm=algorithm)
    with pytest.raises(ValueError, match=f"'{algorithm}' does not support cheapest; use links"):
        dlx.ExactCover(options, costs=[1, 2], algorithm=algorithm).cheapest()
    with pytest.raises(ValueError, match="option 1: item 'a' appears twice"):
        dlx.ExactCover([["a"], ["a", "a"]], algorithm=algorithm)
    colored = [["a", ("s", 1)]] * 3
    monkeypatch.setattr(dense, "MAX_BYTES", 30)
    assert dlx.ExactCover([["a", "s"]] * 3, secondary=["s"], algorithm=algorithm).count() == 3
    with pytest.raises(ValueError, match=r"3 options and 2 items takes .* GB, more than .* links"):
        dlx.ExactCover(colored, secondary=["s"], algorithm=algorithm).first()


@pytest.mark.compiled
def test_huge_arrays_are_rejected_before_they_are_allocated():
    indptr, indices = np.arange(10**6 + 1), np.arange(10**6) % 10_000
    reason = r"1,000,000 options and 10,000 items takes 30.8 GB, more than 1 GB; use links"
    with pytest.raises(ValueError, match=reason):
        dlx.ExactCover.from_csr(indptr, indices, 10_000, algorithm="dense").search()
