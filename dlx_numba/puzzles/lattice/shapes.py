"""Shapes on a lattice: their enumeration, orientations and placements, and their symmetries."""

from collections.abc import Callable, Iterable
from functools import cache
from operator import add, mul, sub
from typing import NamedTuple

LatticePoint = tuple[int, ...]  # a cell: (y, x), downward and to the right; in space, (z, y, x)
Shape = frozenset[LatticePoint]
Matrix = tuple[LatticePoint, ...]  # by rows

REFLECTION: Matrix = ((0, 1), (1, 0))


class Isometry(NamedTuple):
    """A rotation or reflection, followed by a translation."""

    matrix: Matrix
    shift: LatticePoint

    def __call__(self, shape: Iterable[LatticePoint]) -> Shape:
        """Return the image of a shape."""
        return _move(_turn(self.matrix, shape), self.shift)


class Lattice(NamedTuple):
    """The cells that shapes consist of: points with integer coordinates.

    Rotations about the origin, the reflection (y, x) → (x, y) of the plane and translations by
    multiples of `period` in any coordinate map cells to cells.

    Attributes
    ----------
    cells
        The plural name of the cells, for error messages and pictures.
    first_cell
        The cell from which polyforms are grown.
    turns
        Rotations about the origin that generate all of them; in the plane, the smallest one.
    period
        The smallest translation along an axis.
    neighbors
        A function that returns the cells adjacent to a cell.
    """

    cells: str
    first_cell: LatticePoint
    turns: tuple[Matrix, ...]
    period: int
    neighbors: Callable[[LatticePoint], list[LatticePoint]]

    def rotations(self) -> list[Matrix]:
        """Return the rotations about the origin, starting with the identity.

        >>> SQUARES.rotations()
        [((1, 0), (0, 1)), ((0, -1), (1, 0)), ((-1, 0), (0, -1)), ((0, 1), (-1, 0))]
        >>> len(CUBES.rotations())
        24
        """
        axes = range(len(self.first_cell))
        found: list[Matrix] = [tuple(tuple(int(j == k) for k in axes) for j in axes)]
        for rotation in found:  # the list grows during the iteration
            images = [_product(turn, rotation) for turn in self.turns]
            found += [image for image in images if image not in found]
        return found

    def motions(self, sided: bool = False, turned: bool = True) -> list[Matrix]:
        """Return the rotations about the origin, and the reflections in lines through it.

        With `sided`, there are no reflections; without `turned`, only that from left to right, and
        no rotations.
        """
        rotations = self.rotations()
        used = rotations if turned else rotations[:1]
        if sided:
            return used
        # After REFLECTION, the last rotation, by 90° the other way, reverses x.
        reflected = rotations if turned else rotations[-1:]
        return used + [_product(rotation, REFLECTION) for rotation in reflected]

    def orientations(self, shape: Shape, sided: bool = False, turned: bool = True) -> set[Shape]:
        """Return the distinct orientations of a shape by `motions`, translated to the origin."""
        return {self._to_origin(_turn(motion, shape)) for motion in self.motions(sided, turned)}

    def canonical_form(self, shape: Shape, sided: bool = False, turned: bool = True) -> Shape:
        """Return the smallest orientation, which represents all orientations of the shape."""
        return min(self.orientations(shape, sided, turned), key=sorted)

    def describe_orientation(self, shape: Shape, sided: bool = False, turned: bool = True) -> str:
        """Return how a shape is turned clockwise and flipped, as words that follow its name.

        >>> [SQUARES.describe_orientation(frozenset([(0, 0), (k, 1 - k)])) for k in (0, 1)]
        ['', ' turned 90°']
        """
        return _describe_orientation(self, self._to_origin(shape), sided, turned)

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

    def placements(
        self, shape: Shape, region: Shape, sided: bool = False, turned: bool = True
    ) -> list[Shape]:
        """Return all placements of a shape in a region.

        >>> square = frozenset((y, x) for y in range(2) for x in range(2))
        >>> [sorted(placed) for placed in SQUARES.placements(frozenset([(0, 0), (0, 1)]), square)]
        [[(0, 0), (0, 1)], [(0, 0), (1, 0)], [(0, 1), (1, 1)], [(1, 0), (1, 1)]]
        """
        found = []
        for oriented in self.orientations(shape, sided, turned):
            first = min(oriented)
            for cell in region:
                shift = tuple(map(sub, cell, first))
                if self._is_period(shift) and (placed := _move(oriented, shift)) <= region:
                    found.append(placed)
        return sorted(found, key=sorted)

    def symmetries(self, region: Shape) -> list[Isometry]:
        """Return the isometries that map a region onto itself, starting with the identity.

        These are all rotations and reflections of the plane.

        >>> len(SQUARES.symmetries(frozenset([(0, 0), (0, 1)])))
        4
        """
        found = []
        for matrix in self.motions():
            least = _minimum(_turn(matrix, region))
            isometry = Isometry(matrix, tuple(map(sub, _minimum(region), least)))
            if self._is_period(isometry.shift) and isometry(region) == region:
                found.append(isometry)
        return found

    def _is_period(self, shift: LatticePoint) -> bool:
        """Return whether a translation maps cells to cells."""
        return not any(distance % self.period for distance in shift)

    def _to_origin(self, shape: Shape) -> Shape:
        return _move(shape, tuple(x % self.period - x for x in _minimum(shape)))


@cache  # shapes have few orientations and many placements
def _describe_orientation(lattice: Lattice, shape: Shape, sided: bool, turned: bool) -> str:
    """Return the first motion, turns before flips, that maps the canonical form to a shape."""
    # Its images by the motions are compared with the shape.
    canonical = lattice.canonical_form(shape, sided, turned)
    rotations = lattice.rotations()
    # `rotations` are counterclockwise, each by one more turn, as the y axis points downward.
    clockwise = rotations[:1] + rotations[:0:-1]
    # These are flipped first, and then turned.
    matrices = clockwise + [_product(rotation, REFLECTION) for rotation in clockwise]
    images = [lattice._to_origin(_turn(matrix, canonical)) for matrix in matrices]
    is_flipped, turn = divmod(images.index(shape), len(rotations))
    motions = [" flipped"] if is_flipped else []
    if turn:
        motions.append(f" turned {turn * 360 // len(rotations)}°")
    return " and".join(motions)


def _turn(matrix: Matrix, shape: Iterable[LatticePoint]) -> Shape:
    return frozenset(tuple(sum(map(mul, row, point)) for row in matrix) for point in shape)


def _move(shape: Iterable[LatticePoint], shift: LatticePoint) -> Shape:
    return frozenset(tuple(map(add, point, shift)) for point in shape)


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return tuple(tuple(sum(map(mul, row, column)) for column in columns) for row in left)


def _minimum(shape: Shape) -> LatticePoint:
    """Return the smallest coordinates of the shape's cells."""
    return tuple(map(min, zip(*shape, strict=True)))


def adjacent(cell: LatticePoint) -> list[LatticePoint]:
    """Return the squares or cubes that share a side with one."""
    return [(*cell[:k], x + step, *cell[k + 1 :]) for k, x in enumerate(cell) for step in (-1, 1)]


def _triangle_neighbors(cell: LatticePoint) -> list[LatticePoint]:
    y, x = cell
    sign = 1 if y % 3 == 1 else -1
    return [(y + sign, x + sign), (y - 2 * sign, x + sign), (y + sign, x - 2 * sign)]


def _stick_neighbors(cell: LatticePoint) -> list[LatticePoint]:
    """Return the sticks that share an end with a stick: across it, and in its direction."""
    y, x = cell
    down = 2 * (y % 2)
    right = 2 * (x % 2)  # the direction of the stick
    diagonal = [(y + i, x + j) for i in (-1, 1) for j in (-1, 1)]
    return [*diagonal, (y - down, x - right), (y + down, x + right)]


# Unit squares, by row and column.
SQUARES = Lattice("squares", (0, 0), (((0, -1), (1, 0)),), 1, adjacent)

# Unit cubes, by layer, row and column, which rotations about two axes turn.
CUBES = Lattice(
    "cubes",
    (0, 0, 0),
    (((1, 0, 0), (0, 0, -1), (0, 1, 0)), ((0, -1, 0), (1, 0, 0), (0, 0, 1))),
    1,
    adjacent,
)

# Unit triangles, by three times the coordinates of their centers with respect to axes at 60°: both
# coordinates are 1 modulo 3, or both are 2 modulo 3.
TRIANGLES = Lattice("triangles", (1, 1), (((0, -1), (1, 1)),), 3, _triangle_neighbors)

# Unit segments of the square grid, by twice the coordinates of their midpoints: the coordinate in
# the direction of the segment is odd, the other one is even. Both coordinates of a grid point are
# even.
STICKS = Lattice("sticks", (0, 1), (((0, -1), (1, 0)),), 2, _stick_neighbors)
