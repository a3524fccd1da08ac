"""Matchings and partitions."""

from itertools import chain

import pytest

from dlx_numba.gallery import Matchings, Partitions


@pytest.mark.compiled
@pytest.mark.parametrize("graph", ["K8", "K3,3", "3x4", "up-down,down-left,left-right"])
def test_matching_has_each_vertex_once(graph):
    matchings = Matchings(graph)
    solution = matchings.cover(choose="random", seed=2).first()
    pairs = [pair.split("-") for pair in matchings.text(solution).split()]
    assert sorted(chain.from_iterable(pairs)) == sorted(matchings.statement().items)
    assert matchings.svg(solution).count("<circle") == 2 * len(pairs)


@pytest.mark.compiled
@pytest.mark.parametrize("entry", [Partitions(1), Matchings("K2")], ids=repr)
def test_smallest_problems_are_drawn(entry):
    assert "nan" not in entry.svg([0])
    assert entry.text([0])
