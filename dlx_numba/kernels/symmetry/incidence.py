"""The bipartite graph whose automorphisms are the symmetries of a problem.

It has a vertex for each item, for each color of a secondary item, and for each option. An option is
adjacent to its items and to their colors. A further vertex for each color, adjacent to it and to
its item, keeps them together. The *points* are the items and the colors; they determine an
automorphism, because the options that have the same points belong to different classes.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import Steps
from ..csr import join_ranges
from ..problem import Problem
from .chain import Permutation
from .refine import Vertices

PRIMARY, SECONDARY, COLOR, OPTION, RELATION = range(5)
VERTICES_PER_STEP = 1 << 14  # some 10 ms


class Restriction(NamedTuple):
    """The options that each cover contains, and those that none contains: shape (options,)."""

    given: NDArray[np.bool_]
    forbidden: NDArray[np.bool_]


class Incidence(NamedTuple):
    """The bipartite graph of a problem, in the CSR layout; points come first, then options."""

    start: NDArray[np.int64]  # (vertices + 1,) of each vertex in `adjacent`
    adjacent: NDArray[np.uint32]  # (edges,) the vertices adjacent to each vertex, ascending
    vertex_class: NDArray[np.int64]  # (vertices,) which automorphisms preserve; points come first
    n_items: int
    color: NDArray[np.int64]  # (points - items,) of the points after the items
    n_options: int

    @property
    def n_points(self) -> int:
        """The number of items and colors."""
        return self.n_items + len(self.color)

    @property
    def n_vertices(self) -> int:
        """The number of vertices."""
        return len(self.vertex_class)

    @property
    def options(self) -> slice:
        """The vertices of the options."""
        return slice(self.n_points, self.n_points + self.n_options)

    def is_automorphism(self, permutation: Permutation) -> bool:
        """Return whether a permutation of the vertices preserves classes and adjacency."""
        moved, images = permutation
        if not np.array_equal(self.vertex_class[moved], self.vertex_class[images]):
            return False
        unchanged = np.arange(self.n_vertices, dtype=np.uint32)
        image = permutation.array(self.n_vertices)
        return np.array_equal(self.edges(image, moved), self.edges(unchanged, moved))

    def edges(self, image: Vertices, vertices: Vertices) -> NDArray[np.int64]:
        """Return the edges of some vertices, encoded and sorted, after all are renumbered."""
        owners, others = self.neighbors(vertices)
        return np.sort(image[owners] * np.int64(self.n_vertices) + image[others])

    def neighbors(self, vertices: Vertices) -> tuple[Vertices, Vertices]:
        """Return the ends of all edges of some vertices: these vertices, and their neighbors."""
        edges, owners = join_ranges(self.start[vertices], self.start[vertices + 1])
        return vertices[owners], self.adjacent[edges]


def build_incidence(
    problem: Problem, restriction: Restriction | None, *, exchanges_twins: bool = True
) -> Steps[Incidence]:
    """Return the graph of a problem. Yields whenever the caller may want to end.

    Symmetries preserve costs, weights and bounds, and map given options to given options, and
    forbidden options to forbidden options. Options with the same items, colors and costs are
    distinguished by their order, unless `restriction` is None. So are items that are in the same
    options, unless symmetries may exchange them.
    """
    n_items, n_options, option_of = problem.n_items, problem.n_options, problem.option_of_node()
    color = problem.node_colors
    n_colors = int(color.max(initial=0)) + 1
    is_colored = color > 0
    colors, color_of_node = np.unique(
        (problem.items * n_colors + color)[is_colored], return_inverse=True
    )
    n_points = n_items + len(colors)
    n_vertices = n_points + n_options + len(colors)
    color_points = np.arange(n_items, n_points)
    relations = np.arange(n_points + n_options, n_vertices)
    hyperedges = [n_points + option_of, n_points + option_of[is_colored], relations, relations]
    points = [problem.items, n_items + color_of_node, color_points, colors // n_colors]
    ends = np.concatenate(hyperedges), np.concatenate(points)
    yield
    edges = np.concatenate(ends) * np.int64(n_vertices) + np.concatenate(ends[::-1])
    yield
    edges.sort()
    yield
    start = np.searchsorted(edges, np.arange(n_vertices + 1) * n_vertices)
    adjacent = (edges % max(1, n_vertices)).astype(np.uint32)
    yield

    kind = np.repeat(
        [PRIMARY, SECONDARY, COLOR, OPTION, RELATION],
        [problem.n_primary, problem.n_secondary, len(colors), n_options, len(colors)],
    )
    low, high, rank = np.zeros((3, n_vertices), np.int64)
    is_primary, is_option = slice(problem.n_primary), slice(n_points, n_points + n_options)
    low[is_option], low[is_primary], high[is_primary] = problem.costs_and_bounds
    if problem.total_low is not None:
        _, _, total, option, weight = problem.totals
        order = np.lexsort((total, option))
        order = order[weight[order] != 0]
        weights = np.stack([total, weight], axis=1)[order]
        ends = weights.strides[0] * np.searchsorted(option[order], np.arange(n_options + 1))
        content, bounds, costs = weights.tobytes(), ends.tolist(), low[is_option].tolist()
        number_of: dict[tuple[int, bytes], int] = {}  # of options by their costs and weights
        for k in range(n_options):
            if k % VERTICES_PER_STEP == 0:
                yield
            key = costs[k], content[bounds[k] : bounds[k + 1]]
            low[n_points + k] = number_of.setdefault(key, len(number_of))
    if restriction is not None:
        high[is_option] = restriction.given + 2 * restriction.forbidden
        n_seen: dict[tuple[tuple[int, ...], bytes], int] = {}
        neighbors, first, last = adjacent.tobytes(), 0, n_points + n_options
        if exchanges_twins:
            first = n_points
        for begin in range(first, last, VERTICES_PER_STEP):
            yield
            end = min(begin + VERTICES_PER_STEP, last)
            facts = zip(*(each[begin:end].tolist() for each in (kind, low, high)), strict=True)
            bounds = pairwise((start[begin : end + 1] * adjacent.itemsize).tolist())
            for vertex, fact, bound in zip(range(begin, end), facts, bounds, strict=True):
                key = fact, neighbors[slice(*bound)]
                rank[vertex] = n_seen[key] = n_seen.get(key, -1) + 1
    yield
    by_class = np.lexsort((rank, high, low, kind))
    differs = np.zeros(max(0, n_vertices - 1), np.bool_)
    for facts_of in (kind, low, high, rank):
        yield
        column = facts_of[by_class]
        differs |= column[1:] != column[:-1]
    vertex_class = np.zeros(n_vertices, np.int64)
    vertex_class[by_class[1:]] = np.cumsum(differs)
    return Incidence(start, adjacent, vertex_class, n_items, colors % n_colors, n_options)
