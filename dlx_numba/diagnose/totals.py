"""Find totals that no cover of a problem meets."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

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


def without_totals(stated: Stated) -> Stated:
    """Return the problem without its totals."""
    problem = Problem(*stated.problem[:8])  # the fields before those of totals
    return replace(stated, problem=problem, names=stated.names._replace(totals=()))


def blame_totals(
    stated: Stated, stop: Stop, report: Callable[[str], None]
) -> Conflict | bool | None:
    """Return totals that exclude all covers; True if there is a cover, None if that is unknown."""
    problem = stated.selected.problem
    low, high, *_ = problem.totals
    found = search_cover(problem, stop)
    if found.has_cover is not False:
        return found.has_cover
    max_updates = max(MIN_UPDATES, MAX_RATIO * found.updates)

    def has_cover(kept: list[int]) -> bool | None:
        is_kept: NDArray[np.bool_] = np.isin(np.arange(len(low)), kept)
        bounds = np.where(is_kept, low, -UNBOUNDED), np.where(is_kept, high, UNBOUNDED)
        limited = problem._replace(total_low=bounds[0], total_high=bounds[1])
        return search_cover(limited, stop, max_updates).has_cover

    numbers = list(range(len(low)))
    blamed, is_minimal = find_smallest(numbers, has_cover, report, stop)
    blamed.sort()
    helpful = [k for k in blamed if has_cover(without(numbers, k))]
    conditions: list[Condition] = [("total", name) for name in stated.names.totals]
    return Conflict(
        [], [conditions[k] for k in blamed], [conditions[k] for k in helpful], is_minimal
    )
