"""Draw problems and covers: their pictures, or tables of names, or matrices on request."""

from collections.abc import Collection, Sequence
from contextlib import suppress

from ..pictures.document import Svg
from ..runtime.text import plural, shorten
from .named_problem import NamedProblem
from .names import as_text, join_names, list_option, mark_colors, marked_rows, names_of
from .penalties import option_cost

MAX_OPTIONS = 40  # rows of a table
MAX_LENGTH = 60  # characters in a cell
MAX_DRAWN = 20_000  # options of a problem whose picture a notebook shows


def draw(named: NamedProblem, chosen: Collection[int] | None = None) -> Svg:
    """Return a problem, or a cover of it, as an SVG document.

    Raises ValueError if its view is a matrix that has too many entries for a picture.
    """
    picture = named.drawing
    if picture is not None:
        return picture.svg(named.selected.given if chosen is None else chosen)
    problem = named.problem
    names = named.names
    if named.view == "matrix":
        from ..pictures.matrix import matrix_picture  # most problems are not drawn

        items, colors, options = ([*map(as_text, listed)] for listed in names[:3])
        rows = marked_rows(problem, mark_colors(colors))
        title = "An exact cover problem"
        n_primary = problem.n_primary
        return matrix_picture(title, items, n_primary, rows, chosen or (), options)
    from ..pictures.table import table_picture

    numbers = range(problem.n_options) if chosen is None else sorted(chosen)
    header, table = tabulate(named, numbers[:MAX_OPTIONS])
    n_left = len(numbers) - len(table)
    note = f"… {plural(n_left, 'more option')}" if n_left else ""
    title = "An exact cover problem" if chosen is None else "A cover"
    return table_picture(title, header, table, note)


def tabulate(named: NamedProblem, options: Sequence[int]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a table of options: numbers, names, items and costs."""
    names = named.names
    costs = named.problem.cost
    is_named = names.has_options  # otherwise, names and items are equal
    rows = []
    for number, name in zip(options, names_of(named.problem, names, options), strict=True):
        texts = [as_text(name)]
        if names.table is not None:
            texts = [as_text(column[number]) for column in names.table.columns.values()]
        elif is_named:
            texts.append(join_names(list_option(named.problem, names, number)))
        row = [f"{number}", *(shorten(text, MAX_LENGTH) for text in texts)]
        if names.table is None and costs is not None:
            row.append(f"{option_cost(named.problem, names, number):,}")
        rows.append(row)
    if names.table is not None:
        return ["number", *map(as_text, names.table.columns)], rows
    header = ["number", "option"]
    if is_named:
        header.append("items")
    if costs is not None:
        header.append("cost")
    return header, rows


def describe(named: NamedProblem) -> str:
    """Return HTML with the size of a problem, and below it a picture or some of its options."""
    from ..pictures.html import facts, scrollable  # only notebooks need HTML

    problem = named.problem
    colors = len(named.names.colors)
    items = "items to cover" if problem.n_secondary else "items"
    rows = [("options", f"{problem.n_options:,}"), (items, f"{problem.n_primary:,}")]
    further = {
        "optional items": problem.n_secondary,
        "entries": len(problem.items),
        "colors": colors,
    }
    rows += [(name, f"{number:,}") for name, number in further.items() if number]
    if problem.low is not None:
        rows.append(("multiplicities", "yes"))
    if problem.cost is not None:
        rows.append(("costs", "yes"))
    drawn = ""
    if problem.n_options <= MAX_DRAWN:
        with suppress(ValueError):  # the matrix is too large for a picture
            drawn = scrollable(draw(named))
    return facts(rows) + drawn
