"""Sudoku boards, plain or with the rules of a variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..cover.encode import Statement
from ..cover.exact_cover import ExactCover
from ..pictures.grid import Grid
from ..runtime.errors import FormatError
from ..sudoku.box import Box
from ..sudoku.io.board import format_cells
from ..sudoku.io.records import Records
from ..sudoku.io.symbols import Alphabet
from ..variants.formulate import formulate
from ..variants.rules import SudokuRules
from .numbers.latin import SYMBOLS, parse_givens
from .puzzle import Puzzle

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..cover.prepare import SearchKeywords

formats = "boards as lines, drawings, tables and JSON, with rules, and links of f-puzzles"

STANDARD_BOX, PLAIN = Box(3, 3), SudokuRules()
DIGITS = Alphabet("1-9A-", STANDARD_BOX.n)


@dataclass(frozen=True, repr=False)
class BoardPuzzle(Puzzle):
    """A Sudoku puzzle.

    Boards of the same size and rules share one exact cover problem; the givens of a board are given
    options.

    Parameters
    ----------
    values : tuple of int
        The value of each cell, 0 for an empty one.
    box : Box
        The rows and columns of a box.
    alphabet : Alphabet
        The symbols of the values.
    rules : SudokuRules
        The rules of a variant.
    candidates : tuple of str, optional
        The digits that are possible in each cell, on a 9×9 board; by default, all.
    """

    values: tuple[int, ...] = ()
    box: Box = STANDARD_BOX
    alphabet: Alphabet = DIGITS
    rules: SudokuRules = PLAIN
    candidates: tuple[str, ...] = ()

    def cover(self, **keywords: Unpack[SearchKeywords]) -> ExactCover:
        empty, _ = _empty_board(self.rules, self.box)
        keywords["given"] = [*self._givens(), *keywords.get("given", ())]
        keywords["forbidden"] = [*self._excluded(), *keywords.get("forbidden", ())]
        problem = empty.replace(**{**self.settings, **keywords})
        return problem._with(problem._stated.with_picture(self.picture))

    @cached_property
    def picture(self) -> Grid:
        """The givens, what each option writes, and the rules."""
        n, (empty, option_of) = self.box.n, _empty_board(self.rules, self.box)
        cells = list(product(range(1, n + 1), repeat=2))
        symbols = format_cells(np.arange(1, n + 1).astype(np.uint8), self.alphabet)
        marks = [list[tuple[tuple[int, int], str]]() for _ in range(empty.n_options)]
        for cell, options in zip(cells, option_of.tolist(), strict=True):
            for option, symbol in zip(options, symbols, strict=True):
                if option >= 0:
                    marks[option].append((cell, symbol))
        given = ((c, symbols[v - 1]) for c, v in zip(cells, self.values, strict=True) if v)
        boxes = [(r - 1) // self.box.rows * n + (c - 1) // self.box.columns for r, c in cells]
        regions: Any = self.rules.regions or boxes
        stated = self.rules.stated()
        return Grid(
            self.title,
            tuple(map(tuple, marks)),
            givens=(givens := tuple(given)),
            regions=tuple(zip(cells, map(str, regions), strict=True)),
            shaded=() if stated else tuple(cell for cell, _ in givens),
            rules=tuple(stated.items()),
            box=(self.box.rows, self.box.columns),
        )

    def _givens(self) -> list[str]:
        cells = ((divmod(cell, self.box.n), value) for cell, value in enumerate(self.values))
        return [f"r{row + 1}c{column + 1}={value}" for (row, column), value in cells if value]

    def _excluded(self) -> list[str]:
        for_cell = ((divmod(cell, self.box.n), each) for cell, each in enumerate(self.candidates))
        return [
            f"r{row + 1}c{column + 1}={digit}"
            for (row, column), possible in for_cell
            for digit in "123456789"
            if digit not in possible
        ]


@lru_cache(maxsize=8)
def _empty_board(rules: SudokuRules, box: Box) -> tuple[ExactCover, NDArray[np.int64]]:
    """Return the problem of an empty board, and the option for each value in each cell."""
    return formulate(rules, box)[:2]


def state_boards(chunks: Iterable[Records]) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in chunks of boards, and an exception in place of each bad record."""
    for records in chunks:
        rules: Any = records.rules or PLAIN
        for k in range(len(records) + 1):
            for each in (each for each in records.bad if each.index == k):
                yield FormatError(records.source, each.line, each.reason)
            if k < len(records):
                values = tuple(records.boards[k].tolist())
                place = f"{records.source}:{records.lines[k]}"
                shape = records.box, records.alphabet, rules
                yield BoardPuzzle("board", Statement([]), None, None, place, values, *shape)


def example(
    box: str = "3x3",
    givens: str = "",
    diagonals: bool = False,
    windows: bool = False,
    regions: str = "",
) -> Puzzle:
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

    >>> [example("2x2", diagonals=diagonals).count() for diagonals in (False, True)]
    [288, 48]
    """
    shape = Box.parse(box)
    if shape.n > len(SYMBOLS):
        raise ValueError(f"box {box}: there are only {len(SYMBOLS)} symbols for {shape.n} values")
    candidates = parse_givens(givens, shape.n)
    values = tuple(SYMBOLS.index(each) + 1 if len(each) == 1 else 0 for each in candidates)
    sizes = set(Counter(regions).values())
    if regions and (len(regions) != shape.cells or sizes != {shape.n}):
        raise ValueError(f"regions must have {shape.n} letters, each {shape.n} times")
    if windows and shape.rows != shape.columns:
        raise ValueError(f"windows require a square box, for example 3x3, not {box}")
    rules = SudokuRules(diagonals=diagonals, windows=windows, regions=regions or None)
    symbols = Alphabet("1-9A-", shape.n)
    return BoardPuzzle("Sudoku", Statement([]), None, 3, "", values, shape, symbols, rules)
