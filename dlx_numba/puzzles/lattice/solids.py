"""Solids on the five grids of Burr Tools: their placements in a result, and its symmetries."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.int64]  # a row for each point: z, y and x

MAX_CELLS = 1 << 20  # of a shape in a file
MAX_COLORS = 1 << 10
MAX_PLACES = 1 << 26  # in the box of a shape, or of the cells of all placements of a piece
# Rotations in the order in which files number them: where x, y and z go; a capital is negative.
_TURNS = "xyz xZy xYZ xzY Zyx YZx zYx yzx XyZ XZY XYz Xzy zyX yZX ZYX YzX Yxz zxy yxZ ZxY yXz ZXy"
_TURNS += " YXZ zXY"
_SPHERES = "xyz zYx Yxz yzx XYz Zyx yXz YZx zxy xzY Xzy ZxY ZXy XZY xZy zXY zyX xYZ YzX yxZ ZYX"
_SPHERES += " XyZ yZX YXZ"

# Files also number turns of spheres that map only shapes in a close-packed layer to cells: a half
# turn about a diagonal, after a rotation. These are the numbers of both.
_DIAGONALS = np.array([(1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)])
_HALF_TURNS = "11331122220033003322110031002200311003312232202203311003112220333311220200331111"
_HALF_TURNS += "2020033110331122"
_BEFORE = "vuvurnrnvbvbrkrkxexetetefhxdolinpmjuawcqsgltpjhuwdqfsmcoigkawqtsmnopijlfhgbadcxwqsmpojil"
_BEFORE += "kfhgbadc"


def _turns(words: str) -> Points:
    """Return the matrices of rotations for points with z first."""
    axes = np.eye(3, dtype=np.int64)
    axis_of = dict(zip("zyxZYX", [*axes, *-axes], strict=True))
    return np.array([[axis_of[letter] for letter in reversed(word)] for word in words.split()])


def _prism_turns() -> Points:
    """Return the rotations by multiples of 60° about the axis of prisms, and those upside down."""
    turn = np.array([(1, 0, 0), (0, 1, 1), (0, -1, 0)])
    about = [np.linalg.matrix_power(turn, k) for k in range(6)]
    return np.array([*about, *(each @ [(-1, 0, 0), (0, 1, 0), (0, -1, -1)] for each in about)])


def _turns_in_thirds() -> Points:
    """Return the matrices of the turns that map only layers of spheres to cells, times three."""
    half_turns = 2 * _DIAGONALS[:, :, None] * _DIAGONALS[:, None] - 3 * np.eye(3, dtype=np.int64)
    chosen = half_turns[[int(digit) for digit in _HALF_TURNS]]
    return chosen @ _turns(_SPHERES)[[ord(each) - ord("a") for each in _BEFORE]]


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
            return coordinates * self.scale + np.array(self.shift)
        z, y, x = coordinates.T
        is_odd = (x + y) % 2
        return np.stack([3 * z, 3 * y + 1 + is_odd, 3 * ((x - y) // 2) + 1 + is_odd], 1)

    def coordinates(self, points: Points) -> Points:
        """Return the coordinates z, y and x of cells in a file, given by their points."""
        if self.cells != "prisms":
            return (points - np.array(self.shift)) // self.scale
        z, row, column = points.T
        # `row % 3` is 1 + is_odd, and x - y = 2 * ((x - y) // 2) + is_odd.
        return np.stack([z // 3, row // 3, row // 3 + 2 * (column // 3) + row % 3 - 1], 1)

    def classes(self, points: Points) -> Points:
        """Return numbers that are equal for points if a translation between them maps the grid."""
        # The coordinates modulo the period are digits of the number, whose lowest bit is `is_odd`.
        factors = 2 * self.period ** np.array([2, 1, 0])
        is_odd = self.is_face_centered & ((points // self.period).sum(-1) % 2)
        return is_odd + points % self.period @ factors


GRIDS = (
    SolidGrid("cubes", _turns(_TURNS)),
    SolidGrid("prisms", _prism_turns(), 3),
    SolidGrid("spheres", _turns(_SPHERES), 1, True),
    SolidGrid("tetrahedra", _turns(_TURNS), 5, shift=(-2, -2, -2)),
    SolidGrid("tetrahedra and octahedra", _turns(_TURNS), 6, True, 2, (1, 1, -5)),
)


class FileTurn(NamedTuple):
    """The turn, and the translation after it, that do the same as a turn of a file."""

    own_turn: int
    shift: Points  # (3,)


class _NumberedBox(NamedTuple):
    """The box around the points of a shape."""

    low: Points  # (3,) its first corner
    high: Points  # (3,) its last corner
    strides: Points  # (3,) by which a place, relative to the first corner, is an index
    numbers: Points  # (places,) the number of the cell in each place, or -1


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
        return np.ascontiguousarray(self.grid.points(self.coordinates))  # as kernels need them

    def place(self, cell: int) -> tuple[int, ...]:
        """Return the coordinates of a cell in the file, counted from 1."""
        return tuple((self.coordinates[cell] + 1).tolist())

    @cached_property
    def turns(self) -> Points:
        """The motions about the origin that do not change the shape, as matrices.

        To shapes in a close-packed layer of spheres, reflections do the same as turns by 60°.
        """
        turns = self.grid.rotations
        # Along each diagonal. If all heights are 0 along one of them, the points are in one layer.
        heights = (self.points - self.points[0]) @ _DIAGONALS.T
        if self.grid.cells == "spheres" and not heights.any(0).all():
            return np.concatenate([turns, reflected(turns)])
        return turns

    @cached_property
    def file_turns(self) -> dict[int, FileTurn]:
        """The turns of a file, by their numbers there, that move cells onto cells.

        Each of them keeps the hotspot at the origin. The own turn is the first one whose result has
        the same form.
        """
        found = {}
        for number, (cells, hotspot) in self._turned_by_file().items():
            own_turn = self.forms.get(self._forms_of(cells[None])[0].tobytes())
            if own_turn is not None:
                # Both turns have the same form, so a translation between their least corners is
                # left; that of the file is relative to the hotspot.
                corner = (self.turns[own_turn] @ self.points.T).min(1)
                found[number] = FileTurn(own_turn, cells.min(1) - hotspot - corner)
        return found

    def _turned_by_file(self) -> dict[int, tuple[Points, Points]]:
        """Return the cells (3, cells) and the hotspot (3,) after each turn of a file."""
        hotspot = self.grid.points(np.array([self.hotspot]))
        points = np.concatenate([self.points, hotspot]).T
        turned = dict(enumerate(self.grid.rotations @ points))
        if self.grid.cells == "spheres":
            # They have further turns, of one layer, about its first cell. In thirds, those that
            # move a cell between the places of spheres are known; the hotspot may be moved there.
            thirds = _turns_in_thirds() @ (points - points[:, :1])
            for number, each in enumerate(thirds, len(turned)):
                if not (each[:, :-1] % 3).any():
                    turned[number] = np.rint(each / 3).astype(np.int64)
        return {number: (each[:, :-1], each[:, -1]) for number, each in turned.items()}

    @cached_property
    def _box(self) -> _NumberedBox:
        """The box of the points."""
        low = self.points.min(0)
        high = self.points.max(0)
        size = high - low + 1
        _check_places(size.prod(), "a result, with the gaps between its cells,")
        strides = np.array([size[1] * size[2], size[2], 1])
        numbers = np.full(size.prod(), -1)
        numbers[(self.points - low) @ strides] = np.arange(len(self))
        return _NumberedBox(low, high, strides, numbers)

    def find(self, piece: "Solid", turns: Points) -> tuple[Points, Points]:
        """Return the translations of a turned piece that have only cells of this shape.

        Parameters
        ----------
        piece, turns
            The piece, and motions about the origin, as matrices.

        Returns
        -------
        motions
            The number of the turn before each translation, and the translation.
        cells
            The numbers of the cells of each placement.
        """
        box = self._box
        turned = piece.points @ turns.transpose(0, 2, 1)
        # A translation moves the first cell of the piece to a cell of this shape.
        moves = self.points - turned[:, :1]
        # (turns, cells, 3) whether the box around the moved piece is within that of this shape
        in_box = (moves + turned.min(1, keepdims=True) >= box.low) & (
            moves + turned.max(1, keepdims=True) <= box.high
        )
        is_possible = (in_box & (moves % self.grid.period == 0)).all(2)
        if self.grid.is_face_centered:
            is_possible &= moves.sum(2) // self.grid.period % 2 == 0
        turn, cell = is_possible.nonzero()
        _check_places(len(turn) * len(piece), "all placements of a piece together")
        moves = moves[turn, cell]
        places = ((turned - box.low) @ box.strides)[turn] + (moves @ box.strides)[:, None]
        cells = box.numbers[places]
        is_placed = (cells >= 0).all(1)
        return np.column_stack([turn, moves])[is_placed], cells[is_placed]

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
        # One turn to each form: the placements of others are the same.
        numbers = np.array([*piece.forms.values()])
        motions, cells = self.find(piece, piece.turns[numbers])
        motions[:, 0] = numbers[motions[:, 0]]
        is_allowed = fits[piece.colors, self.colors[cells]].all(1)
        cells, motions = cells[is_allowed], motions[is_allowed]
        rows = np.sort(cells, axis=1)
        # The texts of big-endian numbers have the same order.
        order = np.argsort(rows.astype(">u4").view(f"S{4 * len(piece)}").ravel(), kind="stable")
        return rows[order], motions[order]

    def looks(self, piece: "Solid", cells: Points, motions: Points) -> Points:
        """Return the colors of each placement of a piece whose cells another one has, too.

        Rows consist of the number of a placement and of `MAX_COLORS` times a cell plus its color.
        The other arguments are the placements.
        """
        colored = np.flatnonzero(piece.colors)
        # Placements are sorted, so those in the same cells are neighbors.
        same = (cells[1:] == cells[:-1]).all(1)
        doubles = np.flatnonzero(np.append(same, False) | np.append(False, same))
        turned = piece.turns[motions[doubles, 0]] @ piece.points[colored].T
        box = self._box
        places = box.strides @ (turned + (motions[doubles, 1:] - box.low)[:, :, None])
        looks = box.numbers[places] * MAX_COLORS + piece.colors[colored]
        return np.column_stack([np.repeat(doubles, len(colored)), looks.ravel()])

    def symmetries(self, turns: Points) -> Points:
        """Return the cells to which motions move the cells, for motions that preserve the shape.

        The array has a row for each motion.
        """
        _, images = self.find(self, turns)
        kinds = 2 * self.colors + self.is_optional  # a motion maps each cell to one of its kind
        return images[(kinds[images] == kinds).all(1)]

    @cached_property
    def forms(self) -> dict[bytes, int]:
        """The first turn to each form. Translations map shapes with equal forms to each other."""
        first: dict[bytes, int] = {}
        for turn, form in enumerate(self._forms[:-1]):
            first.setdefault(form.tobytes(), turn)
        return first

    @property
    def reflected_form(self) -> bytes:
        """A form of the reflection of this shape."""
        return self._forms[-1].tobytes()

    @cached_property
    def _forms(self) -> Points:
        """The form after each turn, and after a reflection."""
        motions = np.concatenate([self.turns, reflected(self.turns[:1])])
        return self._forms_of(motions @ self.points.T)

    def _forms_of(self, turned: Points) -> Points:
        """Return a row for each array of points; rows are equal if a translation maps the points.

        A row has the class of the first corner of the bounding box, for which a translation has to
        map the grid, too; the size of this box; and the places in it, with the colors there.
        """
        low = turned.min(2)
        size = turned.max(2) - low + 1
        z, y, x = (turned - low[:, :, None]).transpose(1, 0, 2)
        numbers = (z * size[:, 1:2] + y) * size[:, 2:] + x  # of the points in their bounding box
        cells = np.sort(numbers * MAX_COLORS + self.colors, axis=1)
        return np.column_stack([self.grid.classes(low), size, cells])


def _check_places(n_places: int, subject: str) -> None:
    """Raise ValueError if arrays of so many places take too much memory."""
    if n_places > MAX_PLACES:
        raise ValueError(f"{subject} would have {n_places:,} places, more than {MAX_PLACES:,}")


def reflected(turns: Points) -> Points:
    """Return motions, each followed by the reflection that reverses z."""
    return turns * np.array([[-1], [1], [1]])
