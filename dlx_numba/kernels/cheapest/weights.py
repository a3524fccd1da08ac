"""Find weights of items that prove that a problem has no cover.

They are a solution of the dual of the linear relaxation. If options cost nothing, prices with a
positive bound are such a proof (Farkas's lemma).
"""

import numpy as np
from numpy.typing import NDArray

from ...runtime.interrupts import Steps, Stop, unless_stopped
from ..csr import group, row_of
from ..problem import Problem, select_options
from .multipliers import BEST_BOUND, climb

MAX_STEPS = 1024  # of the ascent
MAX_WORK = 1 << 26  # visits of nodes by all steps, unless the caller sets a limit
# The ascent ends at this bound. It is large compared with the first gap, which is 1, so that the
# prices are nearly in proportion.
TARGET = 100.0
SCALES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 60, 1000)  # the largest weight, from simple to exact


def find_weights(
    problem: Problem, stop: Stop, max_work: int = MAX_WORK
) -> tuple[NDArray[np.int64], int] | None:
    """Return weights of the items, and the largest sum of those that a cover can contain, or None.

    The weights in each option sum to at least 0, but those of the items of a cover would sum to
    less, however often it contains each item within its bounds.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> problem = ExactCover([["a", "s"], ["b", "s"]], secondary=["s"]).problem
    >>> find_weights(problem, Stop())
    (array([-1, -1,  1]), -1)
    """
    if found := unless_stopped(seek_weights(problem, max_work), stop):
        used = select_options(problem, problem.usable_options())
        return _omit_items(used, *found, stop, max_work)
    return None


def seek_weights(problem: Problem, max_work: int) -> Steps[tuple[NDArray[np.int64], int] | None]:
    """Return weights as `find_weights` does, in steps, but more of them may differ from 0."""
    problem = select_options(problem, problem.usable_options())
    if not 0 < len(problem.items) <= max_work:
        return None
    n_steps = min(MAX_STEPS, max_work // len(problem.items))
    start = np.zeros(problem.n_items)
    # Without costs; 1.0 is the first gap.
    ascent = yield from climb(problem._replace(cost=None), start, 1.0, n_steps, TARGET)
    if ascent.scalars[BEST_BOUND] <= 0:
        return None
    weight = -ascent.best[: problem.n_items]  # without costs, prices sum to 0 at most in an option
    for scale in SCALES:
        rounded = np.rint(weight / np.abs(weight).max() * scale).astype(np.int64)
        weights, total = _repair(problem, rounded)
        if total < 0:  # the options of a cover sum to 0 at least, so there is none
            return weights, total
    return None


def _omit_items(
    problem: Problem, weights: NDArray[np.int64], total: int, stop: Stop, max_work: int
) -> tuple[NDArray[np.int64], int]:
    """Return weights of which fewer differ from 0, and the largest sum, if that is found soon."""
    items = np.flatnonzero(weights).tolist()
    # Omit one item after another, as many as the work permits, if the others still are a proof.
    for item in items[: max_work // len(problem.items) // len(weights)]:
        if stop():
            break
        fewer, largest = _repair(problem, np.where(np.arange(len(weights)) == item, 0, weights))
        if largest < 0 and np.count_nonzero(fewer) < np.count_nonzero(weights):
            weights = fewer
            total = largest
    return weights, total


def extend_count(
    problem: Problem, weights: NDArray[np.int64], total: int
) -> tuple[NDArray[np.int64], int]:
    """Return weights, and their largest sum, in which as many items as possible have -1.

    An item of weight 0 gets the weight -1 if the weights in each of its options then still sum to 0
    at least. That lowers the largest sum by how often the item must be covered.
    """
    problem = select_options(problem, problem.usable_options())
    weights = weights.copy()
    option_of = problem.option_of_node()
    low = problem.lows
    sums = np.bincount(option_of, weights[problem.items], problem.n_options)
    order, starts = group(problem.items, problem.n_primary)
    for item in np.flatnonzero((weights[: problem.n_primary] == 0) & (low > 0)).tolist():
        options = option_of[row_of(order, starts, item)]
        if len(options) and sums[options].min() > 0:
            sums[options] -= 1
            weights[item] = -1
            total -= int(low[item])
    return weights, total


def _repair(problem: Problem, weight: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Increase weights until that of each option and of each secondary item is at least 0.

    Returns them, and the largest sum of those that a cover can contain.
    """
    n_primary = problem.n_primary
    weight = weight.copy()
    weight[n_primary:] = np.maximum(weight[n_primary:], 0)
    weight[problem.is_colored] = 0  # colored items may be in any number of options
    sums = np.add.reduceat(weight[problem.items], problem.indptr[:-1])
    option_of = problem.option_of_node()
    is_primary = problem.items < n_primary
    # The first primary item of each option makes up for what the sum of its weights lacks: it gains
    # the largest deficit of these options.
    options, first_node = np.unique(option_of[is_primary], return_index=True)
    increase = np.zeros(problem.n_items, np.int64)
    np.maximum.at(increase, problem.items[is_primary][first_node], -sums[options])
    weight += increase
    primary = weight[:n_primary]
    total = int(
        (primary * np.where(primary > 0, problem.highs, problem.lows)).sum()
        + weight[n_primary:].sum()
    )
    return weight, total
