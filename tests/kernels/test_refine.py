"""Refinement in small steps."""

import numpy as np

import dlx_numba as dlx
from dlx_numba.kernels.symmetry import automorphisms
from dlx_numba.kernels.symmetry.automorphisms import find_automorphisms
from dlx_numba.kernels.symmetry.incidence import Restriction, build_incidence
from dlx_numba.runtime.interrupts import Stop, complete
from tests.helpers.seeds import seeds


def find_generators(graph):
    group = complete(find_automorphisms(graph), Stop())
    return [each.array(group.n).tolist() for each in group.generators]


def test_small_steps_find_the_same_generators(monkeypatch):
    for seed in seeds(100):
        rng = np.random.default_rng(seed)
        rows = rng.random(rng.integers(1, 12, 2)) < 0.5  # some items have no options
        problem = dlx.ExactCover.from_matrix(rows[rows.any(axis=1)]).problem
        none = np.zeros(problem.n_options, np.bool_)
        graph = complete(build_incidence(problem, Restriction(none, none)), Stop())
        monkeypatch.setattr(automorphisms, "EDGES_PER_SLICE", 1 << 20)
        expected = find_generators(graph)
        for edges in (1, 2, 5):
            monkeypatch.setattr(automorphisms, "EDGES_PER_SLICE", edges)
            assert find_generators(graph) == expected
