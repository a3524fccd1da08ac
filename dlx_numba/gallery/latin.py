"""Latin squares."""

from dataclasses import dataclass

from .entry import Entry, Statement
from .parameters import check_range
from .symbols import SYMBOLS, read_givens, rows_of


@dataclass(frozen=True)
class Latin(Entry):
    """Fill an n × n square such that each row and column has each of n symbols.

    Items: each cell; each symbol in each row, and in each column.
    Options: a symbol in a cell takes the cell, and the symbol in its row and in its column.

    Givens, a symbol for each cell and `.` where there is none, leave out the other options of
    their cells. All squares are counted by OEIS A002860, those whose first row and column are in
    order by A000315.

    >>> Latin(4).cover().count()
    576
    """

    n: int = 5
    givens: str = ""

    def __post_init__(self) -> None:
        check_range("n", self.n, 1, len(SYMBOLS))
        read_givens("givens", self.givens, self.n)

    def statement(self) -> Statement:
        n, given = self.n, read_givens("givens", self.givens, self.n)
        cells = [(r, c) for r in range(n) for c in range(n)]
        return Statement(
            [
                [("cell", r, c), ("row", r, symbol), ("column", c, symbol)]
                for (r, c), symbols in zip(cells, given, strict=True)
                for symbol in symbols
            ],
            items=[("cell", r, c) for r, c in cells]
            + [
                (line, i, symbol)
                for line in ("row", "column")
                for i in range(n)
                for symbol in SYMBOLS[:n]
            ],
        )

    def text(self, solution: list[int]) -> str:
        options = self.statement().options
        symbols = [options[option][1][-1] for option in solution]
        return "\n".join(" ".join(row) for row in rows_of(symbols, self.n))
