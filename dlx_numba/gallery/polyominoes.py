"""Polyominoes that fill a region."""

from dataclasses import dataclass
from functools import cached_property

from ..svg.mosaic import mosaic_picture
from ..svg.plane import square
from .entry import Entry, Statement
from .lattice.pieces import (
    Placements,
    choose_pieces,
    chosen_pieces,
    letter_pieces,
    listed,
    place_pieces,
)
from .lattice.regions import draw_squares, squares
from .lattice.shapes import SQUARES
from .parameters import check_range

USUAL_LETTERS = {  # of the pieces of a size, with a drawing of each
    1: "I #",
    2: "I ##",
    3: "I ### V ##/#",
    4: "I #### L ###/# O ##/## S .##/## T ###/.#",
    5: "F .##/##/.# I ##### L ####/# N ###/..## P ###/## T ###/.#/.# "
    "U #.#/### V ###/#/# W .##/##/# X .#/###/.# Y ####/.# Z ##/.#/.##",
}


@dataclass(frozen=True)
class Polyominoes(Entry):
    """Fill a region with all polyominoes of a size, each used once.

    Items: each piece, by its letter; each cell of the region, as (row, column).
    Options: a piece in one of its places, with the cells that it covers there.

    Parameters
    ----------
    size
        The number of squares of each piece, from 1 to 6.
    region
        A rectangle `3x20`, one without its middle `8x8-2x2`, or drawn: rows of `#` for a cell and
        `.` for none, with `/` between them.
    sided
        Pieces may not be turned over: a piece and its mirror image are two, F and f.
    pieces
        The letters of those to use, or `-` and the letters of those to leave out; else all.
    symmetry
        All solutions; or else one of each set of solutions that are rotations and reflections of
        each other.

    Without symmetry, the twelve pentominoes fill 6×10 in 2339 ways, 5×12 in 1010, 4×15 in 368 and
    3×20 in 2, and the chessboard without its middle in 65 (TAOCP 7.2.2.1); the 18 one-sided ones
    fill 3×30 in 46 ways (D. Goodger, Polyform Puzzler).

    >>> pentominoes = Polyominoes(region="3x20", symmetry=False)
    >>> cover = pentominoes.cover()
    >>> cover.count()
    2
    >>> print(pentominoes.text(cover.first()))
    V V V N N N F T W Y Y Y Y Z P P P X U U
    V L N N F F F T W W Y Z Z Z P P X X X U
    V L L L L F T T T W W Z I I I I I X U U
    """

    size: int = 5
    region: str = "6x10"
    sided: bool = False
    pieces: str = ""
    symmetry: bool = True

    def __post_init__(self) -> None:
        check_range("size", self.size, 1, 6)
        self.statement()  # tells what is wrong with the other parameters

    @cached_property
    def placements(self) -> Placements:
        usual = USUAL_LETTERS.get(self.size, "")
        pieces = letter_pieces(SQUARES, self.size, self.sided, usual, squares)
        pieces = choose_pieces(pieces, self.pieces)
        return place_pieces(SQUARES, pieces, squares(self.region), self.sided, self.symmetry)

    def statement(self) -> Statement:
        options = [[letter, *sorted(cells)] for letter, cells in listed(self.placements)]
        return Statement(options, items=[*self.placements, *sorted(squares(self.region))])

    def text(self, solution: list[int]) -> str:
        chosen = chosen_pieces(self.placements, solution)
        return draw_squares({cell: letter for letter, cells in chosen for cell in cells})

    def svg(self, solution: list[int]) -> str:
        chosen = chosen_pieces(self.placements, solution)
        parts = [(letter, [square(r, c) for r, c in sorted(cells)]) for letter, cells in chosen]
        return mosaic_picture(f"Polyominoes in {self.region}", parts)
