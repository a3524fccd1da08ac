"""Polycubes that fill a region of space."""

from ..lattice.regions import parse_cubes
from ..lattice.shapes import CUBES
from ..puzzle import Puzzle
from .packing import fill_region, parse_pieces

PIECE_SETS = {  # alternating letters and drawings
    "soma": "A ##/.#|../.# B ##/.#|#./.. L ###/#.. P ##/.#|.#/.. T ###/.#. V ##/#. Z ##./.##",
    "bedlam": "A ###/#..|#../... B ##./#..|.##/... C ##./.#.|.##/... D .#./###/.#. "
    "E ###/.#.|.../.#. F ###/#..|.#./... G ##./...|.#./.## H ##./.##/.#. V ###/..#|.../..# "
    "W ###/#..|..#/... X ###/.#.|.#./... Y ##./.##/..# Z ##/#.|../#.",
}


def example(region: str = "3x3x3", pieces: str = "soma", empty: int = 0) -> Puzzle:
    """Fill a region of space with polycubes, each used once.

    Items: each piece, by its letter; each cube of the region, as (layer, row, column).
    Options: a piece in one of its placements, with the cubes that it covers.

    Parameters
    ----------
    region
        A box `3x3x3`: layers, rows and columns; or a drawing: rows of `#` for a cube and `.` for
        none, with `/` between rows and `|` between layers.
    pieces
        `soma`, `bedlam`, or drawings of pieces, each after a name, such as `A ##/#. B ##`, with
        spaces between them. Pieces can be rotated, but not reflected.
    empty
        The number of cubes that stay empty.

    Notes
    -----
    The seven pieces of P. Hein's Soma cube fill the cube in 11,520 ways, 240 up to symmetry (J. H.
    Conway and R. K. Guy, 1961; TAOCP 7.2.2.1). Its symmetries are the rotations and reflections of
    the cube; reflections exchange the pieces A and B. The 13 pieces of B. Bedlam's cube
    `region=4x4x4 pieces=bedlam` do so in 460,464 ways, 19,186 up to symmetry (S. Kurowski), which
    takes hours to verify.

    >>> soma = example()
    >>> soma.cover().count(up_to_symmetry=True)
    240
    >>> print(soma.text(soma.first()))
    A A B   P A B   T T T
    A B B   P P V   P T V
    L L L   L Z Z   Z Z V
    """
    title = f"Polycubes in {region}, layer by layer"
    cells = parse_cubes(region)
    drawings = PIECE_SETS.get(pieces, pieces)
    words = drawings.split()
    if not words or len(words) % 2 or len({*words[::2]}) < len(words) // 2:
        names = ", ".join(PIECE_SETS)
        raise ValueError(
            f"pieces must be {names}, or alternating distinct names and drawings, not {pieces!r}"
        )
    solids = parse_pieces(drawings, parse_cubes)
    return Puzzle(title, fill_region(title, CUBES, solids, cells, sided=True, empty=empty))
