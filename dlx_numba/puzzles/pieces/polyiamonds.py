"""Polyiamonds that fill a region."""

from typing import Any

from ..lattice.regions import parse_triangles
from ..lattice.shapes import TRIANGLES
from ..parameters import check_range
from ..puzzle import Puzzle
from .packing import fill_region, label_polyforms

DRAWING: dict[str, Any] = {"size": 0.34, "separator": ""}  # of triangles
STANDARD_LETTERS = {  # size -> the letter and a drawing of each piece
    6: "C ##/.#### E .##/###/# F ###/.### G .#/##/### H ####/## I ###### "
    "J .###/##/# O .###/.### P ###/##/# S ##/##/## V ####/.## X ###/###"
}


def example(
    size: int = 6,
    region: str = "6x6",
    sided: bool = False,
    pieces: str = "",
    symmetry: bool = True,
    empty: int = 0,
) -> Puzzle:
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
    empty
        The number of cells that stay empty.

    Notes
    -----
    The hexiamonds are bar (I), butterfly (X), chevron (C), crook (J), crown (E), hexagon (O), hook
    (G), lobster (V), signpost (H), snake (S), sphinx (P) and yacht (F). Up to symmetry, they fill
    6×6 in 156 ways, 4×9 in 74, and the trapezoid 4x11-4 in 76; they cannot fill 3×12 (D. Goodger,
    Polyform Puzzler). These are three of the six convex polygons that the hexiamonds fill (TAOCP
    7.2.2.1, exercise 309).

    >>> hexiamonds = example(symmetry=False)
    >>> hexiamonds.count()
    156
    >>> print(hexiamonds.text(hexiamonds.first()))
    IIIIIIXXXGGG
     PPPPPXXXGCGG
      PJJOOOSSCCHH
       JJOOOSSCCHHH
        JJVVSSCEHFFF
         VVVVEEEEEFFF
    """
    check_range("size", size, 1, 7)
    title = f"Polyiamonds in {region}"
    cells = parse_triangles(region)
    selected = label_polyforms(TRIANGLES, size, sided, STANDARD_LETTERS, parse_triangles, pieces)
    formulation = fill_region(
        title, TRIANGLES, selected, cells, sided=sided, symmetry=symmetry, empty=empty, **DRAWING
    )
    return Puzzle(title, formulation)
