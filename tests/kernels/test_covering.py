import numpy as np
import pytest

from dlx_numba import ExactCover
from dlx_numba.kernels.cheapest.covering import (
    BEST_COST,
    COST,
    N_MISSING,
    is_covering,
    search_coverings,
    start_covering,
)


def random_covering(rng, n_options=12, n_items=8):
    """Return the cheapest coverings of random options, in which items are needed up to twice."""
    options = [{int(k) for k in rng.integers(0, n_items, 4)} for _ in range(n_options)]
    options += [{k} for k in range(n_items) for _ in range(2)]
    at_least = {k: int(rng.integers(0, 3)) for k in range(n_items)}
    return ExactCover.covering(
        options, costs=rng.integers(0, 9, len(options)), items=range(n_items), at_least=at_least
    )


@pytest.mark.parametrize("seed", range(20))
def test_local_search_finds_the_cheapest_covering_and_keeps_its_sums(seed):
    cover = random_covering(np.random.default_rng(seed))
    problem = cover.problem
    assert is_covering(problem)
    covering = start_covering(problem)
    for _ in range(8):
        search_coverings(covering, 10_000)
        chosen = covering.is_chosen > 0
        counts = np.bincount(problem.items[chosen[problem.option_of_node()]], minlength=8)
        np.testing.assert_array_equal(covering.n_covered, counts)
        assert covering.scalars[COST] == problem.cost[chosen].sum()
        assert covering.scalars[N_MISSING] == np.count_nonzero(counts < problem.low)
        for option in range(problem.n_options):
            items = [item for item, _ in problem.entries(option)]
            needed = counts[items] < problem.low[items] + chosen[option]
            assert covering.gain[option] == covering.weight[items][needed].sum()
    best = np.flatnonzero(covering.best).tolist()
    problem.check_covers([best])
    assert covering.scalars[BEST_COST] == problem.cost[best].sum() == cover.cheapest()[0].cost


def test_only_coverings_are_searched_locally():
    options = [["a", "b"], ["b"], ["a"]]
    assert not is_covering(ExactCover(options).problem)
    assert not is_covering(ExactCover.covering(options, at_most={"a": 1}).problem)
    assert not is_covering(ExactCover.covering(options, costs=[1, -1, 1]).problem)
    assert not is_covering(ExactCover.covering([["a", "s"], ["a"]], optional=["s"]).problem)


def test_an_item_that_cannot_be_covered_leaves_no_covering():
    covering = start_covering(ExactCover.covering([["a"]], items=["a", "b"]).problem)
    assert not search_coverings(covering, 1000)


def test_nothing_to_cover_costs_nothing():
    cover = ExactCover.covering([["a"]], at_least={"a": 0}, costs=[1])
    covering = start_covering(cover.problem)
    assert search_coverings(covering, 1000)
    assert covering.scalars[BEST_COST] == 0
