"""Queens that dominate a chessboard."""

from dataclasses import dataclass

from .chess import draw_queens, format_queens
from .entry import Entry, Statement
from .parameters import check_range


@dataclass(frozen=True)
class Dominate(Entry):
    """Place queens on an n × n board so that each cell is occupied or attacked.

    Items: the board, covered once for each queen; each cell, covered at least once.
    Options: a queen on a cell covers the board and all cells of its row, column and diagonals.
    Queens do not block each other.

    Parameters
    ----------
    n
        The number of rows and columns of the board, from 1 to 20.
    queens
        The number of queens, from 1 to the number of cells.

    Notes
    -----
    OEIS A075458 is the smallest sufficient number of queens, and A002564 counts the solutions
    with that number. Five queens on the chessboard are an example of multiplicities in TAOCP
    7.2.2.1.

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
        options = [["board", *covered] for covered in attacked]
        return Statement(options, items=["board", *cells], multiplicity=bounds)

    def text(self, solution: list[int]) -> str:
        return format_queens(self.n, solution)

    def svg(self, solution: list[int]) -> str:
        return draw_queens(f"{self.queens} queens dominate {self.n}×{self.n}", self.n, solution)
