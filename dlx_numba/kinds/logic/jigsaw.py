"""Sudoku boards whose size is stated before them, perhaps with regions, odd and even cells."""

from collections import Counter

from ...sudoku.box import SIDES, Box
from ...sudoku.io.symbols import Alphabet
from ...variants.rules import SudokuRules
from ...variants.units import check_units
from ..sudoku import BoardPuzzle
from .boards import Cell, Table, records_of

formats = "a Sudoku board after its rows and columns; for a jigsaw, then the region of each cell"


def jigsaw_box(n: int) -> Box:
    """Return the box of a board of n rows, which may be one row if regions replace the boxes."""
    return Box._of_side(n) if n in SIDES else Box(1, n)


def _layout(table: Table) -> tuple[Box, dict[Cell, str], dict[Cell, str]]:
    """Return the size, the word of each cell, and the region of each cell, if they are stated."""
    n, width = table.size(most=max(SIDES))
    is_jigsaw = len(table) > 1 + n
    if n != width or n < 4 or not (is_jigsaw or n in SIDES):
        raise table.error(1, f"there is no Sudoku board of {n} rows and {width} columns")
    box = jigsaw_box(n)
    allowed = f"{'|'.join(map(str, range(1, n + 1)))}|[EO.-]"
    expected = f"a number from 1 to {n}, E, O, - or ."
    words = table.cells(2, (n, n), allowed, expected, is_last=not is_jigsaw)
    regions = dict[Cell, str]()
    if is_jigsaw:
        regions = table.cells(2 + n, (n, n), r"\w+", "a region")
        if {*Counter(regions.values()).values()} != {n}:
            raise table.error(2 + n, f"the regions must be {n} of {n} cells each")
    placed = [*words.values()]
    for cells in check_units(SudokuRules(regions=[*regions.values()] or None), box).values():
        given = [placed[k] for k in cells if placed[k].isdigit()]
        if len({*given}) < len(given):
            raise table.error(2, "a number is given twice in a row, a column or a region")
    return box, words, regions


def _check(table: Table) -> None:
    """Raise ValueError unless there are regions, or enough givens for one solution.

    Puzzles of other kinds are rows of numbers, too, and small ones cannot be told apart.
    """
    box, words, regions = _layout(table)
    known = [word for word in words.values() if word not in ".-"]
    is_plausible = box.n >= 9 and 5 * len(known) >= box.cells and len({*known}) >= box.n - 1
    if not (regions or is_plausible):
        raise table.error(2, "a Sudoku puzzle with one solution has more givens")


def _state(table: Table) -> BoardPuzzle:
    box, words, regions = _layout(table)
    cells = {shade: [k for k, word in enumerate(words.values()) if word == shade] for shade in "EO"}
    rules = SudokuRules(regions=[*regions.values()] or None, even=cells["E"], odd=cells["O"])
    return BoardPuzzle(
        "Jigsaw Sudoku" if regions else "Sudoku",
        values=tuple(int(word) if word.isdigit() else 0 for word in words.values()),
        box=box,
        alphabet=Alphabet("numbers" if box.n > 9 else "1-9A-", box.n),
        rules=rules,
    )


recognize, parse = records_of("Sudoku", "JigsawSudoku", "EvenOddSudoku", check=_check, state=_state)
