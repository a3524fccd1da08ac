"""The linear relaxation, solved by SciPy's HiGHS if that is installed.

Its solution need not be exact: the prices only become a bound by `certify`, in integers.
"""

from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from .multipliers import bounded_totals

MAX_NODES, MAX_ITERATIONS = 1 << 20, 100_000  # of the problem; of the simplex method


class LinearSolution(NamedTuple):
    """The cost, the prices of the items and totals, and the part of each option that is chosen."""

    cost: float
    price: NDArray[np.float64]  # (items + totals,)
    primal: NDArray[np.float64]  # (options,)


def has_solver(problem: Problem) -> bool:
    """Return whether SciPy is installed, and the problem is small enough for it."""
    return len(problem.items) <= MAX_NODES and find_spec("scipy") is not None


def solve_relaxation(problem: Problem) -> LinearSolution | None:
    """Return an optimal solution of the linear relaxation.

    Returns None if there is none, if it takes too long, or without SciPy. Colors are relaxed.
    """
    try:
        from scipy.optimize import linprog  # the extra `lp`
        from scipy.sparse import csr_array, vstack
    except ImportError:
        return None
    cost, low, high = problem.costs_and_bounds
    n_items, is_priced = problem.n_items, np.ones(problem.n_items, np.bool_)
    if problem.color is not None:
        is_priced[problem.items[problem.color > 0]] = False
    _, _, total, option, weight = problem.totals
    total_low, total_high, _ = bounded_totals(problem)
    rows = np.concatenate([problem.items.astype(np.int64), n_items + total])
    columns = np.concatenate([problem.option_of_node(), option])
    values = np.concatenate([np.ones(len(problem.items)), weight])
    n_rows = n_items + len(total_low)
    matrix: Any = csr_array((values, (rows, columns)), shape=(n_rows, problem.n_options))
    lowest = np.concatenate([low, np.zeros(problem.n_secondary), total_low])
    highest = np.concatenate([high, np.ones(problem.n_secondary), total_high])
    is_row = np.append(is_priced, np.ones(len(total_low), np.bool_))
    equal = np.flatnonzero(is_row & (lowest == highest))
    lower = np.flatnonzero(is_row & (lowest < highest))
    # An item that is covered once keeps its options from being chosen twice, without a bound.
    is_unit = np.append(high == 1, is_priced[problem.n_primary :])
    has_unit = np.bincount(columns[: len(problem.items)], is_unit[problem.items]) > 0
    most = np.where(has_unit, np.inf, 1.0)
    result = linprog(
        cost,
        A_ub=vstack([matrix[lower], -matrix[lower]], format="csr"),
        b_ub=np.concatenate([highest[lower], -lowest[lower]]),
        A_eq=matrix[equal],
        b_eq=lowest[equal],
        bounds=np.column_stack([np.zeros(problem.n_options), most]),
        method="highs-ds",
        options={"maxiter": MAX_ITERATIONS},
    )
    if result.status != 0:
        return None
    price = np.zeros(n_rows)
    price[equal] = result.eqlin.marginals
    upper_price, lower_price = np.split(result.ineqlin.marginals, 2)
    price[lower] = upper_price - lower_price
    return LinearSolution(result.fun, price, result.x)
