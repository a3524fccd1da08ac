"""Refine ordered partitions of the vertices of a graph until they are equitable.

In an equitable partition, all vertices of a cell have equally many neighbors in each cell. The
partition is an array of the vertices in which the cells are contiguous; a cell is identified by the
position of its first vertex. A refinement depends on the graph and the cells only, not on the
numbers of the vertices, so that isomorphic graphs are refined in the same way.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit

Vertices = NDArray[np.uint32]
MASK = 2**52 - 1


class Partition(NamedTuple):
    """An ordered partition of n vertices: uint32 arrays of shape (n,)."""

    order: Vertices  # the vertices, cell by cell
    position: Vertices  # of each vertex in `order`
    cell: Vertices  # the cell of each vertex
    size: Vertices  # of the cell that begins at a position; 0 where none begins

    def copy(self) -> "Partition":
        """Return a copy."""
        return Partition(*np.stack(self))

    def assign(self, other: "Partition") -> None:
        """Overwrite the arrays with those of another partition."""
        for array, values in zip(self, other, strict=True):
            array[:] = values


class Workspace(NamedTuple):
    """Arrays that refinements use, of shape (n,); the first three are zeros between two calls."""

    is_queued: NDArray[np.bool_]
    n_hits: Vertices  # how many vertices of a cell have neighbors in the splitting cell
    n_neighbors: Vertices  # the neighbors of a vertex in the splitting cell
    queue: Vertices  # a ring of cells
    hit: Vertices  # the cells that have hits

    @classmethod
    def allocate(cls, n: int) -> "Workspace":
        """Return arrays for n vertices."""
        return cls(np.zeros(n, np.bool_), *np.zeros((4, n), np.uint32))


@njit
def swap(partition, position, other):
    """Swap the vertices at two positions of the same cell. Modifies `partition`."""
    order = partition.order
    order[position], order[other] = order[other], order[position]
    partition.position[order[position]] = position
    partition.position[order[other]] = other


@njit
def sort_prefix(array, n):
    """Sort the first n elements of a uint32 array in place, by Shell's method."""
    gap = 1
    while gap < n:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, n):
            value = array[k]
            j = k
            while j >= gap and array[j - gap] > value:
                array[j] = array[j - gap]
                j -= gap
            array[j] = value
        gap //= 3


@njit
def split_cell(partition, workspace, cell, end):
    """Split a cell by the counts of its vertices, in ascending order.

    Vertices that have no hits are at its beginning, and the others follow. Parameters: `partition`;
    `workspace`; `cell`, a position; `end`, the end of the queue, which counts all cells that were
    ever in it. Modifies `partition` and `workspace`. Returns the new end of the queue, and a number
    that depends on the sizes and counts of the fragments.
    """
    order, _, cell_of, size = partition
    count, is_queued, queue = workspace.n_neighbors, workspace.is_queued, workspace.queue
    cell_size, n_hits = np.int64(size[cell]), np.int64(workspace.n_hits[cell])
    cell_end = np.int64(cell) + cell_size
    workspace.n_hits[cell] = 0
    was_queued = is_queued[cell]
    begin = cell_end - n_hits
    trace = begin
    largest, largest_size = np.int64(cell), begin - np.int64(cell)
    if largest_size > 0:
        size[cell] = largest_size
    while begin < cell_end:
        lowest = count[order[begin]]
        for k in range(begin + 1, cell_end):
            lowest = min(lowest, count[order[k]])
        fragment_end = begin
        for k in range(begin, cell_end):
            vertex = order[k]
            if count[vertex] == lowest:
                swap(partition, k, fragment_end)
                cell_of[vertex] = begin
                fragment_end += 1
        trace = (trace * 31 + np.int64(lowest) * 1009 + fragment_end) & MASK
        size[begin] = fragment_end - begin
        if fragment_end - begin > largest_size:
            largest, largest_size = begin, fragment_end - begin
        begin = fragment_end
    begin = np.int64(cell)
    while begin < cell_end:
        if not is_queued[begin] and (was_queued or begin != largest):
            is_queued[begin] = True
            queue[end % len(queue)] = begin
            end += 1
        begin += np.int64(size[begin])
    return end, trace


@njit
def refine(start, adjacent, partition, workspace, vertex):
    """Refine a partition until it is equitable.

    Parameters: `start` (n + 1,) int64 and `adjacent` (edges,) uint32, a graph; `partition`;
    `workspace`; `vertex` int64, which first becomes a cell of its own, or -1 if the partition has
    not been refined yet. Modifies `partition` and `workspace`. Returns an int64 that is equal for
    isomorphic graphs, partitions and vertices.
    """
    order, position, cell_of, size = partition
    is_queued, n_hits, n_neighbors, queue, hit = workspace
    n = len(order)
    head, end, trace = 0, 0, 0
    if vertex >= 0:
        cell = np.int64(cell_of[vertex])
        swap(partition, position[vertex], cell)
        for k in range(cell + 1, cell + np.int64(size[cell])):
            cell_of[order[k]] = cell + 1
        size[cell + 1] = size[cell] - 1
        size[cell] = 1
        queue[0] = cell
        is_queued[cell] = True
        end = 1
    else:
        for cell in range(n):
            if size[cell]:
                queue[end] = cell
                is_queued[cell] = True
                end += 1
    while head < end:
        splitter = np.int64(queue[head % n])
        head += 1
        is_queued[splitter] = False
        splitter_end = splitter + np.int64(size[splitter])
        n_cells = 0
        for k in range(splitter, splitter_end):
            for edge in range(start[order[k]], start[order[k] + 1]):
                neighbor = adjacent[edge]
                if n_neighbors[neighbor] == 0:
                    cell = np.int64(cell_of[neighbor])
                    if n_hits[cell] == 0:
                        hit[n_cells] = cell
                        n_cells += 1
                    n_hits[cell] += 1
                    swap(partition, position[neighbor], cell + size[cell] - n_hits[cell])
                n_neighbors[neighbor] += 1
        sort_prefix(hit, n_cells)
        for k in range(n_cells):
            cell = np.int64(hit[k])
            first, last = (
                cell + np.int64(size[cell]) - np.int64(n_hits[cell]),
                cell + np.int64(size[cell]),
            )
            end, part = split_cell(partition, workspace, cell, end)
            trace = (trace * 31 + cell * 17 + part) & MASK
            for j in range(first, last):
                n_neighbors[order[j]] = 0
        trace = (trace * 31 + splitter) & MASK
    return trace
