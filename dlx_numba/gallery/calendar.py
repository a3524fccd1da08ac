"""A calendar puzzle: eight pieces leave a month and a day uncovered."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from .entry import Statement
from .lattice.regions import parse_squares
from .lattice.shapes import SQUARES, LatticePoint
from .packing import Mosaic
from .parameters import check_range
from .polyominoes import STANDARD_LETTERS

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
DAYS = [str(day) for day in range(1, 32)]
PIECES = "LNPUVYZ"  # pentominoes
RECTANGLE = "R", "###/###"
LETTERS = RECTANGLE[0] + PIECES

CELLS: dict[LatticePoint, str] = {  # two rows of months, five rows of days
    **{(k // 6, k % 6): month for k, month in enumerate(MONTHS)},
    **{(2 + k // 7, k % 7): day for k, day in enumerate(DAYS)},
}


@dataclass(frozen=True)
class Calendar(Mosaic):
    """Cover a calendar with eight pieces, except for a month and a day.

    Items: each piece, by its letter; "month" and "day"; each cell, by its label, such as "Jan" or
    "31".
    Options: a piece in one of its placements, with the cells that it covers; a month or a day that
    is left, with its cell. The latter have the label of the cell as their name.

    Parameters
    ----------
    month
        The month that is left, from 1 to 12, or 0 for any.
    day
        The day that is left, from 1 to 31, or 0 for any.

    Notes
    -----
    The pieces are a 2×3 rectangle (R) and seven pentominoes. The puzzle is known as A-Puzzle-A-Day
    (DragonFjord). It has 25,061 solutions: 64 on January 1, 216 on January 25, and at least 7 on
    each date.

    >>> calendar = Calendar(month=10, day=6)
    >>> cover = calendar.cover()
    >>> cover.count()
    7
    >>> batch = Calendar().cover().solve_batch(given=[["Jan", "1"], ["Jan", "25"]], limit=None)
    >>> batch.counts
    array([ 64, 216])
    """

    letter_size: ClassVar[float] = 0.4

    month: int = 0
    day: int = 0

    def __post_init__(self) -> None:
        check_range("month", self.month, 0, len(MONTHS))
        check_range("day", self.day, 0, len(DAYS))

    def statement(self) -> Statement:
        days = DAYS[self.day - 1 : self.day] if self.day else DAYS
        months = MONTHS[self.month - 1 : self.month] if self.month else MONTHS
        options: dict[Hashable, list[str]] = {day: ["day", day] for day in days}
        options |= {month: ["month", month] for month in months}
        words = STANDARD_LETTERS[5].split()
        drawings = dict([RECTANGLE, *zip(words[::2], words[1::2], strict=True)])
        for letter in LETTERS:
            for cells in SQUARES.placements(parse_squares(drawings[letter]), frozenset(CELLS)):
                labels = [CELLS[cell] for cell in sorted(cells)]
                turn = SQUARES.describe_orientation(cells)
                options[f"{letter} at {labels[0]}{turn}"] = [letter, *labels]
        return Statement(options, items=[*LETTERS, "month", "day", *CELLS.values()])

    def shapes(self, solution: list[int]) -> list[tuple[str, list[LatticePoint]]]:
        cell_of = {label: cell for cell, label in CELLS.items()}
        return [
            (name if name in LETTERS else labels[0], [cell_of[label] for label in labels])
            for name, *labels in self._chosen(solution)
        ]

    def text(self, solution: list[int]) -> str:
        names = self.letters(solution)
        rows: list[str] = [""] * (1 + max(row for row, _ in CELLS))
        for row, column in CELLS:
            rows[row] += f"{names[row, column]:>4}"
        return "\n".join(row[1:] for row in rows)

    def _title(self) -> str:
        return "A calendar puzzle"
