"""Penalties of items that are covered less often than they must be.

An item that must be covered exactly once has an option of its own for the case that it stays
uncovered. The other items may be covered from 0 times in a problem: a plan is a set of options, and
what is missing follows from it. Searches for the cheapest plan need costs that are sums, for which
`add_units` adds auxiliary options.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.csr import number_rows, row_of
from ..kernels.problem import Problem, select_options
from .names import Cost, Names


class Missing(NamedTuple):
    """An item that a plan covers less often than it must."""

    item: Hashable
    number: int  # how often it is missing
    price: Cost  # of each time


class Penalties(NamedTuple):
    """The penalties of items without options for the case that they stay uncovered."""

    items: NDArray[np.int64]
    needed: NDArray[np.int64]  # how often each of them must be covered
    prices: NDArray[np.int64]  # of each time that is missing, in the unit of the costs

    def missing(self, problem: Problem, options: Sequence[int]) -> NDArray[np.int64]:
        """Return by how much each item is covered less often than needed, if options are chosen."""
        chosen = np.array(options, np.int64)
        nodes, _ = problem.nodes_of(chosen)
        n_uses = np.bincount(problem.items[nodes], minlength=problem.n_items)
        return np.maximum(self.needed - n_uses[self.items], 0)

    def distinguish(self, problem: Problem) -> Problem:
        """Return a problem, only for its symmetries, in which equal items have equal penalties."""
        facts, _ = number_rows(self.needed, self.prices)
        low = problem.lows.copy()
        low[self.items] = -1 - facts
        return problem._replace(low=low)


def plan_cost(problem: Problem, names: Names, options: Sequence[int]) -> int:
    """Return the cost of a plan, in the unit of the costs, with all penalties."""
    cost = 0 if problem.cost is None else int(problem.cost[[*options]].sum())
    if names.penalties is None:
        return cost
    return cost + int(names.penalties.missing(problem, options) @ names.penalties.prices)


def user_cost(problem: Problem, names: Names, options: Sequence[int]) -> Cost:
    """Return the cost of a plan as the user's number; 0 if the problem has no costs."""
    return as_cost(exact_cost(problem, names, options))


def exact_cost(problem: Problem, names: Names, options: Sequence[int]) -> Fraction:
    """Return the cost of a plan as the sum of the given costs; 0 if the problem has none."""
    if names.exact_costs is None or problem.cost is None:
        return Fraction(plan_cost(problem, names, options), names.scale.factor)
    numerators, denominator = names.exact_costs
    total = sum(numerators[k] for k in options)
    if names.penalties is not None:
        missing = names.penalties.missing(problem, options).tolist()
        total += sum(map(mul, missing, numerators[problem.n_options :]))
    return Fraction(total, denominator)


def as_cost(cost: Fraction) -> Cost:
    """Return a cost as an integer or a float."""
    return int(cost) if cost.denominator == 1 else float(cost)


def exact_costs(problem: Problem, names: Names) -> list[Fraction]:
    """Return the costs of all options, and then of the penalties, in the user's numbers.

    A problem with penalties has costs, if only zeros.
    """
    if names.exact_costs is not None:
        numerators, denominator = names.exact_costs
        return [Fraction(number, denominator) for number in numerators]
    rounded: Any = [] if problem.cost is None else problem.cost.tolist()
    if names.penalties is not None:
        rounded += names.penalties.prices.tolist()
    return [Fraction(number, names.scale.factor) for number in rounded]


def option_costs(problem: Problem, names: Names) -> list[Cost]:
    """Return the cost of each option as the user's number."""
    if problem.cost is None:
        return []
    costs = list(map(names.scale.unscale, problem.cost.tolist()))
    if names.exact_costs is not None:  # of listed options; `add_units` adds others to `problem`
        n_listed = names.n_listed
        costs[:n_listed] = map(as_cost, exact_costs(problem, names)[:n_listed])
    return costs


def option_cost(problem: Problem, names: Names, option: int) -> Cost:
    """Return the cost of an option as the user's number."""
    return user_cost(problem, names._replace(penalties=None), [option])


def list_missing(problem: Problem, names: Names, options: Sequence[int]) -> list[Missing]:
    """Return the items that a plan covers too rarely, with the number of times that are missing."""
    chosen = [k for k in options if k >= names.n_listed]  # each stands for its only item
    missing = [
        (int(problem.items[problem.indptr[k]]), 1, option_cost(problem, names, k)) for k in chosen
    ]
    if names.penalties is not None:
        numbers = names.penalties.missing(problem, options).tolist()
        prices = map(as_cost, exact_costs(problem, names)[problem.n_options :])
        missing += zip(names.penalties.items.tolist(), numbers, prices, strict=True)
    return [Missing(names.items[item], number, price) for item, number, price in missing if number]


class _PricedItem(NamedTuple):
    """An item with a penalty, and its units; see `add_units`."""

    item: int
    needed: int  # how often it must be covered
    price: int  # of each time that is missing
    n_most: int  # at most how many of its options other items permit in a cover
    n_units: int  # the same, and at most its own bound; 0 if it needs no units


def _priced_items(problem: Problem, names: Names) -> Iterator[_PricedItem]:
    """Yield the items with penalties.

    `n_most` is an upper bound: options that share an item that is covered once exclude each other.
    Each option of the item is assigned to the item of this kind that most of the others have, so a
    cover contains at most one option for each of these items. Options without one count each.
    """
    order = np.argsort(problem.items, kind="stable")
    start = np.searchsorted(problem.items[order], np.arange(problem.n_items + 1))
    options = problem.option_of_node()[order]
    high = problem.item_high
    is_once = (high == 1) & ~problem.is_colored
    for item, needed, price in zip(*map(np.ndarray.tolist, names.penalties), strict=True):
        own = row_of(options, start, item)  # the options of the item
        chosen = select_options(problem, own)
        # The maximum of the codes of an option has its most frequent item; it is 0 without one.
        frequency = chosen.sizes * is_once  # how many of the options have each item
        code = frequency * problem.n_items + np.arange(problem.n_items) * is_once
        widest = np.maximum.reduceat(code[chosen.items], chosen.indptr[:-1]) if len(own) else own
        # One option for each distinct item, and each option without one
        n_most = len({*widest.tolist()} - {0}) + int(np.count_nonzero(widest == 0))
        n_units = 0
        if price and needed and len(own):
            n_units = min(int(high[item]), n_most)
        yield _PricedItem(item, needed, price, n_most, n_units)


def choose_units(problem: Problem, names: Names, plan: Sequence[int]) -> list[int]:
    """Return a plan and the options of `add_units` that complete it.

    For each item with a penalty, `add_units` adds in this order: an option that is always chosen,
    if no plan covers the item often enough; then, if it has one unit, an option for this, which is
    chosen if the plan does not cover the item; and otherwise two options for each unit, to choose
    it, and to leave it out. If the plan covers the item n times, the last n units are left out.
    """
    chosen = [*plan]
    uses = np.bincount(select_options(problem, np.array(plan, np.int64)).items, minlength=1)
    number = problem.n_options  # of the next option that `add_units` adds
    for item, needed, _, n_most, n_units in _priced_items(problem, names):
        n_uses = int(uses[item]) if item < len(uses) else 0
        if needed > n_most:
            chosen.append(number)
            number += 1
        if n_units == 1:
            if n_uses == 0:
                chosen.append(number)
            number += 1
            continue
        for k in range(n_units):
            chosen.append(number if k < n_units - n_uses else number + 1)
            number += 2
    return chosen


def add_units(problem: Problem, names: Names) -> tuple[Problem, Names]:
    """Return the problem with auxiliary options, the last ones, whose costs are the penalties.

    An item that must be covered from `low` to `high` times is covered exactly `high` times, or as
    often as its options permit, by options and by units. The first units cost nothing, and the last
    `low` ones the penalty. A unit is chosen only if the one before it is, so each plan has only one
    choice of units. The penalty of what no plan covers is the cost of an option that every plan
    contains.
    """
    low = problem.lows.copy()
    high = problem.highs.copy()
    primary: list[Hashable] = []
    secondary: list[Hashable] = []
    # Of each new option, its items, where new secondary ones are numbered from -1 downwards
    rows: list[list[int]] = []
    labels: list[Hashable] = []
    costs: list[int] = []

    def add(row: list[int], cost: int, label: Hashable) -> None:
        """Add an option."""
        rows.append(row)
        costs.append(cost)
        labels.append(label)

    for item, needed, price, n_most, n_units in _priced_items(problem, names):
        name = names.items[item]
        if needed > n_most:
            primary.append(("missing", name))
            row = [problem.n_primary + len(primary) - 1]
            add(row, price * (needed - n_most), ("uncovered", name, needed - n_most))
        if not n_units:
            continue
        n_priced = min(needed, n_most)
        low[item] = high[item] = n_units
        if n_units == 1:
            add([item], price, ("uncovered", name))
            continue
        for k in range(n_units):
            cost = price if k >= n_units - n_priced else 0
            primary.append(("unit", name, k))
            unit = problem.n_primary + len(primary) - 1
            with_unit = [item, unit]
            without_unit = [unit]
            if k:  # an item that the option without unit k - 1 has, too: they exclude each other
                with_unit.append(-len(secondary))
            if k < n_units - 1:
                secondary.append(("order", name, k))
                without_unit.append(-len(secondary))
            add(with_unit, cost, ("uncovered" if cost else "spare", name, k))
            add(without_unit, 0, ("covered", name, k))
    extended = _extend(problem, rows, costs, len(primary), len(secondary))
    ones = np.ones(len(primary), np.int64)
    extended = extended._replace(low=np.append(low, ones), high=np.append(high, ones))
    items = [*names.items[: problem.n_primary], *primary, *names.items[problem.n_primary :]]
    options: Sequence[Any] = range(extended.n_options)
    if names.has_options:
        options = [*names.options, *labels]
    return extended, names._replace(
        items=[*items, *secondary],
        options=options,
        n_uncovered=names.n_uncovered + len(rows),
        penalties=None,
    )


def restore_bounds(problem: Problem, names: Names) -> tuple[Problem, dict[Hashable, Fraction]]:
    """Return the problem with the lower bounds that the user gave, and the penalty of each item.

    This undoes what `costs.py` does for penalties, except that the options that it adds remain.
    They have one item each, and cost its penalty. Other penalties are in `names.penalties`.
    """
    first = names.n_listed  # of the options that stand for what is missing
    items = problem.items[problem.indptr[first] : problem.indptr[-1]].tolist()
    if names.penalties is not None:
        low = problem.lows.copy()
        low[names.penalties.items] = names.penalties.needed
        problem = problem._replace(low=low)
        items += names.penalties.items.tolist()
    prices = map(abs, exact_costs(problem, names)[first:])
    return problem, dict(zip((names.items[item] for item in items), prices, strict=True))


def _extend(
    problem: Problem, rows: list[list[int]], costs: list[int], n_primary: int, n_secondary: int
) -> Problem:
    """Return the problem with more options, and with so many more primary and secondary items.

    The new options are the `rows` of items, with their numbers in the result, where the new primary
    items follow the old ones; -1 is the first new secondary item, and so on. The caller extends the
    bounds of the items.
    """
    n_items = problem.n_items + n_primary
    moved = np.where(problem.items < problem.n_primary, problem.items, problem.items + n_primary)
    added = np.array([item for row in rows for item in row], np.int64)
    added = np.where(added < 0, n_items - 1 - added, added)
    ends = np.cumsum([len(row) for row in rows], dtype=np.int64)
    color = problem.color
    if color is not None:
        color = np.append(color, np.zeros(len(added), color.dtype))
    return problem._replace(
        indptr=np.append(problem.indptr, problem.indptr[-1] + ends),
        items=np.append(moved, added),
        n_primary=problem.n_primary + n_primary,
        n_secondary=problem.n_secondary + n_secondary,
        color=color,
        cost=np.append(problem.costs, np.array(costs, np.int64)),
    )
