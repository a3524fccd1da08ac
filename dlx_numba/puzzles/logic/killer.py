"""Killer Sudoku: cages with sums."""

import re
from collections import Counter
from dataclasses import replace
from math import isqrt
from string import ascii_lowercase
from typing import Any

from ...runtime.text import plural
from ...sudoku.box import Box
from ...sudoku.io.symbols import Alphabet
from ..records import Record
from ..sudoku import BoardPuzzle
from ..variants.fpuzzles import board_box
from ..variants.rules import SudokuRules
from ..variants.units import check_units
from .boards import Cell, WordTable, check_keys
from .game_ids import expand
from .jigsaw import values_of
from .rows import find_areas

formats = (
    "rows and columns, the sums of the cages in cells, then the cage of each cell; cages in JSON; "
    "game IDs of Solo"
)

CAGE_KEYS = {"sum", "cells", "id"}  # of a cage in JSON
MAX_PLACE = 1000  # more than rows and columns
_CELL = re.compile("[rR]([0-9]{1,3})[cC]([0-9]{1,3})")

Cage = tuple[int | None, list[int]]  # its sum, if any, and the numbers of its cells

# The size of boxes or of a jigsaw, marks, givens, and perhaps borders and sums
SOLO_ID = re.compile(
    r"(?:([1-9][0-9]?)x([1-9][0-9]?)|([0-9]{1,2})j)([xk]*)(?![xk])\w*:([0-9a-z_]+)((?:,[0-9a-z_]+)*)"
)


def parse(record: Record) -> BoardPuzzle:
    """Return the puzzle of a record."""
    if record.value is not None:
        return _parse_cages(record.value)
    if SOLO_ID.match(record.text):
        return _parse_id(record.text)
    return _parse_table(WordTable(record))


def _parse_cages(value: Any) -> BoardPuzzle:
    """Return the puzzle of a list of cages, or of an object with it.

    Raises ValueError unless the cages contain all cells, so that it is clear whether these count
    from 0.
    """
    board = value if isinstance(value, dict) else {"cages": value}
    check_keys(board, "cages", "size")
    listed = board.get("cages")
    if not isinstance(listed, list) or not listed:
        raise ValueError(
            'expected cages, such as {"cages": [{"sum": 3, "cells": [[0, 0], [0, 1]]}]}'
        )
    cages: list[tuple[int | None, list[Cell]]] = []
    for cage in listed:
        is_cage = isinstance(cage, dict) and {"sum", "cells"} <= cage.keys() <= CAGE_KEYS
        if not is_cage or not isinstance(cage["cells"], list) or not cage["cells"]:
            raise ValueError(
                f"a cage must have a sum and cells, and nothing else, not {str(cage)[:60]}"
            )
        word = str(cage["sum"])
        if re.fullmatch("[0-9]+|[.-]", word) is None:
            raise ValueError(f"a sum must be an integer, or - for none, not {word[:40]!r}")
        total = int(word) if word.isdigit() else None
        cages.append((total, [_place_of(cell) for cell in cage["cells"]]))
    counts = Counter(cell for _, cells in cages for cell in cells)
    origin = min(1, *map(min, counts))  # 0 if some cell is in row or column 0
    n = max(map(max, counts)) + 1 - origin
    size = board.get("size", n)
    if str(size) != str(n):
        raise ValueError(f"the cages are on a board of {n}×{n}, but the size is {size}")
    index_of = {(r + origin, c + origin): n * r + c for r in range(n) for c in range(n)}
    for cell, number in index_of.items():
        if counts[cell] != 1:
            raise ValueError(
                f"r{number // n + 1}c{number % n + 1} must be in one cage, but is in "
                f"{counts[cell] or 'none'}"
            )
    placed = [(total, [index_of[cell] for cell in cells]) for total, cells in cages]
    return _board(Box.of_cells(n * n), placed)


def _place_of(cell: Any) -> Cell:
    """Return the row and the column of a cell: a list, or a text such as "r1c2"."""
    found = _CELL.fullmatch(cell) if isinstance(cell, str) else None
    numbers = [*map(int, found.groups())] if found is not None else cell
    is_pair = isinstance(numbers, list) and [*map(type, numbers)] == [int, int]
    if not is_pair or not 0 <= min(numbers) <= max(numbers) < MAX_PLACE:
        raise ValueError(f'a cell must be written as [0, 1] or "r1c2", not as {str(cell)[:40]}')
    return numbers[0], numbers[1]


def _parse_table(table: WordTable) -> BoardPuzzle:
    """Return the puzzle of the sums in cells, and of the cage of each cell."""
    n = table.side(25)
    sums = table.cells(2, (n, n), r"[0-9]+|[.-]", "a sum, - or .", is_last=False)
    cages = table.cells(2 + n, (n, n), r"\w+|[.-]", "a cage, or - for none")
    if not any(map(str.isdigit, sums.values())):
        raise table.error(2, "there are no sums")
    return _board(Box.of_cells(n * n), _cages([*sums.values()], [*cages.values()]))


def _cages(sums: list[str], cages: list[str]) -> list[Cage]:
    """Return the cages from the sum in each cell, if any, and the name of the cage of each cell.

    Raises ValueError if a cage has two sums, or a sum has no cage.
    """
    cells: dict[str, list[int]] = {}
    totals: dict[str, int] = {}
    for cell, (total, cage) in enumerate(zip(sums, cages, strict=True)):
        cells.setdefault(cage, []).append(cell)
        if total.isdigit():
            if cage in ".-" or cage in totals:
                row, column = divmod(cell, isqrt(len(cages)))
                raise ValueError(
                    f"row {row + 1}, column {column + 1}: the sum {total} has no cage, or its "
                    "cage has two sums"
                )
            totals[cage] = int(total)
    return [(totals.get(cage), each) for cage, each in cells.items() if cage not in ".-"]


def _board(box: Box, cages: list[Cage], **others: Any) -> BoardPuzzle:
    """Return a puzzle. Raises ValueError if the board is too large."""
    rules = SudokuRules(cages=cages, **others)
    check_units(rules, box)
    return BoardPuzzle(
        "Killer Sudoku",
        values=(0,) * box.cells,
        box=box,
        alphabet=Alphabet("1-9A-", box.n),
        rules=rules,
    )


def _parse_id(line: str) -> BoardPuzzle:
    """Return the puzzle of a game ID. Raises ValueError if it is malformed.

    It has the digits, the borders of the regions of a jigsaw, and the borders and sums of cages; a
    letter is a number of empty cells.
    """
    matched = SOLO_ID.fullmatch(line)
    if matched is None:
        raise ValueError("not a game ID of a Sudoku such as 3x3k:…,…,…")
    rows, columns, side, marks, givens, others = matched.groups()
    box = board_box(int(side)) if side else Box.checked(int(rows), int(columns))
    parts = others.split(",")[1:]
    # The borders of the regions of a jigsaw; the borders and the sums of the cages of a killer
    n_parts = bool(side) + 2 * ("k" in marks)
    if len(parts) != n_parts:
        raise ValueError(f"expected {plural(n_parts, 'part')} after the digits, not {len(parts)}")
    rules: dict[str, Any] = {"diagonals": True} if "x" in marks else {}
    if side:
        rules["regions"] = _areas(parts[0], box.n)
    cages = ["-"] * box.cells
    sums = ["-"] * box.cells
    if "k" in marks:
        cages = _areas(parts[-2], box.n)
        sums = expand(parts[-1], box.cells)
    values = values_of(expand(givens, box.cells))
    if max(values) > box.n:
        raise ValueError(f"the digit {max(values)} is too large")
    puzzle = _board(box, _cages(sums, cages), **rules)
    title = puzzle.title if "k" in marks else "Sudoku"
    return replace(puzzle, title=title, values=values)


def _areas(borders: str, n: int) -> list[str]:
    """Return the area of each cell from the borders to the right of cells, then below cells.

    A letter is a run of sides without a border before one with a border; z is 25 without one. The
    last border is after the last side.
    """
    sides = "".join(
        "0" * 25 if letter == "z" else "0" * (ascii_lowercase.find(letter) + 1) + "1"
        for letter in borders
    )
    n_across = n * (n - 1)
    if len(sides) != 2 * n_across + 1:
        raise ValueError(f"the borders of the regions or cages do not fit a board of {n}×{n}")
    below = (sides[n_across + k : -1 : n - 1] for k in range(n - 1))  # they are given by columns
    return find_areas(n, sides[:n_across], "".join(below))


EXAMPLE = "4 4\n9 - 8 3\n- 7 - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5"


def example() -> BoardPuzzle:
    """Fill a Sudoku board from the sums of cages.

    The digits in a cage are different.

    Items: each cell; each digit in each row, column and box; each digit in a cage.
    Options: a digit in a cell; the digits of a cage.

    Notes
    -----
    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
     2 3 | 4 1
     4 1 | 3 2
    -----|-----
     3 2 | 1 4
     1 4 | 2 3
    """
    return parse(Record("example", EXAMPLE))
