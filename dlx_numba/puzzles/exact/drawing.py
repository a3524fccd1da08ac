"""The 0/1 matrix of an exact cover problem, drawn as text."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...cover.models import list_totals
from ...cover.names import Names, mark_colors, marked_rows
from ...kernels.problem import Problem, select_items, select_options
from ...runtime.text import plural, shorten
from .notation import multiplicity_prefixes, quote_name, quote_option_names

MAX_NAME_LENGTH = 16  # if the width of a drawing is limited


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
    names, which are listed below the matrix, before the totals. The cost of an option is at the end
    of its row.

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
        The drawing. If it is abridged, each gap is marked by an ellipsis.

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
    >>> from dlx_numba import ExactCover
    >>> small = ExactCover([["a", ("t", 2)], ["a", ("t", 3)]], totals={"t": (None, 2)})
    >>> print(draw_matrix(small.problem, small._stated.names))
        a
        2
    ------
    0 | 1
    1 | 1
    total t, at most 2: 2 × 0, 3 × 1
    >>> matrix = encode_options([["a"], ["c"]], ["a", "b", "c"], [])
    >>> print(draw_matrix(*matrix, width=6, max_rows=1))
        ab
        10
    ------
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
    separator = " "
    bar = "|"
    n_drawn = n_items
    if width is not None:
        n_columns = width - (label_width + 3 + max(map(len, costs), default=0))
        has_bar = problem.n_secondary > 0
        if 2 * (n_items + has_bar) - 1 > n_columns:
            separator = ""
            bar = " | "
            n_drawn = min(n_items, max(1, n_columns - len(bar) * has_bar))
    drawn = select_options(problem, np.arange(len(labels)))
    drawn = select_items(drawn, np.arange(n_drawn))
    titles, colors = ([*map(quote_name, each)] for each in (names.items[:n_drawn], names.colors))
    if width is not None:
        titles = _truncate(titles)

    def draw_line(label: str, cells: Sequence[str]) -> str:
        parts = list(cells)
        if drawn.n_primary < n_drawn:
            parts.insert(drawn.n_primary, bar)
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
    rule_width = 1 + max(map(len, [*lines, *body]), default=label_width + 2)
    lines += ["-" * min(rule_width, width or rule_width), *body]
    lines += _left_out(problem.n_options - len(labels), "option")
    lines += _left_out(n_items - n_drawn, "item")
    legend = [f"{mark}: {name}" for mark, name in zip(marks, colors, strict=True) if mark != name]
    n_left_out = 0 if max_rows is None else len(legend) - max_rows
    below = [*legend[:max_rows], *_left_out(n_left_out, "color"), *_totals(problem, names, start)]
    return "\n".join([*lines, *(shorten(each, width or len(each)) for each in below)])


def _totals(problem: Problem, names: Names, start: int) -> Iterator[str]:
    """Yield the limits of each total, and the weights of the options by their names or numbers."""
    labels = quote_option_names(names, start)
    for name, (low, high, pairs) in zip(names.totals, list_totals(problem), strict=True):
        limits = f"at most {high}" if low is None else f"at least {low}"
        if low is not None and high is not None:
            limits = str(low) if low == high else f"{low} to {high}"
        weights = ", ".join(f"{weight} × {labels[option]}" for option, weight in pairs)
        yield f"total {quote_name(name)}, {limits}: {weights}"


def _transpose(texts: Sequence[str], align_bottom: bool) -> list[list[str]]:
    """Return lines in which each text is a column, aligned at the top or at the bottom."""
    height = max(map(len, texts), default=0)
    padded = [text.rjust(height) if align_bottom else text.ljust(height) for text in texts]
    return [[text[k] for text in padded] for k in range(height)]


def _truncate(names: Sequence[str]) -> list[str]:
    """Return the names, shortened to `MAX_NAME_LENGTH` characters."""
    return [shorten(name, MAX_NAME_LENGTH) for name in names]


def _left_out(number: int, noun: str) -> list[str]:
    """Return the line that says how many parts are not drawn, if there are any."""
    return [f"… {plural(number, f'more {noun}')}"] if number > 0 else []
