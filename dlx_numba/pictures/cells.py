"""The corners of cells that are no squares, in pictures, as (x, y)."""

from collections.abc import Iterable

from .plane import Polygon, square

# (row, column), the coordinates of a triangle, or (layer, row, column). A triangle has three times
# the row and the column of its rhombus plus 1, or plus 2 if it points up.
Cell = tuple[int, ...]


def drawn_triangle(cell: Cell) -> tuple[int, int]:
    """Return the row and the column of a triangle in texts."""
    y, x = cell
    row = y // 3
    half = y % 3 - 1  # 0 or 1, if it points up: of the two triangles of a rhombus
    return row, 2 * (x // 3) + half + row  # each row is shifted by half a rhombus


def triangle_corners(cell: Cell) -> Polygon:
    """Return the corners of a triangle.

    >>> [(x, round(y, 2)) for x, y in triangle_corners((1, 1))]
    [(0.0, 0.0), (1.0, 0.0), (0.5, 0.87)]
    """
    row = cell[0] // 3
    column = cell[1] // 3
    points_down = cell[0] % 3 == 1
    first = (row, column) if points_down else (row + 1, column + 1)
    corners = [first, (row, column + 1), (row + 1, column)]
    height = 0.75**0.5  # of a triangle whose sides are 1
    return [(c + r / 2, r * height) for r, c in corners]


def quarter_corners(cell: Cell) -> Polygon:
    """Return the corners of a quarter of a square: those of one of its sides, and its center."""
    row, column, side = cell
    corners = [*square(row, column), (column, row)]  # clockwise; the first one is also the last one
    return [*corners[side : side + 2], (column + 0.5, row + 0.5)]


def coordinates(cells: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return the rows and the columns of cells."""
    cells = list(cells)
    return [row for row, _ in cells], [column for _, column in cells]
