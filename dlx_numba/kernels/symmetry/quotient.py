"""Quotient problems, whose covers correspond to the covers that a symmetry fixes.

A symmetry fixes a cover if the cover is a union of orbits of options. All items of an orbit of
items are in equally many options of such a union, with corresponding colors. So the union is a
cover if it satisfies the conditions of one item of each orbit.
"""

import numpy as np

from ..csr import number_rows, positions_in
from ..problem import Problem
from ..reduce import ConflictError, reduce_problem
from .chain import Permutation, merge_orbits
from .incidence import Restriction
from .refine import Vertices


def quotient_problem(problem: Problem, image: Vertices, restriction: Restriction) -> Problem | None:
    """Return a problem that has as many covers as a symmetry fixes, or None if there are none.

    Its items are the first item of each orbit, and its options are the orbits whose options can be
    in one cover.

    Parameters
    ----------
    problem : Problem
    image : ndarray of uint32, shape (items + options,)
        The image of each item, and of each option; the options are numbered after the items.
    restriction : Restriction
        The symmetry maps given options to given ones, and forbidden options to forbidden ones.
    """
    n_primary = problem.n_primary
    n_items = problem.n_items
    n_options = problem.n_options
    first = np.arange(len(image))
    merge_orbits(first, *Permutation.of(image))
    is_first = first == np.arange(len(image))
    orbit_of = first[n_items:] - n_items
    option_of = problem.option_of_node()
    items = problem.items
    color = problem.node_colors
    most = problem.item_high

    # Multiplicity of each item in each option orbit; shared colors count once
    nodes = np.flatnonzero(is_first[items])
    nodes = nodes[np.lexsort((color[nodes], items[nodes], orbit_of[option_of[nodes]]))]
    orbits = orbit_of[option_of[nodes]]
    begin = np.flatnonzero(np.diff(orbits * n_items + items[nodes], prepend=-1))
    end = np.append(begin, len(nodes))[1:]
    is_shared = (color[nodes[begin]] > 0) & (color[nodes[begin]] == color[nodes[end - 1]])
    n_times = np.where(is_shared, 1, end - begin)
    is_possible = problem.has_primary & ~restriction.forbidden
    is_possible[orbits[begin[n_times > most[items[nodes[begin]]]]]] = False
    is_possible = is_possible[orbit_of]
    if not is_possible[restriction.given].all():
        return None

    # An orbit is one row, or several rows if it contains an item several times.
    is_repeated = np.zeros(n_options, np.bool_)
    is_repeated[orbits[begin[n_times > 1]]] = True
    row_of = np.where(is_repeated[orbit_of], np.arange(n_options), orbit_of)
    nodes = nodes[is_possible[option_of[nodes]]]
    parts = [np.stack([row_of[option_of[nodes]], items[nodes], color[nodes]])]
    # Either all rows of an orbit are chosen or none: for each of them, a primary item is in the row
    # and in an alternative to it, and they give a secondary item different colors.
    members = np.flatnonzero(is_repeated[orbit_of] & is_possible)
    links = n_items + np.arange(len(members))
    for chosen, rows in enumerate((n_options + np.arange(len(members)), members)):
        parts.append(np.stack([rows, links, np.zeros_like(rows)]))
        colors = np.full_like(rows, color.max(initial=0) + 1 + chosen)
        parts.append(np.stack([rows, n_items + len(members) + orbit_of[members], colors]))
    joined = np.concatenate(parts, axis=1)
    joined = joined[:, np.lexsort((joined[1], joined[0]))]
    rows, entries, colors = joined[:, number_rows(joined[0], joined[1])[1] == 0]

    bounds = np.ones((2, n_items + len(members)), np.int64)
    if problem.low is not None and problem.high is not None:
        bounds[:, :n_primary] = problem.low, problem.high
    primary = np.concatenate([np.flatnonzero(is_first[:n_primary]), links])
    others = np.unique(entries[(entries >= n_primary) & ~np.isin(entries, links)])
    n_numbers = n_items + len(members) + n_options
    item_number = positions_in(np.concatenate([primary, others]), n_numbers)
    numbers, row_number = np.unique(rows, return_inverse=True)
    low, high = bounds[:, primary]
    _, _, total, weighted, weight = problem.totals
    is_kept = is_possible[weighted]
    keys, key_of = np.unique(
        [total[is_kept], row_of[weighted[is_kept]]], axis=1, return_inverse=True
    )
    sums = np.zeros(keys.shape[1], np.int64)
    np.add.at(sums, key_of.ravel(), weight[is_kept])
    quotient = Problem(
        np.searchsorted(row_number, np.arange(len(numbers) + 1)),
        item_number[entries],
        len(primary),
        len(others),
        colors.astype(np.int32) if colors.any() else None,
        None if problem.low is None else low,
        None if problem.high is None else high,
    )
    if problem.total_low is not None:
        quotient = quotient._replace(
            total_low=problem.total_low,
            total_high=problem.total_high,
            weight_total=keys[0],
            weight_option=np.searchsorted(numbers, keys[1]),
            weight=sums,
        )
    given = np.flatnonzero(np.isin(numbers, row_of[restriction.given]))
    try:
        return reduce_problem(quotient, given, given[:0])[0]
    except ConflictError:
        return None
