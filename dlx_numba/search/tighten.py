"""Tighten the bound of a node by steps of the ascent."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.cheapest import multipliers
from ..kernels.problem import Problem
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
) -> Steps[Tightened | None]:
    """Tighten the bound of a node, given what remains of the problem; pause between the steps.

    `items` has the numbers of the items in the whole problem. Returns None if there is no cover.
    """
    if problem.lacks_options:
        return None
    yield
    relaxation = multipliers.relax(problem, node.total_price)
    yield
    ascent = multipliers.start_ascent(relaxation, node.price[items], node.gap)
    n_left = max(0, node.n_steps - 1)
    if n_steps:
        target = best.limit - paid - relaxation.constant / relaxation.scale + TOLERANCE
        if best.is_full and not node.is_root:
            distance = target - ascent.scalars[multipliers.BEST_BOUND]
            ascent.scalars[multipliers.GAP] = node.gap or NODE_GAP * distance
            ascent.scalars[multipliers.END_GAP] = NODE_END_GAP * distance
        slices = multipliers.ascend_in_slices(relaxation, ascent, n_steps, target)
        has_converged = yield from slices
        n_left = 0 if has_converged else max(0, node.n_steps - n_steps)
    yield
    price = node.price.copy()
    # The steps keep reduced costs nonnegative, which can lower the bound of other prices.
    dual = multipliers.exact_bound(relaxation, ascent.best)
    before = multipliers.exact_bound(relaxation, price[items])
    if before.bound > dual.bound:
        dual = before
    else:
        price[items] = ascent.best[: len(items)]
    bound = max(node.bound, paid + dual.lowest_cost)
    gap = float(ascent.scalars[multipliers.GAP])
    node = replace(node, bound=bound, price=price, n_steps=n_left, gap=gap)
    # Scale the values of the options such that they cover the items as often as necessary
    n_covered = max(ascent.average @ relaxation.n_shares, TOLERANCE)
    value = ascent.average * (relaxation.low.sum() / n_covered)
    n_visits = int(ascent.scalars[multipliers.N_STEPS]) * len(relaxation.items)
    return Tightened(node, dual, value, n_visits)
