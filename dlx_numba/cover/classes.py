"""The classes of covers that contain the same of some items."""

from collections.abc import Hashable, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.cover_array import (
    CoverArray,
    Translation,
    join_covers,
    select_covers,
    sort_covers,
)
from ..kernels.csr import group, join_ranges, renumber
from ..kernels.problem import Problem
from ..runtime.interrupts import Steps
from .names import Names, as_text
from .spelling import simplify_names, suggest

UNCHOSEN = 1  # the value of an item that no chosen option contains


class Uses(NamedTuple):
    """The options that contain the items that matter. Each array has the shape (uses,).

    An *aspect* is one of the items, or one of the pairs of an item and a color, in which covers
    must differ. Uses are in ascending order of the aspect, and then of the option.
    """

    aspect: NDArray[np.int64]
    option: NDArray[np.int64]
    value: NDArray[np.int64]  # 2 + the color of the item, or 2 if only one color matters

    @property
    def n_aspects(self) -> int:
        """The number of aspects."""
        return 1 + int(self.aspect.max(initial=-1))

    @property
    def content(self) -> NDArray[np.int64]:
        """A number for each pair of an aspect and a value, in the order of the pairs."""
        return self.aspect * (1 + int(self.value.max(initial=0))) + self.value


class ClassFilter:
    """The classes of the covers so far, of which it recognizes further covers.

    Parameters
    ----------
    uses : Uses
        What matters in the options.
    n_options : int
        The number of options of the problem.
    """

    def __init__(self, uses: Uses, n_options: int) -> None:
        self._known: set[bytes] = set()
        order, start = group(uses.option, n_options)  # the uses, option by option
        _, numbers = renumber(uses.content)
        # A row for each option, in an array of covers: the numbers of its contents
        self._contents = CoverArray(numbers[order].astype(np.int32), start)
        self.n_values = int(np.diff(start).max(initial=0))  # of an option, at most

    def first(self, covers: CoverArray) -> NDArray[np.int64]:
        """Return which covers are the first ones of their classes, and remember these classes.

        A class is known by the bytes of the sorted numbers of its contents: of all pairs of an
        aspect and a value that the options of a cover have.
        """
        covers = join_covers([covers])  # without the options of others: a part may share arrays
        first: list[int] = []
        by_option = select_covers(self._contents, covers.options.astype(np.int64))
        # `by_option` has a row for each option of all covers: join the rows of each cover.
        start = by_option.indptr[covers.indptr]
        by_cover = sort_covers(by_option.options.view(np.uint32), start, Translation())
        content = by_cover.options.tobytes()
        bounds = (by_cover.options.itemsize * by_cover.indptr).tolist()
        for k, (begin, end) in enumerate(pairwise(bounds)):
            if (key := content[begin:end]) not in self._known:
                self._known.add(key)
                first.append(k)
        return np.array(first, np.int64)


def find_pairs(names: Names, distinct: Iterable[Hashable]) -> NDArray[np.int64]:
    """Return the item and the color of each entry of `distinct`; color 0 if all colors matter.

    The array has the shape (entries, 2). Raises ValueError if an item or a color is unknown.
    """
    color_of = {name: k for k, name in enumerate(names.colors, 1)}
    pairs = [_find_pair(entry, names, color_of) for entry in dict.fromkeys(distinct)]
    return np.array(pairs, np.int64).reshape(-1, 2)


def find_uses(problem: Problem, n_listed: int, pairs: NDArray[np.int64]) -> Steps[Uses]:
    """Return which of the user's options contain the items that matter, and with which colors.

    Items that all covers contain equally often, without a color, do not matter. `pairs` has the
    items and colors that matter, as `find_pairs` returns them. The options from `n_listed` on are
    not the user's, but stand for items that stay uncovered.
    """
    items, wanted = pairs.T  # `wanted` are colors
    by_item, start = group(problem.items, problem.n_items)
    yield
    # All nodes of the items, item by item; for each, `entry` is the index of a pair in `pairs`.
    positions, entry = join_ranges(start[items], start[items + 1])
    nodes = by_item[positions]
    option = problem.option_of_node()[nodes]
    color = problem.node_colors[nodes]
    yield
    is_any = wanted == 0
    is_use = problem.has_primary[option] & (is_any[entry] | (color == wanted[entry]))
    primary = np.flatnonzero(items < problem.n_primary)
    is_fixed = np.zeros(len(items), np.bool_)  # which pairs do not matter
    is_fixed[primary] = problem.lows[items[primary]] == problem.highs[items[primary]]
    # With an option for leaving an item uncovered, the listed ones do not contain it equally often.
    is_fixed[entry[is_use & (option >= n_listed)]] = False
    is_use &= ~is_fixed[entry] & (option < n_listed)
    yield
    _, aspect = renumber(entry[is_use])  # pairs without a use are no aspects
    value = UNCHOSEN + 1 + np.where(is_any[entry], color, 0)
    return Uses(aspect, option[is_use], value[is_use].astype(np.int64))


def _find_pair(entry: Hashable, names: Names, color_of: Mapping[Hashable, int]) -> tuple[int, int]:
    """Return the item and the color of an entry of `distinct`; color 0 if all colors matter."""
    item = names.item_numbers.get(entry)
    if item is not None:
        return item, 0
    if isinstance(entry, tuple) and len(entry) == 2:
        item = names.item_numbers.get(entry[0])
        color = color_of.get(entry[1])
        if item is not None and color is not None:
            return item, color
    hint = suggest(entry, simplify_names(names.items))
    raise ValueError(f"distinct: {as_text(entry)!r} is not an item{hint}")
