"""Polyominoes that fill a region."""

from dataclasses import dataclass

from .lattice.regions import format_squares, parse_squares
from .lattice.shapes import SQUARES
from .packing import Packing

STANDARD_LETTERS = {  # size -> the letter and a drawing of each piece
    1: "I #",
    2: "I ##",
    3: "I ### V ##/#",
    4: "I #### L ###/# O ##/## S .##/## T ###/.#",
    5: "F .##/##/.# I ##### L ####/# N ###/..## P ###/## T ###/.#/.# "
    "U #.#/### V ###/#/# W .##/##/# X .#/###/.# Y ####/.# Z ##/.#/.##",
}


@dataclass(frozen=True)
class Polyominoes(Packing):
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

    Notes
    -----
    Up to symmetry, the twelve pentominoes fill 6×10 in 2339 ways, 5×12 in 1010, 4×15 in 368, 3×20
    in 2, and the chessboard without its four center cells in 65 (TAOCP 7.2.2.1). The 18 one-sided
    pentominoes fill 3×30 in 46 ways (D. Goodger, Polyform Puzzler).

    >>> pentominoes = Polyominoes(region="3x20", symmetry=False)
    >>> cover = pentominoes.cover()
    >>> cover.count()
    2
    >>> print(pentominoes.text(cover.first()))
    V V V N N N F T W Y Y Y Y Z P P P X U U
    V L N N F F F T W W Y Z Z Z P P X X X U
    V L L L L F T T T W W Z I I I I I X U U
    """

    lattice = SQUARES
    max_size = 6
    standard_letters = STANDARD_LETTERS
    _parse_shape = staticmethod(parse_squares)

    size: int = 5
    region: str = "6x10"

    def text(self, solution: list[int]) -> str:
        return format_squares(self.letters(solution))
