"""Timetables, recognized by the names of items that are places at times."""

import re
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from ..cover.names import CostScale, option_items
from ..kernels.problem import Problem
from ..pictures.timetable import Bar

MAX_ROWS, MAX_COLUMNS = 40, 60
MIN_MINUTES = 120  # smaller numbers may have another meaning
LAST_HOURS = 0.5  # of a place after the last time, which has no end

NO_COLOR = -1  # of bars if colors have no meaning
COST_COLORS = (3, 6, 2, 1, 4)  # from low to high costs: indices into `COLORS`

_MINUTE = re.compile(r"([^,]+),(\d{1,4})")


class TimetableView(NamedTuple):
    """The timetable that a problem fills: bars along an axis of times, which start at 0."""

    items: list[str]  # the names of all items; of those with a minute, with a time as on a clock
    rows: list[str]  # the names of the rows
    length: int  # of the axis
    labels: list[tuple[float, str]]  # positions on the axis, and their labels
    item_bars: list[Bar | None]  # the bar of each item that is a place at a time
    option_bars: list[list[Bar]]  # the bars of each option, in order of their times
    legend: list[tuple[int, str]]  # colors, and their meanings


def find_timetable(problem: Problem, items: list[str], scale: CostScale) -> TimetableView | None:
    """Return the timetable of a problem, or None if the names of its items are not suitable.

    An item named ``room,101,7`` is a place at a time: all such items start with the same word. So
    is ``B4,365`` if all secondary items are named like this; the time is in minutes after midnight,
    and sentences call this item "B4 at 6:05". The bars of an option are colored by its cost.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["x", ("room", 1, 7), ("room", 1, 8)], ["y", ("room", 2, 8)]])
    >>> items = ["x", "room,1,7", "room,1,8", "y", "room,2,8"]
    >>> timetable = find_timetable(cover.problem, items, CostScale())
    >>> timetable.rows, timetable.labels
    (['1', '2'], [(0.5, '7'), (1.5, '8')])
    >>> timetable.option_bars[0]
    [Bar(row=0, start=0, end=2, text='x', color=-1)]
    """
    if problem.high is not None:
        return None  # an item could have several bars
    parts, has_minutes = _split_places(items, problem.n_primary)
    # In the order of the items
    rows = list(dict.fromkeys(row for row, _ in parts.values()))
    columns = list(dict.fromkeys(column for _, column in parts.values()))
    is_sparse = 2 * len(parts) < len(rows) * len(columns)
    if not parts or is_sparse or len(rows) > MAX_ROWS or len(columns) > MAX_COLUMNS:
        return None
    edges: list[float] = [*range(len(columns) + 1)]
    labels = [(k + 0.5, name) for k, name in enumerate(columns)]
    item_names = list(items)
    if has_minutes:
        for k, (name, minute) in parts.items():
            item_names[k] = f"{name} at {int(minute) // 60}:{int(minute) % 60:02}"
        columns.sort(key=int)
        first = int(columns[0]) // 60
        edges = [round(int(name) / 60 - first, 4) for name in columns]
        edges.append(edges[-1] + LAST_HOURS)
        labels = [(hour, str(first + hour)) for hour in range(ceil(edges[-1]) + 1)]
    cells = {k: (rows.index(row), columns.index(column)) for k, (row, column) in parts.items()}
    intervals = list(pairwise(edges))
    colors, legend = _color_by_cost(problem, scale)
    option_bars = []
    for its_items, color in zip(option_items(problem), colors, strict=True):
        others = [items[item] for item in its_items if item not in cells]
        text = others[0].rpartition(",")[2] if others else ""
        bars: list[Bar] = []
        for row, column in sorted(cells[item] for item in its_items if item in cells):
            start, end = intervals[column]
            if bars and (bars[-1].row, bars[-1].end) == (row, start):
                start = bars.pop().start
            bars.append(Bar(row, start, end, text, color))
        option_bars.append(bars)
    item_bars: list[Bar | None] = [None] * len(items)
    for item, (row, column) in cells.items():
        item_bars[item] = Bar(row, *intervals[column], "", NO_COLOR)
    length = ceil(edges[-1])
    return TimetableView(item_names, rows, length, labels, item_bars, option_bars, legend)


def _split_places(items: list[str], n_primary: int) -> tuple[dict[int, tuple[str, str]], bool]:
    """Return the row and the column of each item that is a place at a time, and if it is a minute.

    >>> _split_places(["job", "room,1,7"], 1), _split_places(["flight,1", "B4,365"], 1)
    (({1: ('1', '7')}, False), ({1: ('B4', '365')}, True))
    """
    parts = {k: name.split(",") for k, name in enumerate(items) if name.count(",") == 2}
    if parts:
        is_one_kind = len({kind for kind, _, _ in parts.values()}) == 1
        return {k: (row, column) for k, (_, row, column) in parts.items() if is_one_kind}, False
    minutes = {k: _MINUTE.fullmatch(items[k]) for k in range(n_primary, len(items))}
    places = {k: (match[1], match[2]) for k, match in minutes.items() if match}
    latest = max((int(minute) for _, minute in places.values()), default=0)
    return places if len(places) == len(minutes) and latest >= MIN_MINUTES else {}, True


def _color_by_cost(problem: Problem, scale: CostScale) -> tuple[list[int], list[tuple[int, str]]]:
    """Return the color of each option, and a legend with the costs that have this color."""
    if problem.cost is None:
        return [NO_COLOR] * problem.n_options, []
    costs = problem.cost.tolist()
    distinct = sorted(set(costs))
    n_classes = min(len(distinct), len(COST_COLORS))
    bounds = [k * len(distinct) // n_classes for k in range(n_classes + 1)]
    color_of: dict[int, int] = {}
    legend = []
    for color, (start, end) in zip(COST_COLORS, pairwise(bounds), strict=False):
        members = distinct[start:end]
        color_of |= dict.fromkeys(members, color)
        low, high = sorted((scale.stated(members[0]), scale.stated(members[-1])))
        legend.append((color, f"cost {low:,}" if low == high else f"cost {low:,} to {high:,}"))
    return [color_of[cost] for cost in costs], legend
