"""Pictures of Sudoku boards."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from .document import Svg
from .grid import Grid, Mark

WORDS = (  # of items and options that are no digits in cells
    (r"r\d+c\d+", r"\g<0>"),
    (r"(\w{1,2}) in (\w+ .*)", r"the \1 in \2"),
    (r"cage\d+=(.*)", r"the set \1"),
    (r"conflict,.*|not in .*", ""),
)


def sudoku_picture(
    title: str,
    givens: Sequence[str],
    box_rows: int,
    box_columns: int,
    solution: Sequence[str] | None = None,
    *,
    is_shaded: bool = True,
    rules: Mapping[str, Any] | None = None,
) -> Svg:
    """Return a picture of a Sudoku board with thick lines between its boxes.

    Parameters
    ----------
    title
        Plain text for screen readers.
    givens
        The symbol of each cell, by rows; `.` for an empty cell.
    box_rows, box_columns
        The height and width of a box, in cells.
    solution
        The symbol of each cell of the solved board, `.` for an empty one. If None, only the givens
        are drawn.
    is_shaded
        Whether the cells of givens have a shaded background.
    rules
        Parameters of `SudokuRules` and their values, which are drawn.

    Returns
    -------
    Svg
        An SVG document.
    """
    n = box_rows * box_columns
    cells = board_cells(n)
    given = [mark for mark in zip(cells, givens, strict=True) if mark[1] != "."]
    solved = zip(cells, solution or "." * n * n, strict=True)
    # What the solution adds is the picture's only option.
    added = tuple(mark for mark in solved if mark[1] != "." and mark not in given)
    grid = board_grid(title, (added,), given, box_rows, box_columns, is_shaded, rules or {})
    return grid.svg([0] if added else [])


def board_cells(n_rows: int, n_columns: int = 0) -> list[tuple[int, int]]:
    """Return the cells of a board by rows, from (1, 1); by default, of a square."""
    return list(product(range(1, n_rows + 1), range(1, (n_columns or n_rows) + 1)))


def board_grid(
    title: str,
    marks: Sequence[tuple[Mark, ...]],
    givens: Iterable[Mark],
    box_rows: int,
    box_columns: int,
    is_shaded: bool,
    rules: Mapping[str, Any],
) -> Grid:
    """Return the picture of a board: its givens, what options write, and rules that are drawn.

    `marks` are those of each option, as for `Grid`. `rules` are as for `sudoku_picture`. Sentences
    call the k-th cage by its sum and its first cell, which has the sum in the picture.
    """
    cells, givens = board_cells(box_rows * box_columns), tuple(givens)
    boxes = [f"{(r - 1) // box_rows},{(c - 1) // box_columns}" for r, c in cells]
    # Irregular regions take the place of the boxes.
    regions = zip(cells, map(str, rules.get("regions") or boxes), strict=True)
    cage_words = (
        (f"cage {k}", f"the sum of {total} at {'r{}c{}'.format(*cells[min(inside)])}")
        for k, (total, inside) in enumerate(rules.get("cages", ()), 1)
        if inside
    )
    return Grid(
        title,
        marks,
        cells,
        givens=givens,
        regions=[*regions],
        shaded=[cell for cell, _ in givens if is_shaded],
        rules=tuple(rules.items()),
        box=(box_rows, box_columns),
        words=(*WORDS, *cage_words),
    )
