"""Approach the linear relaxation by subgradients of the Lagrangian dual.

Items and totals have prices, and the options whose reduced cost is negative are chosen. The steps
of `take_steps` raise the prices of items that are covered too rarely, and lower the others. The
bound rises more slowly than that of `ascend`, which never lets a reduced cost be negative, but it
does not stall below the linear relaxation. The average of the chosen options approaches a solution
of the relaxation. If the costs are slightly perturbed, this solution is unique, and often nearly a
cover.

References
----------
F. Barahona and R. Anbil, The volume algorithm: producing primal solutions with a subgradient
method, 2000.
"""

from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit import njit
from ..csr import group, row_range
from ..problem import Problem
from .multipliers import MIN_GAP, N_STEPS, RECENCY, bounded_totals, start_scalars, step_length

APPROACH_GAP = 0.3  # of the first step, as a share of the bound: see `multipliers`
SLOW = 20  # the patience for the best bound
FAST = 8  # the patience for a solution of perturbed costs
# An approach takes up to APPROACH_STEPS. It is omitted if these would visit more nodes of the
# problem than MAX_VISITS, and pauses after VISITS_PER_SLICE.
APPROACH_STEPS = 5000
MAX_VISITS = 1 << 30
VISITS_PER_SLICE = 1 << 20


class LinearProgram(NamedTuple):
    """The linear relaxation of a problem: each option has a value from 0 to 1.

    There is a row for each item and total, whose sum is between `low` and `high`. A colored item
    has no entries, because any number of options may agree on its color.
    """

    indptr: NDArray[np.int64]  # (options + 1,)
    rows: NDArray[np.int64]  # (entries,)
    weights: NDArray[np.float64]  # (entries,)
    low: NDArray[np.float64]  # (rows,)
    high: NDArray[np.float64]  # (rows,)
    cost: NDArray[np.float64]  # (options,)


class Approach(NamedTuple):
    """The state of `take_steps`, all float64."""

    price: NDArray[np.float64]  # (rows,)
    best: NDArray[np.float64]  # (rows,) the prices of the best bound
    gradient: NDArray[np.float64]  # (rows,) scratch memory
    direction: NDArray[np.float64]  # (rows,) of the last step
    average: NDArray[np.float64]  # (options,) of the recently chosen ones
    scalars: NDArray[np.float64]  # (N_SCALARS,) as those of an `Ascent`

    def n_visits(self, program: LinearProgram) -> int:
        """Return how many entries of the program all steps visited."""
        return int(self.scalars[N_STEPS]) * len(program.rows)


@njit
def take_steps(program, approach, n_steps, target):
    """Take some steps along subgradients. Reads `program` and modifies `approach`.

    Returns whether the bound exceeds `target` (float64) or hardly increases. Then no more steps are
    taken.
    """
    indptr, rows, weights, low, high, cost = program
    price, _, gradient, direction, average, scalars = approach
    for _ in range(n_steps):
        scalars[N_STEPS] += 1
        bound = 0.0
        for i in range(len(price)):
            gradient[i] = low[i] if price[i] >= 0 else high[i]
            bound += price[i] * gradient[i]
        for option in range(len(cost)):
            reduced = cost[option]
            for k in row_range(indptr, option):
                reduced -= weights[k] * price[rows[k]]
            average[option] *= 1 - RECENCY
            if reduced < 0:  # the option is chosen in the relaxed problem
                bound += reduced
                average[option] += RECENCY
                for k in row_range(indptr, option):
                    gradient[rows[k]] -= weights[k]
        # `gradient` has what each row requires beyond what the chosen options add to it. A step of
        # -1 says that the bound suffices, or hardly increases.
        step = step_length(approach, bound, target)
        if step < 0:
            return True
        for i in range(len(price)):
            price[i] += step * direction[i]
            if low[i] == 0 and price[i] > 0:  # as for secondary items, which need no option
                price[i] = 0.0
    return False


def formulate(problem: Problem) -> LinearProgram:
    """Return the relaxation of a problem.

    Its rows are the items, and then the totals. An entry is a node without a color, of weight 1, or
    a weight in a total.
    """
    n_items = problem.n_items
    n_secondary = problem.n_secondary
    high = np.minimum(problem.highs, problem.primary_sizes)
    keep = ~problem.is_colored[problem.items]  # the nodes of items without colors
    totals = problem.totals
    total_low, total_high, _ = bounded_totals(problem)
    option_of = np.concatenate([problem.option_of_node()[keep], totals.option])
    rows = np.concatenate([problem.items[keep].astype(np.int64), n_items + totals.total])
    weights = np.concatenate([np.ones(np.count_nonzero(keep)), totals.weight])
    order, indptr = group(option_of, problem.n_options)
    lowest = np.concatenate([problem.lows, np.zeros(n_secondary), total_low])
    highest = np.concatenate([high, np.ones(n_secondary), total_high])
    entries = rows[order], weights[order]
    return LinearProgram(indptr, *entries, lowest, highest, problem.costs.astype(np.float64))


def is_small(problem: Problem) -> bool:
    """Return whether the steps take little time."""
    return len(problem.items) * APPROACH_STEPS <= MAX_VISITS


def approach_relaxation(
    program: LinearProgram, bound: float, target: float, spread: float = 0.0
) -> Generator[None, None, Approach]:
    """Take many steps from prices of 0, until the bound exceeds `target`. Pauses.

    Parameters
    ----------
    program : LinearProgram
    bound : float
        A bound, on which the length of the first steps depends.
    target : float
        The bound that suffices.
    spread : float
        Costs are increased by random numbers up to this one.

    Yields
    ------
    None

    Returns
    -------
    Approach
        Its `best` prices are those of the rows of the program, and `average` has the values of the
        options; `price` belongs to the scaled rows.
    """
    n_rows = len(program.low)
    n_options = len(program.cost)
    scale = np.ones(n_rows)  # of the rows, whose weights are thus at most 1
    np.maximum.at(scale, program.rows, np.abs(program.weights))
    added = np.random.default_rng(n_options).random(n_options)
    program = program._replace(
        weights=program.weights / scale[program.rows],
        low=program.low / scale,
        high=program.high / scale,
        cost=program.cost + spread * added,
    )
    patience = FAST if spread else SLOW
    gap = max(APPROACH_GAP * abs(bound), MIN_GAP)
    price, best, gradient, direction = np.zeros((4, n_rows))
    scalars = start_scalars(gap, patience)
    approach = Approach(price, best, gradient, direction, np.zeros(n_options), scalars)
    n_slice = max(1, VISITS_PER_SLICE // max(1, len(program.rows)))
    for begin in range(0, APPROACH_STEPS, n_slice):
        yield
        if take_steps(program, approach, min(n_slice, APPROACH_STEPS - begin), target):
            break
    return approach._replace(best=approach.best / scale)  # of the rows as they were given
