"""Polyiamonds that fill a region."""

from dataclasses import dataclass
from functools import cached_property

from ..svg.mosaic import mosaic_picture
from ..svg.plane import Polygon
from .entry import Entry, Statement
from .lattice.pieces import (
    Placements,
    choose_pieces,
    chosen_pieces,
    letter_pieces,
    listed,
    place_pieces,
)
from .lattice.regions import draw_triangles, triangles
from .lattice.shapes import TRIANGLES, Point
from .parameters import check_range

USUAL_LETTERS = {  # of the pieces of a size, with a drawing of each
    6: "C ##/.#### E .##/###/# F ###/.### G .#/##/### H ####/## I ###### "
    "J .###/##/# O .###/.### P ###/##/# S ##/##/## V ####/.## X ###/###",
}


@dataclass(frozen=True)
class Polyiamonds(Entry):
    """Fill a region with all polyiamonds of a size, each used once.

    Items: each piece, by its letter; each triangle of the region, by three times the coordinates
    of its centre, down and right, with axes at 60°.
    Options: a piece in one of its places, with the triangles that it covers there.

    Parameters
    ----------
    size
        The number of triangles of each piece, from 1 to 7.
    region
        A parallelogram `6x6`; one without triangles in its acute corners, so that `4x11-4` is a
        trapezoid, `6x6-6` a triangle and `7x7-1-5` a pentagon; or drawn: rows of `#` for a triangle
        and `.` for none, with `/` between them, where the very first triangle points down.
    sided
        Pieces may not be turned over: a piece and its mirror image are two, F and f.
    pieces
        The letters of those to use, or `-` and the letters of those to leave out; else all.
    symmetry
        All solutions; or else one of each set of solutions that are rotations and reflections of
        each other.

    The hexiamonds are bar (I), butterfly (X), chevron (C), crook (J), crown (E), hexagon (O), hook
    (G), lobster (V), signpost (H), snake (S), sphinx (P) and yacht (F). Without symmetry, they
    fill 6×6 in 156 ways, 4×9 in 74, 3×12 in none and the trapezoid 4x11-4 in 76 (D. Goodger,
    Polyform Puzzler). These are three of the six convex polygons that they fill at all (TAOCP
    7.2.2.1, exercise 309).

    >>> hexiamonds = Polyiamonds(symmetry=False)
    >>> cover = hexiamonds.cover()
    >>> cover.count()
    156
    >>> print(hexiamonds.text(cover.first()))
    IIIIIIXXXGGG
     PPPPPXXXGCGG
      PJJOOOSSCCHH
       JJOOOSSCCHHH
        JJVVSSCEHFFF
         VVVVEEEEEFFF
    """

    size: int = 6
    region: str = "6x6"
    sided: bool = False
    pieces: str = ""
    symmetry: bool = True

    def __post_init__(self) -> None:
        check_range("size", self.size, 1, 7)
        self.statement()  # tells what is wrong with the other parameters

    @cached_property
    def placements(self) -> Placements:
        usual = USUAL_LETTERS.get(self.size, "")
        pieces = letter_pieces(TRIANGLES, self.size, self.sided, usual, triangles)
        pieces = choose_pieces(pieces, self.pieces)
        return place_pieces(TRIANGLES, pieces, triangles(self.region), self.sided, self.symmetry)

    def statement(self) -> Statement:
        options = [[letter, *sorted(cells)] for letter, cells in listed(self.placements)]
        return Statement(options, items=[*self.placements, *sorted(triangles(self.region))])

    def text(self, solution: list[int]) -> str:
        chosen = chosen_pieces(self.placements, solution)
        return draw_triangles({cell: letter for letter, cells in chosen for cell in cells})

    def svg(self, solution: list[int]) -> str:
        chosen = chosen_pieces(self.placements, solution)
        parts = [(letter, list(map(_drawn, sorted(cells)))) for letter, cells in chosen]
        return mosaic_picture(f"Polyiamonds in {self.region}", parts, letter_size=0.34)


def _drawn(centre: Point) -> Polygon:
    """The corners of a triangle as it is drawn.

    >>> [(x, round(y, 2)) for x, y in _drawn((1, 1))]
    [(0.0, 0.0), (1.0, 0.0), (0.5, 0.87)]
    """
    row, column = centre[0] // 3, centre[1] // 3
    corners = [(row, column + 1), (row + 1, column)]
    points_down = centre[0] % 3 == 1
    corners = [(row, column), *corners] if points_down else [(row + 1, column + 1), *corners]
    return [(c + r / 2, r * 0.75**0.5) for r, c in corners]
