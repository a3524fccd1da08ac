"""Futoshiki: Latin squares with inequality signs between neighboring cells."""

import re
from bisect import bisect
from itertools import product
from math import isqrt

from ...cover.encode import Formulation
from ...pictures.grid import Grid
from ..puzzle import Puzzle
from ..records import Record

formats = "rows of numbers and ., with < and > between them, and ^ and v below them"
HAS_BLANK_LINES = True

MOST = 25  # rows
CELL = re.compile(r"(?:\.|[1-9][0-9]?)")
ROW = re.compile(rf"\s*{CELL.pattern}(?:(?:\s+|\s*[<>]\s*){CELL.pattern}){{1,{MOST - 1}}}\s*")
SIGNS = re.compile(r"\s*[\^v][\s^v]*")
PUZZLE = ". . . < . 3/^ v/. . . . ./v/. . . . ./  v/. . . 4 ./. > . > . . 1"


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record, in which blank lines mean nothing."""
    return _formulate(*_read(record))


def example(puzzle: str = PUZZLE) -> Puzzle:
    """Fill a Latin square so that all inequality signs are true (Futoshiki).

    Items: each cell; each number in each row; each number in each column.
    Secondary items: each number k at each sign a < b.
    Options: a number in a cell covers the cell, and the number in its row and in its column. At a
    sign, it covers all smaller k if it is in a, and itself and all larger k if it is in b. So the
    number in a does not exceed that in b.

    Parameters
    ----------
    puzzle
        The lines of a drawing, with `/` between them. `^` and `v` are directly below a cell.

    >>> print((two := example(". < ./^/.   .")).text(two.first()))
    1 < 2
    ^
    2   1
    """
    return parse(Record("puzzle", puzzle.replace("/", "\n")))


def _formulate(givens: list[str], less: list[tuple[int, int]]) -> Puzzle:
    """Return a puzzle from the given of each cell, and the pairs whose first cell is smaller.

    `example` describes its items and options.
    """
    numbers = range(1, isqrt(len(givens)) + 1)
    cells = list(product(numbers, repeat=2))
    names = [f"r{r}c{c}" for r, c in cells]
    # A sign has an item for each number t, in the options of values above t in its first cell, and
    # of values of at most t in the second: only one of them can be chosen.
    signs = [(f"{names[a]}<{names[b]}", a, b) for a, b in less]
    options: dict[str, list[object]] = {}
    marks = []
    for (k, (r, c)), v in product(enumerate(cells), numbers):
        if givens[k] in (".", str(v)):
            placed = [("cell", r, c), ("row", r, v), ("column", c, v)]
            above = [(sign, t) for sign, a, _ in signs if a == k for t in range(1, v)]
            below = [(sign, t) for sign, _, b in signs if b == k for t in range(v, len(numbers))]
            options[f"{names[k]}={v}"] = [*placed, *above, *below]
            marks.append((((r, c), str(v)),))
    items = [*(("cell", *cell) for cell in cells), *product(("row", "column"), numbers, numbers)]
    secondary = list(product((sign for sign, _, _ in signs), numbers[:-1]))
    picture = Grid(
        "Futoshiki",
        marks,
        givens=[mark for mark in zip(cells, givens, strict=True) if mark[1] != "."],
        rules=(("less_than", tuple(less)),),
        box=(1, len(numbers)),
        words=((r"(\w+)<(\w+),(\d)", r"either \1 > \3 or \2 ≤ \3", r"\1 < \2"),),
    )
    formulation = Formulation(options, items, secondary, view=picture)
    return Puzzle("Futoshiki", formulation)


def _read(record: Record) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the given of each cell or `.`, and the pairs of cells whose first one is smaller."""
    givens: list[str] = []
    less: list[tuple[int, int]] = []
    starts: list[int] = []
    last_line = 1
    n = 0
    for number, text in enumerate(record.lines(), 1):
        line = text.expandtabs()
        if not line.strip():
            continue
        last_line = number
        is_row = not SIGNS.fullmatch(line)
        if is_row:
            row = CELL.findall(line)
            starts = [cell.start() for cell in CELL.finditer(line)]
            # The places in the next line that are directly below a cell
            below = {k for cell in CELL.finditer(line) for k in range(*cell.span())}
            givens += row  # in place: a text may have many rows
            # The first row determines n; a row outside of the limits fails below.
            n = n or min(max(2, len(row)), MOST)
            is_small = all(word == "." or int(word) <= n for word in row)
            if not ROW.fullmatch(line) or len(row) != n or not is_small:
                raise record.error(
                    number,
                    f"a row must have {n} cells, dots or numbers up to {n}, with <, > or "
                    "spaces between them",
                )
        for sign in re.finditer("[<>^v]", line):
            if not is_row and not (starts and sign.start() in below):
                raise record.error(number, f"{sign[0]!r} is not directly below a cell")
            # The last cell that starts before the sign: to its left, or above it
            cell = len(givens) - n + bisect(starts, sign.start()) - 1
            pair = (cell, cell + (1 if is_row else n))
            less.append(pair if sign[0] in "<^" else pair[::-1])
        starts = starts if is_row else []  # no signs below signs, or at the end
    if len(givens) != n * n or not starts:
        raise record.error(last_line, f"the last line must be row {n} of {n}")
    return givens, less
