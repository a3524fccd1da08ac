"""The cheapest covers of many variations of a problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..runtime.batches import WorkerThreads, check_threads
from ..runtime.interrupts import Stop
from ..runtime.showing import counting
from .batch import encode_variations
from .covers import CheapestCovers
from .iterables import as_list
from .names import OptionSelectionError
from .optimizer import create_optimizer
from .stated import Stated

# A plan of the problem itself, and a bound on the cost of any, are sought in about this number of
# nodes: most variations have a cover near that plan, and many have one of the same cost.
MODEL_NODES = 32


def solve_variations(
    stated: Stated,
    conditions: tuple[Any, Any, Any],
    start: Sequence[int],
    stop: Stop,
) -> list[CheapestCovers]:
    """Return the cheapest solution of each variation, as `ExactCover.cheapest_batch` does.

    The conditions are the arguments `given`, `forbidden` and `costs`.
    """
    given, forbidden, costs = conditions
    n_threads = check_threads(stated.settings["threads"])
    if costs is not None:
        costs = as_list(costs, "costs", "the costs of each variation")
    n_costs = None if costs is None else len(costs)
    variations = encode_variations(stated.problem, stated.names, given, forbidden, "costs", n_costs)
    n_variations = variations.n_variations
    results, is_ended = [CheapestCovers() for _ in range(n_variations)], [False] * n_variations
    alone = stated.replace(threads=1)
    alone.find_prices(stop)  # computed once, before the threads need them
    optimizer = create_optimizer(stated, 1, stop, start)
    optimizer._advance(stop, MODEL_NODES)
    model = optimizer._best_integers()
    bounds = [] if model.bound is None else [model.bound, *(cost for cost, _ in model)]
    lowest = min(bounds, default=None)  # no solution of the problem costs less
    plan = [*start] or [number for _, numbers in model for number in numbers]

    def solve(k: int) -> None:
        its_costs = None if costs is None else costs[k]
        try:
            varied = alone.vary(*variations.options(k), costs=its_costs)
        except OptionSelectionError:  # the conditions exclude each other
            results[k] = CheapestCovers(done=True)
        else:
            known = lowest if costs is None else None
            optimizer = create_optimizer(varied, 1, stop, plan, known)
            optimizer._advance(stop)
            results[k] = optimizer.best
        is_ended[k] = True

    shown = counting(stated.settings["progress"], lambda: sum(is_ended), n_variations, "variation")
    with shown, WorkerThreads(n_threads, stop) as workers:
        workers.run_parts(solve, range(n_variations))
    return results
