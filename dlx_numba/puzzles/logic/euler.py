"""Euler squares: two Latin squares whose pairs of digits are distinct."""

from itertools import product

from ...cover.encode import Formulation
from ...pictures.grid import Grid
from ..puzzle import Puzzle
from ..records import Record
from .boards import Cell, WordTable

formats = "rows and columns, then two digits for each cell, 0 for each unknown one"


def _layout(table: WordTable) -> dict[Cell, str]:
    """Return the two digits of each cell."""
    n = table.side(9)
    digit = f"[0-{n}]"
    return table.cells(2, (n, n), digit + digit, f"two digits from 0 to {n}")


def parse(record: Record) -> Puzzle:
    """Return the puzzle of a record, whose items and options `example` describes."""
    words = _layout(WordTable(record))
    n, _ = max(words)  # the last cell
    digits = range(1, n + 1)
    placed = [
        (cell, (a, b))
        for cell, word in words.items()
        for a, b in product(digits, repeat=2)
        if all(digit in ("0", str(value)) for digit, value in zip(word, (a, b), strict=True))
    ]
    options = {
        f"r{r}c{c}={a}{b}": [
            ("cell", r, c),
            ("pair", a, b),
            *((line, number, place, digit)
              for line, number in (("row", r), ("column", c))
              for place, digit in (("first", a), ("second", b))),
        ]
        for (r, c), (a, b) in placed
    }  # fmt: skip
    lines = product(("row", "column"), digits, ("first", "second"), digits)
    pairs = [("pair", a, b) for a, b in product(digits, repeat=2)]
    items = [*(("cell", *cell) for cell in words), *pairs, *lines]
    givens = [(cell, word) for cell, word in words.items() if "0" not in word]
    marks = [((cell, f"{a}{b}"),) for cell, (a, b) in placed]
    phrases = (
        (r"pair,(\d),(\d)", r"the pair \1\2", r"the pair \1\2 appears once"),
        (r"(\w+),(\d),(\w+),(\d)", r"the \3 digit \4 of \1 \2"),
    )
    picture = Grid("Euler square", marks, givens=givens, blank="--", words=phrases)
    return Puzzle("Euler square", Formulation(options, items, view=picture))


EXAMPLE = "3 3\n11 23 00\n22 00 00\n00 00 00"


def example() -> Puzzle:
    """Write two digits into each cell.

    Each pair of digits appears once. The first digits form a Latin square, and so do the second
    ones.

    Items: each cell; each pair; each first and second digit in each row and column.
    Options: a pair in a cell.

    Notes
    -----
    There is no Euler square of size 2 or 6.

    >>> puzzle = example()
    >>> print(puzzle.text(puzzle.first()))
    11 23 32
    22 31 13
    33 12 21
    """
    return parse(Record("example", EXAMPLE))
