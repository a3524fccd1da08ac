"""Puzzles whose pieces fill a region: letters, placements in the region, and symmetry breaking."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from string import ascii_uppercase
from typing import ClassVar

from ..cover.names import as_text
from ..pictures.pieces import Pieces, mosaic_picture
from ..pictures.plane import Polygon, square
from .entry import Entry, Statement
from .lattice.shapes import REFLECTION, Isometry, Lattice, LatticePoint, Shape
from .parameters import check_range

LETTERS = ascii_uppercase + "ΓΔΘΛΞΠΣΦΨΩ"

Placements = Mapping[str, list[Shape]]  # letter of a piece -> its placements


@dataclass(frozen=True)
class Mosaic(Entry):
    """The base class of puzzles whose solutions are drawn as pieces, each with a letter.

    Attributes
    ----------
    letter_size : float
        The font size of the letters in pictures, in sides of a cell.
    """

    letter_size: ClassVar[float] = 0.5

    @abstractmethod
    def shapes(self, solution: list[int]) -> list[tuple[str, list[LatticePoint]]]:
        """Return the letter and the cells of each piece.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        list of (str, list)
        """

    def letters(self, solution: list[int]) -> dict[LatticePoint, str]:
        """Return the letter of the piece on each cell.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        dict of (int, int) to str
        """
        return {cell: letter for letter, cells in self.shapes(solution) for cell in cells}

    def _title(self) -> str:
        """Return the title of pictures."""
        return f"{type(self).__name__} in {getattr(self, 'region', '')}"

    @staticmethod
    def _corners(cell: LatticePoint) -> Polygon:
        """Return the corners of a cell in pictures, as (x, y)."""
        return square(*cell)

    def svg(self, solution: list[int]) -> str:
        return mosaic_picture(self._title(), self._drawn_pieces(solution), self.letter_size)

    def _drawn_pieces(self, solution: list[int]) -> Pieces:
        return [(letter, [*map(self._corners, cells)]) for letter, cells in self.shapes(solution)]


@dataclass(frozen=True)
class Packing(Mosaic):
    """The base class of puzzles that fill a region with a set of pieces, each used once.

    Attributes
    ----------
    lattice : Lattice
        The lattice of the pieces and of the region.
    max_size : int
        The maximum number of cells of each piece.
    standard_letters : dict of int to str
        By size, alternating letters and drawings of pieces, separated by spaces. Other pieces are
        labeled A, B, ... in the order of the polyforms.
    size, region, sided, pieces, symmetry
        The parameters of the puzzle.
    """

    lattice: ClassVar[Lattice]
    max_size: ClassVar[int]
    standard_letters: ClassVar[Mapping[int, str]]

    size: int = 0
    region: str = ""
    sided: bool = False
    pieces: str = ""
    symmetry: bool = True

    def __post_init__(self) -> None:
        check_range("size", self.size, 1, self.max_size)
        _ = self._statement  # raises ValueError if another parameter is invalid

    @staticmethod
    @abstractmethod
    def _parse_shape(text: str) -> Shape:
        """Return the cells of a piece in `standard_letters`."""

    @cached_property
    def cells(self) -> Shape:
        """The cells of the region."""
        return self._parse_shape(self.region)

    @cached_property
    def placements(self) -> Placements:
        """The placements of each piece, by its letter."""
        pieces = select_pieces(self._label_pieces(), self.pieces)
        letters, size = "".join(pieces), sum(map(len, pieces.values()))
        if size != len(self.cells):
            raise ValueError(
                f"the region has {len(self.cells)} {self.lattice.cells}, "
                f"but the pieces {letters} have {size}"
            )
        placements = {
            letter: self.lattice.placements(shape, self.cells, self.sided)
            for letter, shape in pieces.items()
        }
        if not any(placements.values()):
            raise ValueError(f"none of the pieces {letters} fits into the region")
        if self.symmetry:
            return placements
        return break_symmetry(placements, self.lattice.symmetries(self.cells))

    @cached_property
    def placed(self) -> list[tuple[str, list[LatticePoint]]]:
        """The letter of the piece and the cells of each option."""
        shapes = self.placements.items()
        return [(letter, sorted(cells)) for letter, placed in shapes for cells in placed]

    def _label_pieces(self) -> dict[str, Shape]:
        """Return all pieces by their letters; a mirror image has the lowercase letter."""
        words = self.standard_letters.get(self.size, "").split()
        canonical_form = self.lattice.canonical_form
        letter_of = {
            canonical_form(self._parse_shape(drawing)): letter
            for letter, drawing in zip(words[::2], words[1::2], strict=True)
        }
        pieces = {}
        for number, shape in enumerate(self.lattice.polyforms(self.size)):
            letter = letter_of.get(shape, LETTERS[number])
            pieces[letter] = shape
            mirrored = Isometry(REFLECTION, (0, 0))(shape)
            if self.sided and canonical_form(mirrored, True) != canonical_form(shape, True):
                pieces[letter.lower()] = mirrored
        return dict(sorted(pieces.items()))

    def statement(self) -> Statement:
        options = {}
        for letter, cells in self.placed:
            turn = self.lattice.describe_orientation(frozenset(cells), self.sided)
            options[f"{letter} at {as_text(cells[0])}{turn}"] = [letter, *cells]
        return Statement(options, items=[*self.placements, *sorted(self.cells)])

    def shapes(self, solution: list[int]) -> list[tuple[str, list[LatticePoint]]]:
        return [self.placed[option] for option in solution]


def select_pieces(pieces: dict[str, Shape], letters: str) -> dict[str, Shape]:
    """Return the pieces with the given letters.

    Parameters
    ----------
    pieces
        The shapes of all pieces, by their letters.
    letters
        The letters to select, or `-` and the letters to omit; "" selects all pieces.

    Raises
    ------
    ValueError
        If no piece has one of the letters, or no piece is left.

    Examples
    --------
    >>> ab = {"A": frozenset([(0, 0)]), "B": frozenset([(0, 1)])}
    >>> list(select_pieces(ab, "-A"))
    ['B']
    """
    named = set(letters.removeprefix("-"))
    selected = pieces.keys() - named if letters.startswith("-") else named or pieces.keys()
    if not selected or not named <= pieces.keys():
        raise ValueError(
            f"pieces must be letters of {''.join(pieces)}, or - and the letters to omit, "
            f"not {letters!r}"
        )
    return {letter: shape for letter, shape in pieces.items() if letter in selected}


def break_symmetry(placements: Placements, symmetries: Iterable[Isometry]) -> Placements:
    """Remove placements so that one solution of each symmetry class is left.

    Two solutions are equivalent if a symmetry of the region maps one to the other. The function
    selects a piece that each symmetry moves, wherever the piece is placed. Equivalent solutions
    then differ in the placement of this piece, so that exactly one of them has the smallest of
    these placements, and only such placements are kept.

    Parameters
    ----------
    placements
        The placements of each piece, by its letter.
    symmetries
        The symmetries of the region.

    Raises
    ------
    ValueError
        If there is no such piece.
    """
    all_shapes = set(chain(*placements.values()))
    nontrivial = [  # symmetries that preserve the problem and change at least one placement
        isometry
        for isometry in symmetries
        if all_shapes == {isometry(shape) for shape in all_shapes}
        and any(isometry(shape) != shape for shape in all_shapes)
    ]
    for letter in sorted(placements, key=lambda letter: len(placements[letter])):
        images = {shape: {each(shape) for each in nontrivial} for shape in placements[letter]}
        if all(others <= images.keys() - {shape} for shape, others in images.items()):
            smallest = [
                shape
                for shape, others in images.items()
                if all(sorted(shape) < sorted(other) for other in others)
            ]
            return {**placements, letter: smallest}
    raise ValueError(
        f"none of the pieces {''.join(placements)} distinguishes all rotations and "
        "reflections of the region: solutions can only be found with symmetry"
    )
