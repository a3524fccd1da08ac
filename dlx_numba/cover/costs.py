"""Encode the costs of options, or the values to maximize, as integers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import isfinite, lcm
from numbers import Rational
from operator import mul
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.problem import MAX_TOTAL_COST, Problem
from ..kernels.reduce import append_options
from .iterables import as_list, as_mapping, reject_mask
from .names import (
    CostScale,
    Names,
    as_integer,
    describe_option,
    find_duplicate,
    option_label,
    option_numbers,
)
from .penalties import Penalties
from .spelling import simplify_names, suggest
from .words import call_items

OptionValues = ArrayLike | Mapping[Any, Any]  # numbers for each option, or by number or name


def encode_costs(
    problem: Problem,
    names: Names,
    costs: OptionValues | None,
    maximize: OptionValues | None,
    penalty: Mapping[Any, object] | None,
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
        the others cost 0. An empty mapping is none. If options have names, a Series is a mapping
        from its labels. A cost is an integer, a float, or any other rational number.
    penalty : mapping, optional
        The penalties of items, for each of which options are added.

    Raises
    ------
    ValueError
        If an item with a penalty is not primary, or a penalty is negative; if there are costs and
        values to maximize; if they have another shape or an unknown option, or contain values that
        are not finite, or too large in total.
    TypeError
        If they contain values that are not numbers, or have a mask.
    """
    units: list[tuple[Any, int]] = []  # penalties, and how often each may be paid
    if penalty is not None and (prices := as_mapping(penalty, "penalty", "numbers")):
        problem, names, units = _add_penalties(problem, names, prices)
    if costs is not None and maximize is not None:
        raise ValueError("costs and maximize cannot be combined")
    argument, values = ("costs", costs) if maximize is None else ("maximize", maximize)
    if isinstance(values, Mapping) and not values:
        values = None
    names = names._replace(lacks_costs=values is None)
    if values is None and not units:
        return problem, names
    listed: list[Any] = [0] * names.n_listed
    if values is not None:
        for option, value in zip(*read_values(problem, names, values, argument), strict=True):
            listed[option] = value
    listed += [price if maximize is None else -price for price, _ in units]
    # Exact costs are numerators[k] / denominator. The integers of the problem are these numerators,
    # so that `factor` is the denominator; if they are large, rounded multiples of the costs.
    numerators = listed
    denominator = 1
    if {*map(type, listed)} != {int}:
        numerators, denominator = _as_integers(problem, names, listed, argument)
    n_times = [1] * names.n_listed + [n for _, n in units]  # how often each may be paid
    n_paid = sum(n_times)
    total = sum(map(mul, map(abs, numerators), n_times))
    exact_total = Fraction(total, denominator)
    factor = denominator
    rounding = 0.0
    integers = numerators
    if total >= MAX_TOTAL_COST:
        factor = 1
        # The largest power of ten that fits. Rounding adds at most 1/2 to each cost.
        while 10 * factor * exact_total <= MAX_TOTAL_COST - n_paid:
            factor *= 10
        rounding = n_paid / (2 * factor)  # of all costs together, in the user's units
        integers = [round(Fraction(factor * n, denominator)) for n in numerators]
        names = names._replace(exact_costs=(numerators, denominator))
    if exact_total * factor >= MAX_TOTAL_COST:  # even whole costs are too large
        if units:
            argument = "penalties" if values is None else f"{argument} and the penalties"
        raise ValueError(f"the sum of the {argument} must be less than 2**62")
    sign = 1 if maximize is None else -1  # values are maximized as negative costs
    cost = sign * np.array(integers, np.int64)
    if names.penalties is not None:  # their units follow those for which there are options
        names = names._replace(penalties=names.penalties._replace(prices=cost[problem.n_options :]))
    scale = CostScale(sign * factor, rounding)
    return problem._replace(cost=cost[: problem.n_options]), names._replace(scale=scale)


def count_options(
    problem: Problem, names: Names, size: int | NDArray[np.int64] = 1
) -> tuple[Problem, Names]:
    """Return the problem, which has no costs, with a cost for each option: 1, or its size.

    In a packing, this is its value, which is maximized.
    """
    sign = -1 if names.is_packing else 1
    problem = problem._replace(cost=np.full(problem.n_options, sign * size))
    return problem, names._replace(scale=CostScale(sign))


def count_if_unclear(problem: Problem, names: Names) -> tuple[Problem, Names]:
    """Return a problem for a file in which each option costs 1 if readers would misunderstand it.

    Readers take a problem without costs for a packing, so that the most options are the best, if no
    item must be covered, and only then.
    """
    looks_like_packing = problem.low is not None and not problem.low.any()
    if problem.cost is not None or names.is_packing == looks_like_packing:
        return problem, names
    return count_options(problem, names)


def _as_integers(
    problem: Problem, names: Names, costs: list[Any], argument: str
) -> tuple[list[int], int]:
    """Return the numerators of costs, and their common denominator. Raises as `encode_costs`."""
    exact: list[tuple[int, int]] = []  # pairs of a numerator and a denominator
    for k, value in enumerate(costs):
        try:
            exact.append(_as_ratio(value))
        except (TypeError, ValueError) as error:
            label = describe_option(problem, names, k)
            raise type(error)(
                f"{argument} must be {error}; that of option {label} is {value!r}"
            ) from None
    common = lcm(*{denominator for _, denominator in exact})
    return [numerator * (common // denominator) for numerator, denominator in exact], common


def _add_penalties(
    problem: Problem, names: Names, penalty: Mapping[Any, object]
) -> tuple[Problem, Names, list[tuple[Any, int]]]:
    """Return a problem in which items may stay uncovered at a price, its names, and the prices.

    An item that must be covered exactly once gets an option that stands for leaving it uncovered.
    Of an item with a multiplicity, the lower bound becomes 0, and `Names.penalties` keeps it.
    The prices are pairs with how often each may be due, first those of the new options, and then
    those of `Names.penalties`.
    """
    number_of = {name: k for k, name in enumerate(names.items[: problem.n_primary])}
    low = problem.lows
    high = problem.highs
    once: dict[int, Any] = {}  # the prices of items that must be covered exactly once
    several: dict[int, Any] = {}  # those of items with a multiplicity
    for item, price in penalty.items():
        if item not in number_of:
            reason = f"penalty: {item!r} is not a primary item"
            raise ValueError(reason + suggest(item, simplify_names(number_of)))
        as_price(price, f"penalty of item {item!r}")
        number = number_of[item]
        if low[number] == high[number] == 1:
            once[number] = price
        elif low[number]:  # an item that need not be covered never lacks anything
            several[number] = price
    problem = append_options(problem, np.array([*once], np.int64))
    options: Sequence[Any] = range(problem.n_options)
    if names.has_options:
        labels = map("uncovered {}".format, call_items(names, (names.items[k] for k in once)))
        options = [*names.options, *labels]
    names = names._replace(options=options, n_uncovered=len(once))
    units = [(price, 1) for price in once.values()]
    if several:
        items = np.array([*several], np.int64)
        needed = low[items]
        low = low.copy()
        low[items] = 0  # the others may be covered less often
        problem = problem._replace(low=low)
        names = names._replace(penalties=Penalties(items, needed, needed))
        units += zip(several.values(), needed.tolist(), strict=True)
    return problem, names, units


def read_values(
    problem: Problem, names: Names, values: OptionValues, argument: str
) -> tuple[Sequence[int], list[Any]]:
    """Return the numbers of the options that have values, and the values.

    `argument` is the name of the user's argument in messages. Raises exceptions as `encode_costs`.
    """
    # If options have no names, a Series is an array: its labels may be other numbers.
    is_series = names.has_options and hasattr(values, "index") and hasattr(values, "items")
    if isinstance(values, Mapping) or is_series:
        return _read_pairs(problem, names, cast(Mapping[Any, Any], values).items(), argument)
    if hasattr(values, "__array__"):
        reject_mask(values, argument)
        array = np.asarray(values)
        shape = array.shape
        # `tolist` converts times to integers.
        listed = [*array.flat] if array.dtype.kind in "mM" else array.tolist()
    else:
        listed = as_list(values, argument, "numbers")
        shape = (len(listed),)
    if shape != (names.n_listed,):
        raise ValueError(f"{argument} must have shape ({names.n_listed},), not {shape}")
    return range(names.n_listed), listed


def _read_pairs(
    problem: Problem, names: Names, pairs: Iterable[tuple[Any, Any]], argument: str
) -> tuple[list[int], list[Any]]:
    """Return the numbers of options, given by their labels, and values, as `read_values` does."""
    listed = [*pairs]
    labels = [label for label, _ in listed]
    values = [value for _, value in listed]
    numbers = option_numbers(labels, problem, names, f"{argument}: ")
    if (repeated := find_duplicate(numbers)) is not None:
        label = option_label(names.options, numbers[repeated])
        plural = "costs" if argument == "costs" else "values"
        raise ValueError(f"{argument}: option {label} has two {plural}")
    return numbers, values


def as_price(value: object, name: str) -> Fraction:
    """Return a number exactly. Raises an exception, which names it, unless it is 0 or more."""
    try:
        price = Fraction(*_as_ratio(value))
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name} must be a finite number, not {value!r}") from None
    if price < 0:
        raise ValueError(f"{name} must be 0 or more, not {value!r}")
    return price


def _as_ratio(value: object) -> tuple[int, int]:
    """Return the numerator and denominator; a float stands for the decimal that Python prints.

    Raises TypeError or ValueError, whose message says what is expected.
    """
    if (integer := as_integer(value)) is not None:
        return integer, 1
    # Booleans and times are subclasses of numbers, too.
    if isinstance(value, bool | np.bool_ | np.timedelta64) or not isinstance(
        value, float | np.floating | Rational | Decimal
    ):
        raise TypeError("numbers")
    if isinstance(value, Rational):
        return int(value.numerator), int(value.denominator)
    if not (value.is_finite() if isinstance(value, Decimal) else isfinite(value)):
        raise ValueError("finite")
    exact = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    return exact.as_integer_ratio()


def whole_costs(problem: Problem, names: Names) -> list[int] | None:
    """Return the costs of the options, None without any.

    Raises ValueError unless Knuth's format can have them: nonnegative integers to be minimized.
    """
    if problem.cost is None:
        return None
    is_rounded = names.exact_costs is not None
    if is_rounded or names.scale.factor != 1 or problem.cost.min(initial=0) < 0:
        raise ValueError("only JSON and MPS have values to maximize, fractions and negative costs")
    if names.penalties is not None:
        raise ValueError("only JSON has penalties of items with multiplicities")
    return problem.cost.tolist()
