"""Reduce a problem: apply given and forbidden options, and relax items that may stay uncovered."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .csr import any_in_rows
from .problem import Problem, ProblemPart, select_items, select_options


class ConflictError(ValueError):
    """Given options cannot be in one cover, because of an item that they share.

    Attributes
    ----------
    options : sequence of int
    item : int
    """

    def __init__(self, options: Sequence[int], item: int) -> None:
        super().__init__(f"options {options} share item {item}")
        self.options = options
        self.item = item


def reduce_problem(
    problem: Problem, given: NDArray[np.int64], forbidden: NDArray[np.int64]
) -> ProblemPart:
    """Choose some options of a problem and remove others.

    Items that reach their upper bound, which may be 0, are removed, and so are secondary items that
    have a color, and each option that conflicts with a given one.

    Parameters
    ----------
    problem : Problem
    given, forbidden : ndarray of int64
        Option numbers without duplicates. Each given option has a primary item.

    Returns
    -------
    ProblemPart
        The problem of completing the given options to a cover.

    Raises
    ------
    ConflictError
        If given options exclude each other.
    """
    n_options = problem.n_options
    n_primary = problem.n_primary
    n_items = problem.n_items
    items = problem.items
    color = problem.node_colors
    high = problem.item_high
    if not len(given) and not len(forbidden) and high.all():
        return ProblemPart(problem, np.arange(n_options), np.arange(n_items))
    given = np.sort(given)
    given_nodes, number = problem.nodes_of(given)
    given_items = items[given_nodes]
    given_colors = color[given_nodes]
    n_uses = np.bincount(given_items, minlength=n_items)
    # A secondary item may be used any number of times if all options give it the same color.
    item_color = np.zeros(n_items, np.int32)
    item_color[given_items] = given_colors
    same_color = np.ones(n_items, np.bool_)  # whether the given options agree on a color
    same_color[given_items[given_colors != item_color[given_items]]] = False
    in_conflict = (n_uses > high) & ~(same_color & (item_color > 0))
    if np.any(in_conflict):
        item = int(np.argmax(in_conflict))
        raise ConflictError(given[number[given_items == item]].tolist(), item)

    is_full = (item_color == 0) & (n_uses >= high)
    is_excluded = is_full[items]
    if item_color.any():
        is_excluded |= (item_color[items] > 0) & (color != item_color[items])
    keep_options = ~any_in_rows(problem.indptr, is_excluded)
    keep_options[given] = keep_options[forbidden] = False
    if problem.low is not None and problem.high is not None:
        problem = problem._replace(
            low=np.maximum(problem.low - n_uses[:n_primary], 0),
            high=problem.high - n_uses[:n_primary],
        )
    if problem.total_low is not None:
        sums = problem.sum_weights(given)
        totals = problem.totals
        problem = problem._replace(total_low=totals.low - sums, total_high=totals.high - sums)
    options = np.flatnonzero(keep_options)
    items = np.flatnonzero(~is_full & (item_color == 0))
    reduced = select_items(select_options(problem, options), items)
    return ProblemPart(reduced, options, items)


def relax_items(problem: Problem, n_first: int) -> tuple[Problem, NDArray[np.int64]]:
    """Make items that are covered at most once secondary, and remove those without a limit.

    An item with the bounds 0 and 1 excludes the same sets of options as a secondary item, and one
    whose upper bound exceeds the number of its options excludes none. But each option keeps a
    primary item, because it could not be chosen without one.

    Parameters
    ----------
    problem : Problem
    n_first : int
        The number of items, from the first one, that remain as they are.

    Returns
    -------
    relaxed : Problem
        With the same covers.
    item_numbers : ndarray of int64
        The numbers that its items had in `problem`.
    """
    n_primary = problem.n_primary
    n_items = problem.n_items
    items = problem.items
    if problem.low is None or problem.high is None:
        return problem, np.arange(n_items)
    is_unlimited, kind = np.zeros((2, n_items), np.int64)  # kinds: 0 primary, 1 secondary
    is_unlimited[:n_primary] = problem.high >= problem.primary_sizes
    kind[:n_primary] = (problem.low == 0) & ((problem.high == 1) | (is_unlimited[:n_primary] == 1))
    kind[:n_first] = 0
    option_of = problem.option_of_node()
    is_primary = items < n_primary
    # All primary items of an option that would have none left remain primary.
    n_kept = np.bincount(option_of[is_primary & (kind[items] == 0)], minlength=problem.n_options)
    kind[items[is_primary & (n_kept[option_of] == 0)]] = 0
    kind[n_primary:] = 1
    order = np.argsort(kind, kind="stable")
    order = order[(kind & is_unlimited)[order] == 0]  # without a limit, they would exclude nothing
    relaxed = select_items(problem, order, int(np.count_nonzero(kind == 0)))
    if relaxed.low is not None and np.all(relaxed.low == 1) and np.all(relaxed.high == 1):
        relaxed = relaxed._replace(low=None, high=None)
    return relaxed, order


def exclude_each_other(
    problem: Problem, limits: NDArray[np.int64], options: NDArray[np.int64]
) -> bool:
    """Return whether a cover contains at most one of these options, as they share an item.

    `limits` has the upper bound of each item.
    """
    shared: NDArray[np.integer] | None = None  # items that all options seen so far contain
    n_seen = 0
    # The first two seldom share an item. Those that have been seen double each time.
    while n_seen < len(options):
        seen = options[n_seen : 2 * n_seen + 2]
        n_seen += len(seen)
        nodes, _ = problem.nodes_of(seen)
        items = problem.items[nodes]
        is_limited = limits[items] == 1
        if problem.color is not None:
            is_limited &= problem.color[nodes] == 0
        own, n_uses = np.unique(items[is_limited], return_counts=True)
        own = own[n_uses == len(seen)]
        shared = own if shared is None else np.intersect1d(shared, own, assume_unique=True)
        if not len(shared):
            return False
    return True


def add_slack_options(problem: Problem) -> Problem:
    """Return the problem with an option of cost 0 for each item that may stay uncovered.

    These are the items with the bounds 0 and 1. Each is then covered exactly once, so that bounds
    on costs, some of which are negative, account for what remains uncovered.
    """
    low = problem.lows
    high = problem.highs
    extended = append_options(problem, np.flatnonzero((low == 0) & (high == 1)))
    return extended._replace(low=np.where(high == 1, 1, low), high=high)


def choose_slack_options(problem: Problem, cover: list[int]) -> list[int]:
    """Return a cover with the options that `add_slack_options` adds, of what it does not cover."""
    covered = select_options(problem, np.array(cover, np.int64)).items
    lacks = np.isin(
        np.flatnonzero((problem.lows == 0) & (problem.highs == 1)), covered, invert=True
    )
    return [*cover, *(problem.n_options + np.flatnonzero(lacks)).tolist()]


def append_options(problem: Problem, items: NDArray[np.int64]) -> Problem:
    """Return the problem with further options of cost 0, each of which contains one item.

    Arrays that the problem lacks are not added.
    """
    extra = {"items": items, "indptr": problem.indptr[-1] + 1 + np.arange(len(items))}
    extra |= {name: np.zeros(len(items), np.int64) for name in ("color", "cost")}
    fields = {name: getattr(problem, name) for name in extra}
    extended: dict[str, Any] = {
        name: None if array is None else np.concatenate([array, extra[name]]).astype(array.dtype)
        for name, array in fields.items()
    }
    return problem._replace(**extended)
