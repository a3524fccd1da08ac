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


def consistent_options(
    problem: Problem, stop: Callable[[], bool] = lambda: False
) -> NDArray[np.int64]:
    """Return the options that remain when those without support are removed.

    All options remain if there are no colors, if there are so many pairs of items that this would
    take long, or if `stop` ends the call.
    """
    n_options, option_of = problem.n_options, problem.option_of_node()
    all_options = np.arange(n_options)
    if problem.color is None:
        return all_options
    _, low, _ = problem.costs_and_bounds
    needed = np.flatnonzero(np.isin(problem.items, np.flatnonzero(low > 0)))
    shared = np.flatnonzero(problem.items >= problem.n_primary)
    n_pairs = np.bincount(option_of[needed], minlength=n_options)[option_of[shared]]
    n_rows = int(n_pairs.sum())
    if not 0 < n_rows <= MAX_ROWS or stop():
        return all_options
    # Groups are numbered by item, then by color.
    n_colors = int(problem.color.max()) + 1
    codes, group = _renumber(
        (problem.items[shared] - problem.n_primary) * n_colors + problem.color[shared]
    )
    group_item = codes // n_colors
    # A row is a pair of a primary and a secondary node in an option.
    primary = problem.items[pair_nodes(option_of, needed, shared)[0]]
    row_group = np.repeat(group, n_pairs)
    pairs, pair = _renumber(primary * problem.n_secondary + group_item[row_group])
    pair_primary, pair_item = np.divmod(pairs, problem.n_secondary)
    first_group = np.searchsorted(group_item, np.arange(problem.n_secondary + 1))
    sizes = np.diff(first_group)[pair_item]
    first_count = np.cumsum(sizes) - sizes
    n_counts = int(sizes.sum())
    if n_counts > MAX_ROWS or stop():
        return all_options
    row = first_count[pair] + row_group - first_group[pair_item[pair]]
    groups = np.repeat(first_group[pair_item] - first_count, sizes) + np.arange(n_counts)
    supports = Supports(
        _starts(np.bincount(option_of[shared], n_pairs, n_options)),
        row,
        np.bincount(row, minlength=n_counts),
        np.zeros(n_counts, np.bool_),
        groups,
        _starts(np.bincount(group)),
        # Few groups fit into 16 bits, for which sorting is much faster.
        option_of[shared][np.argsort(group.astype(np.min_scalar_type(len(codes))), kind="stable")],
        np.zeros(n_options, np.bool_),
        np.zeros(len(codes), np.bool_),
        np.zeros(len(codes), np.int64),
    )
    end = 0
    while not stop():
        is_left = ~supports.is_removed[option_of[needed]]
        n_left = np.bincount(problem.items[needed][is_left], minlength=problem.n_primary)
        n_containing = np.add.reduceat(supports.size, first_count)
        supports.is_full[:] = np.repeat(n_containing == n_left[pair_primary], sizes)
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
