"""Tetrasticks that cover the lines of a grid."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..svg.pieces import Stick, sticks_picture
from .entry import Entry, Statement
from .lattice.pieces import (
    Placements,
    label_pieces,
    list_placements,
    place_pieces,
    select_pieces,
    solution_placements,
)
from .lattice.regions import parse_squares
from .lattice.shapes import STICKS, LatticePoint, Shape

STANDARD_LETTERS = (  # with a walk along each piece: up, down, left, right, and back at branches
    "F urlur H ddurd I dddd J ddlu L dddr N uruu O rdlu P urul "
    "R ulrur T rrldd U drru V ddrr W drdr X rrludd Y rrudr Z rddr"
)
DIRECTIONS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


@dataclass(frozen=True)
class Tetrasticks(Entry):
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

    region: str = "5x5"
    sided: bool = False
    pieces: str = "-H"
    symmetry: bool = False

    def __post_init__(self) -> None:
        self.statement()  # raises ValueError if a parameter is invalid

    @cached_property
    def placements(self) -> Placements:
        """The placements of each piece, by its letter."""
        pieces = label_pieces(STICKS, 4, self.sided, STANDARD_LETTERS, _parse_walk)
        pieces = select_pieces(pieces, self.pieces)
        return place_pieces(STICKS, pieces, _sides(self.region), self.sided, self.symmetry)

    def statement(self) -> Statement:
        lines = _sides(self.region)
        crossings = {
            (y, x)
            for y, x in _points(lines)
            if lines.issuperset((y + down, x + right) for down, right in DIRECTIONS.values())
        }
        options = [
            [letter, *sorted(piece), *sorted(crossings & _passed_points(piece))]
            for letter, piece in list_placements(self.placements)
        ]
        return Statement(options, [*self.placements, *sorted(lines)], sorted(crossings))

    def text(self, solution: list[int]) -> str:
        placed = solution_placements(self.placements, solution)
        symbols = {stick: letter for letter, piece in placed for stick in piece}
        symbols |= dict.fromkeys(_points(symbols), "+")
        height, width = max(y for y, _ in symbols), max(x for _, x in symbols)
        return "\n".join(
            " ".join(symbols.get((y, x), " ") for x in range(width + 1)).rstrip()
            for y in range(height + 1)
        )

    def svg(self, solution: list[int]) -> str:
        placed = solution_placements(self.placements, solution)
        pieces = [
            (letter, [_segment(stick) for stick in sorted(piece)]) for letter, piece in placed
        ]
        return sticks_picture(f"Tetrasticks on {self.region}", pieces)


def _parse_walk(walk: str) -> Shape:
    """Return the sticks on a walk such as "urlur"."""
    y, x = 0, 0
    piece = set()
    for letter in walk:
        down, right = DIRECTIONS[letter]
        piece.add((y + down, x + right))
        y, x = y + 2 * down, x + 2 * right
    return frozenset(piece)


def _sides(region: str) -> Shape:
    """Return the sides of a region's squares, as sticks."""
    return frozenset(
        (2 * r + 1 + down, 2 * c + 1 + right)
        for r, c in parse_squares(region)
        for down, right in DIRECTIONS.values()
    )


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


def _passed_points(piece: Shape) -> set[LatticePoint]:
    """Return the grid points that the piece passes straight through."""
    return {
        (y, x)
        for y, x in _points(piece)
        if {(y - 1, x), (y + 1, x)} <= piece or {(y, x - 1), (y, x + 1)} <= piece
    }
