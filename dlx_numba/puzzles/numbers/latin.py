"""Latin squares."""

from itertools import product

from ...cover.encode import Formulation
from ...pictures.board import board_cells
from ...pictures.grid import Grid
from ..parameters import check_range
from ..puzzle import Puzzle

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def example(n: int = 5, givens: str = "") -> Puzzle:
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

    >>> example(4).count()
    576
    """
    check_range("n", n, 1, len(SYMBOLS))
    cells = board_cells(n)
    candidates = zip(cells, parse_givens(givens, n), strict=True)
    placed = [(cell, symbol) for cell, symbols in candidates for symbol in symbols]
    options = {
        f"r{r}c{c}={symbol}": [("cell", r, c), ("row", r, symbol), ("column", c, symbol)]
        for (r, c), symbol in placed
    }
    lines = product(("row", "column"), range(1, n + 1), SYMBOLS[:n])
    items = [*(("cell", *cell) for cell in cells), *lines]
    picture = Grid("Latin square", [(mark,) for mark in placed])
    return Puzzle("Latin square", Formulation(options, items, view=picture))


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
        raise ValueError(
            f"givens must consist of {symbols}, and . for an empty cell, not {invalid[0]!r}"
        )
    return [symbols if symbol in ".0" else symbol for symbol in text or "." * n * n]
