"""Options without symmetries suffice for a cover."""

import random
from itertools import combinations
from unittest import mock

import dlx_numba as dlx
from dlx_numba.kernels.symmetry.breaking import break_symmetries
from dlx_numba.runtime.interrupts import Stop, complete
from dlx_numba.search import portfolio
from tests.helpers import oracles
from tests.helpers.problems import find_covers
from tests.helpers.seeds import instances, seeds


def colored_graph(rng):
    """Color vertices: some pairs differently, some equally; a few vertices have other bounds."""
    n, n_colors = rng.randint(3, 6), rng.randint(2, 4)
    relation = rng.choices(["", "different", "equal"], rng.choice([[1, 3, 1], [1, 1, 0]]), k=15)
    pairs = list(zip(combinations(range(n), 2), relation, strict=False))
    options = [
        [vertex]
        + [f"{pair}, {color}" for pair, kind in pairs if vertex in pair and kind == "different"]
        + [(f"{pair}", f"{color}") for pair, kind in pairs if vertex in pair and kind == "equal"]
        for vertex in range(n)
        for color in range(n_colors)
        if rng.random() < 0.97
    ]
    bounds = dict.fromkeys(range(n), (1, 1))
    if rng.random() < 0.3:
        bounds[0] = rng.choice([(1, 2), (0, 1), (2, 2)])
    secondary = {e[0] if isinstance(e, tuple) else e for option in options for e in option[1:]}
    return options, bounds, secondary


@mock.patch.multiple(portfolio, FIRST_UPDATES=1, SLICE_UPDATES=20, SYMMETRY_DELAY=0)
def test_there_is_a_cover_without_symmetries_if_there_is_any():
    n_smaller = n_impossible = 0
    for seed in seeds(2000):
        options, bounds, secondary = colored_graph(random.Random(seed))
        expected = list(oracles.multiple_covers(options, bounds))
        cover = dlx.ExactCover(options, list(bounds), secondary, multiplicity=bounds)
        kept = complete(break_symmetries(cover.problem), Stop())
        assert any({*kept.tolist()}.issuperset(each) for each in expected) == bool(expected), seed
        n_smaller += len(kept) < len(options)
        n_impossible += not expected
        found = find_covers(cover, 9, ("symmetry", "search")).take()
        assert len(found) == min(9, len(expected)), seed
        assert all(each in expected for each in found), seed
    assert n_smaller > instances(2000) / 8
    assert 0 < n_impossible < instances(2000)
