"""Sudoku boards whose size is written before them, perhaps with regions, odd and even cells."""

from collections import Counter
from collections.abc import Iterable

from ...sudoku.box import SIDES, Box
from ...sudoku.io.symbols import Alphabet
from ..records import Record
from ..sudoku import BoardPuzzle
from ..variants.fpuzzles import board_box
from ..variants.rules import SudokuRules
from .boards import Cell, WordTable

formats = "a Sudoku board after its rows and columns, then perhaps the region of each cell"


def _layout(table: WordTable) -> tuple[Box, dict[Cell, str], dict[Cell, str]]:
    """Return the size, the word of each cell, and the region of each cell, if they are given."""
    n = table.side(max(SIDES))
    is_jigsaw = len(table) > 1 + n
    if n < 4 or not (is_jigsaw or n in SIDES):
        raise table.error(1, f"there is no Sudoku board of {n} rows and {n} columns")
    expected = f"a number from 1 to {n}, E, O, or - for an empty cell"
    pattern = f"{'|'.join(map(str, range(1, n + 1)))}|[EO.-]"
    words = table.cells(2, (n, n), pattern, expected, is_last=not is_jigsaw)
    regions = table.cells(2 + n, (n, n), r"\w+", "a region") if is_jigsaw else {}
    if is_jigsaw and {*Counter(regions.values()).values()} != {n}:
        raise table.error(2 + n, f"the regions must be {n} of {n} cells each")
    return board_box(n), words, regions


def values_of(words: Iterable[str]) -> tuple[int, ...]:
    """Return the value of each cell, 0 for one that is not given."""
    return tuple(int(word) if word.isdigit() else 0 for word in words)


def parse(record: Record) -> BoardPuzzle:
    """Return the puzzle of a record."""
    box, words, regions = _layout(WordTable(record))
    cells = {shade: [k for k, word in enumerate(words.values()) if word == shade] for shade in "EO"}
    rules = SudokuRules(regions=[*regions.values()] or None, even=cells["E"], odd=cells["O"])
    return BoardPuzzle(
        "Jigsaw Sudoku" if regions else "Sudoku",
        values=values_of(words.values()),
        box=box,
        alphabet=Alphabet("numbers" if box.n > 9 else "1-9A-", box.n),
        rules=rules,
    )
