"""Draw in a plane whose unit is the side of a cell: x to the right, y downward."""

from collections.abc import Iterable, Mapping, Sequence

from .document import Svg, label, picture, tag
from .palette import RED

Point = tuple[float, float]  # (x, y)
Polygon = Sequence[Point]

CELL_PIXELS = 40
MARGIN = 0.25


def square(row: int, column: int) -> Polygon:
    """Return the corners of the unit square of a cell.

    >>> square(0, 2)
    [(2, 0), (3, 0), (3, 1), (2, 1)]
    """
    return rectangle(column, row, column + 1, row + 1)


def rectangle(left: float, top: float, right: float, bottom: float) -> Polygon:
    """Return the corners of a rectangle, clockwise."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def bounds(points: Iterable[Point]) -> tuple[float, float, float, float]:
    """Return the least x and y of points, and the greatest.

    >>> bounds([(0, 3), (2, 1)])
    (0, 1, 2, 3)
    """
    columns, rows = zip(*points, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def mean(points: Sequence[Point]) -> Point:
    """Return the centroid of the points."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def pixels(length: float) -> float:
    """Return the length in pixels, rounded to a tenth, without negative zero."""
    return round(length * CELL_PIXELS, 1) + 0.0


def format_point(point: Point) -> str:
    """Return the coordinates of a point in pixels, as in the ``d`` attribute of a path."""
    return " ".join(f"{pixels(coordinate):g}" for coordinate in point)


def polyline(points: Sequence[Point]) -> str:
    """Return the ``d`` attribute of a path with straight segments between the points.

    >>> polyline([(0, 0), (0.5, 1)])
    'M0 0L20 40'
    """
    return "M" + "L".join(map(format_point, points))


def area(polygons: Iterable[Polygon], **attributes: object) -> str:
    """Return one path element of filled polygons.

    >>> area([[(0, 0), (1, 0), (0, 1)]], class_="shade")
    '<path d="M0 0L40 0L0 40z" class="shade"/>'
    """
    return tag("path", d="".join(f"{polyline(corners)}z" for corners in polygons), **attributes)


def line(polylines: Iterable[Sequence[Point]], **attributes: object) -> str:
    """Return one path element of polylines with round ends."""
    data = "".join(map(polyline, polylines))
    return tag("path", d=data, fill="none", stroke_linecap="round", **attributes)


def dot(center: Point, radius: float, **attributes: object) -> str:
    """Return a filled circle."""
    x, y = map(pixels, center)
    return tag("circle", cx=x, cy=y, r=pixels(radius), **attributes)


def word(text: str, center: Point, size: float = 0.5, class_: str = "") -> str:
    """Return a text element, centered at a point, with the font size `size`."""
    x, y = map(pixels, center)
    return label(text, x, y, class_, dy=".35em", font_size=pixels(size))


def outlined(polygons: Iterable[Polygon]) -> list[str]:
    """Return a path element with outlines that mark something, such as mistakes, if there are any.

    >>> outlined([])
    []
    """
    listed = list(polygons)
    return [area(listed, fill="none", stroke=RED, stroke_width=4)] if listed else []


def plane_picture(
    title: str, description: str, points: Sequence[Point], elements: Iterable[str]
) -> Svg:
    """Return an SVG document that shows the bounding box of `points`, with a margin."""
    left, top, right, bottom = bounds(points)
    shift = f"translate({format_point((MARGIN - left, MARGIN - top))})"
    group = tag("g", "\n" + "\n".join(elements) + "\n", transform=shift)
    width = pixels(right - left + 2 * MARGIN)
    height = pixels(bottom - top + 2 * MARGIN)
    return picture(width, height, title, description, [group])


def heat_map(title: str, numbers: Mapping[tuple[Point, ...], int], total: int, highest: int) -> Svg:
    """Return a picture of cells with percentages, which are darker the larger these are.

    Parameters
    ----------
    title
        Plain text for screen readers.
    numbers
        The number of each cell, by its corners.
    total
        The number that is 100 %.
    highest
        The number of the darkest color, at least 1. Pictures beside each other share it.

    Examples
    --------
    >>> picture = heat_map("Two", {tuple(square(0, 0)): 1, tuple(square(0, 1)): 200}, 400, 200)
    >>> [text in picture for text in (">&lt;1%<", ">50%<")]
    [True, True]
    """
    # Cells that are no squares have less room for texts.
    size = 0.36 if all(len(cell) == 4 for cell in numbers) else 0.36 * 0.6
    elements = [
        area([cell], class_="one", fill_opacity=round(0.6 * number / highest, 3))
        for cell, number in numbers.items()
    ]
    elements.append(area(numbers, class_="thin", fill="none"))
    for cell, number in numbers.items():
        if number == 0:
            text = "0"
        elif 100 * number < total:  # less than half a percent must not look like 0
            text = "<1%"
        else:
            text = f"{round(100 * number / total)}%"
        elements.append(word(text, mean(cell), size))
    corners = [corner for cell in numbers for corner in cell]
    return plane_picture(title, f"Percentages of {total:,}.", corners, elements)
