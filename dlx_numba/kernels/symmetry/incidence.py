"""The bipartite graph whose automorphisms are the symmetries of a problem.

It has a vertex for each item, for each color of a secondary item, and for each option. An option is
adjacent to its items and to their colors. A further vertex for each color, adjacent to it and to
its item, keeps them together. The *points* are the items and the colors; they determine an
automorphism, because the options that have the same points belong to different classes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...runtime.interrupts import Steps
from ..csr import first_equal, join_ranges, number_rows, row_range, transpose
from ..problem import Problem
from .chain import Permutation
from .refine import Vertices

PRIMARY, SECONDARY, COLOR, OPTION, RELATION = range(5)


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

    def without_colors(self, image: Vertices) -> Permutation:
        """Return an automorphism as a permutation of the items, and the options after them."""
        kept = image[: self.n_items], image[self.options] - len(self.color)
        return Permutation.of(np.concatenate(kept))

    def is_automorphism(self, permutation: Permutation) -> bool:
        """Return whether a permutation of the vertices preserves classes and adjacency."""
        moved, images = permutation
        if not np.array_equal(self.vertex_class[moved], self.vertex_class[images]):
            return False
        return self.count_preserved(permutation.array(self.n_vertices), moved) == len(moved)

    def count_preserved(self, image: Vertices, vertices: Vertices) -> int:
        """Return how many vertices precede the first one that an injective map does not preserve.

        The map preserves a vertex if it maps its neighbors to those of its image. The number of
        vertices stands for a missing image.
        """
        stamp = np.zeros(self.n_vertices + 1, np.uint32)
        return int(count_preserved(self.start, self.adjacent, image, vertices, stamp))

    def edges(self, image: Vertices, vertices: Vertices) -> NDArray[np.int64]:
        """Return the edges of some vertices, encoded and sorted, after all are renumbered."""
        owners, others = self.neighbors(vertices)
        return np.sort(image[owners] * np.int64(self.n_vertices) + image[others])

    def neighbors(self, vertices: Vertices) -> tuple[Vertices, Vertices]:
        """Return the ends of all edges of some vertices: these vertices, and their neighbors."""
        edges, owners = join_ranges(self.start[vertices], self.start[vertices + 1])
        return vertices[owners], self.adjacent[edges]


@njit
def count_preserved(start, adjacent, image, vertices, stamp):
    """Return how many vertices precede the first one whose neighbors are not mapped to neighbors.

    Parameters: `start` (n + 1,) int64 and `adjacent` (edges,) uint32, a graph; `image` (n,) uint32,
    of each vertex, or n if it has none; `vertices` uint32; `stamp` (n + 1,) uint32, zeros,
    modified.
    """
    for k in range(len(vertices)):
        vertex = np.int64(vertices[k])
        mapped = np.int64(image[vertex])
        if mapped == len(image):
            return k
        if start[vertex + 1] - start[vertex] != start[mapped + 1] - start[mapped]:
            return k
        for edge in row_range(start, mapped):  # the stamp k + 1 marks the neighbors of the image
            stamp[adjacent[edge]] = k + 1
        for edge in row_range(start, vertex):
            if stamp[image[adjacent[edge]]] != k + 1:
                return k
    return len(vertices)


def build_incidence(
    problem: Problem, restriction: Restriction | None, *, exchanges_twins: bool = True
) -> Steps[Incidence]:
    """Return the graph of a problem. Yields whenever the caller may want to end.

    Symmetries preserve costs, weights and bounds, and map given options to given options, and
    forbidden options to forbidden options. Options with the same items, colors and costs are
    distinguished by their order, unless `restriction` is None. So are items that are in the same
    options, unless symmetries may exchange them.
    """
    n_items = problem.n_items
    n_options = problem.n_options
    colored, color_of_node, colored_items, colors = problem.color_pairs()
    n_points = n_items + len(colors)
    n_vertices = n_points + n_options + len(colors)
    points = problem.items
    rows = problem.indptr.astype(np.int64)
    # Points are the items and colors; rows are the options, and each color with its item.
    # The color of a node is inserted before it, so a row moves by the number of colored nodes
    # before the row; the rows of colors, of two points each, come last.
    if len(colors):
        relations = np.stack([colored_items, np.arange(n_items, n_points)], axis=1)
        points = np.append(np.insert(points, colored, n_items + color_of_node), relations)
        ends = len(points) - 2 * np.arange(len(colors))[::-1]
        rows = np.append(rows + np.searchsorted(colored, rows), ends)
    yield
    # Transposing twice sorts the points of each row.
    neighbors, point_start = transpose(rows, points, n_points)
    yield
    points, rows = transpose(point_start, neighbors, len(rows) - 1)
    yield
    start = np.append(point_start, len(points) + rows[1:])
    adjacent = np.empty(2 * len(points), np.uint32)
    adjacent[: len(points)] = n_points + neighbors
    adjacent[len(points) :] = points
    yield

    # Facts of vertices, which symmetries preserve. Options have in `low` their costs, or numbers
    # for their costs and weights, and in `high` whether they are given or forbidden.
    kind = np.repeat(
        [PRIMARY, SECONDARY, COLOR, OPTION, RELATION],
        [problem.n_primary, problem.n_secondary, len(colors), n_options, len(colors)],
    )
    low, high, rank = np.zeros((3, n_vertices), np.int64)
    is_primary = slice(problem.n_primary)
    is_option = slice(n_points, n_points + n_options)
    low[is_option] = problem.costs
    low[is_primary] = problem.lows
    high[is_primary] = problem.highs
    if problem.total_low is not None:  # options differ if their costs or weights do
        _, _, total, option, weight = problem.totals
        order = np.lexsort((total, option))
        order = order[weight[order] != 0]
        entries, _ = number_rows(total[order], weight[order])
        ends = np.searchsorted(option[order], np.arange(n_options + 1))
        low[is_option], _ = number_rows(low[is_option], first_equal(ends, entries))
        yield
    if restriction is not None:
        high[is_option] = restriction.given + 2 * restriction.forbidden
    facts, _ = number_rows(kind, low, high)
    yield
    if restriction is not None:  # twins, which have the same neighbors, differ by their ranks
        ranked = slice(n_points if exchanges_twins else 0, n_points + n_options)
        equal = first_equal(start[ranked.start : ranked.stop + 1], adjacent)
        yield
        _, rank[ranked] = number_rows(equal, facts[ranked])
    yield
    vertex_class, _ = number_rows(facts, rank)
    return Incidence(start, adjacent, vertex_class, n_items, colors, n_options)
