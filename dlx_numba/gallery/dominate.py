"""Queens that dominate a chessboard."""

from dataclasses import dataclass

from .chess import draw_queens, write_queens
from .entry import Entry, Statement
from .parameters import check_range


@dataclass(frozen=True)
class Dominate(Entry):
    """Put a few queens on an n × n board such that all its cells are theirs or attacked.

    Items: the board, to be covered by just so many queens; each cell, once or as often as there
    are queens. (One queen does not hinder another: queens attack through each other.)
    Options: a queen on a cell takes all cells of its row, column and diagonals.

    With as few queens as will do (OEIS A075458), solutions are counted by A002564; 5 queens on the
    chessboard are TAOCP 7.2.2.1's example of multiplicities.

    >>> Dominate(5, queens=3).cover().count()
    186
    """

    n: int = 8
    queens: int = 5

    def __post_init__(self) -> None:
        check_range("n", self.n, 1, 20)
        check_range("queens", self.queens, 1, self.n * self.n)

    def statement(self) -> Statement:
        cells = [(r, c) for r in range(self.n) for c in range(self.n)]
        attacked = [
            [(i, j) for i, j in cells if i == r or j == c or i + j == r + c or i - j == r - c]
            for r, c in cells
        ]
        bounds: dict[object, tuple[int, int]] = dict.fromkeys(cells, (1, self.queens))
        bounds["board"] = (self.queens, self.queens)
        options = [["board", *own] for own in attacked]
        return Statement(options, items=["board", *cells], multiplicity=bounds)

    def text(self, solution: list[int]) -> str:
        return write_queens(self.n, solution)

    def svg(self, solution: list[int]) -> str:
        return draw_queens(f"{self.queens} queens dominate {self.n}×{self.n}", self.n, solution)
