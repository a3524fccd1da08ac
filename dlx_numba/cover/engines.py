"""Start the search for the cheapest covers of a problem, by one engine or by two."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..kernels.problem import Problem
from ..runtime.choices import AUTO, OptimizerEngine
from ..runtime.interrupts import Stop
from .named_problem import NamedProblem
from .optimizer import CoverOptimizer

# HiGHS helps by default where it is often faster: with coverings and packings of so many items
MIN_HIGHS_ITEMS = 200


def create_optimizer(
    named: NamedProblem,
    k: int,
    stop: Stop,
    start: Sequence[int] = (),
    lowest: int | None = None,
    engine: OptimizerEngine = "own",
    deadline: float | None = None,
) -> CoverOptimizer:
    """Return a search for the cheapest solutions, as `ExactCover.optimizer` does.

    The search begins near the options `start`. With these, and for a variation, it begins with the
    prices of the whole problem, which are found once for all such searches. `lowest` is a cost that
    no cover is below, if one is known. There is no run after the `deadline`.
    """
    if (algorithm := named.settings.algorithm) not in (AUTO, "links"):
        raise ValueError(f"algorithm {algorithm!r} does not support cheapest; use links")
    priced = named.priced()
    prepared = priced.prepare(stop)
    costs = priced.problem.cost
    given_cost = 0 if costs is None else int(costs[prepared.given].sum())
    price = priced.find_prices(stop) if named.original or start else None
    near = np.flatnonzero(np.isin(prepared.numbers, start)).tolist()
    if engine == "auto":
        engine = "both" if _suits_highs(named, prepared.problem) else "own"
    return CoverOptimizer(prepared, k, given_cost, named, price, near, lowest, engine, deadline)


def _suits_highs(named: NamedProblem, problem: Problem) -> bool:
    """Return whether HiGHS is installed, and should seek the cheapest covers, too."""
    low = problem.lows
    is_alone = named.settings.threads == 1 or named.settings.executor is not None
    if is_alone or problem.n_items < MIN_HIGHS_ITEMS:
        return False
    # A packing has no lower bounds, and a covering no upper ones that matter.
    if low.any() and np.any(problem.highs < problem.primary_sizes):
        return False
    from .highs import strongest_engine  # most optimizers do without it

    return strongest_engine() == "both"
