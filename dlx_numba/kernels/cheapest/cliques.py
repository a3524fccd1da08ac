"""Clique inequalities: of options that exclude each other, a cover contains at most one.

An item that is covered at most once is such a clique. Cliques without a common item tighten the
bound of the multipliers, if a solution of the linear relaxation has more than one of their options.
As secondary items, they become a part of the problem, which keeps the same covers.

References
----------
K. L. Hoffman and M. Padberg, Solving airline crew scheduling problems by branch-and-cut, 1993.
"""

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..problem import Problem

# Cliques are sought among the MAX_HEAVY options of largest value in the relaxation, if their values
# exceed MIN_VALUE. Those of a clique sum to more than MIN_SUM: a sum of 1 violates nothing.
MIN_VALUE, MAX_HEAVY, MIN_SUM = 0.02, 512, 1.02
# At most MAX_CLIQUES are found at once. None is sought for an option that is in MAX_USES of them.
MAX_CLIQUES, MAX_USES = 64, 2
# Visits of nodes of the problem: in all, and to extend a clique. They limit the time.
MAX_CLIQUE_VISITS, MAX_EXTENSION_VISITS = 1 << 23, 1 << 18


@njit
def mark_conflicts(option, csr, csc, stamp, count, last):
    """Count `option` in the `count` of each option that has an item in common with it.

    Parameters: `csr` = (indptr (options + 1,), items (nodes,)), the items of each option; `csc` =
    (indptr (items + 1,), options (nodes,)), the options of each item; `stamp`, a number that is
    new in `last`; `count` and `last` (options,), which are written. All numbers are int64. Returns
    the number of nodes visited.
    """
    n_visits = 0
    for node in range(csr[0][option], csr[0][option + 1]):
        item = csr[1][node]
        n_visits += csc[0][item + 1] - csc[0][item]
        for k in range(csc[0][item], csc[0][item + 1]):
            other = csc[1][k]
            if last[other] != stamp:
                last[other] = stamp
                count[other] += 1
    return n_visits


@njit
def find_heaviest(first, conflicts, value, clique, best):
    """Find a heavy clique that contains option `first`. Returns its size, or 0.

    A clique grows greedily from each pair. Parameters: `conflicts` (n, n) bool; `value` (n,)
    float64, in descending order; `clique` (n,) int64, scratch memory; `best` (n,) int64, which
    receives the clique.
    """
    n_best, best_sum = 0, MIN_SUM
    for second in range(len(value)):
        if second == first or not conflicts[first, second]:
            continue
        clique[0], clique[1], size, value_sum = first, second, 2, value[first] + value[second]
        for option in range(len(value)):
            if option == first or not conflicts[second, option]:
                continue
            is_adjacent = option != second
            for k in range(size):
                is_adjacent &= conflicts[clique[k], option]
            if is_adjacent:
                clique[size] = option
                size += 1
                value_sum += value[option]
        if value_sum > best_sum:
            n_best, best_sum = size, value_sum
            for k in range(size):
                best[k] = clique[k]
    return n_best


@njit
def extend_clique(size, clique, order, csr, csc, stamp, count, last):
    """Add options that exclude all options of a clique, greedily in the order of `order`.

    Parameters: `size` int64, the number of its options; `clique` (options,) int64, which is
    extended; `order` (options,) int64; `csr`, `csc`, `stamp`, `count` and `last` as for
    `mark_conflicts`. Returns the new size.
    """
    for k in range(len(count)):
        count[k] = 0
    for k in range(size):
        mark_conflicts(clique[k], csr, csc, stamp + k, count, last)
    for k in range(size):
        count[clique[k]] = -len(order)  # so that it is not added again
    n_visits = 0
    for option in order:
        if count[option] == size and n_visits < MAX_EXTENSION_VISITS:
            clique[size] = option
            n_visits += mark_conflicts(option, csr, csc, stamp + size, count, last)
            count[option] = -len(order)
            size += 1
    return size


def find_cliques(
    problem: Problem, value: NDArray[np.float64], reduced: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """Return cliques that a solution of the linear relaxation violates.

    Parameters
    ----------
    problem : Problem
    value : ndarray of float64, shape (options,)
        The value of each option in the solution, from 0 to 1.
    reduced : ndarray of int64, shape (options,)
        Reduced costs: options with small ones are added to cliques first.

    Returns
    -------
    list of ndarray of int64
        The options of each clique.
    """
    kept = ((problem.item_high == 1) & ~problem.is_colored)[problem.items]
    option_of, items = problem.option_of_node()[kept], problem.items[kept].astype(np.int64)
    by_item = np.argsort(items, kind="stable")
    csr = np.searchsorted(option_of, np.arange(problem.n_options + 1)), items
    csc = np.searchsorted(items[by_item], np.arange(problem.n_items + 1)), option_of[by_item]
    heavy = np.argsort(-value, kind="stable")[:MAX_HEAVY]
    n_visits = np.bincount(option_of, np.diff(csc[0])[items], problem.n_options)
    heavy = heavy[(value[heavy] > MIN_VALUE) & (np.cumsum(n_visits[heavy]) < MAX_CLIQUE_VISITS)]
    order = np.argsort(reduced, kind="stable")
    count, last, clique, best = np.zeros((4, problem.n_options), np.int64)
    conflicts = np.zeros((len(heavy), len(heavy)), np.bool_)
    for k, option in enumerate(heavy):
        count[:] = 0
        mark_conflicts(option, csr, csc, k + 1, count, last)
        conflicts[k] = count[heavy] > 0
    n_total = 0.0
    n_uses, stamp, found = np.zeros(len(heavy), np.int64), len(heavy) + 1, list[NDArray[np.int64]]()
    for first in range(len(heavy)):
        if n_uses[first] >= MAX_USES or len(found) == MAX_CLIQUES or n_total > MAX_CLIQUE_VISITS:
            continue
        size = find_heaviest(first, conflicts, value[heavy], clique, best)
        if size:
            n_uses[best[:size]] += 1
            best[:size] = heavy[best[:size]]
            n_total += n_visits[best[:size]].sum()
            size = extend_clique(size, best, order, csr, csc, stamp, count, last)
            stamp += size
            found.append(np.sort(best[:size]))
    return found


def add_cliques(problem: Problem, cliques: list[NDArray[np.int64]]) -> Problem:
    """Return the problem with a further secondary item for each clique."""
    n_items = problem.n_items
    option_of = np.concatenate([problem.option_of_node(), *cliques])
    numbers = np.repeat(n_items + np.arange(len(cliques)), [len(each) for each in cliques])
    order = np.argsort(option_of, kind="stable")
    color = problem.color
    if color is not None:
        color = np.append(color, np.zeros(len(numbers), np.int32))[order]
    return problem._replace(
        indptr=np.searchsorted(option_of[order], np.arange(problem.n_options + 1)),
        items=np.append(problem.items, numbers)[order].astype(problem.items.dtype),
        n_secondary=problem.n_secondary + len(cliques),
        color=color,
    )
