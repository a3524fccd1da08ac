"""Branching rules."""

import numpy as np

from dlx_numba.kernels.algorithm_x import attach, detach
from dlx_numba.kernels.branching import MANY, smallest_item, smallest_of_many
from dlx_numba.kernels.links import build_links
from tests.helpers.seeds import seeds


def test_items_are_chosen_by_the_same_rule_in_large_problems():
    for seed in seeds(200):
        rng = np.random.default_rng(seed)
        n_items, n_secondary = int(rng.integers(MANY, 2 * MANY)), int(rng.integers(0, 40))
        links = build_links(np.array([0]), np.array([], np.int64), n_items, n_secondary)
        sizes = rng.integers(rng.integers(2, 8), 12, n_items)
        links.size[1 : 1 + n_items] = sizes
        removed = 1 + rng.permutation(n_items)[: int(rng.integers(0, n_items))]
        for item in removed:
            detach(links, np.uint32(item))
        assert smallest_of_many(links) == smallest_item(links)
        for item in removed[::-1]:
            attach(links, np.uint32(item))
        assert smallest_of_many(links) == smallest_item(links) == 1 + np.argmin(sizes)
