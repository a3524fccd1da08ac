"""An exact cover problem as arrays, and its links."""

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..runtime.archive import check_integers
from .csr import (
    Ranges,
    any_in_rows,
    first_equal,
    join_ranges,
    lowest_in_rows,
    number_rows,
    positions_in,
    sum_rows,
)
from .dlx.links import Colors, Ints, Links, allocate_links, check_options, link_options

MAX_TOTAL_COST = 2**62  # exclusive; sums of scaled costs fit into int64
MAX_WEIGHT = 2**31 - 1  # in a total; products with numbers of options fit into int64
CHECKED_ITEMS = 1 << 18  # of all covers that are checked at once
COUNTED_NODES = 1 << 18  # whose items are counted at once
UNBOUNDED = 2**61  # the bound of a total without one; sums of weights are less than half of it


def usable_by_kernels(value: Any) -> Any:
    """Return an array, or a tuple with arrays, such that kernels accept it.

    Arrays that are not aligned, contiguous or writable are copied. Pickles whose buffers are
    transmitted separately contain such arrays. Joblib maps large ones into memory, as arrays of a
    class of their own, for which kernels would be compiled again.
    """
    if isinstance(value, np.ndarray):
        return np.require(value, requirements=["C", "A", "W", "E"])
    if not isinstance(value, tuple):
        return value
    values = map(usable_by_kernels, value)
    return type(value)._make(values) if hasattr(value, "_make") else tuple(values)


class TotalArrays(NamedTuple):
    """The bounds (totals,) of the totals of a problem, and its weights; see `Problem`."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    total: NDArray[np.int64]
    option: NDArray[np.int64]
    weight: NDArray[np.int64]


class Problem(NamedTuple):
    """An exact cover problem in SciPy's CSR layout: a row is an option, a column is an item.

    Items are numbered from 0, primary items before secondary items. The optional arrays are None
    if the problem has no colors, multiplicities, costs or totals.
    """

    indptr: Ints  # (options + 1,) the start of each option in `items`, and the end of the last
    items: Ints  # (nodes,) the item of each node
    n_primary: int
    n_secondary: int
    color: NDArray[np.int32] | None = None  # (nodes,) from 1; 0 if the node has no color
    low: NDArray[np.int64] | None = None  # (n_primary,) how often each item is covered: at least
    high: NDArray[np.int64] | None = None  # (n_primary,) and at most
    cost: NDArray[np.int64] | None = None  # (options,)
    # The sum of the weights of the chosen options in each total: at least and at most
    total_low: NDArray[np.int64] | None = None  # (totals,)
    total_high: NDArray[np.int64] | None = None  # (totals,)
    weight_total: NDArray[np.int64] | None = None  # (weights,) the total of each weight
    weight_option: NDArray[np.int64] | None = None  # (weights,) its option
    weight: NDArray[np.int64] | None = None  # (weights,)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_problem, tuple(self)

    @property
    def n_options(self) -> int:
        """The number of options."""
        return len(self.indptr) - 1

    @property
    def n_items(self) -> int:
        """The number of items, primary and secondary."""
        return self.n_primary + self.n_secondary

    def entries(self, option: int) -> list[tuple[int, int]]:
        """Return the items of an option, and the color of each; 0 if it has none."""
        nodes = slice(self.indptr[option], self.indptr[option + 1])
        items = self.items[nodes].tolist()
        if self.color is None:
            return [(item, 0) for item in items]
        return list(zip(items, self.color[nodes].tolist(), strict=True))

    def nodes_of(self, options: NDArray[np.integer]) -> Ranges:
        """Return the nodes of some options, and the position of the option of each node."""
        return join_ranges(self.indptr[options], self.indptr[options + 1])

    def option_of_node(self) -> NDArray[np.int64]:
        """Return the option (nodes,) that each element of `items` belongs to."""
        return np.repeat(np.arange(self.n_options), np.diff(self.indptr))

    def options_with(self, item: int) -> NDArray[np.int64]:
        """Return the options that contain an item."""
        return np.searchsorted(self.indptr, np.flatnonzero(self.items == item), "right") - 1

    def rank_nodes(self, order: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rank (nodes,) of the item of each node in an order of the primary items.

        All secondary items come after them, with the same rank. Also return the lowest rank in each
        option (options,).
        """
        ranks = positions_in(order, self.n_items, self.n_primary)[self.items]
        return ranks, lowest_in_rows(self.indptr, ranks, self.n_primary)

    @property
    def node_colors(self) -> NDArray[np.int32]:
        """The color of each node, of shape (nodes,); 0 if it has none."""
        return np.zeros(len(self.items), np.int32) if self.color is None else self.color

    def color_pairs(self) -> tuple[NDArray[np.int64], ...]:
        """Return the nodes with colors and the pair of each, and the item and color of each pair.

        A pair is an item with one of its colors; pairs are in ascending order.
        """
        nodes = np.flatnonzero(self.node_colors)
        items = self.items[nodes].astype(np.int64)
        colors = self.node_colors[nodes]
        n_colors = int(colors.max(initial=0)) + 1
        codes, pair = np.unique(items * n_colors + colors, return_inverse=True)
        return nodes, pair, *np.divmod(codes, n_colors)

    @property
    def is_colored(self) -> NDArray[np.bool_]:
        """Whether any option gives an item a color, of shape (items,)."""
        is_colored = np.zeros(self.n_items, np.bool_)
        is_colored[self.items[self.node_colors > 0]] = True
        return is_colored

    @property
    def item_high(self) -> NDArray[np.int64]:
        """The upper bound of each item, of shape (items,); 1 for secondary items."""
        return np.append(self.highs, np.ones(self.n_secondary, np.int64))

    @property
    def is_once(self) -> NDArray[np.bool_]:
        """Whether each item (items,) must be covered exactly once."""
        return np.append((self.lows == 1) & (self.highs == 1), np.zeros(self.n_secondary, np.bool_))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of options of each item, of shape (items,)."""
        return count_items(self.items, self.n_items)

    @property
    def primary_sizes(self) -> NDArray[np.int64]:
        """The number of options of each primary item, of shape (primary,)."""
        return self.sizes[: self.n_primary]

    @property
    def lacks_options(self) -> bool:
        """Whether an item has fewer options than it needs, so that there is no cover."""
        return bool(np.any(self.primary_sizes < self.lows))

    @property
    def item_bounds(self) -> list[tuple[int, int]]:
        """The bounds (low, high) of each item; (0, 1) for secondary items."""
        primary = zip(self.lows.tolist(), self.highs.tolist(), strict=True)
        return [*primary, *[(0, 1)] * self.n_secondary]

    @property
    def costs(self) -> NDArray[np.int64]:
        """The cost of each option, of shape (options,), by default 0."""
        return np.zeros(self.n_options, np.int64) if self.cost is None else self.cost

    @property
    def lows(self) -> NDArray[np.int64]:
        """The lower bound of each primary item, of shape (primary,), by default 1."""
        return np.ones(self.n_primary, np.int64) if self.low is None else self.low

    @property
    def highs(self) -> NDArray[np.int64]:
        """The upper bound of each primary item, of shape (primary,), by default 1."""
        return np.ones(self.n_primary, np.int64) if self.high is None else self.high

    def reject_totals(self, feature: str) -> None:
        """Raise ValueError if the problem has totals, which a feature does not support."""
        if self.total_low is not None:
            raise ValueError(f"{feature} does not support totals")

    @property
    def has_sums(self) -> bool:
        """Whether there are multiplicities or totals."""
        return self.low is not None or self.total_low is not None

    @property
    def totals(self) -> TotalArrays:
        """The arrays of the totals and their weights, which are empty if there are none."""
        empty = np.zeros(0, np.int64)
        arrays = self.total_low, self.total_high, self.weight_total, self.weight_option, self.weight
        return TotalArrays._make(empty if array is None else array for array in arrays)

    @property
    def has_primary(self) -> NDArray[np.bool_]:
        """Whether each option (options,) has primary items. No cover contains any of the others."""
        return any_in_rows(self.indptr, self.items < self.n_primary)

    def is_forced(self, is_possible: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return whether each option (options,) is in all covers, because an item has no others.

        Only the possible options (options,) are counted.

        >>> problem = Problem(np.array([0, 2, 3, 4]), np.array([0, 1, 0, 1]), 2, 0)
        >>> problem.is_forced(np.array([True, True, False])).tolist()
        [True, False, False]
        """
        is_counted = np.repeat(is_possible, np.diff(self.indptr)) & (self.items < self.n_primary)
        sizes = np.bincount(self.items[is_counted], minlength=self.n_items)
        is_scarce = sizes == np.pad(self.lows, (0, self.n_secondary))
        return any_in_rows(self.indptr, is_counted & is_scarce[self.items])

    def usable_options(self) -> NDArray[np.int64]:
        """Return the options with primary items."""
        return np.flatnonzero(self.has_primary)

    def sum_weights(self, options: NDArray[np.int64] | list[int]) -> NDArray[np.int64]:
        """Return the sum (totals,) of the weights of distinct options in each total."""
        totals = self.totals
        is_chosen = np.isin(totals.option, options)
        sums = np.zeros(len(totals.low), np.int64)
        np.add.at(sums, totals.total[is_chosen], totals.weight[is_chosen])
        return sums

    def check(self) -> None:
        """Raise ValueError unless the arrays are consistent.

        They come from a file, and have been read as integers that are not negative, except for
        costs, and the bounds and weights of totals.
        """
        check_options(self.indptr, self.items, self.n_items)
        color = self.color
        low = self.low
        high = self.high
        cost = self.cost
        optional = color, low, high, cost
        sizes = len(self.items), self.n_primary, self.n_primary, self.n_options
        if any(
            array is not None and len(array) != n for array, n in zip(optional, sizes, strict=True)
        ):
            raise ValueError("an array has another length")
        if color is not None and np.any((color > 0) & (self.items < self.n_primary)):
            raise ValueError("a primary item has a color")
        if (low is None) != (high is None):
            raise ValueError("a bound is missing")
        if low is not None and high is not None and np.any((low > high) | (high == 0)):
            raise ValueError("a bound is invalid")
        if cost is not None and np.abs(cost).sum(dtype=float) >= MAX_TOTAL_COST:
            raise ValueError("the costs are too high")
        self._check_totals()

    def _check_totals(self) -> None:
        """Raise ValueError unless the arrays of totals are consistent."""
        first = self._fields.index("total_low")  # and all fields that follow
        if len({array is None for array in self[first:]}) > 1:  # all are given, or none is
            raise ValueError("a total is incomplete")
        low, high, total, option, weight = self.totals
        if len(low) != len(high) or not len(total) == len(option) == len(weight):
            raise ValueError("an array has another length")
        check_integers(np.concatenate([low, high]), -2 * UNBOUNDED, 2 * UNBOUNDED)
        check_integers(total, 0, len(low) - 1)
        check_integers(option, 0, self.n_options - 1)
        check_integers(weight, -MAX_WEIGHT, MAX_WEIGHT)
        if len(np.unique(total * self.n_options + option)) < len(total):
            raise ValueError("an option has two weights in a total")

    def check_covers(self, covers: list[list[int]]) -> None:
        """Raise ValueError unless these lists of options are covers."""
        n_chunk = max(1, CHECKED_ITEMS // max(1, self.n_items))
        for k in range(0, len(covers), n_chunk):
            self._check_covers(covers[k : k + n_chunk])

    def _check_covers(self, covers: list[list[int]]) -> None:
        """Raise ValueError unless these few lists of options are covers."""
        low = self.lows
        high = self.highs
        # All covers are checked at once, as the options of one after another, and their nodes.
        options = check_integers([*chain(*covers)], 0, self.n_options - 1)
        cover_of = np.repeat(np.arange(len(covers)), list(map(len, covers)))
        if len(np.unique(cover_of * self.n_options + options)) < len(options):
            raise ValueError("a cover contains an option twice")
        chosen = select_options(self, options)
        choice_of = chosen.option_of_node()
        is_primary = chosen.items < self.n_primary
        if len(np.unique(choice_of[is_primary])) < len(options):
            raise ValueError("an option has no primary item")
        # A use is a cover and an item, as one number. Uses of a secondary item in the same color
        # count once.
        use = cover_of[choice_of] * self.n_items + chosen.items
        is_colored = chosen.node_colors > 0
        colored = np.stack([use, chosen.node_colors])[:, is_colored]
        shared = np.append(use[~is_primary & ~is_colored], np.unique(colored, axis=1)[0])
        if len(np.unique(shared)) < len(shared):
            raise ValueError("a secondary item is covered twice")
        n_uses = np.bincount(use[is_primary], minlength=len(covers) * self.n_items)
        n_uses = n_uses.reshape(len(covers), -1)[:, : self.n_primary]
        if np.any((n_uses < low) | (n_uses > high)):
            raise ValueError("a primary item is not covered within its bounds")
        totals = self.totals
        for cover in covers if len(totals.low) else ():
            sums = self.sum_weights(cover)
            if np.any((sums < totals.low) | (sums > totals.high)):
                raise ValueError("a total is not within its bounds")


def _restore_problem(*arrays: Any) -> Problem:
    return Problem(*usable_by_kernels(arrays))


def find_copies(problem: Problem) -> dict[int, int]:
    """Return the options that have the same items and colors as earlier ones.

    The value says which of the equal options it is: 2 for the first copy.
    """
    # Sort the items of each option, and number the pairs of an item and a color: then options are
    # equal if their rows of numbers are.
    order = np.lexsort((problem.items, problem.option_of_node()))
    entries, _ = number_rows(problem.items[order], problem.node_colors[order])
    _, n_before = number_rows(first_equal(problem.indptr, entries))
    copies = np.flatnonzero(n_before)
    return dict(zip(copies.tolist(), (n_before[copies] + 1).tolist(), strict=True))


def count_items(items: Ints, n_items: int) -> NDArray[np.int64]:
    """Return how often the first items occur. The whole array, as int64, would take much memory.

    >>> count_items(np.array([2, 0, 2, 5], np.int32), 3).tolist()
    [1, 0, 2]
    """
    sizes = np.bincount(items[:COUNTED_NODES], minlength=n_items)[:n_items]
    for begin in range(COUNTED_NODES, len(items), COUNTED_NODES):
        sizes += np.bincount(items[begin : begin + COUNTED_NODES], minlength=n_items)[:n_items]
    return sizes


def take(array: NDArray[Any] | None, indices: NDArray[Any] | slice) -> NDArray[Any] | None:
    """Return elements of an array that a problem may lack."""
    return None if array is None else array[indices]


def select_options(problem: Problem, options: NDArray[np.int64]) -> Problem:
    """Return the problem with the given options only, in the given order.

    If there are totals, the options are distinct.
    """
    n_options = problem.n_options
    is_ascending = 2 * len(options) > n_options and bool(np.all(options[1:] > options[:-1]))
    if is_ascending and len(options) == n_options:
        return problem
    lengths = problem.indptr[options + 1] - problem.indptr[options]  # few options take little time
    indptr = np.zeros(len(options) + 1, np.int64)
    np.cumsum(lengths, out=indptr[1:])
    nodes: NDArray[Any]  # those of the options: whether each is, or their positions
    if is_ascending:  # most of the nodes: positions would take much more memory
        nodes = np.zeros(n_options, np.bool_)
        nodes[options] = True
        nodes = np.repeat(nodes, np.diff(problem.indptr))
    else:
        nodes = np.repeat(problem.indptr[options] - indptr[:-1], lengths)
        nodes += np.arange(indptr[-1])
    selected = problem._replace(
        indptr=indptr,
        items=problem.items[nodes],
        color=take(problem.color, nodes),
        cost=take(problem.cost, options),
    )
    if problem.total_low is None:
        return selected
    totals = problem.totals
    numbers = positions_in(options, problem.n_options)[totals.option]
    kept = numbers >= 0
    return selected._replace(
        weight_total=totals.total[kept], weight_option=numbers[kept], weight=totals.weight[kept]
    )


def select_totals(problem: Problem, is_kept: NDArray[np.bool_]) -> Problem:
    """Return the problem with some of its totals (totals,) only."""
    fields = Problem._fields[8:]  # those of totals
    changes: dict[str, Any] = dict.fromkeys(fields)
    if not is_kept.any():
        return problem._replace(**changes)
    low, high, total, option, weight = problem.totals
    own = is_kept[total]
    number = np.cumsum(is_kept) - 1
    arrays = low[is_kept], high[is_kept], number[total[own]], option[own], weight[own]
    changes.update(zip(fields, arrays, strict=True))
    return problem._replace(**changes)


def append_bounds(
    problem: Problem, kept: NDArray[np.int64], n_added: int
) -> tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]:
    """Return the bounds of some primary items, and of others that are covered once."""
    if problem.low is None or problem.high is None:
        return None, None
    once = np.ones(n_added, np.int64)
    return np.append(problem.low[kept], once), np.append(problem.high[kept], once)


class ProblemPart(NamedTuple):
    """A part of a problem, and the numbers that its options and items had in the whole problem."""

    problem: Problem
    options: NDArray[np.int64]
    items: NDArray[np.int64]


def select_items(
    problem: Problem, items: NDArray[np.int64], n_primary: int | None = None
) -> Problem:
    """Return the problem with the given items only, in the given order, also in its options.

    The first `n_primary` of them are primary; by default, these are those that were primary.
    """
    if n_primary is None:
        n_primary = int(np.count_nonzero(items < problem.n_primary))
        if np.array_equal(items, np.arange(problem.n_items)):
            return problem
    numbers = positions_in(items, problem.n_items).astype(problem.items.dtype)[problem.items]
    primary = items[:n_primary]
    is_kept = numbers >= 0
    indptr = problem.indptr
    if not is_kept.all():  # copies of a large problem would take much memory
        numbers = numbers[is_kept]
        indptr = np.append(0, np.cumsum(sum_rows(indptr, is_kept)))
    return problem._replace(
        indptr=indptr,
        items=numbers,
        n_primary=n_primary,
        n_secondary=len(items) - n_primary,
        color=take(problem.color, is_kept),
        low=take(problem.low, primary),
        high=take(problem.high, primary),
    )


def color_nodes(problem: Problem) -> Colors | None:
    """Return the colors of a problem as new arrays, or None if it has none."""
    if problem.color is None:
        return None
    n_items = problem.n_items
    color = np.zeros(1 + n_items + len(problem.items), np.uint32)
    color[1 + n_items :] = problem.color
    return Colors(color, np.zeros(1 + n_items, np.uint32))


def link_problem(problem: Problem) -> tuple[Links, Colors | None]:
    """Return the links of a problem, whose options are valid, and its colors, as new arrays."""
    links = allocate_links(problem.n_items, len(problem.items)).unsigned
    link_options(links, problem.indptr, problem.items, problem.n_primary)
    return links, color_nodes(problem)


def pair_nodes(
    option_of: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of a node of `first` and one of `second` in the same option.

    Both are in ascending order, and so are the pairs, by the nodes of `second`.
    """
    n_first = np.bincount(option_of[first], minlength=1 + int(option_of.max(initial=-1)))
    ends = np.cumsum(n_first)
    options = option_of[second]
    firsts, seconds = join_ranges((ends - n_first)[options], ends[options])
    return first[firsts], second[seconds]
