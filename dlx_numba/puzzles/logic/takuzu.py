"""Binary puzzles (Takuzu, Binairo)."""

from collections.abc import Hashable
from functools import partial
from itertools import product

from ...cover.encode import Formulation
from ...pictures.grid import Grid
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, WordTable

formats = (
    "rows of 0, 1 and . without blanks; "
    "or rows and columns, then 1, 2 and -, where lines may be equal"
)


def _layout(table: WordTable) -> tuple[dict[Cell, str], str, bool]:
    """Return the word of each cell, the two symbols, and whether lines may be equal."""
    if table.has_symbols:
        cells = table.symbols("[01.]", "0, 1, or . for an empty cell")
        symbols = "01"
    else:
        cells = table.board("[12.-]", "1, 2, or - for an empty cell")
        symbols = "12"
    n_rows, n_columns = max(cells)
    if n_rows % 2 or n_columns % 2:
        raise table.error(
            1, f"the numbers of rows and columns must be even, not {n_rows}×{n_columns}"
        )
    return cells, symbols, symbols == "12"


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record, whose items and options `example` describes."""
    cells, symbols, is_lenient = _layout(WordTable(record))
    n_rows, n_columns = max(cells)
    placed = [
        (cell, symbol)
        for cell, word in cells.items()
        for symbol in (word if word in symbols else symbols)
    ]
    options = {}
    triples: dict[tuple[object, ...], None] = {}
    for (r, c), symbol in placed:
        # The three adjacent cells that contain the cell, by their first one
        near = [("across", r, k, symbol) for k in range(max(1, c - 2), min(c, n_columns - 2) + 1)]
        near += [("down", k, c, symbol) for k in range(max(1, r - 2), min(r, n_rows - 2) + 1)]
        triples |= dict.fromkeys(near)
        placed_in = [("cell", r, c), ("row", r, symbol), ("column", c, symbol)]
        options[f"r{r}c{c}={symbol}"] = [*placed_in, *near]
    bounds: dict[Hashable, tuple[int, int]] = {}
    words = [
        (
            r"(across|down),(\d+),(\d+),(\d)",
            r"the two \4s allowed in three cells from r\2c\3 \1",
            r"no three \4s in a row",
        )
    ]
    for name, n_lines, n_each in (
        ("row", n_rows, n_columns // 2),
        ("column", n_columns, n_rows // 2),
    ):
        lines = product([name], range(1, n_lines + 1), symbols)
        bounds |= dict.fromkeys(lines, (n_each, n_each))
        words.append((rf"({name}),(\d+),(\d)", r"the \3s of \1 \2", rf"\1 \2 has {n_each} \3s"))
    bounds |= dict.fromkeys(triples, (0, 2))
    items = [*(("cell", *cell) for cell in cells), *bounds]
    givens = [(cell, word) for cell, word in cells.items() if word in symbols]
    marks = [(mark,) for mark in placed]
    picture = Grid("Binary puzzle", marks, givens=givens, blank="-", words=words)
    formulation = Formulation(options, items, multiplicity=bounds, view=picture)
    condition = None if is_lenient else partial(_is_distinct, placed)
    return Puzzle("Binary puzzle", formulation, condition)


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
    return parse(Record("example", EXAMPLE))
