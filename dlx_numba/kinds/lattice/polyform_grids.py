"""Grids of polyforms in the coordinates of PolySolver.

Its files state a placed piece by the number of its orientation and its least coordinates.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

from .shapes import SQUARES, TRIANGLES, Lattice, Shape

Point = tuple[int, int, int, int]  # (x, y, z, w), of which w tells the cells of a unit apart
Map = Callable[[int, int, int, int], Point]


class PolyformGrid(NamedTuple):
    """The cells of a board, with their symmetries in the order in which files number turns."""

    cells: str  # the lattice of the picture
    flip: Map
    turns: tuple[tuple[Map, int], ...]  # with their orders; the first one is applied last
    cell: Callable[[int, int, int, int], tuple[int, ...]]  # in the picture
    n_kinds: int = 1  # of cells in a unit
    lattice: Lattice | None = None  # whose orientations are described
    drawing: Mapping[str, Any] = {}

    def orientations(
        self, forms: Iterable[Shape], *, turned: bool, flipped: bool = False
    ) -> list[Shape]:
        """Return the distinct orientations of the forms of a piece, moved to the origin.

        >>> len(GRIDS["cube"].orientations([frozenset([(0, 0, 0, 0), (1, 0, 0, 0)])], turned=True))
        3
        """
        orders = [order if turned else 1 for _, order in reversed(self.turns)]
        found = dict[Shape, None]()
        for form in forms:
            for is_flipped in range(1 + flipped):
                for steps in product(*map(range, orders)):
                    image = [self.flip(*p) for p in form] if is_flipped else [*form]
                    for n, (turn, _) in zip(steps, reversed(self.turns), strict=True):
                        for _ in range(n):
                            image = [turn(*p) for p in image]
                    x, y, z = (min(p[axis] for p in image) for axis in range(3))
                    found[move(image, -x, -y, -z)] = None
        return [*found]


GRIDS = {
    "square": PolyformGrid(
        "squares",
        lambda x, y, z, w: (-x, y, z, w),
        ((lambda x, y, z, w: (y, -x, z, w), 4),),
        lambda x, y, z, w: (y + 1, x + 1),
        lattice=SQUARES,
    ),
    "cube": PolyformGrid(
        "cubes",
        lambda x, y, z, w: (-x, -y, -z, w),
        (
            (lambda x, y, z, w: (y, -x, z, w), 4),
            (lambda x, y, z, w: (x, -y, -z, w), 2),
            (lambda x, y, z, w: (z, x, y, w), 3),
        ),
        lambda x, y, z, w: (z + 1, y + 1, x + 1),
    ),
    "triangle": PolyformGrid(
        "triangles",
        lambda x, y, z, w: (y - x - w, y, z, w),
        ((lambda x, y, z, w: (x - y - (w == 0), x, z, 1 - w), 6),),
        lambda x, y, z, w: (3 * y + 2 - w, 3 * (x - y) - 1 + 2 * w),
        2,
        TRIANGLES,
        {"size": 0.34, "separator": ""},
    ),
    "hexagon": PolyformGrid(
        "hexagons",
        lambda x, y, z, w: (y, x, z, w),
        ((lambda x, y, z, w: (x - y, x, z, w), 6),),
        lambda x, y, z, w: (y + 1, x + 1),
        drawing={"separator": ""},
    ),
    "tan": PolyformGrid(
        "quarters",
        lambda x, y, z, w: (-x, y, z, (2 - w) % 4),
        ((lambda x, y, z, w: (y, -x, z, (w + 1) % 4), 4),),
        lambda x, y, z, w: (y + 1, x + 1, 3 - w),
        4,
        drawing={"size": 0.3, "separator": ""},
    ),
}


def translations(shape: Shape, region: set[Point]) -> Iterator[Shape]:
    """Yield the translations of a shape that are in a region."""
    x, y, z, w = min(shape)
    for point in region:
        if point[3] == w:
            moved = move(shape, point[0] - x, point[1] - y, point[2] - z)
            if moved <= region:
                yield moved


def move(shape: Iterable[tuple[int, ...]], x: int, y: int, z: int) -> Shape:
    """Return a translated shape."""
    return frozenset((p[0] + x, p[1] + y, p[2] + z, p[3]) for p in shape)
