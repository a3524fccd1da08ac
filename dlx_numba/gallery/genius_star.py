"""The Genius Star: polyiamonds fill a star, except for the triangles that dice select."""

import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from .entry import Statement
from .lattice.regions import format_triangles, parse_triangles, reading_order
from .lattice.shapes import TRIANGLES, LatticePoint, Shape
from .packing import LETTERS, Mosaic
from .polyiamonds import triangle_corners

BOARD = ".....#/....###/###########/.#########/.#########/###########/....###/.....#"
HEXAGON = ".###/.###"
DICE = [  # the triangles, numbered from 1, on the faces of each die
    [1, 5, 15, 34, 44, 48],
    [2, 4, 7, 8, 9, 11, 16, 17],
    [10, 27, 31],
    [12, 13, 23, 24, 32, 33, 41, 42],
    [18, 22, 39],
    [19, 20, 21, 28, 29, 30],
    [25, 26, 36, 37, 38, 40, 45, 47],
]
CELLS = reading_order(parse_triangles(BOARD))


@dataclass(frozen=True)
class GeniusStar(Mosaic):
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

    >>> puzzle = GeniusStar()
    >>> print(puzzle.first())
         A
        BB*
    HHHHH*JJJJ*
     EE*DDDGGJ
     FEE*KKGG*
    FFF*IKKKCCC
        III
         I
    >>> rolls = [["B1", "B2", "B10"], ["B48", "B17", "B31"]]  # of three dice
    >>> GeniusStar(roll="").cover().solve_batch(given=rolls, limit=1000).counts
    array([1000, 1000])
    """

    letter_size: ClassVar[float] = 0.34
    _corners = staticmethod(triangle_corners)

    roll: str = "4,10,15,18,28,33,37"
    star: bool = False

    def __post_init__(self) -> None:
        self._blockers()

    def _blockers(self) -> list[list[int]]:
        """Return the triangles that each die may select. Raises ValueError if the roll is invalid.

        The faces of two dice are different.
        """
        if not self.roll:
            return DICE
        words = self.roll.split(",")
        numbers = {int(word) for word in words if re.fullmatch(r"[0-9]{1,2}", word.strip())}
        selected = [[number for number in die if number in numbers] for die in DICE]
        if len(words) != len(DICE) or any(len(die) != 1 for die in selected):
            raise ValueError(
                f"roll must have a number of each of the seven dice, not {self.roll!r}"
            )
        return selected

    def _pieces(self) -> dict[str, Shape]:
        """Return the pieces by their letters."""
        shapes = [shape for size in range(1, 6) for shape in TRIANGLES.polyforms(size)]
        triamond = next(k for k, shape in enumerate(shapes) if len(shape) == 3)
        shapes.insert(triamond, shapes[triamond])
        if self.star:
            shapes[triamond : triamond + 2] = [parse_triangles(HEXAGON)]
        return dict(zip(LETTERS, shapes, strict=False))

    def statement(self) -> Statement:
        number_of = {cell: k + 1 for k, cell in enumerate(CELLS)}
        pieces, dice = self._pieces(), [f"die{k + 1}" for k in range(len(DICE))]
        options: dict[Hashable, list[Hashable]] = {
            f"B{number}": [die, number]
            for die, numbers in zip(dice, self._blockers(), strict=True)
            for number in numbers
        }
        for letter, shape in pieces.items():
            for cells in TRIANGLES.placements(shape, frozenset(CELLS)):
                numbers = sorted(number_of[cell] for cell in cells)
                turn = TRIANGLES.describe_orientation(cells)
                options[f"{letter} at {numbers[0]}{turn}"] = [letter, *numbers]
        return Statement(options, items=[*pieces, *dice, *number_of.values()])

    def shapes(self, solution: list[int]) -> list[tuple[str, list[LatticePoint]]]:
        return [
            ("*" if name.startswith("die") else name, [CELLS[number - 1] for number in numbers])
            for name, *numbers in self._chosen(solution)
        ]

    def text(self, solution: list[int]) -> str:
        return format_triangles(self.letters(solution))

    def _title(self) -> str:
        return "The Genius Star"
