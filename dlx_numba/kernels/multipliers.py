"""Lagrangian multipliers: prices of items that give a lower bound on the cost of any cover.

Let each item have a price, which is at most 0 for a secondary item. The reduced cost of an option
is its cost minus the prices of its items. If no reduced cost is negative, no cover costs less than
the sum of all prices, and the difference is at least the sum of the reduced costs of its options.
With multiplicities, the price of an item counts `low` times, or `high` times if it is negative.

`ascend` improves the prices by deflected subgradients, in floating-point arithmetic. Each item
takes an equal share of the smallest reduced cost of its options, so no reduced cost is negative
after a step. `certify` rounds the prices, and computes the bound in integers.

References
----------
J. E. Beasley, An algorithm for set covering problem, 1987; M. A. Boschetti, A. Mingozzi and
S. Ricciardelli, A dual ascent procedure for the set partitioning problem, 2008.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel
from .problem import Problem

MAX_SCALED = 2**60  # of sums of scaled costs and prices
MAX_SCALE = 1 << 20
MAX_BUDGET = 2**62 + 2**61
SHARING_ROUNDS = 4  # in which `certify` raises prices

# The target of a step exceeds the best bound by the gap. It grows by `GROWTH` if the bound improves
# by at least half of it, and shrinks by `DECAY` after so many steps without.
FIRST_GAP, GROWTH, DECAY, PATIENCE = 0.1, 1.1, 0.8, 4
MIN_GAP = 0.01
AVERAGING = 0.05  # the weight of a step in `primal`, an estimate of the solution of the relaxation
DEFLECTION = 0.9  # the weight of the previous direction
BOUND, GAP, STEPS_BEHIND = range(3)  # the scalars of an ascent


class Relaxation(NamedTuple):
    """A problem whose items have prices, as arrays for the kernels.

    Colored items have no price. So that no option is used twice in the relaxed problem, an option
    has an extra secondary item unless another item prevents that.
    """

    indptr: NDArray[np.int64]  # (options + 1,)
    items: NDArray[np.uint32]  # (nodes,) primary items first in each option
    n_shares: NDArray[np.int64]  # (options,) the number of primary items of each option
    low: NDArray[np.int64]  # (n_primary,)
    high: NDArray[np.int64]  # (n_primary,) at most the number of options of the item
    cost: NDArray[np.int64]  # (options,)


class Ascent(NamedTuple):
    """The state of `ascend`, all float64 except for `pick`."""

    price: NDArray[np.float64]  # (items,)
    best: NDArray[np.float64]  # (items,) the prices of the best bound
    direction: NDArray[np.float64]  # (items,) of the last step
    gradient: NDArray[np.float64]  # (items,) scratch memory
    share: NDArray[np.float64]  # (n_primary,) scratch memory
    pick: NDArray[np.int64]  # (n_primary,) scratch memory
    primal: NDArray[np.float64]  # (options,) how often an option was picked recently
    scalars: NDArray[np.float64]  # (3,)


@kernel
def share_costs(relaxation, price, share, pick):
    """Find the smallest share of each primary item in the reduced cost of an option.

    Parameters: `relaxation`; `price` (items,); `share` (n_primary,), which is written, as is `pick`
    (n_primary,) int64, the option of the share. The elements of `price` and `share` are float64.
    """
    indptr, items, n_shares = relaxation.indptr, relaxation.items, relaxation.n_shares
    cost = relaxation.cost
    for i in range(len(share)):
        share[i] = np.inf
    for option in range(len(cost)):
        begin, end = indptr[option], indptr[option + 1]
        reduced = np.float64(cost[option])
        for node in range(begin, end):
            reduced -= price[items[node]]
        part = reduced / n_shares[option]
        for node in range(begin, begin + n_shares[option]):
            if part < share[items[node]]:
                share[items[node]] = part
                pick[items[node]] = option


@kernel
def ascend(relaxation, ascent, n_steps):
    """Take some steps of subgradient ascent. Reads `relaxation` and modifies `ascent`."""
    indptr, items, n_shares = relaxation.indptr, relaxation.items, relaxation.n_shares
    price, best, direction, gradient, share, pick, primal, scalars = ascent
    n_primary = len(share)
    for _ in range(n_steps):
        share_costs(relaxation, price, share, pick)
        bound = 0.0
        for i in range(n_primary):
            price[i] += share[i]
            gradient[i] = relaxation.low[i] if price[i] >= 0 else relaxation.high[i]
            bound += price[i] * gradient[i]
            share[i] = gradient[i]
        for i in range(n_primary, len(price)):
            gradient[i] = 1.0
            bound += price[i]
        if bound > scalars[BOUND]:
            scalars[GAP] *= GROWTH
            scalars[BOUND], scalars[STEPS_BEHIND] = bound, 0
            for i in range(len(price)):
                best[i] = price[i]
        else:
            scalars[STEPS_BEHIND] += 1
            if scalars[STEPS_BEHIND] >= PATIENCE:
                scalars[GAP] *= DECAY
                scalars[STEPS_BEHIND] = 0
        for option in range(len(primal)):
            primal[option] *= 1 - AVERAGING
        for i in range(n_primary):
            weight, option = share[i], pick[i]
            primal[option] += AVERAGING * weight / n_shares[option]
            for node in range(indptr[option], indptr[option + 1]):
                gradient[items[node]] -= weight / n_shares[option]
        norm = 0.0
        for i in range(len(price)):
            if i >= n_primary and price[i] >= 0 and gradient[i] > 0:
                gradient[i] = direction[i] = 0.0
            direction[i] = gradient[i] + DEFLECTION * direction[i]
            norm += direction[i] * direction[i]
        if norm == 0:
            break
        step = (scalars[BOUND] + scalars[GAP] - bound) / norm
        for i in range(len(price)):
            price[i] += step * direction[i]
            if i >= n_primary and price[i] > 0:
                price[i] = 0.0


@kernel
def share_reduced_costs(relaxation, is_secondary, reduced, share, is_sought):
    """Find how much the prices of some items can rise, or subtract that from the reduced costs.

    Parameters: `relaxation`; `is_secondary`, whether they are the secondary items; `reduced`
    (options,) and `share` (items,) int64; `is_sought`, whether `share` is lowered to an equal
    share of the smallest reduced cost. Otherwise `reduced` is modified.
    """
    indptr, items = relaxation.indptr, relaxation.items
    for option in range(len(reduced)):
        begin, end = indptr[option], indptr[option + 1]
        middle = begin + relaxation.n_shares[option]
        begin, end = (middle, end) if is_secondary else (begin, middle)
        for node in range(begin, end):
            if is_sought:
                share[items[node]] = min(share[items[node]], reduced[option] // (end - begin))
            else:
                reduced[option] -= share[items[node]]


@kernel
def certify(relaxation, scale, largest, best, price, reduced, share):
    """Round prices, and find a valid bound and the reduced costs in integers.

    Parameters: `relaxation`; `scale` int64, by which costs and prices are multiplied; `largest`
    int64, the bound on absolute prices; `best` (items,) float64; `price` (items,), `reduced`
    (options,) and `share` (items,), all int64, which are written. Returns the bound times `scale`.
    """
    indptr, items, n_primary = relaxation.indptr, relaxation.items, len(relaxation.low)
    for i in range(len(price)):
        rounded = min(max(best[i] * scale, -np.float64(largest)), np.float64(largest))
        price[i] = np.int64(rounded)
    for option in range(len(reduced)):
        reduced[option] = relaxation.cost[option] * scale
        for node in range(indptr[option], indptr[option + 1]):
            reduced[option] -= price[items[node]]
    for sharing in range(SHARING_ROUNDS):
        is_last = sharing == SHARING_ROUNDS - 1  # secondary items take what primary items have left
        first, end = (n_primary, len(price)) if is_last else (0, n_primary)
        for i in range(first, end):
            share[i] = -price[i] if is_last else 2 * largest
        share_reduced_costs(relaxation, is_last, reduced, share, True)
        for i in range(first, end):
            price[i] += share[i]
        share_reduced_costs(relaxation, is_last, reduced, share, False)
    bound = np.int64(0)
    for i in range(n_primary):
        bound += price[i] * (relaxation.low[i] if price[i] >= 0 else relaxation.high[i])
    for i in range(n_primary, len(price)):
        bound += price[i]
    return bound


def relax(problem: Problem) -> Relaxation:
    """Return the relaxation of a problem that has costs and bounds.

    Each option has a primary item, its primary items come first, and each item has an option.
    """
    n_primary, n_options = problem.n_primary, problem.n_options
    cost, low, high = problem.costs_and_bounds
    is_priced = np.ones(problem.n_items, np.bool_)
    if problem.color is not None:
        is_priced[problem.items[problem.color > 0]] = False
    keep = is_priced[problem.items]
    option_of, items = problem.option_of_node()[keep], problem.items[keep].astype(np.int64)
    is_unit = np.ones(problem.n_items, np.bool_)
    is_unit[:n_primary] = high == 1
    extra = np.flatnonzero(np.bincount(option_of[is_unit[items]], minlength=n_options) == 0)
    option_of = np.concatenate([option_of, extra])
    items = np.concatenate([items, problem.n_items + np.arange(len(extra))])
    order = np.argsort(option_of, kind="stable")
    option_of, items = option_of[order], items[order]
    high = np.minimum(high, np.bincount(items, minlength=n_primary)[:n_primary])
    indptr = np.zeros(n_options + 1, np.int64)
    np.cumsum(np.bincount(option_of, minlength=n_options), out=indptr[1:])
    n_shares = np.bincount(option_of[items < n_primary], minlength=n_options)
    return Relaxation(indptr, items.astype(np.uint32), n_shares, low, high, cost)


def start_ascent(relaxation: Relaxation, n_items: int, price: NDArray[np.float64]) -> Ascent:
    """Return an ascent from the prices of the items of a problem (n_items,)."""
    n_primary = len(relaxation.low)
    n_prices = max(n_items, int(relaxation.items.max(initial=0)) + 1)
    start, best, direction, gradient = np.zeros((4, n_prices))
    start[:n_items] = price
    scalars = np.array([-np.inf, 0.0, 0.0])
    pick = np.zeros(n_primary, np.int64)
    primal = np.zeros(len(relaxation.cost))
    ascent = Ascent(start, best, direction, gradient, np.zeros(n_primary), pick, primal, scalars)
    ascend(relaxation, ascent, 1)
    scalars[GAP] = max(FIRST_GAP * abs(scalars[BOUND]), MIN_GAP)
    return ascent


class Certificate(NamedTuple):
    """A lower bound on the cost of any cover, and reduced costs, both multiplied by `scale`."""

    scale: int
    bound: int
    reduced: NDArray[np.int64]  # (options,)

    @property
    def lowest_cost(self) -> int:
        """The lowest cost that a cover can have."""
        return -(-self.bound // self.scale)

    def budget(self, cost: int) -> int:
        """Return the largest sum of reduced costs of a cover that costs at most `cost`."""
        return min(cost * self.scale - self.bound, MAX_BUDGET)


def find_certificate(relaxation: Relaxation, price: NDArray[np.float64]) -> Certificate:
    """Return the bound that prices (items,) give, in exact arithmetic."""
    n_prices, n_options = len(price), len(relaxation.cost)
    total = int(relaxation.cost.sum()) + 1
    scale = max(1, min(MAX_SCALE, 1 << (MAX_SCALED // total).bit_length() >> 1))
    largest = MAX_SCALED // (len(relaxation.items) + n_prices + 1)
    reduced, prices, share = (np.zeros(n, np.int64) for n in (n_options, n_prices, n_prices))
    arguments = relaxation, np.int64(scale), np.int64(largest), price
    bound = int(certify(*arguments, prices, reduced, share))
    return Certificate(scale, bound, reduced)
