"""Word search puzzles."""

from dataclasses import dataclass
from itertools import product

from ..kinds.lattice.shapes import LatticePoint
from ..pictures.board import board_elements
from ..pictures.palette import COLORS
from ..pictures.plane import line, pixels, plane_picture, word
from .entry import Entry, Statement, format_squares
from .parameters import check_range

# The last four directions are the reverses of the first four, in reverse order.
STEPS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
DIRECTIONS = list(zip("↖↑↗←→↙↓↘", STEPS, strict=True))


@dataclass(frozen=True)
class Words(Entry):
    """Hide words in a grid, in eight directions; crossing words share a letter.

    Items: each word.
    Secondary items: each cell, with a letter as its color.
    Options: a word in one of its placements, with the letter of each of its cells.

    Parameters
    ----------
    rows, columns
        The size of the grid, each from 1 to 50.
    words
        The words, with commas between them.

    Notes
    -----
    TAOCP 7.2.2.1 hides the names of mathematicians in this way.

    >>> Words(2, 2, "NO,ON").cover().count()     # 12 placements of NO, and 7 of ON with each
    84
    """

    rows: int = 7
    columns: int = 9
    words: str = "DANCING,LINKS,KNUTH,OPTION,ITEM,EXACT,COVER,COLOR,NODE,QUEEN,SUDOKU,TILING"

    def __post_init__(self) -> None:
        check_range("rows", self.rows, 1, 50)
        check_range("columns", self.columns, 1, 50)
        for number, text in enumerate(words := self.words.split(",")):
            if not text.isalpha():
                raise ValueError(f"words must be letters with commas between them, not {text!r}")
            if text in words[:number]:
                raise ValueError(f"word {text} appears twice")
            if len(text) > max(self.rows, self.columns):
                raise ValueError(
                    f"word {text} is longer than the sides of the grid, {self.rows}×{self.columns}"
                )

    def statement(self) -> Statement:
        rows, columns = range(1, self.rows + 1), range(1, self.columns + 1)
        options = {}
        for text in self.words.split(","):
            # Reversed directions, and all directions of a single letter, give the same placements.
            different = DIRECTIONS[:4] if text == text[::-1] else DIRECTIONS
            directions = different if len(text) > 1 else DIRECTIONS[4:5]
            for (arrow, (dr, dc)), r, c in product(directions, rows, columns):
                cells = [("cell", r + k * dr, c + k * dc) for k in range(len(text))]
                if cells[-1][1] in rows and cells[-1][2] in columns:
                    options[f"{text} at {r},{c} {arrow}"] = [text, *zip(cells, text, strict=True)]
        grid = list(product(["cell"], rows, columns))
        return Statement(options, items=self.words.split(","), secondary=grid)

    def letters(self, solution: list[int]) -> dict[LatticePoint, str]:
        """Return the letter of each cell that a word covers.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        dict of (int, int) to str
        """
        chosen = self._chosen(solution)
        return {(r, c): letter for _, *entries in chosen for (_, r, c), letter in entries}

    def text(self, solution: list[int]) -> str:
        cells = product(range(1, self.rows + 1), range(1, self.columns + 1))
        return format_squares(dict.fromkeys(cells, ".") | self.letters(solution))

    def svg(self, solution: list[int]) -> str:
        elements = board_elements(self.rows, self.columns)
        for number, (_, *entries) in enumerate(self._chosen(solution)):
            ends = [(c - 0.5, r - 0.5) for (_, r, c), _ in (entries[0], entries[-1])]
            color = COLORS[number % len(COLORS)]
            elements.append(line([ends], stroke=color, stroke_width=pixels(0.5)))
        for (r, c), letter in self.letters(solution).items():
            elements.append(word(letter, (c - 0.5, r - 0.5), class_="over"))
        corners = [(0, 0), (self.columns, self.rows)]
        description = f"{self.rows}×{self.columns} cells that hide {self.words.replace(',', ', ')}."
        return plane_picture("Word search", description, corners, elements)
