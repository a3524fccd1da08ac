"""Extend maps between some points of a graph to automorphisms.

The images of the points determine those of all other vertices. These are found by keys: random
weights of the class of a vertex and of the points that are adjacent to it, in total.
"""

from itertools import count

import numpy as np
from numpy.typing import NDArray

from ..csr import sum_rows
from .chain import Permutation
from .incidence import Incidence
from .refine import Partition, Vertices


class Extension:
    """An extension of maps between points of a graph to automorphisms.

    Parameters
    ----------
    graph : Incidence
        A graph in which no two vertices other than points have the same class and the same points.
    """

    def __init__(self, graph: Incidence) -> None:
        self._graph = graph
        self._start = graph.start[graph.n_points :]  # of the vertices other than points
        self._points = graph.adjacent[self._start[0] :].astype(np.int64)  # adjacent to these
        for seed in count():  # until the keys differ
            random = np.random.default_rng(seed)
            # Of all vertices and classes, and of a missing image, whose number follows
            self._weight, class_weight = random.integers(1 << 63, size=(2, graph.n_vertices + 1))
            self._class_key = class_weight[graph.vertex_class[graph.n_points :]]
            self._key = self._add_points(self._weight)  # of each vertex other than points
            self._by_key = np.argsort(self._key)  # these vertices in the order of their keys
            self._sorted_keys = self._key[self._by_key]
            if np.all(self._sorted_keys[1:] != self._sorted_keys[:-1]):
                return

    def _add_points(self, weight: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the keys of all vertices other than points, given the weights of the points."""
        keys: NDArray[np.int64] = self._class_key + sum_rows(self._start, weight[self._points])
        return keys

    def _find(self, key: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the vertices with some keys; the number of vertices for unknown keys."""
        order = np.argsort(key)  # sorted keys are found several times faster
        rank = np.empty(len(key), np.int64)
        found = np.searchsorted(self._sorted_keys, key[order])
        rank[order] = np.minimum(found, len(self._sorted_keys) - 1)
        vertices = self._graph.n_points + self._by_key[rank]
        return np.where(self._sorted_keys[rank] == key, vertices, self._graph.n_vertices)

    def complete(self, image: Vertices) -> Vertices:
        """Return the images of all vertices, given those of the points.

        The number of vertices stands for a missing image, also of a point.
        """
        others = self._find(self._add_points(self._weight[image]))
        return np.append(image, others).astype(np.uint32)

    def extend(self, leaf: Vertices, partition: Partition) -> Permutation | None:
        """Return an automorphism that maps single points of one partition to those of another.

        `leaf` has the vertices of the first partition, which are single where those of the other
        one are. Points at the ends of chains are mapped to the beginnings, and all others stay
        fixed. Returns None if this is no automorphism.
        """
        graph = self._graph
        single = np.flatnonzero(partition.size[: graph.n_points] == 1)
        single = single[leaf[single] != partition.order[single]]
        sources = leaf[single].tolist()
        targets = partition.order[single].tolist()
        image = dict(zip(sources, targets, strict=True))
        for begin in set(sources).difference(targets):
            end = begin
            while end in image:
                end = image[end]
            image[end] = begin
        points = np.array(sorted(image), np.uint32)
        images = np.array([image[point] for point in points.tolist()], np.uint32)
        # Other vertices are moved only if some of their points are: such a vertex is mapped to the
        # one whose key has the weights of the images instead of those of its points.
        owners, others = graph.neighbors(points)
        vertices, number = np.unique(others, return_inverse=True)
        key = self._key[vertices - graph.n_points]
        weight = self._weight
        np.add.at(key, number, (weight[images] - weight[points])[np.searchsorted(points, owners)])
        mapped = self._find(key)
        if np.any(mapped == graph.n_vertices):
            return None
        is_moved = mapped != vertices
        moved = np.concatenate([points, vertices[is_moved]])
        found = Permutation(moved, np.concatenate([images, mapped[is_moved].astype(np.uint32)]))
        return found if graph.is_automorphism(found) else None
