"""Regions of squares, triangles or cubes: parsed from text, and formatted with their pieces."""

import re
from collections.abc import Iterable, Mapping
from itertools import product
from math import prod

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
        forms = "region must be RxC, RxC-RxC (with a hole in the center)"
        cells = _parse_drawing(text, forms)
        return frozenset((r + 1, c + 1) for _, r, c in cells)
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
        forms = "region must be AxB, AxB-C, AxB-C-D (without triangles in the acute corners)"
        return frozenset(_drawing_to_triangle(r, c) for _, r, c in _parse_drawing(text, forms))
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


def parse_cubes(text: str) -> Shape:
    """Return a region or a piece that consists of cubes, whose coordinates count from 1.

    Parameters
    ----------
    text
        A box `3x3x3`: layers, rows and columns; or a drawing of the layers with `|` between them,
        of rows with `/` between them, of `#` for a cube and `.` for none.

    Raises
    ------
    ValueError
        If the text is neither.

    Examples
    --------
    >>> parse_cubes("2x1x2") == parse_cubes("##|##")
    True
    """
    if match := re.fullmatch(r"(\d+)x(\d+)x(\d+)", text):
        lengths = [int(length) for length in match.groups()]
        _check_size(prod(lengths), text)
        return frozenset(product(*(range(1, length + 1) for length in lengths)))
    cells = _parse_drawing(text, "cubes must be AxBxC, layers with | between them", "#./|")
    return frozenset((z + 1, y + 1, x + 1) for z, y, x in cells)


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


def format_layers(letters: Mapping[LatticePoint, str]) -> str:
    """Return the letters of the cubes as lines of text: the layers, side by side.

    >>> print(format_layers({(0, 0, 0): "a", (0, 1, 0): "a", (1, 0, 0): "b", (1, 1, 0): "a"}))
    a   b
    a   a
    """
    shift = 2 + max(x for _, _, x in letters) - min(x for _, _, x in letters)
    flat: dict[LatticePoint, str] = {
        (y, x + shift * z): letter for (z, y, x), letter in letters.items()
    }
    rows, columns = {y for y, _ in flat}, {x for _, x in flat}
    gaps = {
        (y, x): " " for y in rows for x in range(min(columns), max(columns)) if x not in columns
    }
    return format_squares(flat | gaps)


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


def _parse_drawing(
    text: str, other_forms: str, symbols: str = "#./ \r\n"
) -> set[tuple[int, int, int]]:
    """Return the (layer, row, column) of each `#`; the error message starts with `other_forms`."""
    if "#" not in text or not set(text) <= set(symbols):
        raise ValueError(f"{other_forms}, or rows of # and . with / between them, not {text!r}")
    cells = {
        (z, r, c)
        for z, layer in enumerate(text.replace("/", "\n").split("|"))
        for r, row in enumerate(layer.splitlines())
        for c, symbol in enumerate(row)
        if symbol == "#"
    }
    _check_size(len(cells), text)
    return cells


def _check_size(n_cells: int, text: str) -> None:
    if not 1 <= n_cells <= MAX_CELLS:
        raise ValueError(
            f"region {text[:20]!r} must have from 1 to {MAX_CELLS:,} cells, not {n_cells:,}"
        )


def _drawing_to_triangle(row: int, column: int) -> LatticePoint:
    """Return the triangle at a row and a column of a drawing."""
    x, half = divmod(column - row, 2)
    return 3 * row + 1 + half, 3 * x + 1 + half


def _triangle_to_drawing(triangle: LatticePoint) -> LatticePoint:
    """Return the (row, column) of a triangle in a drawing."""
    y, x = triangle
    row, half = y // 3, y % 3 - 1
    return row, 2 * (x // 3) + half + row
