"""Passes over a diagram: a directed acyclic graph whose paths are covers.

A node stands for a subproblem, and each of its edges for an option that a cover may continue with;
it leads to the node of the subproblem that remains. Node 0 (FALSE) represents no cover, and node 1
(TRUE) the empty cover; neither has edges. Nodes are numbered such that edges lead to lower numbers,
so that one pass in ascending order computes a property of all subproblems from those below, and one
pass in descending order a property of all ways to reach them. A kernel does a part of a pass, the
nodes from `begin` up to `end`, so that passes over large diagrams can be stopped. The root is the
last node. A diagram without covers consists of FALSE only; the kernels require at least TRUE.

With multiplicities, an edge may have the number of options instead of an option: no option is
chosen. Then `options` below counts one more.

Numbers of covers are stored as limbs, 32 bits each, the lowest first: neither a sum nor a product
of two limbs, with a carry, exceeds 64 bits.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..csr import row_range
from .explore import FALSE, TRUE, Diagram

Limbs = NDArray[np.uint32]

LIMB_BITS = np.uint64(32)
LIMB_MASK = np.uint64(2**32 - 1)
NO_COST = 2**62  # higher than the cost of any cover
POSSIBLE = 1  # marks nodes that have a cover
REACHED = 2  # marks nodes on a path from the root

# Indices of the sizes of a diagram
N_NODES = 0
N_EDGES = 1
# Indices of `Path.state`
LEVEL = 0
LENGTH = 1


@njit
def add_limbs(sums, row, addends, other):
    """Add `addends[other]` to `sums[row]`. Returns the carry, 0 unless the sum has too many bits.

    Parameters: `sums`, `addends` (rows, limbs) uint32. Modifies `sums`.
    """
    carry = np.uint64(0)
    for k in range(sums.shape[1]):
        total = np.uint64(sums[row, k]) + np.uint64(addends[other, k]) + carry
        sums[row, k] = total & LIMB_MASK
        carry = total >> LIMB_BITS
    return carry


@njit
def add_product(sums, row, factors, one, others, other):
    """Add `factors[one] * others[other]` to `sums[row]`. The sum must fit.

    Parameters: `sums`, `factors`, `others` (rows, limbs) uint32. Modifies `sums`.
    """
    n_limbs = sums.shape[1]
    for i in range(n_limbs):
        factor = np.uint64(factors[one, i])
        if factor == np.uint64(0):
            continue
        carry = np.uint64(0)
        for k in range(n_limbs - i):
            product = factor * np.uint64(others[other, k])
            total = product + np.uint64(sums[row, i + k]) + carry
            sums[row, i + k] = total & LIMB_MASK
            carry = total >> LIMB_BITS


@njit
def count_below(diagram, begin, end, counts):
    """Compute for each node the number of covers of its subproblem, in ascending order.

    Parameters: `diagram`; the nodes; `counts` (nodes, limbs) uint32, 1 for TRUE and otherwise 0.
    Modifies `counts`. Returns whether the counts fit; otherwise, `counts` needs more limbs.
    """
    for node in range(begin, end):
        for edge in row_range(diagram.start, node):
            if add_limbs(counts, node, counts, diagram.child[edge]):
                return False
    return True


@njit
def count_above(diagram, begin, end, counts):
    """Compute for each node the number of paths from the root, in descending order.

    Parameters: `diagram`; the nodes; `counts` (nodes, limbs) uint32, 1 for the root and otherwise
    0. Modifies `counts`.
    """
    for node in range(end - 1, begin - 1, -1):
        for edge in row_range(diagram.start, node):
            add_limbs(counts, diagram.child[edge], counts, node)


@njit
def count_options(diagram, begin, end, above, below, frequencies):
    """Compute for each option the number of covers that contain it, in any order of nodes.

    Parameters: `diagram`; the nodes; `above`, `below` (nodes, limbs) uint32, as `count_above` and
    `count_below` compute them; `frequencies` (options, limbs) uint32, zeros. Modifies
    `frequencies`.
    """
    for node in range(begin, end):
        for edge in row_range(diagram.start, node):
            add_product(frequencies, diagram.option[edge], above, node, below, diagram.child[edge])


@njit
def copy_nodes(source, begin, end, below, number, is_removed, diagram, sizes, no_option):
    """Add nodes to a diagram, except those without covers or choices, in ascending order.

    Parameters: `source`, `Diagram`, of which the nodes from `begin` to `end` are copied if their
    `number` (nodes,) uint32 is REACHED; `below` (nodes,) uint32, the new numbers of the nodes that
    edges lead to, which may be `number`; `is_removed` (options,) bool, whether edges are left out;
    `diagram`, modified; `sizes` (2,) int64, modified: N_NODES and N_EDGES;
    `no_option` int64, the number that edges without an option have, or -1 if there are none.
    Modifies `number`: the marks are replaced by the new numbers, FALSE for nodes without covers.
    """
    for row in range(begin, end):
        n_edges = sizes[N_EDGES]
        last = no_option
        if number[row] == REACHED:
            for edge in row_range(source.start, row):
                child = below[source.child[edge]]
                if child != FALSE and not is_removed[source.option[edge]]:
                    last = source.option[edge]
                    diagram.option[n_edges] = last
                    diagram.child[n_edges] = child
                    n_edges += 1
        number[row] = FALSE
        # A node whose only edge has no option leaves no choice: its child takes its place.
        if n_edges == sizes[N_EDGES] + 1 and last == no_option:
            number[row] = diagram.child[sizes[N_EDGES]]
        elif n_edges > sizes[N_EDGES]:
            number[row] = sizes[N_NODES]
            sizes[N_NODES] += 1
            sizes[N_EDGES] = n_edges
            diagram.start[sizes[N_NODES]] = n_edges


@njit
def find_covers(diagram, below, positions, n_options, options, ends):
    """Find the covers at some positions in the order of the search.

    Parameters: `diagram`; `below` (nodes, limbs) uint32; `positions` (covers, limbs) uint32, each
    less than the number of covers; `n_options` int64, of the problem; `options` (covers * options
    in a cover,) uint32; `ends` (covers,) int64. Modifies `positions`, `options` and `ends`: the
    ends of the covers in `options`.
    """
    end = 0
    n_limbs = below.shape[1]
    for row in range(len(positions)):
        node = np.int64(len(diagram.start) - 2)
        while node != TRUE:
            for edge in row_range(diagram.start, node):
                child = np.int64(diagram.child[edge])
                # Whether the position is below the number of covers of the child: the highest limb
                # that differs decides, which is the last one.
                is_less = False
                for k in range(n_limbs):
                    if positions[row, k] != below[child, k]:
                        is_less = positions[row, k] < below[child, k]
                if is_less:
                    options[end] = diagram.option[edge]  # stays only if there is an option
                    end += diagram.option[edge] < n_options
                    node = child
                    break
                # Subtract the covers of this child, which come first, in limbs of 32 bits.
                borrow = np.int64(0)
                for k in range(n_limbs):
                    rest = np.int64(positions[row, k]) - np.int64(below[child, k]) - borrow
                    borrow = np.int64(rest < 0)
                    positions[row, k] = rest + (borrow << 32)
        ends[row] = end


class Path(NamedTuple):
    """The path of an enumeration of the covers; the levels are those of its nodes."""

    edge: NDArray[np.int64]  # (levels,) the next edge to try
    end: NDArray[np.int64]  # (levels,) the last edge of the node, plus 1
    place: NDArray[np.int64]  # (levels,) where the option of the edge to the next node is in `row`
    row: NDArray[np.uint32]  # (options + 1,) the ascending options of the edges taken
    state: NDArray[np.int64]  # (2,) LEVEL, -1 at the end, and LENGTH, of the options in `row`


@njit
def insert_option(row, length, option):
    """Insert an option into the ascending `row[:length]`, and return its position."""
    while length > 0 and row[length - 1] > option:
        row[length] = row[length - 1]
        length -= 1
    row[length] = option
    return length


@njit
def list_covers(diagram, path, n_options, options, ends):
    """Write the next covers in the order of the search, until `options` or `ends` is full.

    Parameters: `diagram`; `path`, at first with the edges of the root at level 0, which must not be
    TRUE, and with options that belong to all covers in `row`; `n_options` int64, of the problem;
    `options` (n,) uint32, with space for a cover; `ends` (covers,) int64. Modifies the path,
    `options` and `ends`: the ascending options of one cover after another, and their ends. Returns
    the number of covers.
    """
    level = path.state[LEVEL]
    length = path.state[LENGTH]
    row = path.row
    n_rows = 0
    end = 0
    # The next edge may add an option to `row`, and then complete a cover: hence `<`.
    while level >= 0 and n_rows < len(ends) and end + length < len(options):
        edge = path.edge[level]
        if edge < path.end[level]:  # go down; at TRUE, write a cover, and go back at once
            path.edge[level] = edge + 1
            option = diagram.option[edge]
            child = diagram.child[edge]
            place = length
            if option < n_options:
                place = insert_option(row, length, option)
                length += 1
            path.place[level] = place
            if child != TRUE:
                level += 1
                path.edge[level] = diagram.start[child]
                path.end[level] = diagram.start[child + 1]
                continue
            for k in range(length):
                options[end + k] = row[k]
            end += length
            ends[n_rows] = end
            n_rows += 1
        else:  # all edges of the node are tried: go back
            level -= 1
            if level < 0:
                break
            option = diagram.option[path.edge[level] - 1]
        if option < n_options:  # remove the option of the edge that was left, or led to TRUE
            length -= 1
            for k in range(path.place[level], length):
                row[k] = row[k + 1]
    path.state[LEVEL] = level
    path.state[LENGTH] = length
    return n_rows


@njit
def find_cheapest(diagram, first, last, cost, best, edge_of, rank_of, rank):
    """Compute the covers of lowest cost of each subproblem, in ascending order of nodes and costs.

    Of equal costs, those that the search finds first come first. Cover `r` of a node consists of
    the option of the edge `edge_of[node, r]` and of cover `rank_of[node, r]` of its child. The
    covers of a child are in this order, too, so the covers of a node are merged: `rank` has the
    next cover of the child of each edge.

    Parameters: `diagram`; the nodes from `first` up to `last`; `cost` (options,) int64; `best`
    (nodes, k) int64, for TRUE 0 and then NO_COST, and NO_COST for FALSE; `edge_of` (nodes, k)
    int64; `rank_of` (nodes, k) int32; `rank` (edges of a node,) int32. Modifies the last four.
    """
    k = best.shape[1]
    for node in range(first, last):
        begin = diagram.start[node]
        end = diagram.start[node + 1]
        rank[: end - begin] = 0
        for r in range(k):
            lowest = NO_COST
            choice = begin
            for edge in range(begin, end):
                if rank[edge - begin] < k:
                    rest = best[diagram.child[edge], rank[edge - begin]]
                    total = rest + cost[diagram.option[edge]]
                    if rest != NO_COST and total < lowest:
                        lowest = total
                        choice = edge
            if lowest == NO_COST:
                best[node, r:] = NO_COST
                break
            best[node, r] = lowest
            edge_of[node, r] = choice
            rank_of[node, r] = rank[choice - begin]
            rank[choice - begin] += 1


@njit
def mark_possible(diagram, begin, end, is_removed, number):
    """Mark the nodes that have a cover without certain options, in ascending order.

    Parameters: `diagram`; the nodes; `is_removed` (options,) bool; `number` (nodes,) uint32, 1 for
    TRUE and otherwise 0. Modifies `number`: POSSIBLE for nodes with a cover.
    """
    for node in range(begin, end):
        for edge in row_range(diagram.start, node):
            if number[diagram.child[edge]] and not is_removed[diagram.option[edge]]:
                number[node] = POSSIBLE
                break


@njit
def mark_reached(diagram, begin, end, is_removed, number):
    """Mark those of the nodes with a cover that are on a path from the root, in descending order.

    Parameters: as for `mark_possible`, with `number` as it leaves them, and REACHED for the root.
    Modifies `number`, (nodes,) uint32: REACHED for nodes that are reached.
    """
    for node in range(end - 1, begin - 1, -1):
        if number[node] == REACHED:
            for edge in row_range(diagram.start, node):
                child = diagram.child[edge]
                if number[child] and child != TRUE and not is_removed[diagram.option[edge]]:
                    number[child] = REACHED


def require_option(diagram: Diagram, option: int) -> Diagram:
    """Return a diagram of the covers that contain an option.

    There are two copies of each node: the first for after the option is chosen, the second, which
    follows all first ones, for before. Edges with the option lead from a second copy to a first
    one. The root is a second copy, so that only such an edge leads to TRUE. Some nodes have no
    cover, or no path from the root; `copy_nodes` can leave them out.
    """
    start, options, child = diagram
    n_copied = diagram.n_nodes - TRUE - 1
    before = np.where(child > TRUE, child + np.uint32(n_copied), np.uint32(FALSE))
    before = np.where(options == option, child, before).astype(np.uint32)
    starts = np.concatenate([start, start[TRUE + 2 :] + start[-1]])
    return Diagram(starts, np.tile(options, 2), np.concatenate([child, before]))
