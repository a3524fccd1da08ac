"""Shapes on a lattice: grown cell by cell, turned and turned over, and placed in a region."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

Point = tuple[int, int]  # a cell: how far down, how far right
Shape = frozenset[Point]
Matrix = tuple[int, int, int, int]  # by rows


class Motion(NamedTuple):
    """A rotation or reflection, and then a shift."""

    matrix: Matrix
    down: int = 0
    right: int = 0

    def __call__(self, shape: Iterable[Point]) -> Shape:
        a, b, c, d = self.matrix
        down, right = self.down, self.right
        return frozenset((a * y + b * x + down, c * y + d * x + right) for y, x in shape)


class Lattice(NamedTuple):
    """The cells of which shapes are made: points of the plane with whole coordinates.

    `turn`, the smallest rotation about (0, 0), and the reflection (y, x) → (x, y) map cells to
    cells, and so do shifts by multiples of `step` in each coordinate.
    """

    cells: str  # what they are called
    cell: Point  # one of them
    turn: Matrix
    step: int
    neighbours: Callable[[Point], list[Point]]

    def rotations(self) -> list[Matrix]:
        """The rotations about (0, 0), from the one that moves nothing.

        >>> SQUARES.rotations()
        [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
        """
        found = [(1, 0, 0, 1)]
        while (following := _product(self.turn, found[-1])) not in found:
            found.append(following)
        return found

    def rotations_and_reflections(self) -> list[Matrix]:
        turns = self.rotations()
        return turns + [_product(turn, (0, 1, 1, 0)) for turn in turns]

    def orientations(self, shape: Shape, sided: bool = False) -> set[Shape]:
        """The shape in all its orientations, moved to the origin.

        With `sided`, it may be rotated, but not turned over.
        """
        matrices = self.rotations() if sided else self.rotations_and_reflections()
        return {self._moved_home(Motion(matrix)(shape)) for matrix in matrices}

    def normal(self, shape: Shape, sided: bool = False) -> Shape:
        """One of the orientations, the same for all of them."""
        return min(self.orientations(shape, sided), key=sorted)

    def grow(self, size: int) -> list[Shape]:
        """The shapes of `size` cells that hang together, each in one of its orientations.

        >>> [len(SQUARES.grow(size)) for size in range(1, 7)]  # OEIS A000105
        [1, 1, 2, 5, 12, 35]
        >>> [len(TRIANGLES.grow(size)) for size in range(1, 7)]  # A000577
        [1, 1, 1, 3, 4, 12]
        >>> [len(STICKS.grow(size)) for size in range(1, 5)]  # A019988
        [1, 2, 5, 16]
        """
        shapes = {self.normal(frozenset([self.cell]))}
        for _ in range(size - 1):
            larger = {
                shape | {cell}
                for shape in shapes
                for near in shape
                for cell in self.neighbours(near)
                if cell not in shape
            }
            shapes = {self.normal(shape) for shape in larger}
        return sorted(shapes, key=sorted)

    def placements(self, shape: Shape, region: Shape, sided: bool = False) -> list[Shape]:
        """Where the shape fits into the region.

        >>> square = frozenset((y, x) for y in range(2) for x in range(2))
        >>> [sorted(placed) for placed in SQUARES.placements(frozenset([(0, 0), (0, 1)]), square)]
        [[(0, 0), (0, 1)], [(0, 0), (1, 0)], [(0, 1), (1, 1)], [(1, 0), (1, 1)]]
        """
        found = []
        for oriented in self.orientations(shape, sided):
            first = min(oriented)
            for cell in region:
                down, right = cell[0] - first[0], cell[1] - first[1]
                if down % self.step == 0 and right % self.step == 0:
                    placed = frozenset((y + down, x + right) for y, x in oriented)
                    if placed <= region:
                        found.append(placed)
        return sorted(found, key=sorted)

    def symmetries(self, region: Shape) -> list[Motion]:
        """The motions that map the region onto itself, the one that moves nothing first.

        >>> len(SQUARES.symmetries(frozenset([(0, 0), (0, 1)])))
        4
        """
        found = []
        top, left = _corner(region)
        for matrix in self.rotations_and_reflections():
            y, x = _corner(Motion(matrix)(region))
            motion = Motion(matrix, top - y, left - x)
            on_lattice = motion.down % self.step == 0 and motion.right % self.step == 0
            if on_lattice and motion(region) == region:
                found.append(motion)
        return found

    def _moved_home(self, shape: Shape) -> Shape:
        y, x = _corner(shape)
        down, right = y // self.step * self.step, x // self.step * self.step
        return frozenset((y - down, x - right) for y, x in shape)


def _product(left: Matrix, right: Matrix) -> Matrix:
    a, b, c, d = left
    e, f, g, h = right
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h


def _corner(shape: Shape) -> Point:
    return min(y for y, _ in shape), min(x for _, x in shape)


def _by_squares(cell: Point) -> list[Point]:
    y, x = cell
    return [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]


def _by_triangles(cell: Point) -> list[Point]:
    y, x = cell
    way = 1 if y % 3 == 1 else -1
    return [(y + way, x + way), (y - 2 * way, x + way), (y + way, x - 2 * way)]


def _by_sticks(cell: Point) -> list[Point]:
    y, x = cell
    down, right = 2 * (y % 2), 2 * (x % 2)  # the direction in which it lies
    around = [(y + i, x + j) for i in (-1, 1) for j in (-1, 1)]
    return [*around, (y - down, x - right), (y + down, x + right)]


# Unit squares, by row and column.
SQUARES = Lattice("squares", (0, 0), (0, -1, 1, 0), 1, _by_squares)

# Unit triangles, by three times the coordinates of their centres, where the axes are at 60°: both
# coordinates are 1 more than a multiple of 3, or both are 2 more.
TRIANGLES = Lattice("triangles", (1, 1), (0, -1, 1, 1), 3, _by_triangles)

# Unit segments of the square grid, by twice the coordinates of their middles: one coordinate is
# odd, that of the direction in which the segment lies. The points of the grid are even.
STICKS = Lattice("sticks", (0, 1), (0, -1, 1, 0), 2, _by_sticks)
