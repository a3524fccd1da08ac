"""Sudoku and its variants."""

from dataclasses import dataclass
from functools import cached_property

from ..sudoku.box import Box
from ..svg.board import board_picture
from .entry import Entry, Statement
from .sudoku_units import named_units
from .symbols import SYMBOLS, read_givens, rows_of


@dataclass(frozen=True)
class Sudoku(Entry):
    """Sudoku: plain, diagonal, windoku and jigsaw, by more items over the same options.

    Items: each cell; each symbol in each unit, which is a row, a column, a box or what a variant
    adds or puts in place of the boxes.
    Options: a symbol in a cell takes the cell, and the symbol in each unit that has the cell.

    Parameters
    ----------
    box
        The rows and columns of a box, from `2x2` to `5x5`.
    givens
        A symbol for each cell, `.` where there is none; none at all if empty.
    diagonals
        The two diagonals are units, too (Sudoku X).
    windows
        So are squares as large as a box, one cell apart from each other and the frame (windoku).
    regions
        In place of the boxes (jigsaw): for each cell the letter of its region.

    There are 288 boards of 4×4 (OEIS A107739).

    >>> [Sudoku("2x2", diagonals=diagonals).cover().count() for diagonals in (False, True)]
    [288, 48]
    """

    box: str = "3x3"
    givens: str = ""
    diagonals: bool = False
    windows: bool = False
    regions: str = ""

    def __post_init__(self) -> None:
        box = Box.parse(self.box)
        read_givens("givens", self.givens, box.n)
        sizes = {self.regions.count(letter) for letter in self.regions}
        if self.regions and (len(self.regions) != box.cells or sizes != {box.n}):
            raise ValueError(f"regions must have {box.n} letters, each {box.n} times")
        if self.windows and box.rows != box.columns:
            raise ValueError(f"windows need boxes as high as wide, as 3x3, not {self.box}")

    @cached_property
    def units(self) -> dict[str, list[int]]:
        """The cells of each unit, by its name."""
        return named_units(Box.parse(self.box), self.diagonals, self.windows, self.regions)

    def statement(self) -> Statement:
        n = Box.parse(self.box).n
        options = [
            [
                ("cell", *divmod(cell, n)),
                *((u, symbol) for u in self.units if cell in self.units[u]),
            ]
            for cell, symbols in enumerate(read_givens("givens", self.givens, n))
            for symbol in symbols
        ]
        cells = [("cell", *divmod(cell, n)) for cell in range(n * n)]
        needs = [(unit, symbol) for unit in self.units for symbol in SYMBOLS[:n]]
        return Statement(options, items=[*cells, *needs])

    def rows(self, solution: list[int]) -> list[list[str]]:
        """The symbols of a solution, by rows."""
        options = self.statement().options
        return rows_of([options[option][-1][1] for option in solution], Box.parse(self.box).n)

    def text(self, solution: list[int]) -> str:
        return "\n".join(" ".join(row) for row in self.rows(solution))

    def svg(self, solution: list[int]) -> str:
        rows, n = self.rows(solution), Box.parse(self.box).n
        boxes = [unit for unit in self.units if unit.startswith("box")]
        box_at = {cell: box for box in boxes for cell in self.units[box]}
        regions = rows_of([box_at[cell] for cell in range(n * n)], n)
        special = [unit for unit in self.units if unit in ("up", "down") or "window" in unit]
        shaded = {divmod(cell, n) for unit in special for cell in self.units[unit]}
        given = {divmod(cell, n) for cell, symbol in enumerate(self.givens) if symbol not in ".0"}
        return board_picture(
            "Sudoku",
            f"A {n}×{n} board with {len(given)} givens, solved; {len(shaded)} cells are shaded.",
            rows,
            regions=regions,
            shaded=shaded,
            given=given or None,
        )
