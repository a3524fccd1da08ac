"""Tilings of a region by dominoes, tetrominoes or other polyominoes, any number of each."""

from dataclasses import dataclass
from typing import ClassVar

from ..pictures.pieces import mosaic_picture
from ..pictures.plane import square
from .entry import Entry, Statement
from .lattice.regions import format_outlines, parse_squares
from .lattice.shapes import SQUARES
from .parameters import parse_sizes


@dataclass(frozen=True)
class Tilings(Entry):
    """Tile a region with dominoes, or all polyominoes of other sizes.

    Items: each cell of the region, as (row, column).
    Options: a polyomino in one of its placements, with the cells that it covers. Each polyomino may
    be used any number of times, rotated and reflected.

    Parameters
    ----------
    sizes
        The numbers of squares of the pieces, from 1 to 6, with commas between them: `2` for
        dominoes, `4` for tetrominoes, `1,2,3` for pieces of up to three squares.
    region
        A rectangle `6x8`, a rectangle with a hole in its center `8x8-2x2`, or a drawing: rows of
        `#` for a cell and `.` for none, with `/` between them.

    Notes
    -----
    OEIS A004003 counts the domino tilings of the 2n × 2n board, 12,988,816 of the chessboard, and
    A263425 the tetromino tilings, 19,077,209,438 of the chessboard. Pieces of up to three
    squares tile the chessboard in 92,109,458,286,284,989,468,604 ways (TAOCP 7.1.4).

    >>> dominoes = Tilings(region="4x4")
    >>> cover = dominoes.cover()
    >>> cover.count()
    36
    >>> print(dominoes.text(cover.first()))
    ┌───────┬───────┐
    │       │       │
    ├───────┼───────┤
    │       │       │
    ├───────┼───────┤
    │       │       │
    ├───────┼───────┤
    │       │       │
    └───────┴───────┘
    """

    order_seed: ClassVar[int | None] = 3

    sizes: str = "2"
    region: str = "8x8"

    def __post_init__(self) -> None:
        parse_sizes(self.sizes, 6)
        parse_squares(self.region)

    def statement(self) -> Statement:
        region = parse_squares(self.region)
        shapes = [s for size in parse_sizes(self.sizes, 6) for s in SQUARES.polyforms(size)]
        placed = (cells for shape in shapes for cells in SQUARES.placements(shape, region))
        return Statement(sorted(map(sorted, placed)), items=sorted(region))

    def text(self, solution: list[int]) -> str:
        return format_outlines(self._chosen(solution))

    def svg(self, solution: list[int]) -> str:
        pieces = [("", [square(*cell) for cell in cells]) for cells in self._chosen(solution)]
        return mosaic_picture(f"A tiling of {self.region}", pieces)
