"""Construct most of a cover greedily, such that the rest can still be covered.

Where each item is covered once, an option excludes all others that share an item with it, so that
the last items are the hardest to cover. Therefore the item with the fewest options is next, and of
these an option that costs little and excludes few others. Options count less the more they cost,
and the more items they have: those are less likely to be among the last ones of a cover.

References
----------
T. A. Feo and M. G. C. Resende, Greedy randomized adaptive search procedures, 1995.
"""

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..csr import transpose
from ..problem import Problem

SIZE_FACTOR = 0.5  # multiplies the weight of an option for each item that it has
NOISE = 0.02  # the largest random number that is added to the rating of an option
BISECTIONS = 16  # of the logarithm of the temperature, which is exact to a tenth of a percent then
NEGLIGIBLE = 1e-9  # of sums of weights, which are at most 1, and of temperatures


@njit
def choose_options(
    indptr, items, start, options, rating, weight, n_rest, is_left, is_covered, total, chosen
):
    """Choose options until at most `n_rest` others are left, or an item has none.

    The next item is the one whose options weigh least. Of these, the best one has the lowest sum
    of its rating and the logarithm of the weight that it excludes for each of its items.

    Parameters: `indptr` (options + 1,) int64 and `items` (nodes,), of a problem; `start`
    (items + 1,) and `options` (nodes,), the same by item; `rating` and `weight` (options,) float64;
    `n_rest` int64. Written: `is_left` (options,) bool, true at first; `is_covered` (n_primary,)
    bool, false at first; `total` (items,) float64, 0 at first, the weights of the options of each
    item; `chosen` (n_primary,) int64. Returns how many are chosen.
    """
    n_left = len(rating)  # options
    n_primary = len(chosen)
    for option in range(n_left):
        for node in range(indptr[option], indptr[option + 1]):
            total[items[node]] += weight[option]
    for n_chosen in range(n_primary):
        next_item = -1
        for item in range(n_primary):
            if not is_covered[item] and (next_item < 0 or total[item] < total[next_item]):
                next_item = item
        if next_item < 0 or n_left <= n_rest:
            return n_chosen
        best = -1
        lowest = 0.0  # the value of `best`
        for k in range(start[next_item], start[next_item + 1]):
            option = options[k]
            if is_left[option]:
                excluded = 0.0
                for node in range(indptr[option], indptr[option + 1]):
                    excluded += total[items[node]]
                n_items = indptr[option + 1] - indptr[option]
                value = rating[option] + np.log(max(excluded, NEGLIGIBLE) / n_items)
                if best < 0 or value < lowest:
                    best = option
                    lowest = value
        if best < 0:
            return n_chosen
        chosen[n_chosen] = best  # and leave out all options that share an item with it
        for node in range(indptr[best], indptr[best + 1]):
            item = items[node]
            if item < n_primary:
                is_covered[item] = True
            for k in range(start[item], start[item + 1]):
                option = options[k]
                if is_left[option]:
                    is_left[option] = False
                    n_left -= 1
                    for other in range(indptr[option], indptr[option + 1]):
                        total[items[other]] -= weight[option]
    return n_primary


def is_partition(problem: Problem) -> bool:
    """Return whether each primary item is covered once, and there are no colors or totals."""
    n_once = np.count_nonzero(problem.is_once)
    return n_once == problem.n_primary and problem.color is None and problem.total_low is None


def construct(
    problem: Problem, reduced: NDArray[np.float64], n_likely: float, n_rest: int, seed: int
) -> NDArray[np.int64]:
    """Return options of a partial cover, in the order in which they are chosen.

    Parameters
    ----------
    problem : Problem
        One for which `is_partition` is true.
    reduced : ndarray of float64, shape (options,)
        The reduced costs, none of which is negative.
    n_likely : float
        The costs count so much that about this number of options is likely to be chosen.
    n_rest : int
        So many other options may be left.
    seed : int
        For a small random part of the ratings.
    """
    temperature = find_temperature(reduced, n_likely)
    options, start = transpose(problem.indptr, problem.items, problem.n_items)
    sizes = np.diff(problem.indptr)
    noise = NOISE * np.random.default_rng(seed).random(problem.n_options)
    chosen = np.empty(problem.n_primary, np.int64)
    n_chosen = choose_options(
        problem.indptr,
        problem.items.astype(np.uint32),
        start,
        options,
        reduced / (temperature * sizes) + noise,
        np.exp(-reduced / temperature) * SIZE_FACTOR ** (sizes - sizes.min(initial=1)),
        n_rest,
        np.ones(problem.n_options, np.bool_),
        np.zeros(problem.n_primary, np.bool_),
        np.zeros(problem.n_items),
        chosen,
    )
    return chosen[:n_chosen]


def find_temperature(reduced: NDArray[np.float64], n_likely: float) -> float:
    """Return the temperature at which the Boltzmann factors of the options sum to a number.

    The Boltzmann factor of an option is exp(-reduced / temperature). The temperature is limited, if
    there are not so many options, or more of reduced cost 0. It is found by bisection.

    >>> round(find_temperature(np.array([0.0, 1.0]), 1.5), 2)
    1.44
    """
    high = (float(reduced.max(initial=0)) or 1.0) * max(1, len(reduced))
    low = high * NEGLIGIBLE
    for _ in range(BISECTIONS):
        middle = (low * high) ** 0.5
        if np.exp(-reduced / middle).sum() < n_likely:
            low = middle
        else:
            high = middle
    return high
