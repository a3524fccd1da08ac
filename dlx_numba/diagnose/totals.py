"""Find totals that no cover of a problem meets."""

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..cover.names import Name
from ..cover.stated import Stated
from ..kernels.problem import UNBOUNDED, Problem
from ..runtime.interrupts import Stop
from .conflict import (
    MAX_RATIO,
    MIN_UPDATES,
    Condition,
    Conflict,
    find_smallest,
    search_cover,
    without,
)


def without_totals(stated: Stated, dropped: Collection[Name] | None = None) -> Stated:
    """Return the problem without limits of some of its totals, or without any totals."""
    problem, names = stated.problem, stated.names
    if dropped is None:
        plain = Problem(*problem[:8])  # the fields before those of totals
        return replace(stated, problem=plain, names=names._replace(totals=()))
    is_kept = [name not in dropped for name in names.totals]
    return replace(stated, problem=_limit(problem, np.array(is_kept, np.bool_)))


def _limit(problem: Problem, is_kept: NDArray[np.bool_]) -> Problem:
    """Return a problem in which only some totals have limits."""
    low, high, *_ = problem.totals
    bounds = np.where(is_kept, low, -UNBOUNDED), np.where(is_kept, high, UNBOUNDED)
    return problem._replace(total_low=bounds[0], total_high=bounds[1])


def blame_totals(
    stated: Stated,
    stop: Stop,
    report: Callable[[str], None],
    max_updates: int,
    among: list[Condition] | None,
) -> Conflict | bool | None:
    """Return totals that exclude all covers; True if there is a cover, None if that is unknown."""
    problem = stated.selected.problem
    found = search_cover(problem, stop, max_updates)
    if found.has_cover is not False:
        return found.has_cover
    max_updates = max(MIN_UPDATES, MAX_RATIO * found.updates)

    def has_cover(kept: list[int]) -> bool | None:
        limited = _limit(problem, np.isin(numbers, kept))
        return search_cover(limited, stop, max_updates).has_cover

    numbers = list(range(len(stated.names.totals)))
    blamed, is_minimal = find_smallest(numbers, has_cover, report, stop)
    blamed.sort()
    helpful = [k for k in blamed if among is None and has_cover(without(numbers, k))]
    conditions: list[Condition] = [("total", name) for name in stated.names.totals]
    return Conflict(
        [], [conditions[k] for k in blamed], [conditions[k] for k in helpful], is_minimal
    )
