"""Boards with text or symbols in their cells."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import product
from typing import Any

from ..runtime.text import plural
from .document import Svg
from .plane import area, line, plane_picture, square, word
from .rules import ground_elements, mark_elements

Cell = tuple[int, int]  # (row, column)


def board_elements(
    n_rows: int, n_columns: int, shaded: Collection[Cell] = (), ground: Sequence[str] = ()
) -> list[str]:
    """Return the elements of an empty board: shaded cells, `ground`, thin lines and the frame."""
    across = [[(0, r), (n_columns, r)] for r in range(1, n_rows)]
    down = [[(c, 0), (c, n_rows)] for c in range(1, n_columns)]
    shades = [area([square(*cell) for cell in sorted(shaded)], class_="shade")] if shaded else []
    corners = [(0, 0), (n_columns, 0), (n_columns, n_rows), (0, n_rows)]
    frame = area([corners], class_="rule", fill="none")
    return [*shades, *ground, line([*across, *down], class_="thin"), frame]


def board_picture(
    title: str,
    description: str,
    texts: Sequence[Sequence[str]],
    *,
    regions: Sequence[Sequence[Hashable]] = (),
    shaded: Collection[Cell] = (),
    given: Collection[Cell] | None = None,
    size: float = 0.5,
    ground: Sequence[str] = (),
    marks: Sequence[str] = (),
) -> Svg:
    """Return a picture of a board.

    Parameters
    ----------
    title, description
        Plain text for screen readers.
    texts
        The text of each cell, by rows; "" for an empty cell.
    regions
        The region of each cell, by rows. Thick lines separate different regions.
    shaded
        The cells with a shaded background.
    given
        Text in these cells is bold, and text in all others is colored. If None, all cells look
        alike.
    size
        The font size, in sides of a cell.
    ground, marks
        Further elements, below and above the lines.

    Returns
    -------
    Picture
        An SVG document.
    """
    n_rows, n_columns = len(texts), len(texts[0])
    elements = board_elements(n_rows, n_columns, shaded, ground)
    if regions:
        elements.append(line(_region_borders(regions), class_="rule"))
    elements += marks
    for r, c in product(range(n_rows), range(n_columns)):
        if texts[r][c]:
            class_ = "" if given is None else "strong" if (r, c) in given else "one"
            elements.append(word(texts[r][c], (c + 0.5, r + 0.5), size, class_))
    return plane_picture(title, description, [(0, 0), (n_columns, n_rows)], elements)


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
    Picture
        An SVG document.
    """
    n = box_rows * box_columns
    symbols = [symbol.strip(".") for symbol in solution or givens]
    given = {divmod(cell, n) for cell, symbol in enumerate(givens) if symbol != "."}
    is_solved = len(given) < n * n and all(symbols)
    rules = rules or {}
    regions = rules.get("regions") or [
        (r // box_rows, c // box_columns) for r, c in product(range(n), repeat=2)
    ]
    return board_picture(
        title,
        f"A {n}×{n} board with {plural(len(given), 'given')}{', solved' if is_solved else ''}.",
        [symbols[start : start + n] for start in range(0, n * n, n)],
        regions=[regions[start : start + n] for start in range(0, n * n, n)],
        shaded=given if is_shaded else (),
        given=given,
        ground=ground_elements(rules, box_rows, box_columns),
        marks=mark_elements(rules, n),
    )


def _region_borders(regions: Sequence[Sequence[Hashable]]) -> list[list[Cell]]:
    """Return the sides between cells of different regions, as pairs of points (x, y)."""
    cells = list(product(range(len(regions)), range(len(regions[0]))))
    across = [[(c, r), (c + 1, r)] for r, c in cells if r and regions[r][c] != regions[r - 1][c]]
    down = [[(c, r), (c, r + 1)] for r, c in cells if c and regions[r][c] != regions[r][c - 1]]
    return across + down
