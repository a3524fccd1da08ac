"""Parts made of sticks on the lines of a grid."""

from collections import Counter
from collections.abc import Sequence

from .document import tag
from .parts import OUTLINE, colour_parts, list_letters, nearest_to_middle
from .plane import Corner, dot, mean, path, pixels, place, plane_picture, word

Stick = tuple[Corner, Corner]  # its ends

BODY = 0.2
STOP, BEND = 0.3, 0.45  # how far from a meeting point a stick stops, or begins to bend


def sticks_picture(title: str, parts: Sequence[tuple[str, Sequence[Stick]]]) -> str:
    """Parts made of sticks on the square grid, each part its letter and its sticks.

    Parts that meet at a point keep apart there, but where they cross: they stop short of it, bend
    round it, or go straight on.

    >>> parts = [("I", [((0, 0), (1, 0))]), ("J", [((1, 0), (1, 1))])]
    >>> sticks_picture("Two", parts).count("<path")
    4
    """
    meetings = [Counter(end for stick in own for end in stick) for _, own in parts]
    points = sorted({point for times in meetings for point in times})
    elements = [dot(point, 0.05, class_="soft") for point in points]
    for (letter, own), times, colour in zip(parts, meetings, colour_parts(meetings), strict=True):
        ways = {end: [other for stick in own if end in stick for other in stick if other != end]
                for end in times}  # fmt: skip
        drawn = "".join(
            path([_kept(end, other, ways), _kept(other, end, ways)]) for end, other in own
        )
        for point, others in ways.items():
            if _is_bend(point, others):
                start, end = (_towards(point, other, BEND) for other in others)
                drawn += f"{path([start])}Q{place(point)} {place(end)}"
        pen = {"d": drawn, "fill": "none", "stroke_linecap": "round"}
        elements.append(tag("path", **pen, class_="edge", stroke_width=pixels(BODY + OUTLINE)))
        elements.append(tag("path", **pen, stroke=colour, stroke_width=pixels(BODY)))
        middle = nearest_to_middle([mean(stick) for stick in own])
        elements.append(dot(middle, 0.19, fill=colour, class_="edge"))
        elements.append(word(letter, middle, 0.28, "over"))
    return plane_picture(title, list_letters([letter for letter, _ in parts]), points, elements)


def _is_bend(point: Corner, others: Sequence[Corner]) -> bool:
    return len(others) == 2 and mean(others) != point


def _kept(end: Corner, other: Corner, ways: dict[Corner, list[Corner]]) -> Corner:
    """Where the straight part of a stick ends, towards `end`."""
    if len(ways[end]) == 1:
        return _towards(end, other, STOP)
    return _towards(end, other, BEND) if _is_bend(end, ways[end]) else end


def _towards(point: Corner, other: Corner, distance: float) -> Corner:
    (x, y), (far_x, far_y) = point, other
    return x + (far_x - x) * distance, y + (far_y - y) * distance
