"""The 0/1 matrix of an exact cover problem, drawn as text."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

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
    >>> print(draw_matrix(small.problem, small._named.names))
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
    labels = quote_option_names(names._replace(options=names.options[:max_rows]), start)
    titles, colors = ([*map(quote_name, each)] for each in (names.items, names.colors))
    if width is not None:
        labels, titles = (
            [shorten(text, MAX_NAME_LENGTH) for text in texts] for texts in (labels, titles)
        )
    costs = [""] * problem.n_options
    if problem.cost is not None:
        costs = [f" |{names.scale.unscale(cost)}" for cost in problem.cost.tolist()]
    label_width = max(map(len, labels), default=1)
    columns = _Columns(problem.n_items, problem.n_primary)
    if width is not None:
        columns = columns.fit(width - (label_width + 3 + max(map(len, costs), default=0)))
    n_drawn = columns.n_drawn
    # Only the first options and items are drawn; the sizes of items count all options.
    drawn = select_options(problem, np.arange(len(labels)))
    drawn = select_items(drawn, np.arange(n_drawn))

    sizes = problem.sizes[:n_drawn].tolist()
    header = _transpose(multiplicity_prefixes(drawn) + [""] * drawn.n_secondary, align_bottom=True)
    header += _transpose(titles[:n_drawn], align_bottom=False)
    header += _transpose(list(map(str, sizes)), align_bottom=True)
    lines = [columns.line(" " * (label_width + 2), cells) for cells in header]

    marks = mark_colors(colors)
    body = []
    for number, (label, row) in enumerate(zip(labels, marked_rows(drawn, marks), strict=True)):
        cells = ["."] * n_drawn
        for item, mark in row:
            cells[item] = mark
        is_number = names.options[number] == number  # the option has no other name
        label = label.rjust(label_width) if is_number else label.ljust(label_width)
        body.append(columns.line(f"{label} |", cells) + costs[number])
    rule_width = 1 + max(map(len, [*lines, *body]), default=label_width + 2)
    lines += ["-" * min(rule_width, width or rule_width), *body]
    lines += _left_out(problem.n_options - len(labels), "option")
    lines += _left_out(problem.n_items - n_drawn, "item")
    legend = [f"{mark}: {name}" for mark, name in zip(marks, colors, strict=True) if mark != name]
    n_left_out = 0 if max_rows is None else len(legend) - max_rows
    below = [*legend[:max_rows], *_left_out(n_left_out, "color"), *_totals(problem, names, start)]
    return "\n".join([*lines, *(shorten(each, width or len(each)) for each in below)])


class _Columns(NamedTuple):
    """The columns that are drawn, those of primary items first, and what separates them."""

    n_drawn: int
    n_primary: int
    separator: str = " "
    bar: str = "|"

    def fit(self, width: int) -> "_Columns":
        """Return as many of the columns as fit into a width, if necessary without spaces."""
        has_bar = self.n_primary < self.n_drawn
        # Columns and the bar are one character wide, with spaces between them.
        if 2 * (self.n_drawn + has_bar) - 1 <= width:
            return self
        bar = " | "
        n_fitting = max(1, width - (len(bar) if has_bar else 0))
        return _Columns(min(self.n_drawn, n_fitting), self.n_primary, "", bar)

    def line(self, label: str, cells: Sequence[str]) -> str:
        """Return a line with a label and the text in each column."""
        parts = list(cells)
        if self.n_primary < self.n_drawn:
            parts.insert(self.n_primary, self.bar)
        return f"{label} {self.separator.join(parts)}".rstrip()


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


def _left_out(number: int, noun: str) -> list[str]:
    """Return the line that says how many parts are not drawn, if there are any."""
    return [f"… {plural(number, f'more {noun}')}"] if number > 0 else []
