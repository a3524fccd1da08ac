"""The matrix whose determinant is the number of perfect matchings of a plane graph, or its square.

References
----------
P. W. Kasteleyn, "Dimer statistics and phase transitions", 1963
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..components import label_components
from ..problem import Problem
from .embedding import Ints, embed, orient_faces

# Beyond, elimination would take hours, and the steps of an embedding more than tenths of a second.
MAX_VERTICES = 1 << 17


class Matrix(NamedTuple):
    """A sparse square matrix: `rows`, `columns` and `values` (entries,) int64, and its size.

    Its determinant is the number of matchings up to its sign; the square of it if `is_square`.
    """

    rows: Ints
    columns: Ints
    values: Ints
    size: int
    is_square: bool

    def bits(self) -> int:
        """Return an upper bound of the bits of the determinant: Hadamard's, of rows or columns."""
        squares = self.values.astype(np.float64) ** 2
        # The logarithm of the product of the norms, slightly enlarged against rounding
        norms = [
            math.fsum(np.log2(np.bincount(lines, squares, self.size).clip(1)).tolist()) / 2
            for lines in (self.rows, self.columns)
        ]
        return math.ceil(min(norms) * (1 + 2**-40)) + 1


def has_choices(problem: Problem) -> bool:
    """Return whether an item has several options."""
    return bool(np.bincount(problem.items).max(initial=0) > 1)


def has_pairs(problem: Problem) -> bool:
    """Return whether each option has two items, which are covered once, and these are not many."""
    return (
        problem.n_secondary == 0
        and problem.n_primary <= MAX_VERTICES
        and problem.color is None
        and problem.low is None
        and problem.total_low is None
        and len(problem.items) == 2 * problem.n_options > 0
        and bool((np.diff(problem.indptr) == 2).all())
    )


def matching_matrix(problem: Problem) -> Matrix | None:
    """Return the matrix of a problem of pairs, or None if its graph is not planar.

    It is empty if the numbers of items show that there is no matching.

    Parameters
    ----------
    problem : Problem
        `has_pairs` holds.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> square = ExactCover([["a", "b"], ["b", "c"], ["c", "d"], ["d", "a"]])
    >>> matrix = matching_matrix(square.problem)
    >>> matrix.size, matrix.values.tolist(), matrix.bits()
    (2, [1, 1, -1, 1], 3)
    """
    n_vertices = problem.n_primary
    pairs = np.sort(problem.items.reshape(-1, 2), axis=1).astype(np.int64)
    keys, weights = np.unique(pairs[:, 0] * n_vertices + pairs[:, 1], return_counts=True)
    # Edges of weight 0 connect the components, of which small problems may have several.
    label = np.empty(n_vertices, np.int64)
    label_components(problem.indptr, problem.items, n_vertices, label)
    starts = np.flatnonzero(label == np.arange(n_vertices))[1:]
    keys, weights = np.append(keys, starts), np.append(weights, np.zeros_like(starts))
    low, high = np.divmod(keys, n_vertices)
    embedding = embed(np.column_stack((low, high)).ravel(), n_vertices)
    if embedding is None:
        return None
    values = orient_faces(embedding) * weights
    is_odd = embedding.depth & 1 == 1
    size = n_vertices - int(np.count_nonzero(is_odd))
    is_bipartite = bool((is_odd[low] != is_odd[high]).all())
    # There is no matching if the halves of a bipartite graph differ in size, or of any graph with
    # an odd number of vertices.
    if 2 * size != n_vertices if is_bipartite else n_vertices % 2:
        nothing = values[:0]
        return Matrix(nothing, nothing, nothing, 1, False)
    if not is_bipartite:
        rows = np.append(low, high)
        columns = np.append(high, low)
        return Matrix(rows, columns, np.append(values, -values), n_vertices, True)
    # Of a bipartite graph, one half of the matrix suffices.
    number = np.where(is_odd, np.cumsum(is_odd), np.cumsum(~is_odd)) - 1
    rows = number[np.where(is_odd[low], high, low)]
    columns = number[np.where(is_odd[low], low, high)]
    return Matrix(rows, columns, np.where(is_odd[low], -values, values), size, False)
