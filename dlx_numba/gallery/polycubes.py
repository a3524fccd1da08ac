"""Polycubes that fill a region of space."""

from dataclasses import dataclass
from functools import cached_property
from itertools import count

from ..cover.names import as_text
from ..pictures.pieces import mosaic_picture
from ..pictures.plane import square
from .entry import Entry, Statement
from .lattice.regions import format_layers, parse_cubes
from .lattice.shapes import CUBES, Shape

PIECE_SETS = {  # alternating letters and drawings
    "soma": "A ##/.#|../.# B ##/.#|#./.. L ###/#.. P ##/.#|.#/.. T ###/.#. V ##/#. Z ##./.##",
    "bedlam": "A ###/#..|#../... B ##./#..|.##/... C ##./.#.|.##/... D .#./###/.#. "
    "E ###/.#.|.../.#. F ###/#..|.#./... G ##./...|.#./.## H ##./.##/.#. V ###/..#|.../..# "
    "W ###/#..|..#/... X ###/.#.|.#./... Y ##./.##/..# Z ##/#.|../#.",
}


@dataclass(frozen=True)
class Polycubes(Entry):
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

    Notes
    -----
    The seven pieces of P. Hein's Soma cube fill the cube in 11,520 ways, 240 up to symmetry (J. H.
    Conway and R. K. Guy, 1961; TAOCP 7.2.2.1). Its symmetries are the rotations and reflections of
    the cube; reflections exchange the pieces A and B. The 13 pieces of B. Bedlam's cube
    `region=4x4x4 pieces=bedlam` do so in 460,464 ways, 19,186 up to symmetry (S. Kurowski), which
    takes hours to verify.

    >>> soma = Polycubes()
    >>> cover = soma.cover()
    >>> cover.count(up_to_symmetry=True)
    240
    >>> print(soma.text(cover.first()))
    A A B   P A B   T T T
    A B B   P P V   P T V
    L L L   L Z Z   Z Z V
    """

    region: str = "3x3x3"
    pieces: str = "soma"

    def __post_init__(self) -> None:
        _ = self._statement  # raises ValueError if a parameter is invalid

    @cached_property
    def cubes(self) -> Shape:
        """The cubes of the region."""
        return parse_cubes(self.region)

    def statement(self) -> Statement:
        words = PIECE_SETS.get(self.pieces, self.pieces).split()
        if not words or len(words) % 2 or len({*words[::2]}) < len(words) // 2:
            names = ", ".join(PIECE_SETS)
            raise ValueError(
                f"pieces must be {names}, or alternating distinct names and drawings, "
                f"not {self.pieces!r}"
            )
        solids = {
            name: parse_cubes(drawing) for name, drawing in zip(*[iter(words)] * 2, strict=True)
        }
        size = sum(map(len, solids.values()))
        if size != len(self.cubes):
            raise ValueError(f"the region has {len(self.cubes)} cubes, but the pieces have {size}")
        options: dict[str, list[object]] = {}
        for letter, solid in solids.items():
            for cubes in map(sorted, CUBES.placements(solid, self.cubes, sided=True)):
                name = f"{letter} at {as_text(cubes[0])}"
                numbered = (f"{name} #{k}" if k > 1 else name for k in count(1))
                options[next(each for each in numbered if each not in options)] = [letter, *cubes]
        return Statement(options, items=[*solids, *sorted(self.cubes)])

    def text(self, solution: list[int]) -> str:
        chosen = self._chosen(solution)
        return format_layers({cube: name for name, *cubes in chosen for cube in cubes})

    def svg(self, solution: list[int]) -> str:
        shift = 2 + max(x for _, _, x in self.cubes) - min(x for _, _, x in self.cubes)
        pieces = [
            (name, [square(y, x + shift * z) for z, y, x in cubes])
            for name, *cubes in self._chosen(solution)
        ]
        return mosaic_picture(f"Polycubes in {self.region}, layer by layer", pieces)
