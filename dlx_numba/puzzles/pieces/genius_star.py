"""The Genius Star: polyiamonds fill a star, except for the triangles that dice select."""

import re
from collections.abc import Hashable

from ...cover.encode import Formulation
from ...pictures.cells import drawn_triangle
from ...pictures.filling import Pieces
from ..lattice.regions import parse_triangles
from ..lattice.shapes import TRIANGLES
from ..puzzle import Puzzle
from .packing import LETTERS, WORDS, place_pieces
from .polyiamonds import DRAWING

BOARD = ".....#/....###/###########/.#########/.#########/###########/....###/.....#"
HEXAGON = parse_triangles(".###/.###")
DICE = [  # the triangles, numbered from 1, on the faces of each die
    [1, 5, 15, 34, 44, 48],
    [2, 4, 7, 8, 9, 11, 16, 17],
    [10, 27, 31],
    [12, 13, 23, 24, 32, 33, 41, 42],
    [18, 22, 39],
    [19, 20, 21, 28, 29, 30],
    [25, 26, 36, 37, 38, 40, 45, 47],
]
CELLS = sorted(parse_triangles(BOARD), key=drawn_triangle)  # row by row


def example(roll: str = "4,10,15,18,28,33,37", star: bool = False) -> Puzzle:
    """Fill a star with polyiamonds, except for the triangles that dice select.

    Items: each piece, by its letter; each die, such as "die1"; each of the 48 triangles, numbered
    from 1, row by row.
    Options: a piece in one of its placements, with the triangles that it covers; a blocker on a
    triangle that a die selects. The latter have names, such as "B10" for triangle 10.

    Parameters
    ----------
    roll
        The triangles that the dice select, separated by commas: one for each die, in any order. If
        it is empty, the blockers are placed by any roll.
    star
        Whether a hexagon replaces the two pieces of three triangles.

    Notes
    -----
    The eleven pieces are all polyiamonds of up to five triangles, one of three triangles twice. The
    two are different pieces, so each solution has another one in which they are exchanged. Each of
    the 165,888 rolls has a solution, and 97,422 have one with the hexagon (J. Rudge, Genius Star
    Solver); `solve_batch` confirms both numbers.

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
         A
        BB*
    HHHHH*JJJJ*
     EE*DDDGGJ
     FEE*KKGG*
    FFF*IKKKCCC
        III
         I
    >>> rolls = [["B1", "B2", "B10"], ["B48", "B17", "B31"]]  # of three dice
    >>> example(roll="").cover().solve_batch(given=rolls, limit=1000).counts
    array([1000, 1000])
    """
    selected = parse_roll(roll) if roll else DICE
    shapes = [shape for size in range(1, 6) for shape in TRIANGLES.polyforms(size)]
    triamond = next(k for k, shape in enumerate(shapes) if len(shape) == 3)
    # There are two triamonds, or a hexagon in place of both.
    shapes[triamond : triamond + 1] = [HEXAGON] if star else [shapes[triamond]] * 2
    dice = [f"die{k + 1}" for k in range(len(DICE))]
    blockers = [(die, n) for die, numbers in zip(dice, selected, strict=True) for n in numbers]
    options: dict[Hashable, list[Hashable]] = {f"B{n}": [die, n] for die, n in blockers}
    blocked = [((CELLS[n - 1], "*"),) for _, n in blockers]
    placements = {
        letter: TRIANGLES.placements(shape, frozenset(CELLS))
        for letter, shape in zip(LETTERS, shapes, strict=False)
    }
    number_of = {cell: number for number, cell in enumerate(CELLS, 1)}
    placed, marks = place_pieces(TRIANGLES, placements, number_of)
    title = "The Genius Star"
    words = ("die(.)", r"die \1"), ("B([0-9]+)", r"the blocker on \1"), ("[0-9]+", r"cell \g<0>")
    picture = Pieces(
        title,
        [*blocked, *marks],
        lattice="triangles",
        dark=("*",),
        words=(*words, *WORDS),
        **DRAWING,
    )
    items = [*placements, *dice, *number_of.values()]
    return Puzzle(title, Formulation(options | placed, items, view=picture))


def parse_roll(text: str) -> list[list[int]]:
    """Return the number that each die shows. The faces of two dice are different.

    Raises ValueError if the text does not have a number of each die.
    """
    words = text.split(",")
    numbers = {int(word) for word in words if re.fullmatch(r"[0-9]{1,2}", word.strip())}
    selected = [[number for number in die if number in numbers] for die in DICE]
    if len(words) != len(DICE) or any(len(die) != 1 for die in selected):
        raise ValueError(f"roll must have a number of each of the seven dice, not {text!r}")
    return selected
