"""Encode totals: limits of sums of weights over the chosen options."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from ..kernels.problem import MAX_WEIGHT, UNBOUNDED, Problem
from .costs import read_values
from .iterables import as_list, is_hashable, read_rows, reject_nan
from .names import Names, as_integer, describe_option

Totals = Mapping[Any, tuple[Any, ...]]  # (weights, low, high), or (low, high), by name
Weights = dict[Hashable, dict[Hashable, Any]]  # of options in their totals, by name or number


def take_weights(options: Any, totals: Totals) -> tuple[Any, Weights]:
    """Return options without the weights that they give, and these weights.

    Raises TypeError if `totals` is not a mapping of tuples, and ValueError if an option gives a
    weight twice.
    """
    if not isinstance(totals, Mapping):
        raise TypeError(f"totals must be a mapping from names to tuples, not {totals!r}")
    for name, total in totals.items():
        if not (isinstance(total, tuple | list) and len(total) in (2, 3)):
            raise TypeError(
                f"total {name!r} must be a tuple (weights, low, high) or (low, high), not {total!r}"
            )
    # Totals without weights of their own: the options give them, but not those of a matrix.
    weights: Weights = {name: {} for name, total in totals.items() if len(total) == 2}
    if not weights or isinstance(options, Problem) or hasattr(options, "columns"):
        return options, weights
    labels = list(options) if isinstance(options, Mapping) else None
    values = as_list(options if labels is None else options.values(), "options", "options")
    rows = [*map(list, read_rows(values, labels or ()))]
    for option, row in zip(range(len(rows)) if labels is None else labels, rows, strict=True):
        for entry in row.copy():
            if not (isinstance(entry, tuple) and len(entry) == 2):
                continue
            total, weight = entry
            if is_hashable(total) and total in weights:
                if option in weights[total]:
                    raise ValueError(f"option {option!r} has two weights in total {total!r}")
                weights[total][option] = weight
                row.remove(entry)
    return rows if labels is None else dict(zip(labels, rows, strict=True)), weights


def encode_totals(
    problem: Problem,
    names: Names,
    totals: Totals,
    given_weights: Weights,
    listed_items: Iterable[Hashable],
) -> tuple[Problem, Names]:
    """Return the problem with totals.

    Parameters
    ----------
    problem, names
        The problem without totals.
    totals
        As for `ExactCover`.
    given_weights
        The weights that the options give.
    listed_items
        Items that the options may lack, such as those with bounds.

    Raises
    ------
    ValueError
        If a total has the name of an item, an item is a weight, or invalid bounds or weights.
    TypeError
        If a bound or a weight is not an integer.
    """
    reject_nan(totals)
    items = {*names.items, *listed_items}
    bounds = np.empty((2, len(totals)), np.int64)
    lengths: list[int] = []
    options: list[int] = []
    weights: list[int] = []
    for k, (name, total) in enumerate(totals.items()):
        if name in items:
            raise ValueError(f"total {name!r} is an item, too")
        low = _read_bound(total[-2], -UNBOUNDED, f"total {name!r}: low")
        high = _read_bound(total[-1], UNBOUNDED, f"total {name!r}: high")
        if low > high:
            raise ValueError(f"total {name!r}: low, {low}, exceeds high, {high}")
        bounds[:, k] = low, high
        values = total[0] if len(total) == 3 else given_weights[name]
        if len(total) == 2:
            pairs = [(name, weight) for weight in values.values() if is_hashable(weight)]
            if (both := next(filter(items.__contains__, pairs), None)) is not None:
                raise ValueError(f"{both!r} is an item and a weight of total {name!r}")
        numbers, listed = read_values(problem, names, values, f"totals {name!r}")
        lengths.append(len(listed))
        options += numbers
        for option, value in zip(numbers, listed, strict=True):
            if type(value) is not int or abs(value) > MAX_WEIGHT:
                label = partial(_describe_weight, problem, names, option, name)
                value = _integer(value, MAX_WEIGHT, label)
            weights.append(value)
    entries = np.repeat(np.arange(len(totals)), lengths), np.array(options, np.int64)
    weight = np.array(weights, np.int64)
    order = np.lexsort(entries[::-1])  # by the total, and then by the option
    order = order[weight[order] != 0]
    columns = (column[order] for column in (*entries, weight))
    problem = Problem(*problem[:8], *bounds, *columns)  # which had no totals
    return problem, names._replace(totals=list(totals))


def _read_bound(bound: object, unbounded: int, label: str) -> int:
    """Return a bound of a total, which is `unbounded` if it is None. Raises as `_integer`."""
    return unbounded if bound is None else _integer(bound, UNBOUNDED, lambda: label)


def _describe_weight(problem: Problem, names: Names, option: int, total: Hashable) -> str:
    return f"weight of option {describe_option(problem, names, option)} in total {total!r}"


def _integer(value: object, largest: int, label: Callable[[], str]) -> int:
    """Return an integer whose size is `largest` at most, or raise an exception.

    The label, which the message calls it by, is a function, as most values need no message.
    """
    integer = as_integer(value)
    if integer is None:
        raise TypeError(f"{label()} must be an integer, not {value!r}")
    if abs(integer) > largest:
        raise ValueError(f"{label()} must be from {-largest} to {largest}, not {value!r}")
    return integer
