"""Boards whose cells have the numbers of a coloring."""

from collections.abc import Mapping

from ..cover.exact_cover import ExactCover
from ..cover.grid_view import find_grid
from ..cover.names import as_text
from ..svg.document import Picture
from ..svg.palette import COLORS
from ..svg.plane import area, plane_picture, square, word
from .phrases import Name

NO_COLOR = COLORS[-1]  # of cells with the number 0


def draw_values(cover: ExactCover, title: str, values: Mapping[Name, int]) -> Picture | None:
    """Return a picture of the cells, colored by the numbers of their items, by default 0.

    Returns None if the items are not named like cells, or if one of them is several cells.
    """
    texts = [as_text(color) for color in cover.colors]
    grid = find_grid(cover.problem, [as_text(item) for item in cover.items], texts)
    if grid is None or any(len(cells) > 1 for cells in grid.item_cells):
        return None
    items_and_cells = zip(cover.items, grid.item_cells, strict=True)
    value_of = {cells[0]: values.get(item, 0) for item, cells in items_and_cells if cells}
    different = sorted({0, *value_of.values()})
    color_of = dict(zip([v for v in different if v], COLORS[:-1] * len(different), strict=False))
    elements, words = [], []
    for value in different:
        cells = [divmod(cell, grid.columns) for cell, v in value_of.items() if v == value]
        squares = [square(*cell) for cell in cells]
        fill = color_of.get(value, NO_COLOR)
        elements.append(area(squares, fill=fill, class_="edge", stroke_opacity=0.4))
        words += [word(str(value), (c + 0.5, r + 0.5), 0.4, "over") for r, c in cells if value]
    corners = [(0, 0), (grid.columns, grid.rows)]
    numbers = ", ".join(map(str, different))
    return plane_picture(title, f"The numbers of the cells: {numbers}.", corners, elements + words)
