"""Find the timetable of a problem by the names of its items: people or rooms, and times."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

from ..kernels.problem import Problem
from .timetable import UNCOVERED, Bar, Timetable

MAX_ROWS, MAX_COLUMNS = 40, 60  # of a timetable
MIN_MINUTES = 120  # smaller numbers may have another meaning
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


class Named(NamedTuple):
    """A problem with the names by which its picture is found."""

    problem: Problem
    items: Sequence[str]
    nodes: list[list[tuple[int, str]]]  # of each option: its items, and their colors or ""
    options: Sequence[str] = ()  # their names, if they have names
    price: Callable[[int], Any] = int  # the cost that people see
    is_stated: bool = False  # whether the form of the picture is stated


def find_timetable(named: Named) -> Timetable | None:
    """Return the picture of items that are places at times, or of people and times, if any.

    If the picture is stated, the items may be any pairs.

    >>> from dlx_numba import ExactCover
    >>> problem = ExactCover([["Ann", "Mon"], ["Bob", "Tue"]]).problem
    >>> nodes = [[(0, ""), (1, "")], [(2, ""), (3, "")]]
    >>> print(find_timetable(Named(problem, ["Ann", "Mon", "Bob", "Tue"], nodes)).text([0, 1]))
    Ann
      Mon
    Bob
      Tue
    """
    problem, items, nodes, options, price, is_stated = named
    parts = _split_places(items, is_stated)
    placed = [dict.fromkeys(parts[k] for k, _ in option if k in parts) for option in nodes]
    crossed = _cross(nodes, items)
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
    row_of, column_of = ({name: k for k, name in enumerate(each)} for each in (rows, times))
    colors, legend = _color_by_cost(problem, len(nodes), price)
    bars = list[tuple[Bar, ...]]()
    for number, (option, color) in enumerate(zip(nodes, colors, strict=True)):
        texts = [items[k] for k, _ in option if k not in parts] + [*options[number : number + 1]]
        own = list[Bar]()
        for row, start in sorted((row_of[row], column_of[time]) for row, time in placed[number]):
            others = (t for t in texts if parts or t.rpartition(",")[2] != rows[row])
            bar = Bar(row, start, start + 1, describe(others, rows, rows[row], times[start]), color)
            if own and own[-1] == bar._replace(start=own[-1].start, end=start):
                bar = bar._replace(start=own.pop().start)
            own.append(bar)
        bars.append(tuple(own))
    uncovered = problem.items[problem.indptr[len(nodes) : -1]].tolist()
    missing = [_uncovered_bar(items[k], len(rows), times) for k in uncovered]
    rows += [UNCOVERED] * any(missing)
    labels = tuple((k + 0.5, name) for k, name in enumerate(times))
    return Timetable("A timetable", (*bars, *missing), tuple(rows), labels, tuple(legend))


def _split_places(items: Sequence[str], is_stated: bool = False) -> dict[int, Place]:
    """Return the row and the time of each item that is a place at a time.

    >>> _split_places(["job", "room,1,7"]), _split_places(["math", "Ann,Mon 9", "Ann,7"], True)
    ({1: ('1', '7')}, {1: ('Ann', 'Mon 9'), 2: ('Ann', '7')})
    """
    named = {
        k: name.split(",") if "," in name else name.rsplit(" ", 1)
        for k, name in enumerate(items)
        if 1 <= name.count(",") <= 2 or (" " in name and not _TIME.fullmatch(name))
    }
    timed = {k: each for k, each in named.items() if any(map(_TIME.fullmatch, each[-2:]))}
    places = {k: (x, t) if _TIME.fullmatch(t) else (t, x) for k, (*_, x, t) in timed.items()}
    if len({row for row, _ in places.values()}) > 1 or 3 in map(len, timed.values()):
        return places
    triples = {
        k: each for k, each in named.items() if "," in items[k] and (len(each) == 3 or is_stated)
    }
    is_one_kind = len({kind for kind, *_ in triples.values()}) == 1 or is_stated
    return {k: (row, time) for k, (*_, row, time) in triples.items() if is_one_kind}


def _cross(
    nodes: Sequence[Sequence[tuple[int, str]]], items: Sequence[str]
) -> list[dict[Place, None]]:
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


def name_times(names: Sequence[str]) -> list[str]:
    """Return the names of items, with times as on a clock instead of minutes.

    >>> name_times(["flight 1", "B4,365"])
    ['flight 1', 'B4 at 6:05']
    """
    matches = ((name, _MINUTE.fullmatch(name)) for name in names)
    return [
        f"{match[1]} at {int(match[2]) // 60}:{int(match[2]) % 60:02}" if match else name
        for name, match in matches
    ]


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
