"""Extend maps between some points of a graph to automorphisms.

The images of the points determine those of all other vertices. These are found by keys: sums of
random weights of a vertex's class and of the points that are adjacent to it.
"""

from itertools import count

import numpy as np

from ...jit import njit
from .chain import Permutation
from .incidence import Incidence, preserves_edges
from .refine import Partition, Vertices

MASK = 2**62 - 1


class Extension:
    """Extends maps between points of a graph.

    Parameters
    ----------
    graph : Incidence
        A graph in which no two vertices other than points have the same class and the same points.
    """

    def __init__(self, graph: Incidence) -> None:
        n, n_points, self._graph = graph.n_vertices, graph.n_points, graph
        for seed in count():
            weights = np.random.default_rng(seed).integers(0, MASK, (2, n))
            point_sums = np.append(0, np.cumsum(weights[0][graph.adjacent]))[graph.start]
            class_weight = weights[1][graph.vertex_class]
            key = (class_weight + np.diff(point_sums))[n_points:] & MASK
            order = np.argsort(key)
            key = key[order]
            if np.all(key[1:] != key[:-1]):
                break
        self._keys = weights[0], class_weight, key, (n_points + order).astype(np.uint32)
        self._image = np.arange(n, dtype=np.uint32)
        self._preimage = np.full(n, n, np.uint32)
        self._listed = np.zeros(n, np.uint32)

    def extend(self, leaf: Vertices, partition: Partition) -> Permutation | None:
        """Return an automorphism that maps single points of two partitions, or None.

        `leaf` has the vertices of one of them, which are single where those of the other one are.
        """
        graph, image, listed = self._graph, self._image, self._listed
        n_listed = map_points(leaf, partition, graph.n_points, image, self._preimage, listed)
        n_listed = map_others(*graph[:2], *self._keys, image, self._preimage, listed, n_listed)
        used = listed[: abs(n_listed)]
        moved = np.sort(used[image[used] != used])
        scratch = np.zeros(graph.n_vertices, np.bool_)
        found = None
        if n_listed > 0 and preserves_edges(*graph[:3], image, moved, scratch):
            found = Permutation(moved, image[moved])
        image[used], self._preimage[used] = used, graph.n_vertices
        return found


@njit
def map_points(leaf, partition, n_points, image, preimage, listed):
    """Extend the map between the single points of two partitions to a permutation of the points.

    It maps the points at the ends of chains to their beginnings, and fixes all others. Parameters,
    uint32 arrays of shape (n,): `leaf`, the vertices of one partition; `partition`, the other one;
    `image`, which is overwritten; `preimage`, where all elements are n; `listed`, whose beginning
    is overwritten by the points that are not fixed. Returns their number.
    """
    n = len(leaf)
    for point in range(n_points):
        image[point] = n
    for position in range(n_points):
        if partition.size[position] == 1:
            image[leaf[position]] = partition.order[position]
            preimage[partition.order[position]] = leaf[position]
    n_listed = 0
    for point in range(n_points):
        if image[point] == n:
            begin = point
            while preimage[begin] != n:
                begin = np.int64(preimage[begin])
            image[point] = begin
            preimage[begin] = point
        if image[point] != point:
            listed[n_listed] = point
            n_listed += 1
    for point in range(n_points):
        preimage[point] = n
    return n_listed


@njit
def map_others(
    start, adjacent, weight, class_weight, keys, by_key, image, preimage, listed, n_listed
):
    """Map the vertices that are adjacent to points that are not fixed.

    Parameters
    ----------
    start : ndarray of int64, shape (n + 1,)
    adjacent : ndarray of uint32, shape (edges,)
        The graph.
    weight, class_weight : ndarray of int64, shape (n,)
        The weight of each vertex, and of its class.
    keys : ndarray of int64, shape (vertices other than points,)
        The keys, ascending.
    by_key : ndarray of uint32, shape (vertices other than points,)
        The vertices in this order.
    image : ndarray of uint32, shape (n,)
        Written: the images.
    preimage : ndarray of uint32, shape (n,)
        Written: not n for vertices that were met.
    listed : ndarray of uint32, shape (n,)
        Written: after `n_listed` points, the vertices that were met.
    n_listed : int64

    Returns
    -------
    int64
        The number of listed vertices; negative if one of them has no image.
    """
    n, end = len(image), n_listed
    for k in range(n_listed):
        for edge in range(start[listed[k]], start[listed[k] + 1]):
            vertex = adjacent[edge]
            if preimage[vertex] != n:
                continue
            preimage[vertex] = 0
            listed[end] = vertex
            end += 1
            key = class_weight[vertex]
            for other in range(start[vertex], start[vertex + 1]):
                key = (key + weight[image[adjacent[other]]]) & MASK
            low, high = 0, len(keys)
            while low < high:
                middle = (low + high) // 2
                if keys[middle] < key:
                    low = middle + 1
                else:
                    high = middle
            if low == len(keys) or keys[low] != key:
                return -end
            image[vertex] = by_key[low]
    return end
