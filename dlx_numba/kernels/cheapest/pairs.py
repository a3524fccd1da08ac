"""Branch on a pair of items: either one option covers both, or two options cover them.

References
----------
D. M. Ryan and B. A. Foster, An integer programming approach to scheduling, 1981.
"""

import numpy as np
from numpy.typing import NDArray

from ..csr import join_ranges
from ..problem import Problem, select_options

# Values in the relaxation that differ from 0 and 1 by less than this count as integers: those of an
# option, and the sum of those of all options with a pair.
MIN_FRACTION = 0.03
MAX_PAIRS = 1 << 18  # pairs of items in an option; those of further options are ignored
BEST_SUM = 0.65  # the pairs are preferred for which the values of their options sum to about this


def find_pairs(
    problem: Problem, value: NDArray[np.float64], is_possible: NDArray[np.bool_], n: int
) -> list[tuple[int, int]]:
    """Return pairs of items that options with fractional values cover, in a relaxed solution.

    Parameters
    ----------
    problem : Problem
    value : ndarray of float64, shape (options,)
        The value of each option in the solution, from 0 to 1, which may be inexact.
    is_possible : ndarray of bool, shape (options,)
        The options that count.
    n : int
        The largest number of pairs: the values of the options with a pair add up to about
        `BEST_SUM`.

    Returns
    -------
    list of tuple of int
        Pairs of items that are covered exactly once. Each is in two options or more, and not in all
        options with one of its items.
    """
    is_partial = is_possible & (value > MIN_FRACTION) & (value < 1 - MIN_FRACTION)
    partial = np.flatnonzero(is_partial)
    value = value[partial]
    selected = select_options(problem, partial)
    used = problem.is_once[selected.items]
    option_of = selected.option_of_node()[used]
    items = selected.items[used].astype(np.int64)
    # Each node, with each of the nodes after it in its option
    begin = np.arange(len(items)) + 1
    end = np.searchsorted(option_of, option_of, "right")
    n_first = np.searchsorted(np.cumsum(end - begin), MAX_PAIRS)  # nodes with fewer pairs in total
    right, left = join_ranges(begin[:n_first], end[:n_first])
    low_item = np.minimum(items[left], items[right])
    pairs = low_item * problem.n_items + np.maximum(items[left], items[right])
    pairs, inverse = np.unique(pairs, return_inverse=True)
    sums = np.bincount(inverse, value[option_of[left]], len(pairs))
    is_divided = (sums > MIN_FRACTION) & (sums < 1 - MIN_FRACTION)
    order = np.argsort(np.abs(sums[is_divided] - BEST_SUM), kind="stable")
    best = [divmod(pair, problem.n_items) for pair in pairs[is_divided][order[:n]].tolist()]
    dividing: list[tuple[int, int]] = []
    for pair in best:  # if some option has one item of the pair, and several have both
        parted, united = (each & is_possible for each in divide_by_pair(problem, pair))
        if np.any(parted) and np.count_nonzero(united) > 1:
            dividing.append(pair)
    return dividing


def divide_by_pair(
    problem: Problem, pair: tuple[int, int]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the options that are excluded if one option covers the pair, and if two do."""
    n_covered = np.zeros(problem.n_options, np.int8)
    for item in pair:
        n_covered[problem.options_with(item)] += 1
    return n_covered == 1, n_covered == 2
