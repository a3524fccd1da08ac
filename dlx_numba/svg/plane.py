"""Elements at coordinates that are measured in sides of a cell, and pictures of such elements."""

from collections.abc import Iterable, Sequence

from .document import label, picture, tag

Corner = tuple[float, float]  # how far right, how far down
Polygon = Sequence[Corner]

SIDE = 40  # of a cell, in pixels
MARGIN = 0.25


def square(row: int, column: int) -> Polygon:
    """The unit square at a place of a board.

    >>> square(0, 2)
    [(2, 0), (3, 0), (3, 1), (2, 1)]
    """
    return [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]


def mean(points: Sequence[Corner]) -> Corner:
    """The point in the middle of these."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def pixels(length: float) -> float:
    """The length in pixels, to a tenth; no negative zero."""
    return round(length * SIDE, 1) + 0.0


def path(points: Sequence[Corner]) -> str:
    """Straight from point to point, as `d` of a path.

    >>> path([(0, 0), (0.5, 1)])
    'M0 0L20 40'
    """
    return "M" + "L".join(map(place, points))


def place(point: Corner) -> str:
    """A point as a path names it."""
    return " ".join(f"{pixels(way):g}" for way in point)


def area(polygons: Iterable[Polygon], **look: object) -> str:
    """Filled polygons.

    >>> area([[(0, 0), (1, 0), (0, 1)]], class_="band")
    '<path d="M0 0L40 0L0 40z" class="band"/>'
    """
    return tag("path", d="".join(f"{path(corners)}z" for corners in polygons), **look)


def line(ways: Iterable[Sequence[Corner]], **look: object) -> str:
    """Lines, each from corner to corner, with round ends."""
    drawn = "".join(map(path, ways))
    return tag("path", d=drawn, fill="none", stroke_linecap="round", **look)


def dot(middle: Corner, radius: float, **look: object) -> str:
    """A filled circle."""
    x, y = map(pixels, middle)
    return tag("circle", cx=x, cy=y, r=pixels(radius), **look)


def word(text: str, middle: Corner, size: float = 0.5, class_: str = "") -> str:
    """A word with its middle there."""
    x, y = map(pixels, middle)
    return label(text, x, y, class_, dy=".35em", font_size=pixels(size))


def plane_picture(
    title: str, description: str, corners: Sequence[Corner], elements: Iterable[str]
) -> str:
    """A whole file that holds these elements, as large as the corners ask for."""
    left, top = (min(values) - MARGIN for values in zip(*corners, strict=True))
    right, bottom = (max(values) + MARGIN for values in zip(*corners, strict=True))
    moved = f"translate({place((-left, -top))})"
    parts = [tag("g", "\n" + "\n".join(elements) + "\n", transform=moved)]
    return picture(pixels(right - left), pixels(bottom - top), title, description, parts)
