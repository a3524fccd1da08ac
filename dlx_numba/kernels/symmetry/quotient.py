"""Quotient problems, whose covers correspond to the covers that a group of symmetries fixes.

A group fixes a cover if the cover is a union of orbits of options. All items of an orbit of
items are in equally many options of such a union, with corresponding colors. So the union is a
cover if it satisfies the conditions of one item of each orbit.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..csr import number_rows, positions_in
from ..problem import Problem, append_bounds
from ..reduce import ConflictError, reduce_problem
from .chain import Permutation, merge_orbits
from .incidence import Restriction


class Quotient(NamedTuple):
    """A problem whose covers correspond to the covers that a group fixes.

    Its options are *rows*: orbits, or single options of an orbit that contains an item several
    times. Such an option has a row of its own, and another row as the alternative to it.
    """

    problem: Problem
    items: NDArray[np.int64]  # the first item of each orbit; others have higher numbers
    first: NDArray[np.int64]  # (items,) the first item of the orbit of each item
    row_of: NDArray[np.int64]  # (options,) the row of each option; -1 if no fixed cover contains it


def quotient_problem(
    problem: Problem, generators: Iterable[Permutation], restriction: Restriction
) -> Problem | None:
    """Return a problem that has as many covers as a group fixes, or None if there are none.

    It is that of `build_quotient`, without what the given options cover.
    """
    problem = problem._replace(cost=None)
    quotient, *_, row_of = build_quotient(problem, generators, restriction.forbidden)
    given = row_of[restriction.given]
    if np.any(given < 0):
        return None
    try:
        return reduce_problem(quotient, np.unique(given), given[:0]).problem
    except ConflictError:
        return None


def build_quotient(
    problem: Problem, generators: Iterable[Permutation], forbidden: NDArray[np.bool_]
) -> Quotient:
    """Return the problem of the orbits whose options can be in one cover.

    Parameters
    ----------
    problem : Problem
    generators : iterable of Permutation
        Symmetries, as permutations of the items and of the options, which are numbered after the
        items.
    forbidden : ndarray of bool, shape (options,)
        The options that no cover contains.
    """
    n_items = problem.n_items
    n_options = problem.n_options
    first = np.arange(n_items + n_options)  # the first vertex of the orbit of each item and option
    for generator in generators:
        merge_orbits(first, *generator)
    is_first = first == np.arange(len(first))
    orbit_of = first[n_items:] - n_items
    option_of = problem.option_of_node()
    items = problem.items
    color = problem.node_colors

    # An option is possible if all of its orbit are: no cover contains half of an orbit. The first
    # items stand for the others of their orbits.
    nodes = np.flatnonzero(is_first[items])
    counts = _count_items(orbit_of[option_of[nodes]], items[nodes], color[nodes])
    orbits, counted, n_times = counts
    is_possible = np.ones(n_options, np.bool_)
    is_possible[orbit_of[forbidden | ~problem.has_primary]] = False
    is_possible[orbits[n_times > problem.item_high[counted]]] = False
    is_possible = is_possible[orbit_of]

    # An orbit is one row, numbered as its first option, or several rows, numbered as its options,
    # if it contains an item several times.
    is_repeated = np.isin(orbit_of, orbits[n_times > 1])
    row_of = np.where(is_repeated, np.arange(n_options), orbit_of)
    nodes = nodes[is_possible[option_of[nodes]]]
    members = np.flatnonzero(is_repeated & is_possible)
    links = n_items + np.arange(len(members))
    joined = np.concatenate(
        [
            np.stack([row_of[option_of[nodes]], items[nodes], color[nodes]]),
            *_link_rows(members, n_items, orbit_of, color.max(initial=0)),
        ],
        axis=1,
    )
    joined = joined[:, np.lexsort((joined[1], joined[0]))]
    # Options of an orbit that share an item in one color have one entry in their row.
    rows, entries, colors = joined[:, number_rows(joined[0], joined[1])[1] == 0]

    # Number the items: the first ones of orbits that are primary, the links, then secondary items
    n_primary = problem.n_primary
    primary = np.concatenate([np.flatnonzero(is_first[:n_primary]), links])
    secondary = np.unique(entries[(entries >= n_primary) & ~np.isin(entries, links)])
    n_numbers = n_items + len(members) + n_options  # with the items that `_link_rows` adds
    item_number = positions_in(np.concatenate([primary, secondary]), n_numbers)
    numbers, row_number = np.unique(rows, return_inverse=True)
    quotient = Problem(
        np.searchsorted(row_number, np.arange(len(numbers) + 1)),
        item_number[entries],
        len(primary),
        len(secondary),
        colors.astype(np.int32) if colors.any() else None,
    )
    low, high = append_bounds(problem, primary[: len(primary) - len(links)], len(links))
    quotient = quotient._replace(low=low, high=high)
    if problem.total_low is not None:
        quotient = quotient._replace(**_quotient_totals(problem, is_possible, row_of, numbers))
    quotient_row = np.where(is_possible, np.searchsorted(numbers, row_of), -1)
    if problem.cost is not None:
        cost = np.zeros(len(numbers), np.int64)
        np.add.at(cost, quotient_row[is_possible], problem.cost[is_possible])
        quotient = quotient._replace(cost=cost)
    return Quotient(quotient, np.concatenate([primary, secondary]), first[:n_items], quotient_row)


def _count_items(
    orbits: NDArray[np.int64], items: NDArray[np.integer], colors: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.integer], NDArray[np.int64]]:
    """Return each pair of an orbit of options and an item, and how many of its nodes have the item.

    If they all have the same color, they cover the item together, so they count once.
    """
    order = np.lexsort((colors, items, orbits))
    orbits = orbits[order]
    items = items[order]
    colors = colors[order]
    is_new = (np.diff(orbits, prepend=-1) != 0) | (np.diff(items, prepend=-1) != 0)
    begin = np.flatnonzero(is_new)
    end = np.append(begin, len(order))[1:]
    # They are sorted, so all colors between two equal ones are equal.
    is_shared = (colors[begin] > 0) & (colors[begin] == colors[end - 1])
    return orbits[begin], items[begin], np.where(is_shared, 1, end - begin)


def _link_rows(
    members: NDArray[np.int64], n_items: int, orbit_of: NDArray[np.int64], max_color: int
) -> Iterator[NDArray[np.int64]]:
    """Yield entries (row, item, color) by which all rows of an orbit are chosen or none.

    For each of its `members`, a primary item, the link, is in the row and in an alternative to it,
    and they give a secondary item of the orbit different colors. The items follow the others.
    """
    n_members = len(members)
    alternatives = len(orbit_of) + np.arange(n_members)
    links = n_items + np.arange(n_members)
    for chosen, rows in enumerate((alternatives, members)):
        yield np.stack([rows, links, np.zeros_like(rows)])
        colors = np.full_like(rows, max_color + 1 + chosen)
        yield np.stack([rows, n_items + n_members + orbit_of[members], colors])


def _quotient_totals(
    problem: Problem,
    is_possible: NDArray[np.bool_],
    row_of: NDArray[np.int64],
    numbers: NDArray[np.int64],
) -> dict[str, Any]:
    """Return the limits of totals, and the sums of the weights of the options in each row.

    `numbers` has the rows that are options of the quotient, as `row_of` numbers them.
    """
    low, high, total, weighted, weight = problem.totals
    is_kept = is_possible[weighted]
    pairs = [total[is_kept], row_of[weighted[is_kept]]]
    keys, key_of = np.unique(pairs, axis=1, return_inverse=True)
    sums = np.zeros(keys.shape[1], np.int64)
    np.add.at(sums, key_of.ravel(), weight[is_kept])
    return {
        "total_low": low,
        "total_high": high,
        "weight_total": keys[0],
        "weight_option": np.searchsorted(numbers, keys[1]),
        "weight": sums,
    }
