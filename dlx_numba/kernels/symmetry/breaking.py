"""Break symmetries: leave out options without which there is still a cover, if there is one."""

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import Steps
from ..csr import number_rows, row_of
from ..problem import Problem
from .automorphisms import find_automorphisms
from .chain import merge_orbits
from .incidence import Restriction, build_incidence


def break_symmetries(problem: Problem) -> Steps[NDArray[np.int64]]:
    """Return options that suffice: there is a cover of these if there is any cover.

    A symmetry maps the option of a cover that covers an item to any other one of its orbit. So one
    representative of each orbit suffices for an item that is covered once. The symmetries that fix
    all representatives so far apply to the next item.

    Parameters
    ----------
    problem : Problem

    Yields
    ------
    None
        Every few milliseconds.

    Returns
    -------
    ndarray of int64
        The options, ascending. If the problem has no symmetries that help, these are all.
    """
    n_options = problem.n_options
    n_items = problem.n_items
    option_of = problem.option_of_node()
    is_exclusive = (problem.item_high == 1) & ~problem.is_colored
    # No option is given or forbidden; with this restriction, equal options are not exchanged.
    none = np.zeros(n_options, np.bool_)
    graph = yield from build_incidence(problem._replace(cost=None), Restriction(none, none))
    generators = (yield from find_automorphisms(graph)).generators
    is_kept = ~none
    lengths = np.diff(problem.indptr)
    while generators:
        orbit = np.arange(graph.n_vertices)
        n_moving = np.zeros(graph.n_vertices, np.int64)
        for generator in generators:
            merge_orbits(orbit, *generator)
            n_moving[generator.moved] += 1
        nodes = np.flatnonzero(problem.is_once[problem.items] & is_kept[option_of])
        item = problem.items[nodes]
        option = option_of[nodes]
        orbit, n_moving = orbit[graph.options], n_moving[graph.options]
        # The representatives are those that the fewest generators move.
        order = np.lexsort((n_moving[option], orbit[option], item))
        item, option = item[order], option[order]
        is_first = number_rows(item, orbit[option])[1] == 0
        n_left_out = np.bincount(item[~is_first], minlength=n_items)
        if not n_left_out.any():
            break
        size = np.bincount(item, lengths[option], n_items)
        # The item that leaves out most options; among these, the one with the fewest orbits, and
        # then the one whose options are longest
        best = np.lexsort((size, -np.bincount(item[is_first], minlength=n_items), n_left_out))[-1]
        representatives = option[is_first & (item == best)]
        is_kept[option[~is_first & (item == best)]] = False
        if len(representatives) == 1:  # it is in the cover
            is_shared = np.zeros(n_items, np.bool_)
            [chosen] = representatives
            is_shared[row_of(problem.items, problem.indptr, chosen)] = True
            is_kept[option_of[(is_shared & is_exclusive)[problem.items]]] = False
            is_kept[chosen] = True
        fixed = representatives + graph.options.start
        generators = [each for each in generators if not np.isin(fixed, each.moved).any()]
        yield
    return np.flatnonzero(is_kept)
