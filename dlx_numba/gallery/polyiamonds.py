"""Polyiamonds that fill a region."""

from dataclasses import dataclass

from ..pictures.plane import Polygon
from .lattice.regions import format_triangles, parse_triangles
from .lattice.shapes import TRIANGLES, LatticePoint
from .packing import Packing

STANDARD_LETTERS = {  # size -> the letter and a drawing of each piece
    6: "C ##/.#### E .##/###/# F ###/.### G .#/##/### H ####/## I ###### "
    "J .###/##/# O .###/.### P ###/##/# S ##/##/## V ####/.## X ###/###",
}


def triangle_corners(cell: LatticePoint) -> Polygon:
    """Return the corners of a triangle in the picture, as (x, y).

    >>> [(x, round(y, 2)) for x, y in triangle_corners((1, 1))]
    [(0.0, 0.0), (1.0, 0.0), (0.5, 0.87)]
    """
    row, column = cell[0] // 3, cell[1] // 3
    corners = [(row, column + 1), (row + 1, column)]
    points_down = cell[0] % 3 == 1
    corners = [(row, column), *corners] if points_down else [(row + 1, column + 1), *corners]
    return [(c + r / 2, r * 0.75**0.5) for r, c in corners]


@dataclass(frozen=True)
class Polyiamonds(Packing):
    """Fill a region with all polyiamonds of a given size, each used once.

    Items: each piece, by its letter; each triangle of the region, by three times the coordinates
    of its center, (down, right), with respect to axes at 60°.
    Options: a piece in one of its placements, with the triangles that it covers.

    Parameters
    ----------
    size
        The number of triangles of each piece, from 1 to 7.
    region
        A parallelogram `6x6`; a parallelogram without triangles in its acute corners, so that
        `4x11-4` is a trapezoid, `6x6-6` a triangle and `7x7-1-5` a pentagon; or a drawing: rows of
        `#` for a triangle and `.` for none, with `/` between them, whose first triangle points
        down.
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
    The hexiamonds are bar (I), butterfly (X), chevron (C), crook (J), crown (E), hexagon (O), hook
    (G), lobster (V), signpost (H), snake (S), sphinx (P) and yacht (F). Up to symmetry, they fill
    6×6 in 156 ways, 4×9 in 74, and the trapezoid 4x11-4 in 76; they cannot fill 3×12 (D. Goodger,
    Polyform Puzzler). These are three of the six convex polygons that the hexiamonds fill (TAOCP
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

    lattice = TRIANGLES
    max_size = 7
    standard_letters = STANDARD_LETTERS
    letter_size = 0.34
    _parse_shape = staticmethod(parse_triangles)
    _corners = staticmethod(triangle_corners)

    size: int = 6
    region: str = "6x6"

    def text(self, solution: list[int]) -> str:
        return format_triangles(self.letters(solution))
