"""Large problems, in which the sizes of items are compared block by block."""

import random

import pytest

import dlx_numba as dlx
from dlx_numba.kernels.dlx.branching import BLOCK, MANY
from dlx_numba.kernels.dlx.state import UNLIMITED
from tests.helpers.problems import unstarted
from tests.helpers.seeds import seeds


@pytest.mark.parametrize("rule", ["smallest", "sharp", "random"])
@pytest.mark.parametrize("has_bounds", [False, True])
def test_further_items_that_are_covered_at_once_change_no_choice(rule, has_bounds):
    """An option covers all further items, among which the others are near the ends of blocks."""
    for seed in seeds(150, at_least=10):
        rng = random.Random(seed)
        names = [f"{'#' * (k % 2)}{k}" for k in range(rng.randint(1, 12))]
        sizes = rng.choices(range(1, min(3, len(names)) + 1), k=rng.randint(1, 60))
        options = [rng.sample(names, size) for size in sizes]
        bounds = {name: rng.choice([(1, 1), (0, 2), (1, 3)]) for name in names * has_bounds}
        further = [f"further {k}" for k in range(rng.choice([MANY, MANY + 3 * BLOCK]))]
        items, first = list(further), rng.randrange(1, BLOCK)
        near = [k + d for k in range(first, len(items), BLOCK) for d in (-1, 0, 1)]
        for position, item in zip(sorted(rng.sample(near, len(names))), names, strict=True):
            items.insert(position, item)
        keywords = {"multiplicity": bounds, "choose": rule, "seed": seed, "algorithm": "links"}
        keywords["threads"] = 1
        small = dlx.ExactCover(options, names, **keywords).search()
        large = dlx.ExactCover([*options, further], items, **keywords).search()
        covers = [cover[:-1] for cover in large.run(solutions=100)]
        expected = small.run(solutions=100)
        if rule == "random":  # which also shuffles the options
            assert len(covers) == len(expected), seed
        else:
            assert covers == expected, seed
            assert large.counters()[1] - small.counters()[1] in (0, 1), seed


def test_ties_are_broken_at_random():
    further = [f"further {k}" for k in range(MANY)]
    options = [further, *([item] for item in range(10) for _ in range(2))]
    chosen = set()
    for seed in range(20):
        tree = unstarted(dlx.ExactCover(options, choose="random", seed=seed, algorithm="links"))
        tree.explore(UNLIMITED, 1)
        chosen.add(tree.path()["items"][1])
    assert len(chosen) > 4
