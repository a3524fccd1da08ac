"""Sudoku and its variants."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import ClassVar

from ..pictures.board import sudoku_picture
from ..sudoku.box import Box
from ..variants.units import named_units
from .entry import Entry, Statement
from .latin import SYMBOLS, parse_givens, split_rows


@dataclass(frozen=True)
class Sudoku(Entry):
    """Solve a Sudoku: plain, diagonal, windoku or jigsaw.

    Items: each cell; each symbol in each unit, which is a row, a column, a box or a set of cells
    that a variant defines.
    Options: a symbol in a cell covers the cell, and the symbol in each unit of the cell.

    Parameters
    ----------
    box
        The numbers of rows and columns of a box, from `2x2` to `5x5`.
    givens
        A symbol for each cell, by rows, and `.` for an empty cell. If empty, no cell is given.
    diagonals
        Whether the two diagonals are units (Sudoku X).
    windows
        Whether squares of the size of a box, one cell apart from each other and from the frame,
        are units (windoku).
    regions
        The letter of each cell's region, by rows (jigsaw). The regions replace the boxes.

    Notes
    -----
    All variants have the same options; they differ only in the items. There are 288 boards of
    4×4 (OEIS A107739).

    >>> [Sudoku("2x2", diagonals=diagonals).cover().count() for diagonals in (False, True)]
    [288, 48]
    """

    order_seed: ClassVar[int | None] = 3

    box: str = "3x3"
    givens: str = ""
    diagonals: bool = False
    windows: bool = False
    regions: str = ""

    def __post_init__(self) -> None:
        box = Box.parse(self.box)
        if box.n > len(SYMBOLS):
            raise ValueError(f"box {box}: there are only {len(SYMBOLS)} symbols for {box.n} values")
        parse_givens(self.givens, box.n)
        sizes = set(Counter(self.regions).values())
        if self.regions and (len(self.regions) != box.cells or sizes != {box.n}):
            raise ValueError(f"regions must have {box.n} letters, each {box.n} times")
        if self.windows and box.rows != box.columns:
            raise ValueError(f"windows require a square box, for example 3x3, not {self.box}")

    @cached_property
    def units(self) -> dict[str, list[int]]:
        """The cells of each unit, by its name."""
        return named_units(
            Box.parse(self.box),
            diagonals=self.diagonals,
            windows=self.windows,
            regions=self.regions,
        )

    def statement(self) -> Statement:
        n = Box.parse(self.box).n
        cells = list(product(["cell"], range(1, n + 1), range(1, n + 1)))
        options = {
            f"r{cell // n + 1}c{cell % n + 1}={symbol}": [
                cells[cell],
                *((unit, symbol) for unit in self.units if cell in self.units[unit]),
            ]
            for cell, symbols in enumerate(parse_givens(self.givens, n))
            for symbol in symbols
        }
        symbols_in_units = [(unit, symbol) for unit in self.units for symbol in SYMBOLS[:n]]
        return Statement(options, items=[*cells, *symbols_in_units])

    def rows(self, solution: list[int]) -> list[list[str]]:
        """Return the symbols of a solution, by rows.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        list of list of str
        """
        symbols = [option[-1][1] for option in self._chosen(solution)]
        return split_rows(symbols, Box.parse(self.box).n)

    def text(self, solution: list[int]) -> str:
        return "\n".join(" ".join(row) for row in self.rows(solution))

    def svg(self, solution: list[int]) -> str:
        box, symbols = Box.parse(self.box), chain(*self.rows(solution))
        givens = self.givens.replace("0", ".") or "." * box.cells
        rules = {name: getattr(self, name) for name in ("diagonals", "windows", "regions")}
        is_shaded = not any(rules.values())
        drawn = givens, *box, list(symbols)
        return sudoku_picture("Sudoku", *drawn, is_shaded=is_shaded, rules=rules)
