"""Pieces made of cubes: in layers, and seen from above and two sides."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from .pieces import STOCK_GAP, sides_of
from .plane import Point, area, bounds, line, mean, word

Cube = tuple[int, ...]  # (layer from the bottom, row, column)
Piece = tuple[Iterable[Cube], str, str]  # cubes, color and letter

# Lengths in sides of a cell
CAPTION = 0.4
SOLID_LETTER = 0.5
STOCK_SCALE = 0.7  # of pieces that are not yet placed

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
    first, width, n_beside = _measure_layers(cubes)
    places = dict.fromkeys(cubes, (0, 0))  # in the order of the cubes
    start = 0  # the first row of a band
    for band in divide_bands(cubes):
        rows = [row for _, row, _ in band]
        top = min(rows)
        for layer, row, column in band:
            left = width * ((layer - first) % n_beside)
            places[layer, row, column] = start + row - top, left + column
        start += max(rows) - top + 2  # a blank row separates bands
    return places


def divide_bands(cubes: Collection[Cube]) -> list[list[Cube]]:
    """Return the cubes of each band of layers that texts show beside each other.

    >>> divide_bands([(1, 1, 1), (2, 3, 60)]), divide_bands([(1, 1, 1), (2, 3, 6)])
    ([[(1, 1, 1)], [(2, 3, 60)]], [[(1, 1, 1), (2, 3, 6)]])
    """
    if not cubes:
        return []
    first, _, n_beside = _measure_layers(cubes)
    bands = groupby(sorted(cubes), lambda cube: (cube[0] - first) // n_beside)
    return [[*band] for _, band in bands]


def _measure_layers(cubes: Collection[Cube]) -> tuple[int, int, int]:
    """Return the first layer, the width of each in texts, and how many are beside each other.

    The width includes the blank column that separates a layer from the next one.
    """
    layers, _, columns = (range(min(each), max(each) + 1) for each in zip(*cubes, strict=True))
    width = len(columns) + 1
    n_beside = len(layers)
    drawn = [column + width * layer for layer, _, column in cubes]
    if max(drawn) - min(drawn) >= MAX_COLUMNS:
        max_beside = max(1, (MAX_COLUMNS + 1) // width)  # the last one has no blank column
        n_bands = -(-n_beside // max_beside)
        n_beside = -(-n_beside // n_bands)
    return layers[0], width, n_beside


def divide_layers(cubes: Iterable[Cube]) -> list[list[Cube]]:
    """Return the cubes of each layer.

    >>> divide_layers([(2, 1, 1), (1, 1, 1), (1, 1, 2)])
    [[(1, 1, 1), (1, 1, 2)], [(2, 1, 1)]]
    """
    return [[*layer] for _, layer in groupby(sorted(cubes), itemgetter(0))]


def solid_elements(
    positions: Mapping[Cube, tuple[int, int]],
    pieces: Sequence[Piece],
    n_placed: int,
    corners: Sequence[Point],
) -> tuple[list[str], list[Point]]:
    """Return the elements that complete a picture of layers of cubes, and their corners.

    They draw the number of each layer, from the bottom; to the right of all layers, the first
    `n_placed` pieces as a solid; and below, the others, each by itself, in rows as wide as what is
    above them. `positions` has the row and column of each cube in the layers, whose corners in the
    picture are `corners`.
    """
    elements = []
    if len({layer for layer, _, _ in positions}) > 1:
        for number, cubes in enumerate(divide_layers(positions), 1):
            rows, columns = zip(*(positions[cube] for cube in cubes), strict=True)
            center = (min(columns) + max(columns) + 1) / 2
            elements.append(word(f"{number}", (center, max(rows) + 1.4), CAPTION, "soft"))
    start, top, end, bottom = bounds(corners)
    solid, added = _draw_solid(pieces[:n_placed], (end + 1.0, top), 1.0)
    elements += solid
    added.append((end, bottom + 2 * CAPTION))  # below the numbers of the layers
    x = start
    _, _, end, bottom = bounds(added)
    y = bottom + STOCK_GAP
    for piece in pieces[n_placed:]:
        drawn, its_corners = _draw_solid([piece], (x, y), STOCK_SCALE)
        _, _, right, _ = bounds(its_corners)
        if x > start and right > end:  # it is too wide for the rest of this row
            x = start
            y = bottom + STOCK_GAP
            drawn, its_corners = _draw_solid([piece], (x, y), STOCK_SCALE)
        elements += drawn
        added += its_corners
        _, _, right, bottom = bounds([*its_corners, (x, bottom)])  # the bottom never rises
        x = right + STOCK_GAP
    return elements, added


def _draw_solid(
    pieces: Sequence[Piece], origin: Point, scale: float
) -> tuple[list[str], list[Point]]:
    """Return the elements that draw pieces together, and their corners, right of and below a point.

    `scale` is the length of a side of a cube.

    >>> elements, corners = _draw_solid([([(0, 0, 0)], "red", "A")], (1.0, 0.5), 1.0)
    >>> len(corners), min(corners)
    (12, (1.0, 1.0))
    """
    owner = {cube: number for number, (cubes, _, _) in enumerate(pieces) for cube in cubes}
    # Layers from the bottom, and in each the cubes from the back to the front, which hide others
    cubes = sorted(owner, key=lambda cube: (cube[0], sum(cube[1:])))
    # The faces that no neighboring cube hides: the piece, the corners and the shade
    faces = [
        (owner[cube], [_add(cube, corner) for corner in corners], shade)
        for cube in cubes
        for step, corners, shade in _FACES
        if _add(cube, step) not in owner
    ]
    sides = Counter((number, side) for number, face, _ in faces for side in sides_of(face))
    every = [_project(corner) for _, face, _ in faces for corner in face]
    left = min((x for x, _ in every), default=0)
    top = min((y for _, y in every), default=0)

    def place(corner: Cube) -> Point:
        """Return a corner in the picture: the whole solid begins at the origin."""
        x, y = _project(corner)
        return round(origin[0] + scale * (x - left), 4), round(origin[1] + scale * (y - top), 4)

    elements = []
    centers: dict[int, Point] = {}  # of the face of each piece that has its letter
    for number, face, shade in faces:
        corners = [place(corner) for corner in face]
        _, color, _ = pieces[number]
        elements.append(area([corners], fill=color, class_="edge", stroke_opacity=0.15))
        if shade:
            elements.append(area([corners], fill="#000", fill_opacity=shade))
        # A side of a single face is an outline of the piece; its other sides are within it.
        outer = (sorted(side) for side in sides_of(face) if sides[number, side] == 1)
        outline = [[*map(place, side)] for side in outer]
        if outline:
            elements.append(line(outline, class_="edge", stroke_width=2))
        if not shade or number not in centers:  # the last top face, or else the first other one
            centers[number] = mean(corners)
    for number, center in centers.items():
        _, _, letter = pieces[number]
        if letter:
            elements.append(word(letter, center, SOLID_LETTER * scale**0.5, "over"))
    return elements, [place(corner) for _, face, _ in faces for corner in face]


def _add(cube: Cube, step: Cube) -> Cube:
    return tuple(a + b for a, b in zip(cube, step, strict=True))


def _project(corner: Cube) -> Point:
    """Return a corner of a cube in the plane: rows come to the left, columns to the right."""
    layer, row, column = corner
    return (column - row) * 0.75**0.5, (column + row) / 2 - layer
