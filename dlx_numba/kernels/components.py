"""Independent components of a problem: parts that share no item."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..jit import njit
from ..runtime.lazy import LazySequence
from .csr import group, row_of
from .problem import Problem, ProblemPart, select_options, take

# Problems with fewer of both are searched in less time than it takes to divide them.
MIN_ITEMS = 16
MIN_OPTIONS = 64


def may_be_divisible(n_options: int, n_items: int) -> int:
    """Return 1 if a problem is large enough to be divided into components, or else 0."""
    return int(n_items >= MIN_ITEMS or n_options >= MIN_OPTIONS)


@njit
def find_smallest(label, a):
    """Return the smallest element of the set of `a`, int64.

    `label` (elements,) int64, modified: each element has a smaller one of its set; the smallest has
    itself.
    """
    while label[a] != a:
        label[a] = label[label[a]]  # halves the path
        a = label[a]
    return a


@njit
def join_sets(label, a, b):
    """Join the disjoint sets of `a` and `b`, int64, with labels as for `find_smallest`."""
    a, b = find_smallest(label, a), find_smallest(label, b)
    label[max(a, b)] = min(a, b)


@njit
def label_components(indptr, items, n_primary, label):
    """Label the items so that two of them have the same label if options connect them.

    Parameters: `indptr` (options + 1,) and `items` (nodes,) int64, as in `Problem`; `n_primary`
    int64; `label` (items,) int64 or uint32, which is overwritten by the smallest item of each
    component. Options without primary items connect nothing, because no cover contains them.
    Returns the number of components with primary items, among them those that are in no option.
    """
    for item in range(len(label)):
        label[item] = item
    for option in range(len(indptr) - 1):
        start = indptr[option]
        end = indptr[option + 1]
        first_item = len(label)
        for node in range(start, end):
            first_item = min(first_item, items[node])
        if first_item >= n_primary:
            continue
        smallest = find_smallest(label, first_item)
        for node in range(start, end):
            other = find_smallest(label, items[node])
            label[max(smallest, other)] = min(smallest, other)
            smallest = min(smallest, other)
    n_components = 0
    for item in range(len(label)):
        label[item] = label[label[item]]  # the label of a smaller item is final
        n_components += item < n_primary and label[item] == item
    return n_components


def split_problem(problem: Problem) -> LazySequence[ProblemPart]:
    """Divide a problem into problems that can be solved independently.

    The covers of the problem are the combinations of covers of its components. All parts in
    which no primary item has more than one option, so that there is no choice, form one component.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    LazySequence of ProblemPart
        The components, ordered by their first items, and the numbers of their options and items in
        `problem`, in ascending order. A problem that does not fall apart is its only component.
    """
    n_items = problem.n_items
    n_primary = problem.n_primary
    n_options = problem.n_options
    undivided = LazySequence(
        1, lambda _: ProblemPart(problem, np.arange(n_options), np.arange(n_items))
    )
    elements = problem.items
    indptr = problem.indptr
    n_totals = 0
    if problem.total_low is not None:  # a total connects options like an item after the others
        low, _, total, weighted, _ = problem.totals
        n_totals = len(low)
        order, indptr = group(np.append(problem.option_of_node(), weighted), n_options)
        elements = np.append(problem.items, n_items + total)[order]
    label = np.empty(n_items + n_totals, np.int64)
    if label_components(indptr, elements, n_primary, label) < 2:
        return undivided
    has_choice = np.zeros(len(label), np.bool_)
    has_choice[label[:n_primary][problem.primary_sizes > 1]] = True
    is_forced = ~has_choice[label]
    label[is_forced] = np.argmax(is_forced)  # one component, labeled with its first element
    starts = np.unique(label[:n_primary])  # other components have only secondary items
    if len(starts) < 2:
        return undivided
    # The component of each element and option; len(starts) for those that are in no cover.
    component = np.searchsorted(starts, label)
    component[starts[np.minimum(component, len(starts) - 1)] != label] = len(starts)
    home, component = component[n_items:], component[:n_items]  # of totals, and of items
    # In the order of their numbers, the rank of a primary item is its number.
    _, first_items = problem.rank_nodes(np.arange(n_primary))
    component_of_option = np.full(n_options, len(starts))
    is_used = first_items < n_primary
    component_of_option[is_used] = component[first_items[is_used]]

    options, option_start = group(component_of_option, len(starts))
    item_order, item_start = group(component, len(starts))
    n_primaries = np.bincount(component[:n_primary], minlength=len(starts)).tolist()
    number = np.empty(n_items, np.int64)  # of each item in its component
    number[item_order] = np.arange(n_items) - item_start[component[item_order]]
    ordered = select_options(problem._replace(items=number[problem.items]), options)
    totals_of = _divide_totals(ordered, home, option_start)

    def create(k: int) -> ProblemPart:
        """Return component k: a slice of the options, which are ordered by component."""
        part = slice(*option_start[k : k + 2].tolist())
        nodes = slice(*ordered.indptr[[part.start, part.stop]].tolist())
        members = row_of(item_order, item_start, k)  # ascending: primary items first
        primary = members[: n_primaries[k]]
        subproblem = ordered._replace(
            **totals_of(k),
            indptr=ordered.indptr[part.start : part.stop + 1] - nodes.start,
            items=ordered.items[nodes],
            n_primary=len(primary),
            n_secondary=len(members) - len(primary),
            color=take(ordered.color, nodes),
            low=take(problem.low, primary),
            high=take(problem.high, primary),
            cost=take(ordered.cost, part),
        )
        return ProblemPart(subproblem, options[part], members)

    return LazySequence(len(starts), create)


def _divide_totals(
    problem: Problem, home: NDArray[np.int64], option_start: NDArray[np.int64]
) -> Callable[[int], dict[str, NDArray[np.int64] | None]]:
    """Return a function that returns the totals of a component, as fields of `Problem`.

    `home` has the component of each total, and `option_start` the first option of each component,
    and the end of the last one. A total belongs to the first component if all of its weights are
    those of other options.
    """
    fields = Problem._fields[8:]  # those of totals
    n_components = len(option_start) - 1
    if problem.total_low is None:
        return lambda k: {}
    low, high, total, option, weight = problem.totals
    home = np.where(home < n_components, home, 0)
    order, start = group(home, n_components)
    number = np.empty(len(low), np.int64)  # of each total in its component
    number[order] = np.arange(len(low)) - start[home[order]]
    entries = np.lexsort([option, total, home[total]])
    entries = entries[option[entries] < option_start[-1]]
    entry_start = np.searchsorted(home[total[entries]], np.arange(n_components + 1))

    def select(k: int) -> dict[str, NDArray[np.int64] | None]:
        """Return the totals of component k as fields of a problem."""
        own = row_of(order, start, k)
        entry = row_of(entries, entry_start, k)
        if not len(own):
            return dict.fromkeys(fields)
        options = option[entry] - option_start[k]
        arrays = low[own], high[own], number[total[entry]], options, weight[entry]
        return dict(zip(fields, arrays, strict=True))

    return select
