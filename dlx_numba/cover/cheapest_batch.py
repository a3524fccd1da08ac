"""The cheapest covers of many variations of a problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..runtime.batches import WorkerThreads, check_threads
from ..runtime.interrupts import Stop
from ..runtime.showing import counting
from .batch import CoverBatch, encode_variations, no_numbers
from .covers import Cover
from .iterables import as_list
from .names import Cost, OptionSelectionError
from .optimizer import create_optimizer
from .stated import Stated

# A plan of the problem itself, and a bound on the cost of any, are sought in about this number of
# nodes: most variations have a cover near that plan, and many have one of the same cost.
MODEL_NODES = 32


def solve_variations(
    stated: Stated, conditions: tuple[Any, Any, Any], start: Sequence[int], stop: Stop
) -> CoverBatch:
    """Return the cheapest solution of each variation, as `ExactCover.cheapest_batch` does.

    The conditions are the arguments `given`, `forbidden` and `costs`.
    """
    given, forbidden, costs = conditions
    n_threads = check_threads(stated.settings["threads"])
    lists = None
    if costs is not None:
        costs = as_list(costs, "costs", "the costs of each variation")
        lists = no_numbers(len(costs))
    variations = encode_variations(stated, given, forbidden, "costs", lists)
    n_variations = variations.n_variations
    counts, nodes = np.full(n_variations, -1), np.zeros(n_variations, np.int64)
    covers: list[Cover | None] = [None] * n_variations
    bounds: list[Cost | None] = [None] * n_variations
    alone = stated.replace(threads=1)
    alone.find_prices(stop)  # computed once, before the threads need them
    optimizer = create_optimizer(stated, 1, stop, start)
    optimizer._advance(stop, MODEL_NODES)
    model = optimizer._best()  # no solution of the problem costs less than its bound
    plan = [*start] or [number for _, numbers in model.covers for number in numbers]

    def solve(k: int) -> None:
        its_costs = None if costs is None else costs[k]
        try:
            varied = alone.vary(*variations.options(k), costs=its_costs)
        except OptionSelectionError:  # the conditions exclude each other
            counts[k] = 0
        else:
            known = model.lowest if costs is None else None
            optimizer = create_optimizer(varied, 1, stop, plan, known)
            optimizer._advance(stop)
            best, nodes[k] = optimizer.result, optimizer._counters()[1]
            covers[k], bounds[k] = next(iter(best), None), best.bound
            counts[k] = len(best) if best.done else -1

    progress, n_done = stated.settings["progress"], lambda: int(np.count_nonzero(counts >= 0))
    shown = counting(progress, n_done, n_variations, "variation")
    with shown, WorkerThreads(n_threads, stop) as workers:
        workers.run_parts(solve, range(n_variations))
    return CoverBatch(counts, nodes, covers, bounds)
