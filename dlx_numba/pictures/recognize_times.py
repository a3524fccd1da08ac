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
    split = [*map(_split, items)]
    parts = _find_places(items, split, is_stated)
    placed = [dict.fromkeys(parts[k] for k, _ in option if k in parts) for option in nodes]
    crossed = _cross(nodes, split)
    n_placed, n_crossed = (sum(map(bool, each)) for each in (placed, crossed))
    if n_crossed > n_placed:
        placed, parts = crossed, {}
    used = dict.fromkeys([*parts.values(), *chain.from_iterable(placed)])
    rows, times = (list(dict.fromkeys(place[k] for place in used)) for k in (0, 1))
    if not parts:
        times = [*dict.fromkeys(time for row, time in split if time and not row)]
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


def _split(name: str) -> Place:
    """Return the row and the time of which the name of an item consists; "" for what it lacks.

    >>> [_split(name) for name in ["Ann,Mon 9", "room,Ann,Mon", "Ann Mon", "person,Ann"]]
    [('Ann', 'Mon 9'), ('Ann', 'Mon'), ('Ann', 'Mon'), ('Ann', '')]
    >>> [_split(name) for name in ["Mon 9", "slot,3", "day,Tue"]]
    [('', 'Mon 9'), ('', 'slot 3'), ('', 'Tue')]
    """
    *kinds, last = name.split(",")
    other, end = [*kinds[-1:], last] if kinds else name.rpartition(" ")[::2]
    if len(kinds) == 1 and re.fullmatch(f"{_UNITS}|date", other):
        other, end = "", last if _TIME.fullmatch(last) else f"{other} {last}"
    elif not kinds and _TIME.fullmatch(name):
        other, end = "", name
    if other and _TIME.fullmatch(other):
        return end, other
    return (other, end) if _TIME.fullmatch(end) else (last, "")


def _find_places(items: Sequence[str], split: Sequence[Place], is_stated: bool) -> dict[int, Place]:
    """Return the row and the time of each item that is a place at a time.

    >>> names = ["job", "room,1,7"], ["math", "Ann,Mon 9", "Ann,7"]
    >>> [_find_places(each, [*map(_split, each)], "math" in each) for each in names]
    [{1: ('1', '7')}, {1: ('Ann', 'Mon 9'), 2: ('Ann', '7')}]
    """
    timed = {k: place for k, place in enumerate(split) if all(place)}
    parts = [name.split(",") for name in items]
    if len({row for row, _ in timed.values()}) > 1 or any(len(parts[k]) == 3 for k in timed):
        return timed
    lengths = (2, 3) if is_stated else (3,)
    triples = {k: each for k, each in enumerate(parts) if len(each) in lengths}
    is_one_kind = len({kind for kind, *_ in triples.values()}) == 1 or is_stated
    return {k: (row, time) for k, (*_, row, time) in triples.items() if is_one_kind}


def _cross(
    nodes: Sequence[Sequence[tuple[int, str]]], split: Sequence[Place]
) -> list[dict[Place, None]]:
    """Return the person and the time of each option, if it has items that are one of each.

    If options have several items that are no times, the rows are those with the fewest names.
    """
    pairs = [[split[k] for k, _ in option] for option in nodes]
    own = [[time for row, time in each if time and not row] for each in pairs]
    others = [[row for row, time in each if not time] for each in pairs]
    lengths = (len(each) for each, time in zip(others, own, strict=True) if each and time)
    width = min(lengths, default=0)
    names = [{each[k] for each in others if len(each) >= width} for k in range(width)]
    best = min(range(width), key=lambda k: (len(names[k]) < 2, len(names[k])), default=0)
    return [
        {(each[best], time[0]): None} if len(time) == 1 and each else {}
        for each, time in zip(others, own, strict=True)
    ]


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
