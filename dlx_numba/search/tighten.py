"""Tighten the bound of a node by steps of the ascent."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.cheapest import multipliers
from ..kernels.problem import Problem, select_options
from ..runtime.interrupts import Steps
from .node import BestCovers, Node

# The gaps with which the ascent in a node begins and ends, as shares of the distance between its
# bound and the cost to beat.
NODE_GAP = 0.05
NODE_END_GAP = 0.02
TOLERANCE = 1e-3  # of bounds in floating-point arithmetic, in the unit of costs


class Tightened(NamedTuple):
    """A node after some steps of the ascent."""

    node: Node
    dual: multipliers.DualBound
    value: NDArray[np.float64]  # (options,) an approximate solution of the relaxation
    n_visits: int  # of nodes of the problem


def tighten(
    problem: Problem,
    items: NDArray[np.int64],
    node: Node,
    best: BestCovers,
    paid: int,
    n_steps: int,
    removed: NDArray[np.int64] = multipliers.NOTHING_REMOVED,
) -> Steps[Tightened | None]:
    """Tighten the bound of a node by steps of the ascent; pause between them.

    Parameters
    ----------
    problem : Problem
        What remains of the problem in the node.
    items : ndarray of int64, shape (items,)
        The numbers of its items in the whole problem, which index `node.price`.
    node : Node
    best : BestCovers
        The best covers known: the ascent ends when the bound exceeds their limit.
    paid : int
        The cost of the chosen options of the node.
    n_steps : int
        The number of steps, at most those that remain in the node, after a first step from its
        prices. If it is 0, the node still has one step less.
    removed : ndarray of int64
        Options of `problem` that the node does without.

    Returns
    -------
    Tightened or None
        None if an item has too few options, so that there is no cover.
    """
    sizes = problem.primary_sizes
    if len(removed):
        sizes -= select_options(problem, removed).primary_sizes
    if np.any(sizes < problem.lows):
        return None
    yield
    relaxation = multipliers.relax(problem, node.total_price, removed)
    yield
    ascent = multipliers.start_ascent(relaxation, node.price[items], node.gap)
    n_left = max(0, node.n_steps - 1)
    if n_steps:
        # The bound of the relaxation at which no better cover is possible
        target = best.limit - paid - relaxation.constant / relaxation.scale + TOLERANCE
        if best.is_full and not node.is_root:
            distance = target - ascent.scalars[multipliers.BEST_BOUND]
            ascent.scalars[multipliers.GAP] = node.gap or NODE_GAP * distance
            ascent.scalars[multipliers.END_GAP] = NODE_END_GAP * distance
        slices = multipliers.ascend_in_slices(relaxation, ascent, n_steps, target)
        has_converged = yield from slices
        n_left = 0 if has_converged else max(0, node.n_steps - n_steps)
    yield
    best_price = ascent.best
    gap = float(ascent.scalars[multipliers.GAP])
    n_visits = int(ascent.scalars[multipliers.N_STEPS]) * len(relaxation.items)
    value = ascent.average
    del ascent  # a part of the memory for the reduced costs
    price = node.price.copy()
    # The node keeps its prices if their bound is higher. The steps of the ascent keep reduced costs
    # nonnegative, which can lower the bound of prices from which it begins.
    rounded = multipliers.round_prices(relaxation, best_price)
    rounded_before = multipliers.round_prices(relaxation, price[items])
    if rounded_before.bound > rounded.bound:
        rounded = rounded_before
    else:
        price[items] = best_price[: len(items)]
    dual = multipliers.reduce_costs(relaxation, rounded)
    bound = max(node.bound, paid + dual.lowest_cost)
    node = replace(node, bound=bound, price=price, n_steps=n_left, gap=gap)
    # Scale the values of the options such that they cover the items as often as necessary
    n_covered = max(value @ relaxation.n_shares, TOLERANCE)
    value *= relaxation.low.sum() / n_covered
    return Tightened(node, dual, value, n_visits)
