"""Tetrasticks that cover the lines of a grid."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from ..pictures.pieces import Stick, sticks_picture
from .entry import Statement
from .lattice.regions import format_cells, parse_squares
from .lattice.shapes import STICKS, LatticePoint, Shape
from .packing import Packing

STANDARD_LETTERS = {  # with a walk along each piece: up, down, left, right, and back at branches
    4: "F urlur H ddurd I dddd J ddlu L dddr N uruu O rdlu P urul "
    "R ulrur T rrldd U drru V ddrr W drdr X rrludd Y rrudr Z rddr"
}
DIRECTIONS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


@dataclass(frozen=True)
class Tetrasticks(Packing):
    """Cover the lines of a grid with tetrasticks that do not cross each other.

    A tetrastick consists of four unit sticks. Each piece is used once.

    Items: each piece, by its letter; each unit stick of the grid, by twice the (row, column) of
    its midpoint.
    Secondary items: each point where pieces could cross, by twice its (row, column).
    Options: a piece in one of its placements, with its sticks and the points that it passes
    straight through.

    Parameters
    ----------
    region
        The squares whose sides are covered: a rectangle `5x5`, a rectangle with a hole in its
        center `8x8-2x2`, or a drawing: rows of `#` for a square and `.` for none, with `/` between
        them.
    sided
        Whether a piece and its mirror image are different pieces, such as F and f, because pieces
        must not be turned over.
    pieces
        The letters of the pieces to use, or `-` and the letters to omit. If empty, all are used.
    symmetry
        Whether to find all solutions, or only one of each set of solutions that are rotations or
        reflections of each other.

    Notes
    -----
    The 16 tetrasticks have 64 sticks, but a 5×5 grid has 60. If H, J, L, N or Y is omitted, there
    are 72, 382, 607, 530 or 204 solutions up to symmetry (Knuth, Dancing Links, 2000); if another
    piece is omitted, the numbers of horizontal and vertical sticks cannot agree. The ten one-sided
    pieces that branch, FfHhRrTXYy, cover a 4×4 grid in 16 ways.

    >>> branching = Tetrasticks("4x4", sided=True, pieces="FfHhRrTXYy", symmetry=True)
    >>> cover = branching.cover()
    >>> cover.count()
    16
    >>> print(branching.text(cover.first()))
    + F + F + f + f +
    F   F   X   f   f
    + R + X + X + r +
    y   R   X   r   Y
    + y + R + r + Y +
    y   R   T   r   Y
    + H + H + h + h +
    y   H   T   h   Y
    + H + T + T + h +
    """

    lattice = STICKS
    max_size = 4
    standard_letters = STANDARD_LETTERS

    size: ClassVar[int] = 4  # type: ignore[misc]  # no parameter
    region: str = "5x5"
    pieces: str = "-H"
    symmetry: bool = False

    @staticmethod
    def _parse_shape(text: str) -> Shape:
        y, x = 0, 0
        piece = set()
        for letter in text:
            down, right = DIRECTIONS[letter]
            piece.add((y + down, x + right))
            y, x = y + 2 * down, x + 2 * right
        return frozenset(piece)

    @cached_property
    def cells(self) -> Shape:
        """The sides of the squares of the region, as sticks."""
        return frozenset(
            (2 * r + 1 + down, 2 * c + 1 + right)
            for r, c in parse_squares(self.region)
            for down, right in DIRECTIONS.values()
        )

    def statement(self) -> Statement:
        crossings = {
            (y, x)
            for y, x in _points(self.cells)
            if self.cells.issuperset((y + down, x + right) for down, right in DIRECTIONS.values())
        }
        stated = super().statement()
        pieces: Any = stated.options
        options = {
            name: [*piece, *(point for point in sorted(crossings) if _passes({*piece}, *point))]
            for name, piece in pieces.items()
        }
        return stated._replace(options=options, secondary=sorted(crossings))

    def text(self, solution: list[int]) -> str:
        symbols = self.letters(solution)
        return format_cells(symbols | dict.fromkeys(_points(symbols), "+"), " ", " ")

    def svg(self, solution: list[int]) -> str:
        pieces = [(letter, [*map(_segment, sticks)]) for letter, sticks in self.shapes(solution)]
        return sticks_picture(f"Tetrasticks on {self.region}", pieces)


def _ends(stick: LatticePoint) -> tuple[LatticePoint, LatticePoint]:
    """Return the grid points at the ends of a stick."""
    y, x = stick
    return (y - y % 2, x - x % 2), (y + y % 2, x + x % 2)


def _segment(stick: LatticePoint) -> Stick:
    """Return the ends of a stick in the picture, as (x, y)."""
    (top, left), (bottom, right) = _ends(stick)
    return (left // 2, top // 2), (right // 2, bottom // 2)


def _points(piece: Iterable[LatticePoint]) -> set[LatticePoint]:
    return {end for stick in piece for end in _ends(stick)}


def _passes(piece: set[Any], y: int, x: int) -> bool:
    """Return whether a piece passes straight through a grid point."""
    return {(y - 1, x), (y + 1, x)} <= piece or {(y, x - 1), (y, x + 1)} <= piece
