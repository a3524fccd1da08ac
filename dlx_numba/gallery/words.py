"""Word search."""

from dataclasses import dataclass
from functools import cached_property

from ..svg.board import board_cells
from ..svg.palette import COLOURS
from ..svg.plane import line, pixels, plane_picture, word
from .entry import Entry, Statement
from .parameters import check_range

WAYS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
# The last four are the first four backwards, so that a palindrome needs but these.


@dataclass(frozen=True)
class Words(Entry):
    """Hide words in a grid, in any of eight ways; where two cross, they share a letter.

    Items: each word; secondary, with a letter as its colour: each cell.
    Options: a word in one of its places, with the letter that each of its cells gets.

    TAOCP 7.2.2.1 hides the names of mathematicians so. `words` have commas between them.

    >>> Words(2, 2, "NO,ON").cover().count()     # 12 places for NO, and 7 for ON with each
    84
    """

    rows: int = 7
    columns: int = 9
    words: str = "DANCING,LINKS,KNUTH,OPTION,ITEM,EXACT,COVER,COLOUR,NODE,QUEEN,SUDOKU,TILING"

    def __post_init__(self) -> None:
        check_range("rows", self.rows, 1, 50)
        check_range("columns", self.columns, 1, 50)
        for number, one in enumerate(words := self.words.split(",")):
            if not one.isalpha():
                raise ValueError(f"words must be letters, with commas between them, not {one!r}")
            if one in words[:number]:
                raise ValueError(f"the word {one} is there twice")
            if len(one) > max(self.rows, self.columns):
                raise ValueError(f"{one} is longer than the grid, {self.rows}×{self.columns}")

    @cached_property
    def places(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """Each word with its cells, in each of its places."""
        found = []
        for one in self.words.split(","):
            same_backwards = one == one[::-1]
            for dr, dc in WAYS[: 8 if not same_backwards else 4 if len(one) > 1 else 1]:
                for r in range(self.rows):
                    for c in range(self.columns):
                        cells = [(r + k * dr, c + k * dc) for k in range(len(one))]
                        last_r, last_c = cells[-1]
                        if 0 <= last_r < self.rows and 0 <= last_c < self.columns:
                            found.append((one, cells))
        return found

    def statement(self) -> Statement:
        grid = [("cell", r, c) for r in range(self.rows) for c in range(self.columns)]
        options = [
            [one, *((("cell", *cell), letter) for cell, letter in zip(cells, one, strict=True))]
            for one, cells in self.places
        ]
        return Statement(options, items=self.words.split(","), secondary=grid)

    def letters(self, solution: list[int]) -> dict[tuple[int, int], str]:
        """The letter of each cell that has one."""
        chosen = [self.places[option] for option in solution]
        return {c: letter for one, cells in chosen for c, letter in zip(cells, one, strict=True)}

    def text(self, solution: list[int]) -> str:
        letter = self.letters(solution)
        return "\n".join(
            " ".join(letter.get((r, c), ".") for c in range(self.columns)) for r in range(self.rows)
        )

    def svg(self, solution: list[int]) -> str:
        elements = board_cells(self.rows, self.columns)
        for number, option in enumerate(solution):
            first, *_, last = 2 * self.places[option][1]
            ends = [(c + 0.5, r + 0.5) for r, c in (first, last)]
            colour = COLOURS[number % len(COLOURS)]
            elements.append(line([ends], stroke=colour, stroke_width=pixels(0.5)))
        for (r, c), letter in self.letters(solution).items():
            elements.append(word(letter, (c + 0.5, r + 0.5), class_="over"))
        said = f"{self.rows}×{self.columns} cells, which hide {self.words.replace(',', ', ')}."
        corners = [(0, 0), (self.columns, self.rows)]
        return plane_picture("Word search", said, corners, elements)
