"""Sets of pieces: their letters, their placements in a region, and symmetry breaking."""

from collections.abc import Callable, Iterable, Mapping
from string import ascii_uppercase

from .shapes import REFLECTION, Isometry, Lattice, Shape

LETTERS = ascii_uppercase + "ΓΔΘΛΞΠΣΦΨΩ"

Placements = Mapping[str, list[Shape]]  # letter of a piece -> its placements


def label_pieces(
    lattice: Lattice, size: int, sided: bool, standard: str, parse_shape: Callable[[str], Shape]
) -> dict[str, Shape]:
    """Return all pieces of a size, by their letters.

    Parameters
    ----------
    lattice
        The lattice of the pieces.
    size
        The number of cells of each piece.
    sided
        Whether a piece and its mirror image are different pieces. If so, the mirror image has the
        lowercase letter.
    standard
        Alternating letters and drawings of pieces, separated by spaces. Other pieces are labeled
        A, B, ... in the order of the polyforms.
    parse_shape
        A function that converts a drawing to a shape.
    """
    words = standard.split()
    letter_of = {
        lattice.canonical_form(parse_shape(drawing)): letter
        for letter, drawing in zip(words[::2], words[1::2], strict=True)
    }
    pieces = {}
    for number, shape in enumerate(lattice.polyforms(size)):
        letter = letter_of.get(shape, LETTERS[number])
        pieces[letter] = shape
        mirrored = Isometry(REFLECTION)(shape)
        if sided and lattice.canonical_form(mirrored, sided) != lattice.canonical_form(
            shape, sided
        ):
            pieces[letter.lower()] = mirrored
    return dict(sorted(pieces.items()))


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


def place_pieces(
    lattice: Lattice, pieces: Mapping[str, Shape], region: Shape, sided: bool, symmetry: bool
) -> Placements:
    """Return the placements of each piece in a region that the pieces are to fill.

    Parameters
    ----------
    lattice
        The lattice of the pieces and of the region.
    pieces
        The shapes of the pieces, by their letters.
    region
        The cells to fill.
    sided
        Whether the pieces must not be reflected.
    symmetry
        Whether to keep all solutions that are symmetric to each other. If false, see
        `break_symmetry`.

    Raises
    ------
    ValueError
        If the pieces and the region differ in their number of cells, if no piece fits into the
        region, or if the symmetry cannot be broken.
    """
    size = sum(map(len, pieces.values()))
    if size != len(region):
        raise ValueError(
            f"the region has {len(region)} {lattice.cells}, "
            f"but the pieces {''.join(pieces)} have {size}"
        )
    placements = {
        letter: lattice.placements(shape, region, sided) for letter, shape in pieces.items()
    }
    if not any(placements.values()):
        raise ValueError(f"none of the pieces {''.join(pieces)} fits into the region")
    return placements if symmetry else break_symmetry(placements, lattice.symmetries(region))


def list_placements(placements: Placements) -> list[tuple[str, Shape]]:
    """Return all placements, each with the letter of its piece, in the order of the options."""
    return [(letter, shape) for letter, shapes in placements.items() for shape in shapes]


def solution_placements(placements: Placements, solution: list[int]) -> list[tuple[str, Shape]]:
    """Return the placements of a solution, each with the letter of its piece."""
    listed = list_placements(placements)
    return [listed[option] for option in solution]


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
    all_shapes = {shape for shapes in placements.values() for shape in shapes}
    nontrivial = [  # symmetries that preserve the problem and change at least one placement
        isometry
        for isometry in symmetries
        if all_shapes == {isometry(shape) for shape in all_shapes}
        and any(isometry(shape) != shape for shape in all_shapes)
    ]

    def images(shape: Shape) -> list[Shape]:
        return [isometry(shape) for isometry in nontrivial]

    def distinguishes_symmetries(shapes: list[Shape]) -> bool:
        possible = set(shapes)
        return all(
            image != shape and image in possible for shape in shapes for image in images(shape)
        )

    candidates = [
        letter for letter, shapes in placements.items() if distinguishes_symmetries(shapes)
    ]
    if not candidates:
        raise ValueError(
            f"none of the pieces {''.join(placements)} distinguishes all rotations and "
            "reflections of the region: solutions can only be found with symmetry"
        )
    selected = min(candidates, key=lambda letter: len(placements[letter]))
    smallest = [
        shape
        for shape in placements[selected]
        if all(sorted(shape) < sorted(image) for image in images(shape))
    ]
    return {**placements, selected: smallest}
