"""The matrix of an exact cover problem as a picture."""

from collections.abc import Collection

from ..kernels.problem import Problem
from .io.drawing import mark_colors
from .names import Names, as_text, marked_rows

MAX_PICTURE = 64  # items or options of a problem that notebooks show as a picture


def draw_problem(problem: Problem, names: Names, chosen: Collection[int] = ()) -> str:
    """Return an SVG document of the matrix, with the chosen options marked.

    Raises ValueError if there are too many entries.
    """
    from ..svg.matrix import matrix_picture  # only notebooks need pictures

    items, colors, options = ([as_text(name) for name in each] for each in names)
    rows = marked_rows(problem, mark_colors(colors))
    return matrix_picture("An exact cover problem", items, problem.n_primary, rows, chosen, options)


def tabulate(problem: Problem, names: Names, picture: str | None) -> str:
    """Return the size of a problem as a table in HTML, and below it a picture if there is one."""
    from ..svg.html import facts, scrollable  # only notebooks need HTML

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
