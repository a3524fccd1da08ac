"""Plans as tables with one row for each option of a cover: frames, spreadsheets, calendars."""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from datetime import date, datetime, time, timedelta, timezone
from itertools import chain
from types import MappingProxyType
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from ..runtime.extras import import_extra
from ..runtime.files import replace_file
from ..runtime.parquet import as_parquet
from ..runtime.source import check_text, decode_text
from ..runtime.text import as_cell
from ..runtime.workbook import Row, format_workbook, read_workbook
from .cells import copy_lists, is_list, is_missing
from .named_problem import NamedProblem
from .names import Names, as_text, decode_option, listing, names_of
from .penalties import Missing, option_cost
from .rows import SEPARATORS

Columns = dict[Any, list[Any]]
CHANGE = "change"  # titles of columns that plans have beside those of the table
GIVEN_UP = "given up"
_DAYS = "mon", "tue", "wed", "thu", "fri", "sat", "sun"
_WEEKLY = re.compile(
    r"(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?\W+\d\d?:\d\d", re.IGNORECASE
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_HOUR = re.compile(r"[ T](?=\d:)")  # of one digit, after a date
_CLOCK = re.compile(r"(?<!\d)(?:[01]?\d|2[0-3]):[0-5]\d(?!\d)")


def tabulate_plan(
    named: NamedProblem,
    options: Sequence[int],
    missing: Iterable[Missing],
    start: Any = None,
    losses: Mapping[int, str] = MappingProxyType({}),
) -> Columns:
    """Return a row for each option, and each time that an item is missing, as columns.

    With the options of an earlier plan, `start`, the column "change" says kept, new or dropped. The
    column "given up" has the losses of options, in sentences. These two titles get a "_" if the
    table has them, too.
    """
    names = named.names
    n_listed = names.n_listed
    table = names.table
    # Rows are pairs of an option and its change.
    before = [] if start is None else [k for k in named.numbers_of(start, "start") if k < n_listed]
    new = None if start is None else "new"
    rows = [(k, "kept" if k in before else new) for k in options if k < n_listed]
    rows += [(k, "dropped") for k in dict.fromkeys([*before, *losses]) if k not in options]
    cells = [_cells(named, k) for k, _ in rows]
    notes = [losses.get(k) for k, _ in rows]
    title = table.cost if table else "cost"
    for item, number, price in missing:
        row = _cells_of(named, [(item, None)])
        if title is not None and price is not None:  # `relax` gives up an item without a price
            row[title] = price
        cells += [row] * number
        notes += [None] * number
    titles = dict.fromkeys([*(table.columns if table else ()), *chain.from_iterable(cells)])
    columns: Columns = {title: [row.get(title) for row in cells] for title in titles}
    changes = [change for _, change in rows] + ["uncovered"] * (len(cells) - len(rows))
    for title, values in ((CHANGE, changes), (GIVEN_UP, notes)):
        if any(values) or (title == CHANGE and start is not None):
            columns[title + ("_" if title in columns else "")] = values
    return columns


def describe_changes(named: NamedProblem, options: Sequence[int], start: Sequence[int]) -> str:
    """Return in words how a plan differs from an earlier one."""
    n_listed = named.names.n_listed  # the others stand for items that are missing
    changes = {
        "new": [k for k in options if k < n_listed and k not in start],
        "dropped": [k for k in start if k < n_listed and k not in options],
    }
    parts = [
        f"{change}: {listing(names_of(named.problem, named.names, numbers))}"
        for change, numbers in changes.items()
        if numbers
    ]
    return "; ".join(parts) or "no changes"


def _cells(named: NamedProblem, option: int) -> dict[Any, Any]:
    """Return the cells of an option: its row in the table of the problem, or its items by role."""
    names = named.names
    if names.table is not None:
        columns = names.table.columns
        return dict(zip(columns, copy_lists(x[option] for x in columns.values()), strict=True))
    name = {"option": names.options[option]} if names.has_options else {}
    cost = {}
    if named.problem.cost is not None:
        cost = {"cost": option_cost(named.problem, names, option)}
    return name | _cells_of(named, decode_option(named.problem, names, option)) | cost


def _cells_of(named: NamedProblem, entries: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return the cells of a plan for the items of an option, by the titles of their columns.

    Entries are pairs of an item and its color or None. A color has the title of its item. The first
    element of a tuple is the title of the others, unless they come from columns of a table, which
    have titles of their own.
    """
    cells: dict[Any, list[Any]] = {}
    titles_of = named.names.table.roles if named.names.table else {}
    for item, color in entries:
        first, *others = item if isinstance(item, tuple) and len(item) > 1 else ("item", item)
        if color is not None:
            cells.setdefault(as_text(item), []).append(color)
        elif first in titles_of:
            for title, cell in zip(titles_of[first], others, strict=True):
                cells[title] = [cell]  # other items may come from the same column
        else:
            cells.setdefault(first, []).append(others[0] if len(others) == 1 else tuple(others))
    return {
        title: values[0] if len(values) == 1 else "; ".join(map(as_text, values))
        for title, values in cells.items()
    }


def write_plan(
    path: str | os.PathLike[str], kind: str, columns: Columns, separator: str | None = None
) -> None:
    """Write a plan as a file of one of `FORMATS`.

    Lists in cells are joined by the separator, or by one that reads them back. Raises ValueError if
    there is none, or a calendar lacks times, and ImportError if a package is not installed.
    """
    replace_file(path, FORMATS[kind]([_without_lists(columns, separator)]))


def _without_lists(columns: Columns, separator: str | None) -> Columns:
    """Return columns with texts for lists, sets and arrays in cells.

    Without a separator, the first of SEPARATORS that is in no text joins the elements of a list.
    """
    cells = [cell for column in columns.values() for cell in column]
    if not any(map(is_list, cells)):
        return columns
    elements = {as_text(element) for cell in cells if is_list(cell) for element in cell}
    texts = elements.union(cell for cell in cells if isinstance(cell, str) and not separator)
    # A given separator may be in other texts, which the reader of the table divides, too.
    signs = [separator] if separator else SEPARATORS
    unused = (sign for sign in signs if not any(sign in text for text in texts))
    if (sign := next(unused, None)) is None:
        raise ValueError("a cell is a list, and its items contain what would separate them")
    return {title: [_join(cell, sign) for cell in column] for title, column in columns.items()}


def _join(cell: Any, separator: str) -> Any:
    if not is_list(cell):
        return cell
    texts = [*map(as_text, cell)]
    return separator.join(sorted(texts) if isinstance(cell, Set) else texts)


def number_plans(plans: Sequence[Columns]) -> Columns:
    """Return several plans as one table, whose first column has their numbers.

    >>> number_plans([{"a": ["x", "y"]}, {"a": ["z"]}])
    {'plan': [1, 1, 2], 'a': ['x', 'y', 'z']}
    """
    titles = dict.fromkeys(chain.from_iterable(plans))
    number = "plan_" if "plan" in titles else "plan"
    columns: Columns = {title: [] for title in (number, *titles)}
    for k, plan in enumerate(plans, 1):
        empty = [None] * len(next(iter(plan.values()), ()))
        columns[number] += [k for _ in empty]
        for title in titles:
            columns[title] += plan.get(title, empty)
    return columns


def _rows(columns: Columns) -> Iterator[list[Any]]:
    """Yield rows, in which empty cells are None and tuples are texts."""
    for row in zip(*columns.values(), strict=True):
        cells = (as_text(cell) if isinstance(cell, tuple) else cell for cell in row)
        yield [None if is_missing(cell) else cell for cell in cells]


def _format_csv(plans: Sequence[Columns]) -> bytes:
    columns = number_plans(plans) if len(plans) > 1 else plans[0]
    return format_rows([map(as_text, columns), *_rows(columns)]).encode()


def format_rows(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as lines of CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(as_cell, row) for row in rows)
    return text.getvalue()


def format_plan_rows(names: Names, options: Sequence[int], number: int, is_numbered: bool) -> str:
    """Return the rows of a plan of a table as CSV without the last line end.

    `number` is that of the plan, from 1: titles precede the first one. If plans are to be numbered,
    it is the first cell of each row.
    """
    columns = names.table.columns
    rows = [[number, *(cells[k] for cells in columns.values())] for k in options]
    titles = ["plan_" if "plan" in columns else "plan", *columns]
    shown = [titles, *rows] if number == 1 else rows
    return format_rows(row if is_numbered else row[1:] for row in shown).removesuffix("\n")


def align_rows(columns: Columns) -> str:
    """Return the rows of a plan in aligned columns.

    >>> print(align_rows({"class": ["5a", "10b"], "slot": ["Mon", None]}))
    class  slot
    5a     Mon
    10b
    """
    texts = [
        [as_text(title), *("" if is_missing(cell) else as_text(cell) for cell in cells)]
        for title, cells in columns.items()
    ]
    padded = [[cell.ljust(max(map(len, column))) for cell in column] for column in texts]
    return "\n".join("  ".join(row).rstrip() for row in zip(*padded, strict=True))


def _format_excel(plans: Sequence[Columns]) -> bytes:
    """Return a workbook with a sheet for each plan."""
    sheets = {}
    for k, columns in enumerate(plans, 1):
        rows = chain([map(as_text, columns)], _rows(columns))
        sheets[f"plan {k}"] = [[(cell, ()) for cell in row] for row in rows]
    return format_workbook(sheets, freeze="A2")


class PlanError(ValueError):
    """A line of a plan is not one of the problem; the predicate says why."""

    def __init__(self, line: int, predicate: str) -> None:
        super().__init__(f"line {line} of the plan {predicate}")
        self.line = line
        self.predicate = predicate


def read_plans(content: bytes, name: str = "") -> tuple[str, list[str]]:
    """Return the plans in a file as CSV, if it is a workbook or a calendar, or else its text.

    The second value says where in a workbook or a calendar each line comes from. Raises ValueError
    if the file is not valid, UnreadableError with its name if it is no text, and ImportError if a
    package is not installed.
    """
    if content.startswith(b"PK\x03\x04"):
        plans, places = _read_sheets(read_workbook(content))
    elif content.startswith(b"BEGIN:VCALENDAR"):
        calendar = _import_calendar().Calendar.from_ical(content)
        plans, places = _read_events(calendar.walk("VEVENT"))
    else:
        check_text(content, name)
        return decode_text(content, name), []
    columns = number_plans(plans)
    return format_rows([columns, *_rows(columns)]), places


def _read_sheets(sheets: Mapping[str, Sequence[Row]]) -> tuple[list[Columns], list[str]]:
    """Return the plan in each sheet that is not empty, and where titles and rows come from."""
    plans: list[Columns] = []
    places: list[str] = []
    expected: set[Any] = set()  # the titles of the first plan
    for name, numbered_rows in sheets.items():
        if not numbered_rows:
            continue
        (number, titles), *rows = numbered_rows
        if None in titles:  # `read_workbook` accepts this only of the first column
            raise ValueError(f"sheet {name!r}: column 1 has no title in row {number}")
        table_titles = {*titles} - {CHANGE, GIVEN_UP}
        if plans and table_titles != expected:
            different = ", ".join(sorted(map(str, table_titles ^ expected)))
            raise ValueError(f"sheet {name!r} has other titles than the first one: {different}")
        expected = table_titles
        places = places or [f"sheet {name!r}, row {number}"]
        places += [f"sheet {name!r}, row {k}" for k, _ in rows]
        plans.append({title: [row[k] for _, row in rows] for k, title in enumerate(titles)})
    if not plans:
        raise ValueError("all sheets are empty")
    return plans, places


def _read_events(events: Iterable[Any]) -> tuple[list[Columns], list[str]]:
    """Return the plans whose rows events describe, and where titles and rows come from.

    `_format_calendar` writes such events: a line of the description has the title of a cell, and
    the summary begins with the number of the plan if there are several.
    """
    # By plan: the numbers of its events, and their rows
    rows: defaultdict[str, list[tuple[int, dict[str, str]]]] = defaultdict(list)
    for number, event in enumerate(events, 1):
        plan = re.match(r"Plan \d+: |", str(event.get("summary", "")))  # or an empty match
        lines = str(event.get("description", "")).splitlines()
        row = dict(line.split(": ", 1) for line in lines if ": " in line)
        rows[plan[0] if plan else ""].append((number, row))
    plans: list[Columns] = []
    places = ["the events"]
    for listed in rows.values():
        titles = dict.fromkeys(title for _, row in listed for title in row)
        plans.append({title: [row.get(title) for _, row in listed] for title in titles})
        if titles:
            places += [f"event {number}" for number, _ in listed]
    return plans, places


def _import_calendar() -> Any:
    return import_extra("icalendar", "a calendar needs icalendar", "'dlx-numba[calendar]'")


def _format_calendar(plans: Sequence[Columns]) -> bytes:
    """Return an event for each row with a time, in the format iCalendar; weekdays are repeated.

    If there are several plans, the events say which.
    """
    icalendar = _import_calendar()
    calendar = icalendar.Calendar({"PRODID": "-//dlx_numba//EN", "VERSION": "2.0"})
    counts: Counter[str] = Counter()
    for k, columns in enumerate(plans, 1):
        plan = f"Plan {k}: " if len(plans) > 1 else ""
        changes = columns.get(CHANGE + "_", columns.get(CHANGE))
        for number, row in enumerate(_rows(columns)):
            is_weekly = any(_WEEKLY.match(str(cell)) for cell in row)
            times = _times_of(row, is_weekly)
            if not times or (changes and changes[number] == "dropped"):
                continue
            cells = [
                (title, cell) for title, cell in zip(columns, row, strict=True) if cell is not None
            ]
            shown = (cell for title, cell in cells if title not in ("cost", CHANGE))
            text = plan + ", ".join(as_text(cell) for cell in shown if not _moments(cell))
            counts[text] += 1
            lines = (f"{as_text(title)}: {as_text(cell)}" for title, cell in cells)
            event = icalendar.Event()
            event.add("summary", text)
            event.add("description", "\n".join(lines))
            for name, moment in zip(("dtstart", "dtend"), times, strict=False):
                event.add(name, moment)
            if is_weekly:
                event.add("rrule", {"freq": "weekly"})
            event.add("dtstamp", datetime.now(timezone.utc))
            # The same for an equal event, so that a calendar replaces it if it is read again
            event.add("uid", str(uuid5(NAMESPACE_OID, f"{text} {counts[text]}")))
            calendar.add_component(event)
    if not counts:
        raise ValueError("a calendar needs a column of dates, or of times such as Mon 9:00")
    return calendar.to_ical()


def _times_of(row: Iterable[object], is_weekly: bool) -> Sequence[date]:
    """Return the begin of the event in a row, and its end if it is known; none without a date.

    Times of the day are on the first date of the row, if no date has a time of its own. A second
    time that precedes the first is the end on the next day, or of a weekly event in the next week;
    with another date, it is no end.
    """
    moments = [moment for cell in row for moment in _moments(cell)]
    days = [moment for moment in moments if isinstance(moment, date)]  # or datetime
    clocks = [moment for moment in moments if isinstance(moment, time)]
    times = [day for day in days if isinstance(day, datetime)]
    times = times or [datetime.combine(day, clock) for day in days[:1] for clock in clocks]
    # Times with and without a time zone can be compared only without it.
    if len(times) > 1 and times[1].replace(tzinfo=None) < times[0].replace(tzinfo=None):
        if times[1].date() == times[0].date():
            times[1] += timedelta(1)  # after midnight
        elif is_weekly:  # both are the first of their weekdays from today on
            times[1] += timedelta(7)
        else:
            del times[1]  # another date is no end
    return times[:2] or days[:1]


def _format_parquet(plans: Sequence[Columns]) -> bytes:
    # Columns with a text remain texts, even if CSV would have them read as numbers.
    cells = ((as_text(title), x) for plan in plans for title in plan for x in plan[title])
    return as_parquet(_format_csv(plans), {title for title, x in cells if isinstance(x, str)})


FORMATS = {
    ".csv": _format_csv,
    ".ics": _format_calendar,
    ".xlsx": _format_excel,
    ".parquet": _format_parquet,
}


def _moments(value: Any) -> list[Any]:
    """Return the times, the date or the time of the day in a cell, if any.

    >>> _moments("2026-11-30"), _moments("9:00"), len(_moments("Mon 9:00 to 9:45"))
    ([datetime.date(2026, 11, 30)], [datetime.time(9, 0)], 2)
    >>> _moments("Sunset 20:30"), _moments("x")
    ([], [])
    """
    if isinstance(value, date | time):
        return [value]
    if _DATE.match(str(value)):  # since Python 3.11, 20261130 would be a date, too
        for convert in (date.fromisoformat, datetime.fromisoformat):
            with suppress(ValueError, TypeError):
                return [convert(_HOUR.sub(" 0", value))]
    clocks = [datetime.strptime(text, "%H:%M").time() for text in _CLOCK.findall(str(value))]
    if match := _WEEKLY.match(str(value)):
        # The first such weekday from today on
        today = date.today()
        day = today + timedelta((_DAYS.index(match[1][:3].lower()) - today.weekday()) % 7)
        return [datetime.combine(day, clock) for clock in clocks[:2]]
    return clocks if _CLOCK.fullmatch(str(value)) else []
