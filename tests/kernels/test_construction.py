"""The greedy construction of most of a cover, compared with one that computes everything anew."""

import math

import numpy as np

from dlx_numba import ExactCover
from dlx_numba.kernels.cheapest import construction
from dlx_numba.kernels.cheapest.construction import construct, find_temperature, is_partition
from tests.helpers.seeds import seeds

N_ITEMS = 12


def random_partition(rng):
    """Return a problem, three of whose items are secondary, and reduced costs."""
    sizes = rng.integers(1, 4, rng.integers(4, 40))
    options = [rng.choice(N_ITEMS, n, replace=False).tolist() for n in sizes]
    options = [option for option in options if min(option) < N_ITEMS - 3]
    problem = ExactCover(options, range(N_ITEMS - 3), range(N_ITEMS - 3, N_ITEMS)).problem
    return problem, rng.random(len(options)) * rng.choice([0, 1, 30])


NOTHING = -1  # the construction ends
CLOSE = 1e-9  # sums that are added up in another order differ by less


def allowed_choices(problem, reduced, n_likely, n_rest, seed, chosen):
    """Return the options that `construct` may choose next, from its definition, or NOTHING."""
    temperature = find_temperature(reduced, n_likely)
    noise = construction.NOISE * np.random.default_rng(seed).random(problem.n_options)
    sets = [{item for item, _ in problem.entries(k)} for k in range(problem.n_options)]
    least = min([1, *map(len, sets)])
    weight = [
        math.exp(-cost / temperature) * construction.SIZE_FACTOR ** (len(items) - least)
        for cost, items in zip(reduced, sets, strict=True)
    ]
    covered = set().union(*(sets[k] for k in chosen))
    left = [k for k, items in enumerate(sets) if not items & covered]
    missing = set(range(problem.n_primary)) - covered
    total = {i: sum(weight[k] for k in left if i in sets[k]) for i in range(problem.n_items)}
    if not missing or len(left) <= n_rest:
        return {NOTHING}
    lowest = min(total[i] for i in missing)
    allowed = set()
    for item in missing:
        if total[item] > lowest + CLOSE:
            continue
        ratings = {}
        for k in left:
            if item in sets[k]:
                excluded = max(sum(total[i] for i in sets[k]), construction.NEGLIGIBLE)
                part = reduced[k] / (temperature * len(sets[k]))
                ratings[k] = part + noise[k] + math.log(excluded / len(sets[k]))
        best = min(ratings.values(), default=0)
        allowed |= {k for k, rating in ratings.items() if rating <= best + CLOSE} or {NOTHING}
    return allowed


def test_options_are_chosen_as_defined():
    n_chosen = 0
    for seed in seeds(1000):
        rng = np.random.default_rng(seed)
        problem, reduced = random_partition(rng)
        assert is_partition(problem)
        arguments = reduced, float(rng.choice([1, 5, 100])), int(rng.integers(0, 6)), seed
        chosen = construct(problem, *arguments).tolist()
        for k, option in enumerate([*chosen, NOTHING]):
            assert option in allowed_choices(problem, *arguments, chosen[:k])
        n_chosen += len(chosen)
        covered = [item for k in chosen for item, _ in problem.entries(k)]
        assert len(set(covered)) == len(covered)
    assert n_chosen


def test_the_temperature_decides_how_many_options_are_likely():
    for seed in seeds(200):
        rng = np.random.default_rng(seed)
        reduced = rng.random(50) * 10.0 ** rng.integers(-3, 6)
        n_likely = float(rng.uniform(2, 49))
        temperature = find_temperature(reduced, n_likely)
        np.testing.assert_allclose(np.exp(-reduced / temperature).sum(), n_likely, rtol=1e-3)


def test_only_partitions_are_constructed():
    options = [["a", "b"], ["b"], ["a"]]
    assert is_partition(ExactCover(options).problem)
    assert not is_partition(ExactCover.covering(options).problem)
    assert not is_partition(ExactCover([["a", ("b", 1)], ["a"]], secondary=["b"]).problem)
    assert not is_partition(ExactCover(options, totals={"t": ({0: 1}, 0, 1)}).problem)
