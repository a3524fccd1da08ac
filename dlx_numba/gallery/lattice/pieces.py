"""Sets of pieces: their letters, where they may lie, and one solution only of those alike."""

from collections.abc import Callable, Iterable, Mapping
from string import ascii_uppercase

from .shapes import Lattice, Motion, Shape

LETTERS = ascii_uppercase + "ΓΔΘΛΞΠΣΦΨΩ"

Placements = Mapping[str, list[Shape]]  # of each piece, by its letter


def letter_pieces(
    lattice: Lattice, size: int, sided: bool, usual: str, draw: Callable[[str], Shape]
) -> dict[str, Shape]:
    """All pieces of `size` cells, by their letters.

    `usual` has usual letters, each with its piece in words that `draw` makes the shape of; pieces
    without any get A, B, ... in the order of growth.

    With `sided`, pieces may not be turned over: the mirror image of a piece is another one, with
    the small letter, unless it is the same.
    """
    words = usual.split()
    letter_of = {
        lattice.normal(draw(drawing)): letter
        for letter, drawing in zip(words[::2], words[1::2], strict=True)
    }
    pieces = {}
    for number, shape in enumerate(lattice.grow(size)):
        letter = letter_of.get(shape, LETTERS[number])
        pieces[letter] = shape
        mirrored = Motion((0, 1, 1, 0))(shape)
        if sided and lattice.normal(mirrored, sided) != lattice.normal(shape, sided):
            pieces[letter.lower()] = mirrored
    return dict(sorted(pieces.items()))


def choose_pieces(pieces: dict[str, Shape], letters: str) -> dict[str, Shape]:
    """The pieces of these letters; behind a `-`, all but these; for no letters, all.

    Raises ValueError for letters that no piece has, and where no piece is left.

    >>> ab = {"A": frozenset([(0, 0)]), "B": frozenset([(0, 1)])}
    >>> list(choose_pieces(ab, "-A"))
    ['B']
    """
    named = set(letters.removeprefix("-"))
    chosen = pieces.keys() - named if letters.startswith("-") else named or pieces.keys()
    if not chosen or not named <= pieces.keys():
        raise ValueError(
            f"pieces must be letters of {''.join(pieces)}, or - and those to leave out, "
            f"not {letters!r}"
        )
    return {letter: shape for letter, shape in pieces.items() if letter in chosen}


def place_pieces(
    lattice: Lattice, pieces: Mapping[str, Shape], region: Shape, sided: bool, symmetry: bool
) -> Placements:
    """Where each piece fits into the region, which they are to fill.

    Without `symmetry`, as `one_of_alike` has it. Raises ValueError where the pieces have not as
    many cells as the region, where none fits, and as `one_of_alike` does.
    """
    size = sum(map(len, pieces.values()))
    if size != len(region):
        raise ValueError(
            f"the region has {len(region)} {lattice.cells}, the pieces {''.join(pieces)} "
            f"have {size}: these numbers must be the same"
        )
    placements = {
        letter: lattice.placements(shape, region, sided) for letter, shape in pieces.items()
    }
    if not any(placements.values()):
        raise ValueError(f"none of the pieces {''.join(pieces)} fits into the region")
    return placements if symmetry else one_of_alike(placements, lattice.symmetries(region))


def listed(placements: Placements) -> list[tuple[str, Shape]]:
    """All placements, as options: each with its piece's letter."""
    return [(letter, shape) for letter, shapes in placements.items() for shape in shapes]


def chosen_pieces(placements: Placements, solution: list[int]) -> list[tuple[str, Shape]]:
    """The pieces of a solution, and where they lie."""
    options = listed(placements)
    return [options[number] for number in solution]


def one_of_alike(placements: Placements, symmetries: Iterable[Motion]) -> Placements:
    """Leave placements out, so that just one is left of solutions that are alike.

    Solutions are alike where a symmetry of the region turns one into the other. Take a piece that
    each symmetry moves from wherever it lies: solutions that are alike have it in different
    places, and just one of them in the least of these, so that is the only one it may take.

    Raises ValueError where there is no such piece.
    """
    every = {shape for shapes in placements.values() for shape in shapes}
    moving = [  # the symmetries of the problem, without those that change no solution
        motion
        for motion in symmetries
        if every == {motion(shape) for shape in every} and any(motion(s) != s for s in every)
    ]

    def images(shape: Shape) -> list[Shape]:
        return [motion(shape) for motion in moving]

    def tells_all_apart(shapes: list[Shape]) -> bool:
        own = set(shapes)
        return all(image != shape and image in own for shape in shapes for image in images(shape))

    telling = [letter for letter, shapes in placements.items() if tells_all_apart(shapes)]
    if not telling:
        raise ValueError(
            f"none of the pieces {''.join(placements)} tells all rotations and reflections of the "
            "region apart: solutions can only be found with symmetry"
        )
    best = min(telling, key=lambda letter: len(placements[letter]))
    least = [
        shape
        for shape in placements[best]
        if all(sorted(shape) < sorted(image) for image in images(shape))
    ]
    return {**placements, best: least}
