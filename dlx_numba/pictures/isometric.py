"""Pieces made of cubes, seen from above and two sides."""

from collections import Counter
from collections.abc import Iterable, Sequence

from .pieces import sides_of
from .plane import Point, area, line

Cube = tuple[int, ...]  # (layer from the bottom, row, column)

# The faces that are visible: the step to the cube that would hide it, its corners, and its shade
_FACES = (
    ((1, 0, 0), ((1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0)), 0.0),
    ((0, 1, 0), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)), 0.12),
    ((0, 0, 1), ((0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0, 1)), 0.25),
)


def isometric_elements(
    pieces: Sequence[Iterable[Cube]], colors: Sequence[str], others: Sequence[Point]
) -> tuple[list[str], list[Point]]:
    """Return the elements that draw pieces, and their corners, to the right of other points.

    >>> elements, corners = isometric_elements([[(0, 0, 0)]], ["red"], [(-1, 0)])
    >>> len(corners), min(corners)
    (12, (0.0, 0.5))
    """
    owner = {cube: number for number, cubes in enumerate(pieces) for cube in cubes}
    faces = [
        (number, color, [_add(cube, corner) for corner in corners], shade)
        for cube, number in sorted(owner.items(), key=lambda each: (each[0][0], sum(each[0][1:])))
        for step, corners, shade in _FACES
        for color in [colors[number]]
        if _add(cube, step) not in owner
    ]
    sides = Counter((number, side) for number, _, face, _ in faces for side in sides_of(face))
    origin = max(x for x, _ in others) + 1.0, min(y for _, y in others)
    every = [_project(corner) for _, _, face, _ in faces for corner in face]
    left, top = (origin[k] - min((point[k] for point in every), default=0) for k in (0, 1))

    def place(corner: Cube) -> Point:
        x, y = _project(corner)
        return round(x + left, 4), round(y + top, 4)

    elements = []
    for number, color, face, shade in faces:
        corners = [place(corner) for corner in face]
        elements.append(area([corners], fill=color, class_="edge", stroke_opacity=0.15))
        elements += [area([corners], fill="#000", fill_opacity=shade)] * bool(shade)
        outer = (sorted(side) for side in sides_of(face) if sides[number, side] == 1)
        outline = [[*map(place, side)] for side in outer]
        elements += [line(outline, class_="edge", stroke_width=2)] * bool(outline)
    return elements, [place(corner) for _, _, face, _ in faces for corner in face]


def _add(cube: Cube, step: Cube) -> Cube:
    return tuple(a + b for a, b in zip(cube, step, strict=True))


def _project(corner: Cube) -> Point:
    """Return a corner of a cube in the plane: rows come to the left, columns to the right."""
    layer, row, column = corner
    return (column - row) * 0.75**0.5, (column + row) / 2 - layer
