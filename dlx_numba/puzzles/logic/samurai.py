"""Samurai Sudoku: five boards, of which the middle one shares a box with each of the others."""

from functools import partial
from itertools import product
from typing import Any

from ...cover.encode import Formulation
from ...pictures.grid import Grid
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, WordTable

formats = "21 rows of 21 digits and ., without blanks; or their size, then digits and -"

Item = tuple[Any, ...]

CORNERS = ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))  # what is above and to the left of boards
N = 21
WORDS = (
    (r"row,(\d+),(\d+),(\d)", r"the \3 of row \1 from column \2"),
    (r"column,(\d+),(\d+),(\d)", r"the \3 of column \2 from row \1"),
    (r"box,(\d+),(\d+),(\d)", r"the \3 of the box from r\1c\2"),
)


def _layout(table: WordTable) -> dict[Cell, str]:
    """Return the digit of each cell, or `-`."""
    words = table.grid("[1-9.-]", "a digit, or - for an empty cell")
    if max(words) != (N, N):
        raise table.error(1, f"there must be {N} rows of {N} cells")
    for (r, c), digit in words.items():
        if digit.isdigit() and (r, c) not in BOX_OF:
            raise table.error(len(table) - N + r, f"word {c}, {digit!r}, is outside of the boards")
    return words


def _empty_board() -> dict[tuple[Cell, str], list[Item]]:
    """Return the items of each digit in each cell: rows and columns are named by their first cell.

    The last item names the box.
    """
    options: dict[tuple[Cell, str], dict[Item, None]] = {}
    for (top, left), r, c in product(CORNERS, range(1, 10), range(1, 10)):
        row = top + r
        column = left + c
        corner = row - (row - 1) % 3, column - (column - 1) % 3
        for digit in "123456789":
            items = options.setdefault(((row, column), digit), {("cell", row, column): None})
            items |= {("row", row, left + 1, digit): None, ("column", top + 1, column, digit): None}
            items |= {("box", *corner, digit): None}
    return {mark: list(items) for mark, items in options.items()}


EMPTY_BOARD = _empty_board()
ITEMS = list(dict.fromkeys(item for items in EMPTY_BOARD.values() for item in items))
BOX_OF = {cell: str(items[-1][1:3]) for (cell, _), items in EMPTY_BOARD.items()}


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record."""
    return _formulate(WordTable(record))


def _formulate(table: WordTable, is_whole: bool = False) -> Puzzle:
    """Return a puzzle.

    Digits that contradict a given are left out, but not the givens. A whole formulation has all
    digits, and the givens are chosen, unless they contradict each other: steps say why.
    """
    words = _layout(table)
    givens = [(cell, word) for cell, word in words.items() if word.isdigit()]
    options = EMPTY_BOARD
    given = [_name(mark) for mark in givens]  # the options that are chosen
    items_of_givens = [item for mark in givens for item in EMPTY_BOARD[mark]]
    given_items = {*items_of_givens}  # fewer if givens contradict each other: an item appears twice
    if not is_whole or len(given_items) < len(items_of_givens):
        given = []
        options = {
            mark: items
            for mark, items in EMPTY_BOARD.items()
            if mark in givens or given_items.isdisjoint(items)
        }
    picture = Grid(
        "Samurai Sudoku",
        [(mark,) for mark in options],
        [*words],
        givens,
        regions=[*BOX_OF.items()],
        blank="-",
        words=WORDS,
    )
    named = {_name(mark): items for mark, items in options.items()}
    formulation = Formulation(named, ITEMS, given=given, view=picture)
    return Puzzle("Samurai Sudoku", formulation, whole=partial(_formulate, table, True))


def _name(mark: tuple[Cell, str]) -> str:
    """Return the name of the option of a digit in a cell."""
    (r, c), digit = mark
    return f"r{r}c{c}={digit}"


EXAMPLE = """
6..9...........9.4...
..1..........91...4..
.3...215.....6....27.
..96.8..3......3.2...
.1.7....2.........61.
.6.49..7.....7.......
.........9.......7..6
7........2......8.9..
.....3...4..7...61.2.
.........3..8........
...........9.7.......
.......5......1......
.7.32.....3....18...2
...5.......4.....2.6.
.....4.87...4.....3..
..................89.
..8....6.....32......
.5...2......8...5....
....3.1.......1.9....
.974........58......1
62..914.......68...2.
"""


def example() -> Puzzle:
    """Fill five Sudoku boards, four of which share a box with the middle one.

    Items: each cell; each digit in each row, column and box of each board.
    Options: a digit in a cell.

    Notes
    -----
    >>> puzzle = example()
    >>> puzzle.count()
    1
    """
    return parse(Record("example", EXAMPLE.strip()))
