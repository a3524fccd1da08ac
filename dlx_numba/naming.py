"""From options by name to numbers, with an answer by name to all that cannot be numbered."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from operator import index
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .problem import Problem


class Names(NamedTuple):
    """What the numbers of a problem stand for."""

    items: Sequence[Hashable]  # the primary ones first
    colors: Sequence[Hashable]  # that of colour 1 first


def number_options(
    options: Iterable[Iterable[Hashable]],
    items: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
) -> tuple[Problem, Names]:
    """The problem of named options; the arguments are those of `ExactCover`.

    Raises ValueError where an item is listed twice, is unknown, or is primary and has a colour.

    >>> number_options([["a", ("s", "red")], ["a", "s"]], None, ["s"])[1]
    Names(items=['a', 's'], colors=['red'])
    """
    rows = [list(option) for option in options]
    secondary = list(secondary)
    optional = set(secondary)
    if items is None:
        entries = dict.fromkeys(chain.from_iterable(rows))
        items = [entry for entry in entries if not _is_colored(entry, optional)]
    names = [name for name in items if name not in optional] + secondary
    number = {name: k for k, name in enumerate(names)}
    if len(number) < len(names):
        twice = next(name for k, name in enumerate(names) if number[name] != k)
        raise ValueError(f"item {twice!r} is listed twice")
    indptr = np.cumsum([0, *map(len, rows)])
    color = None
    colors: dict[Hashable, int] = {}
    try:
        flat = [number[name] for name in chain.from_iterable(rows)]
    except KeyError:  # a colour, or an unknown item
        flat, marks = [], []
        for k, row in enumerate(rows):
            for entry in row:
                mark = 0
                if entry not in number:
                    entry, name = _split(k, entry, number, optional)
                    mark = colors.setdefault(name, len(colors) + 1)
                flat.append(number[entry])
                marks.append(mark)
        color = np.array(marks, np.int32)
    n_primary = len(names) - len(secondary)
    problem = Problem(indptr, np.array(flat, np.int64), n_primary, len(secondary), color)
    return problem, Names(names, list(colors))


def _is_colored(entry: Hashable, optional: set[Hashable]) -> bool:
    return (
        isinstance(entry, tuple)
        and len(entry) == 2
        and entry[0] in optional
        and entry not in optional
    )


def _split(
    option: int, entry: Hashable, number: dict[Hashable, int], optional: set[Hashable]
) -> tuple[Hashable, Hashable]:
    """The item and the colour of an entry that is no item."""
    if isinstance(entry, tuple) and len(entry) == 2 and entry[0] in number:
        if entry[0] in optional:
            return entry
        reason = f"item {entry[0]!r} is primary, so it cannot have the colour {entry[1]!r}"
        raise ValueError(f"option {option}: {reason}")
    raise ValueError(f"option {option}: item {entry!r} is unknown")


def number_multiplicity(
    problem: Problem, names: Names, multiplicity: Mapping[Hashable, int | tuple[int, int]]
) -> Problem:
    """The problem with multiplicities by name. Raises ValueError where one makes no sense."""
    number = {name: k for k, name in enumerate(names.items)}
    low, high = np.ones((2, problem.n_primary), np.int64)
    for name, bounds in multiplicity.items():
        if name not in number:
            raise ValueError(f"multiplicity: item {name!r} is unknown")
        if number[name] >= problem.n_primary:
            raise ValueError(f"multiplicity: item {name!r} is secondary, so it cannot have one")
        try:
            least, most = bounds if isinstance(bounds, tuple | list) else (bounds, bounds)
            least, most = index(least), index(most)
        except (TypeError, ValueError):
            reason = f"must be a whole number or a pair (low, high), not {bounds!r}"
            raise ValueError(f"multiplicity: that of item {name!r} {reason}") from None
        if not 0 <= least <= most or most == 0:
            reason = f"must be 0 <= low <= high and high >= 1, not {bounds!r}"
            raise ValueError(f"multiplicity: that of item {name!r} {reason}")
        low[number[name]], high[number[name]] = least, most
    if np.all(low == 1) and np.all(high == 1):
        return problem
    return problem._replace(low=low, high=high)


def check_costs(problem: Problem, costs: ArrayLike) -> Problem:
    """The problem with costs, one an option. Raises ValueError where they are not."""
    array = np.asarray(costs)
    if array.ndim != 1 or len(array) != problem.n_options:
        shape = f"{len(array):,}" if array.ndim == 1 else f"shape {array.shape}"
        raise ValueError(f"costs: {shape} for {problem.n_options:,} options")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"costs must be whole numbers, not {array.dtype}")
    negative = np.flatnonzero(array < 0)
    if len(negative):
        raise ValueError(f"option {negative[0]}: the cost {array[negative[0]]} is below 0")
    if sum(array.tolist()) >= 2**62:
        raise ValueError("costs must add up to less than 2**62")
    return problem._replace(cost=array.astype(np.int64))
