"""Independent components of a problem: parts that share no item."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from .dlx.links import Ints
from .problem import Problem, select_options

PartT = TypeVar("PartT")
Component = tuple[Problem, NDArray[np.int64], NDArray[np.int64]]  # the numbers of options and items


class LazyParts(Sequence[PartT]):
    """The parts of something, each created when it is first requested: there may be many.

    Parameters
    ----------
    n_parts : int
    create : callable
        Returns the part with a number.
    """

    def __init__(self, n_parts: int, create: Callable[[int], PartT]) -> None:
        self._parts: list[PartT | None] = [None] * n_parts
        self._create = create

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, number: Any) -> Any:
        part = self._parts[number]
        if part is None:
            part = self._parts[number] = self._create(number)
        return part

    def __iter__(self) -> Iterator[PartT]:
        return map(self.__getitem__, range(len(self)))


@njit
def join_sets(label, a, b):
    """Join the disjoint sets of `a` and `b`, int64. Return whether they were different sets.

    `label` (elements,) int64, modified: each element has a smaller one of its set; the smallest has
    itself.
    """
    while label[a] != a:
        label[a] = label[label[a]]  # halves the path
        a = label[a]
    while label[b] != b:
        label[b] = label[label[b]]
        b = label[b]
    label[max(a, b)] = min(a, b)
    return a != b


@njit
def label_components(indptr, items, n_primary, label):
    """Label the items so that two of them have the same label if options connect them.

    Parameters: `indptr` (options + 1,) and `items` (nodes,) int64, as in `Problem`; `n_primary`
    int64; `label` (items,) int64, which is overwritten by the smallest item of each component.
    Options without primary items connect nothing, because no cover contains them. Returns the
    number of components, among them the items that are in no option.
    """
    for item in range(len(label)):
        label[item] = item
    n_components = len(label)
    for option in range(len(indptr) - 1):
        start, end = indptr[option], indptr[option + 1]
        first = len(label)
        for node in range(start, end):
            first = min(first, items[node])
        if first >= n_primary:
            continue
        for node in range(start, end):
            n_components -= join_sets(label, first, items[node])
    for item in range(len(label)):
        label[item] = label[label[item]]  # the label of a smaller item is final
    return n_components


def split_problem(problem: Problem) -> LazyParts[Component]:
    """Divide a problem into problems that can be solved independently.

    The covers of the problem are the combinations of covers of its components. All parts in
    which no primary item has more than one option, so that there is no choice, form one component.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    LazyParts of Component
        The components, ordered by their first items, and the numbers of their options and items in
        `problem`, in ascending order. A problem that does not fall apart is its only component.
    """
    n_items, n_primary = problem.n_items, problem.n_primary
    indptr, items, label = problem.indptr, problem.items, np.empty(n_items, np.int64)
    undivided = LazyParts(1, lambda _: (problem, np.arange(problem.n_options), np.arange(n_items)))
    joined = (indptr, items) if problem.total_low is None else _join_totals(problem, indptr, items)
    if label_components(*joined, n_primary, label) < 2:
        return undivided
    has_choice = np.zeros(n_items, np.bool_)
    has_choice[label[:n_primary][np.bincount(items, minlength=n_primary)[:n_primary] > 1]] = True
    is_forced = ~has_choice[label]
    label[is_forced] = np.argmax(is_forced)
    starts = np.unique(label[:n_primary])  # other components have only secondary items
    if len(starts) < 2:
        return undivided
    # The component of each item and option; len(starts) for those that are in no cover.
    component = np.searchsorted(starts, label)
    component[starts[np.minimum(component, len(starts) - 1)] != label] = len(starts)
    first_items = np.full(problem.n_options, n_items)
    np.minimum.at(first_items, problem.option_of_node(), items)
    component_of_option = np.full(problem.n_options, len(starts))
    is_used = first_items < n_primary
    component_of_option[is_used] = component[first_items[is_used]]

    options = np.argsort(component_of_option, kind="stable")
    item_order = np.argsort(component, kind="stable")
    numbers = np.arange(-1, len(starts))
    option_ends = np.searchsorted(component_of_option[options], numbers, "right")
    item_ends = np.searchsorted(component[item_order], numbers, "right")
    n_primaries = np.bincount(component[:n_primary], minlength=len(starts)).tolist()
    number = np.empty(n_items, np.int64)  # of each item in its component
    number[item_order] = np.arange(n_items) - item_ends[component[item_order]]
    ordered = select_options(problem._replace(items=number[items]), options)
    totals_of = _divide_totals(ordered, option_ends)

    def create(k: int) -> Component:
        part = slice(*option_ends[k : k + 2].tolist())
        nodes = slice(*ordered.indptr[[part.start, part.stop]].tolist())
        members = item_order[slice(*item_ends[k : k + 2].tolist())]
        primary = members[: n_primaries[k]]
        component = ordered._replace(
            **totals_of(k),
            indptr=ordered.indptr[part.start : part.stop + 1] - nodes.start,
            items=ordered.items[nodes],
            n_primary=len(primary),
            n_secondary=len(members) - len(primary),
            color=None if ordered.color is None else ordered.color[nodes],
            low=None if problem.low is None else problem.low[primary],
            high=None if problem.high is None else problem.high[primary],
            cost=None if ordered.cost is None else ordered.cost[part],
        )
        return component, options[part], members

    return LazyParts(len(starts), create)


def _join_totals(
    problem: Problem, indptr: Ints, items: Ints
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return options with one more for each total: the first primary items of its options."""
    low, _, total, option, _ = problem.totals
    nodes = np.flatnonzero(items < problem.n_primary)[::-1]
    first = np.full(problem.n_options, problem.n_items)
    first[problem.option_of_node()[nodes]] = items[nodes]
    order = np.argsort(total, kind="stable")
    order = order[first[option[order]] < problem.n_items]
    ends = np.searchsorted(total[order], np.arange(len(low)), "right")
    return np.append(indptr, indptr[-1] + ends), np.append(items, first[option[order]])


def _divide_totals(
    problem: Problem, option_ends: NDArray[np.int64]
) -> Callable[[int], dict[str, NDArray[np.int64] | None]]:
    """Return a function that returns the totals of a component, as fields of `Problem`.

    `option_ends` has the first option of each component, and the end of the last one. Each total
    belongs to one component, the first one if all its weights are those of other options.
    """
    fields, n_components = Problem._fields[8:], len(option_ends) - 1
    if problem.total_low is None:
        return lambda k: {}
    low, high, total, option, weight = problem.totals
    component = np.searchsorted(option_ends, option, "right") - 1
    entries = np.lexsort([option, total, component])
    entries = entries[component[entries] < n_components]
    home = np.zeros(len(low), np.int64)  # the component of each total
    home[total[entries]] = component[entries]
    order = np.argsort(home, kind="stable")
    numbers = np.arange(-1, n_components)
    ends = np.searchsorted(home[order], numbers, "right")
    entry_ends = np.searchsorted(component[entries], numbers, "right")
    number = np.empty(len(low), np.int64)  # of each total in its component
    number[order] = np.arange(len(low)) - ends[home[order]]

    def select(k: int) -> dict[str, NDArray[np.int64] | None]:
        own = order[slice(*ends[k : k + 2].tolist())]
        entry = entries[slice(*entry_ends[k : k + 2].tolist())]
        if not len(own):
            return dict.fromkeys(fields)
        options = option[entry] - option_ends[k]
        arrays = low[own], high[own], number[total[entry]], options, weight[entry]
        return dict(zip(fields, arrays, strict=True))

    return select
