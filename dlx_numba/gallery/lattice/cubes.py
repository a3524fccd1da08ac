"""Shapes of unit cubes, as drawings of their layers."""

import re
from collections.abc import Mapping
from itertools import product

from .regions import format_squares
from .shapes import LatticePoint, Shape

MAX_CUBES = 1000  # of a region


def parse_cubes(text: str) -> Shape:
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


def format_layers(letters: Mapping[LatticePoint, str]) -> str:
    """Return the letters of the cubes as lines of text: the layers, side by side.

    >>> print(format_layers({(0, 0, 0): "a", (0, 1, 0): "a", (1, 0, 0): "b", (1, 1, 0): "a"}))
    a   b
    a   a
    """
    shift = 2 + max(x for _, _, x in letters) - min(x for _, _, x in letters)
    flat: dict[LatticePoint, str] = {
        (y, x + shift * z): letter for (z, y, x), letter in letters.items()
    }
    rows, columns = {y for y, _ in flat}, {x for _, x in flat}
    gaps = {
        (y, x): " " for y in rows for x in range(min(columns), max(columns)) if x not in columns
    }
    return format_squares(flat | gaps)
