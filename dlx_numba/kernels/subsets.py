"""Totals as options: each set of options whose weights meet a total is an option itself.

A search with totals knows how far each of them can still go, and notices late that several exclude
each other. If few sets of options meet a total, these are the options of a primary item, so a
search branches on the total with the fewest sets. An option with a weight gets a primary item that
the sets without it contain, too. If it has weights in several totals, their sets also give a
secondary item one color if the option is chosen, and another one if it is not.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .csr import group, join_ranges, positions_in, row_of
from .problem import Problem, append_bounds, select_totals

MAX_WEIGHTS = 1 << 11  # most of which take a tenth of a millisecond
MAX_SETS = 1 << 12  # of a total
MAX_NODES = 1 << 18  # of the problem with the sets


class _Listed(NamedTuple):
    """The sets that meet a total."""

    options: NDArray[np.int64]
    contains: NDArray[np.bool_]  # (sets, options)


def replace_totals(problem: Problem, stop: Callable[[], bool] = lambda: False) -> Problem | None:
    """Return a problem with options for the sets that meet a total.

    The result is None if there are too many, or `stop` ends the call.

    Each of its covers is a cover of the problem, whose options and items, primary and secondary,
    are the first ones, and a set for each total. It keeps totals that too many sets meet.

    Examples
    --------
    >>> weights = np.array([0, 0]), np.array([0, 1]), np.array([2, 3])
    >>> once = {"low": np.array([0]), "high": np.array([2])}
    >>> problem = Problem(np.arange(3), np.array([0, 0]), 1, 0, **once)
    >>> sums = dict(zip(problem._fields[8:], (np.array([3]), np.array([5]), *weights)))
    >>> replaced = replace_totals(problem._replace(**sums))
    >>> [[item for item, _ in replaced.entries(k)] for k in range(replaced.n_options)]
    [[0, 1], [0, 2], [1, 3], [3]]
    """
    low, high, total, option, weight = problem.totals
    by_total, start = group(total, len(low))
    has_primary = problem.has_primary
    listed: dict[int, _Listed] = {}
    n_nodes = len(problem.items)
    for k in range(len(low)):
        own = row_of(by_total, start, k)
        own = own[has_primary[option[own]]]
        contains = _list_sets(problem, option[own], weight[own], low[k], high[k], stop)
        if contains is not None:
            listed[k] = _Listed(option[own], contains)
            n_nodes += contains.size
        if n_nodes > MAX_NODES or stop():
            return None
    return _with_sets(problem, listed) if listed else None


def may_replace_totals(problem: Problem) -> bool:
    """Return whether a problem has totals, and is small enough to list the sets that meet them."""
    n_weights = len(problem.totals[-1])
    has_totals = problem.total_low is not None
    return has_totals and n_weights <= MAX_WEIGHTS and len(problem.items) <= MAX_NODES


def _list_sets(
    problem: Problem,
    options: NDArray[np.int64],
    weight: NDArray[np.int64],
    low: int,
    high: int,
    stop: Callable[[], bool],
) -> NDArray[np.bool_] | None:
    """Return which options are in each set (sets, options) whose weights have a sum in a range.

    No set has two options that exclude each other. The result is None if there are too many sets,
    or `stop` ends the call.
    """
    if len(options) ** 2 > MAX_NODES:
        return None
    nodes, number = problem.nodes_of(options)
    is_limited = problem.item_high[problem.items[nodes]] == 1
    nodes, number = nodes[is_limited], number[is_limited]
    color = problem.node_colors[nodes]
    items, item = np.unique(problem.items[nodes], return_inverse=True)
    by_item, start = group(item, len(items))
    ends = np.searchsorted(number, np.arange(len(options) + 1))
    # The sets of the options so far, and their sums of weights: at first, the empty set
    contains = np.zeros((1, len(options)), np.bool_)
    sums = np.zeros(1, np.int64)
    least = np.minimum(weight, 0).sum()  # of the options that follow
    most = np.maximum(weight, 0).sum()
    # Large weights first: then sums soon leave the range, and there are few sets.
    for position in np.argsort(-np.abs(weight), kind="stable").tolist():
        own_weight = weight[position]
        least -= min(own_weight, 0)
        most -= max(own_weight, 0)
        # It excludes the options with the same items, unless these have the same color.
        used = slice(ends[position], ends[position + 1])
        positions, place = join_ranges(start[item[used]], start[item[used] + 1])
        neighbors = by_item[positions]
        is_same = (color[neighbors] > 0) & (color[neighbors] == color[used][place])
        excludes = np.zeros(len(options), np.bool_)
        excludes[number[neighbors[~is_same]]] = True
        is_free = ~contains[:, excludes].any(axis=1)
        added = contains[is_free]
        added[:, position] = True
        contains = np.concatenate([contains, added])
        sums = np.append(sums, sums[is_free] + own_weight)
        is_possible = (sums + least <= high) & (sums + most >= low)
        contains = contains[is_possible]
        sums = sums[is_possible]
        if len(sums) > MAX_SETS or contains.size > MAX_NODES or stop():
            return None
    return contains[(low <= sums) & (sums <= high)]


def _with_sets(problem: Problem, listed: dict[int, _Listed]) -> Problem:
    """Return the problem with options for the sets of some totals.

    As the module says: the item `own` of an option is in the option itself and in the sets of its
    first total that lack it; the item `signal` of an option in several totals has the color
    `with_it` in the option and in the sets that contain it, and `without` in the others.
    """
    n_items = problem.n_items
    n_options = problem.n_options
    weighted, n_totals = np.unique(
        np.concatenate([each.options for each in listed.values()]), return_counts=True
    )
    is_shared = np.zeros(n_options, np.bool_)
    is_shared[weighted[n_totals > 1]] = True
    shared = np.flatnonzero(is_shared)
    # The first of the new items of each kind, until they are numbered: of options, of those in
    # several totals, and of totals
    own, signal, chosen_total = n_items + np.cumsum([0, n_options, n_options])
    without, with_it = problem.node_colors.max(initial=0) + np.array([1, 2])
    entries = [  # options, items and colors
        (problem.option_of_node(), problem.items, problem.node_colors),
        (weighted, own + weighted, np.zeros_like(weighted)),
        (shared, signal + shared, np.full_like(shared, with_it)),
    ]
    is_listed = np.zeros(n_options, np.bool_)
    n_rows = n_options
    for total, (options, contains) in listed.items():
        rows = n_rows + np.arange(len(contains))
        n_rows += len(contains)
        entries.append((rows, np.full_like(rows, chosen_total + total), np.zeros_like(rows)))
        row, k = np.nonzero(~contains & ~is_listed[options])
        entries.append((rows[row], own + options[k], np.zeros_like(row)))
        row, k = np.nonzero(np.broadcast_to(is_shared[options], contains.shape))
        color = np.where(contains[row, k], with_it, without)
        entries.append((rows[row], signal + options[k], color))
        is_listed[options] = True
    row, item, color = np.concatenate(entries, axis=1)
    primary = np.concatenate([own + weighted, chosen_total + np.array([*listed])])
    items = np.concatenate(
        [
            np.arange(problem.n_primary),
            primary,
            np.arange(problem.n_primary, n_items),
            signal + shared,
        ]
    )
    item = positions_in(items, int(items.max()) + 1)[item]
    order = np.lexsort([item, row])
    is_kept = ~np.isin(np.arange(len(problem.totals[0])), [*listed])
    low, high = append_bounds(problem, np.arange(problem.n_primary), len(primary))
    return select_totals(problem, is_kept)._replace(
        indptr=np.searchsorted(row[order], np.arange(n_rows + 1)),
        items=item[order],
        n_primary=problem.n_primary + len(primary),
        n_secondary=problem.n_secondary + len(shared),
        color=color[order].astype(np.int32) if color.any() else None,
        low=low,
        high=high,
        cost=None if problem.cost is None else np.pad(problem.cost, (0, n_rows - n_options)),
    )
