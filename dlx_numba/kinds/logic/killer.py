"""Killer Sudoku: cages with sums."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from string import ascii_lowercase
from typing import Any

from ...runtime.errors import FormatError
from ...runtime.text import plural
from ...sudoku.box import Box
from ...sudoku.io.symbols import Alphabet
from ...variants.puzzle import IGNORED, SUM_NAMES, parse_cage, place_of
from ...variants.rules import SudokuRules
from ...variants.units import check_units
from ..puzzle import Puzzle
from ..sudoku import BoardPuzzle
from .boards import (
    Cell,
    Record,
    Table,
    expand,
    is_stated,
    parse_lines,
    parse_records,
    split_records,
)
from .jigsaw import jigsaw_box

formats = (
    "rows and columns, the sums of the cages in cells, then the cage of each cell; cages in JSON; "
    "game IDs"
)

# The size of boxes or of a jigsaw, marks, givens, and perhaps borders and sums
SOLO_ID = re.compile(
    r"\s*(?:https?://\S*/solo\.\w+#)?(?:([2-5])x([2-5])|([0-9]{1,2})j)([xk]*)(?![xk])\w*"
    r":([0-9a-z_]+)((?:,[0-9a-z_]+)*)\s*"
)
# Of each cell, the number of its cage, plus 256 times the sum of the cage
NUMBERED = re.compile(r"\s*3x3:(d?):k((?::[0-9]{1,6}){81}):?\s*")
CAGES = re.compile(
    rf'\s*(?:\{{[^\[{{]*"cages"\s*:\s*)?\[\s*\{{\s*"(?:cells|id|{"|".join(SUM_NAMES)})"'
)


def recognize(head: str) -> bool:
    """Return whether a text starts like a killer Sudoku, or is a game ID."""
    if NUMBERED.match(head):
        return True
    if (first := SOLO_ID.match(head)) is not None:
        try:
            _parse_id(first[0], "")
        except ValueError:  # other games have similar IDs
            return "k" in first[4]
        return True
    return _cages_in_json(head)[0] != [] or is_stated(head, ("KillerSudoku",), _check_sums)


def parse(text: str, source: str) -> Iterator[Puzzle | FormatError]:
    """Yield the puzzles in a text; each line may be a game ID of Simon Tatham's collection."""
    if NUMBERED.match(text):
        return parse_lines(text, source, _parse_numbered)
    if SOLO_ID.match(text):
        return parse_lines(text, source, _parse_id)
    return parse_records(text, source, _state, _records)


def _records(text: str, source: str) -> Iterator[Record | FormatError]:
    cages, size = _cages_in_json(text)
    try:
        text = _as_table(cages, size) if cages else text
    except ValueError as error:
        yield FormatError(source, 1, str(error))
    else:
        yield from split_records(text, source)


def _cages_in_json(text: str) -> tuple[list[tuple[str, Any]], Any]:
    """Return the sum and the cells of each cage in JSON, and the stated size of the board, if any.

    There are no cages in another text.
    """
    try:
        stated = json.loads(text) if CAGES.match(text) else []
    except (ValueError, RecursionError):
        return [], None
    board = stated if isinstance(stated, dict) else {"cages": stated}
    cages = board.get("cages")
    if not isinstance(cages, list) or not board.keys() <= {"cages", "size", *IGNORED}:
        return [], None
    found = [*map(parse_cage, cages)]
    if not all(cells for _, cells in found):
        return [], None
    return [(str(total), cells) for total, cells in found], board.get("size")


def _as_table(cages: list[tuple[str, Any]], size: Any) -> str:
    """Return the rows of sums and cages for cages in JSON.

    Raises ValueError unless the cages contain all cells, so that it is clear whether these count
    from 0.
    """
    cages_of, sums = defaultdict[Cell, list[str]](list), dict[Cell, str]()
    for k, (total, stated) in enumerate(cages):
        if re.fullmatch("[0-9]+|[.-]", total) is None:
            raise ValueError(f"a sum must be an integer, or - for none, not {total[:40]!r}")
        cells = [place_of(cell) for cell in stated]
        sums[min(cells)] = total
        for cell in cells:
            cages_of[cell].append(str(k))
    first = min(1, *map(min, cages_of))
    n = max(map(max, cages_of)) + 1 - first
    if size is not None and str(size) != str(n):
        raise ValueError(f"the cages are on a board of {n}×{n}, but the size is {size}")
    lines = range(first, first + n)
    board = [(r, c) for r in lines for c in lines]
    for r, c in board:
        if (n_cages := len(cages_of[r, c])) != 1:
            place = f"r{r + 1 - first}c{c + 1 - first}"
            raise ValueError(f"{place} must be in one cage, but is in {n_cages or 'none'}")
    words = [*(sums.get(cell, "-") for cell in board), *(cages_of[cell][0] for cell in board)]
    rows = [" ".join(words[k : k + n]) for k in range(0, len(words), n)]
    return "\n".join([f"{n} {n}", *rows])


def _layout(table: Table) -> tuple[int, list[str], list[str]]:
    """Return the number of rows, the sum in each cell, if any, and the cage of each cell."""
    n, n_columns = table.size(most=25)
    if n != n_columns or n < 4:
        raise table.error(1, f"the board must be a square from 4×4, not {n}×{n_columns}")
    sums = table.cells(2, (n, n), r"[0-9]+|[.-]", "a sum, - or .", is_last=False)
    cages = table.cells(2 + n, (n, n), r"\w+|[.-]", "a cage, or - for none")
    return n, [*sums.values()], [*cages.values()]


def _check_sums(table: Table) -> None:
    """Raise ValueError unless half of the cages have sums, and all of these but one are possible.

    Many other puzzles are stated as numbers and regions; one wrong sum may be a slip.
    """
    n, sums, cages = _layout(table)
    size = Counter(cages)
    stated = [
        (int(total), size[cage]) for total, cage in zip(sums, cages, strict=True) if total.isdigit()
    ]
    n_possible = sum(k * (k + 1) <= 2 * total <= k * (2 * n + 1 - k) for total, k in stated)
    if 2 * len(stated) < len(size) or n_possible < len(stated) - 1:
        raise table.error(2, "the numbers are not the sums of cages")


def _state(table: Table) -> Puzzle:
    n, sums, cages = _layout(table)
    return _board(Box._of_cells(n * n), sums, cages)


def _board(box: Box, sums: list[str], cages: list[str], **others: Any) -> BoardPuzzle:
    """Return a puzzle from the sum in each cell, if any, and the name of the cage of each cell.

    Raises ValueError if a cage has two sums, a sum has no cage, or the board is too large.
    """
    cells, totals = defaultdict[str, list[int]](list), dict[str, int]()
    for cell, (total, cage) in enumerate(zip(sums, cages, strict=True)):
        cells[cage].append(cell)
        is_inside = cage not in ".-"
        if total.isdigit() and not (
            is_inside and totals.setdefault(cage, int(total)) == int(total)
        ):
            place = f"row {cell // box.n + 1}, column {cell % box.n + 1}"
            raise ValueError(f"{place}: the sum {total} has no cage, or its cage has another sum")
    totaled = [(totals.get(cage), each) for cage, each in cells.items() if cage not in ".-"]
    rules = SudokuRules(cages=totaled, **others)
    check_units(rules, box)
    return BoardPuzzle(
        "Killer Sudoku",
        values=(0,) * box.cells,
        box=box,
        alphabet=Alphabet("1-9A-", box.n),
        rules=rules,
        settings={"presolve": True},
    )


def _parse_id(line: str, place: str) -> BoardPuzzle:
    """Return the puzzle of a game ID. Raises ValueError if it is malformed.

    It has the digits, the borders of the regions of a jigsaw, and the borders and sums of cages; a
    letter is a number of empty cells.
    """
    matched = SOLO_ID.fullmatch(line)
    if matched is None:
        raise ValueError("not a game ID of a Sudoku such as 3x3k:…,…,…")
    rows, columns, side, marks, givens, others = matched.groups()
    box = jigsaw_box(int(side)) if side else Box(int(rows), int(columns))
    parts = others.split(",")[1:]
    n_parts = bool(side) + 2 * ("k" in marks)
    if len(parts) != n_parts:
        raise ValueError(f"expected {plural(n_parts, 'part')} after the digits, not {len(parts)}")
    rules: dict[str, Any] = {"diagonals": True} if "x" in marks else {}
    if side:
        rules["regions"] = _areas(parts[0], box.n)
    cages, sums = ["-"] * box.cells, ["-"] * box.cells
    if "k" in marks:
        cages, sums = _areas(parts[-2], box.n), expand(parts[-1], box.cells)
    values = tuple(int(word) if word.isdigit() else 0 for word in expand(givens, box.cells))
    if max(values) > box.n:
        raise ValueError(f"the digit {max(values)} is too large")
    puzzle = _board(box, sums, cages, **rules)
    title = puzzle.title if "k" in marks else "Sudoku"
    return replace(puzzle, title=title, place=place, values=values)


def _parse_numbered(line: str, place: str) -> BoardPuzzle:
    """Return the puzzle of a line of numbers. Raises ValueError if it is malformed."""
    if (matched := NUMBERED.fullmatch(line)) is None:
        raise ValueError("not a killer such as 3x3::k:…, with 81 numbers")
    numbers = [int(word) for word in matched[2].split(":")[1:]]
    sums, cages = ([str(k >> shift) if k > 255 else "-" for k in numbers] for shift in (8, 0))
    rules: dict[str, Any] = {"diagonals": True} if matched[1] else {}
    return replace(_board(Box(3, 3), sums, cages, **rules), place=place)


def _areas(borders: str, n: int) -> list[str]:
    """Return the area of each cell from the borders between areas."""
    is_border = []
    for letter in borders:
        run = 25 if letter == "z" else ascii_lowercase.find(letter) + 1
        is_border += [False] * run + [True] * (letter != "z")
    if len(is_border) != 2 * n * (n - 1) + 1:
        raise ValueError(f"the borders of the regions or cages do not fit a board of {n}×{n}")
    areas = list(range(n * n))
    for side in (k for k, each in enumerate(is_border[:-1]) if not each):
        across, along = divmod(side, n - 1)
        first, step = (across * n + along, 1) if across < n else (along * n + across - n, n)
        old, new = areas[first + step], areas[first]
        areas = [new if area == old else area for area in areas]
    return [str(area) for area in areas]


EXAMPLE = "4 4\n9 - 8 3\n- 7 - -\n4 - - 9\n- - - -\n2 2 4 1\n2 3 4 1\n6 3 4 5\n6 3 5 5"


def example() -> Puzzle:
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
    return _state(Table(Record("example", EXAMPLE)))
