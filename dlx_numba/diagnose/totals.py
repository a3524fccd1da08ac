"""Find totals that no cover of a problem meets."""

from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cover.exact_cover import ExactCover
from ..kernels.algorithms import subtree_class
from ..kernels.dlx.branching import BranchingRule
from ..kernels.dlx.state import UNLIMITED
from ..kernels.dlx.totals import contribution, measure
from ..kernels.problem import UNBOUNDED, Problem
from ..runtime.interrupts import Stop
from .conflict import MAX_RATIO, MIN_UPDATES, search_cover
from .phrases import Name, label, listing
from .quickxplain import find_smallest


class Blamed(NamedTuple):
    """Totals that no cover meets, the reason, and those whose removal is enough for a cover."""

    names: list[Name]
    text: str
    helpful: list[Name]


def without_totals(cover: ExactCover) -> ExactCover:
    """Return the problem without its totals."""
    plain = copy(cover)
    plain.problem = Problem(*cover.problem[:8])  # the fields before those of totals
    plain._names = cover._names._replace(totals=())
    plain._set(cover._settings)
    return plain


def find_unreachable(cover: ExactCover) -> dict[Name, str]:
    """Return the totals that their items cannot reach, each with a sentence that says why."""
    problem = cover._selected.problem
    tree = subtree_class("links", problem).start(problem, BranchingRule())
    links, _, bounds, *_ = tree.groups
    least = cover.problem.sum_weights(cover._selected.given)
    most, starts = least.copy(), bounds.totals.slot_start.tolist()
    for total in range(len(least)):
        for slot in range(starts[total], starts[total + 1]):
            one_least, one_most = contribution(measure(links, bounds, slot))
            least[total] += one_least
            most[total] += one_most
    low, high, *_ = cover.problem.totals
    sentences = {}
    for k, name in enumerate(cover._names.totals):
        subject = f"Total {label(name)} must be at"
        if most[k] < low[k]:
            sentences[name] = f"{subject} least {low[k]:,}, but can be at most {most[k]:,}."
        elif least[k] > high[k]:
            sentences[name] = f"{subject} most {high[k]:,}, but must be at least {least[k]:,}."
    return sentences


def blame_totals(cover: ExactCover, stop: Stop) -> Blamed | bool | None:
    """Return totals that exclude all covers; True if there is a cover, None if that is unknown."""
    problem, names = cover._selected.problem, cover._names.totals
    low, high, *_ = problem.totals

    def limited(kept: list[int]) -> Problem:
        is_kept: NDArray[np.bool_] = np.isin(np.arange(len(low)), kept)
        bounds = np.where(is_kept, low, -UNBOUNDED), np.where(is_kept, high, UNBOUNDED)
        return problem._replace(total_low=bounds[0], total_high=bounds[1])

    found = search_cover(problem, stop, UNLIMITED)
    if found.has_cover is not False:
        return found.has_cover
    max_updates = max(MIN_UPDATES, MAX_RATIO * found.updates)

    def has_cover(kept: list[int]) -> bool | None:
        return search_cover(limited(kept), stop, max_updates).has_cover

    numbers = list(range(len(low)))
    blamed = sorted(find_smallest(numbers, lambda kept: has_cover(kept) is False, stop))
    helpful = [k for k in blamed if has_cover([other for other in numbers if other != k])]
    listed = listing(names[k] for k in blamed)
    text = f"No cover is within the limits of the total{'s' * (len(blamed) > 1)} {listed}."
    return Blamed([names[k] for k in blamed], text, [names[k] for k in helpful])
