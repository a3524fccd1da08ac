"""Pieces made of cubes: in layers, and seen from above and two sides."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from .pieces import sides_of
from .plane import Point, area, line

Cube = tuple[int, ...]  # (layer from the bottom, row, column)

MAX_COLUMNS = 50  # of layers beside each other: 100 characters of a text

# The faces that are visible: the step to the cube that would hide it, its corners, and its shade
_FACES = (
    ((1, 0, 0), ((1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0)), 0.0),
    ((0, 1, 0), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)), 0.12),
    ((0, 0, 1), ((0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 0, 1)), 0.25),
)


def drawn_cubes(cubes: Collection[Cube]) -> dict[Cube, tuple[int, int]]:
    """Return the row and the column of each cube in texts, with layers beside each other.

    If these are too wide, they are in several such bands, as equal as possible. A band has no
    margins above and below the cubes of its layers.

    >>> drawn_cubes([(1, 1, 1), (2, 1, 3), (2, 2, 3)])
    {(1, 1, 1): (0, 1), (2, 1, 3): (0, 7), (2, 2, 3): (1, 7)}
    >>> drawn_cubes([(1, 1, 1), (2, 3, 60), (2, 4, 60)])
    {(1, 1, 1): (0, 1), (2, 3, 60): (2, 60), (2, 4, 60): (3, 60)}
    """
    layers, _, columns = (range(min(each), max(each) + 1) for each in zip(*cubes, strict=True))
    width = len(columns) + 1
    n_beside = len(layers)
    drawn = [column + width * layer for layer, _, column in cubes]
    if max(drawn) - min(drawn) >= MAX_COLUMNS:
        n_bands = -(-n_beside // max(1, (MAX_COLUMNS + 1) // width))
        n_beside = -(-n_beside // n_bands)
    places = dict.fromkeys(cubes, (0, 0))
    end = 0
    for _, band in groupby(sorted(cubes), lambda cube: (cube[0] - layers[0]) // n_beside):
        cells = [*band]
        rows = [row for _, row, _ in cells]
        top = min(rows)
        bottom = max(rows)
        for layer, row, column in cells:
            left = width * ((layer - layers[0]) % n_beside)
            places[layer, row, column] = end + row - top, left + column
        end += bottom - top + 2  # a blank row separates bands
    return places


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
        if shade:
            elements.append(area([corners], fill="#000", fill_opacity=shade))
        outer = (sorted(side) for side in sides_of(face) if sides[number, side] == 1)
        outline = [[*map(place, side)] for side in outer]
        if outline:
            elements.append(line(outline, class_="edge", stroke_width=2))
    return elements, [place(corner) for _, _, face, _ in faces for corner in face]


def _add(cube: Cube, step: Cube) -> Cube:
    return tuple(a + b for a, b in zip(cube, step, strict=True))


def _project(corner: Cube) -> Point:
    """Return a corner of a cube in the plane: rows come to the left, columns to the right."""
    layer, row, column = corner
    return (column - row) * 0.75**0.5, (column + row) / 2 - layer
