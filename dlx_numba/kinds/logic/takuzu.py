"""Binary puzzles (Takuzu, Binairo)."""

import re
from collections import Counter
from functools import partial

from ...cover.encode import Statement
from ...pictures.grid import Grid
from ..puzzle import Puzzle
from .boards import Cell, Record, Table, records_of

BLANKS = "._*x?-"

formats = (
    "a square of 0, 1 and ., perhaps after its size; or its rows, then 0, 1, and 2 for a blank; "
    "or its rows and columns, then 1, 2 and -, where lines may be equal"
)


def _layout(table: Table) -> tuple[dict[Cell, str], bool]:
    """Return the word of each cell: 1, 2 or -, or 0, 1 or a blank; and whether lines may be equal.

    They may be equal in the collection, which has 1 and 2 after the numbers of rows and columns,
    and if `unruly` follows these numbers. In files that begin with the number of rows alone, 2 is a
    blank, and this number may be odd.
    """
    words = table.words(1)
    n_rows, is_unruly = len(table) - 1, words[2:] == ["unruly"]
    has_size = len(words) - is_unruly == 2 != len(table)
    is_numbered = words == [str(n_rows)]
    if has_size and words[:2] != [str(n_rows)] * 2:
        raise table.error(1, f"the board must be a square with {words[0]} rows, not {n_rows}")
    symbols = "012" if has_size or is_numbered else "01"
    expected = f"{', '.join(symbols)}, or . for an empty cell"
    cells = table.square(f"[{symbols}{BLANKS}]+", expected, 1 + (has_size or is_numbered))
    n = max(cells)[0]
    if is_numbered:
        cells = {cell: word.replace("2", ".") for cell, word in cells.items()}
    elif n % 2:
        raise table.error(1, f"the board must be a square with an even number of rows, not {n}")
    if {"0", "2"} <= {*cells.values()}:
        raise table.error(1, "the symbols must be 0 and 1, or 1 and 2")
    return cells, has_size and (is_unruly or "0" not in cells.values())


def _check(table: Table) -> None:
    """Raise ValueError if a board could be a Sudoku or a matrix."""
    cells, is_lenient = _layout(table)
    words = set(cells.values())
    if not (words & set(BLANKS) and "1" in words and ("0" in words or "2" in words)):
        raise table.error(1, "no blanks, or not both symbols")
    equal = Counter((axis, cell[axis], word) for cell, word in cells.items() for axis in (0, 1))
    is_numbered = not is_lenient and len(table) > max(cells)[0]
    is_latin = max(count for (*_, word), count in equal.items() if word != "0") < 2
    if ("2" in words and len(cells) < 36) or (is_numbered and is_latin):
        raise table.error(1, "this could be a Sudoku board")


def _state(table: Table) -> Puzzle:
    cells, is_lenient = _layout(table)
    n = max(cells)[0]
    symbols = "12" if "2" in cells.values() else "01"
    placed = [
        (cell, symbol)
        for cell, word in cells.items()
        for symbol in (word if re.match("[0-9]", word) else symbols)
    ]
    options, triples = {}, dict[tuple[object, ...], None]()
    for (r, c), symbol in placed:
        near = [("across", r, k, symbol) for k in range(max(1, c - 2), min(c, n - 2) + 1)]
        near += [("down", k, c, symbol) for k in range(max(1, r - 2), min(r, n - 2) + 1)]
        triples |= dict.fromkeys(near)
        lines = [("row", r, symbol), ("column", c, symbol)]
        options[f"r{r}c{c}={symbol}"] = [("cell", r, c), *lines, *near]
    lines = [(line, k, s) for line in ("row", "column") for k in range(1, n + 1) for s in symbols]
    items = [*(("cell", *cell) for cell in cells), *lines, *triples]
    bounds = dict.fromkeys(lines, (n // 2, n - n // 2)) | dict.fromkeys(triples, (0, 2))
    givens = tuple((cell, word) for cell, word in cells.items() if word in symbols)
    marks = tuple((mark,) for mark in placed)
    half = f"{n // 2} or {n - n // 2}" if n % 2 else f"{n // 2}"
    words = (
        (r"(row|column),(\d+),(\d)", r"the \3s of \1 \2", rf"\1 \2 has {half} \3s"),
        (
            r"(across|down),(\d+),(\d+),(\d)",
            r"the two \4s allowed in three cells from r\2c\3 \1",
            r"no three \4s in a row",
        ),
    )
    picture = Grid("Binary puzzle", marks, givens=givens, blank="-", words=words)
    statement = Statement(options, items, multiplicity=bounds, view=picture)
    condition = None if is_lenient else partial(_is_distinct, placed)
    return Puzzle("Binary puzzle", statement, condition)


recognize, parse = records_of("Binairo", check=_check, state=_state)


def _is_distinct(placed: list[tuple[Cell, str]], cover: list[int]) -> bool:
    """Return whether no two rows are equal, and no two columns."""
    lines: dict[tuple[int, int], list[str]] = {}
    for k in sorted(cover):
        (r, c), symbol = placed[k]
        lines.setdefault((0, r), []).append(symbol)
        lines.setdefault((1, c), []).append(symbol)
    return len({(axis, *symbols) for (axis, _), symbols in lines.items()}) == len(lines)


EXAMPLE = ".1.11.\n.1.0..\n......\n0....1\n...1..\n....1."


def example() -> Puzzle:
    """Fill a board with 0 and 1.

    Each row and column has as many of one as of the other, and never three in a row. No two rows
    are equal, and no two columns.

    Items: each cell; each symbol in each row and column, covered by half of the cells; each symbol
    in three adjacent cells, covered at most twice.
    Options: a symbol in a cell.

    Notes
    -----
    That no two rows are equal is a condition on solutions, which are filtered.

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    0 1 0 1 1 0
    0 1 1 0 0 1
    1 0 1 1 0 0
    0 1 0 0 1 1
    1 0 0 1 0 1
    1 0 1 0 1 0
    """
    return _state(Table(Record("example", EXAMPLE)))
