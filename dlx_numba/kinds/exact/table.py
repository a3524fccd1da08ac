"""Exact cover problems as matrices with names: CSV, bars, and columns split by spaces."""

import csv
import io
import json
import re
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from ...cover.costs import whole_costs
from ...cover.encode import Statement
from ...cover.names import Names, marked_rows
from ...kernels.problem import Problem
from ...runtime.text import is_formula
from .notation import (
    COMMENT_MARKS,
    HEAD_LENGTH,
    Lines,
    add_option,
    distinct_texts,
    first_lines,
    is_border,
    multiplicity_prefixes,
    parse_items,
    quote_name,
    quote_option_names,
    unquote_name,
)

_MARKS, _BLANKS = ("1", "x", "X", "1.0", "True", "TRUE", "true", "✓", "✔"), ("0", ".", "", "0.0")
_CELL_VALUES = dict.fromkeys(_MARKS, True) | dict.fromkeys(
    (*_BLANKS, "False", "FALSE", "false"), False
)
N_LINES = 16  # in which the rule below the header is searched, and rows of digits
COST_TITLE = "|"  # the title of the column of costs
_CELLS = re.compile(r"[01](?:[ \t]+[01])+")  # the part of a row before a bar
_BAR = re.compile(r"(?<!\\)\|")  # separates fields
_BETWEEN = re.compile(r"[\s,;]+")  # names above digits that nothing separates
_NAMED_ROW = re.compile(r"\s*(?![0-9]+[\s,;:|])([^\s,;:|]+)[\s,;:|]+([01]{2,})\s*")
_RULE = re.compile(r"(?=.*[-=])[-+=|: \t]+\r?\n?")  # below a header, and as databases print it
_MARKDOWN_RULE = re.compile(r"\s*\|(?:\s*:?-+:?\s*\|)+\s*")


class Line(NamedTuple):
    """A line of a table."""

    number: int  # from 1
    fields: list[str]


def parse_table(text: str, source: str = "<text>") -> Statement:
    r"""Parse a matrix with names: a row for each option, a column for each item.

    Fields are separated by commas, semicolons, tabs or spaces, or by bars as in Markdown, with or
    without bars around each line. Nothing needs to separate the digits of rows of 0 and 1, and
    letters above such rows. In a table with bars, lines of ``-``, ``=``, ``+``, ``:`` and bars are
    ignored. In other tables, lines that start with ``#`` or ``|`` are comments.

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
    ``|``, ``cost``      header    The column contains the costs of the options.
    ``1``, ``x``, ``✓``  cell      The option contains the item; so does ``True``.
    ``0``, ``.``, empty  cell      The option does not contain the item; so does ``False``.
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
    head = text[: text.rfind("\n", 0, HEAD_LENGTH) + 1]
    if len(text) > 2 * HEAD_LENGTH and head.count('"') % 2 == 0:
        parse_table(head, source)  # most tables that state no problem are rejected at once
    with Lines(text, source, COMMENT_MARKS) as lines:
        rows = list(read_lines(text, lines))
        if not rows:
            raise ValueError("the table is empty")
        is_row = _is_row(rows[0].fields) and not has_digit_rows(text)
        header = Line(1, []) if is_row else rows.pop(0)
        titles = header.fields
        _mark_costs(titles, rows)
        has_names, has_title = _find_names(titles, rows)
        n_fields = len(titles) + (has_names and not has_title)
        if not titles:
            n_fields = max(_width(row.fields) for row in rows)
        for lines.number, fields in rows:
            while len(fields) > n_fields and fields[-1] == "":
                fields.pop()
            if len(fields) != n_fields:
                raise ValueError(f"the row has {len(fields)} fields, not {n_fields}")
        if rows and n_fields == has_names:
            raise ValueError("the table has no column of an item")
        names = [row.fields.pop(0) if has_names else "" for row in rows]
        if rows and all(map(_CELLS.fullmatch, names)):
            lines.number = rows[0].number
            raise ValueError(f"is {names[0]!r} a name? Separate all columns in the same way")
        if not titles:
            columns = list(range(n_fields - has_names))
            return Statement(_read_options(rows, columns, names, lines), columns)
        del titles[:has_title]
        costs = None
        if COST_TITLE in titles:
            column = titles.index(COST_TITLE)
            del titles[column]
            costs = []
            for lines.number, fields in rows:
                costs.append(_read_cost(fields.pop(column)))
        lines.number = header.number
        statement = parse_items((title, title.startswith("|")) for title in titles)
        primary, others = iter(statement.items or ()), iter(statement.secondary)
        items = [next(others if title.startswith("|") else primary) for title in titles]
        options = _read_options(rows, items, names, lines)
    return statement._replace(options=options, costs=costs)


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
        If the problem has no items, two items or two colors are equal as text, or costs are not
        nonnegative integers.
    """
    if not problem.n_items:
        raise ValueError("a problem without items cannot be written as a table")
    texts = distinct_texts(names.items, "items", quote_name)
    colors = distinct_texts(names.colors, "colors", quote_name)
    prefixes = multiplicity_prefixes(problem) + ["|"] * problem.n_secondary
    titles = [*map(_quote_formula, map(str.__add__, prefixes, texts))]
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    whole = whole_costs(problem, names)
    costs = [[]] * problem.n_options if whole is None else [[cost] for cost in whole]
    writer.writerow(["", *titles, *[COST_TITLE] * (problem.cost is not None)])
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


def _mark_costs(titles: list[str], rows: list[Line]) -> None:
    """Replace the title "cost" by that of costs, unless all fields of the column are cells."""
    for k in (k for k, title in enumerate(titles) if is_cost(title)):
        fields = [row.fields[k - len(titles)] for row in rows if len(row.fields) >= len(titles)]
        if not all(map(is_cell, fields)):
            titles[k] = COST_TITLE


def _find_names(titles: list[str], rows: list[Line]) -> tuple[bool, bool]:
    """Return whether the first column has the names of the options, and whether it has a title.

    Empty titles at the end of the header are removed.

    Parameters
    ----------
    titles : list of str
        The fields of the header; empty if there is none.
    rows : list of Line
        The other lines.
    """
    n_titles = len(titles)
    while len(titles) > 1 and titles[-1] == "":
        titles.pop()
    if titles and titles[0] == "":
        return True, True
    first = [row.fields[0] for row in rows]
    width = max((_width(row.fields) for row in rows), default=0)
    has_title = bool(rows) and len(rows[0].fields) <= n_titles and width <= len(titles)
    # Texts that are not distinct are not names: the first column has an invalid cell.
    is_distinct = not has_title or len(set(first)) == len(first)
    has_costs = has_title and titles[0] == COST_TITLE
    has_names = is_distinct and not has_costs and not all(map(is_cell, first))
    return has_names, has_names and has_title


def _read_options(
    rows: list[Line], columns: list[Any], names: list[str], lines: Lines
) -> dict[Hashable, Any]:
    """Return the options in the cells of rows by their names, or by their numbers without names."""
    options: dict[Hashable, Any] = {}
    for (lines.number, cells), text in zip(rows, names, strict=True):
        option: list[Any] = []
        for name, cell in zip(columns, cells, strict=True):
            if cell in _CELL_VALUES:
                option += [name] * _CELL_VALUES[cell]
            elif not cell.startswith(":") or cell == ":":
                reason = f"item {name!r}: expected 1, 0 or :color in a cell, not {cell!r}"
                hint = "if each row lists the items of an option, use --items or from_frame"
                raise ValueError(f"{reason}; {hint}")
            else:
                option.append((name, unquote_name(cell[1:])))
        add_option(options, text, option)
    return options


def _read_cost(cell: str) -> int:
    """Return the cost in a cell, 0 if it is empty, or raise ValueError."""
    if re.fullmatch(r"\|?[0-9]+|", cell) is None:
        raise ValueError(f"invalid cost {cell!r}: expected a nonnegative integer")
    return int(cell.removeprefix("|") or 0)


def read_lines(text: str, lines: Lines) -> Iterator[Line]:
    """Yield the lines of a table without comments, empty lines and rules, or raise ValueError."""
    separator = _find_separator(text)
    if separator is None:
        first, second = [*first_lines(text, 2, COMMENT_MARKS), "", ""][:2]
        is_blank = first[:1].isspace() and not second[:1].isspace()  # above the names of options
        corner = [""] if is_blank and len(second.split()) == len(first.split()) + 1 else []
        for line in lines:
            yield Line(lines.number, [*corner, *line.split()])
            corner = []
    elif not separator:
        for line in lines:
            words = _BETWEEN.split(line.strip())
            if found := _NAMED_ROW.fullmatch(line):
                words = [found[1], *found[2]]
            yield Line(lines.number, words if len(words) > 1 else [*words[0]])
    elif separator == "|":
        bars = Lines(text, "")  # a bar is no comment
        rows = [(bars.number, line.strip()) for line in bars if not _RULE.fullmatch(line)]
        has_left = all(line[0] == "|" for _, line in rows)
        for number, line in rows:
            fields = [part.strip().replace("\\|", "|") for part in _BAR.split(line)]
            yield Line(number, fields[has_left:])
    else:
        whole_lines = io.StringIO(text, newline="")
        reader = csv.reader(
            ("" if line.startswith(COMMENT_MARKS) else line for line in whole_lines),
            delimiter=separator,
            skipinitialspace=separator != "\t",
            strict=True,
        )
        try:
            for row in reader:
                if row and row != [""]:
                    yield Line(reader.line_num, list(map(str.strip, row)))
        except csv.Error as error:
            lines.number = reader.line_num
            raise ValueError(f"not valid CSV: {error}") from None


def _find_separator(text: str) -> str | None:
    """Return the mark that is most frequent in each of the first lines, or None for spaces.

    It is empty if a line of names or of digits below them is a single word.
    """
    if _has_markdown_header(text):
        return "|"
    top = [_BETWEEN.split(line.strip()) for line in first_lines(text, 2, COMMENT_MARKS)]
    if _has_named_rows(text) or (has_digit_rows(text) and min(map(len, top)) == 1):
        return ""
    head = [line for line in first_lines(text, 4, COMMENT_MARKS) if not is_border(line)][:2]
    samples = [re.sub('"[^"]*"', "", line) for line in head] or ["|"]
    counts = {mark: min(line.count(mark) for line in samples) for mark in ",;\t|"}
    separator = max(counts, key=lambda mark: counts[mark])
    return separator if counts[separator] else None


def _has_markdown_header(text: str) -> bool:
    """Return whether a rule between bars is below the first line with bars, after other lines."""
    above = header = ""
    for line in first_lines(text, N_LINES):
        if _MARKDOWN_RULE.fullmatch(line):
            return "|" in header and "|" not in above
        above, header = header, line
    return False


def _has_named_rows(text: str) -> bool:
    """Return whether each line has a name and digits that are no number, as in `A 011`."""
    rows = [*map(_NAMED_ROW.fullmatch, first_lines(text, N_LINES, COMMENT_MARKS))]
    digits = [row[2] for row in rows if row is not None]
    is_whole = len(digits) == len(rows) > 1 == len({*map(len, digits)})
    return is_whole and any(row[0] == "0" for row in digits)


def has_digit_rows(text: str) -> bool:
    """Return whether a text has rows of 0 and 1 below a line of letters, or of other numbers.

    Below numbers, a row has two 1, and so is none of a Sudoku.

    >>> texts = "abc\\n101\\n", "1 2 3\\n0 1 1\\n", "1 2 3\\n0 1 0\\n", "Grid 01\\n003\\n"
    >>> [has_digit_rows(text) for text in texts]
    [True, True, False, False]
    """
    head = first_lines(text, N_LINES, COMMENT_MARKS)
    titles, *rows = [_BETWEEN.sub("", line) for line in head] or [""]
    is_header = re.search(r"[^\W\d_]", titles) or any(row.count("1") > 1 for row in rows)
    return bool(titles.strip("01") and is_header) and {"1"} <= {*"".join(rows)} <= {"0", "1"}


def looks_like_table(text: str) -> bool:
    """Return whether a text starts with the names of the items, and with an option.

    At least half of the cells are valid; if only spaces separate them, all of them are.
    """
    separator = _find_separator(text)
    has_rule = any(map(_RULE.fullmatch, first_lines(text, 2))) or _has_markdown_header(text)
    if (separator == "|" and has_rule) or separator == "" or has_digit_rows(text):
        return True
    try:
        rows = read_lines(text, Lines(text, "", COMMENT_MARKS))
        header, row = (line.fields for line in islice(rows, 2))
    except ValueError:  # there is only one line, or it is not valid CSV
        return text.lstrip().startswith((",", ";"))
    if len(row) < 2 or (is_cell(header[0]) and header[0] and _is_row(header)):
        return False
    n_cells = sum(map(is_cell, row[1:]))
    if separator is None:
        has_width = len(header) in (len(row) - 1, len(row))
        is_numbered = not header[0] or (len(header) < len(row) and not row[0].isdigit())
        is_row = n_cells + sum(map(is_cost, header)) >= len(row) - 1
        return is_row and has_width and (is_numbered or not is_cell(header[0]))
    return 2 * n_cells >= len(row) - 1


def is_cost(title: object) -> bool:
    """Return whether a title could be that of costs, or of an item."""
    return str(title).lower() in ("cost", "costs")


def _width(fields: list[str]) -> int:
    """Return the number of fields without empty ones at the end."""
    return max((k for k, field in enumerate(fields, 1) if field), default=0)


def is_cell(field: str) -> bool:
    """Return whether a field can be a cell of a table."""
    return field in _CELL_VALUES or field.startswith(":")


def _is_row(fields: list[str]) -> bool:
    """Return whether the first line is an option instead of the names of the items."""
    return len(fields) > 1 and fields[0] != "" and all(map(is_cell, fields[1:]))
