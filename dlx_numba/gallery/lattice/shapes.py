"""Shapes on a lattice: their enumeration, orientations and placements, and their symmetries."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

LatticePoint = tuple[int, int]  # a cell: (y, x), downward and to the right
Shape = frozenset[LatticePoint]
Matrix = tuple[int, int, int, int]  # 2 × 2, by rows

REFLECTION: Matrix = (0, 1, 1, 0)


class Isometry(NamedTuple):
    """A rotation or reflection, followed by a translation."""

    matrix: Matrix
    down: int = 0
    right: int = 0

    def __call__(self, shape: Iterable[LatticePoint]) -> Shape:
        """Return the image of a shape."""
        a, b, c, d = self.matrix
        down, right = self.down, self.right
        return frozenset((a * y + b * x + down, c * y + d * x + right) for y, x in shape)


class Lattice(NamedTuple):
    """The cells that shapes consist of: points of the plane with integer coordinates.

    Rotations about (0, 0), the reflection (y, x) → (x, y) and translations by multiples of
    `period` in either coordinate map cells to cells.

    Attributes
    ----------
    cells
        The plural name of the cells, for error messages.
    first_cell
        The cell from which polyforms are grown.
    rotation
        The smallest rotation about (0, 0).
    period
        The smallest translation along an axis.
    neighbors
        A function that returns the cells adjacent to a cell.
    """

    cells: str
    first_cell: LatticePoint
    rotation: Matrix
    period: int
    neighbors: Callable[[LatticePoint], list[LatticePoint]]

    def rotations(self) -> list[Matrix]:
        """Return the rotations about (0, 0), starting with the identity.

        >>> SQUARES.rotations()
        [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
        """
        found = [(1, 0, 0, 1)]
        while (rotation := _product(self.rotation, found[-1])) not in found:
            found.append(rotation)
        return found

    def rotations_and_reflections(self) -> list[Matrix]:
        """Return the rotations about (0, 0), and the reflections in lines through it."""
        rotations = self.rotations()
        return rotations + [_product(rotation, REFLECTION) for rotation in rotations]

    def orientations(self, shape: Shape, sided: bool = False) -> set[Shape]:
        """Return the distinct orientations of a shape, translated to the origin.

        With `sided`, the shape may be rotated but not reflected.
        """
        matrices = self.rotations() if sided else self.rotations_and_reflections()
        return {self._to_origin(Isometry(matrix)(shape)) for matrix in matrices}

    def canonical_form(self, shape: Shape, sided: bool = False) -> Shape:
        """Return the smallest orientation, which represents all orientations of the shape."""
        return min(self.orientations(shape, sided), key=sorted)

    def describe_orientation(self, shape: Shape, sided: bool = False) -> str:
        """Return how a shape is turned clockwise and flipped, as words that follow its name.

        >>> [SQUARES.describe_orientation(frozenset([(0, 0), (k, 1 - k)])) for k in (0, 1)]
        ['', ' turned 90°']
        """
        return _describe_orientation(self, self._to_origin(shape), sided)

    def polyforms(self, size: int) -> list[Shape]:
        """Return the free polyforms: the connected shapes of `size` cells, in canonical form.

        >>> [len(SQUARES.polyforms(size)) for size in range(1, 7)]  # OEIS A000105
        [1, 1, 2, 5, 12, 35]
        >>> [len(TRIANGLES.polyforms(size)) for size in range(1, 7)]  # A000577
        [1, 1, 1, 3, 4, 12]
        >>> [len(STICKS.polyforms(size)) for size in range(1, 5)]  # A019988
        [1, 2, 5, 16]
        """
        shapes = {self.canonical_form(frozenset([self.first_cell]))}
        for _ in range(size - 1):
            larger = {
                shape | {neighbor}
                for shape in shapes
                for cell in shape
                for neighbor in self.neighbors(cell)
                if neighbor not in shape
            }
            shapes = {self.canonical_form(shape) for shape in larger}
        return sorted(shapes, key=sorted)

    def placements(self, shape: Shape, region: Shape, sided: bool = False) -> list[Shape]:
        """Return all placements of a shape in a region.

        >>> square = frozenset((y, x) for y in range(2) for x in range(2))
        >>> [sorted(placed) for placed in SQUARES.placements(frozenset([(0, 0), (0, 1)]), square)]
        [[(0, 0), (0, 1)], [(0, 0), (1, 0)], [(0, 1), (1, 1)], [(1, 0), (1, 1)]]
        """
        found = []
        for oriented in self.orientations(shape, sided):
            first = min(oriented)
            for cell in region:
                down, right = cell[0] - first[0], cell[1] - first[1]
                if down % self.period == 0 and right % self.period == 0:
                    placed = frozenset((y + down, x + right) for y, x in oriented)
                    if placed <= region:
                        found.append(placed)
        return sorted(found, key=sorted)

    def symmetries(self, region: Shape) -> list[Isometry]:
        """Return the isometries that map a region onto itself, starting with the identity.

        >>> len(SQUARES.symmetries(frozenset([(0, 0), (0, 1)])))
        4
        """
        found = []
        top, left = _minimum(region)
        for matrix in self.rotations_and_reflections():
            y, x = _minimum(Isometry(matrix)(region))
            isometry = Isometry(matrix, top - y, left - x)
            on_lattice = isometry.down % self.period == 0 and isometry.right % self.period == 0
            if on_lattice and isometry(region) == region:
                found.append(isometry)
        return found

    def _to_origin(self, shape: Shape) -> Shape:
        y, x = _minimum(shape)
        down, right = y // self.period * self.period, x // self.period * self.period
        return frozenset((y - down, x - right) for y, x in shape)


@cache  # shapes have few orientations and many placements
def _describe_orientation(lattice: Lattice, shape: Shape, sided: bool) -> str:
    canonical, rotations = lattice.canonical_form(shape, sided), lattice.rotations()
    clockwise = rotations[:1] + rotations[:0:-1]
    matrices = clockwise + [_product(rotation, REFLECTION) for rotation in clockwise]
    images = [lattice._to_origin(Isometry(matrix)(canonical)) for matrix in matrices]
    is_flipped, turn = divmod(images.index(shape), len(rotations))
    turned = f" turned {turn * 360 // len(rotations)}°" * (turn > 0)
    return f"{' flipped' * is_flipped}{' and' * (is_flipped and turn > 0)}{turned}"


def _product(left: Matrix, right: Matrix) -> Matrix:
    a, b, c, d = left
    e, f, g, h = right
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h


def _minimum(shape: Shape) -> LatticePoint:
    """Return the smallest coordinates of the shape's cells."""
    return min(y for y, _ in shape), min(x for _, x in shape)


def _square_neighbors(cell: LatticePoint) -> list[LatticePoint]:
    y, x = cell
    return [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]


def _triangle_neighbors(cell: LatticePoint) -> list[LatticePoint]:
    y, x = cell
    sign = 1 if y % 3 == 1 else -1
    return [(y + sign, x + sign), (y - 2 * sign, x + sign), (y + sign, x - 2 * sign)]


def _stick_neighbors(cell: LatticePoint) -> list[LatticePoint]:
    y, x = cell
    down, right = 2 * (y % 2), 2 * (x % 2)  # the direction of the stick
    diagonal = [(y + i, x + j) for i in (-1, 1) for j in (-1, 1)]
    return [*diagonal, (y - down, x - right), (y + down, x + right)]


# Unit squares, by row and column.
SQUARES = Lattice("squares", (0, 0), (0, -1, 1, 0), 1, _square_neighbors)

# Unit triangles, by three times the coordinates of their centers with respect to axes at 60°: both
# coordinates are 1 modulo 3, or both are 2 modulo 3.
TRIANGLES = Lattice("triangles", (1, 1), (0, -1, 1, 1), 3, _triangle_neighbors)

# Unit segments of the square grid, by twice the coordinates of their midpoints: the coordinate in
# the direction of the segment is odd, the other one is even. Both coordinates of a grid point are
# even.
STICKS = Lattice("sticks", (0, 1), (0, -1, 1, 0), 2, _stick_neighbors)
