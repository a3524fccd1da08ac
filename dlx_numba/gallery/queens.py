"""The n queens."""

from dataclasses import dataclass

from .chess import draw_queens, write_queens
from .entry import Entry, Statement
from .parameters import check_range


@dataclass(frozen=True)
class Queens(Entry):
    """Put n queens on an n × n board such that no two attack each other.

    Items: each row and each column; secondary, as it may stay empty: each diagonal.
    Options: a queen on a cell takes the cell's row, its column and its two diagonals.

    Solutions are counted by OEIS A000170; TAOCP 7.2.2.1.

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
        diagonals = [(way, number) for way in ("up", "down") for number in range(2 * n - 1)]
        return Statement(options, secondary=diagonals)

    def text(self, solution: list[int]) -> str:
        return write_queens(self.n, solution)

    def svg(self, solution: list[int]) -> str:
        return draw_queens(f"{self.n} queens", self.n, solution)
