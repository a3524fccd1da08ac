"""Exact cover problems as matrices with names: CSV, bars, and columns split by spaces.

Sets by name, such as `S1 = {A, B}`, are another notation for the same.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from ...kernels.problem import Problem
from ...runtime.errors import FormatError, located
from ..encode import Statement
from ..names import Names, find_duplicate, marked_rows
from .notation import (
    content_lines,
    distinct_texts,
    multiplicity_prefixes,
    name_options,
    parse_items,
    quote_name,
    quote_option_names,
    unquote_name,
)

_CELL_VALUES = {"1": True, "x": True, "X": True, "0": False, ".": False, "": False}
COMMENT_MARKS = ("#", "|")
_COST_TITLE = "|"  # the title of the column of costs
_BAR = re.compile(r"(?<!\\)\|")  # separates fields
_RULE = re.compile(":?-+:?")
_BORDER = re.compile(r"\s*\+[-=]+(?:\+[-=]+)*\+\s*")  # as databases print it
_NAME_OF_SET = r"([^\s={}\[\]]+)\s*=\s*"
_UNIVERSE = rf"((?i:universe)\b)\s*[:=]?\s*(?:{_NAME_OF_SET})?"
SET = re.compile(rf"\s*(?:{_UNIVERSE}|{_NAME_OF_SET})\{{([^{{}}]*)\}}\s*[,;]?\s*")


class _Line(NamedTuple):
    """A line of a table."""

    number: int  # from 1
    fields: list[str]


def parse_table(text: str, source: str = "<text>") -> Statement:
    r"""Parse a matrix with names: a row for each option, a column for each item.

    Fields are separated by commas, semicolons, tabs or spaces, or by bars as in Markdown, with or
    without bars around each line. Lines between bars that begin with ``+`` are borders. In other
    tables, lines that start with ``#`` or ``|`` are comments.

    The first line has the names of the items, unless all its fields but the first are cells; then
    the items are the column numbers. Fields without a title at the end of the header are ignored if
    they are empty in all rows. The first column has the names of the options if the header
    has an empty field or no field for it, or if it contains distinct texts that are not all cells.

    ===================  ========  =========================================================
    Field                Place     Meaning
    ===================  ========  =========================================================
    ``|item``            header    The item is secondary.
    ``high|item``        header    The primary item is covered exactly `high` times.
    ``low:high|item``    header    The primary item is covered `low` to `high` times.
    ``|``                header    The column contains the costs of the options.
    ``1``, ``x``, ``X``  cell      The option contains the item.
    ``0``, ``.``, empty  cell      The option does not contain the item.
    ``:color``           cell      The option contains the secondary item with that color.
    ===================  ========  =========================================================

    In a table with bars, a bar in a field is written ``\|``.

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
    lines = list(_read_lines(text, source))
    if not lines:
        raise FormatError(source, 1, "the table is empty")
    titles, rows = ([], lines) if is_row(lines[0].fields) else (lines[0].fields, lines[1:])
    _remove_stray_titles(titles, rows)
    has_names, has_title = _find_names(titles, rows)
    n_fields = len(titles) + (has_names and not has_title) if titles else len(rows[0].fields)
    place = "header" if n_fields == len(titles) else "first row"
    numbers = [row.number for row in rows]
    for number, fields in rows:
        if len(fields) != n_fields:
            reason = f"the row has {len(fields)} fields, but the {place} has {n_fields}"
            raise FormatError(source, number, reason)
    names = [row.fields.pop(0) for row in rows] if has_names else []
    titles, cost_column = titles[has_title:], None
    columns: list[Any] = list(range(n_fields - has_names))
    statement = Statement([], columns)
    if titles:
        if _COST_TITLE in titles:
            cost_column = titles.index(_COST_TITLE)
            del titles[cost_column]
        with located(source, lines[0].number):
            statement = parse_items((title, title.startswith("|")) for title in titles)
        primary, others = iter(statement.items or ()), iter(statement.secondary)
        columns = [next(others if title.startswith("|") else primary) for title in titles]
    secondary = set(statement.secondary)
    options: list[Any] = []
    costs: list[int] = []
    for number, fields in rows:
        with located(source, number):
            if cost_column is not None:
                costs.append(_read_cost(fields.pop(cost_column)))
            options.append(_read_option(fields, columns, secondary))
    named = name_options(options, names, numbers, source) if names else options
    return statement._replace(options=named, costs=costs or None)


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
        If the problem has no items, or two items have names that are equal as text.
    """
    if not problem.n_items:
        raise ValueError("a problem without items cannot be written as a table")
    texts = distinct_texts(names.items, "items", quote_name)
    prefixes = multiplicity_prefixes(problem) + ["|"] * problem.n_secondary
    titles = list(map(str.__add__, prefixes, texts))
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    costs = [[]] * problem.n_options if problem.cost is None else problem.cost[:, None].tolist()
    writer.writerow(["", *titles, *[_COST_TITLE] * (problem.cost is not None)])
    rows = marked_rows(problem, [f":{quote_name(color)}" for color in names.colors])
    for label, row, cost in zip(quote_option_names(names, start), rows, costs, strict=True):
        marks = dict(row)
        writer.writerow([label, *(marks.get(k, "0") for k in range(problem.n_items)), *cost])
    return output.getvalue()


def _find_names(titles: list[str], rows: list[_Line]) -> tuple[bool, bool]:
    """Return whether the first column has the names of the options, and whether it has a title.

    Parameters
    ----------
    titles : list of str
        The fields of the header; empty if there is none.
    rows : list of _Line
        The other lines.
    """
    if titles and titles[0] == "":
        return True, True
    first = [row.fields[0] for row in rows]
    if all(map(is_cell, first)):
        return False, False
    if not titles or len(rows[0].fields) == len(titles) + 1:
        return True, False
    # Texts that are not distinct are not names: the first column has an invalid cell.
    has_names = find_duplicate(first) is None
    return has_names, has_names


def _remove_stray_titles(titles: list[str], rows: list[_Line]) -> None:
    """Remove empty titles at the end of the header if the fields below them are empty, too.

    The fields are also removed. One field more belongs to a column of names without a title.
    """
    n_titles = max((k for k, title in enumerate(titles, 1) if title), default=len(titles))
    has_names = titles[:1] > [""] and not all(is_cell(row.fields[0]) for row in rows)
    for n_fields in range(n_titles, n_titles + has_names + 1) if n_titles < len(titles) else ():
        if not any(field for row in rows for field in row.fields[n_fields:]):
            del titles[n_titles:]
            for row in rows:
                del row.fields[n_fields:]
            return


def _read_option(cells: list[str], columns: list[Any], secondary: set[Any]) -> list[Any]:
    """Return the entries of an option, or raise ValueError."""
    option: list[Any] = []
    for name, cell in zip(columns, cells, strict=True):
        if cell in _CELL_VALUES:
            if _CELL_VALUES[cell]:
                option.append(name)
        elif not cell.startswith(":") or cell == ":":
            raise ValueError(f"item {name!r}: expected 1, 0 or :color in a cell, not {cell!r}")
        elif name not in secondary:
            raise ValueError(f"item {name!r} is primary, so it cannot have a color: {cell!r}")
        else:
            option.append((name, unquote_name(cell[1:])))
    return option


def _read_cost(cell: str) -> int:
    """Return the cost in a cell, 0 if it is empty, or raise ValueError."""
    if re.fullmatch(r"\|?[0-9]+|", cell) is None:
        raise ValueError(f"invalid cost {cell!r}: expected a whole number")
    return int(cell.removeprefix("|") or 0)


def _read_lines(text: str, source: str) -> Iterator[_Line]:
    """Yield the lines of a table without comments and empty lines, or raise FormatError."""
    if is_bar_table(text):
        yield from _read_bar_lines(text)
        return
    separator = find_separator(next(content_lines(text, COMMENT_MARKS), (1, ""))[1])
    if separator is None:
        for number, line in content_lines(text, COMMENT_MARKS):
            yield _Line(number, line.split())
        return
    lines = text.splitlines(keepends=True)
    reader = _reader(["" if line.startswith(COMMENT_MARKS) else line for line in lines], separator)
    try:
        for fields in reader:
            if fields and fields != [""]:
                yield _Line(reader.line_num, [field.strip() for field in fields])
    except csv.Error as error:
        raise FormatError(source, reader.line_num, f"not valid CSV: {error}") from None


def _read_bar_lines(text: str) -> Iterator[_Line]:
    """Yield the lines of a table with bars between its fields, without borders and rules."""
    rows = [(number, line.strip()) for number, line in content_lines(text) if not _is_border(line)]
    has_left = all(line.startswith("|") for _, line in rows)
    has_right = has_left or all(line.endswith("|") for _, line in rows)
    for k, (number, line) in enumerate(rows):
        fields = _split_bars(line)[has_left:]
        if has_right and len(fields) > 1 and fields[-1] == "":
            fields.pop()
        if k != 1 or not _is_rule(fields):
            yield _Line(number, fields)


def _is_border(line: str) -> bool:
    return _BORDER.fullmatch(line) is not None


def is_bar_table(text: str) -> bool:
    """Return whether a text looks like a table with bars between its fields.

    If there is no rule, and not all lines begin with a bar, the second line must have cells.
    """
    lines = (line for _, line in content_lines(text) if not _is_border(line))
    first = next(lines, "")
    header, row = first.strip(), next(lines, "").strip()
    if header.startswith("|") and header.endswith("|") and len(header) > 1:
        others = map(str.lstrip, chain([row or "|"], lines))
        if all(line.startswith("|") for line in others):
            return True
    if "|" not in header or not row:
        return False
    fields, titles = _split_bars(row.rstrip("| ")), _split_bars(header.rstrip("| "))
    if len(fields) > 1 and _is_rule(fields):
        return True
    return (
        0 <= len(fields) - len(titles) <= (titles[0] != "")
        and not first.startswith("|")
        and 2 * sum(map(is_cell, fields[1:])) >= len(fields) - 1 > 0
    )


def _split_bars(line: str) -> list[str]:
    return [field.strip().replace("\\|", "|") for field in _BAR.split(line)]


def _is_rule(fields: list[str]) -> bool:
    """Return whether these are the fields of the rule below the header."""
    return all(_RULE.fullmatch(field) for field in fields)


def find_separator(line: str) -> str | None:
    """Return the separator that is most frequent in a line outside quotes; None for spaces."""
    unquoted = re.sub('"[^"]*"', "", line)
    separator = max(",;\t", key=unquoted.count)
    return separator if separator in unquoted else None


def _reader(lines: Iterable[str], separator: str) -> Any:
    return csv.reader(lines, delimiter=separator, skipinitialspace=separator != "\t", strict=True)


def split_line(line: str, separator: str | None) -> list[str]:
    """Return the fields of a line. Raises csv.Error if its quotes are invalid."""
    if separator is None:
        return line.split()
    return [field.strip() for field in next(_reader([line], separator))]


def is_cell(field: str) -> bool:
    return field in _CELL_VALUES or field.startswith(":")


def is_row(fields: list[str]) -> bool:
    """Return whether the first line is an option instead of the names of the items."""
    return len(fields) > 1 and fields[0] != "" and all(map(is_cell, fields[1:]))


def parse_sets(text: str, source: str = "<text>") -> Statement:
    r"""Parse a problem with an option on each line: its name, and the set of its items.

    The universe, if it is stated, is the set of all items. It is introduced by that word, or it is
    the first set, has the name ``U`` or ``X``, and contains all others. Lines that start with ``#``
    or ``|`` are comments; empty lines are ignored.

    Raises FormatError, which names the source and the line, if the text is not valid, or if a set
    may be the universe or an option.

    Examples
    --------
    >>> parse_sets("S1 = {A}\nS2 = {A, B}\n").options
    {'S1': ['A'], 'S2': ['A', 'B']}
    >>> parse_sets("U = {A, B, C}\nS1 = {A}\nS2 = {A, B}\n").items
    ['A', 'B', 'C']
    """
    universe: list[str] | None = None
    lines: list[int] = []
    names: list[str] = []
    options: list[list[str]] = []
    for number, line in content_lines(text, COMMENT_MARKS):
        if (match := SET.fullmatch(line)) is None:
            raise FormatError(source, number, "expected a set such as S1 = {A, B}")
        word, _, name, elements = match.groups()
        items = [item.strip() for item in elements.split(",")] if elements.strip() else []
        if "" in items:
            raise FormatError(source, number, "the name of an item is missing")
        if word is None:
            lines.append(number)
            names.append(name)
            options.append(items)
        elif universe is not None:
            raise FormatError(source, number, "a second universe")
        else:
            universe = items
    if universe is None and (k := _find_universe(names, options)) is not None:
        if k > 0 or len(options) == 1:
            reason = f"is {names[k]} the universe or an option? Write 'universe = {{...}}' for the "
            raise FormatError(source, lines[k], f"{reason}set of all items, as the first line")
        universe = options[0]
        del lines[0], names[0], options[0]
    if universe is not None:
        for number, option in zip(lines, options, strict=True):
            if unknown := set(option).difference(universe):
                raise FormatError(source, number, f"item {min(unknown)!r} is not in the universe")
    return Statement(name_options(options, names, lines, source), universe)


def _find_universe(names: list[str], options: list[list[str]]) -> int | None:
    """Return the number of a set that contains all others and has the name of a universe."""
    items = set(chain.from_iterable(options))
    named = (k for k, name in enumerate(names) if name in ("U", "X"))
    return next((k for k in named if items.issubset(options[k])), None)
