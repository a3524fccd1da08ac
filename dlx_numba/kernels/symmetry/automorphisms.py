"""Find generators of all automorphisms of a graph, by individualization and refinement.

The search follows McKay's algorithm, as in nauty. On its first path, it individualizes one point
after another, the *base*, and refines the partition each time, until all cells are single vertices.
From the deepest level up, it then looks for an automorphism that moves the base point of the level
to another point of its cell, and fixes the base points above.

As in saucy, automorphisms that move few points are found before the end of a path: the points that
are single so far determine a permutation that fixes all others. So the exchange of two items, or of
two isomorphic components, takes a few steps.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...runtime.interrupts import Steps
from .chain import Chain, Permutation
from .extension import Extension
from .incidence import Incidence
from .refine import (
    EDGES_PER_SLICE,
    END,
    N_NEW,
    TRACE,
    Partition,
    RefinementWorkspace,
    Vertices,
    individualize,
    refine,
    unite,
)


class _PathLevel(NamedTuple):
    """A level of the first path."""

    cell: int
    base: int
    trace: int  # of the refinement after the base point is individualized
    n_new: int  # the number of cells that were split off before


def find_automorphisms(graph: Incidence) -> Steps[Chain]:
    """Return the group of all automorphisms.

    Parameters
    ----------
    graph : Incidence

    Yields
    ------
    None
        Whenever the caller may want to end the search.

    Returns
    -------
    Chain
    """
    workspace = RefinementWorkspace.allocate(graph.n_vertices)
    partition, levels = yield from first_path(graph, workspace)
    extension = Extension(graph)
    leaf = partition.order.copy()
    chain = Chain(graph.n_vertices)

    def find_image(levels: Sequence[_PathLevel], vertex: int) -> Steps[Permutation | None]:
        """Return an automorphism that maps the first base point to a vertex, or None.

        It fixes the base points above. The partition is as at the first of the levels; it may be
        refined afterward. Each level of the search individualizes a candidate for the image of its
        base point, and goes deeper only if the trace is that of the first path.
        """
        # For each level, the candidates that are left, and the number of splits before them
        stack = [(iter([vertex]), levels[0].n_new)]
        n_tried = 0
        while stack:
            vertices, n_new = stack[-1]
            unite(partition, workspace, n_new)
            if (candidate := next(vertices, None)) is None:
                stack.pop()
                continue
            individualize(partition, workspace, candidate)
            depth = len(stack)
            trace = yield from _refine(graph, partition, workspace)
            if trace != levels[depth - 1].trace:
                continue
            n_tried += 1
            # Before the end of a path, attempts are made only until the search first goes back, and
            # at depths that are powers of 2: these few take little time in total.
            is_early = depth == n_tried and depth & (depth - 1) == 0
            if (is_early or depth == len(levels)) and (
                found := extension.extend(leaf, partition)
            ) is not None:
                return found
            if depth < len(levels):
                below = map(int, _vertices(partition, levels[depth]))
                stack.append((below, int(workspace.register[N_NEW])))
        return None

    for depth in reversed(range(len(levels))):
        level = levels[depth]
        unite(partition, workspace, level.n_new)
        vertices = _vertices(partition, level)
        tried = [level.base]
        # One vertex of each orbit is tried: generators so far map it to the others.
        while len(untried := vertices[~np.isin(chain.orbit[vertices], chain.orbit[tried])]):
            tried.append(int(untried[0]))
            image = yield from find_image(levels[depth:], tried[-1])
            if image is not None:
                chain.add_generator(image)
        if (size := int(np.count_nonzero(chain.orbit[vertices] == chain.orbit[level.base]))) > 1:
            chain.add_top(level.base, size)
        yield
    return chain


def first_path(
    graph: Incidence, workspace: RefinementWorkspace
) -> Steps[tuple[Partition, list[_PathLevel]]]:
    """Return the discrete partition at the end of the first path, and the levels above.

    At first, the classes of the graph are the cells, all of which are queued to split others. Then
    each level individualizes the first vertex of a smallest cell of points.
    """
    order = np.argsort(graph.vertex_class, kind="stable").astype(np.uint32)
    size_of_class = np.bincount(graph.vertex_class)
    starts = np.cumsum(size_of_class) - size_of_class
    position, size = np.zeros((2, len(order)), np.uint32)
    position[order] = np.arange(len(order))
    size[starts] = size_of_class
    cell = starts.astype(np.uint32)[graph.vertex_class]
    partition = Partition(order, position, cell, size)
    levels = list[_PathLevel]()
    workspace.queue[: len(size_of_class)] = starts
    workspace.is_queued[starts] = True
    workspace.register[END] = len(starts)
    while True:
        trace = yield from _refine(graph, partition, workspace)
        if levels:  # the refinement is that of the level before
            levels[-1] = levels[-1]._replace(trace=trace)
        sizes = partition.size[: graph.n_points]
        cells = np.flatnonzero(sizes > 1)
        if len(cells) == 0:
            return partition, levels
        target = int(cells[np.argmin(sizes[cells])])
        base = int(partition.order[target])
        # The trace is 0 until the next refinement.
        levels.append(_PathLevel(target, base, 0, int(workspace.register[N_NEW])))
        individualize(partition, workspace, base)


def _refine(graph: Incidence, partition: Partition, workspace: RefinementWorkspace) -> Steps[int]:
    """Refine a partition, and return the trace."""
    arguments = graph.start, graph.adjacent, partition, workspace, EDGES_PER_SLICE
    is_done = False
    while not is_done:
        is_done = refine(*arguments)
        yield
    return int(workspace.register[TRACE])


def _vertices(partition: Partition, level: _PathLevel) -> Vertices:
    """Return the vertices that may be the image of a base point, itself first."""
    vertices: Vertices = partition.order[
        level.cell : level.cell + int(partition.size[level.cell])
    ].copy()
    if partition.cell[level.base] == level.cell:
        first = int(partition.position[level.base]) - level.cell
        vertices[[0, first]] = vertices[[first, 0]]
    return vertices
