"""Find the timetable of a problem: items that have a row and a time."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ..kernels.problem import Problem
from .timetable import Bar, Timetable

MAX_ROWS = 40
MAX_COLUMNS = 60  # of a timetable
COST_COLORS = (9, 5, 3, 1, 8)  # from low to high costs: indices into `COLORS`

_COLUMNS = re.compile(r"[^,+]+\+([^,+]+),([^,]+),([^,]+)")  # two columns of a table

Place = tuple[str, str]  # the row and the time, by name


class Named(NamedTuple):
    """A problem with the names by which its picture is found."""

    problem: Problem
    items: Sequence[str]
    nodes: list[list[tuple[int, str]]]  # of each option: its items, and their colors or ""
    options: Sequence[str] = ()  # their names, if they have names
    price: Callable[[int], Any] = int  # the cost that people see
    is_requested: bool = False  # whether the user names the form of the picture


def find_timetable(named: Named) -> Timetable | None:
    """Return the picture of items that have a row and a time, if there are any.

    These are the items of two columns of a table; if the picture is requested, any pairs.

    >>> from dlx_numba import ExactCover
    >>> problem = ExactCover([["math", ("Ann", "Mon")], ["art", ("Bob", "Tue")]]).problem
    >>> nodes = [[(0, ""), (1, "")], [(2, ""), (3, "")]]
    >>> items = ["math", "Ann,Mon", "art", "Bob,Tue"]
    >>> print(find_timetable(Named(problem, items, nodes, is_requested=True)).text([0, 1]))
    Ann
      Mon  math
    Bob
      Tue  art
    """
    problem, items, nodes, options, price, is_requested = named
    place_of = _find_columns(items) or (_find_pairs(named) if is_requested else {})
    if not place_of:
        return None
    rows = list(dict.fromkeys(row for row, _ in place_of.values()))
    times = list(dict.fromkeys(time for _, time in place_of.values()))
    if len(rows) > MAX_ROWS or len(times) > MAX_COLUMNS:
        return None
    row_of = {name: k for k, name in enumerate(rows)}
    column_of = {name: k for k, name in enumerate(times)}
    colors, legend = _color_by_cost(problem, len(nodes), price)
    bars: list[tuple[Bar, ...]] = []
    for number, (option, color) in enumerate(zip(nodes, colors, strict=True)):
        texts = [items[k] for k, _ in option if k not in place_of]
        texts += options[number : number + 1]  # its name, if options have names
        places = {place_of[k] for k, _ in option if k in place_of}
        own: list[Bar] = []
        for row, start in sorted((row_of[row], column_of[time]) for row, time in places):
            bar = Bar(row, start, start + 1, describe(texts, rows, rows[row], times[start]), color)
            # Equal bars at consecutive times become one.
            if own and own[-1] == bar._replace(start=own[-1].start, end=start):
                bar = bar._replace(start=own.pop().start)
            own.append(bar)
        bars.append(tuple(own))
    if 2 * sum(map(bool, bars)) < len(nodes):  # most options have no bars
        return None
    labels = [(k + 0.5, name) for k, name in enumerate(times)]  # in the middle of a column
    return Timetable("A timetable", bars, rows, labels, legend)


def _find_columns(items: Sequence[str]) -> dict[int, Place]:
    """Return the row and the time of each item of two columns, if all have the same second column.

    The row is a value of the first column, such as a teacher; the time, one of the second.

    >>> _find_columns(["a,math", "b+slot,Ann,Mon 9"]), _find_columns(["a+b,1,2", "a+c,1,2"])
    ({1: ('Ann', 'Mon 9')}, {})
    """
    matches = {k: _COLUMNS.fullmatch(name) for k, name in enumerate(items)}
    groups = {k: match.groups() for k, match in matches.items() if match}
    if len({second for second, *_ in groups.values()}) != 1:
        return {}
    return {k: (row, time) for k, (_, row, time) in groups.items()}


def _find_pairs(named: Named) -> dict[int, Place]:
    """Return the last two parts of the names of items that have two or three, as places.

    If some of these items are optional, such as times that may stay free, only they have places.
    Items with colors have none.
    """
    problem = named.problem
    low = problem.lows
    colored = {k for option in named.nodes for k, color in option if color}
    parts = {k: name.split(",") for k, name in enumerate(named.items) if k not in colored}
    places = {k: (own[-2], own[-1]) for k, own in parts.items() if len(own) in (2, 3)}
    optional = {k: place for k, place in places.items() if k >= problem.n_primary or not low[k]}
    return optional or places


def describe(texts: Iterable[str], rows: Collection[str], row: str, time: str) -> str:
    """Return what an option has beside a row and a time: its first other item.

    Of the item's columns, only those that are names of rows are shown before its value.

    >>> describe(["A,math"], ["A", "Ann"], "Ann", "Mon"), describe(["Ann", "x"], [], "Ann", "Mon")
    ('A math', 'x')
    """
    for text in texts:
        *kinds, last = text.split(",")
        if last not in (row, time):
            return " ".join([*(kind for kind in kinds if kind in rows and kind != row), last])
    return ""


def _color_by_cost(
    problem: Problem, n_options: int, price: Callable[[int], Any]
) -> tuple[list[int], list[tuple[int, str]]]:
    """Return the color of each option, and a legend with the costs of each color.

    The distinct costs are divided into parts of about equal size, at most one for each color.
    `price` returns the cost that people see.
    """
    if problem.cost is None:
        return [-1] * n_options, []  # each bar has the color of its option
    costs = problem.cost[:n_options].tolist()
    distinct = sorted(set(costs))
    n_classes = min(len(distinct), len(COST_COLORS))
    bounds = [k * len(distinct) // n_classes for k in range(n_classes + 1)]
    color_of: dict[int, int] = {}
    legend = []
    for color, (start, end) in zip(COST_COLORS, pairwise(bounds), strict=False):
        members = distinct[start:end]
        color_of |= dict.fromkeys(members, color)
        low, high = sorted((price(members[0]), price(members[-1])))  # it may change the sign
        legend.append((color, f"cost {low:,}" if low == high else f"cost {low:,} to {high:,}"))
    return [color_of[cost] for cost in costs], legend
