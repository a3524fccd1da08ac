"""Tilings of a region by dominoes, tetrominoes or other polyominoes, any number of each."""

from ...cover.encode import Formulation
from ...pictures.filling import Outlines
from ..lattice.regions import parse_squares
from ..lattice.shapes import SQUARES
from ..parameters import parse_sizes
from ..puzzle import Puzzle
from .packing import WORDS


def example(sizes: str = "2", region: str = "8x8") -> Puzzle:
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

    >>> dominoes = example(region="4x4")
    >>> dominoes.count()
    36
    >>> print(dominoes.text(dominoes.cover().first()))
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
    shapes = [shape for size in parse_sizes(sizes, 6) for shape in SQUARES.polyforms(size)]
    cells = parse_squares(region)
    options = sorted(sorted(p) for shape in shapes for p in SQUARES.placements(shape, cells))
    marks = [tuple((cell, "") for cell in option) for option in options]
    title = f"A tiling of {region}"
    picture = Outlines(title, marks, words=WORDS)
    return Puzzle(title, Formulation(options, sorted(cells), view=picture), order_seed=3)
