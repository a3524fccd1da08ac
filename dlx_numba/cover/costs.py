"""Encode the costs of options, or the values to maximize, as integers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite, lcm
from numbers import Rational
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ..kernels.problem import MAX_TOTAL_COST, Problem
from ..kernels.reduce import append_options
from .iterables import as_list, as_mapping
from .names import (
    CostScale,
    Names,
    as_integer,
    as_text,
    describe_option,
    find_duplicate,
    option_label,
    option_numbers,
)
from .spelling import simplify_names, suggest

OptionValues = ArrayLike | Mapping[Any, Any]  # numbers for each option, or by number or name


def encode_costs(
    problem: Problem,
    names: Names,
    costs: OptionValues | None,
    maximize: OptionValues | None = None,
    penalty: Mapping[Any, Any] | None = None,
) -> tuple[Problem, Names]:
    """Return the problem with integers for its costs, and the names with their scale.

    Decimal fractions and ratios are scaled to integers. If these are too large for 64 bits, the
    costs are rounded.

    Parameters
    ----------
    problem, names
        The problem.
    costs, maximize : array_like, shape (options,), or mapping, optional
        At most one of them: the cost of each option, or of some options, by their numbers or names;
        the others cost 0. If options have names, a Series is a mapping from its labels. A cost is
        an integer, a float, or any other rational number.
    penalty : mapping, optional
        The penalties of items, for each of which options are added.

    Raises
    ------
    ValueError
        If an item with a penalty is not primary, or a penalty is negative; if there are costs and
        values to maximize; if they have another shape or an unknown option, or contain values that
        are not finite, or too large in total.
    TypeError
        If they contain values that are not numbers.
    """
    penalties: list[Any] = []
    if penalty is not None and (prices := as_mapping(penalty, "penalty", "numbers")):
        problem, names, penalties = _add_penalties(problem, names, prices)
    if costs is not None and maximize is not None:
        raise ValueError("costs and maximize cannot be combined")
    argument, values = ("costs", costs) if maximize is None else ("maximize", maximize)
    if values is None and not penalties:
        return problem, names
    listed: list[Any] = [0] * problem.n_options
    if values is not None:
        for option, value in zip(*read_values(problem, names, values, argument), strict=True):
            listed[option] = value
    listed[names.n_stated :] = [price if maximize is None else -price for price in penalties]
    exact: list[tuple[int, int]] = []  # numerators and denominators
    for k, value in enumerate(listed):
        try:
            exact.append(_as_ratio(value))
        except (TypeError, ValueError) as error:
            label = describe_option(problem, names, k)
            reason = f"must be {error}; that of option {label} is {value!r}"
            raise type(error)(f"{argument} {reason}") from None
    factor, rounding = lcm(*{denominator for _, denominator in exact}), 0.0
    integers = [numerator * (factor // denominator) for numerator, denominator in exact]
    total = Fraction(sum(map(abs, integers)), factor)
    if total * factor >= MAX_TOTAL_COST:
        factor, largest = 1, MAX_TOTAL_COST - len(exact)  # rounding adds at most 1/2 to each
        while factor * total * 10 <= largest:
            factor *= 10
        rounding = len(exact) / (2 * factor)
        integers = [round(Fraction(factor * n, denominator)) for n, denominator in exact]
    if total * factor >= MAX_TOTAL_COST:
        raise ValueError(f"the sum of the {argument} must be less than 2**62")
    sign = 1 if maximize is None else -1
    cost = sign * np.array(integers, np.int64)
    return problem._replace(cost=cost), names._replace(scale=CostScale(sign * factor, rounding))


def _add_penalties(
    problem: Problem, names: Names, penalty: Mapping[Any, Any]
) -> tuple[Problem, Names, list[Any]]:
    """Add options that stand for items left uncovered, and return the penalty of each."""
    number_of = {name: k for k, name in enumerate(names.items[: problem.n_primary])}
    (_, low, _), items, penalties = problem.costs_and_bounds, list[int](), list[Any]()
    for item, price in penalty.items():
        if item not in number_of:
            reason = f"penalty: {item!r} is not a primary item"
            raise ValueError(reason + suggest(item, simplify_names(number_of)))
        as_price(price, f"penalty of item {item!r}")
        n_needed = int(low[number_of[item]])
        items += [number_of[item]] * n_needed
        penalties += [price] * n_needed
    problem = append_options(problem, np.array(items, np.int64))
    options: Sequence[Any] = range(problem.n_options)
    if names.has_options:
        counts, named = Counter[str](), [*names.options]
        for item in items:
            text = f"uncovered {as_text(names.items[item])}"
            counts[text] += 1
            named.append(f"{text} ({counts[text]})" if counts[text] > 1 else text)
        options = named
    return problem, names._replace(options=options, n_uncovered=len(items)), penalties


def list_penalties(problem: Problem, names: Names) -> list[Any]:
    """Return the penalties of the last options, as they were stated."""
    costs, _, _ = problem.costs_and_bounds
    slack = costs[names.n_stated :].tolist()
    return [abs(names.scale.stated(cost)) for cost in slack]


def read_values(
    problem: Problem, names: Names, values: OptionValues, argument: str
) -> tuple[Sequence[int], list[Any]]:
    """Return the numbers of the options that have values, and these.

    Raises exceptions as `encode_costs` does.
    """
    is_series = names.has_options and hasattr(values, "index") and hasattr(values, "items")
    if isinstance(values, Mapping) or is_series:
        return _read_pairs(problem, names, cast(Mapping[Any, Any], values).items(), argument)
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        shape, listed = array.shape, array.tolist()
    else:
        listed = as_list(values, argument, "numbers")
        shape = (len(listed),)
    if shape != (names.n_stated,):
        raise ValueError(f"{argument} must have shape ({names.n_stated},), not {shape}")
    return range(names.n_stated), listed


def _read_pairs(
    problem: Problem, names: Names, pairs: Iterable[tuple[Any, Any]], argument: str
) -> tuple[list[int], list[Any]]:
    """Return the numbers of options, given by their labels, and values, as `read_values` does."""
    labels, values = [list(column) for column in zip(*pairs, strict=True)] or [[], []]
    numbers = option_numbers(labels, problem, names, f"{argument}: ")
    if (repeated := find_duplicate(numbers)) is not None:
        label = option_label(names.options, numbers[repeated])
        plural = "costs" if argument == "costs" else "values"
        raise ValueError(f"{argument}: option {label} has two {plural}")
    return numbers, values


def as_price(value: Any, name: str) -> Fraction:
    """Return a number exactly. Raises an exception, which names it, unless it is 0 or more."""
    try:
        price = Fraction(*_as_ratio(value))
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must be a finite number, not {value!r}") from None
    if price < 0:
        raise ValueError(f"{name} must be 0 or more, not {value!r}")
    return price


def _as_ratio(value: Any) -> tuple[int, int]:
    """Return the numerator and denominator; a float stands for the decimal that Python prints.

    Raises TypeError or ValueError, whose message states what is expected.
    """
    if (integer := as_integer(value)) is not None:
        return integer, 1
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, float | np.floating | Rational | Decimal
    ):
        raise TypeError("numbers")
    if not isfinite(value):
        raise ValueError("finite")
    if isinstance(value, Rational):
        return int(value.numerator), int(value.denominator)
    exact = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    return exact.as_integer_ratio()


def whole_costs(problem: Problem, names: Names) -> list[int] | None:
    """Return the costs of the options, or None; raises ValueError unless they are as in Knuth's."""
    if problem.cost is None:
        return None
    if names.scale.factor != 1 or problem.cost.min(initial=0) < 0:
        raise ValueError("only JSON has values to maximize, fractions and negative costs")
    costs: list[int] = problem.cost.tolist()
    return costs
