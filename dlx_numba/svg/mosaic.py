"""Parts made of cells that fill a region."""

from collections import Counter
from collections.abc import Sequence

from .parts import OUTLINE, colour_parts, list_letters, nearest_to_middle
from .plane import Corner, Polygon, area, line, mean, pixels, plane_picture, word


def mosaic_picture(
    title: str, parts: Sequence[tuple[str, Sequence[Polygon]]], letter_size: float = 0.5
) -> str:
    """Parts made of cells, each part its letter and its cells, in a colour, with an outline.

    Parts that touch have different colours, as far as there are enough.

    >>> domino = [[(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 1), (1, 1)]]
    >>> "<desc id=\\"desc\\">1 piece: D.</desc>" in mosaic_picture("A domino", [("D", domino)])
    True
    """
    sides = [Counter(side for cell in cells for side in _sides(cell)) for _, cells in parts]
    bodies, outlines, letters = [], [], []
    for (letter, cells), times, colour in zip(parts, sides, colour_parts(sides), strict=True):
        bodies.append(area(cells, fill=colour, class_="edge", stroke_opacity=0.15))
        outlines += [sorted(side) for side, number in times.items() if number == 1]
        middle = nearest_to_middle([mean(cell) for cell in cells])
        letters.append(word(letter, middle, letter_size, "over"))
    outline = line(outlines, class_="edge", stroke_width=pixels(OUTLINE))
    corners = [corner for _, cells in parts for cell in cells for corner in cell]
    said = list_letters([letter for letter, _ in parts])
    return plane_picture(title, said, corners, [*bodies, outline, *letters])


def _sides(cell: Polygon) -> list[frozenset[Corner]]:
    return [frozenset(ends) for ends in zip(cell, [*cell[1:], cell[0]], strict=True)]
