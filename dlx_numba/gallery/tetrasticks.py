"""Tetrasticks that cover the lines of a grid."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..svg.sticks import Stick, sticks_picture
from .entry import Entry, Statement
from .lattice.pieces import (
    Placements,
    choose_pieces,
    chosen_pieces,
    letter_pieces,
    listed,
    place_pieces,
)
from .lattice.regions import squares
from .lattice.shapes import STICKS, Point, Shape

USUAL_LETTERS = (  # each with a walk along the piece: up, down, left, right, and back at branches
    "F urlur H ddurd I dddd J ddlu L dddr N uruu O rdlu P urul "
    "R ulrur T rrldd U drru V ddrr W drdr X rrludd Y rrudr Z rddr"
)
WAYS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


@dataclass(frozen=True)
class Tetrasticks(Entry):
    """Cover the lines of a grid with the pieces of four sticks, each used once; none may cross.

    Items: each piece, by its letter; each unit stick of the grid, as twice the (row, column) of
    its middle. Secondary: each point where pieces could cross, as twice its (row, column).
    Options: a piece in one of its places, with its sticks there, and the points that it goes
    straight through.

    Parameters
    ----------
    region
        The squares whose sides are to be covered: `5x5`, `8x8-2x2`, or drawn: rows of `#` for a
        square and `.` for none, with `/` between them.
    sided
        Pieces may not be turned over: a piece and its mirror image are two, F and f.
    pieces
        The letters of those to use, or `-` and the letters of those to leave out; else all.
    symmetry
        All solutions; or else one of each set of solutions that are rotations and reflections of
        each other. (Off by default: a square has eight times as many solutions with symmetry.)

    The 16 tetrasticks are 64 sticks long, a 5×5 grid 60. If H, J, L, N or Y is left out, there are
    72, 382, 607, 530 or 204 solutions without symmetry (Knuth, Dancing Links, 2000); if another
    one is, there cannot be as many horizontal sticks as vertical ones. The ten one-sided pieces
    that branch, FfHhRrTXYy, cover a 4×4 grid in 16 ways.

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
        self.statement()  # tells what is wrong with the parameters

    @cached_property
    def placements(self) -> Placements:
        pieces = letter_pieces(STICKS, 4, self.sided, USUAL_LETTERS, _walked)
        pieces = choose_pieces(pieces, self.pieces)
        return place_pieces(STICKS, pieces, _sides(self.region), self.sided, self.symmetry)

    def statement(self) -> Statement:
        lines = _sides(self.region)
        crossings = {
            (y, x)
            for y, x in _points(lines)
            if lines.issuperset((y + down, x + right) for down, right in WAYS.values())
        }
        options = [
            [letter, *sorted(piece), *sorted(crossings & _passed(piece))]
            for letter, piece in listed(self.placements)
        ]
        return Statement(options, [*self.placements, *sorted(lines)], sorted(crossings))

    def text(self, solution: list[int]) -> str:
        chosen = chosen_pieces(self.placements, solution)
        signs = {stick: letter for letter, piece in chosen for stick in piece}
        signs |= dict.fromkeys(_points(signs), "+")
        height, width = max(y for y, _ in signs), max(x for _, x in signs)
        return "\n".join(
            " ".join(signs.get((y, x), " ") for x in range(width + 1)).rstrip()
            for y in range(height + 1)
        )

    def svg(self, solution: list[int]) -> str:
        chosen = chosen_pieces(self.placements, solution)
        parts = [(letter, [_line(stick) for stick in sorted(piece)]) for letter, piece in chosen]
        return sticks_picture(f"Tetrasticks on {self.region}", parts)


def _walked(walk: str) -> Shape:
    y, x = 0, 0
    piece = set()
    for way in walk:
        down, right = WAYS[way]
        piece.add((y + down, x + right))
        y, x = y + 2 * down, x + 2 * right
    return frozenset(piece)


def _sides(region: str) -> Shape:
    return frozenset(
        (2 * r + 1 + down, 2 * c + 1 + right)
        for r, c in squares(region)
        for down, right in WAYS.values()
    )


def _ends(stick: Point) -> tuple[Point, Point]:
    y, x = stick
    return (y - y % 2, x - x % 2), (y + y % 2, x + x % 2)


def _line(stick: Point) -> Stick:
    """A stick as it is drawn."""
    (top, left), (bottom, right) = _ends(stick)
    return (left // 2, top // 2), (right // 2, bottom // 2)


def _points(piece: Iterable[Point]) -> set[Point]:
    return {end for stick in piece for end in _ends(stick)}


def _passed(piece: Shape) -> set[Point]:
    """The points that the piece goes straight through."""
    return {
        (y, x)
        for y, x in _points(piece)
        if {(y - 1, x), (y + 1, x)} <= piece or {(y, x - 1), (y, x + 1)} <= piece
    }
