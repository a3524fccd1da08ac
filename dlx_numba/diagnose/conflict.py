"""Find a small set of requirements of a problem that exclude each other."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

import numpy as np

from ..cover.exact_cover import ExactCover
from ..cover.names import option_numbers
from ..kernels.algorithms import AUTO
from ..kernels.dlx.state import UNLIMITED
from ..kernels.problem import Problem, find_copies, restrict, select_options
from ..kernels.reduce import ConflictError, reduce_problem
from ..runtime.interrupts import Stop
from ..search.prepared import PreparedProblem
from ..search.search import Search, run_unshared
from .phrases import Name
from .quickxplain import find_smallest
from .statement import count_options

# Each search for a conflict may take this many times the updates of the search of the problem.
MAX_RATIO, MIN_UPDATES = 16, 1 << 22

Condition = tuple[str, Name]  # the name of the argument, and the name of the option or item


class Found(NamedTuple):
    """Whether there is a cover (None if that is unknown), and the updates of the search for it."""

    has_cover: bool | None
    updates: int


class Conflict(NamedTuple):
    """Requirements that exclude each other.

    Attributes
    ----------
    items : list of hashable
        Items that cannot all be covered, whatever the other items require.
    conditions : list of (str, hashable)
        Given and forbidden options, and items with a multiplicity, that exclude all covers.
    helpful : list of (str, hashable)
        Those of them whose removal alone is enough for a cover.
    is_minimal : bool
        Whether it is proven that all items and conditions are needed.
    """

    items: list[Name]
    conditions: list[Condition]
    helpful: list[Condition]
    is_minimal: bool


def search_cover(problem: Problem, stop: Stop, max_updates: int = UNLIMITED) -> Found:
    """Search a problem until a cover is found, or up to a number of updates."""
    total = 0
    for part in PreparedProblem(problem, algorithm=AUTO).parts:
        search = Search(part)
        _, n_found, is_complete = run_unshared(
            search, stop, 1, collects=False, updates=max_updates - total
        )
        total += search.counters()[2]
        if not n_found:
            return Found(False if is_complete else None, total)
    return Found(True, total)


def find_conflict(
    cover: ExactCover, updates: int, stop: Stop, report: Callable[[str], None]
) -> Conflict:
    """Return a conflict of a problem whose search for a cover has taken `updates`."""
    tests = _Tests(cover, max(MIN_UPDATES, MAX_RATIO * updates), stop, report)
    sizes = count_options(cover.problem) + [cover.n_options] * cover.problem.n_secondary
    order = np.argsort(sizes, kind="stable").tolist()
    best = find_smallest(order, tests.exclude_each_other, stop)
    if not tests.is_decided:  # some searches have ended early, but perhaps none for a single item
        tests.is_decided = True
        for item in [*best]:
            fewer = [other for other in best if other != item]
            best = fewer if tests.exclude_each_other(fewer) else best
    conditions, helpful = tests.blame()
    items = [cover.items[item] for item in sorted(best)]
    return Conflict(items, conditions, helpful, tests.is_decided and not stop())


class _Tests:
    """Searches of a problem with fewer requirements.

    Attributes
    ----------
    is_decided : bool
        Whether each search has ended within its budget.
    """

    def __init__(
        self, cover: ExactCover, max_updates: int, stop: Stop, report: Callable[[str], None]
    ) -> None:
        self._cover, self._max_updates, self._stop, self._report = cover, max_updates, stop, report
        self.is_decided = True
        settings, problem = cover._settings, cover.problem
        is_changed = np.zeros(problem.n_primary, np.bool_)
        if problem.low is not None and problem.high is not None:
            is_changed = (problem.low != 1) | (problem.high != 1)
        given, forbidden = (
            option_numbers(settings[name], problem, cover._names) for name in ("given", "forbidden")
        )
        self._conditions = [
            *(("given", k) for k in sorted({*given})),
            *(("forbidden", k) for k in sorted({*forbidden})),
            *(("multiplicity", k) for k in np.flatnonzero(is_changed).tolist()),
        ]

    def has_cover(
        self, items: Collection[int] | None, conditions: list[tuple[str, int]]
    ) -> bool | None:
        """Return whether a cover meets the requirements of some items, under some conditions.

        None for the items means all of them. Returns None if the search ends early.
        """
        if self._stop():
            return None
        try:
            problem = self._relax(items, conditions)
        except ConflictError:  # given options share an item, whose multiplicity was removed
            return False
        found = search_cover(problem, self._stop, self._max_updates).has_cover
        self.is_decided &= found is not None
        return found

    def _relax(self, items: Collection[int] | None, conditions: list[tuple[str, int]]) -> Problem:
        """Return the problem with the requirements of some items only, under some conditions."""
        problem = self._cover.problem
        given, forbidden, counted = (
            np.array([k for kind, k in conditions if kind == name], np.int64)
            for name in ("given", "forbidden", "multiplicity")
        )
        if problem.low is not None and problem.high is not None:
            bounds = np.ones((2, problem.n_primary), np.int64)
            bounds[:, counted] = problem.low[counted], problem.high[counted]
            problem = problem._replace(low=bounds[0], high=bounds[1])
        if items is not None:
            keep = np.zeros(problem.n_items, np.bool_)
            keep[list(items)] = True
            all_options = np.ones(problem.n_options, np.bool_)
            problem, _, _ = restrict(problem, all_options, keep[problem.items], keep)
        problem, _, _ = reduce_problem(problem, given, forbidden)
        if problem.high is not None:
            return problem
        copies = np.array(list(find_copies(problem)), np.int64)
        return select_options(problem, np.delete(np.arange(problem.n_options), copies))

    def exclude_each_other(self, items: list[int]) -> bool:
        """Return whether it is proven that some items cannot all be covered."""
        if self.has_cover(items, self._conditions) is not False:
            return False
        self._report(f"{len(items):,} items exclude each other")
        return True

    def blame(self) -> tuple[list[Condition], list[Condition]]:
        """Return conditions that exclude all covers, and those whose removal is enough for one.

        There are none if the problem has no cover without any condition, either.
        """

        def exclude_covers(conditions: list[tuple[str, int]]) -> bool:
            return self.has_cover(None, conditions) is False

        if not self._conditions or exclude_covers([]):
            return [], []
        # Without a multiplicity there may be fewer covers, so these are left out one by one.
        counted = [condition for condition in self._conditions if condition[0] == "multiplicity"]
        options = self._conditions[: len(self._conditions) - len(counted)]
        if options:
            options = find_smallest(options, lambda few: exclude_covers(few + counted), self._stop)
        blamed, is_smaller = sorted(options + counted, key=self._conditions.index), True
        while is_smaller:
            is_smaller = False
            for condition in blamed:
                without = self._without(blamed, condition)
                if exclude_covers(without):
                    blamed, is_smaller = without, True
        helpful = [
            condition
            for condition in blamed
            if self.has_cover(None, self._without(self._conditions, condition))
        ]
        return self._named(blamed), self._named(helpful)

    @staticmethod
    def _without(
        conditions: list[tuple[str, int]], condition: tuple[str, int]
    ) -> list[tuple[str, int]]:
        return [other for other in conditions if other != condition]

    def _named(self, conditions: Iterable[tuple[str, int]]) -> list[Condition]:
        items, options = self._cover.items, self._cover.option_names
        return [(kind, (items if kind == "multiplicity" else options)[k]) for kind, k in conditions]
