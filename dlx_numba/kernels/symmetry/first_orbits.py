"""Count orbits of covers by the covers that begin with a representative option.

Let some orbits of options be in an order, and such that each cover meets one of them. A symmetry
maps the option of a cover in the first orbit that it meets to the representative of this orbit. So
each orbit of covers has members that contain a representative and no option of earlier orbits. Each
of these is counted with a weight, because there may be several.
"""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import Steps
from ..cover_array import CoverArray
from ..problem import Problem

MAX_ORBITS = 256  # that are in order; each excludes all before it


def choose_orbits(problem: Problem, orbit: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the orbits of the options of an item that needs one option, the fewest possible.

    There are none if there are no such items.

    Parameters
    ----------
    problem : Problem
    orbit : ndarray of int64, shape (options,)
        The first option of the orbit of each option.
    """
    _, low, high = problem.costs_and_bounds
    n_options, option_of = problem.n_options, problem.option_of_node()
    pairs = np.sort(problem.items * n_options + orbit[option_of])
    items, orbits = np.divmod(pairs[np.diff(pairs, prepend=-1) > 0], n_options)
    n_orbits = np.bincount(items, minlength=problem.n_items)[: problem.n_primary]
    once = np.flatnonzero((low == 1) & (high == 1))
    return orbits[np.isin(items, once[np.argmin(n_orbits[once])])] if len(once) else once


def begin_with_orbits(
    problem: Problem, orbit: NDArray[np.int64], orbits: NDArray[np.int64]
) -> Problem:
    """Return a problem whose covers contain the first option of an orbit, and none of those before.

    These options are added as copies, which exclude the options of the orbits before by the colors
    of secondary items. The last primary item is in all copies.

    Parameters
    ----------
    problem : Problem
    orbit : ndarray of int64, shape (options,)
        The first option of the orbit of each option.
    orbits : ndarray of int64
        The first options of the orbits that are in order, each with an item that is covered once.
    """
    n_options, n_primary, n_orbits = problem.n_options, problem.n_primary, len(orbits)
    rank = np.full(n_options, n_orbits)
    rank[orbits] = np.arange(n_orbits)
    rank = rank[orbit]
    option_of, own_items, own_colors = problem.option_of_node(), problem.items, problem.node_colors
    own_items = own_items + (own_items >= n_primary)
    is_copied = np.isin(option_of, orbits)
    excluding, excluded = np.tril_indices(n_orbits, -1)
    ordered, copies = np.flatnonzero(rank < n_orbits), n_options + np.arange(n_orbits)
    new_color, n_items = int(own_colors.max(initial=0)) + 1, problem.n_items + 1
    options = [option_of, copies[rank[option_of[is_copied]]], copies, copies[excluding], ordered]
    items = [own_items, own_items[is_copied], np.full(n_orbits, n_primary)]
    items += [n_items + excluded, n_items + rank[ordered]]
    colors = [own_colors, own_colors[is_copied], np.zeros(n_orbits, np.int32)]
    colors += [np.full(len(excluded), new_color), np.full(len(ordered), new_color + 1)]
    every_option, every_item, every_color = map(np.concatenate, (options, items, colors))
    order = np.argsort(every_option * (n_items + n_orbits) + every_item, kind="stable")  # runs
    totals = {}
    if problem.total_low is not None:
        _, _, total, weighted, weight = problem.totals
        kept = np.isin(weighted, orbits)
        totals = {
            "weight_total": np.append(total, total[kept]),
            "weight_option": np.append(weighted, copies[rank[weighted[kept]]]),
            "weight": np.append(weight, weight[kept]),
        }
    return problem._replace(
        indptr=np.searchsorted(every_option[order], np.arange(n_options + n_orbits + 1)),
        items=every_item[order],
        n_primary=n_primary + 1,
        n_secondary=problem.n_secondary + n_orbits,
        color=every_color[order].astype(np.int32),
        low=None if problem.low is None else np.append(problem.low, 1),
        high=None if problem.high is None else np.append(problem.high, 1),
        cost=None,
        **totals,
    )


def count_orbits(
    covers: CoverArray,
    orbit: NDArray[np.int64],
    orbits: NDArray[np.int64],
    elements: Iterable[NDArray[np.integer]],
) -> Steps[int]:
    """Count the orbits of covers.

    Parameters
    ----------
    covers : CoverArray
        The covers of `begin_with_orbits`.
    orbit, orbits
        Its parameters.
    elements : iterable of ndarray, shape (elements, options)
        The images of the options under all elements of the group.
    """
    n_options, lengths = len(orbit), np.diff(covers.indptr)
    rows = np.full((len(covers), int(lengths.max(initial=1))), n_options)
    is_option = np.arange(rows.shape[1]) < lengths[:, None]
    rows[is_option] = covers.options
    first = orbits[rows[np.arange(len(rows)), lengths - 1] - n_options]  # the copy comes last
    rows[np.arange(len(rows)), lengths - 1] = first
    rows.sort(axis=1)
    n_first = (np.append(orbit, -1)[rows] == first[:, None]).sum(axis=1)
    order, n_fixing = 0, np.zeros(len(rows), np.int64)
    for block in elements:
        for image in block:
            n_fixing += (np.sort(np.append(image, n_options)[rows], axis=1) == rows).all(axis=1)
            yield
        order += len(block)
    # So many members of an orbit are found: the options of one in its first orbit of options, times
    # the elements that fix an option, over those that fix the member.
    weights = np.bincount(orbit, minlength=n_options)[first] * n_fixing
    numbers = np.unique(n_first).tolist()
    shares = (Fraction(int(weights[n_first == number].sum()), number) for number in numbers)
    return int(sum(shares, Fraction(0)) / order)
