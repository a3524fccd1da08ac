"""Pieces with letters that fill a region: made of cells, or of sticks on the lines of a grid."""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import pairwise, product
from typing import TypeVar

from ..runtime.text import plural
from .document import Svg, tag
from .palette import COLOR_OF_LETTER, COLORS
from .plane import (
    Point,
    Polygon,
    area,
    bounds,
    dot,
    format_point,
    line,
    mean,
    pixels,
    plane_picture,
    polyline,
    word,
)

CornerT = TypeVar("CornerT", bound=Hashable)
Stick = tuple[Point, Point]  # the two ends

# Lengths in sides of a cell
OUTLINE = 0.06
STICK_WIDTH = 0.2
END_GAP = 0.3  # between a grid point and the end of a piece there
BEND_RADIUS = 0.45
STOCK_SCALE = 0.5  # of pieces that are not yet placed
STOCK_LETTER = 0.7  # whose letters are legible in print
STOCK_GAP = 0.4


def sticks_picture(
    title: str,
    pieces: Sequence[tuple[str, Sequence[Stick], int]],
    ground: Sequence[Point] = (),
) -> Svg:
    """Return a picture of pieces that are made of sticks on the square grid.

    At a grid point where pieces meet, a piece ends short of the point, bends around it, or runs
    straight through it, so that different pieces stay apart.

    Parameters
    ----------
    title
        Plain text for screen readers.
    pieces
        The letter, the sticks and the color of each piece.
    ground
        The points of the grid, of which others are added where sticks end.

    Returns
    -------
    Svg
        An SVG document.

    Examples
    --------
    >>> pieces = [("I", [((0, 0), (1, 0))], 0), ("J", [((1, 0), (1, 1))], 1)]
    >>> sticks_picture("Two", pieces).count("<path")
    4
    """
    ends = (end for _, sticks, _ in pieces for stick in sticks for end in stick)
    points = sorted({*ground, *ends})
    elements = [dot(point, 0.05, class_="soft") for point in points]
    for letter, sticks, number in pieces:
        color = COLORS[number]
        stroke = {"d": _stick_path(sticks), "fill": "none", "stroke_linecap": "round"}
        width = pixels(STICK_WIDTH)
        outer_width = pixels(STICK_WIDTH + OUTLINE)  # a dark line below, of which the edges show
        elements.append(tag("path", **stroke, class_="edge", stroke_width=outer_width))
        elements.append(tag("path", **stroke, stroke=color, stroke_width=width))
        center = most_central([mean(stick) for stick in sticks])
        elements.append(dot(center, 0.19, fill=color, class_="edge"))
        elements.append(word(letter, center, 0.28, "over"))
    description = describe_pieces([letter for letter, *_ in pieces])
    return plane_picture(title, description, points, elements)


def color_names(names: Sequence[str]) -> dict[str, int]:
    """Return a color for each name, as an index into the palette.

    A letter has the same color in all puzzles, unless one before it has this color. It and other
    names have the next free color.

    >>> color_names(["A", "W", "first"])
    {'A': 0, 'W': 1, 'first': 2}
    """
    letter_of_color: dict[int, str] = {}  # the first letter with each color keeps it
    for name in names:
        if name in COLOR_OF_LETTER:
            letter_of_color.setdefault(COLOR_OF_LETTER[name], name)
    color_of = {letter: color for color, letter in letter_of_color.items()}
    for k, name in enumerate(names):
        if name not in color_of:  # names other than letters begin with the color of their position
            color_of[name] = _free_color(COLOR_OF_LETTER.get(name, k), color_of.values())
    return color_of


def _free_color(start: int, taken: Collection[int]) -> int:
    """Return the first color from a number on that is not taken, as an index into the palette.

    If all are taken, it is the first one, so that pieces share colors.
    """
    colors = [(start + k) % len(COLORS) for k in range(len(COLORS))]
    return next((color for color in colors if color not in taken), colors[0])


def color_pieces(
    marks: Sequence[Collection[Hashable]], names: Sequence[str], color_of: Mapping[str, int]
) -> list[int]:
    """Return a color for each piece, as an index into the palette: that of its name.

    Pieces whose name has no color, and all but the first one with a name, have another color than
    those with which they share a mark, such as a side of a cell, if one is left.

    >>> color_pieces([{1, 2}, {2, 3}, {3, 4}], ["", "", "A"], {"A": 0})
    [0, 1, 0]
    """
    first = {name: k for k, name in reversed([*enumerate(names)])}  # the first piece with each name
    wanted = [color_of.get(name) if first[name] == k else None for k, name in enumerate(names)]
    colors_at: defaultdict[Hashable, set[int]] = defaultdict(set)  # of pieces with a mark
    for piece, color in zip(marks, wanted, strict=True):
        if color is not None:
            for mark in piece:
                colors_at[mark].add(color)
    colors: list[int] = []
    for number, (piece, color) in enumerate(zip(marks, wanted, strict=True)):
        if color is None:
            color = _free_color(number, {color for mark in piece for color in colors_at[mark]})
            for mark in piece:
                colors_at[mark].add(color)
        colors.append(color)
    return colors


def piece_elements(cells: Sequence[Polygon], letter: str, fill: str, size: float) -> list[str]:
    """Return the elements of a piece that consists of cells; without a fill, it is dark.

    >>> len(piece_elements([[(0, 0), (1, 0), (1, 1)]], "A", "red", 0.5))
    3
    """
    look = {"fill": fill, "class_": "edge", "stroke_opacity": 0.15} if fill else {}
    # The sides between its cells are faint, those around thick.
    elements = [area(cells, **look), border(cells)]
    if letter:
        elements.append(word(letter, most_central([mean(cell) for cell in cells]), size, "over"))
    return elements


def border(cells: Sequence[Polygon], class_: str = "edge") -> str:
    """Return the element of the thick lines around cells, and around the holes between them."""
    n_cells = Counter(side for cell in cells for side in sides_of(cell))
    outline = [sorted(side) for side, number in n_cells.items() if number == 1]
    return line(outline, class_=class_, stroke_width=pixels(OUTLINE))


def enclosed(cells: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the squares that are no cells, but that cells surround.

    >>> enclosed([(r, c) for r in range(3) for c in range(4) if (r, c) != (1, 2)])
    [(1, 2)]
    """
    if not cells:
        return []
    rows, columns = zip(*cells, strict=True)
    top = min(rows) - 1
    left = min(columns) - 1
    # The squares that are no cells, also those of a border around all cells
    unreached = {*product(range(top, max(rows) + 2), range(left, max(columns) + 2))} - {*cells}
    outside = [(top, left)]  # a corner of the border; the list grows in the loop
    for r, c in outside:
        neighbors = unreached & {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
        unreached -= neighbors
        outside += neighbors
    return sorted(unreached)


def line_up(shapes: Sequence[Sequence[Polygon]], above: Sequence[Point]) -> list[list[Polygon]]:
    """Return shapes, given by their cells, in half the size: in rows below points, as wide as they.

    >>> line_up([[[(0, 0), (4, 0), (4, 2)]]] * 2, [(0, 0), (3, 1)])
    [[[(0.0, 1.4), (2.0, 1.4), (2.0, 2.4)]], [[(0.0, 2.8), (2.0, 2.8), (2.0, 3.8)]]]
    """
    placed: list[list[Polygon]] = []
    if not shapes:
        return placed
    start, _, end, bottom = bounds(above)  # the bottom becomes that of the lowest shape
    x = start
    y = bottom + STOCK_GAP
    for cells in shapes:
        left, top, right, low = bounds(corner for cell in cells for corner in cell)
        width = STOCK_SCALE * (right - left)
        if x > start and x + width > end:  # it is too wide for the rest of this row
            x = start
            y = bottom + STOCK_GAP
        placed.append(
            [
                [(x + STOCK_SCALE * (c - left), y + STOCK_SCALE * (r - top)) for c, r in cell]
                for cell in cells
            ]
        )
        x += width + STOCK_GAP
        bottom = max(bottom, y + STOCK_SCALE * (low - top))
    return placed


def describe_pieces(letters: Sequence[str]) -> str:
    """Return the number of pieces and their letters, for screen readers.

    >>> describe_pieces(["Y", "X"]), describe_pieces(["", ""])
    ('2 pieces: X, Y.', '2 pieces.')
    """
    listed = ", ".join(sorted(filter(None, letters)))
    return plural(len(letters), "piece") + (f": {listed}." if listed else ".")


def most_central(points: Sequence[Point]) -> Point:
    """Return the point that is nearest to the centroid of all."""
    x, y = mean(points)
    return min(points, key=lambda point: (point[0] - x) ** 2 + (point[1] - y) ** 2)


def sides_of(cell: Sequence[CornerT]) -> list[frozenset[CornerT]]:
    """Return the sides of a polygon, each as its two corners."""
    return [frozenset(ends) for ends in pairwise([*cell, cell[0]])]


def _stick_path(sticks: Sequence[Stick]) -> str:
    """Return the ``d`` attribute of a piece: straight parts, and curves where it bends."""
    neighbors: dict[Point, list[Point]] = {}  # of each grid point, along the piece
    for start, end in sticks:
        neighbors.setdefault(start, []).append(end)
        neighbors.setdefault(end, []).append(start)
    data = "".join(
        polyline([_straight_end(start, end, neighbors), _straight_end(end, start, neighbors)])
        for start, end in sticks
    )
    for point, joined in neighbors.items():
        if _is_bend(point, joined):
            start, end = (_toward(point, other, BEND_RADIUS) for other in joined)
            # Q is a quadratic Bézier curve, whose control point is the point of the grid.
            data += f"{polyline([start])}Q{format_point(point)} {format_point(end)}"
    return data


def _is_bend(point: Point, others: Sequence[Point]) -> bool:
    return len(others) == 2 and mean(others) != point  # not straight through the point


def _straight_end(end: Point, other: Point, neighbors: dict[Point, list[Point]]) -> Point:
    """Return the point where the straight part of a stick ends, near `end`."""
    if len(neighbors[end]) == 1:
        return _toward(end, other, END_GAP)
    return _toward(end, other, BEND_RADIUS) if _is_bend(end, neighbors[end]) else end


def _toward(point: Point, target: Point, distance: float) -> Point:
    x, y = point
    target_x, target_y = target
    return x + (target_x - x) * distance, y + (target_y - y) * distance
