"""Samurai Sudoku: five boards, of which the middle one shares a box with each of the others."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

from ...cover.encode import Statement
from ...pictures.grid import Grid
from ...runtime.errors import FormatError
from ..puzzle import Puzzle
from .boards import Cell, Record, Table, is_stated, parse_records

formats = (
    "21 rows of 21 digits, and - or . for other cells, which may be left out; "
    "or five boards, each after its place, such as top left"
)

Item = tuple[Any, ...]

CORNERS = ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))  # what is above and to the left of boards
N = 21
BLANKS = str.maketrans("0.*_", "----")
PLACES = (  # in the titles of boards
    "(?:top|upper)left",
    "(?:top|upper)right",
    "cent(?:er|re)|middle",
    "(?:bottom|lower)left",
    "(?:bottom|lower)right",
)
ORDERS = (0, 1, 2, 3, 4), (0, 1, 3, 4, 2)  # of boards with letters
WORDS = (
    (r"row,(\d+),(\d+),(\d)", r"the \3 of row \1 from column \2"),
    (r"column,(\d+),(\d+),(\d)", r"the \3 of column \2 from row \1"),
    (r"box,(\d+),(\d+),(\d)", r"the \3 of the box from r\1c\2"),
)


def _layout(table: Table) -> dict[Cell, str]:
    """Return the word of each cell. Rows may lack the cells outside of the boards."""
    n_before = len(table) - N
    if n_before not in (0, 1) or (n_before and table.size() != [N, N]):
        raise table.error(1, f"the size must be {N} {N}, before {N} rows")
    words = dict[Cell, str]()
    for r in range(1, N + 1):
        line = r + n_before
        row = "".join(table.words(line, "[0-9.*_-]+", "digits, or - for other cells"))
        every = [(r, c) for c in range(1, N + 1)]
        cells = [cell for cell in every if len(row) == N or cell in BOX_OF]
        if len(row) != len(cells):
            raise table.error(line, f"{len(row)} cells instead of {N}, or of those of the boards")
        words |= dict.fromkeys(every, "-") | dict(zip(cells, row, strict=True))
        for cell in every:
            if words[cell] in "123456789" and cell not in BOX_OF:
                reason = f"word {cell[1]}, {words[cell]!r}, is outside of the boards"
                raise table.error(line, reason)
    return words


def _empty_board() -> dict[tuple[Cell, str], list[Item]]:
    """Return the items of each digit in each cell: rows and columns are named by their first cell.

    The last item names the box.
    """
    options: dict[tuple[Cell, str], dict[Item, None]] = {}
    for (top, left), r, c in product(CORNERS, range(1, 10), range(1, 10)):
        row, column = top + r, left + c
        corner = row - (row - 1) % 3, column - (column - 1) % 3
        for digit in "123456789":
            items = options.setdefault(((row, column), digit), {("cell", row, column): None})
            items |= {("row", row, left + 1, digit): None, ("column", top + 1, column, digit): None}
            items |= {("box", *corner, digit): None}
    return {mark: list(items) for mark, items in options.items()}


EMPTY_BOARD = _empty_board()
ITEMS = list(dict.fromkeys(item for items in EMPTY_BOARD.values() for item in items))
BOX_OF = {cell: str(items[-1][1:3]) for (cell, _), items in EMPTY_BOARD.items()}


def _state(table: Table, is_whole: bool = False) -> Puzzle:
    """Return a puzzle.

    Digits that contradict a given are left out unless the statement is whole, but not the givens.
    """
    words = _layout(table)
    givens = {(cell, word): None for cell, word in words.items() if word in "123456789"}
    known = {item for mark in givens for item in EMPTY_BOARD[mark]}
    options = {
        mark: items
        for mark, items in EMPTY_BOARD.items()
        if is_whole or mark in givens or known.isdisjoint(items)
    }
    picture = Grid(
        "Samurai Sudoku",
        tuple((mark,) for mark in options),
        tuple(words),
        tuple(givens),
        regions=tuple(BOX_OF.items()),
        blank="-",
        words=WORDS,
    )
    named = {f"r{r}c{c}={digit}": items for ((r, c), digit), items in options.items()}
    whole = partial(_state, table, True)
    return Puzzle("Samurai Sudoku", Statement(named, ITEMS, view=picture), _whole=whole)


def recognize(head: str) -> bool:
    """Return whether a text starts like 21 rows, or consists of five boards with their places."""
    return _join(head) != "" or is_stated(head, ("SamuraiSudoku",), _layout)


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text."""
    return parse_records(_join(text) or text, source, _state)


def _join(text: str) -> str:
    """Return the rows of five boards whose titles are places or letters; "" for another text.

    Titles may mean something else, so the boards must agree in the cells that they share, some of
    which must be given. The first title may be missing, because it could be a comment. Boards
    without titles are those from the top left to the bottom right.
    """
    lines = [re.sub(r"[\s|]", "", line) for line in text.splitlines() if "+" not in line]
    lines = [line for line in lines if line]
    plain = "".join(lines).translate(BLANKS)
    if len(lines) in (5, 45) and re.fullmatch("[1-9-]{405}", plain):
        return _overlap([plain[k : k + 9] for k in range(0, 405, 9)], range(5))
    lines = [""] * (len(lines) == 49) + lines
    titles = [re.sub("[^a-z]|grid|board", "", line.lower()) for line in lines[::10]]
    patterns = [*enumerate(PLACES)]
    places = [next((k for k, p in patterns if re.fullmatch(p, title)), -1) for title in titles]
    if places.count(-1) == 1:
        places[places.index(-1)] = 9 - sum(places)  # that is left of 0 to 4
    orders = ORDERS if "".join(titles) in ("abcde", "abcds") else [places]
    rows = [row.translate(BLANKS) for k, row in enumerate(lines) if k % 10]
    is_row = re.compile("[1-9-]{9}").fullmatch
    if len(lines) != 50 or sorted(orders[0]) != [*range(5)] or not all(map(is_row, rows)):
        return ""
    joined = [text for order in orders if (text := _overlap(rows, order))]
    return joined[0] if len(joined) == 1 else ""


def _overlap(rows: list[str], places: Sequence[int]) -> str:
    """Return the rows of boards at places; "" unless they agree and some shared cell is given."""
    words, n_given = dict[Cell, str](), 0
    for (k, place), (r, c) in product(enumerate(places), product(range(9), repeat=2)):
        cell, word = (CORNERS[place][0] + r, CORNERS[place][1] + c), rows[9 * k + r][c]
        n_given += cell in words and word != "-"
        if words.setdefault(cell, word) != word:
            return ""
    texts = ("".join(words.get((r, c), "-") for c in range(N)) for r in range(N))
    return "\n".join(texts) if n_given else ""


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
    rows = (" ".join(row) for row in EXAMPLE.split())
    return _state(Table(Record("example", "\n".join([f"{N} {N}", *rows]))))
