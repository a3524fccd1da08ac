"""Polyominoes that fill a region."""

from ..lattice.regions import parse_squares
from ..lattice.shapes import SQUARES
from ..parameters import check_range
from ..puzzle import Puzzle
from .packing import fill_region, label_polyforms

STANDARD_LETTERS = {  # size -> the letter and a drawing of each piece
    1: "I #",
    2: "I ##",
    3: "I ### V ##/#",
    4: "I #### L ###/# O ##/## S .##/## T ###/.#",
    5: "F .##/##/.# I ##### L ####/# N ###/..## P ###/## T ###/.#/.# "
    "U #.#/### V ###/#/# W .##/##/# X .#/###/.# Y ####/.# Z ##/.#/.##",
}


def example(
    size: int = 5,
    region: str = "6x10",
    sided: bool = False,
    pieces: str = "",
    symmetry: bool = True,
    empty: int = 0,
) -> Puzzle:
    """Fill a region with all polyominoes of a given size, each used once.

    Items: each piece, by its letter; each cell of the region, as (row, column).
    Options: a piece in one of its placements, with the cells that it covers.

    Parameters
    ----------
    size
        The number of squares of each piece, from 1 to 6.
    region
        A rectangle `3x20`, a rectangle with a hole in its center `8x8-2x2`, or a drawing: rows of
        `#` for a cell and `.` for none, with `/` between them.
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
    Up to symmetry, the twelve pentominoes fill 6×10 in 2339 ways, 5×12 in 1010, 4×15 in 368, 3×20
    in 2, and the chessboard without its four center cells in 65 (TAOCP 7.2.2.1). The 18 one-sided
    pentominoes fill 3×30 in 46 ways (D. Goodger, Polyform Puzzler).

    >>> pentominoes = example(region="3x20", symmetry=False)
    >>> pentominoes.count()
    2
    >>> print(pentominoes.text(pentominoes.first()))
    V V V N N N F T W Y Y Y Y Z P P P X U U
    V L N N F F F T W W Y Z Z Z P P X X X U
    V L L L L F T T T W W Z I I I I I X U U
    """
    check_range("size", size, 1, 6)
    title = f"Polyominoes in {region}"
    cells = parse_squares(region)
    selected = label_polyforms(SQUARES, size, sided, STANDARD_LETTERS, parse_squares, pieces)
    formulation = fill_region(
        title, SQUARES, selected, cells, sided=sided, symmetry=symmetry, empty=empty
    )
    return Puzzle(title, formulation)
