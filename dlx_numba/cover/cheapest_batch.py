"""The cheapest covers of many variations of a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..kernels.problem import Problem
from ..runtime.batches import WorkerThreads, run_tasks
from ..runtime.interrupts import Stop
from ..runtime.showing import Progress, showing
from ..runtime.text import plural
from .batch import count_variations, encode_options
from .covers import CheapestCovers
from .iterables import as_list
from .names import Names, OptionSelectionError
from .optimizer import create_optimizer

if TYPE_CHECKING:
    from .planning import Planning, PriceMemory

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
            start, numbers = encode_options(values, problem, names, name)
            parts = [numbers[begin:end] for begin, end in pairwise(start.tolist())]
            lists[name] = [part[part >= 0].tolist() for part in parts]
    if costs is not None:
        lists["costs"] = as_list(costs, "costs", "the costs of each variation")
    n = count_variations({name: len(rows) for name, rows in lists.items()}, "costs")
    defaults = {"given": (), "forbidden": (), "costs": None}
    columns = (lists.get(name, [default] * n) for name, default in defaults.items())
    return list(zip(*columns, strict=True))


def solve_variations(
    cover: Planning,
    conditions: Variation,
    start: Sequence[int],
    workers: tuple[int, Executor | None],
    progress: Progress,
    stop: Stop,
) -> list[CheapestCovers]:
    """Return the cheapest solution of each variation, as `ExactCover.cheapest_batch` does."""
    variations = _list_variations(cover.problem, cover._names, *conditions)
    results: list[CheapestCovers | None] = [None] * len(variations)
    cover._prices.find(cover, stop)  # computed once, before the threads and tasks need them
    n_threads, executor = workers
    optimizer = create_optimizer(cover, 1, n_threads, stop, start)
    optimizer._advance(stop, MODEL_NODES)
    model = optimizer._best_integers()
    bounds = [] if model.bound is None else [model.bound, *(cost for cost, _ in model)]
    plan = [*start] or [number for _, numbers in model for number in numbers]
    task = partial(_solve_variation, cover, cover._prices, plan, min(bounds, default=None))

    def describe() -> tuple[float, str]:
        n_done = sum(result is not None for result in results)
        n_all = len(variations)
        return n_done / max(n_all, 1), f"{n_done:,} of {plural(n_all, 'variation')}"

    def solve(k: int) -> None:
        results[k] = task(variations[k], stop)

    with showing(progress, describe):
        if executor is None:
            with WorkerThreads(n_threads, stop) as threads:
                threads.run_parts(solve, range(len(variations)))
        else:

            def send(rows: slice) -> Future[list[CheapestCovers]]:
                return executor.submit(_run_task, task, variations[rows], stop.seconds_left())

            for rows, found in run_tasks(executor, send, len(variations), stop):
                results[rows] = found
    return [CheapestCovers() if each is None else each for each in results]


def _run_task(
    task: Callable[[Variation, Stop], CheapestCovers], variations: list[Variation], seconds: float
) -> list[CheapestCovers]:
    """Solve variations in the worker that runs this task."""
    stop = Stop(seconds)
    return [task(variation, stop) for variation in variations]


def _solve_variation(
    cover: Planning,
    prices: PriceMemory,
    start: list[int],
    lowest: int | None,
    variation: Variation,
    stop: Stop,
) -> CheapestCovers:
    """Return the cheapest solution of a variation; none if its conditions exclude each other.

    No solution of the problem costs less than `lowest`.
    """
    given, forbidden, costs = variation
    cover._prices = prices  # which the pickle of a problem does not contain
    try:
        varied = cover._varied(given, forbidden, costs=costs)
    except OptionSelectionError:
        return CheapestCovers(done=True)
    lowest = lowest if costs is None else None
    optimizer = create_optimizer(varied, 1, 1, stop, start, lowest)
    optimizer._advance(stop)
    return optimizer.best
