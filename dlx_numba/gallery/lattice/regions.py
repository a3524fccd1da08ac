"""Regions of squares or triangles: parsed from text, and formatted with the pieces in them."""

import re
from collections.abc import Iterable, Mapping
from itertools import product

from .shapes import LatticePoint, Shape

MAX_CELLS = 1000  # more than all pieces together have
_CORNERS = " ??─?┌┐┬?└┘┴│├┤┼"  # by the sides that meet: 8 up, 4 down, 2 left, 1 right


def parse_squares(text: str) -> Shape:
    """Return a region of squares, whose rows and columns count from 1.

    Parameters
    ----------
    text
        A rectangle `3x20`, a rectangle with a hole in its center `8x8-2x2`, or a drawing: rows of
        `#` for a cell and `.` for none, separated by `/` or newlines.

    Raises
    ------
    ValueError
        If the text is not a valid region.

    Examples
    --------
    >>> sorted(parse_squares("3x3-1x1")) == sorted(parse_squares("###/#.#/###"))
    True
    """
    match = re.fullmatch(r"(\d+)x(\d+)(?:-(\d+)x(\d+))?", text)
    if match is None:
        cells = _parse_drawing(text, "RxC, RxC-RxC (with a hole in the center)")
        return frozenset((r + 1, c + 1) for r, c in cells)
    rows, columns, hole_rows, hole_columns = (int(word or 0) for word in match.groups())
    _check_size(rows * columns, text)
    top, left = rows - hole_rows, columns - hole_columns
    if match[3] and (min(top, left, hole_rows, hole_columns) < 1 or top % 2 or left % 2):
        raise ValueError(f"region {text!r}: a hole of {match[3]}x{match[4]} cannot be centered")
    area = product(range(1, rows + 1), range(1, columns + 1))
    first_row, first_column = top // 2 + 1, left // 2 + 1
    hole = product(
        range(first_row, first_row + hole_rows), range(first_column, first_column + hole_columns)
    )
    return frozenset(area).difference(hole)


def parse_triangles(text: str) -> Shape:
    """Return a region of triangles.

    Parameters
    ----------
    text
        A parallelogram `AxB`, or one without its acute corners, or a drawing.
        In `AxB-C`, a triangle of side C is removed from one acute corner; in `AxB-C-D`, one of
        side D is also removed from the other. So `4x11-4` is a trapezoid, `3x3-3` a triangle and
        `4x4-2-2` a hexagon.
        A drawing has rows of `#` for a triangle and `.` for none, separated by `/` or newlines.
        The first triangle of the first row points down, and adjacent triangles point in
        opposite directions.

    Raises
    ------
    ValueError
        If the text is not a valid region.

    Examples
    --------
    >>> parse_triangles("2x2-1-1") == parse_triangles(".###/.###")
    True
    """
    match = re.fullmatch(r"(\d+)x(\d+)(?:-(\d+))?(?:-(\d+))?", text)
    if match is None:
        forms = "AxB, AxB-C, AxB-C-D (without triangles in the acute corners)"
        return frozenset(map(_drawing_to_triangle, _parse_drawing(text, forms)))
    rows, columns, first, second = (int(word or 0) for word in match.groups())
    _check_size(2 * rows * columns, text)
    if max(first, second) > min(rows, columns) or first + second >= rows + columns:
        raise ValueError(
            f"region {text!r}: the removed corners must not be larger than the sides, "
            "and must leave some triangles"
        )
    return frozenset(
        (y, x)
        for half in (1, 2)
        for y in range(half, 3 * rows, 3)
        for x in range(half, 3 * columns, 3)
        if 3 * first < y + x < 3 * (rows + columns - second)
    )


def format_squares(letters: Mapping[LatticePoint, str]) -> str:
    """Return the letters of the cells as lines of text, with dots for other cells.

    >>> print(format_squares({(0, 1): "a", (1, 1): "b", (1, 2): "b"}))
    a .
    b b
    """
    return format_cells(letters, " ", ".")


def format_triangles(letters: Mapping[LatticePoint, str]) -> str:
    """Return the letters of the triangles as lines of text, with spaces for other triangles.

    >>> print(format_triangles(dict.fromkeys(parse_triangles("2x3"), "a")))
    aaaaaa
     aaaaaa
    """
    drawing = {_triangle_to_drawing(cell): letter for cell, letter in letters.items()}
    return format_cells(drawing, "", " ")


def reading_order(region: Iterable[LatticePoint]) -> list[LatticePoint]:
    """Return triangles row by row, from left to right.

    >>> reading_order(parse_triangles("##/.#"))
    [(1, 1), (2, 2), (4, 1)]
    """
    return sorted(region, key=_triangle_to_drawing)


def format_outlines(pieces: Iterable[Iterable[LatticePoint]]) -> str:
    """Return the outlines of pieces that consist of squares, as lines of text.

    >>> print(format_outlines([[(0, 0), (1, 0)], [(0, 1)]]))
    ┌───┬───┐
    │   │   │
    │   ├───┘
    │   │
    └───┘
    """
    owner = {cell: number for number, cells in enumerate(pieces) for cell in cells}
    rows, columns = [r for r, _ in owner], [c for _, c in owner]
    lines = []
    for r in range(min(rows), max(rows) + 2):
        corners, sides = "", ""
        for c in range(min(columns), max(columns) + 2):
            above_left, above = owner.get((r - 1, c - 1)), owner.get((r - 1, c))
            left, here = owner.get((r, c - 1)), owner.get((r, c))
            up, down = above_left != above, left != here
            to_left, to_right = above_left != left, above != here
            corners += _CORNERS[8 * up + 4 * down + 2 * to_left + to_right] + 3 * " ─"[to_right]
            sides += " │"[down] + "   "
        lines += [corners.rstrip(), sides.rstrip()]
    return "\n".join(lines[:-1])


def format_cells(letters: Mapping[LatticePoint, str], separator: str, blank: str) -> str:
    """Return letters by (row, column) as lines of text, with `blank` in all other places."""
    rows, columns = [r for r, _ in letters], [c for _, c in letters]
    return "\n".join(
        separator.join(
            letters.get((r, c), blank) for c in range(min(columns), max(columns) + 1)
        ).rstrip()
        for r in range(min(rows), max(rows) + 1)
    )


def _parse_drawing(text: str, other_forms: str) -> set[LatticePoint]:
    """Return the (row, column) of each `#`; `other_forms` are for the error message."""
    if "#" not in text or not set(text) <= set("#./ \r\n"):
        raise ValueError(
            f"region must be {other_forms}, or rows of # and . with / between them, not {text!r}"
        )
    rows = text.replace("/", "\n").splitlines()
    cells: set[LatticePoint] = {
        (r, c) for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol == "#"
    }
    _check_size(len(cells), text)
    return cells


def _check_size(n_cells: int, text: str) -> None:
    if not 1 <= n_cells <= MAX_CELLS:
        raise ValueError(
            f"region {text[:20]!r} must have from 1 to {MAX_CELLS:,} cells, not {n_cells:,}"
        )


def _drawing_to_triangle(position: LatticePoint) -> LatticePoint:
    """Return the triangle at a (row, column) of a drawing."""
    row, column = position
    x, half = divmod(column - row, 2)
    return 3 * row + 1 + half, 3 * x + 1 + half


def _triangle_to_drawing(triangle: LatticePoint) -> LatticePoint:
    """Return the (row, column) of a triangle in a drawing."""
    y, x = triangle
    row, half = y // 3, y % 3 - 1
    return row, 2 * (x // 3) + half + row
