"""Counts of perfect matchings of planar graphs, against formulas, backtracking and the search."""

import math
import pickle
import random
from collections import Counter

import numpy as np
import pytest

from dlx_numba import ExactCover
from dlx_numba.kernels.planar.embedding import embed
from dlx_numba.kernels.planar.matrix import has_pairs, matching_matrix
from dlx_numba.runtime.interrupts import Stop
from dlx_numba.runtime.job import run
from dlx_numba.search import planar
from dlx_numba.search.planar import PlanarCounter, prime_below
from tests.helpers.seeds import seeds

MEMORY = 1 << 28


def count(pairs, n_vertices):
    """The number of matchings of a connected graph, or None if it is not planar."""
    problem = ExactCover(pairs, items=range(n_vertices)).problem
    assert has_pairs(problem)
    if (matrix := matching_matrix(problem)) is None:
        return None
    counter = PlanarCounter(matrix, MEMORY)
    assert run(counter, Stop())
    return counter.result


def count_recursively(pairs):
    """The number of matchings, by Counters of neighbors."""
    graph = {vertex: Counter() for pair in pairs for vertex in pair}
    for a, b in pairs:
        graph[a][b] += 1
        graph[b][a] += 1

    def extend(left):
        if not left:
            return 1
        a = min(left)
        return sum(n * extend(left - {a, b}) for b, n in graph[a].items() if b in left)

    return extend(frozenset(graph))


def grid(n_rows, n_columns):
    """The pairs of neighboring squares of a board."""
    number = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)
    across = zip(number[:, :-1].flat, number[:, 1:].flat, strict=True)
    down = zip(number[:-1].flat, number[1:].flat, strict=True)
    return [[int(a), int(b)] for a, b in (*across, *down)]


def number_vertices(pairs):
    """Replace vertices by numbers."""
    number = {vertex: k for k, vertex in enumerate(sorted({v for pair in pairs for v in pair}))}
    return [[number[v] for v in pair] for pair in pairs], len(number)


def aztec_diamond(order):
    """The pairs of neighboring squares of an Aztec diamond."""
    axis = range(-order, order)
    cells = {(i, j) for i in axis for j in axis if abs(2 * i + 1) + abs(2 * j + 1) <= 2 * order}
    steps = [(cell, (cell[0] + di, cell[1] + dj)) for cell in cells for di, dj in ((0, 1), (1, 0))]
    return number_vertices([pair for pair in steps if pair[1] in cells])


def hexagon(side):
    """The pairs of neighboring triangles of a hexagon."""
    axis = range(-side, side)
    triangles = {
        (x, y, k) for x in axis for y in axis for k in (1, 2) if abs(3 * (x + y) + 2 * k) < 3 * side
    }
    neighbors = [
        ((x, y, 1), other)
        for x, y, k in triangles
        if k == 1
        for other in ((x, y, 2), (x - 1, y, 2), (x, y - 1, 2))
    ]
    return number_vertices([pair for pair in neighbors if pair[1] in triangles])


def random_planar(rng):
    """A random connected planar graph, some of whose pairs are equal."""
    faces = [(0, 1, 2), (0, 1, 2)]
    edges = {(0, 1), (1, 2), (0, 2)}
    n_vertices = rng.randrange(3, 13)
    for vertex in range(3, n_vertices):
        a, b, c = faces.pop(rng.randrange(len(faces)))
        faces += [(a, b, vertex), (a, c, vertex), (b, c, vertex)]
        edges |= {(a, vertex), (b, vertex), (c, vertex)}
    kept = sorted(edges)
    rng.shuffle(kept)
    for edge in kept[: rng.randrange(len(kept))]:
        if is_connected(edges - {edge}, n_vertices):
            edges.remove(edge)
    pairs = sorted(edges)
    pairs += rng.choices(pairs, k=rng.choice((0, 0, 1, 4)))
    names = rng.sample(range(n_vertices), n_vertices)
    rng.shuffle(pairs)
    return [[names[a], names[b]] for a, b in pairs], n_vertices


def is_connected(edges, n_vertices):
    reached = {0}
    for _ in range(n_vertices):
        reached |= {v for edge in edges if reached & {*edge} for v in edge}
    return len(reached) == n_vertices


def random_subdivision(rng):
    """A random connected graph that contains a subdivision of K₅ or of K₃,₃."""
    if rng.random() < 0.5:
        edges = [(a, b) for a in range(5) for b in range(a)]
    else:
        edges = [(a, b) for a in range(3) for b in range(3, 6)]
    n_vertices = 1 + max(map(max, edges))
    for _ in range(rng.randrange(6)):
        a, b = edges.pop(rng.randrange(len(edges)))
        edges += [(a, n_vertices), (b, n_vertices)]
        n_vertices += 1
    for _ in range(rng.randrange(6)):  # trees and chords
        edges.append((rng.randrange(n_vertices), n_vertices))
        n_vertices += 1
    for _ in range(rng.randrange(3)):
        edges.append(tuple(rng.sample(range(n_vertices), 2)))
    names = rng.sample(range(n_vertices), n_vertices)
    rng.shuffle(edges)
    return [[names[a], names[b]] for a, b in edges], n_vertices


def test_dominoes_are_counted_as_by_kasteleyn():
    for n_rows, n_columns in ((2, 2), (3, 4), (4, 4), (5, 6), (8, 8), (7, 10)):
        product = math.prod(
            4 * math.cos(math.pi * j / (n_rows + 1)) ** 2
            + 4 * math.cos(math.pi * k / (n_columns + 1)) ** 2
            for j in range(1, n_rows + 1)
            for k in range(1, n_columns + 1)
        )
        assert count(grid(n_rows, n_columns), n_rows * n_columns) == round(product**0.25)


def test_dominoes_on_a_chessboard():
    assert count(grid(8, 8), 64) == 12988816
    assert count(grid(3, 3), 9) == 0


@pytest.mark.parametrize("order", [1, 2, 5, 9])
def test_aztec_diamonds(order):
    assert count(*aztec_diamond(order)) == 2 ** (order * (order + 1) // 2)


@pytest.mark.parametrize("side", [1, 2, 3, 6])
def test_lozenges_of_hexagons_are_counted_as_by_macmahon(side):
    sums = [i + j + k for i in range(side) for j in range(side) for k in range(side)]
    expected = math.prod(2 + s for s in sums) // math.prod(1 + s for s in sums)
    assert count(*hexagon(side)) == expected


def test_random_planar_graphs_are_counted_as_by_backtracking():
    n_positive = 0
    for seed in seeds(2000, at_least=60):
        pairs, n_vertices = random_planar(random.Random(seed))
        expected = count_recursively(pairs)
        n_positive += expected > 0
        assert count(pairs, n_vertices) == expected
    assert n_positive


def test_graphs_that_are_not_planar_have_no_matrix():
    for seed in seeds(2000, at_least=60):
        pairs, n_vertices = random_subdivision(random.Random(seed))
        assert count(pairs, n_vertices) is None


def test_many_equal_options_exceed_the_bounds_of_matrices_of_zeros_and_ones():
    pairs = [[a, b] for a, b in grid(2, 3) for _ in range(1000 + a)]
    assert count(pairs, 6) == count_recursively(pairs) > 3 * 10**9


def test_determinants_that_vanish_modulo_small_primes_are_found(monkeypatch):
    monkeypatch.setattr(planar, "_LARGEST_PRIME", 101)
    for seed in seeds(1000, at_least=60):
        pairs, n_vertices = random_planar(random.Random(seed))
        assert count(pairs, n_vertices) == count_recursively(pairs)


def test_steps_do_not_change_the_count(monkeypatch):
    monkeypatch.setattr(planar, "BUDGET", 1)
    assert count(grid(6, 6), 36) == 6728


def test_a_matrix_that_needs_too_much_memory_is_an_error():
    problem = ExactCover(grid(20, 20)).problem
    counter = PlanarCounter(matching_matrix(problem), 1000)
    with pytest.raises(ValueError, match="needs more than 1,000 bytes"):
        run(counter, Stop())


def test_small_problems_of_several_components_are_counted():
    """They are not divided. An item without options is a component, too."""
    square = [[0, 1], [1, 2], [2, 3], [3, 0]]
    squares = [[4 * k + a, 4 * k + b] for k in range(3) for a, b in square]
    assert ExactCover(squares).count(method="planar") == 8
    assert ExactCover(squares, items=range(13)).count(method="planar") == 0
    assert ExactCover([[0, 1], [0, 1], [2, 3], [4, 5]]).count(method="planar") == 2


def test_other_problems_are_not_of_pairs():
    pairs = [["a", "b"], ["b", "c"]]
    assert has_pairs(ExactCover(pairs).problem)
    assert not has_pairs(ExactCover([*pairs, ["c"]]).problem)
    assert not has_pairs(ExactCover([*pairs, ["a", "b", "c"]]).problem)
    assert not has_pairs(ExactCover(pairs, secondary=["c"]).problem)
    assert not has_pairs(ExactCover(pairs, multiplicity={"b": (1, 2)}).problem)
    assert not has_pairs(ExactCover(pairs, totals={"t": ([1, 1], 0, 1)}).problem)


def test_primes_are_those_of_a_sieve():
    largest = 2**31 - 1
    is_prime = np.ones(1000, np.bool_)  # of largest - k
    for divisor in range(2, 46341):
        is_prime[largest % divisor :: divisor] = False
    found = [largest + 2]
    for _ in range(is_prime.sum()):
        found.append(prime_below(found[-1]))
    assert found[1:] == [largest - int(k) for k in np.flatnonzero(is_prime)]


def test_an_embedding_has_each_half_in_one_turn():
    pairs, n_vertices = random_planar(random.Random(7))
    ends = np.unique(np.sort(pairs, axis=1), axis=0).ravel()
    plane = embed(ends, n_vertices)
    assert sorted(plane.turn.tolist()) == list(range(len(ends)))
    assert (ends[plane.turn] == ends).all()


def test_counts_of_pairs_on_a_plane_choose_determinants():
    board = ExactCover(grid(12, 12))
    assert board.count() == 53060477521960000
    assert board.statistics.method == "planar"
    counter = board.counter()
    assert not counter.run(seconds=0)
    copied = pickle.loads(pickle.dumps(counter))
    assert copied.run()
    assert counter.run()
    assert (counter.result, counter.method) == (copied.result, "planar")
    assert board.count(given=[0]) + board.count(forbidden=[0]) == board.count(method="planar")


def test_the_method_planar_counts_all_components():
    pairs = grid(4, 4)
    twice = pairs + [[a + 16, b + 16] for a, b in pairs] + [["lone", "some"]]
    problem = ExactCover(twice)
    assert problem.count(method="planar") == 36**2
    assert problem.statistics.method == "planar"
    assert ExactCover(pairs).count(method="planar") == 36


def test_the_method_planar_is_an_error_for_other_problems():
    for problem in (
        ExactCover([[a, b] for a in range(6) for b in range(a)]),
        ExactCover([["a", "b", "c"], ["a"], ["b"], ["c"]]),
    ):
        with pytest.raises(ValueError, match="options of two items on a plane"):
            problem.count(method="planar")
    with pytest.raises(ValueError, match="cannot have a limit or threads"):
        ExactCover(grid(4, 4)).count(3, method="planar")


def test_without_memory_for_determinants_other_methods_count(monkeypatch):
    monkeypatch.setattr(planar, "BYTES_PER_SLOT", 1 << 40)
    board = ExactCover(grid(12, 12))
    assert board.count() == 53060477521960000
    assert board.statistics.method == "memo"
    with pytest.raises(ValueError, match="needs more than"):
        board.count(method="planar")
