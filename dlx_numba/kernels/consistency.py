"""Enforce consistency of colors: find options that no option of some primary item supports.

If each option of a primary item p contains a secondary item s, a cover gives s one of the colors
that these options give it, so all options that give s another color are removed. The options of p
that give s a color are the *supports* of that color for p. They are counted, as in the algorithm
AC-4 for constraint networks: when the last one is removed, so are all options with that color. Each
option is removed once, so the time is proportional to the number of removals.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from .problem import Problem, pair_nodes

MAX_ROWS = 800_000  # pairs of a primary and a secondary item in an option: 0.15 seconds


class Supports(NamedTuple):
    """Counts of supports; a *group* consists of the options that give an item the same color."""

    start: NDArray[np.int64]  # (options + 1,) the rows of each option
    row: NDArray[np.int64]  # (rows,) the index of the count that includes the option
    size: NDArray[np.int64]  # (counts,) the number of options of a primary item in a group
    is_full: NDArray[np.bool_]  # (counts,) whether all options of the primary item have the other
    group: NDArray[np.int64]  # (counts,) the group of each count
    member_start: NDArray[np.int64]  # (groups + 1,) the options of each group
    member: NDArray[np.int64]
    is_removed: NDArray[np.bool_]  # (options,)
    is_dead: NDArray[np.bool_]  # (groups,) whether the options of a group are to be removed
    queue: NDArray[np.int64]  # (groups,) the dead groups


@njit
def remove_groups(supports, begin, end):
    """Remove the options of groups, and of those that lose their last support.

    Parameters: `supports`, of which the last four arrays, `member` excepted, and `size` are
    written; `begin` and `end` int64, the new groups in the queue. Returns the new end.
    """
    start, row, size, is_full, group, member_start, member, is_removed, is_dead, queue = supports
    while begin < end:
        dead = queue[begin]
        begin += 1
        for k in range(member_start[dead], member_start[dead + 1]):
            option = member[k]
            if is_removed[option]:
                continue
            is_removed[option] = True
            for position in range(start[option], start[option + 1]):
                count = row[position]
                size[count] -= 1
                if size[count] == 0 and is_full[count] and not is_dead[group[count]]:
                    is_dead[group[count]] = True
                    queue[end] = group[count]
                    end += 1
    return end


class SupportRows(NamedTuple):
    """Rows of supports: pairs of a primary and a secondary node in an option.

    A support belongs to a pair of a primary and a secondary item and to one of the groups of the
    latter: options that give it the same color.
    """

    node: NDArray[np.int64]  # (rows,) the primary node, as an index of `problem.items`
    support: NDArray[np.int64]  # (rows,)
    pair: NDArray[np.int64]  # (rows,)
    shared: NDArray[np.int64]  # (secondary nodes,) indices of `problem.items`
    group: NDArray[np.int64]  # (secondary nodes,)
    group_color: NDArray[np.int64]  # (groups,)
    pair_primary: NDArray[np.int64]  # (pairs,) in ascending order
    pair_item: NDArray[np.int64]  # (pairs,) the secondary item, from 0
    first_support: NDArray[np.int64]  # (pairs + 1,) the supports of a pair
    group_of: NDArray[np.int64]  # (supports,)


def count_support_rows(problem: Problem) -> int:
    """Return the number of rows for the primary items that must be covered."""
    if problem.color is None:
        return 0
    needed, shared = _needed_and_shared(problem)
    option_of, n_options = problem.option_of_node(), problem.n_options
    n_needed, n_shared = (np.bincount(option_of[k], minlength=n_options) for k in (needed, shared))
    return int(n_needed @ n_shared)


def _needed_and_shared(problem: Problem) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes of primary items that must be covered, and those of secondary items."""
    _, low, _ = problem.costs_and_bounds
    needed = np.flatnonzero(np.isin(problem.items, np.flatnonzero(low > 0)))
    return needed, np.flatnonzero(problem.items >= problem.n_primary)


def find_support_rows(
    problem: Problem, stop: Callable[[], bool] = lambda: False
) -> SupportRows | None:
    """Return the rows for the primary items that must be covered.

    Returns None if there are none, more rows or supports than MAX_ROWS, or `stop` ends the call.
    """
    if not 0 < count_support_rows(problem) <= MAX_ROWS or stop():
        return None
    assert problem.color is not None
    n_options, option_of = problem.n_options, problem.option_of_node()
    needed, shared = _needed_and_shared(problem)
    n_pairs = np.bincount(option_of[needed], minlength=n_options)[option_of[shared]]
    # Groups are numbered by item, then by color.
    n_colors = int(problem.color.max()) + 1
    codes, group = _renumber(
        (problem.items[shared] - problem.n_primary) * n_colors + problem.color[shared]
    )
    group_item, group_color = np.divmod(codes, n_colors)
    node = pair_nodes(option_of, needed, shared)[0]
    row_group = np.repeat(group, n_pairs)
    pairs, pair = _renumber(
        problem.items[node].astype(np.int64) * problem.n_secondary + group_item[row_group]
    )
    pair_primary, pair_item = np.divmod(pairs, problem.n_secondary)
    first_group = np.searchsorted(group_item, np.arange(problem.n_secondary + 1))
    sizes = np.diff(first_group)[pair_item]
    first_support = _starts(sizes)
    n_supports = int(first_support[-1])
    if n_supports > MAX_ROWS or stop():
        return None
    offset = first_group[pair_item] - first_support[:-1]  # from a support to its group
    return SupportRows(
        node,
        row_group - offset[pair],
        pair,
        shared,
        group,
        group_color,
        pair_primary,
        pair_item,
        first_support,
        np.repeat(offset, sizes) + np.arange(n_supports),
    )


def consistent_options(
    problem: Problem, stop: Callable[[], bool] = lambda: False
) -> NDArray[np.int64]:
    """Return the options that remain when those without support are removed.

    All options remain if there are no colors, if there are so many pairs of items that this would
    take long, or if `stop` ends the call.
    """
    n_options, option_of = problem.n_options, problem.option_of_node()
    all_options = np.arange(n_options)
    rows = find_support_rows(problem, stop)
    if rows is None:
        return all_options
    n_supports, n_groups, groups = len(rows.group_of), len(rows.group_color), rows.group_of
    shared_option, sizes = option_of[rows.shared], np.diff(rows.first_support)
    supports = Supports(
        _starts(np.bincount(option_of[rows.node], minlength=n_options)),
        rows.support,
        np.bincount(rows.support, minlength=n_supports),
        np.zeros(n_supports, np.bool_),
        groups,
        _starts(np.bincount(rows.group)),
        # Few groups fit into 16 bits, for which sorting is much faster.
        shared_option[np.argsort(rows.group.astype(np.min_scalar_type(n_groups)), kind="stable")],
        np.zeros(n_options, np.bool_),
        np.zeros(n_groups, np.bool_),
        np.zeros(n_groups, np.int64),
    )
    end = 0
    while not stop():
        items_left = problem.items[~supports.is_removed[option_of]]
        n_left = np.bincount(items_left, minlength=problem.n_items)
        n_containing = np.add.reduceat(supports.size, rows.first_support[:-1])
        supports.is_full[:] = np.repeat(n_containing == n_left[rows.pair_primary], sizes)
        unsupported = np.unique(groups[supports.is_full & (supports.size == 0)])
        unsupported = unsupported[~supports.is_dead[unsupported]]
        if not len(unsupported):
            return all_options[~supports.is_removed]
        supports.queue[end : end + len(unsupported)] = unsupported
        supports.is_dead[unsupported] = True
        end = remove_groups(supports, end, end + len(unsupported))
    return all_options


def _renumber(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct codes in ascending order, and the number of each code among these."""
    if codes.max() > 16 * len(codes):
        return np.unique(codes, return_inverse=True)
    is_used = np.zeros(codes.max() + 1, np.bool_)
    is_used[codes] = True
    return np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[codes]


def _starts(sizes: NDArray[np.number]) -> NDArray[np.int64]:
    """Return where consecutive lists of these sizes start, and where the last one ends."""
    return np.append(0, np.cumsum(sizes)).astype(np.int64)
