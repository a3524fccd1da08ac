"""Latin squares, and the text form of squares of symbols."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from .entry import Entry, Statement
from .parameters import check_range

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Latin(Entry):
    """Fill an n × n square so that each row and column has each symbol once.

    Items: each cell; each symbol in each row; each symbol in each column.
    Options: a symbol in a cell covers the cell, the symbol in its row and the symbol in its column.

    Parameters
    ----------
    n
        The number of rows, columns and symbols, from 1 to 35.
    givens
        A symbol for each cell, by rows, and `.` for an empty cell. If empty, no cell is given.
        A given leaves one option for its cell.

    Notes
    -----
    OEIS A002860 counts all Latin squares, and A000315 those whose first row and first column are
    in order.

    >>> Latin(4).cover().count()
    576
    """

    n: int = 5
    givens: str = ""

    def __post_init__(self) -> None:
        check_range("n", self.n, 1, len(SYMBOLS))
        parse_givens(self.givens, self.n)

    def statement(self) -> Statement:
        n, candidates = self.n, parse_givens(self.givens, self.n)
        cells = list(product(range(1, n + 1), repeat=2))
        options = {
            f"r{r}c{c}={symbol}": [("cell", r, c), ("row", r, symbol), ("column", c, symbol)]
            for (r, c), symbols in zip(cells, candidates, strict=True)
            for symbol in symbols
        }
        lines = product(("row", "column"), range(1, n + 1), SYMBOLS[:n])
        return Statement(options, items=[*(("cell", *cell) for cell in cells), *lines])

    def text(self, solution: list[int]) -> str:
        symbols = [option[1][-1] for option in self._chosen(solution)]
        return "\n".join(" ".join(row) for row in split_rows(symbols, self.n))


def parse_givens(text: str, n: int) -> list[str]:
    """Return the candidates of each cell of an n × n square: its given, or all n symbols.

    Parameters
    ----------
    text
        A symbol for each cell, by rows, and `.` or `0` for an empty cell; "" for no givens.
    n
        The number of rows, columns and symbols.

    Raises
    ------
    ValueError
        If the text has a wrong length or an invalid symbol.

    Examples
    --------
    >>> parse_givens("1..2", 2)
    ['1', '12', '12', '2']
    """
    symbols = SYMBOLS[:n]
    if text and len(text) != n * n:
        raise ValueError(f"givens must have {n * n} symbols, one for each cell, not {len(text)}")
    if invalid := text.strip(symbols + ".0"):
        reason = f"must consist of {symbols}, and . for an empty cell, not {invalid[0]!r}"
        raise ValueError(f"givens {reason}")
    return [symbols if symbol in ".0" else symbol for symbol in text or "." * n * n]


def split_rows(symbols: Sequence[str], n_columns: int) -> list[list[str]]:
    """Split the symbols of all cells into rows.

    >>> split_rows("abcd", 2)
    [['a', 'b'], ['c', 'd']]
    """
    return [list(symbols[start : start + n_columns]) for start in range(0, len(symbols), n_columns)]
