"""Algorithm X on a dense array: the same covers and nodes as with links, and as brute force."""

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.kernels import dense
from dlx_numba.kernels.state import UNLIMITED
from dlx_numba.search import thread_runner
from tests.helpers import oracles
from tests.helpers.problems import instance
from tests.helpers.seeds import seeds

# Unsigned sizes of links may temporarily wrap around; if kernels run as plain Python, NumPy warns.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")

ALGORITHMS = ["dense", "dense-python"]


@pytest.mark.parametrize("choose", ["smallest", "leftmost", "random", "sharp", "own"])
@pytest.mark.parametrize(("algorithm", "count"), [("dense", 1600), ("dense-python", 400)])
def test_covers_order_and_nodes_are_those_of_links(algorithm, count, choose):
    n_colored = n_found = 0
    for seed in seeds(count):
        linked, expected = oracles.stated_problem(seed, choose, has_bounds=False)
        cover, _ = oracles.stated_problem(seed, choose, algorithm, has_bounds=False)
        found = cover.solve()
        assert sorted(found) == expected, seed
        assert found == linked.solve(), seed
        assert cover.statistics[:2] == linked.statistics[:2], seed
        assert cover.count() == len(expected), seed
        assert cover.presolved == linked.presolved, seed
        n_colored += cover.problem.arrays.color is not None
        n_found += len(found)
    assert n_colored > count // 5
    assert n_found > count


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_estimates_follow_the_same_paths_as_with_links(algorithm):
    for seed in seeds(200):
        linked, _ = oracles.stated_problem(seed, "smallest", has_bounds=False)
        cover, _ = oracles.stated_problem(seed, "smallest", algorithm, has_bounds=False)
        expected, found = linked.search().estimate(5, seed), cover.search().estimate(5, seed)
        assert (found.solutions, found.nodes) == (expected.solutions, expected.nodes), seed


def restored_arrays(search):
    """Return the arrays that a search must restore."""
    state = search.groups[-1]
    return [state.hidden_by, state.size, state.is_active, state.purified_by]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_searches_and_probes_restore_the_state(algorithm):
    for seed in seeds(150):
        cover, expected = oracles.stated_problem(seed, "smallest", algorithm, has_bounds=False)
        unstarted = cover._unstarted
        for n_covers in range(1, len(expected) + 2):
            search = unstarted.copy()
            is_exhausted = search.count(UNLIMITED, n_covers)
            assert is_exhausted == (n_covers > len(expected)), seed
            search._retreat(0)
            assert all(map(np.array_equal, restored_arrays(unstarted), restored_arrays(search)))
        search = unstarted.copy()
        search.probe(np.random.default_rng(seed).random(search.n_levels), np.zeros(3))
        assert all(map(np.array_equal, restored_arrays(unstarted), restored_arrays(search)))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_slices_do_not_change_results(monkeypatch, algorithm):
    def results(seed):
        cover, _ = oracles.stated_problem(seed, "random", algorithm, has_bounds=False)
        return cover.solve(), cover.statistics

    whole = [results(seed) for seed in range(100)]
    monkeypatch.setattr(thread_runner, "UPDATES_PER_SLICE", 3)
    monkeypatch.setattr(thread_runner, "MIN_UPDATES_PER_SLICE", 3)
    assert [results(seed) for seed in range(100)] == whole


@pytest.mark.parametrize("name", ["queens8", "langford7", "sudoku17"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_instances_have_the_covers_of_links(algorithm, name):
    linked, cover = instance(name), instance(name, algorithm=algorithm)
    assert cover.solve() == linked.solve()
    assert cover.statistics[:2] == linked.statistics[:2]


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["queens10", "langford8", "macmahon4x6f", "pent3x20"])
def test_larger_instances_have_the_covers_of_links(name):
    linked, cover = instance(name, algorithm="links"), instance(name, algorithm="dense")
    assert cover.solve(limit=800) == linked.solve(limit=800, threads=1)
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
    monkeypatch.setattr(dense, "MAX_BYTES", 29)
    assert dlx.ExactCover([["a", "s"]] * 3, secondary=["s"], algorithm=algorithm).count() == 3
    with pytest.raises(ValueError, match=r"3 options and 2 items takes .* GB, more than .* links"):
        dlx.ExactCover(colored, secondary=["s"], algorithm=algorithm).first()


@pytest.mark.compiled
def test_huge_arrays_are_rejected_before_they_are_allocated():
    indptr, indices = np.arange(10**6 + 1), np.arange(10**6) % 10_000
    reason = r"1,000,000 options and 10,000 items takes 10.0 GB, more than 1 GB; use links"
    with pytest.raises(ValueError, match=reason):
        dlx.ExactCover.from_csr(indptr, indices, 10_000, algorithm="dense").first()
