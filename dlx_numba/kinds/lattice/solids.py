"""Solids on the five grids of Burr Tools: their placements in a result, and its symmetries."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.int64]  # a row for each point: z, y and x

_TABLE_BYTES = 1 << 23  # of the cells of some placements
# Rotations in the order in which files number them: where x, y and z go; a capital is negative.
_TURNS = "xyz xZy xYZ xzY Zyx YZx zYx yzx XyZ XZY XYz Xzy zyX yZX ZYX YzX Yxz zxy yxZ ZxY yXz ZXy"
_TURNS += " YXZ zXY"
_SPHERES = "xyz zYx Yxz yzx XYz Zyx yXz YZx zxy xzY Xzy ZxY ZXy XZY xZy zXY zyX xYZ YzX yxZ ZYX"
_SPHERES += " XyZ yZX YXZ"


def _turns(words: str) -> Points:
    """Return the matrices of rotations for points with z first."""
    axes = {"z": (1, 0, 0), "y": (0, 1, 0), "x": (0, 0, 1)}
    rows = [[axes[each.lower()] for each in word[::-1]] for word in words.split()]
    signs = [[1 if each.islower() else -1 for each in word[::-1]] for word in words.split()]
    matrices: Points = np.array(rows) * np.array(signs)[:, :, None]
    return matrices


def _prism_turns() -> Points:
    """Return the rotations by multiples of 60° about the axis of prisms, and those upside down."""
    turn = np.array([(1, 0, 0), (0, 1, 1), (0, -1, 0)])
    about = [np.linalg.matrix_power(turn, k) for k in range(6)]
    return np.array([*about, *(each @ [(-1, 0, 0), (0, 1, 0), (0, -1, -1)] for each in about)])


class SolidGrid(NamedTuple):
    """A grid, whose cells are points with integer coordinates.

    Attributes
    ----------
    cells
        The plural name of the cells.
    rotations
        The rotations about the origin, as matrices.
    period
        Translations by multiples of it in any coordinate map cells to cells.
    is_face_centered
        Whether translations by an odd number of periods in all do not.
    scale, shift
        The point of a cell is `scale` times its coordinates in the file, plus `shift`.
    """

    cells: str
    rotations: Points
    period: int = 1
    is_face_centered: bool = False
    scale: int = 1
    shift: tuple[int, int, int] = (0, 0, 0)

    def points(self, coordinates: Points) -> Points:
        """Return the points of cells, given by their coordinates z, y and x in a file."""
        if self.cells != "prisms":
            points: Points = coordinates * self.scale + np.array(self.shift)
            return points
        z, y, x = coordinates.T
        is_odd = (x + y) % 2
        return np.stack([3 * z, 3 * y + 1 + is_odd, 3 * ((x - y) // 2) + 1 + is_odd], 1)

    def coordinates(self, points: Points) -> Points:
        """Return what `points` maps to points."""
        if self.cells != "prisms":
            cells: Points = (points - np.array(self.shift)) // self.scale
            return cells
        z, row, column = points.T
        return np.stack([z // 3, row // 3, row // 3 + 2 * (column // 3) + row % 3 - 1], 1)

    def periods(self, shifts: Points) -> Points:
        """Return those translations that map cells to cells."""
        is_even = (shifts // self.period).sum(1) % 2 == 0
        is_period = (shifts % self.period == 0).all(1)
        found: Points = shifts[is_period & (is_even | (not self.is_face_centered))]
        return found


GRIDS = (
    SolidGrid("cubes", _turns(_TURNS)),
    SolidGrid("prisms", _prism_turns(), 3),
    SolidGrid("spheres", _turns(_SPHERES), 1, True),
    SolidGrid("tetrahedra", _turns(_TURNS), 5, shift=(-2, -2, -2)),
    SolidGrid("tetrahedra and octahedra", _turns(_TURNS), 6, True, 2, (1, 1, -5)),
)


@dataclass(frozen=True)
class Solid:
    """A shape: its cells in the order of the file, each with a color, or 0 for none."""

    grid: SolidGrid
    name: str
    coordinates: Points
    colors: NDArray[np.int64]
    is_optional: NDArray[np.bool_]
    hotspot: tuple[int, ...]  # its coordinates give the position of the shape

    def __len__(self) -> int:
        return len(self.coordinates)

    @cached_property
    def points(self) -> Points:
        return self.grid.points(self.coordinates)

    def turns(self) -> Points:
        """Return the motions about the origin that do not change the shape, as matrices.

        Flat shapes of spheres can be turned over by reflections.
        """
        turns = self.grid.rotations
        if self.grid.cells == "spheres" and np.linalg.matrix_rank(self.points - self.points[0]) < 3:
            return np.concatenate([turns, reflected(turns)])
        return turns

    @cached_property
    def _numbers(self) -> tuple[Points, Points, Points, Points]:
        """The bounds of the points, the factors of each coordinate, and the number of each cell."""
        low, high = self.points.min(0), self.points.max(0)
        size = high - low + 1
        factors = np.array([size[1] * size[2], size[2], 1])
        numbers = np.full(size.prod(), -1)
        numbers[(self.points - low) @ factors] = np.arange(len(self))
        return low, high, factors, numbers

    def find(self, turned: Points, shifts: Points) -> tuple[Points, Points]:
        """Return the translations after which points are cells, and the numbers of these cells."""
        low, high, factors, numbers = self._numbers
        is_inside = (shifts + turned.min(0) >= low) & (shifts + turned.max(0) <= high)
        shifts = shifts[is_inside.all(1)]
        own, found = (turned - low) @ factors, list[Points]()
        step = max(1, _TABLE_BYTES // (8 * len(turned)))
        for start in range(0, len(shifts), step):
            cells = numbers[own + (shifts[start : start + step] @ factors)[:, None]]
            found.append(np.where((cells >= 0).all(1, keepdims=True), cells, -1))
        cells = np.concatenate(found) if found else np.empty((0, len(turned)), np.int64)
        return shifts[cells[:, 0] >= 0], cells[cells[:, 0] >= 0]

    def placements(self, piece: "Solid", fits: NDArray[np.bool_]) -> tuple[Points, Points]:
        """Return the placements of a piece in this shape, without equal ones.

        Parameters
        ----------
        piece
            The piece.
        fits
            Whether each color of a piece may be on each color of this shape.

        Returns
        -------
        cells
            The numbers of the cells of each placement, increasing.
        motions
            The number of the turn, and the translation after it.
        """
        cells, motions = list[Points](), list[Points]()
        for number, matrix in enumerate(piece.turns()):
            turned = piece.points @ matrix.T
            shifts = self.points - turned[0]
            shifts, placed = self.find(turned, self.grid.periods(shifts))
            is_allowed = fits[piece.colors, self.colors[placed]].all(1)
            order = np.argsort(placed, 1)
            colored = placed * len(fits) + piece.colors
            cells.append(np.take_along_axis(colored, order, 1)[is_allowed])
            motions.append(np.insert(shifts, 0, number, 1)[is_allowed])
        every = np.concatenate(cells)
        keys = [row.tobytes() for row in every.astype(">i8")]
        first = dict(zip(reversed(keys), reversed(range(len(keys))), strict=True))
        chosen = [first[key] for key in sorted(first)]
        return every[chosen] // len(fits), np.concatenate(motions)[chosen]

    def symmetries(self, turns: Points) -> Iterator[Points]:
        """Yield the cells to which motions move the cells, for motions that preserve the shape."""
        for matrix in turns:
            turned = self.points @ matrix.T
            shift = (self.points.min(0) - turned.min(0))[None]
            for image in self.find(turned, self.grid.periods(shift))[1]:
                same_color = (self.colors[image] == self.colors).all()
                if same_color and (self.is_optional[image] == self.is_optional).all():
                    yield image

    def form(self, is_reflected: bool = False) -> Any:
        """Return what is equal for shapes that turns and translations map to each other."""
        forms = []
        for matrix in reflected(self.turns()) if is_reflected else self.turns():
            turned = self.points @ matrix.T
            order = np.lexsort(turned.T[::-1])
            first = turned[order[0]]
            is_odd = self.grid.is_face_centered and int((first // self.grid.period).sum() % 2)
            moved = (turned[order] - first).tolist()
            forms.append(
                ((first % self.grid.period).tolist(), is_odd, moved, self.colors[order].tolist())
            )
        return min(forms)


def reflected(turns: Points) -> Points:
    """Return motions, each followed by the reflection that reverses z."""
    motions: Points = turns * np.array([[-1], [1], [1]])
    return motions
