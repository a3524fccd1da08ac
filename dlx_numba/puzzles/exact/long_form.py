"""Tables with one option a row as CSV files; data frames have this form, too."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ...cover.cells import is_missing
from ...cover.costs import as_price
from ...cover.demand import Need, as_bounds
from ...cover.encode import Formulation
from ...cover.rows import LongForm, RowError, check_titles, warn_of_duplicates
from ...runtime.workbook import read_workbook
from .notation import TextLines
from .table import Line, check_widths, read_lines

_DEMANDS = "low", "high", "penalty"  # titles of a table of demands
# Above the titles, which may begin with this mark, too, but have several fields
_COMMENTS = re.compile(r"[\r\n]*(?:#[^,;\t\r\n]*[\r\n]+)+(?=[^\r\n]*[,;\t])")


def parse_long_form(
    form: LongForm, content: str | bytes, source: str, sheet: str = ""
) -> Formulation:
    """Return the problem in the text of a CSV file, or in a workbook.

    Raises FormatError if it is not valid.
    """
    with TextLines("", source) as lines:
        titles, rows = _read_rows(content, lines, sheet)
        title_line = lines.number
        if not rows:
            raise ValueError("no option follows the line of titles")
        table = [
            [
                _as_number(field) if title == form.cost else field
                for title, field in zip(titles, fields, strict=True)
            ]
            for _, fields in lines.follow(rows)
        ]
        columns = dict(zip(titles, map(_convert, zip(*table, strict=True)), strict=True))
        lines.number = title_line  # errors about columns name the line of their titles
        try:
            formulation = form.formulate(columns)
        except RowError as error:
            lines.number = rows[error.row].number
            raise ValueError(f"the row {error.predicate}") from None
    form.check_separator(columns, source)
    warn_of_duplicates(columns, [row.number for row in rows], f"{source}: lines")
    return formulation


def parse_needs(content: str | bytes, source: str, sheet: str = "") -> list[Need]:
    r"""Return the demands in a table: items by their columns, and `low`, `high` and `penalty`.

    Raises FormatError if it is not valid.

    >>> [need] = parse_needs("day,shift,low,high,penalty\nMon,late,2,,60\n", "demand.csv")
    >>> need.items, need.bounds, need.penalty
    ({'day': 'Mon', 'shift': 'late'}, (2, None), 60)
    """
    with TextLines("", source) as lines:
        titles, rows = _read_rows(content, lines, sheet)
        if {*titles}.isdisjoint(_DEMANDS):
            raise ValueError(f"there is none of the columns {', '.join(_DEMANDS)}")
        needs: list[Need] = []
        listed: set[frozenset[Any]] = set()
        for _, fields in lines.follow(rows):
            named = zip(titles, fields, strict=True)
            cells = {title: cell for title, cell in named if not is_missing(cell)}
            low, high, penalty = (_as_number(cells.pop(title, ""), title) for title in _DEMANDS)
            bounds = None if low == high == "" else as_bounds(low, high)
            as_price(penalty or 0, "penalty")
            if not cells or (bounds is None and penalty == ""):
                raise ValueError("a row needs an item, and low, high or penalty")
            item = frozenset((title, str(cell)) for title, cell in cells.items())
            if item in listed:
                raise ValueError("the item is listed twice")
            listed.add(item)
            place = f"{source}:{lines.number}"
            needs.append(Need(cells, bounds, None if penalty == "" else penalty, place))
    return needs


def _read_rows(content: str | bytes, lines: TextLines, sheet: str) -> tuple[list[str], list[Line]]:
    """Return the titles and the rows of a table in a text or in a workbook."""
    if isinstance(content, bytes):
        [sheet_rows] = read_workbook(content, sheet).values()
        read = [Line(*row) for row in sheet_rows]
    else:
        if comments := _COMMENTS.match(content):  # their lines stay, as empty ones, for the numbers
            content = re.sub("[^\r\n]", "", comments[0]) + content[comments.end() :]
        with TextLines(content, lines.source) as text_lines:
            read = read_lines(content, text_lines)
    (first, fields), *rows = read or [Line(1, [])]
    titles = ["" if title is None else str(title) for title in fields]
    check_titles(titles)
    check_widths(rows, len(titles), lines)
    lines.number = first
    unnamed = [k for k, title in enumerate(titles) if title == ""]
    for k in unnamed if len(unnamed) > 1 else ():  # a single one is known by its empty title
        if any(not is_missing(fields[k]) for _, fields in rows):
            raise ValueError(f"column {k + 1} has no title, as {len(unnamed)} columns have none")
    return titles, rows


def _as_number(cell: Any, noun: str = "a cost") -> Any:
    """Return the number that a text is, as Python would print it, or raise ValueError.

    Empty cells and the values of workbooks remain.
    """
    if not isinstance(cell, str) or not cell:
        return cell
    try:
        # Python would read 1_000, too.
        return int(cell) if cell.removeprefix("-").isdecimal() else float(cell.replace("_", " "))
    except ValueError:
        example = "2" if noun in ("low", "high") else "2.5"
        raise ValueError(f"{noun} must be a number, such as {example}, not {cell!r}") from None


def _convert(cells: Sequence[Any]) -> Sequence[Any]:
    """Return a column as numbers if it consists of them, such as 12 and 2.5, but not of 007."""
    with suppress(ValueError):
        numbers = [*map(_as_number, cells)]
        if [*map(str, numbers)] == [*cells]:
            return [None if number == "" else number for number in numbers]
    return cells
