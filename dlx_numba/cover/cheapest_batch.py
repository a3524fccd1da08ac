"""The cheapest covers of many variations of a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def _encode_variations(
    problem: Problem, names: Names, given: Any, forbidden: Any, costs: Any
) -> tuple[Callable[[int], Variation], int]:
    """Return what returns the conditions of each variation, and the number of variations.

    Raises exceptions as `solve_batch` does.
    """
    lists = {
        name: encode_option_lists(values, problem, names, name)
        for name, values in (("given", given), ("forbidden", forbidden))
        if values is not None
    }
    lengths = {name: len(start) - 1 for name, (start, _) in lists.items()}
    if costs is not None:
        costs = as_list(costs, "costs", "the costs of each variation")
        lengths["costs"] = len(costs)

    def options_of(name: str, k: int) -> list[int]:
        if name not in lists:
            return []
        start, numbers = lists[name]
        row = numbers[start[k] : start[k + 1]].tolist()
        return [number for number in row if number >= 0]

    def variation(k: int) -> Variation:
        return options_of("given", k), options_of("forbidden", k), costs and costs[k]

    return variation, count_variations(lengths, "costs")


def solve_variations(
    cover: ExactCoverBase,
    conditions: Variation,
    start: Sequence[int],
    n_threads: int,
    progress: Display,
    stop: Stop,
) -> list[CheapestCovers]:
    """Return the cheapest solution of each variation, as `ExactCover.cheapest_batch` does."""
    variation, n_variations = _encode_variations(cover.problem, cover._names, *conditions)
    results, is_ended = [CheapestCovers() for _ in range(n_variations)], [False] * n_variations
    cover._prices.find(cover, stop)  # computed once, before the threads need them
    optimizer = create_optimizer(cover, 1, n_threads, stop, start)
    optimizer._advance(stop, MODEL_NODES)
    model = optimizer._best_integers()
    bounds = [] if model.bound is None else [model.bound, *(cost for cost, _ in model)]
    lowest = min(bounds, default=None)  # no solution of the problem costs less
    plan = [*start] or [number for _, numbers in model for number in numbers]

    def solve(k: int) -> None:
        given, forbidden, costs = variation(k)
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

    shown = counting(progress, lambda: sum(is_ended), n_variations, "variation")
    with shown, WorkerThreads(n_threads, stop) as workers:
        workers.run_parts(solve, range(n_variations))
    return results
