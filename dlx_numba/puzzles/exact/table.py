"""Exact cover problems as matrices with names: CSV files."""

import csv
import io
import json
import re
from collections.abc import Hashable, Iterable, Iterator
from shlex import quote
from typing import Any, NamedTuple

from ...cover.costs import whole_costs
from ...cover.encode import Formulation
from ...cover.names import Names, marked_rows
from ...kernels.problem import Problem
from ...runtime.text import is_formula
from .notation import (
    TextLines,
    add_option,
    distinct_texts,
    multiplicity_prefixes,
    parse_items,
    quote_name,
    quote_option_names,
    unless_numbered,
    unquote_name,
)

_MARKS = "1", "x", "X", "1.0", "True", "TRUE", "true", "✓", "✔"
_BLANKS = "0", ".", "", "0.0", "False", "FALSE", "false"
CELL_VALUES = dict.fromkeys(_MARKS, True) | dict.fromkeys(_BLANKS, False)
_COMMENT_MARK = "#"
COST_TITLE = "|"  # the title of the column of costs


class Line(NamedTuple):
    """A line of a table."""

    number: int  # from 1
    fields: list[str]


def parse_table(text: str, source: str = "<text>") -> Formulation:
    r"""Parse a matrix with names: a row for each option, a column for each item.

    Fields are separated by commas, semicolons or tabs, and lines that start with ``#`` are
    comments. The first line has the names of the items. If its first field is empty, the first
    column has the names of the options.

    ===================  ========  =========================================================
    Field                Place     Meaning
    ===================  ========  =========================================================
    ``|item``            header    The item is secondary.
    ``high|item``        header    The primary item is covered exactly `high` times.
    ``low:high|item``    header    The primary item is covered `low` to `high` times.
    ``|``                header    The column contains the costs of the options.
    ``1``, ``x``, ``✓``  cell      The option contains the item; so does ``True``.
    ``0``, ``.``, empty  cell      The option does not contain the item; so does ``False``.
    ``:color``           cell      The option contains the secondary item with that color.
    ===================  ========  =========================================================

    Parameters
    ----------
    text : str
        The table.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the text is not a valid table; names the source and the line.

    Examples
    --------
    >>> parse_table(",A,B,|s\nS1,1,0,0\nS2,1,1,:red\n").options
    {'S1': ['A'], 'S2': ['A', 'B', ('s', 'red')]}
    """
    with TextLines(text, source, _COMMENT_MARK) as lines:
        header, *rows = read_lines(text, lines) or [Line(1, [])]
        titles = header.fields
        check_widths(rows, len(titles), lines)
        lines.number = header.number
        has_names = titles[:1] == [""]
        columns = titles[1 if has_names else 0 :]  # without the empty title of the names
        if len(titles) < 2:
            raise ValueError("expected names with commas, semicolons or tabs between them")
        if not rows:
            raise ValueError("no option follows the line of names")
        names = [row.fields.pop(0) if has_names else "" for row in rows]
        costs = None
        if COST_TITLE in columns:
            cost_column = columns.index(COST_TITLE)
            del columns[cost_column]
            costs = []
            for _, fields in lines.follow(rows):
                costs.append(_read_cost(fields.pop(cost_column)))
            lines.number = header.number
        formulation = parse_items((title, title.startswith("|")) for title in columns)
        primary = iter(formulation.items or ())
        secondary = iter(formulation.secondary)
        items = [next(secondary if title.startswith("|") else primary) for title in columns]
        options = _read_options(rows, items, names, lines)
        named = options if has_names else unless_numbered(options)
    return formulation._replace(options=named, costs=costs)


def format_table(problem: Problem, names: Names, start: int = 0) -> str:
    r"""Return a problem as CSV with a header and names of options, as `parse_table` reads it.

    Parameters
    ----------
    problem : Problem
    names : Names
        Names that would be confused with the notation are written as JSON strings.
    start : int, default: 0
        The number of the first option.

    Raises
    ------
    ValueError
        If the problem has no items or options, two items or two colors are equal as text, or costs
        are not nonnegative integers.
    """
    if not (problem.n_items and problem.n_options):
        raise ValueError("a problem without items or options cannot be written as a table")
    texts = distinct_texts(names.items, "items", quote_name)
    colors = distinct_texts(names.colors, "colors", quote_name)
    prefixes = multiplicity_prefixes(problem) + ["|"] * problem.n_secondary
    titles = [*map(_quote_formula, map(str.__add__, prefixes, texts))]
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    whole = whole_costs(problem, names)
    costs = [[]] * problem.n_options if whole is None else [[cost] for cost in whole]
    writer.writerow(["", *titles, *([COST_TITLE] if problem.cost is not None else [])])
    rows = marked_rows(problem, [f":{color}" for color in colors])
    for label, row, cost in zip(quote_option_names(names, start), rows, costs, strict=True):
        marks = dict(row)
        writer.writerow(
            [_quote_formula(label), *(marks.get(k, "0") for k in range(problem.n_items)), *cost]
        )
    return output.getvalue()


def _quote_formula(name: str) -> str:
    """Return a name as a JSON string if spreadsheets would take it for a formula."""
    return json.dumps(name) if is_formula(name) else name


def _read_options(
    rows: list[Line], columns: list[Any], names: list[str], lines: TextLines
) -> dict[Hashable, Any]:
    """Return the options in the cells of rows by their names, or by their numbers without names."""
    options: dict[Hashable, Any] = {}
    # The loop sets `lines.number`, which is the line that an error names.
    for (lines.number, cells), text in zip(rows, names, strict=True):
        option: list[Any] = []
        for name, cell in zip(columns, cells, strict=True):
            if cell in CELL_VALUES:
                option += [name] * CELL_VALUES[cell]
            elif not cell.startswith(":") or cell == ":":
                reason = f"item {name!r}: expected 1, 0 or :color in a cell, not {cell!r}"
                raise ValueError("; ".join([reason, *_advice(name, cell, columns, cells)]))
            else:
                option.append((name, unquote_name(cell[1:])))
        add_option(options, text, option)
    return options


def _advice(name: Any, cell: str, columns: list[Any], cells: list[str]) -> Iterator[str]:
    """Yield what a cell that is no mark may mean: a name, a cost or an item."""
    if name == columns[0]:
        yield "if it names the option, leave out the title"
    elif cell.isdecimal():
        yield f"if it is a cost, its title is {COST_TITLE}"
    if 2 * sum(map(CELL_VALUES.__contains__, cells)) <= len(cells):
        yield (
            "if each row lists the items of an option, name the columns of items, such as --items "
            f"{quote(str(columns[0]))}, or use from_frame"
        )


def _read_cost(cell: str) -> int:
    """Return the cost in a cell, or raise ValueError."""
    if re.fullmatch(r"\|?[0-9]+", cell) is None:
        raise ValueError(f"invalid cost {cell!r}: expected a nonnegative integer")
    return int(cell.removeprefix("|"))


def check_widths(rows: Iterable[Line], n_fields: int, lines: TextLines) -> None:
    """Raise ValueError if a row has another number of fields."""
    for _, fields in lines.follow(rows):
        if len(fields) != n_fields:
            raise ValueError(f"the row has {len(fields)} fields, not {n_fields}")


def read_lines(text: str, lines: TextLines) -> list[Line]:
    """Return the lines of a table without comments and empty lines, or raise ValueError.

    `lines` has the same text, with marks of comments, and gets the number of the line of an error.
    """
    # The separator is the most frequent one in the first line.
    first_unquoted = re.sub('"[^"]*"', "", next(iter(lines), ""))
    separator = max(",;\t", key=first_unquoted.count)
    whole_lines = io.StringIO(text, newline="")
    reader = csv.reader(  # which counts lines, so that comments become empty ones
        ("" if line.startswith(lines.comment_marks) else line for line in whole_lines),
        delimiter=separator,
        skipinitialspace=separator != "\t",
        strict=True,
    )
    try:
        # As a row is read only when it is needed, `line_num` is its line.
        rows = ([*map(str.strip, row)] for row in reader)
        return [Line(reader.line_num, row) for row in rows if row and row != [""]]
    except csv.Error as error:
        lines.number = reader.line_num
        raise ValueError(f"not valid CSV: {error}") from None
