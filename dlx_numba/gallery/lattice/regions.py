"""Regions to be filled, as text, and what fills them, as text: squares and triangles."""

import re
from collections.abc import Mapping

from .shapes import Point, Shape

LARGEST = 1000  # cells of a region: more than all pieces together have


def squares(text: str) -> Shape:
    """A region of squares: a rectangle `3x20`, one without its middle `8x8-2x2`, or drawn.

    A drawing has `#` for a cell and `.` for none, and `/` or a line end between rows. Raises
    ValueError for any other text.

    >>> sorted(squares("3x3-1x1")) == sorted(squares("###/#.#/###"))
    True
    """
    match = re.fullmatch(r"(\d+)x(\d+)(?:-(\d+)x(\d+))?", text)
    if match is None:
        return frozenset(_drawn(text, "RxC, RxC-RxC (without its middle)"))
    rows, columns, hole_rows, hole_columns = (int(word or 0) for word in match.groups())
    _check_size(rows * columns, text)
    top, left = rows - hole_rows, columns - hole_columns
    if match[3] and (min(top, left, hole_rows, hole_columns) < 1 or top % 2 or left % 2):
        raise ValueError(f"region {text!r}: {match[3]}x{match[4]} has no place in the middle")
    hole = {(top // 2 + r, left // 2 + c) for r in range(hole_rows) for c in range(hole_columns)}
    return frozenset((r, c) for r in range(rows) for c in range(columns)) - hole


def triangles(text: str) -> Shape:
    """A region of triangles: a parallelogram `4x9`, one without acute corners, or drawn.

    `AxB-C` is without a triangle of side C in an acute corner, `AxB-C-D` without one of side D
    in the other, too: `4x11-4` is a trapezoid, `3x3-3` a triangle, `4x4-2-2` a hexagon. In a
    drawing, `#` for a triangle and `.` for none, `/` or a line end between rows, the first
    triangle of the first row points down, and neighbours point the other way. Raises ValueError
    for any other text.

    >>> triangles("2x2-1-1") == triangles(".###/.###")
    True
    """
    match = re.fullmatch(r"(\d+)x(\d+)(?:-(\d+))?(?:-(\d+))?", text)
    if match is None:
        drawn = _drawn(text, "AxB, AxB-C, AxB-C-D (without triangles in the acute corners)")
        return frozenset(map(_triangle, drawn))
    rows, columns, first, second = (int(word or 0) for word in match.groups())
    _check_size(2 * rows * columns, text)
    if max(first, second) > min(rows, columns) or first + second >= rows + columns:
        raise ValueError(
            f"region {text!r}: the corners removed must be no larger than the sides, and leave some"
        )
    return frozenset(
        (y, x)
        for half in (1, 2)
        for y in range(half, 3 * rows, 3)
        for x in range(half, 3 * columns, 3)
        if 3 * first < y + x < 3 * (rows + columns - second)
    )


def draw_squares(letters: Mapping[Point, str]) -> str:
    """Each cell's letter, and dots around, as lines of text.

    >>> print(draw_squares({(0, 1): "a", (1, 1): "b", (1, 2): "b"}))
    a .
    b b
    """
    return _draw(letters, " ")


def draw_triangles(letters: Mapping[Point, str]) -> str:
    """Each triangle's letter, and blanks around, as lines of text.

    >>> print(draw_triangles(dict.fromkeys(triangles("2x3"), "a")))
    aaaaaa
     aaaaaa
    """
    places = {_place(cell): letter for cell, letter in letters.items()}
    lines = _draw(places, "").replace(".", " ").splitlines()
    return "\n".join(line.rstrip() for line in lines)


def _draw(letters: Mapping[Point, str], between: str) -> str:
    rows, columns = [r for r, _ in letters], [c for _, c in letters]
    return "\n".join(
        between.join(letters.get((r, c), ".") for c in range(min(columns), max(columns) + 1))
        for r in range(min(rows), max(rows) + 1)
    )


def _drawn(text: str, else_possible: str) -> set[Point]:
    if "#" not in text or not set(text) <= set("#./ \r\n"):
        raise ValueError(
            f"region must be {else_possible}, or rows of # and . with / between, not {text!r}"
        )
    rows = text.replace("/", "\n").splitlines()
    cells = {(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "#"}
    _check_size(len(cells), text)
    return cells


def _check_size(cells: int, text: str) -> None:
    if not 1 <= cells <= LARGEST:
        raise ValueError(
            f"region {text[:20]!r} must have from 1 to {LARGEST:,} cells, not {cells:,}"
        )


def _triangle(place: Point) -> Point:
    """The triangle at a place (row, column) of a drawing."""
    row, column = place
    x, half = divmod(column - row, 2)
    return 3 * row + 1 + half, 3 * x + 1 + half


def _place(triangle: Point) -> Point:
    y, x = triangle
    row, half = y // 3, y % 3 - 1
    return row, 2 * (x // 3) + half + row
