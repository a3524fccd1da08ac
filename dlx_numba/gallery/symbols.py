"""Squares of symbols, written as text: a symbol for each cell, rows from the top."""

from collections.abc import Sequence

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def read_givens(name: str, text: str, n: int) -> list[str]:
    """What each cell of an n × n square may hold: its given alone, or any of n symbols.

    `text` has a symbol for each cell, `.` or `0` for an open one; "" leaves all open. Raises
    ValueError, which calls the parameter by its `name`.

    >>> read_givens("givens", "1..2", 2)
    ['1', '12', '12', '2']
    """
    open_cell = SYMBOLS[:n]
    if len(text or open_cell * n) != n * n:
        raise ValueError(f"{name} must have {n * n} symbols, one for each cell, not {len(text)}")
    for symbol in text:
        if symbol not in open_cell + ".0":
            raise ValueError(f"{name} may have {open_cell}, and . for an open cell, not {symbol!r}")
    return [open_cell if symbol in ".0" else symbol for symbol in text or "." * n * n]


def rows_of(symbols: Sequence[str], columns: int) -> list[list[str]]:
    """The symbols of all cells, cut into rows.

    >>> rows_of("abcd", 2)
    [['a', 'b'], ['c', 'd']]
    """
    return [list(symbols[start : start + columns]) for start in range(0, len(symbols), columns)]
