"""The n queens problem."""

from dataclasses import dataclass

from .chess import draw_queens, format_queens
from .entry import Entry, Statement
from .parameters import check_range


@dataclass(frozen=True)
class Queens(Entry):
    """Place n queens on an n × n board so that no two attack each other.

    Items: each row and each column.
    Secondary items: each diagonal, because it may stay empty.
    Options: a queen on a cell covers the row, the column and the two diagonals of the cell.

    Parameters
    ----------
    n
        The number of rows and columns of the board, from 1 to 40.

    Notes
    -----
    OEIS A000170 counts the solutions. See TAOCP 7.2.2.1.

    >>> Queens(6).cover().count()
    4
    """

    n: int = 8

    def __post_init__(self) -> None:
        check_range("n", self.n, 1, 40)

    def statement(self) -> Statement:
        n = self.n
        options = [
            [("row", r), ("column", c), ("up", r + c), ("down", r - c + n - 1)]
            for r in range(n)
            for c in range(n)
        ]
        diagonals = [(slope, number) for slope in ("up", "down") for number in range(2 * n - 1)]
        return Statement(options, secondary=diagonals)

    def text(self, solution: list[int]) -> str:
        return format_queens(self.n, solution)

    def svg(self, solution: list[int]) -> str:
        return draw_queens(f"{self.n} queens", self.n, solution)
