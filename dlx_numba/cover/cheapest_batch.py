"""The cheapest covers of many variations of a problem."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..kernels.problem import Problem
from ..runtime.batches import WorkerThreads
from ..runtime.interrupts import Stop
from ..runtime.showing import Display, counting
from .batch import count_variations, encode_option_lists
from .covers import CheapestCovers
from .iterables import as_list
from .names import Names, OptionSelectionError
from .optimizer import create_optimizer

if TYPE_CHECKING:
    from .base import ExactCoverBase

# A plan of the problem itself, and a bound on the cost of any, are sought in about this number of
# nodes: most variations have a cover near that plan, and many have one of the same cost.
MODEL_NODES = 32

Variation = tuple[Any, Any, Any]  # given options, forbidden options, and costs or None


def _list_variations(
    problem: Problem, names: Names, given: Any, forbidden: Any, costs: Any
) -> list[Variation]:
    """Return the conditions of each variation. Raises exceptions as `solve_batch` does."""
    lists: dict[str, list[Any]] = {}
    for name, values in (("given", given), ("forbidden", forbidden)):
        if values is not None:
            start, numbers = encode_option_lists(values, problem, names, name)
            parts = [numbers[begin:end] for begin, end in pairwise(start.tolist())]
            lists[name] = [part[part >= 0].tolist() for part in parts]
    if costs is not None:
        lists["costs"] = as_list(costs, "costs", "the costs of each variation")
    n = count_variations({name: len(rows) for name, rows in lists.items()}, "costs")
    defaults = {"given": (), "forbidden": (), "costs": None}
    columns = (lists.get(name, [default] * n) for name, default in defaults.items())
    return list(zip(*columns, strict=True))


def solve_variations(
    cover: ExactCoverBase,
    conditions: Variation,
    start: Sequence[int],
    n_threads: int,
    progress: Display,
    stop: Stop,
) -> list[CheapestCovers]:
    """Return the cheapest solution of each variation, as `ExactCover.cheapest_batch` does."""
    variations = _list_variations(cover.problem, cover._names, *conditions)
    results = [CheapestCovers() for _ in variations]
    is_ended = [False] * len(variations)
    cover._prices.find(cover, stop)  # computed once, before the threads need them
    optimizer = create_optimizer(cover, 1, n_threads, stop, start)
    optimizer._advance(stop, MODEL_NODES)
    model = optimizer._best_integers()
    bounds = [] if model.bound is None else [model.bound, *(cost for cost, _ in model)]
    lowest = min(bounds, default=None)  # no solution of the problem costs less
    plan = [*start] or [number for _, numbers in model for number in numbers]

    def solve(k: int) -> None:
        given, forbidden, costs = variations[k]
        try:
            varied = cover._varied(given, forbidden, costs=costs)
        except OptionSelectionError:  # the conditions exclude each other
            results[k] = CheapestCovers(done=True)
        else:
            known = lowest if costs is None else None
            optimizer = create_optimizer(varied, 1, 1, stop, plan, known)
            optimizer._advance(stop)
            results[k] = optimizer.best
        is_ended[k] = True

    shown = counting(progress, lambda: sum(is_ended), len(variations), "variation")
    with shown, WorkerThreads(n_threads, stop) as workers:
        workers.run_parts(solve, range(len(variations)))
    return results
