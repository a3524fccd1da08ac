"""Shapes of unit cubes: drawings of their layers, rotations and placements."""

import re
from collections.abc import Mapping
from itertools import permutations, product

from .regions import format_squares

Cube = tuple[int, int, int]  # the layer, the row and the column
Solid = frozenset[Cube]

MAX_CUBES = 1000  # of a region


def parse_cubes(text: str) -> Solid:
    """Return a region or a piece that consists of cubes, whose coordinates count from 1.

    Parameters
    ----------
    text
        A box `3x3x3`: layers, rows and columns; or a drawing of the layers with `|` between them,
        of rows with `/` between them, of `#` for a cube and `.` for none.

    Raises
    ------
    ValueError
        If the text is neither.

    Examples
    --------
    >>> parse_cubes("2x1x2") == parse_cubes("##|##")
    True
    """
    if match := re.fullmatch(r"(\d+)x(\d+)x(\d+)", text):
        lengths = [int(length) for length in match.groups()]
        if lengths[0] * lengths[1] * lengths[2] <= MAX_CUBES:
            depth, height, width = (range(1, length + 1) for length in lengths)
            return frozenset(product(depth, height, width))
    elif "#" in text and set(text) <= set("#./|") and len(text) <= 2 * MAX_CUBES:
        layers = [layer.split("/") for layer in text.split("|")]
        return frozenset(
            (z, y, x)
            for z, layer in enumerate(layers, 1)
            for y, row in enumerate(layer, 1)
            for x, symbol in enumerate(row, 1)
            if symbol == "#"
        )
    raise ValueError(
        f"cubes must be AxBxC, up to {MAX_CUBES:,} of them, or rows of # and . with / between rows "
        f"and | between layers, not {text!r}"
    )


def orientations(solid: Solid) -> set[Solid]:
    """Return the distinct rotations of a solid, translated to the origin.

    >>> len(orientations(parse_cubes("##/#."))), len(orientations(parse_cubes("##")))
    (12, 3)
    """
    found = set()
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        n_inversions = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
        if signs[0] * signs[1] * signs[2] == (-1) ** n_inversions:  # no reflection
            rotated = [
                [sign * cube[k] for k, sign in zip(order, signs, strict=True)] for cube in solid
            ]
            least = [min(coordinates) for coordinates in zip(*rotated, strict=True)]
            found.add(frozenset((z - least[0], y - least[1], x - least[2]) for z, y, x in rotated))
    return found


def place(solid: Solid, region: Solid) -> list[Solid]:
    """Return all placements of a solid in a region.

    >>> len(place(parse_cubes("##/#."), parse_cubes("3x3x3")))
    144
    """
    found = []
    for oriented in orientations(solid):
        first = min(oriented)
        for cube in region:
            down, forth, right = (a - b for a, b in zip(cube, first, strict=True))
            placed = frozenset((z + down, y + forth, x + right) for z, y, x in oriented)
            if placed <= region:
                found.append(placed)
    return sorted(found, key=sorted)


def format_layers(letters: Mapping[Cube, str]) -> str:
    """Return the letters of the cubes as lines of text: the layers, side by side.

    >>> print(format_layers({(0, 0, 0): "a", (0, 1, 0): "a", (1, 0, 0): "b", (1, 1, 0): "a"}))
    a   b
    a   a
    """
    shift = 2 + max(x for _, _, x in letters) - min(x for _, _, x in letters)
    flat = {(y, x + shift * z): letter for (z, y, x), letter in letters.items()}
    rows, columns = {y for y, _ in flat}, {x for _, x in flat}
    gaps = {
        (y, x): " " for y in rows for x in range(min(columns), max(columns)) if x not in columns
    }
    return format_squares(flat | gaps)
