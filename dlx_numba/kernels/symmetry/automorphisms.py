"""Find generators of all automorphisms of a graph, by individualization and refinement.

The search follows McKay's algorithm, as in nauty. On its first path, it individualizes one point
after another, the *base*, and refines the partition each time, until all cells are single vertices.
From the deepest level up, it then looks for an automorphism that moves the base point of the level
to another point of its cell, and fixes the base points above.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .chain import Chain, merge_orbits
from .incidence import Incidence
from .refine import Partition, Vertices, Workspace, refine


class _Level(NamedTuple):
    """A level of the first path."""

    partition: Partition  # before the base point is individualized
    cell: int
    base: int
    trace: int  # of the refinement after it


def find_automorphisms(graph: Incidence) -> Chain:
    """Return the group of all automorphisms.

    Parameters
    ----------
    graph : Incidence

    Returns
    -------
    Chain
    """
    workspace = Workspace.allocate(graph.n_vertices)
    leaf, levels = first_path(graph, workspace)
    partitions = [leaf.copy() for _ in levels]
    root = np.arange(graph.n_vertices)  # of each orbit of the automorphisms found, the first vertex
    chain = Chain(graph.n_vertices)
    for depth in reversed(range(len(levels))):
        level = levels[depth]
        tried = [level.base]
        for vertex in _candidates(level.partition, level):
            if root[vertex] in root[tried]:
                continue
            tried.append(vertex)
            image = _find_image(graph, workspace, leaf, levels[depth:], partitions, vertex)
            if image is not None:
                chain.generators.append(image)
                root = merge_orbits(root, image)
        if (size := int(np.count_nonzero(root == root[level.base]))) > 1:
            chain.add_top(level.base, size)
    return chain


def first_path(graph: Incidence, workspace: Workspace) -> tuple[Partition, list[_Level]]:
    """Return the discrete partition at the end of the first path, and the levels above."""
    order = np.argsort(graph.vertex_class, kind="stable").astype(np.uint32)
    size_of_class = np.bincount(graph.vertex_class)
    starts = np.cumsum(size_of_class) - size_of_class
    position, size = np.zeros((2, len(order)), np.uint32)
    position[order] = np.arange(len(order))
    size[starts] = size_of_class
    cell = starts.astype(np.uint32)[graph.vertex_class]
    partition, levels = Partition(order, position, cell, size), list[_Level]()
    if len(order):
        refine(graph.start, graph.adjacent, partition, workspace, -1)
    while True:
        sizes = partition.size[: graph.n_points]
        cells = np.flatnonzero(sizes > 1)
        if len(cells) == 0:
            return partition, levels
        target = int(cells[np.argmin(sizes[cells])])
        base = int(partition.order[target])
        saved = partition.copy()
        trace = refine(graph.start, graph.adjacent, partition, workspace, base)
        levels.append(_Level(saved, target, base, trace))


def _candidates(partition: Partition, level: _Level) -> Iterator[int]:
    """Return the vertices that may be the image of a base point, itself first."""
    begin, end = level.cell, level.cell + int(partition.size[level.cell])
    vertices = partition.order[begin:end]
    return iter(sorted(vertices.tolist(), key=lambda vertex: (vertex != level.base, vertex)))


def _find_image(
    graph: Incidence,
    workspace: Workspace,
    leaf: Partition,
    levels: list[_Level],
    partitions: list[Partition],
    vertex: int,
) -> Vertices | None:
    """Return an automorphism that maps the first base point to a vertex, or None.

    It fixes the base points above. `partitions` is overwritten.
    """
    candidates = [iter([vertex])]
    while candidates:
        depth = len(candidates) - 1
        image = next(candidates[-1], None)
        if image is None:
            candidates.pop()
            continue
        above, partition = (
            partitions[depth - 1] if depth else levels[0].partition,
            partitions[depth],
        )
        partition.assign(above)
        if refine(graph.start, graph.adjacent, partition, workspace, image) != levels[depth].trace:
            continue
        if depth + 1 < len(levels):
            candidates.append(_candidates(partition, levels[depth + 1]))
            continue
        mapped = np.empty_like(leaf.order)
        mapped[leaf.order] = partition.order
        if np.array_equal(partition.size, leaf.size) and graph.is_automorphism(mapped):
            return mapped
    return None
