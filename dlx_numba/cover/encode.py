"""From names to numbers and back, with an answer by name to all that cannot be numbered."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.links import MAX_NODES, Ints
from ..kernels.problem import Problem
from .io.named import NamedProblem


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
        if entry[1] is None:
            raise ValueError(f"option {option}: None is no colour, as in {entry!r}")
        if entry[0] in optional:
            return entry
        reason = f"item {entry[0]!r} is primary, so it cannot have the colour {entry[1]!r}"
        raise ValueError(f"option {option}: {reason}")
    raise ValueError(f"option {option}: item {entry!r} is unknown")


def number_matrix(matrix: ArrayLike) -> tuple[Ints, Ints, int]:
    """The row pointers, the column indices and the number of columns of a 0/1 matrix.

    Raises ValueError where it is none.
    """
    array = np.asarray(matrix)
    if array.ndim != 2:
        raise ValueError(f"the matrix must have 2 dimensions, not {array.ndim}")
    if not np.all((array == 0) | (array == 1)):
        row, column = np.argwhere((array != 0) & (array != 1))[0]
        value = array[row, column]
        raise ValueError(f"the matrix must hold 0 and 1: [{row}, {column}] is {value}")
    rows, columns = np.nonzero(array)
    indptr = np.zeros(len(array) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(array)), out=indptr[1:])
    return indptr, columns, array.shape[1]


def number_columns(
    indptr: ArrayLike, indices: ArrayLike, n_items: int, secondary: ArrayLike
) -> tuple[Problem, Names]:
    """The problem of a sparse matrix, whose items are named by their number.

    Raises ValueError where the arrays hold no whole numbers, or a secondary item does not exist.
    """
    indptr, indices = _whole_numbers(indptr, "indptr"), _whole_numbers(indices, "indices")
    if n_items > MAX_NODES:
        raise ValueError(f"{n_items:,} items are more than int32 can index ({MAX_NODES:,})")
    is_secondary = np.zeros(n_items, np.bool_)
    chosen = _whole_numbers(secondary, "secondary")
    if np.any((chosen < 0) | (chosen >= n_items)):
        raise ValueError(f"secondary items must be from 0 to {n_items - 1}")
    if len(np.unique(chosen)) < len(chosen):
        raise ValueError("a secondary item is listed twice")
    is_secondary[chosen] = True
    names: Sequence[int] = range(n_items)
    if len(chosen):
        order = np.argsort(is_secondary, kind="stable")  # the primary items first
        number = np.empty(n_items, np.int64)
        number[order] = names
        in_range = (indices >= 0) & (indices < n_items)
        indices = np.where(in_range, number[np.where(in_range, indices, 0)], indices)
        names = order.tolist()
    n_secondary = int(is_secondary.sum())
    return Problem(indptr, indices, n_items - n_secondary, n_secondary), Names(names, ())


def _whole_numbers(values: ArrayLike, name: str) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} must hold whole numbers, not {array.dtype}")
    return array.astype(np.int64)  # a copy: the caller's may change


def number_multiplicity(
    problem: Problem, names: Names, multiplicity: Mapping[Any, int | tuple[int, int]]
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


def name_option(
    problem: Problem, names: Names, option: int
) -> list[tuple[Hashable, Hashable | None]]:
    """The items of an option, each with its colour, or None."""
    nodes = slice(problem.indptr[option], problem.indptr[option + 1])
    items = [names.items[item] for item in problem.items[nodes].tolist()]
    if problem.color is None:
        return [(item, None) for item in items]
    colors = [None, *names.colors]
    return [(i, colors[c]) for i, c in zip(items, problem.color[nodes].tolist(), strict=True)]


def name_problem(problem: Problem, names: Names) -> NamedProblem:
    """The problem by name: the way back from `number_options`."""
    n_primary = problem.n_primary
    options = [
        [item if color is None else (item, color) for item, color in name_option(problem, names, k)]
        for k in range(problem.n_options)
    ]
    multiplicity = {}
    if problem.low is not None and problem.high is not None:
        bounds = zip(problem.low.tolist(), problem.high.tolist(), strict=True)
        multiplicity = {
            name: pair
            for name, pair in zip(names.items[:n_primary], bounds, strict=True)
            if pair != (1, 1)
        }
    costs = None if problem.cost is None else problem.cost.tolist()
    items = list(names.items)
    return NamedProblem(items[:n_primary], items[n_primary:], options, multiplicity, costs)
