"""Pieces that fill a region: their letters, their placements, and symmetry breaking."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import chain, count
from string import ascii_uppercase
from typing import Any

from ...cover.encode import Formulation
from ...cover.names import as_text
from ...pictures.filling import Pieces
from ...pictures.grid import Mark
from ..lattice.shapes import REFLECTION, Isometry, Lattice, LatticePoint, Shape
from ..parameters import check_range

LETTERS = ascii_uppercase + "ΓΔΘΛΞΠΣΦΨΩ"

WORDS = (r"\w", r"piece \g<0>"), (r"[-,\d]+,[-,\d]+", r"cell \g<0>")  # of sentences

Placements = Mapping[str, list[Shape]]  # by the letters of pieces


def parse_pieces(text: str, parse: Callable[[str], Shape]) -> dict[str, Shape]:
    """Return the pieces in a text of alternating names and drawings, separated by spaces."""
    words = text.split()
    return dict(zip(words[::2], map(parse, words[1::2]), strict=True))


def label_polyforms(
    lattice: Lattice,
    size: int,
    sided: bool,
    standard_letters: Mapping[int, str],
    parse: Callable[[str], Shape],
    letters: str,
) -> dict[str, Shape]:
    """Return pieces of a size by their letters; a mirror image has the lowercase letter.

    Parameters
    ----------
    lattice, size
        The lattice and the number of cells of the pieces.
    sided
        Whether a piece and its mirror image are different pieces.
    standard_letters
        By size, alternating letters and drawings of pieces, separated by spaces. Other pieces are
        labeled A, B, ... in the order of the polyforms.
    parse
        Returns the cells of a drawing.
    letters
        The letters of the pieces to use, or `-` and the letters to omit; "" stands for all pieces.

    Raises
    ------
    ValueError
        If no piece has one of the letters, or no piece is left.

    Examples
    --------
    >>> from ..lattice.regions import parse_squares
    >>> from ..lattice.shapes import SQUARES
    >>> list(label_polyforms(SQUARES, 3, False, {3: "I ### V ##/#"}, parse_squares, "-I"))
    ['V']
    """
    canonical_form = lattice.canonical_form
    named = parse_pieces(standard_letters.get(size, ""), parse)
    letter_of = {canonical_form(shape): letter for letter, shape in named.items()}
    pieces = {}
    for number, shape in enumerate(lattice.polyforms(size)):
        letter = letter_of.get(shape, LETTERS[number])
        pieces[letter] = shape
        mirrored = Isometry(REFLECTION, (0, 0))(shape)
        if sided and canonical_form(mirrored, True) != canonical_form(shape, True):
            pieces[letter.lower()] = mirrored
    # All but the listed letters after a minus sign, or else these; without letters, all
    signs = letters.removeprefix("-")
    listed = set(signs)
    if len(listed) < len(signs):
        raise ValueError(f"pieces {letters!r} lists a piece twice, but each is used once")
    selected = pieces.keys() - listed if letters.startswith("-") else listed or pieces.keys()
    if not selected or not listed <= pieces.keys():
        raise ValueError(
            f"pieces must be letters of {''.join(sorted(pieces))}, or - and the letters to omit, "
            f"not {letters!r}"
        )
    return {letter: pieces[letter] for letter in sorted(selected)}


def fill_region(
    title: str,
    lattice: Lattice,
    pieces: Mapping[str, Shape],
    region: Shape,
    *,
    sided: bool = False,
    symmetry: bool = True,
    empty: int | None = None,
    **drawing: Any,
) -> Formulation:
    """Formulate how to fill a region with pieces, each used once.

    Parameters
    ----------
    title
        The title of the picture.
    lattice, pieces, region
        The shapes of the pieces, by their letters, and the cells to fill.
    sided
        Whether pieces may be rotated but not reflected.
    symmetry
        Whether to find all solutions, or only one of each symmetry class.
    empty
        The number of cells that stay empty, if that is possible; cells are then secondary items.
    **drawing
        Further parameters of the picture, which is `Pieces`.

    Raises
    ------
    ValueError
        If the pieces do not have the size of the region, none of them fits, or no piece
        distinguishes all symmetries.
    """
    if empty is not None:
        check_range("empty", empty, 0, len(region))
    letters = "".join(pieces)
    n_cells = sum(map(len, pieces.values()))
    if n_cells + (empty or 0) != len(region):
        reason = f"the region has {len(region)} {lattice.cells}, but the pieces {letters} have "
        reason += f"{n_cells}"
        if empty is not None and n_cells < len(region):
            reason += f"; empty={len(region) - n_cells} leaves the others empty"
        raise ValueError(reason)
    placements: Placements = {
        letter: lattice.placements(shape, region, sided) for letter, shape in pieces.items()
    }
    if not any(placements.values()):
        raise ValueError(f"none of the pieces {letters} fits into the region")
    if not symmetry:
        placements = break_symmetry(placements, lattice.symmetries(region))
    cells = sorted(region)
    options, marks = place_pieces(lattice, placements, dict(zip(cells, cells, strict=True)), sided)
    picture = Pieces(title, marks, lattice=lattice.cells, words=WORDS, **drawing)
    if empty:
        return Formulation(options, [*pieces], cells, view=picture)
    return Formulation(options, [*pieces, *cells], view=picture)


def place_pieces(
    lattice: Lattice,
    placements: Placements,
    items: Mapping[LatticePoint, Hashable],
    sided: bool = False,
    turned: bool = True,
) -> tuple[dict[Hashable, list[Hashable]], list[tuple[Mark, ...]]]:
    """Return an option for each placement of a piece, by its name, and what these options mark.

    Parameters
    ----------
    lattice, placements, sided, turned
        The placements of each piece, by its letter, and how pieces may be moved.
    items
        The item of each cell of the region, in the order in which options list them.
    """
    rank = {cell: number for number, cell in enumerate(items)}
    options: dict[Hashable, list[Hashable]] = {}
    marks: list[tuple[Mark, ...]] = []
    for letter, shapes in placements.items():
        for shape in shapes:
            cells = sorted(shape, key=rank.__getitem__)
            name = f"{letter} at {as_text(items[cells[0]])}"
            if len(cells[0]) == 2:
                name += lattice.describe_orientation(shape, sided, turned)
            # Orientations in space have no words, so that names are numbered.
            numbered = (f"{name} #{k}" if k > 1 else name for k in count(1))
            name = next(each for each in numbered if each not in options)
            options[name] = [letter, *(items[cell] for cell in cells)]
            marks.append(tuple((cell, letter) for cell in cells))
    return options, marks


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
