"""Pictures of Sudoku boards."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from .document import Svg
from .grid import Grid


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
    n, rules = box_rows * box_columns, rules or {}
    cells = list(product(range(n), repeat=2))
    boxes = [f"{r // box_rows},{c // box_columns}" for r, c in cells]
    regions = zip(cells, map(str, rules.get("regions") or boxes), strict=True)
    given = [pair for pair in zip(cells, givens, strict=True) if pair[1] != "."]
    solved = [pair for pair in zip(cells, solution or "." * n * n, strict=True) if pair[1] != "."]
    others = tuple(pair for pair in solved if pair not in given)
    grid = Grid(
        title,
        (others,),
        tuple(cells),
        givens=tuple(given),
        regions=tuple(regions),
        shaded=tuple(cell for cell, _ in given) if is_shaded else (),
        rules=tuple(rules.items()),
        box=(box_rows, box_columns),
    )
    return grid.svg([0] if others else [])
