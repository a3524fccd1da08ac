"""Embed a connected graph in the plane: the left-right planarity test.

An edge e has two halves, 2e and 2e + 1, one at each end; `ends[half]` is the vertex of a half. The
test has three depth-first passes over the same tree. The first orients the edges and finds how far
up each can return, the second divides the edges that return into those that do so on the left and
on the right of the tree, and the third derives the circular order of the halves around each vertex.

A wrong order cannot pass unnoticed: an order is an embedding in the plane if and only if Euler's
formula holds for its faces, which `count_faces` counts.

References
----------
U. Brandes, "The left-right planarity test", 2009
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..csr import group

NONE = -1
# Rows of `low` of `orient`: the two smallest depths to which an edge and what is below it return
LOWEST = 0
SECOND = 1

Ints = NDArray[np.int64]


class Embedding(NamedTuple):
    """A connected plane graph.

    `ends` (halves,) is the vertex of each half of an edge, `turn` (halves,) the next half around
    the same vertex, `face` (halves,) the face beside each half, and `depth` (vertices,) the depth
    in a spanning tree.
    """

    ends: Ints
    turn: Ints
    face: Ints
    depth: Ints


def embed(ends: Ints, n_vertices: int) -> Embedding | None:
    """Embed a connected graph in the plane, or return None if it is not planar.

    Parameters
    ----------
    ends : ndarray of shape (halves,), int64
        The vertices of the edges: those of edge e are `ends[2 * e]` and `ends[2 * e + 1]`. They
        differ, and no two edges have the same ends.
    n_vertices : int

    Examples
    --------
    >>> square = embed(np.array([0, 1, 1, 2, 2, 3, 3, 0]), 4)
    >>> square.face.tolist(), square.depth.tolist()
    ([0, 1, 0, 1, 0, 1, 0, 1], [0, 1, 2, 3])
    """
    n_edges = len(ends) // 2
    if n_vertices > 2 and n_edges > 3 * n_vertices - 6:  # no planar graph has so many
        return None
    # The first of three searches orients the edges, and finds where they return.
    halves, start = group(ends, n_vertices)
    out = np.full(n_edges, NONE)
    depth = np.full(n_vertices, NONE)
    parent = np.full(n_vertices, NONE)
    low = np.empty((2, n_edges), np.int64)
    nesting = np.empty(n_edges, np.int64)
    orient(start, halves, ends, start[:-1].copy(), out, depth, parent, low, nesting)
    # The second one divides returning edges between the two sides of the tree, if that is possible.
    tail = ends[out]
    order = np.lexsort((nesting, tail))
    first = np.searchsorted(tail[order], np.arange(n_vertices + 1))
    reference = np.full(n_edges, NONE)
    side = np.ones(n_edges, np.int64)
    stack = np.empty((n_edges + 1, 4), np.int64)
    bottom = np.empty((2, n_edges), np.int64)
    position = first[:-1].copy()
    arguments = (first, order, ends, out, depth, parent, low[LOWEST])
    if not divide(*arguments, position, reference, side, stack, bottom):
        return None
    side = resolve(reference, side)
    # The third one finds the order of the edges around each vertex.
    order = np.lexsort((nesting * side, tail))
    index = np.empty(n_edges, np.int64)
    branch = np.full(n_edges, NONE)
    trace(first, order, ends, out, parent, first[:-1].copy(), index, branch)
    # Around a vertex are the edge from its parent, and its other edges in their order. Edges return
    # to it beside the edge by which the search left it: the later, the closer.
    place = np.concatenate([branch, np.argsort(order)])
    beside = np.concatenate([side, np.zeros_like(side)])
    number = np.concatenate([-index, index])
    halves = np.concatenate([out ^ 1, out])
    around = halves[np.lexsort((number, beside, place, ends[halves]))]  # first by vertex
    following = np.roll(around, -1)
    following[start[1:] - 1] = around[start[:-1]]
    turn = np.empty_like(around)
    turn[around] = following
    face = np.full(len(ends), NONE)
    # Euler's formula holds for the faces of a plane graph only.
    is_plane = n_vertices - n_edges + count_faces(turn, face) == 2
    return Embedding(ends, turn, face, depth) if is_plane else None


@njit
def orient(start, halves, ends, position, out, depth, parent, low, nesting):
    """Orient the edges by a depth-first search from vertex 0.

    Parameters, int64: `start` (vertices + 1,) and `halves` (halves,), the halves at each vertex;
    `ends` (halves,); `position` (vertices,), modified, a copy of `start`. Written: `out` (edges,),
    `depth` and `parent` (vertices,), all -1 before: the half of each edge at its tail, and the
    tree; `low` (2, edges), the two smallest depths to which an edge and what is below it return;
    `nesting` (edges,), by which the edges of a vertex are ordered.
    """
    vertex = np.int64(0)
    depth[0] = 0
    while True:
        if position[vertex] < start[vertex + 1]:
            half = halves[position[vertex]]
            edge = half >> 1
            if out[edge] >= 0:  # a half of an edge that was oriented at its other end
                position[vertex] += 1
                continue
            head = ends[half ^ 1]
            out[edge] = half
            low[LOWEST, edge] = depth[vertex]
            low[SECOND, edge] = depth[vertex]
            if depth[head] < 0:
                parent[head] = edge
                depth[head] = depth[vertex] + 1
                vertex = head
                continue  # the edge is completed when the search goes up along it
            low[LOWEST, edge] = depth[head]
        else:
            edge = parent[vertex]
            if edge < 0:
                return
            vertex = ends[out[edge]]
        position[vertex] += 1
        # Edges that return highest come first, and among equals those that return to one vertex.
        nesting[edge] = 2 * low[LOWEST, edge] + (low[SECOND, edge] < depth[vertex])
        above = parent[vertex]
        if above >= 0:
            if low[LOWEST, edge] < low[LOWEST, above]:
                low[SECOND, above] = min(low[LOWEST, above], low[SECOND, edge])
                low[LOWEST, above] = low[LOWEST, edge]
            elif low[LOWEST, edge] > low[LOWEST, above]:
                low[SECOND, above] = min(low[SECOND, above], low[LOWEST, edge])
            else:
                low[SECOND, above] = min(low[SECOND, above], low[SECOND, edge])


# A pair, which is a row of the stack of `divide`, has two intervals of returning edges that must be
# on different sides: the lowest and the highest edge of the left one, and of the right one. Empty
# intervals have -1.
LEFT_LOW = 0
LEFT_HIGH = 1
RIGHT_LOW = 2
RIGHT_HIGH = 3
# Rows of `bottom` of `divide`
N_BEFORE = 0  # the size of the stack before each edge
RETURNING = 1  # the edge by which each edge returns to its `low`


@njit
def swap_sides(pair):
    """Exchange the intervals of a pair (4,)."""
    for k in range(2):
        kept = pair[k]
        pair[k] = pair[k + 2]
        pair[k + 2] = kept


@njit
def is_above(edge, low, depth):
    """Return whether an edge returns to a vertex deeper than `depth`; -1 is no edge."""
    return edge >= 0 and low[edge] > depth


@njit
def append_interval(merged, pair, place, reference):
    """Append an interval of a pair to that of another one, `merged`.

    `place` is that of the lower end of the interval in both, before the higher end.
    """
    if merged[place + 1] < 0:
        merged[place + 1] = pair[place + 1]
    else:
        reference[merged[place]] = pair[place + 1]
    merged[place] = pair[place]


@njit
def merge_pairs(edge, above, low, reference, stack, n_pairs, bottom):
    """Make the edges below `edge` return on one side, and those that cross them on the other.

    `above` is the edge of the tree above `edge`; `n_pairs` the size of the stack; `low`,
    `reference`, `stack` and `bottom` as for `divide`. Returns the new size, or -1 if this is
    impossible.
    """
    merged = stack[-1]
    merged[:] = NONE
    # The pairs of the edge itself: its returning edges go to the right side of the new pair.
    while n_pairs > bottom[N_BEFORE, edge]:
        n_pairs -= 1
        pair = stack[n_pairs]
        if pair[LEFT_LOW] >= 0:
            swap_sides(pair)
        if pair[LEFT_LOW] >= 0:  # both intervals have edges, which cannot be on one side
            return NONE
        if low[pair[RIGHT_LOW]] > low[above]:
            append_interval(merged, pair, RIGHT_LOW, reference)
        else:  # they return as high as `above` does, and on the same side
            reference[pair[RIGHT_LOW]] = bottom[RETURNING, above]
    # The pairs of edges before it that return below its `low`: those edges cross it, and go left.
    while n_pairs > 0:
        pair = stack[n_pairs - 1]
        if is_above(pair[RIGHT_HIGH], low, low[edge]):
            swap_sides(pair)
        elif not is_above(pair[LEFT_HIGH], low, low[edge]):
            break
        if is_above(pair[RIGHT_HIGH], low, low[edge]):
            return NONE
        n_pairs -= 1
        if pair[RIGHT_LOW] >= 0:
            append_interval(merged, pair, RIGHT_LOW, reference)
        append_interval(merged, pair, LEFT_LOW, reference)
    if merged[LEFT_HIGH] >= 0 or merged[RIGHT_HIGH] >= 0:
        for place in range(len(merged)):
            stack[n_pairs, place] = merged[place]
        n_pairs += 1
    return n_pairs


@njit
def trim_interval(pair, place, vertex, ends, out, reference, side):
    """Remove the edges that return to `vertex` from an interval of a pair.

    They are its highest ones, and `reference` leads from each edge to the next lower one. If none
    is left, the side of the lowest edge becomes the opposite of that of the lowest edge in the
    other interval.

    `pair` (4,); `place` as for `append_interval`; `ends`, `out`, `reference` and `side` as for
    `divide`.
    """
    while pair[place + 1] >= 0 and ends[out[pair[place + 1]] ^ 1] == vertex:
        pair[place + 1] = reference[pair[place + 1]]
    if pair[place + 1] < 0 and pair[place] >= 0:
        reference[pair[place]] = pair[RIGHT_LOW - place]  # LEFT_LOW is 0
        side[pair[place]] = -1
        pair[place] = NONE


@njit
def leave_vertex(edge, ends, out, depth, low, reference, side, stack, n_pairs):
    """Forget the edges that return to the tail of a tree edge, as the search goes up along it.

    `edge`; `n_pairs`, the size of the stack; `ends`, `out`, `depth`, `low`, `reference`, `side` and
    `stack` as for `divide`. Returns the new size.
    """
    vertex = ends[out[edge]]
    while n_pairs > 0:
        pair = stack[n_pairs - 1]
        returns_here = True  # and not to above the vertex
        for place in (LEFT_LOW, RIGHT_LOW):
            returns_here &= pair[place] < 0 or low[pair[place]] == depth[vertex]
        if not returns_here:
            trim_interval(pair, LEFT_LOW, vertex, ends, out, reference, side)
            trim_interval(pair, RIGHT_LOW, vertex, ends, out, reference, side)
            if low[edge] < depth[vertex]:  # it is on the side of the highest edge that returns
                left = pair[LEFT_HIGH]
                right = pair[RIGHT_HIGH]
                is_left = left >= 0 and (right < 0 or low[left] > low[right])
                reference[edge] = left if is_left else right
            break
        if pair[LEFT_LOW] >= 0:
            side[pair[LEFT_LOW]] = -1
        n_pairs -= 1
    return n_pairs


@njit
def divide(first, order, ends, out, depth, parent, low, position, reference, side, stack, bottom):
    """Divide the returning edges into two sides; return whether this is possible.

    Parameters, int64: `first` (vertices + 1,) and `order` (edges,), the edges that leave each
    vertex, by their nesting; `ends`, `out`, `depth` and `parent` of `orient`; `low` (edges,), the
    smallest depth to which each edge returns; `position` (vertices,), modified, a copy of `first`.
    Written: `reference` (edges,), -1 before, the edge to which the side of each is relative, and
    `side` (edges,), 1 before, that is 1 or -1; `stack` (edges + 1, 4) of pairs, of which the last
    one is work space, and `bottom` (2, edges) with rows N_BEFORE and RETURNING.
    """
    n_pairs = np.int64(0)
    vertex = np.int64(0)
    while True:
        if position[vertex] < first[vertex + 1]:  # the next edge, which goes down or returns
            edge = order[position[vertex]]
            head = ends[out[edge] ^ 1]
            bottom[N_BEFORE, edge] = n_pairs
            if parent[head] == edge:
                vertex = head
                continue
            bottom[RETURNING, edge] = edge
            stack[n_pairs] = NONE
            stack[n_pairs, RIGHT_LOW:] = edge
            n_pairs += 1
        else:  # up along the edge of the tree
            edge = parent[vertex]
            if edge < 0:
                return True
            n_pairs = leave_vertex(edge, ends, out, depth, low, reference, side, stack, n_pairs)
            vertex = ends[out[edge]]
        above = parent[vertex]
        if low[edge] < depth[vertex]:  # the edge, or one below it, returns to above the vertex
            if position[vertex] == first[vertex]:  # which returns highest, as edges are nested
                bottom[RETURNING, above] = bottom[RETURNING, edge]
            else:  # it must not cross the edges before it
                n_pairs = merge_pairs(edge, above, low, reference, stack, n_pairs, bottom)
                if n_pairs < 0:
                    return False
        position[vertex] += 1


def resolve(reference: Ints, side: Ints) -> Ints:
    """Return the absolute sides, given those of `divide`.

    A side is relative to that of a reference, whose side may be relative, too: in each round, all
    edges multiply by the side of their reference, and refer to its reference.
    """
    root = len(side)
    reference = np.append(np.where(reference < 0, root, reference), root)
    side = np.append(side, 1)
    while np.any(reference < root):
        side *= side[reference]
        reference = reference[reference]
    return side[:-1]


@njit
def trace(first, order, ends, out, parent, position, index, branch):
    """Number the edges in the order in which a depth-first search takes them.

    Parameters, int64: `first`, `order`, `ends`, `out`, `parent` and `position` of `divide`, where
    `order` is now by nesting times side. Written: `index` (edges,), the number of each edge, and
    `branch` (edges,), of each edge that returns the position in `order` of the edge of the tree by
    which the search left its head.
    """
    vertex = np.int64(0)
    n_traced = 0
    while True:
        if position[vertex] < first[vertex + 1]:
            edge = order[position[vertex]]
            index[edge] = n_traced
            n_traced += 1
            head = ends[out[edge] ^ 1]
            if parent[head] == edge:
                vertex = head
                continue
            branch[edge] = position[head]
        elif parent[vertex] < 0:
            return
        else:
            vertex = ends[out[parent[vertex]]]
        position[vertex] += 1


@njit
def count_faces(turn, face):
    """Number the faces: `turn` (halves,), and `face` (halves,) int64, -1 before, which is written.

    Returns their number.
    """
    n_faces = 0
    for begin in range(len(turn)):
        if face[begin] >= 0:
            continue
        half = begin
        while face[half] < 0:
            face[half] = n_faces
            half = turn[half ^ 1]
        n_faces += 1
    return n_faces


@njit
def choose_signs(turn, face, is_odd, is_reached, entry, sign):
    """Orient each edge such that each face but one has an odd number of edges in its direction.

    Parameters: `turn` and `face` (halves,), as in `Embedding`; `is_odd` (faces,) int64, modified,
    whether the number of first halves is odd; `is_reached` (faces,) bool, 0 before, and `entry`
    (faces,) int64, work space. Written: `sign` (edges,) int64, 1 before, -1 if an edge leads from
    its second half to its first one.
    """
    # Reach each face from another one: its entry is a half on the edge between them.
    is_reached[face[0]] = True
    entry[0] = 0
    n_reached = 1
    for at in range(len(entry)):
        half = entry[at]
        while True:
            half = turn[half ^ 1]
            if not is_reached[face[half ^ 1]]:
                is_reached[face[half ^ 1]] = True
                entry[n_reached] = half ^ 1
                n_reached += 1
            if half == entry[at]:
                break
    # Reverse this edge if need be, after those between the face and others reached from it.
    for at in range(n_reached - 1, 0, -1):
        half = entry[at]
        if is_odd[face[half]] == 0:
            sign[half >> 1] = -1
            is_odd[face[half ^ 1]] ^= 1


def orient_faces(embedding: Embedding) -> NDArray[Any]:
    """Return Kasteleyn's signs of the edges of a plane graph, of shape (edges,).

    The matchings of a graph with an even number of vertices are then the terms of a Pfaffian, and
    have the same sign.
    """
    face = embedding.face
    n_faces = int(face.max()) + 1
    is_odd = np.bincount(face[::2], minlength=n_faces) & 1
    sign = np.ones(len(face) // 2, np.int64)
    work = np.zeros(n_faces, np.bool_), np.zeros(n_faces, np.int64)
    choose_signs(embedding.turn, face, is_odd, *work, sign)
    return sign
