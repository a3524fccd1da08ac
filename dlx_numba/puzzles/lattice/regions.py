"""Regions of squares, triangles or cubes, parsed from text."""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any

from ...runtime.text import shorten
from .shapes import LatticePoint, Shape, adjacent

MAX_CELLS = 1000  # more than all pieces together have


def parse_squares(text: str, role: str = "region") -> Shape:
    """Return a region of squares, whose rows and columns count from 1.

    Parameters
    ----------
    text
        A rectangle `3x20`, a rectangle with a hole in its center `8x8-2x2`, or a drawing: rows of
        `#` for a cell and `.` for none, separated by `/` or newlines.
    role
        What messages call it.

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
        forms = f"{role} must be RxC, RxC-RxC (with a hole in the center)"
        return frozenset((row, column) for _, row, column in _parse_drawing(text, forms, role))
    rows, columns, hole_rows, hole_columns = (int(word or 0) for word in match.groups())
    # The rows above and below the hole together, and the columns on both of its sides
    top = rows - hole_rows
    left = columns - hole_columns
    if match[3] and (min(top, left, hole_rows, hole_columns) < 1 or top % 2 or left % 2):
        raise ValueError(f"{role} {text!r}: a hole of {match[3]}x{match[4]} cannot be centered")
    _check_size(rows * columns - hole_rows * hole_columns, text, role)
    area = range(1, rows + 1), range(1, columns + 1)
    # The hole has half of the other rows above it, and half of the other columns to its left.
    hole = (axis[n // 2 : len(axis) - n // 2] for axis, n in zip(area, (top, left), strict=True))
    return frozenset(product(*area)).difference(product(*hole) if match[3] else ())


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
    if max(first, second) > min(rows, columns) or first + second >= rows + columns:
        raise ValueError(
            f"region {text!r}: the removed corners must not be larger than the sides, "
            "and must leave some triangles"
        )
    _check_size(2 * rows * columns - first**2 - second**2, text)
    # Each rhombus of the parallelogram has two halves, whose coordinates are 1 or 2 modulo 3 (see
    # `TRIANGLES`). y + x grows from one acute corner to the other.
    return frozenset(
        (y, x)
        for half in (1, 2)
        for y in range(half, 3 * rows, 3)
        for x in range(half, 3 * columns, 3)
        if 3 * first < y + x < 3 * (rows + columns - second)
    )


def parse_cubes(text: str, role: str = "cubes") -> Shape:
    """Return a region or a piece that consists of cubes, whose coordinates count from 1.

    Parameters
    ----------
    text
        A box `3x3x3`: layers, rows and columns; or a drawing of the layers with `|` between them,
        of rows with `/` between them, of `#` for a cube and `.` for none.
    role
        What messages call it.

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
        _check_size(prod(lengths), text, role)
        return frozenset(product(*(range(1, length + 1) for length in lengths)))
    forms = f"{role} must be AxBxC, layers with | between them"
    return frozenset(_parse_drawing(text, forms, role, "#./|"))


def components(cells: Mapping[Any, str]) -> Iterator[Shape]:
    """Yield the cells that are connected by their sides and have the same symbol."""
    left = dict(cells)
    for first, symbol in cells.items():
        if left.pop(first, None) is None:
            continue
        shape = [first]
        for cell in shape:  # the list grows during the iteration
            for near in adjacent(cell):
                if left.get(near) == symbol:
                    del left[near]
                    shape.append(near)
        yield frozenset(shape)


def _parse_drawing(
    text: str, other_forms: str, role: str = "region", symbols: str = "#./ \r\n"
) -> set[tuple[int, int, int]]:
    """Return the (layer, row, column) of each `#`; the error message starts with `other_forms`."""
    if "#" not in text or not set(text) <= set(symbols):
        reason = f"{other_forms}, or rows of # and . with / between them, not {shorten(text)!r}"
        raise ValueError(reason)
    text = text.strip("\r\n")  # the first row determines which triangles point down
    cells = {
        (z, r, c)
        for z, layer in enumerate(text.replace("/", "\n").split("|"), 1)
        for r, row in enumerate(layer.splitlines(), 1)
        for c, symbol in enumerate(row, 1)
        if symbol == "#"
    }
    _check_size(len(cells), text, role)
    return cells


def _check_size(n_cells: int, text: str, role: str = "region") -> None:
    if not 1 <= n_cells <= MAX_CELLS:
        raise ValueError(
            f"{role} {text[:20]!r} must have from 1 to {MAX_CELLS:,} cells, not {n_cells:,}"
        )


def _drawing_to_triangle(row: int, column: int) -> LatticePoint:
    """Return the triangle at a row and a column of a drawing."""
    x, half = divmod(column - row, 2)
    return 3 * row - 2 + half, 3 * x + 1 + half
