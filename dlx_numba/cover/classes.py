"""The classes of covers that contain the same of some items."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..kernels.cover_array import (
    CoverArray,
    Translation,
    as_array,
    join_covers,
    select_covers,
    sort_covers,
)
from ..kernels.csr import group
from ..kernels.problem import Problem
from .names import Names, as_text
from .spelling import simplify_names, suggest

UNCHOSEN = 1  # the value of an item that no chosen option contains


class ClassFilter:
    """The classes of the covers so far, by the numbers of all that matters in a cover."""

    def __init__(self, aspects: Sequence[Mapping[int, int]], n_options: int) -> None:
        self._known: set[bytes] = set()
        numbers: dict[tuple[int, int], int] = {}  # of the values of each aspect
        uses = [list[int]() for _ in range(n_options)]
        for k, values in enumerate(aspects):
            for option, value in values.items():
                uses[option].append(numbers.setdefault((k, value), len(numbers)))
        self._uses = as_array(uses)
        self.n_values = max(map(len, uses), default=0)  # of an option, at most

    def first(self, covers: CoverArray) -> NDArray[np.int64]:
        """Return which covers are the first ones of their classes."""
        covers, first = join_covers([covers]), list[int]()
        uses = select_covers(self._uses, covers.options.astype(np.int64))
        ends = uses.indptr[covers.indptr]
        found = sort_covers(uses.options.view(np.uint32), ends, Translation())
        content = found.options.tobytes()
        ends = (found.options.itemsize * found.indptr).tolist()
        for k, (begin, end) in enumerate(pairwise(ends)):
            if (key := content[begin:end]) not in self._known:
                self._known.add(key)
                first.append(k)
        return np.array(first, np.int64)


def find_aspects(
    problem: Problem, names: Names, distinct: Iterable[Hashable]
) -> list[dict[int, int]]:
    """Return for each item that matters the options that contain it, with a color of each, from 2.

    Items that all covers contain equally often, without a color, do not matter.
    """
    color_of = {name: k for k, name in enumerate(names.colors, 1)}
    option_of_node = problem.option_of_node()
    colors = problem.node_colors
    is_usable = problem.has_primary[option_of_node]
    by_item, start = group(problem.items, problem.n_items)
    n_stated = names.n_stated
    n_primary = problem.n_primary
    _, low, high = problem.costs_and_bounds
    aspects: list[dict[int, int]] = []
    for entry in dict.fromkeys(distinct):
        item = names.item_numbers.get(entry)
        color = None
        if item is None and isinstance(entry, tuple) and len(entry) == 2:
            item = names.item_numbers.get(entry[0])
            color = color_of.get(entry[1])
            item = None if color is None else item
        if item is None:
            hint = suggest(entry, simplify_names(names.items))
            raise ValueError(f"distinct: {as_text(entry)!r} is not an item{hint}")
        nodes = by_item[start[item] : start[item + 1]]
        nodes = nodes[is_usable[nodes]]
        if color is not None:
            nodes = nodes[colors[nodes] == color]
        options = option_of_node[nodes].tolist()
        values = (UNCHOSEN + 1 + (colors[nodes] if color is None else 0 * nodes)).tolist()
        is_fixed = (
            item < n_primary and low[item] == high[item] and max(options, default=0) < n_stated
        )
        if not is_fixed:
            pairs = zip(options, values, strict=True)
            aspects.append({option: value for option, value in pairs if option < n_stated})
    return aspects
