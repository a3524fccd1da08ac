"""Find a few requirements of a problem that exclude each other, by Junker's QuickXplain."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...cover.named_problem import NamedProblem
from ...cover.names import Name
from ...kernels.problem import UNBOUNDED, Problem, find_copies, select_items, select_options
from ...kernels.reduce import ConflictError, reduce_problem
from ...runtime.arguments import UNLIMITED
from ...runtime.choices import AUTO
from ...runtime.interrupts import Stop
from ...search.exploration import Exploration
from ...search.prepared import PreparedProblem

# Each search for a conflict may take this many times the updates of the search of the problem.
MAX_RATIO = 16
MIN_UPDATES = 1 << 22

RequirementT = TypeVar("RequirementT")
Condition = tuple[str, Name]  # the name of the argument, and the name of the option or item


class Existence(NamedTuple):
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
        Given and forbidden options, and items with a multiplicity, for which these items conflict;
        or totals, whose limits no cover meets.
    helpful : list of (str, hashable)
        Those of them whose removal alone is enough for a cover.
    is_minimal : bool
        Whether it is proven that all items and conditions are needed.
    """

    items: list[Name]
    conditions: list[Condition]
    helpful: list[Condition]
    is_minimal: bool


def search_cover(problem: Problem, stop: Stop, max_updates: int = UNLIMITED) -> Existence:
    """Search a problem until a cover is found, or up to a number of updates."""
    total = 0
    for component in PreparedProblem(problem, algorithm=AUTO).components:
        if stop():
            return Existence(None, total)
        search = Exploration(component)
        is_complete = search.count_covers(stop, 1, max_updates - total)
        total += search.work
        if not search.counters().solutions:
            return Existence(False if is_complete else None, total)
    return Existence(True, total)


def find_smallest(
    requirements: Sequence[RequirementT],
    has_solution: Callable[[list[RequirementT]], bool | None],
    report: Callable[[str], None],
    stop: Stop,
) -> tuple[list[RequirementT], bool]:
    """Return a few requirements that exclude each other, and whether all of them are needed.

    Requirements are removed in halves, so a small conflict takes few tests. The first pass prefers
    requirements at the beginning, the second one those at the end. Those of the smaller result are
    then removed one by one, because some tests may have ended early.

    Parameters
    ----------
    requirements
        All requirements, which exclude each other.
    has_solution
        Returns whether some of them have a solution; None if that is unknown.
    report
        Called with a line of text for each conflict.
    stop
        Ends the call, whose result may then contain requirements that are not needed.
    """

    def test(some: list[RequirementT]) -> bool | None:
        """Return whether some requirements have a solution, and report if they have none."""
        is_solvable = has_solution(some)
        if is_solvable is False:
            report(f"{len(some):,} of {len(requirements):,} exclude each other")
        return is_solvable

    def explain(
        chosen: list[RequirementT], rest: list[RequirementT], *, is_new: bool
    ) -> list[RequirementT]:
        """Return a few of the rest that conflict with each other and those chosen.

        `is_new` tells whether the chosen ones were never tested together.
        """
        if is_new and test(chosen) is False:
            return []
        if len(rest) <= 1 or stop():
            return rest
        first = rest[: len(rest) // 2]
        second = rest[len(rest) // 2 :]
        needed = explain(chosen + first, second, is_new=True)
        return needed + explain(chosen + needed, first, is_new=bool(needed))

    # Forward and backward; then each one that is left is tried, as searches may be undecided.
    orders = [*requirements], [*requirements[::-1]]
    few = min((explain([], order, is_new=False) for order in orders), key=len)
    is_minimal = True
    for requirement in [*few]:
        if stop():
            break
        fewer = without(few, requirement)
        is_solvable = test(fewer)
        if is_solvable is False:
            few = fewer
        is_minimal &= is_solvable is not None
    return few, is_minimal and not stop()


def without(requirements: list[RequirementT], requirement: RequirementT) -> list[RequirementT]:
    """Return all requirements but one."""
    return [other for other in requirements if other is not requirement]


def find_conflict(
    named: NamedProblem,
    updates: int,
    stop: Stop,
    report: Callable[[str], None],
    among: Collection[Condition] | None = None,
) -> Conflict:
    """Return a conflict of a problem whose search for a cover has taken `updates`.

    If the problem has totals, there must be covers without them: the totals are to blame. Only
    conditions `among` some can be helpful.
    """
    problem = named.problem
    max_updates = max(MIN_UPDATES, MAX_RATIO * updates)
    options = [("given", k) for k in named.selected.given]
    options += [("forbidden", k) for k in named.forbidden]
    is_counted = (problem.lows != 1) | (problem.highs != 1)
    counted = [("multiplicity", k) for k in np.flatnonzero(is_counted).tolist()]
    totals = [("total", k) for k in range(len(named.names.totals))]

    def has_cover(items: Collection[int] | None, conditions: list[tuple[str, int]]) -> bool | None:
        """Return whether a cover meets the requirements of some items, under some conditions.

        Without items, it must meet those of all items.
        """
        if stop():
            return None
        try:
            relaxed = _relax(problem, items, conditions)
        except ConflictError:  # given options share an item, whose multiplicity was removed
            return False
        return search_cover(relaxed, stop, max_updates).has_cover

    def name(condition: tuple[str, int]) -> Condition:
        """Return a condition with the name of its option, item or total."""
        kind, k = condition
        names = named.names
        lists = {"multiplicity": names.items, "total": names.totals}
        return kind, lists.get(kind, names.options)[k]

    conditions = options + counted + totals
    best: list[int] = []  # the items to blame; none if totals are
    is_minimal = True
    if totals:
        blamed, is_smallest = find_smallest(
            totals, lambda few: has_cover(None, few + options + counted), report, stop
        )
    else:
        # Items with few options come first: they are in more conflicts.
        sizes = np.append(problem.primary_sizes, [problem.n_options] * problem.n_secondary)
        order = np.argsort(sizes, kind="stable").tolist()
        best, is_minimal = find_smallest(
            order, lambda few: has_cover(few, conditions), report, stop
        )
        blamed, is_smallest = find_smallest(
            options, lambda few: has_cover(best, few + counted), report, stop
        )
        # An item without its multiplicity is covered exactly once, so leaving out this condition
        # can also exclude covers, which `find_smallest` does not expect: each is tried by itself.
        blamed += counted
        n_before = -1
        while n_before != len(blamed):
            n_before = len(blamed)
            for condition in [*blamed]:
                if stop():
                    is_smallest = False
                    break
                fewer = without(blamed, condition)
                is_coverable = has_cover(best, fewer)
                if is_coverable is False:
                    blamed = fewer
                is_smallest &= is_coverable is not None
    chosen = {*blamed}
    named_conditions = {own: name(own) for own in conditions if own in chosen}
    helpful = [
        named_condition
        for own, named_condition in named_conditions.items()
        if (among is None or named_condition in among)
        and not stop()
        and has_cover(None, without(conditions, own))
    ]
    items = [named.names.items[item] for item in sorted(best)]
    return Conflict(items, [*named_conditions.values()], helpful, is_minimal and is_smallest)


def _relax(
    problem: Problem, items: Collection[int] | None, conditions: list[tuple[str, int]]
) -> Problem:
    """Return the problem with the requirements of some items only, under some conditions.

    `items` is None for all. `conditions` are pairs of a kind and the number of an option, an item
    or a total. Equal options are left out if this cannot matter.
    """
    given, forbidden, counted, totals = (
        np.array([k for kind, k in conditions if kind == name], np.int64)
        for name in ("given", "forbidden", "multiplicity", "total")
    )
    if problem.total_low is not None:
        problem = limit_totals(problem, np.isin(np.arange(len(problem.total_low)), totals))
    if problem.low is not None and problem.high is not None:
        bounds = np.ones((2, problem.n_primary), np.int64)  # of items without their conditions
        bounds[:, counted] = problem.low[counted], problem.high[counted]
        problem = problem._replace(low=bounds[0], high=bounds[1])
    if items is not None:
        problem = select_items(problem, np.array(sorted(items), np.int64))
    problem = reduce_problem(problem, given, forbidden).problem
    if problem.high is not None or problem.total_low is not None:
        return problem
    copies = np.array(list(find_copies(problem)), np.int64)
    return select_options(problem, np.delete(np.arange(problem.n_options), copies))


def limit_totals(problem: Problem, is_kept: NDArray[np.bool_]) -> Problem:
    """Return a problem in which only some totals have limits."""
    totals = problem.totals
    return problem._replace(
        total_low=np.where(is_kept, totals.low, -UNBOUNDED),
        total_high=np.where(is_kept, totals.high, UNBOUNDED),
    )
