"""The matrix of an exact cover problem as a picture."""

from collections.abc import Collection
from itertools import pairwise

import numpy as np

from ..kernels.problem import Problem
from .io.drawing import mark_colors
from .io.named import as_text
from .problem import CoverProblem

MAX_PICTURE = 64  # items or options of a problem that notebooks show as a picture


def marked_rows(problem: Problem, marks: list[str]) -> list[list[tuple[int, str]]]:
    """Return the item numbers of each option, from 0, with "1" or the mark of the color.

    `marks` has a character for each color; see `mark_colors`.
    """
    items, colors = problem.items, problem.color
    if colors is None:
        colors = np.zeros(len(items), np.int32)
    texts = ["1", *marks]
    nodes = zip(items.tolist(), colors.tolist(), strict=True)
    entries = [(item, texts[color]) for item, color in nodes]
    return [entries[i:j] for i, j in pairwise(problem.indptr.tolist())]


def draw_problem(problem: CoverProblem, chosen: Collection[int] = ()) -> str:
    """Return an SVG document of the matrix, with the chosen options marked.

    Raises ValueError if there are too many entries.
    """
    from ..svg.matrix import matrix_picture  # only notebooks need pictures

    arrays, names = problem.arrays, problem.names
    option_names = names.option_names or range(arrays.n_options)
    colors = [as_text(color) for color in names.colors]
    return matrix_picture(
        "An exact cover problem",
        [as_text(item) for item in names.items],
        arrays.n_primary,
        marked_rows(arrays, mark_colors(colors)),
        chosen,
        [as_text(name) for name in option_names],
    )
