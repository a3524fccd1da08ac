"""Timetables of courses, in the format of the second international competition (ITC-2007)."""

import re
import warnings
from collections.abc import Iterator
from itertools import product
from typing import Any

from ...cover.encode import Statement
from ...pictures.timetable import Bar, Timetable
from ...runtime.errors import FormatError
from ..puzzle import Puzzle

formats = "timetables of courses (.ctt) of the competition ITC-2007"

WIDTHS = {"COURSES": 4, "ROOMS": 2, "CURRICULA": 3, "UNAVAILABILITY_CONSTRAINTS": 3}
MAX_OPTIONS = 1_000_000
NOT_STATED = "the costs of missing days and of isolated lectures are not stated, those of seats are"


def recognize(head: str) -> bool:
    """Return whether a text starts like such a file."""
    keys = r"\s*Name:.*\n\s*Courses:\s*[0-9]+\s*\n\s*Rooms:\s*[0-9]+\s*\n\s*Days:"
    return re.match(keys, head) is not None


def parse(text: str, source: str) -> Iterator[Puzzle]:
    """Yield the timetable: each lecture has a period and a room, at the lowest costs of seats.

    Items: each course, as often as it has lectures.
    Secondary items: each room, course, teacher and curriculum in each period.
    Options: a lecture of a course in a period and a room; it costs 1 for each student without a
    seat.
    """
    sizes: dict[str, str] = {}
    rows: dict[str, list[list[str]]] = {section: [] for section in WIDTHS}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words == ["END."]:
            continue
        if words[0].removesuffix(":") in WIDTHS and len(words) == 1:
            section = words[0].removesuffix(":")
        elif not section:
            key, _, value = line.partition(":")
            sizes[key.strip()] = value.strip()
        elif len(words) < WIDTHS[section]:
            raise FormatError(source, number, f"a line of {section} is too short")
        else:
            rows[section].append(words)
    for name, listed in rows.items():
        key = name.rpartition("_")[2].capitalize()
        if (stated := sizes.get(key, str(len(listed)))) != str(len(listed)):
            found = f"{len(listed)} are listed"
            raise ValueError(f"{source}: {key}: {stated} are stated, but {found}")
    warnings.warn(f"{source}: {NOT_STATED}", stacklevel=2)
    try:
        yield Puzzle(f"Timetable {sizes.get('Name', '')}", _state(sizes, rows), place=source)
    except (ValueError, KeyError) as error:
        raise ValueError(f"{source}: {error}") from None


def _state(sizes: dict[str, str], rows: dict[str, list[list[str]]]) -> Statement:
    """State the lectures of courses as options."""
    days, n_periods = range(int(sizes["Days"])), int(sizes["Periods_per_day"])
    groups: dict[str, list[tuple[str, str]]] = {}
    courses = {row[0]: (int(row[2]), int(row[-1])) for row in rows["COURSES"]}
    for name, teacher, *_ in rows["COURSES"]:
        groups[name] = [("course", name), ("teacher", teacher)]
    named = [(f"curriculum {row[0]!r}", row[2:]) for row in rows["CURRICULA"]]
    named += [("a constraint", row[:1]) for row in rows["UNAVAILABILITY_CONSTRAINTS"]]
    for place, names in named:
        if unknown := [name for name in names if name not in groups]:
            raise ValueError(f"{place}: course {unknown[0]!r} is not listed")
    for curriculum, _, *members in rows["CURRICULA"]:
        for name in members:
            groups[name].append(("curriculum", curriculum))
    closed = {(name, int(d), int(p)) for name, d, p, *_ in rows["UNAVAILABILITY_CONSTRAINTS"]}
    rooms = {name: int(seats) for name, seats, *_ in rows["ROOMS"]}
    if (n_options := len(courses) * len(days) * n_periods * len(rooms)) > MAX_OPTIONS:
        raise ValueError(f"{n_options:,} options are more than the maximum of {MAX_OPTIONS:,}")
    options: dict[Any, list[Any]] = {}
    costs, bars, secondary = list[int](), list[tuple[Bar, ...]](), dict[Any, None]()
    for name, day, period in product(courses, days, range(n_periods)):
        for k, (room, seats) in enumerate(rooms.items()):
            if (name, day, period) not in closed:
                used = [(*group, day, period) for group in [("room", room), *groups[name]]]
                options[f"{name} day {day} period {period} {room}"] = [name, *used]
                secondary |= dict.fromkeys(used)
                costs.append(max(0, courses[name][1] - seats))
                start = day * n_periods + period
                bars.append((Bar(k, start, start + 1, name),))
    periods = product(days, range(n_periods))
    labels = tuple((k, f"{day}.{period}") for k, (day, period) in enumerate(periods))
    axes = ("room", "day and period")
    picture = Timetable(f"Timetable {sizes['Name']}", tuple(bars), tuple(rooms), labels, axes=axes)
    exactly = {name: lectures for name, (lectures, _) in courses.items()}
    return Statement(options, [*courses], [*secondary], costs=costs, exactly=exactly, view=picture)
