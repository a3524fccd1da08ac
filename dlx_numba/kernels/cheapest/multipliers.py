"""Lagrangian multipliers: prices of items that give a lower bound on the cost of any cover.

Let each item have a price, which is at most 0 for a secondary item. The reduced cost of an option
is its cost minus the prices of its items. If no reduced cost is negative, no cover costs less than
the sum of all prices, and the difference is at least the sum of the reduced costs of its options.
With multiplicities, the price of an item counts `low` times, or `high` times if it is negative.
Totals can have prices, too: each weight of an option is paid at the price of its total.

`ascend` improves the prices by deflected subgradients, in floating-point arithmetic. The reduced
cost of an option is divided equally among its primary items, and the price of an item grows by the
smallest of these shares, so no reduced cost is negative after a step. `exact_bound` rounds the
prices, and computes the bound in integers.

References
----------
J. E. Beasley, An algorithm for set covering problem, 1987; M. A. Boschetti, A. Mingozzi and
S. Ricciardelli, A dual ascent procedure for the set partitioning problem, 2008.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ...runtime.interrupts import Steps, Stop, unless_stopped
from ..csr import row_range
from ..problem import Problem, count_items, select_options

MAX_SCALED = 2**60  # of sums of scaled costs and prices, so that they fit into int64
MAX_SCALE = 1 << 20  # of costs and prices, if their sums permit it
MAX_BUDGET = 2**62  # more than any sum of reduced costs
REMOVED = MAX_BUDGET + 1  # the reduced cost of an option that is in no cover

# A step aims at the best bound plus the gap, in the unit of costs. The gap is multiplied by GROWTH
# when the bound improves, and by DECAY after PATIENCE steps without improvement.
GROWTH = 1.1
DECAY = 0.8
PATIENCE = 4
FIRST_GAP = 0.1  # the share of the bound that is the first gap, which is at least MIN_GAP
MIN_GAP = 0.01
MIN_RELATIVE_GAP = 1e-5  # an ascent ends when the gap is less than this share of the bound
RECENCY = 0.05  # the share of the last step in the average, which thus reflects about 20 steps
DEFLECTION = 0.9  # the share of the previous direction that is added to a subgradient
# Indices of `Ascent.scalars`. An ascent also ends when the gap is less than END_GAP.
BEST_BOUND, GAP, STEPS_BEHIND, END_GAP, N_STEPS, MAX_BEHIND = range(6)
N_SCALARS = 6
ROOT_STEPS = 600  # of the ascent for a whole problem
VISITS_PER_SLICE = 1 << 24  # of nodes of the problem, between two checks of `stop`
OPTIONS_PER_BLOCK = 1 << 16  # whose reduced costs are computed at once
NO_PRICES = np.zeros(0)
NOTHING_REMOVED = np.zeros(0, np.int64)


class Relaxation(NamedTuple):
    """A problem whose items have prices, as arrays for the kernels.

    Colored items have no price. So that no option is used twice in the relaxed problem, an option
    has an extra secondary item unless another item prevents that.
    """

    indptr: NDArray[np.int64]  # (options + 1,)
    items: NDArray[np.uint32]  # (nodes,) primary items first in each option
    n_shares: NDArray[np.int32]  # (options,) the number of primary items of each option
    low: NDArray[np.int64]  # (n_primary,)
    high: NDArray[np.int64]  # (n_primary,) at most the number of options of the item
    # (options,) minus the prices of their weights in totals; infinite if the option is removed
    cost: NDArray[np.float64]
    # (options,) the same, exactly, also of removed options; multiplied by `factor`, it is scaled
    exact: NDArray[np.int64]
    factor: int
    scale: int
    constant: int  # what totals add to the bound, multiplied by `scale`


class Ascent(NamedTuple):
    """The state of `ascend`, all float64 except for `pick`."""

    price: NDArray[np.float64]  # (items,)
    best: NDArray[np.float64]  # (items,) the prices of the best bound
    direction: NDArray[np.float64]  # (items,) of the last step
    gradient: NDArray[np.float64]  # (items,) scratch memory
    share: NDArray[np.float64]  # (n_primary,) scratch memory
    pick: NDArray[np.int64]  # (n_primary,) scratch memory
    usage: NDArray[np.float64]  # (options,) scratch memory
    average: NDArray[np.float64]  # (options,) of recent usage, near a solution of the relaxation
    scalars: NDArray[np.float64]  # (N_SCALARS,)


def start_scalars(gap: float, patience: float) -> NDArray[np.float64]:
    """Return the scalars of an ascent or approach before the first step."""
    scalars = np.zeros(N_SCALARS)
    scalars[BEST_BOUND] = -np.inf
    scalars[GAP] = gap
    scalars[MAX_BEHIND] = patience
    return scalars


@njit
def step_length(ascent, bound, target):
    """Record the bound, update the direction, and return the length of the next step.

    The length is -1 if no more steps are to be taken. Otherwise, it is Polyak's: the distance from
    the bound to the one aimed at, which is the best bound plus the gap, divided by the square of
    the norm of the direction.

    Parameters: `ascent`, an `Ascent` or `Approach`, of which `best`, `direction` and `scalars` are
    written; `bound` float64, of its prices; `target` float64, the bound after which it ends.
    """
    price = ascent.price
    direction = ascent.direction
    scalars = ascent.scalars
    if bound > scalars[BEST_BOUND]:
        scalars[GAP] *= GROWTH
        scalars[BEST_BOUND] = bound
        scalars[STEPS_BEHIND] = 0
        for i in range(len(price)):
            ascent.best[i] = price[i]
    else:
        scalars[STEPS_BEHIND] += 1
        if scalars[STEPS_BEHIND] >= scalars[MAX_BEHIND]:
            scalars[GAP] *= DECAY
            scalars[STEPS_BEHIND] = 0
    norm = 0.0
    for i in range(len(price)):
        direction[i] = ascent.gradient[i] + DEFLECTION * direction[i]
        norm += direction[i] * direction[i]
    least_gap = max(scalars[END_GAP], MIN_RELATIVE_GAP * abs(scalars[BEST_BOUND]))
    if norm == 0 or scalars[BEST_BOUND] > target or scalars[GAP] < least_gap:
        return -1.0
    return (scalars[BEST_BOUND] + scalars[GAP] - bound) / norm


@njit
def subtract_prices(indptr, items, price, reduced):
    """Subtract the prices of its items from the value of each option.

    Parameters: `indptr` (options + 1,) int64 and `items` (nodes,) uint32, of a problem; `price`
    (items,) and `reduced` (options,), which is modified, both float64 or int64.
    """
    for option in range(len(reduced)):
        for node in row_range(indptr, option):
            reduced[option] -= price[items[node]]


@njit
def share_costs(relaxation, price, share, pick):
    """Find the smallest share of each primary item in the reduced cost of an option.

    Parameters: `relaxation`; `price` (items,); `share` (n_primary,), which is written, as is `pick`
    (n_primary,) int64, the option of the share. The elements of `price` and `share` are float64.
    """
    indptr = relaxation.indptr
    items = relaxation.items
    n_shares = relaxation.n_shares
    cost = relaxation.cost
    for i in range(len(share)):
        share[i] = np.inf
    for option in range(len(cost)):
        begin = indptr[option]
        end = indptr[option + 1]
        reduced = cost[option]
        for node in range(begin, end):
            reduced -= price[items[node]]
        part = reduced / n_shares[option]
        for node in range(begin, begin + n_shares[option]):
            if part < share[items[node]]:
                share[items[node]] = part
                pick[items[node]] = option


@njit
def ascend(relaxation, ascent, n_steps, target):
    """Take some steps of subgradient ascent. Reads `relaxation` and modifies `ascent`.

    A step raises the price of each primary item by its smallest share, and evaluates the bound. In
    the relaxed problem, each of them is then covered by the option of this share, as often as the
    bound counts its price. A component of the gradient is this number, minus how often all options
    so used cover the item; prices move in this direction.

    Returns whether the bound exceeds `target` (float64) or hardly increases. Then no more steps are
    taken.
    """
    indptr = relaxation.indptr
    items = relaxation.items
    n_shares = relaxation.n_shares
    price, _, direction, gradient, share, pick, usage, average, scalars = ascent
    n_primary = len(share)
    for _ in range(n_steps):
        share_costs(relaxation, price, share, pick)
        scalars[N_STEPS] += 1
        bound = 0.0
        for i in range(n_primary):
            if share[i] < np.inf:  # the item has options
                price[i] += share[i]
            gradient[i] = relaxation.low[i] if price[i] >= 0 else relaxation.high[i]
            bound += price[i] * gradient[i]
            # From here on, the share is how often the item is covered.
            share[i] = gradient[i]
        for i in range(n_primary, len(price)):
            gradient[i] = 1.0
            bound += price[i]
        for option in range(len(usage)):
            usage[option] = 0.0
            average[option] *= 1 - RECENCY
        for i in range(n_primary):
            if share[i] > 0:  # then the item has options
                usage[pick[i]] += share[i] / n_shares[pick[i]]
        for option in range(len(usage)):
            if usage[option] > 0:
                average[option] += RECENCY * usage[option]
                for node in row_range(indptr, option):
                    gradient[items[node]] -= usage[option]
        # The price of a secondary item is 0 at most, so at 0, it does not move up.
        for i in range(n_primary, len(price)):
            if price[i] >= 0 and gradient[i] > 0:
                gradient[i] = direction[i] = 0.0
        step = step_length(ascent, bound, target)
        if step < 0:
            return True
        for i in range(len(price)):
            price[i] += step * direction[i]
            if i >= n_primary and price[i] > 0:
                price[i] = 0.0
    return False


def bounded_totals(problem: Problem) -> tuple[NDArray[np.int64], ...]:
    """Return the bounds of the totals, and the largest absolute value of each (totals,).

    Bounds beyond it become this value, so that unlimited ones can be multiplied by prices. That
    excludes no cover.
    """
    low, high, total, _, weight = problem.totals
    largest = np.zeros(len(low), np.int64)
    np.add.at(largest, total, np.abs(weight))
    return np.clip(low, -largest, largest), np.clip(high, -largest, largest), largest


def relax(
    problem: Problem,
    total_price: NDArray[np.float64] = NO_PRICES,
    removed: NDArray[np.int64] = NOTHING_REMOVED,
) -> Relaxation:
    """Return the relaxation of a problem, each of whose options must have a primary item.

    Parameters
    ----------
    problem : Problem
    total_price : ndarray of float64
        The prices of the totals (totals,), or empty.
    removed : ndarray of int64
        Options that the relaxation does without. A copy of the others would take more memory.
    """
    n_primary = problem.n_primary
    n_options = problem.n_options
    cost = problem.costs
    low = problem.lows
    high = problem.highs
    indptr = problem.indptr.astype(np.int64, copy=False)
    items = problem.items
    n_shares = np.subtract(indptr[1:], indptr[:-1], dtype=np.int32, casting="same_kind")
    if problem.n_secondary or np.any(high != 1):
        keep = ~problem.is_colored[items]
        option_of = problem.option_of_node()[keep]
        items = items[keep].astype(np.int64)
        # An option whose items can all be covered several times gets an extra item, of its own.
        is_unit = problem.item_high[items] == 1
        extra = np.flatnonzero(np.bincount(option_of[is_unit], minlength=n_options) == 0)
        option_of = np.concatenate([option_of, extra])
        items = np.concatenate([items, problem.n_items + np.arange(len(extra))])
        order = np.argsort(2 * option_of + (items >= n_primary), kind="stable")  # primary first
        option_of, items = option_of[order], items[order]
        indptr = np.searchsorted(option_of, np.arange(n_options + 1))
        n_shares = np.bincount(option_of[items < n_primary], minlength=n_options)
    sizes = count_items(items, n_primary)
    if len(removed):
        sizes -= select_options(problem, removed).primary_sizes
    high = np.minimum(high, sizes)
    # Reduced costs are exact integers: a power of two times the costs, as large as possible. The
    # scaled costs are `exact * factor`: without totals, no scaled copy of the costs is made.
    largest_scale = MAX_SCALED // (int(np.abs(cost).sum()) + 1)
    scale = max(1, min(MAX_SCALE, 1 << largest_scale.bit_length() >> 1))
    exact = cost
    factor = scale
    constant = 0
    if len(total_price):  # the prices of weights are subtracted from scaled costs
        _, _, total, option, weight = problem.totals
        total_low, total_high, largest = bounded_totals(problem)
        most = MAX_SCALED // (len(largest) * (largest + 1))
        prices = np.clip(np.floor(total_price * scale), -most, most).astype(np.int64)
        exact = cost * scale
        factor = 1
        np.subtract.at(exact, option, prices[total] * weight)
        constant = int(prices @ np.where(prices >= 0, total_low, total_high))
    unsigned = items.astype(np.int32, copy=False).view(np.uint32)
    net_cost = exact / (scale // factor)
    net_cost[removed] = np.inf
    narrow = n_shares.astype(np.int32, copy=False)
    return Relaxation(indptr, unsigned, narrow, low, high, net_cost, exact, factor, scale, constant)


def start_ascent(relaxation: Relaxation, price: NDArray[np.float64], gap: float) -> Ascent:
    """Return an ascent from the prices of the items (items,), after its first step.

    `gap` is that of a previous ascent, or 0.
    """
    n_primary = len(relaxation.low)
    n_prices = max(len(price), int(relaxation.items.max(initial=0)) + 1)
    start, best, direction, gradient = np.zeros((4, n_prices))
    start[: len(price)] = price
    start[n_primary:] = np.minimum(start[n_primary:], 0)
    # An extra item, the last one of its option, compensates for a negative reduced cost.
    indptr = relaxation.indptr
    items = relaxation.items
    if n_prices > len(price):
        reduced = relaxation.cost.copy()
        subtract_prices(indptr, items, start, reduced)
        last = items[indptr[1:] - 1]
        is_extra = last >= len(price)
        start[last[is_extra]] = np.minimum(reduced[is_extra], 0)
    scalars = start_scalars(gap, PATIENCE)
    pick = np.zeros(n_primary, np.int64)
    share = np.zeros(n_primary)
    usage = np.zeros(len(relaxation.cost))
    average = np.zeros(len(relaxation.cost))
    ascent = Ascent(start, best, direction, gradient, share, pick, usage, average, scalars)
    ascend(relaxation, ascent, 1, np.inf)
    scalars[GAP] = gap or max(FIRST_GAP * abs(scalars[BEST_BOUND]), MIN_GAP)
    return ascent


def climb(
    problem: Problem, price: NDArray[np.float64], gap: float, n_steps: int, target: float
) -> Steps[Ascent]:
    """Return an ascent from prices of the items (items,).

    The problem must have an option, and each option a primary item. `gap` and `target` are as for
    `start_ascent` and `ascend`.
    """
    relaxation = relax(problem)
    ascent = start_ascent(relaxation, price, gap)
    yield
    yield from ascend_in_slices(relaxation, ascent, n_steps, target)
    return ascent


def ascend_in_slices(
    relaxation: Relaxation, ascent: Ascent, n_steps: int, target: float
) -> Steps[bool]:
    """Take steps as `ascend` does, and pause between some of them."""
    n_slice = max(1, VISITS_PER_SLICE // max(1, len(relaxation.items)))
    while n_steps > n_slice:
        if ascend(relaxation, ascent, n_slice, target):
            return True
        n_steps -= n_slice
        yield
    return bool(ascend(relaxation, ascent, n_steps, target))


def find_prices(problem: Problem, stop: Stop) -> NDArray[np.float64] | None:
    """Return good prices of the items (items,), or None without costs or if `stop` is set."""
    if problem.cost is None:
        return None
    problem = select_options(problem, problem.usable_options())
    price: NDArray[np.float64] = np.zeros(problem.n_items)
    if not problem.n_options:
        return price
    ascent = unless_stopped(climb(problem, price, 0.0, ROOT_STEPS, np.inf), stop)
    return None if ascent is None else ascent.best[: problem.n_items]


class DualBound(NamedTuple):
    """A lower bound on the cost of any cover, and reduced costs, both multiplied by `scale`."""

    scale: int
    bound: int
    reduced: NDArray[np.int64]  # (options,) nonnegative; REMOVED of an option that is removed

    @property
    def lowest_cost(self) -> int:
        """The lowest cost that a cover can have."""
        return -(-self.bound // self.scale)

    def budget(self, cost: int) -> int:
        """Return the largest sum of reduced costs of a cover that costs at most `cost`."""
        return min(cost * self.scale - self.bound, MAX_BUDGET)


class RoundedPrices(NamedTuple):
    """Prices of items as integers, multiplied by the scale of a relaxation, and their bound."""

    prices: NDArray[np.int64]  # (items,) also of extra ones
    bound: int


def _subtract_in_blocks(
    relaxation: Relaxation, values: NDArray[Any], factor: int, price: NDArray[Any]
) -> Iterator[NDArray[Any]]:
    """Yield multiples of the values (options,), from which the prices of the items are subtracted.

    Blocks need little memory. They are without the options that are removed.
    """
    for begin in range(0, len(values), OPTIONS_PER_BLOCK):
        part = slice(begin, begin + OPTIONS_PER_BLOCK)
        block = values[part] * factor
        indptr = relaxation.indptr[begin : begin + len(block) + 1]
        subtract_prices(indptr, relaxation.items, price, block)
        yield block[relaxation.cost[part] < np.inf]


def round_prices(relaxation: Relaxation, price: NDArray[np.float64]) -> RoundedPrices:
    """Return the bound that prices (items,) give, in exact arithmetic, and the prices, rounded.

    Extra items have the price 0 if they have none. Reduced costs that are negative after rounding
    are added to the bound, because no cover contains an option twice.
    """
    items = relaxation.items
    n_options = len(relaxation.cost)
    n_primary = len(relaxation.low)
    n_extra = max(0, int(items.max(initial=0)) + 1 - len(price))
    price = np.append(price, np.zeros(n_extra))
    # Prices are limited only if the sums below might not fit into int64: the largest sum of
    # absolute prices in an option, and the sum of all prices and negative reduced costs.
    largest = MAX_SCALED // (len(items) + len(price) + 1)
    nothing = np.broadcast_to(0.0, n_options)
    sums = _subtract_in_blocks(relaxation, nothing, 1, -np.abs(price))
    highest = max((block.max(initial=0) for block in sums), default=0)
    sums = _subtract_in_blocks(relaxation, relaxation.cost, 1, price)
    lowest = sum(np.minimum(block, 0).sum() for block in sums)
    total = np.abs(price[:n_primary]) @ relaxation.high + np.abs(price[n_primary:]).sum() - lowest
    if max(total, highest) * relaxation.scale < MAX_SCALED:
        largest = MAX_SCALED
    prices = np.clip(np.floor(price * relaxation.scale), -largest, largest).astype(np.int64)
    prices[n_primary:] = np.minimum(prices[n_primary:], 0)
    n_uses = np.where(prices[:n_primary] >= 0, relaxation.low, relaxation.high)
    bound = int(prices[:n_primary] @ n_uses + prices[n_primary:].sum())
    for block in _subtract_in_blocks(relaxation, relaxation.exact, relaxation.factor, prices):
        bound += int(np.minimum(block, 0).sum())
    return RoundedPrices(prices, relaxation.constant + bound)


def reduce_costs(relaxation: Relaxation, rounded: RoundedPrices) -> DualBound:
    """Return the bound and the reduced costs of rounded prices."""
    reduced = relaxation.exact * relaxation.factor
    subtract_prices(relaxation.indptr, relaxation.items, rounded.prices, reduced)
    np.maximum(reduced, 0, out=reduced)
    reduced[relaxation.cost == np.inf] = REMOVED
    return DualBound(relaxation.scale, rounded.bound, reduced)


def exact_bound(relaxation: Relaxation, price: NDArray[np.float64]) -> DualBound:
    """Return the bound that prices (items,) give, and the reduced costs, in exact arithmetic."""
    return reduce_costs(relaxation, round_prices(relaxation, price))
