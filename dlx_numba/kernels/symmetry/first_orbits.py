"""Count orbits of covers by the covers that begin with a representative option.

Let some orbits of options be in an order, and such that each cover meets one of them. A symmetry
maps the option of a cover in the first orbit that it meets to the representative of this orbit. So
each orbit of covers has members that contain a representative and no option of earlier orbits. Each
of these is counted with a weight, because there may be several.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import Steps
from ..cover_array import CoverArray
from ..csr import positions_in
from ..problem import Problem, select_options

MAX_ORBITS = 256  # that are in order; each excludes all before it
COMPARED = 1 << 16  # options in the images of covers that are compared at once


def choose_orbits(
    problem: Problem, orbit: NDArray[np.int64], item_orbit: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the orbits of the options of an item that needs one option, the fewest possible.

    There are none if there are no such items.

    Parameters
    ----------
    problem : Problem
    orbit : ndarray of int64, shape (options,)
        The first option of the orbit of each option.
    item_orbit : ndarray of int64, shape (items,)
        The number of the orbit of each item.
    """
    once = np.flatnonzero(problem.is_once)
    if not len(once):
        return once
    # One option of each orbit suffices, because all have items of the same orbits.
    first = np.flatnonzero(orbit == np.arange(len(orbit)))
    nodes, options = problem.nodes_of(first)
    pairs = np.unique(item_orbit[problem.items[nodes]] * len(orbit) + first[options])
    item_orbits, orbits = np.divmod(pairs, max(1, len(orbit)))
    n_orbits = np.bincount(item_orbits, minlength=1 + int(item_orbit.max(initial=0)))
    best = item_orbit[once[np.argmin(n_orbits[item_orbit[once]])]]
    chosen: NDArray[np.int64] = orbits[item_orbits == best]
    return chosen


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
    n_options = problem.n_options
    n_primary = problem.n_primary
    n_orbits = len(orbits)
    rank = positions_in(orbits, n_options, n_orbits)[orbit]
    copied = select_options(problem, orbits)
    copies = n_options + np.arange(n_orbits)
    indptr = np.append(problem.indptr, problem.indptr[-1] + copied.indptr[1:])
    items = np.append(problem.items, copied.items)
    colors = np.append(problem.node_colors, copied.node_colors)
    new_color = int(colors.max(initial=0)) + 1
    first_item = problem.n_items + 1
    excluding, excluded = np.tril_indices(n_orbits, -1)
    ordered = np.flatnonzero(rank < n_orbits)
    # Further entries at the ends of options: the last primary item in the copies; in a copy, one
    # color of the secondary item of each orbit before; in an option of an orbit, another color of
    # its secondary item, so that those copies exclude it.
    options = np.concatenate([copies, copies[excluding], ordered])
    added = [np.full(n_orbits, n_primary), first_item + excluded, first_item + rank[ordered]]
    added_colors = np.repeat([0, new_color, new_color + 1], [*map(len, added)])
    n_added = np.bincount(options, minlength=len(indptr) - 1)
    ends = indptr[options + 1]
    extended = problem._replace(
        indptr=indptr + np.append(0, np.cumsum(n_added)),
        items=np.insert(items + (items >= n_primary), ends, np.concatenate(added)),
        n_primary=n_primary + 1,
        n_secondary=problem.n_secondary + n_orbits,
        color=np.insert(colors, ends, added_colors),
        low=None if problem.low is None else np.append(problem.low, 1),
        high=None if problem.high is None else np.append(problem.high, 1),
        cost=None,
    )
    if problem.total_low is None:
        return extended
    totals = problem.totals
    more = copied.totals
    return extended._replace(
        weight_total=np.append(totals.total, more.total),
        weight_option=np.append(totals.option, more.option + n_options),
        weight=np.append(totals.weight, more.weight),
    )


def count_orbits(
    covers: CoverArray,
    orbit: NDArray[np.int64],
    orbits: NDArray[np.int64],
    images_of: Callable[[NDArray[np.int64]], Iterable[NDArray[np.integer]]],
) -> Steps[int]:
    """Count the orbits of covers.

    Parameters
    ----------
    covers : CoverArray
        The covers of `begin_with_orbits`.
    orbit, orbits
        Its parameters.
    images_of : callable
        Returns blocks of the images of some options under all elements of the group, each of shape
        (elements, options).
    """
    n_options = len(orbit)
    lengths = np.diff(covers.indptr)
    rows = np.full((len(covers), int(lengths.max(initial=1))), n_options)
    is_option = np.arange(rows.shape[1]) < lengths[:, None]
    rows[is_option] = covers.options
    first = orbits[rows[np.arange(len(rows)), lengths - 1] - n_options]  # the copy comes last
    rows[np.arange(len(rows)), lengths - 1] = first
    rows.sort(axis=1)
    n_first = (np.append(orbit, -1)[rows] == first[:, None]).sum(axis=1)
    order = 0
    n_fixing = np.zeros(len(rows), np.int64)
    used = np.setdiff1d(rows, n_options)
    column = np.searchsorted(used, rows)
    step = max(1, COMPARED // max(1, rows.size))
    for block in images_of(used):
        images = np.insert(block, len(used), n_options, axis=1)
        for begin in range(0, len(images), step):
            moved = np.sort(images[begin : begin + step, column], axis=2)
            n_fixing += (moved == rows).all(axis=2).sum(axis=0)
            yield
        order += len(block)
    # So many members of an orbit are found: the options of one in its first orbit of options, times
    # the elements that fix an option, over those that fix the member.
    weights = np.bincount(orbit, minlength=n_options)[first] * n_fixing
    numbers = np.unique(n_first).tolist()
    shares = (Fraction(int(weights[n_first == number].sum()), number) for number in numbers)
    return int(sum(shares, Fraction(0)) / order)
