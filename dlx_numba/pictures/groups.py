"""Groups of labeled points, drawn as lines and areas between them."""

import math
from collections.abc import Sequence

from ..runtime.text import plural
from .document import tag
from .palette import COLORS
from .plane import Point, dot, line, pixels, plane_picture, polyline, word

# Lengths in units of the plane
DOT_RADIUS = 0.3
LINE_WIDTH = 0.03


def circle(n: int) -> list[Point]:
    """Return n points on a circle, clockwise from the top, at a distance of about 1.2.

    >>> [(round(x, 2), round(y, 2)) for x, y in circle(4)]
    [(0.0, -0.85), (0.85, -0.0), (0.0, 0.85), (-0.85, 0.0)]
    """
    radius = 0 if n == 1 else 0.6 / math.sin(math.pi / n)
    angles = [2 * math.pi * k / n for k in range(n)]
    return [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]


def groups_picture(
    title: str,
    points: Sequence[tuple[str, Point]],
    groups: Sequence[Sequence[int]],
    width: float,
    lines: Sequence[tuple[int, int]] = (),
) -> str:
    """Return a picture of points that are divided into groups.

    Parameters
    ----------
    title
        Plain text for screen readers.
    points
        The label and the position of each point.
    groups
        The numbers of the points of each group, in the order of its outline.
    width
        The width of the outlines.
    lines
        Pairs of points that are joined by thin lines.

    Returns
    -------
    str
        An SVG document.

    Examples
    --------
    >>> points = list(zip("abc", circle(3)))
    >>> "2 groups: a c; b.</desc>" in groups_picture(
    ...     "Three points", points, [[0, 2], [1]], 0.2)
    True
    """
    positions = [position for _, position in points]
    joined = [[positions[a], positions[b]] for a, b in lines]
    thin = line(joined, class_="thin", stroke_width=pixels(LINE_WIDTH))
    areas, dots = [], []
    for number, group in enumerate(groups):
        color = COLORS[number % len(COLORS)]
        outline = polyline([positions[point] for point in group]) + "z"
        stroke = {"stroke": color, "stroke_width": pixels(width)}
        stroke |= {"stroke_linejoin": "round", "stroke_linecap": "round"}
        areas.append(tag("path", d=outline, fill=color, **stroke, opacity=0.8))
        for point in group:
            label, position = points[point]
            dots.append(dot(position, DOT_RADIUS, fill=color, class_="edge"))
            dots.append(word(label, position, 0.6 / max(2, len(label)) + 0.05, "over"))
    margin = max(DOT_RADIUS, width / 2)
    corners = [(x + sign * margin, y + sign * margin) for x, y in positions for sign in (-1, 1)]
    named = "; ".join(" ".join(points[point][0] for point in group) for group in groups)
    description = f"{plural(len(groups), 'group')}: {named}."
    return plane_picture(title, description, corners, [*[thin] * bool(lines), *areas, *dots])
