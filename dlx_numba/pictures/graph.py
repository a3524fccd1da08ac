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
            found = plural(len(self.positions), "position")
            raise ValueError(f"there are {plural(len(self.points), 'point')}, but {found}")
        known = set(self.points)
        if unknown := [each for each in chain(*self.groups, *self.lines) if each not in known]:
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
        at = dict(zip(self.points, positions, strict=True))
        joined = [[at[a], at[b]] for a, b in self.lines]
        elements = [line(joined, class_="thin", stroke_width=pixels(LINE_WIDTH))] if joined else []
        fills: dict[str, str] = {}
        for number, group in enumerate(groups):
            fill = COLORS[number % len(COLORS)]
            fills |= dict.fromkeys(group, fill)
            outline = polyline([at[point] for point in group]) + "z"
            stroke = {"stroke": fill, "stroke_width": pixels(self.width)}
            stroke |= {"stroke_linejoin": "round", "stroke_linecap": "round"}
            elements.append(tag("path", d=outline, fill=fill, **stroke, opacity=0.8))
            if self.separators[0] == ARROW:
                heads = [_arrow_head(at[a], at[b]) for a, b in pairwise(group)]
                elements.append(area(heads, fill=fill, class_="edge"))
        margin = max(DOT_RADIUS, self.width / 2)
        corners = [(x + sign * margin, y + sign * margin) for x, y in positions for sign in (-1, 1)]
        middle = mean(positions)[0] if positions else 0.0
        is_long = max(map(len, self.points), default=0) > MAX_INSIDE
        for label, (x, y) in at.items():
            size = 0.6 / max(2, len(label)) + 0.05
            color = fills.get(label)
            look = {"fill": color, "class_": "edge"} if color else {"class_": "paper wire"}
            elements.append(dot((x, y), DOT_RADIUS / (2 if is_long else 1), **look))
            class_ = "over" if color and not is_long else ""
            if is_long:  # beside its point
                half = CHARACTER_WIDTH * len(label) / 2
                # Points in the middle may be a little left of it by rounding.
                x += (half + DOT_RADIUS) * (-1 if x < middle - 1e-9 else 1)
                corners += [(x - half, y), (x + half, y)]
            elements.append(word(label, (x, y), LABEL_SIZE if is_long else size, class_))
        named = "; ".join(map(" ".join, groups))
        described = f"{plural(len(groups), 'group')}: {named}."
        return plane_picture(self.title, described, corners, elements)

    def _listed(self, chosen: Iterable[int]) -> list[int]:
        """Return options without those that stand for items left uncovered."""
        return [option for option in chosen if option < len(self.groups)]


def _arrow_head(start: Point, end: Point) -> list[Point]:
    """Return the corners of the head of an arrow that ends at the dot of a point."""
    a, b = start
    x, y = end
    length = math.hypot(x - a, y - b) or 1.0
    dx = (x - a) / length
    dy = (y - b) / length
    tip_x = x - DOT_RADIUS * dx
    tip_y = y - DOT_RADIUS * dy
    wings = [(tip_x - 0.3 * dx - s * 0.14 * dy, tip_y - 0.3 * dy + s * 0.14 * dx) for s in (1, -1)]
    return [(tip_x, tip_y), *wings]


def circle(n: int) -> list[Point]:
    """Return n points on a circle, clockwise from the top, at a distance of about 1.2.

    >>> [(round(x, 2), round(y, 2)) for x, y in circle(4)]
    [(0.0, -0.85), (0.85, -0.0), (0.0, 0.85), (-0.85, 0.0)]
    """
    radius = 0 if n == 1 else 0.6 / math.sin(math.pi / n)
    angles = [2 * math.pi * k / n for k in range(n)]
    return [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]
