"""Find the timetable of a problem by the names of its items: people or rooms, and times."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, pairwise
from typing import Any

from ..kernels.problem import Problem
from .timetable import UNCOVERED, Bar, Timetable

MAX_ROWS, MAX_COLUMNS = 40, 60  # of a timetable
MIN_MINUTES = 120  # smaller numbers may have another meaning
LAST_MINUTES = 30  # of a place after the last time, which has no end
COST_COLORS = (3, 6, 2, 1, 4)  # from low to high costs: indices into `COLORS`
UNCOVERED_COLOR = 8  # gray

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_DAYS = "mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun"
_UNITS = "day|week|month|hour|slot|period|lesson|round|night|shift|session|time|year"
_TIME = re.compile(
    rf"(?:(?:{_DAYS})(?:day)?|(?:{_MONTHS})|\d{{1,2}}[:h.]\d\d|\d{{1,2}} ?[ap]m|\d{{4}}-\d\d-\d\d"
    rf"|(?:{_UNITS})[ ,_-]?\d+)(?![^\W_])[^,]*",
    re.IGNORECASE,
)
_MINUTE = re.compile(r"([^,]+),(\d{1,4})")

Place = tuple[str, str]  # the row and the time, by name
Nodes = list[list[tuple[int, str]]]  # of each option: its items, and their colors or ""


def find_timetable(
    problem: Problem,
    nodes: Nodes,
    items: Sequence[str],
    price: Callable[[int], Any],
    options: Sequence[str] = (),
    *,
    is_stated: bool = False,
) -> Timetable | None:
    """Return the picture of items that are places at times, or of people and times, if any.

    `options` are the names of options, if they have names. If the picture `is_stated`, the items
    may be any pairs.

    >>> from dlx_numba import ExactCover
    >>> problem = ExactCover([["Ann", "Mon"], ["Bob", "Tue"]]).problem
    >>> nodes = [[(0, ""), (1, "")], [(2, ""), (3, "")]]
    >>> print(find_timetable(problem, nodes, ["Ann", "Mon", "Bob", "Tue"], int).text([0, 1]))
    Ann
      Mon
    Bob
      Tue
    """
    parts, has_minutes = _split_places(items, problem.n_primary, is_stated)
    placed = [dict.fromkeys(parts[k] for k, _ in option if k in parts) for option in nodes]
    crossed = [] if has_minutes else _cross(nodes, items)
    n_placed, n_crossed = (sum(map(bool, each)) for each in (placed, crossed))
    if n_crossed > n_placed:
        placed, parts = crossed, {}
    used = dict.fromkeys([*parts.values(), *chain.from_iterable(placed)])
    rows, times = (list(dict.fromkeys(place[k] for place in used)) for k in (0, 1))
    if not parts:
        times = [*dict.fromkeys(time for time in map(_time_of, items) if time not in ("", "…"))]
    is_sparse = 2 * len(used) < len(rows) * len(times) and bool(parts) and not is_stated
    is_large = len(rows) > MAX_ROWS or len(times) > MAX_COLUMNS
    if not used or is_sparse or is_large or 2 * max(n_placed, n_crossed) < len(nodes):
        return None
    edges, labels = [*range(len(times) + 1)], [(k + 0.5, name) for k, name in enumerate(times)]
    if has_minutes:
        times.sort(key=int)
        edges, labels = [*map(int, times)], []
        edges.append(edges[-1] + LAST_MINUTES)
    row_of, column_of = ({name: k for k, name in enumerate(each)} for each in (rows, times))
    colors, legend = _color_by_cost(problem, len(nodes), price)
    bars = list[tuple[Bar, ...]]()
    for number, (option, color) in enumerate(zip(nodes, colors, strict=True)):
        texts = [items[k] for k, _ in option if k not in parts] + [*options[number : number + 1]]
        own = list[Bar]()
        for row, k in sorted((row_of[row], column_of[time]) for row, time in placed[number]):
            start, end = edges[k : k + 2]
            others = (t for t in texts if parts or t.rpartition(",")[2] != rows[row])
            text = describe(others, rows, rows[row], times[k])
            if own and own[-1][:4] == (row, own[-1].start, start, text):
                start = int(own.pop().start)
            own.append(Bar(row, start, end, text, color))
        bars.append(tuple(own))
    uncovered = problem.items[problem.indptr[len(nodes) : -1]].tolist()
    missing = [_uncovered_bar(items[k], len(rows), times) for k in uncovered]
    rows += [UNCOVERED] * any(missing)
    return Timetable("A timetable", (*bars, *missing), tuple(rows), tuple(labels), tuple(legend))


def _split_places(
    items: Sequence[str], n_primary: int, is_stated: bool = False
) -> tuple[dict[int, Place], bool]:
    """Return the row and the time of each item that is a place at a time, and if it is a minute.

    >>> _split_places(["job", "room,1,7"], 1), _split_places(["flight,1", "B4,365"], 1)
    (({1: ('1', '7')}, False), ({1: ('B4', '365')}, True))
    >>> _split_places(["math", "Ann,Mon 9", "Ann,Tue 9"], 1, is_stated=True)
    ({1: ('Ann', 'Mon 9'), 2: ('Ann', 'Tue 9')}, False)
    """
    named = {
        k: name.split(",") if "," in name else name.rsplit(" ", 1)
        for k, name in enumerate(items)
        if 1 <= name.count(",") <= 2 or (" " in name and not _TIME.fullmatch(name))
    }
    timed = {k: each for k, each in named.items() if any(map(_TIME.fullmatch, each[-2:]))}
    places = {k: (x, t) if _TIME.fullmatch(t) else (t, x) for k, (*_, x, t) in timed.items()}
    if len({row for row, _ in places.values()}) > 1 or 3 in map(len, timed.values()):
        return places, False
    named = {k: each for k, each in named.items() if "," in items[k]}
    triples = {k: each for k, each in named.items() if len(each) == 3 or is_stated}
    if triples:
        is_one_kind = len({kind for kind, *_ in triples.values()}) == 1 or is_stated
        return {k: (row, time) for k, (*_, row, time) in triples.items() if is_one_kind}, False
    minutes = {k: _MINUTE.fullmatch(items[k]) for k in range(n_primary, len(items))}
    matches = {k: (match[1], match[2]) for k, match in minutes.items() if match}
    latest = max((int(minute) for _, minute in matches.values()), default=0)
    has_minutes = len(matches) == len(minutes) and latest >= MIN_MINUTES
    return matches if has_minutes else {}, has_minutes


def _cross(nodes: Nodes, items: Sequence[str]) -> list[dict[Place, None]]:
    """Return the person and the time of each option, if it has items that are one of each.

    If options have several items that are no times, the rows are those with the fewest names.
    """
    times = {k: _time_of(name) for k, name in enumerate(items)}
    own = [[times[k] for k, _ in option if times[k] and times[k] != "…"] for option in nodes]
    others = [[items[k].rpartition(",")[2] for k, _ in each if not times[k]] for each in nodes]
    width = min(
        (len(each) for each, time in zip(others, own, strict=True) if each and time), default=0
    )
    names = [{each[k] for each in others if len(each) >= width} for k in range(width)]
    best = min(range(width), key=lambda k: (len(names[k]) < 2, len(names[k])), default=0)
    return [
        {(each[best], time[0]): None} if len(time) == 1 and each else {}
        for each, time in zip(others, own, strict=True)
    ]


def _time_of(name: str) -> str:
    """Return the time that an item is, "" if it is none, and "…" if it contains one.

    >>> [_time_of(name) for name in ["Mon 9", "slot,3", "day,Tue", "Ann", "Ann,Bob,Mon"]]
    ['Mon 9', 'slot 3', 'Tue', '', '…']
    """
    *rest, last = name.split(",")
    if _TIME.fullmatch(name.replace(",", " ")) and len(rest) < 2:
        return name.replace(",", " ")
    if not _TIME.fullmatch(last):
        return ""
    return last if len(rest) == 1 and re.fullmatch(f"{_UNITS}|date", rest[0]) else "…"


def describe(texts: Iterable[str], rows: Collection[str], row: str, time: str) -> str:
    """Return what an option has beside a row and a time: the rest of its first other item.

    >>> describe(["A,math"], ["A", "Ann"], "Ann", "Mon"), describe(["Mon late"], [], "Ann", "Mon")
    ('A math', 'late')
    >>> describe(["Ann", "Ann: Mon"], [], "Ann", "Mon"), describe(["job,1"], [], "1", "Mon")
    ('', '1')
    """
    known = {*re.findall(r"[^\W_]+", f"{row} {time}")}
    for text in texts:
        *kinds, last = text.split(",")
        words = re.split(r"\s+", last)
        left = [kind for kind in kinds if kind in rows and kind != row]
        left += [word for word in words if not known.issuperset(re.findall(r"[^\W_]+", word))]
        left = left or [last] * (bool(kinds) and last != time)
        if left:
            return " ".join(left)
    return ""


def _uncovered_bar(name: str, row: int, times: Sequence[str]) -> tuple[Bar, ...]:
    """Return the bar of an item that stays uncovered, if its name states a time."""
    name = name.replace(",", " ")
    for k, time in enumerate(times):
        if f" {time} " in f" {name} ":
            text = " ".join(name.replace(time, "").split())
            return (Bar(row, k, k + 1, text, UNCOVERED_COLOR),)
    return ()


def name_times(items: Sequence[str], n_primary: int) -> list[str]:
    """Return the names of items, with times as on a clock instead of minutes.

    >>> name_times(["flight,1", "B4,365"], 1)
    ['flight,1', 'B4 at 6:05']
    """
    parts, has_minutes = _split_places(items, n_primary)
    names = list(items)
    for k, (place, minute) in parts.items() if has_minutes else ():
        names[k] = f"{place} at {int(minute) // 60}:{int(minute) % 60:02}"
    return names


def _color_by_cost(
    problem: Problem, n_options: int, price: Callable[[int], Any]
) -> tuple[list[int], list[tuple[int, str]]]:
    """Return the color of each option, and a legend with the costs that have this color."""
    if problem.cost is None:
        return [-1] * n_options, []
    costs = problem.cost[:n_options].tolist()
    distinct = sorted(set(costs))
    n_classes = min(len(distinct), len(COST_COLORS))
    bounds = [k * len(distinct) // n_classes for k in range(n_classes + 1)]
    color_of: dict[int, int] = {}
    legend = []
    for color, (start, end) in zip(COST_COLORS, pairwise(bounds), strict=False):
        members = distinct[start:end]
        color_of |= dict.fromkeys(members, color)
        low, high = sorted((price(members[0]), price(members[-1])))
        legend.append((color, f"cost {low:,}" if low == high else f"cost {low:,} to {high:,}"))
    return [color_of[cost] for cost in costs], legend
