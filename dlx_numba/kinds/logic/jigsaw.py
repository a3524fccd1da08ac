"""Sudoku boards whose size is stated before them, perhaps with regions, odd and even cells."""

import re
from collections import Counter
from collections.abc import Iterator
from math import isqrt

from ...runtime.errors import FormatError
from ...runtime.json import looks_like_json
from ...sudoku.box import SIDES, Box
from ...sudoku.io.symbols import Alphabet
from ...variants.rules import SudokuRules
from ...variants.units import check_units
from ..lattice.regions import components
from ..puzzle import Puzzle
from ..sudoku import BoardPuzzle
from .boards import COMMENT, Cell, Record, Table, records_of

EMPTY = "0._*-"  # the symbols of an empty cell
SUMO_CUE = re.compile(r"SumoCueV1(?:=[0-9]{1,2}J[0-9]{1,2}){16,}")  # values and regions

formats = (
    "a Sudoku board after its rows and columns; for jigsaws, then regions, also without a size"
)


def jigsaw_box(n: int) -> Box:
    """Return the box of a board of n rows, which may be one row if regions replace the boxes."""
    return Box._of_side(n) if n in SIDES else Box(1, n)


def _layout(table: Table) -> tuple[Box, dict[Cell, str], dict[Cell, str]]:
    """Return the size, the word of each cell, and the region of each cell, if they are stated."""
    table.drop_blank_lines()
    if len(table) == 1 and SUMO_CUE.fullmatch(line := "".join(table.words(1))):
        table = Table(Record(table.place, _drawn(line)))
    if len(table.words(1)) != 2:
        n, words, regions = _halves(table)
    else:
        n, width = table.size(most=max(SIDES))
        is_jigsaw = len(table) > 1 + n
        if n != width or n < 4 or not (is_jigsaw or n in SIDES):
            raise table.error(1, f"there is no Sudoku board of {n} rows and {width} columns")
        words = table.cells(2, (n, n), *_word(n), is_last=not is_jigsaw)
        regions = table.cells(2 + n, (n, n), r"\w+", "a region") if is_jigsaw else {}
        if is_jigsaw and {*Counter(regions.values()).values()} != {n}:
            raise table.error(2 + n, f"the regions must be {n} of {n} cells each")
    box, values = jigsaw_box(n), _values(words)
    for cells in check_units(SudokuRules(regions=[*regions.values()] or None), box).values():
        given = [values[k] for k in cells if values[k]]
        if len({*given}) < len(given):
            raise table.error(2, "a number is given twice in a row, a column or a region")
    return box, words, regions


def _drawn(line: str) -> str:
    """Return the size, the rows of values and those of regions for a line in SumoCue's format."""
    cells = [cell.split("J") for cell in line.split("=")[1:]]
    if (n := isqrt(len(cells))) ** 2 < len(cells):
        raise ValueError(f"{len(cells)} cells are no square")
    squares = zip(*cells, strict=True)
    rows = (" ".join(words[k : k + n]) for words in squares for k in range(0, n * n, n))
    return "\n".join([f"{n} {n}", *rows])


def _word(n: int) -> tuple[str, str]:
    """Return a pattern for the words of cells, and what they must be."""
    pattern = f"{'|'.join(map(str, range(1, n + 1)))}|[EO{EMPTY}]"
    return pattern, f"a number from 1 to {n}, E, O, or - for an empty cell"


def _values(words: dict[Cell, str]) -> tuple[int, ...]:
    """Return the value of each cell, 0 for one that is not given."""
    return tuple(int(word) if word.isdigit() else 0 for word in words.values())


def _halves(table: Table) -> tuple[int, dict[Cell, str], dict[Cell, str]]:
    """Return the size, a board and its regions, in either order, perhaps after the number of rows.

    Regions are connected, unlike the equal symbols of a board.
    """
    n, n_before = divmod(len(table), 2)
    if (n_before and table.words(1) != [str(n)]) or not 4 <= n <= max(SIDES):
        raise table.error(1, f"{len(table)} rows are no board and its regions")
    squares = [table.square(r"[\w.*-]+", "cells", first + n_before, n) for first in (1, 1 + n)]
    sizes = [[*map(len, components(cells))] for cells in squares]
    if sizes.count([n] * n) != 1:
        raise table.error(1, f"neither the first {n} rows nor the others are {n} regions")
    place, (pattern, expected) = sizes.index([n] * n), _word(n)
    words = squares[1 - place]
    for (r, c), word in words.items():
        if not re.fullmatch(pattern, word):
            line = r + n_before + n * (1 - place)
            raise table.error(line, f"word {c}, {word[:20]!r}, is not {expected}")
    return n, words, squares[place]


def _check(table: Table) -> None:
    """Raise ValueError unless there are regions, or enough givens for one solution.

    Puzzles of other kinds are rows of numbers, too, and small ones cannot be told apart.
    """
    box, words, regions = _layout(table)
    known = [word for word in words.values() if word not in EMPTY]
    is_plausible = box.n >= 9 and 5 * len(known) >= box.cells and len({*known}) >= box.n - 1
    if not (regions or is_plausible):
        raise table.error(2, "a Sudoku puzzle with one solution has more givens")


def _state(table: Table) -> BoardPuzzle:
    box, words, regions = _layout(table)
    cells = {shade: [k for k, word in enumerate(words.values()) if word == shade] for shade in "EO"}
    rules = SudokuRules(regions=[*regions.values()] or None, even=cells["E"], odd=cells["O"])
    return BoardPuzzle(
        "Jigsaw Sudoku" if regions else "Sudoku",
        values=_values(words),
        box=box,
        alphabet=Alphabet("numbers" if box.n > 9 else "1-9A-", box.n),
        rules=rules,
    )


_recognize, _parse = records_of(
    "Sudoku", "JigsawSudoku", "EvenOddSudoku", check=_check, state=_state
)


def _plain(text: str) -> str:
    """Return the rows of lists in a program, or lines without commas and comments between them.

    >>> _plain("a = [[1, None],\\n [2, 1]]\\n"), _plain("1,.\\n# regions\\n2,2\\n")
    ('1 .\\n2 1', '1 .\\n\\n2 2\\n')
    """
    if looks_like_json(text):
        return text
    if "[" in text:
        rows = re.findall(r"\[([^][]+)\]", text.replace("None", "."))
        return "\n".join(" ".join(re.split(r"[\s,]+", row.strip())) for row in rows)
    return re.sub(rf"(?m)^{COMMENT}", "", text.replace(",", " "))


def recognize(head: str) -> bool:
    """Return whether a text starts like a board after its size, or with its regions."""
    return _recognize(_plain(head))


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text."""
    return _parse(_plain(text), source)
