"""The 0/1 matrix of an exact cover problem, drawn as text or as a picture."""

import re
from collections.abc import Collection, Sequence
from itertools import chain, count, islice
from string import ascii_lowercase, ascii_uppercase

import numpy as np

from ...kernels.problem import Problem, restrict
from ...runtime.text import plural, shorten
from ..encode import Statement
from ..names import Names, as_text, marked_rows
from .notation import Lines, multiplicity_prefixes, quote_name, quote_option_names
from .table import COST_TITLE, Line, read_rows

MAX_PICTURE = 64  # items or options of a problem that notebooks show as a picture
MAX_NAME_LENGTH = 16  # if the width of a drawing is limited
MAX_BLANK, MIN_LINEAR = 10, 1_000_000  # characters above the columns, in relation to all of a text

_RULE = re.compile(r"-{4,}\s*")
_ROW = r"(?:…|[^\S\n]*[^\s|][^\n|]* \|(?=\s|$))"
_DRAWING = re.compile(rf"(?:(?: {{4}}[^\n]*|\r)?\n)*-{{4,}}(?:[ \t\r]*\n+{_ROW}|\s*$)")


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
    labels = quote_option_names(names._replace(options=names.options[:max_rows]), start)
    if width is not None:
        labels = _truncate(labels)
    costs = [""] * problem.n_options
    if problem.cost is not None:
        costs = [f" |{names.scale.stated(cost)}" for cost in problem.cost.tolist()]
    label_width = max(map(len, labels), default=1)
    separator, n_drawn = " ", n_items
    if width is not None:
        margin = label_width + 3 + max(map(len, costs), default=0)
        n_columns = width - margin - 2 * (problem.n_secondary > 0)
        if 2 * n_items - 1 > n_columns:
            separator, n_drawn = "", min(n_items, max(1, n_columns))
    is_drawn = np.arange(n_items) < n_drawn
    drawn_options = np.arange(problem.n_options) < len(labels)
    drawn, _, _ = restrict(problem, drawn_options, is_drawn[problem.items], is_drawn)
    titles, colors = (
        [quote_name(name) for name in each] for each in (names.items[:n_drawn], names.colors)
    )
    if width is not None:
        titles = _truncate(titles)

    def draw_line(label: str, cells: Sequence[str]) -> str:
        parts = list(cells)
        if drawn.n_primary < n_drawn:
            parts.insert(drawn.n_primary, "|" if separator else " | ")
        return f"{label} {separator.join(parts)}".rstrip()

    sizes = np.bincount(problem.items, minlength=n_items)[:n_drawn].tolist()
    header = _transpose(multiplicity_prefixes(drawn) + [""] * drawn.n_secondary, align_bottom=True)
    header += _transpose(titles, align_bottom=False)
    header += _transpose(list(map(str, sizes)), align_bottom=True)
    lines = [draw_line(" " * (label_width + 2), cells) for cells in header]

    marks = mark_colors(colors)
    body = []
    for number, (label, row) in enumerate(zip(labels, marked_rows(drawn, marks), strict=True)):
        cells = ["."] * n_drawn
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

    Examples
    --------
    >>> looks_like_drawing("    a\n    1\n------\n0 | 1\n"), looks_like_drawing("a b\na\nb\n")
    (True, False)
    """
    return _DRAWING.match(text) is not None


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
    (['a', 'b'], {0: ['a', ('s', 'x')], 1: ['b']}, [3, 0])
    """
    header: list[str] = []
    rows: list[Line] = []
    names: list[str] = []
    colors: dict[str, str] = {}
    layout, is_header = "", True
    with Lines(text, source) as lines:
        for lines.number, line in enumerate(text.splitlines(), 1):
            label, bar, cells = line.rstrip().partition("|")
            if "…" in line:
                reason = "the drawing is abridged; `show --full` draws the complete matrix"
                raise ValueError(reason)
            if is_header and (is_header := _RULE.fullmatch(line) is None):
                header.append(line)
                layout = "..|" + line[3:]  # of a matrix without options
            elif bar:
                cells, *cost = re.split(r" \|(?=[0-9]+$)", cells)
                layout = layout if names else f"{'.' * len(label)}|{cells}"
                names.append(label.strip())
                rows.append(Line(lines.number, [*re.sub("[ |]", "", cells), *cost]))
            elif legend := re.fullmatch(r"(\S): (.+)", label):
                colors[legend[1]] = legend[2]
            elif label and not _RULE.fullmatch(line):
                raise ValueError(f"expected an option or a color, not {label!r}")
        left, _, cells = layout.partition("|")
        columns = [k for k, mark in enumerate(cells, len(left) + 1) if mark not in " |"]
        n_primary = len(re.sub(" ", "", cells.partition("|")[0]))
        has_costs = any(len(row.fields) > len(columns) for row in rows)
        for lines.number, fields in rows:
            if len(fields) != len(columns) + has_costs:
                raise ValueError("the row has other columns than the first one")
            for k in range(n_primary, len(columns)):
                if fields[k] not in "1.":
                    fields[k] = f":{colors.get(fields[k], fields[k])}"
        lines.number = len(header)
        if len(header) * len(columns) > max(len(text), MIN_LINEAR) * MAX_BLANK:
            raise ValueError("the names of the items are mostly blank")
        sizes = [str(sum(row.fields[k] != "." for row in rows)) for k in range(len(columns))]
        n_above = max(0, len(header) - max(map(len, sizes), default=0))
        titles: list[str] = []
        for k, size in enumerate(sizes):
            column = "".join(line[columns[k] : columns[k] + 1] or " " for line in header)
            titles.append("|" * (k >= n_primary) + column[:n_above].strip())
            if column[n_above:].strip() != size:
                reason = f"the drawing does not state that {size} options contain it"
                raise ValueError(f"item {column[:n_above].strip()!r}: {reason}")
        return read_rows(Line(1, titles + [COST_TITLE] * has_costs), rows, names, lines)


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
    from ...pictures.matrix import matrix_picture  # only notebooks need pictures

    items, colors, options = ([as_text(name) for name in each] for each in names[:3])
    rows = marked_rows(problem, mark_colors(colors))
    return matrix_picture("An exact cover problem", items, problem.n_primary, rows, chosen, options)


def tabulate(problem: Problem, names: Names, picture: str | None) -> str:
    """Return the size of a problem as a table in HTML, and below it a picture if there is one."""
    from ...pictures.html import facts, scrollable  # only notebooks need HTML

    items = "items to cover" if problem.n_secondary else "items"
    rows = [("options", f"{problem.n_options:,}"), (items, f"{problem.n_primary:,}")]
    further = {
        "optional items": problem.n_secondary,
        "entries": len(problem.items),
        "colors": len(names.colors),
    }
    rows += [(name, f"{number:,}") for name, number in further.items() if number]
    rows += [("multiplicities", "yes")] * (problem.low is not None)
    rows += [("costs", "yes")] * (problem.cost is not None)
    return facts(rows) + (scrollable(picture) if picture else "")
