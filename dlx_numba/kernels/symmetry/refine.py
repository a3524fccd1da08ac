"""Refine ordered partitions of the vertices of a graph until they are equitable.

In an equitable partition, all vertices of a cell have equally many neighbors in each cell. The
partition is an array of the vertices in which the cells are contiguous; a cell is identified by the
position of its first vertex. A refinement depends on the graph and the cells only, not on the
numbers of the vertices, so that isomorphic graphs are refined in the same way.

The kernels share the parameters `partition` and `workspace`, whose arrays are described below;
vertices and positions, of which cells are some, are uint32 or int64.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..sorting import sort_short

Vertices = NDArray[np.uint32]
MASK = 2**52 - 1
EDGES_PER_SLICE = 1 << 17  # some milliseconds, or tens of them if there are a million options
# The queue's ends; the trace; how many cells are new; the splitting cell, the positions of the next
# vertex in it and of its end, how many edges of this vertex are counted, and how many cells are hit
HEAD, END, TRACE, N_NEW, SPLITTER, NEXT, SPLITTER_END, N_COUNTED, N_CELLS = range(9)


class Partition(NamedTuple):
    """An ordered partition of n vertices: uint32 arrays of shape (n,)."""

    order: Vertices  # the vertices, cell by cell
    position: Vertices  # of each vertex in `order`
    cell: Vertices  # the cell of each vertex
    size: Vertices  # of the cell that begins at a position; 0 where none begins


class RefinementWorkspace(NamedTuple):
    """Arrays that refinements use, of shape (n,); the first three are zeros between two calls."""

    is_queued: NDArray[np.bool_]
    n_hits: Vertices  # how many vertices of a cell have neighbors in the splitting cell
    n_neighbors: Vertices  # the neighbors of a vertex in the splitting cell
    queue: Vertices  # a ring of cells
    hit: Vertices  # the cells that have hits
    new: Vertices  # the cells that were split off from those on their left, in this order
    register: NDArray[np.int64]  # indexed by HEAD and so on

    @classmethod
    def allocate(cls, n: int) -> "RefinementWorkspace":
        """Return arrays for n vertices."""
        hits, neighbors, queue, hit, new = np.zeros((5, n), np.uint32)
        register = np.zeros(9, np.int64)
        return cls(np.zeros(n, np.bool_), hits, neighbors, queue, hit, new, register)


@njit
def swap(partition, position, other):
    """Swap the vertices at two positions of the same cell. Modifies `partition`."""
    order = partition.order
    order[position], order[other] = order[other], order[position]
    partition.position[order[position]] = position
    partition.position[order[other]] = other


@njit
def split_cell(partition, workspace, cell):
    """Split a cell, a position, by the counts of its vertices, in ascending order.

    Vertices that have no hits are at its beginning, and the others follow. Modifies `partition` and
    `workspace`. Returns a number that depends on the sizes and counts of the fragments.
    """
    order, _, cell_of, size = partition
    count = workspace.n_neighbors
    is_queued = workspace.is_queued
    queue = workspace.queue
    register = workspace.register
    cell_size = np.int64(size[cell])
    n_hits = np.int64(workspace.n_hits[cell])
    cell_end = np.int64(cell) + cell_size
    workspace.n_hits[cell] = 0
    was_queued = is_queued[cell]
    # The vertices without hits remain in place; the others are divided by their numbers of hits.
    begin = cell_end - n_hits
    trace = begin
    largest = np.int64(cell)
    largest_size = begin - np.int64(cell)
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
        if begin != cell:
            workspace.new[register[N_NEW]] = begin
            register[N_NEW] += 1
        if fragment_end - begin > largest_size:
            largest = begin
            largest_size = fragment_end - begin
        begin = fragment_end
    # The largest fragment need not be queued: what it would split, the others split.
    begin = np.int64(cell)
    while begin < cell_end:
        if not is_queued[begin] and (was_queued or begin != largest):
            is_queued[begin] = True
            queue[register[END] % len(queue)] = begin
            register[END] += 1
        begin += np.int64(size[begin])
    return trace


@njit
def individualize(partition, workspace, vertex):
    """Divide the cell of a vertex into the others and, after them, the vertex as a cell of its own.

    Only the new cell is queued: the partition was equitable before. Modifies `partition` and
    `workspace`.
    """
    _, position, cell_of, size = partition
    register = workspace.register
    cell = np.int64(cell_of[vertex])
    last = cell + np.int64(size[cell]) - 1
    swap(partition, position[vertex], last)
    cell_of[vertex] = last
    size[cell] -= 1
    size[last] = 1
    workspace.new[register[N_NEW]] = last
    register[N_NEW] += 1
    workspace.queue[0] = last
    workspace.is_queued[last] = True
    register[HEAD] = 0
    register[END] = 1
    register[TRACE] = 0


@njit
def unite(partition, workspace, n_new):
    """Undo all splits but the first `n_new` ones. Modifies `partition` and `workspace`.

    In reverse order, each new cell is united with the cell on its left, from which it was split.
    """
    order, _, cell_of, size = partition
    register = workspace.register
    while register[N_NEW] > n_new:
        register[N_NEW] -= 1
        begin = np.int64(workspace.new[register[N_NEW]])
        left = np.int64(cell_of[order[begin - 1]])
        for k in range(begin, begin + np.int64(size[begin])):
            cell_of[order[k]] = left
        size[left] += size[begin]
        size[begin] = 0


@njit
def refine(start, adjacent, partition, workspace, budget):
    """Refine a partition until no cell is queued, or the budget of edges is spent.

    Parameters: `start` (n + 1,) int64 and `adjacent` (edges,) uint32, a graph; `partition`;
    `workspace`; `budget` int64. Modifies `partition` and `workspace`. Returns whether no cell is
    queued. Then the trace in `workspace.register` is equal for isomorphic graphs, partitions and
    individualized vertices.
    """
    order, position, cell_of, size = partition
    is_queued, n_hits, n_neighbors, queue, hit, _, register = workspace
    n = len(order)
    while budget > 0:
        if register[NEXT] == register[SPLITTER_END]:
            if register[HEAD] == register[END]:
                return True
            splitter = np.int64(queue[register[HEAD] % n])
            register[HEAD] += 1
            is_queued[splitter] = False
            register[SPLITTER] = splitter
            register[NEXT] = splitter
            register[SPLITTER_END] = splitter + np.int64(size[splitter])
        # Count the edges from the splitter to each vertex, which moves to the end of its cell.
        place = register[NEXT]
        n_cells = register[N_CELLS]
        while place < register[SPLITTER_END] and budget > 0:
            begin = start[order[place]] + register[N_COUNTED]
            end = start[order[place] + 1]
            if end - begin > budget:
                end = begin + budget
            for edge in range(begin, end):
                neighbor = adjacent[edge]
                if n_neighbors[neighbor] == 0:
                    cell = np.int64(cell_of[neighbor])
                    if n_hits[cell] == 0:
                        hit[n_cells] = cell
                        n_cells += 1
                    n_hits[cell] += 1
                    swap(partition, position[neighbor], cell + size[cell] - n_hits[cell])
                n_neighbors[neighbor] += 1
            budget -= 1 + end - begin
            register[N_COUNTED] += end - begin
            if end == start[order[place] + 1]:
                place += 1
                register[N_COUNTED] = 0
        register[NEXT] = place
        register[N_CELLS] = n_cells
        if place < register[SPLITTER_END]:
            return False
        register[N_CELLS] = 0
        sort_short(hit[:n_cells])  # so that the trace does not depend on the numbers of vertices
        trace = register[TRACE]
        for k in range(n_cells):
            cell = np.int64(hit[k])
            last = cell + np.int64(size[cell])
            first = last - np.int64(n_hits[cell])
            trace = (trace * 31 + cell * 17 + split_cell(partition, workspace, cell)) & MASK
            for j in range(first, last):
                n_neighbors[order[j]] = 0
        register[TRACE] = (trace * 31 + register[SPLITTER]) & MASK
    return False
