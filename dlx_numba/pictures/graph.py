"""Pictures of labeled points that options join: lines and areas between them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from ..runtime.text import Paint, plural, unpainted
from .document import Svg, tag
from .palette import COLORS
from .picture import Picture
from .plane import Point, area, dot, line, mean, pixels, plane_picture, polyline, word

# Lengths in units of the plane
DOT_RADIUS = 0.3
LINE_WIDTH = 0.03
LABEL_SIZE = 0.33
CHARACTER_WIDTH = 0.21
MAX_INSIDE = 5  # characters of labels within dots
ARROW = "→"  # the separator in texts of groups that are drawn as arrows


@dataclass(frozen=True)
class Graph(Picture):
    """Labeled points, which options divide into groups.

    Parameters
    ----------
    title : str
        Plain text for screen readers.
    groups : tuple of tuple of str
        The points that each option joins, by their labels, in the order of the outline.
    points : tuple of str
        The label of each point.
    positions : tuple of (float, float), optional
        Where the points are, as x and y (downward); by default, on a circle.
    lines : tuple of (str, str), optional
        Pairs of points that are joined by thin lines.
    width : float
        The width of the outlines of groups; neighbors on the circle are 1.2 apart.
    separators : (str, str)
        What texts have between the points of a group, and between groups. Groups with the separator
        "→" are drawn as arrows.

    Examples
    --------
    >>> pairs = Graph("Pairs", (("a", "c"), ("b", "d")), ("a", "b", "c", "d"))
    >>> print(pairs.text([0, 1]))
    a-c b-d
    >>> "2 groups: a c; b d.</desc>" in pairs.svg([0, 1])
    True
    """

    groups: Sequence[tuple[str, ...]] = ()
    points: Sequence[str] = ()
    positions: Sequence[Point] = ()
    lines: Sequence[tuple[str, str]] = ()
    width: float = 0.9
    separators: tuple[str, str] = ("-", " ")

    def __post_init__(self) -> None:
        """Check that there is a position for each point, and a point for each name."""
        super().__post_init__()
        if self.positions and len(self.positions) != len(self.points):
            n_positions = plural(len(self.positions), "position")
            raise ValueError(f"there are {plural(len(self.points), 'point')}, but {n_positions}")
        labels = set(self.points)
        if unknown := [name for name in chain(*self.groups, *self.lines) if name not in labels]:
            raise ValueError(f"there is no point {unknown[0]!r}")

    def text(self, chosen: Iterable[int], paint: Paint = unpainted) -> str:
        within, between = self.separators
        return between.join(within.join(self.groups[option]) for option in self._listed(chosen))

    def svg(self, chosen: Iterable[int]) -> Svg:
        """Draw the points, with an outline for each option that is chosen.

        Labels are in the dots of their points or, if some are long, beside them on the outer side.
        """
        groups = [self.groups[option] for option in self._listed(chosen)]
        positions = self.positions or circle(len(self.points))
        center_of = dict(zip(self.points, positions, strict=True))
        joined = [[center_of[start], center_of[end]] for start, end in self.lines]
        elements = [line(joined, class_="thin", stroke_width=pixels(LINE_WIDTH))] if joined else []
        color_of: dict[str, str] = {}
        for number, group in enumerate(groups):
            color = COLORS[number % len(COLORS)]
            color_of |= dict.fromkeys(group, color)
            elements += self._draw_group([center_of[point] for point in group], color)
        margin = max(DOT_RADIUS, self.width / 2)
        corners = [(x + sign * margin, y + sign * margin) for x, y in positions for sign in (-1, 1)]
        middle = mean(positions)[0] if positions else 0.0
        is_beside = max(map(len, self.points), default=0) > MAX_INSIDE
        for label, (x, y) in center_of.items():
            look = {"class_": "paper wire"}  # of a point without a group
            if label in color_of:
                look = {"fill": color_of[label], "class_": "edge"}
            if not is_beside:
                elements.append(dot((x, y), DOT_RADIUS, **look))
                size = 0.6 / max(2, len(label)) + 0.05
                elements.append(word(label, (x, y), size, "over" if label in color_of else ""))
                continue
            elements.append(dot((x, y), DOT_RADIUS / 2, **look))
            half = CHARACTER_WIDTH * len(label) / 2
            # Points in the middle may be a little left of it by rounding.
            x += (half + DOT_RADIUS) * (-1 if x < middle - 1e-9 else 1)
            corners += [(x - half, y), (x + half, y)]
            elements.append(word(label, (x, y), LABEL_SIZE))
        named = "; ".join(map(" ".join, groups))
        described = f"{plural(len(groups), 'group')}: {named}."
        return plane_picture(self.title, described, corners, elements)

    def _draw_group(self, centers: Sequence[Point], color: str) -> list[str]:
        """Return the outline around the points of a group, and perhaps the heads of its arrows."""
        look = {"fill": color, "stroke": color, "stroke_width": pixels(self.width)}
        look |= {"stroke_linejoin": "round", "stroke_linecap": "round"}
        elements = [tag("path", d=polyline(centers) + "z", **look, opacity=0.8)]
        if self.separators[0] == ARROW:
            heads = [_arrow_head(start, end) for start, end in pairwise(centers)]
            elements.append(area(heads, fill=color, class_="edge"))
        return elements

    def _listed(self, chosen: Iterable[int]) -> list[int]:
        """Return options without those that stand for items left uncovered."""
        return [option for option in chosen if option < len(self.groups)]


def _arrow_head(start: Point, end: Point) -> list[Point]:
    """Return the corners of the head of an arrow that ends at the dot of a point."""
    start_x, start_y = start
    end_x, end_y = end
    length = math.hypot(end_x - start_x, end_y - start_y) or 1.0  # not 0, if the points are equal
    dx = (end_x - start_x) / length
    dy = (end_y - start_y) / length
    x = end_x - DOT_RADIUS * dx
    y = end_y - DOT_RADIUS * dy
    # The other corners are 0.3 behind the tip, and 0.14 to each side of the arrow.
    wings = [(x - 0.3 * dx - side * 0.14 * dy, y - 0.3 * dy + side * 0.14 * dx) for side in (1, -1)]
    return [(x, y), *wings]


def circle(n: int) -> list[Point]:
    """Return n points on a circle, clockwise from the top, at a distance of about 1.2.

    >>> [(round(x, 2), round(y, 2)) for x, y in circle(4)]
    [(0.0, -0.85), (0.85, -0.0), (0.0, 0.85), (-0.85, 0.0)]
    """
    radius = 0 if n == 1 else 0.6 / math.sin(math.pi / n)  # neighbors are 1.2 apart
    angles = [2 * math.pi * k / n for k in range(n)]
    return [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]
