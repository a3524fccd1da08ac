"""The covers that a group fixes: the rows of a quotient problem stand for orbits of options."""

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.cover_array import CoverArray, Translation, as_array, select_covers, sort_covers
from ..kernels.csr import group
from .names import ContradictionError, Numbers, as_text, names_of

if TYPE_CHECKING:
    from ..kernels.memo.explore import Diagram


class Fixed:
    """The options for which the rows of a quotient problem stand.

    Parameters
    ----------
    original : NamedProblem
        The problem whose covers are found.
    row_of : ndarray of int64, shape (options,)
        The row of each of its options; -1 if no cover that the group fixes contains the option.
    n_rows : int
    """

    def __init__(self, original: Any, row_of: NDArray[np.int64], n_rows: int) -> None:
        self.original = original
        self.row_of = row_of
        self.n_rows = n_rows

    @cached_property
    def members(self) -> CoverArray:
        """The options of each row; a row that is the alternative to an option has none."""
        # Group 0 has the options without a row, which are -1 in `row_of`: `start[1:]` omits it.
        positions, start = group(self.row_of + 1, self.n_rows + 1)
        return CoverArray(positions.astype(np.int32), start[1:])

    def __reduce__(self) -> tuple[Any, ...]:
        return Fixed, (self.original, self.row_of, self.n_rows)

    def content(self) -> tuple[Any, ...]:
        """Return what determines the covers."""
        return self.original.content(), self.row_of.tolist()

    def name_rows(self) -> list[str]:
        """Return the name of the first option of each row; without any, "without 1" and so on."""
        first, end = self.members.indptr[:-1], self.members.indptr[1:]
        is_orbit = first < end
        own = self.original
        numbers = self.members.options[first[is_orbit]].tolist()
        names = map(as_text, names_of(own.problem, own.names, numbers))
        is_other = (~is_orbit).cumsum().tolist()
        # Rows in order: the next name of an orbit, or the next number of a row without options
        rows = zip(is_orbit.tolist(), is_other, strict=True)
        return [next(names) if has_name else f"without {k}" for has_name, k in rows]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of options of each row."""
        return np.diff(self.members.indptr)

    def expand(self, covers: Iterable[list[int]]) -> CoverArray:
        """Return the covers of the original problem for covers of the quotient problem.

        Each row of a cover is replaced by the options for which it stands.
        """
        rows = covers if isinstance(covers, CoverArray) else as_array(covers)
        start = rows.indptr - rows.indptr[0]  # of each cover in `stored`, the rows of all covers
        stored = rows.options[rows.indptr[0] : rows.indptr[-1]].astype(np.int64)
        options = select_covers(self.members, stored)
        return sort_covers(options.options.view(np.uint32), options.indptr[start], Translation())

    def rows(self, options: Sequence[Hashable], argument: str) -> Numbers:
        """Return the rows of options of the original problem.

        Raises ValueError if an option does not exist, and if no cover that the group fixes contains
        a given one.
        """
        numbers = np.array(self.original.numbers_of(options, argument), np.int64)
        rows = self.row_of[numbers]
        if argument == "given" and (impossible := numbers[rows < 0].tolist()):
            own = self.original
            reason = "given: no cover that the symmetries fix contains option {}"
            raise ContradictionError(reason, impossible[:1], own.names, own.problem)
        return Numbers(np.unique(rows[rows >= 0]).tolist())

    def expand_diagram(self, graph: "Diagram") -> "Diagram":
        """Return the graph of the covers of the original problem.

        An edge whose row has several options becomes a path of edges, one for each option, through
        new nodes. Edges of the same row to the same node share the new nodes. The first of them
        owns these nodes: their numbers precede that of the node which it leaves, as edges lead to
        lower numbers.
        """
        start, row, child = graph
        sizes = np.append(self.sizes, 0)[row]  # the last row stands for no option
        n_options = len(self.row_of)
        _, owner, path_of = np.unique(
            child.astype(np.int64) * (self.n_rows + 1) + row, return_index=True, return_inverse=True
        )
        # The number of new nodes that each edge owns, and of all those that edges before it own
        n_added = np.zeros(len(row), np.int64)
        n_added[owner] = np.maximum(sizes[owner] - 1, 0)
        before = np.append(0, np.cumsum(n_added))
        # The new number of each old node: new nodes of its own edges precede it, too. The new nodes
        # of an edge follow those of all earlier edges, and the old nodes before the one it leaves.
        number = np.arange(graph.n_nodes) + before[start[1:]]
        lowest = np.repeat(np.arange(graph.n_nodes), np.diff(start)) + before[:-1]
        lowest = lowest[owner][path_of]  # the node of the path from which an edge leads to `child`

        degrees = np.ones(graph.n_nodes + before[-1], np.int64)
        degrees[number] = np.diff(start)
        new_start = np.append(0, np.cumsum(degrees))
        option = np.full(new_start[-1], n_options, np.uint32)
        new_child = np.zeros(new_start[-1], np.uint32)
        # The old edges have the first option of their rows, and lead to the highest new node.
        shift = new_start[number] - start[:-1]
        edge = np.arange(len(row)) + np.repeat(shift, np.diff(start))
        first = np.append(self.members.indptr[:-1], 0)[row]  # where the options of its row begin
        members = self.members.options
        is_used = sizes > 0
        option[edge[is_used]] = members[first[is_used]]
        new_child[edge] = np.where(sizes > 1, lowest + sizes - 2, number[child])
        # Each new node has one edge. From the lowest node up, these edges have the options of the
        # row from the last one down; `rank` is the place of the new node, from 0, on its path.
        owner_of = np.repeat(np.arange(len(row)), n_added)
        rank = np.arange(len(owner_of)) - np.repeat(before[:-1], n_added)
        node = lowest[owner_of] + rank
        new_edge = new_start[node]
        option[new_edge] = members[first[owner_of] + sizes[owner_of] - 1 - rank]
        new_child[new_edge] = np.where(rank > 0, node - 1, number[child[owner_of]])
        return type(graph)(new_start, option, new_child)
