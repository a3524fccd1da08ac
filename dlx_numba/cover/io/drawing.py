"""The 0/1 matrix of an exact cover problem, drawn as text or as a picture."""

import re
from collections.abc import Collection, Sequence
from itertools import chain, count, islice
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np

from ...kernels.problem import Problem
from ...runtime.errors import FormatError, located
from ...runtime.text import plural, shorten
from ..encode import Statement
from ..names import Names, as_text, marked_rows
from .notation import (
    multiplicity_prefixes,
    name_options,
    parse_items,
    quote_name,
    quote_option_names,
    unquote_name,
)

MAX_PICTURE = 64  # items or options of a problem that notebooks show as a picture
MAX_NAME_LENGTH = 16  # if the width of a drawing is limited

_RULE = re.compile(r"-{4,}\s*")


def draw_matrix(
    problem: Problem,
    names: Names,
    *,
    width: int | None = None,
    max_rows: int | None = None,
    start: int = 0,
) -> str:
    """Draw a problem as lines of text, the last one without a line end.

    A row starts with the name or the number of its option. The names of items are written
    vertically, below their multiplicities in Knuth's notation; below each is the number of options
    that contain the item. A bar separates the secondary items. Letters stand for colors with longer
    names, which are listed below the matrix. The cost of an option is at the end of its row.

    Parameters
    ----------
    problem : Problem
    names : Names
        Names that would be confused with this notation are drawn as JSON strings.
    width : int, optional
        Maximum width of the matrix in characters; further items are left out, and long names are
        truncated.
    max_rows : int, optional
        Maximum number of options, and of colors below the matrix; the others are left out.
    start : int, default: 0
        The number of the first option.

    Returns
    -------
    str
        The drawing. If it is abridged, each gap is marked by an ellipsis; otherwise,
        `parse_drawing` can read it.

    Examples
    --------
    >>> from dlx_numba.cover.encode import encode_options
    >>> print(draw_matrix(*encode_options([["a", ("s", "x")], ["b1"]], None, ["s"])))
        a b | s
          1 |
        1 1 | 1
    ------------
    0 | 1 . | x
    1 | . 1 | .
    >>> matrix = encode_options([["a"], ["c"]], ["a", "b", "c"], [])
    >>> print(draw_matrix(*matrix, width=6, max_rows=1))
        ab
        10
    -------
    0 | 1.
    … 1 more option
    … 1 more item
    """
    n_items = problem.n_items
    labels = quote_option_names(names, start)[:max_rows]
    titles, colors = ([quote_name(name) for name in each] for each in (names.items, names.colors))
    if width is not None:
        labels, titles = _truncate(labels), _truncate(titles)
    costs = [""] * problem.n_options
    if problem.cost is not None:
        costs = [f" |{cost}" for cost in problem.cost.tolist()]
    label_width = max(map(len, labels), default=1)
    separator, n_drawn = " ", n_items
    if width is not None:
        margin = label_width + 3 + max(map(len, costs), default=0)
        n_columns = width - margin - 2 * (problem.n_secondary > 0)
        if 2 * n_items - 1 > n_columns:
            separator, n_drawn = "", min(n_items, max(1, n_columns))

    def draw_line(label: str, cells: Sequence[str]) -> str:
        parts = list(cells[:n_drawn])
        if problem.n_primary < n_drawn:
            parts.insert(problem.n_primary, "|" if separator else " | ")
        return f"{label} {separator.join(parts)}".rstrip()

    sizes = np.bincount(problem.items, minlength=n_items).tolist()
    header = _transpose(
        multiplicity_prefixes(problem) + [""] * problem.n_secondary, align_bottom=True
    )
    header += _transpose(titles, align_bottom=False)
    header += _transpose(list(map(str, sizes)), align_bottom=True)
    lines = [draw_line(" " * (label_width + 2), cells) for cells in header]

    marks = mark_colors(colors)
    body = []
    for number, (label, row) in enumerate(zip(labels, marked_rows(problem, marks), strict=False)):
        cells = ["."] * n_items
        for item, mark in row:
            cells[item] = mark
        is_number = names.options[number] == number
        label = label.rjust(label_width) if is_number else label.ljust(label_width)
        body.append(draw_line(f"{label} |", cells) + costs[number])
    rule_width = max(map(len, [*lines, *body]), default=label_width + 2)
    lines += ["-" * (rule_width + 1), *body]
    lines += _left_out(problem.n_options - len(labels), "option")
    lines += _left_out(n_items - n_drawn, "item")
    legend = [f"{mark}: {name}" for mark, name in zip(marks, colors, strict=True) if mark != name]
    n_left_out = 0 if max_rows is None else len(legend) - max_rows
    return "\n".join([*lines, *legend[:max_rows], *_left_out(n_left_out, "color")])


def mark_colors(names: Sequence[str]) -> list[str]:
    """Return a character for each color: its name if possible for all colors, otherwise a letter.

    Examples
    --------
    >>> mark_colors(["x", "y"]), mark_colors(["x", "red"])
    (['x', 'y'], ['A', 'B'])
    """
    if len(set(names)) == len(names) and all(len(n) == 1 and n not in "01." for n in names):
        return list(names)
    letters = filter(
        str.isalpha, chain(ascii_uppercase, ascii_lowercase, map(chr, count(ord("À"))))
    )
    return list(islice(letters, len(names)))


def looks_like_drawing(text: str) -> bool:
    r"""Return whether the text looks like a drawing by `draw_matrix`.

    This is false for all valid problems in Knuth's format.

    Examples
    --------
    >>> looks_like_drawing("    a\n    1\n------\n0 | 1\n"), looks_like_drawing("a b\na\nb\n")
    (True, False)
    """
    if not re.match(r"\s*?(?: {4}|-{4})", text):
        return False
    lines = [line for line in text.splitlines() if line.strip()]
    rule = next((k for k, line in enumerate(lines) if _RULE.fullmatch(line)), None)
    if rule is None or not all(line.startswith("    ") for line in lines[:rule]):
        return False
    if rule + 1 == len(lines) or lines[rule + 1].startswith("…"):
        return True
    row = re.match(r"\s*[^\s|][^|]* \|(?= |$)", lines[rule + 1])
    return row is not None and not any(line[: row.end()].strip() for line in lines[:rule])


def parse_drawing(text: str, source: str = "<text>") -> Statement:
    r"""Parse a problem that `draw_matrix` has drawn completely.

    Parameters
    ----------
    text : str
        The drawing.
    source : str, optional
        Name of the text for error messages.

    Raises
    ------
    FormatError
        If the drawing is abridged or damaged; names the source and the line.

    Examples
    --------
    >>> text = "    a b | s\n    1 1 | 1\n----\n0 | 1 . | x |3\n1 | . 1 | . |0\n"
    >>> problem = parse_drawing(text)
    >>> problem.items, problem.options, problem.costs
    (['a', 'b'], [['a', ('s', 'x')], ['b']], [3, 0])
    """
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if "…" in line:
            reason = "the drawing is abridged; `show --full` draws the complete matrix"
            raise FormatError(source, number, reason)
    rule = next((k for k, line in enumerate(lines) if _RULE.fullmatch(line)), None)
    if rule is None:
        raise FormatError(source, 1, "the line below the names of the items is missing")
    rows, colors = _split_body(lines, rule + 1, source)
    header = lines[:rule]
    if rows:
        left, cells = len(rows[0].label) + 1, rows[0].cells
    else:  # the numbers of options, which are all 0, show where the columns are
        left, cells = 3, header[-1][3:] if header else ""
    columns = [left + k for k, character in enumerate(cells) if character not in " |"]
    n_primary = len(cells.partition("|")[0].replace(" ", ""))
    marks = [_read_marks(row, n_primary, len(columns), source) for row in rows]
    if any(line[:left].strip() for line in header):
        raise FormatError(source, 1, "expected nothing but the names of items above the columns")
    sizes = [sum(line[k] != "." for line in marks) for k in range(len(columns))]
    statement = _read_items(header, columns, sizes, n_primary, source)
    names = [*(statement.items or ()), *statement.secondary]
    options: list[list[Any]] = [
        [
            name if mark == "1" else (name, colors.get(mark, mark))
            for name, mark in zip(names, line, strict=True)
            if mark != "."
        ]
        for line in marks
    ]
    costs = [row.cost for row in rows if row.cost is not None]
    if costs and len(costs) < len(rows):
        number = next(row.line for row in rows if row.cost is None)
        raise FormatError(source, number, "the cost of the option is missing")
    labels, numbers = [row.label.strip() for row in rows], [row.line for row in rows]
    named = name_options(options, labels, numbers, source)
    return statement._replace(options=named, costs=costs or None)


class _Row(NamedTuple):
    """A row of a drawing."""

    line: int  # its number, from 1
    label: str  # the text before the first bar
    cells: str  # the text after it
    cost: int | None


def _split_body(lines: list[str], start: int, source: str) -> tuple[list[_Row], dict[str, str]]:
    """Return the rows of a drawing, and the name of the color that each mark stands for."""
    rows: list[_Row] = []
    colors: dict[str, str] = {}
    for number, line in enumerate(lines[start:], start + 1):
        label, bar, cells = line.rstrip().partition("|")
        if bar:
            if rows and len(label) != len(rows[0].label):
                reason = "the bar after the name of the option is not below the first one"
                raise FormatError(source, number, reason)
            cost = re.search(r" \|([0-9]+)$", cells)
            cells = cells[: cost.start()] if cost else cells
            rows.append(_Row(number, label, cells, int(cost[1]) if cost else None))
        elif legend := re.fullmatch(r"(\S): (.+)", label):
            with located(source, number):
                colors[legend[1]] = unquote_name(legend[2])
        elif label:
            raise FormatError(source, number, f"expected an option or a color, not {label!r}")
    return rows, colors


def _read_marks(row: _Row, n_primary: int, n_items: int, source: str) -> str:
    """Return the characters in the cells of a row, or raise FormatError."""
    left, _, right = row.cells.replace(" ", "").partition("|")
    if (len(left), len(left + right)) != (n_primary, n_items):
        reason = f"the row has {len(left)}+{len(right)} columns, but the first row has "
        raise FormatError(source, row.line, f"{reason}{n_primary}+{n_items - n_primary}")
    if (invalid := re.search(r"[^1.]", left) or re.search("[0|]", right)) is not None:
        raise FormatError(source, row.line, f"expected 1 or . in a cell, not {invalid[0]!r}")
    return left + right


def _read_items(
    header: list[str], columns: list[int], sizes: list[int], n_primary: int, source: str
) -> Statement:
    """Return the items above a drawing and their multiplicities, or raise FormatError.

    Parameters
    ----------
    header : list of str
        The lines above the rule.
    columns : list of int
        The position of each column in a line.
    sizes : list of int
        The number of options that contain each item.
    n_primary : int
        The number of primary items.
    """
    width = max(columns, default=0) + 1
    padded = [line.ljust(width) for line in header]
    above = max(0, len(padded) - max((len(str(size)) for size in sizes), default=0))
    titles, stated = (
        ["".join(line[column] for line in part).strip() for column in columns]
        for part in (padded[:above], padded[above:])
    )
    is_secondary = (k >= n_primary for k in range(len(columns)))
    with located(source, 1):
        statement = parse_items(zip(titles, is_secondary, strict=True), place="column {}: ")
    names = [*(statement.items or ()), *statement.secondary]
    for name, size, text in zip(names, sizes, stated, strict=True):
        if text != str(size):
            reason = f"item {name!r}: the drawing states {text or 'no number of'} options"
            raise FormatError(source, len(header), f"{reason}, but {size} contain it")
    return statement


def _transpose(texts: Sequence[str], align_bottom: bool) -> list[list[str]]:
    """Return lines in which each text is a column, aligned at the top or at the bottom."""
    height = max(map(len, texts), default=0)
    padded = [text.rjust(height) if align_bottom else text.ljust(height) for text in texts]
    return [[text[k] for text in padded] for k in range(height)]


def _truncate(names: Sequence[str]) -> list[str]:
    """Return the names, shortened to `MAX_NAME_LENGTH` characters."""
    return [shorten(name, MAX_NAME_LENGTH) for name in names]


def _left_out(number: int, noun: str) -> list[str]:
    """Return the line that states how many parts are not drawn, if there are any."""
    return [f"… {plural(number, f'more {noun}')}"] if number > 0 else []


def draw_problem(problem: Problem, names: Names, chosen: Collection[int] = ()) -> str:
    """Return an SVG document of the matrix, with the chosen options marked.

    Raises ValueError if there are too many entries.
    """
    from ...svg.matrix import matrix_picture  # only notebooks need pictures

    items, colors, options = ([as_text(name) for name in each] for each in names)
    rows = marked_rows(problem, mark_colors(colors))
    return matrix_picture("An exact cover problem", items, problem.n_primary, rows, chosen, options)


def tabulate(problem: Problem, names: Names, picture: str | None) -> str:
    """Return the size of a problem as a table in HTML, and below it a picture if there is one."""
    from ...svg.html import facts, scrollable  # only notebooks need HTML

    rows = [("options", f"{problem.n_options:,}"), ("primary items", f"{problem.n_primary:,}")]
    further = {
        "secondary items": problem.n_secondary,
        "entries": len(problem.items),
        "colors": len(names.colors),
    }
    rows += [(name, f"{number:,}") for name, number in further.items() if number]
    rows += [("multiplicities", "yes")] * (problem.low is not None)
    rows += [("costs", "yes")] * (problem.cost is not None)
    return facts(rows) + (scrollable(picture) if picture else "")
