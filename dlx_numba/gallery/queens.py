"""Queens on a chessboard: n queens that do not attack each other, or that dominate the board."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from string import ascii_lowercase

from ..pictures.board import board_picture
from ..runtime.text import plural
from .entry import Entry, Statement, format_squares
from .parameters import check_range


@dataclass(frozen=True)
class ChessBoard(Entry):
    """The base class of problems whose options are queens on the cells of an n × n board.

    Options are named as in chess: `a1` is at the bottom left.
    """

    n: int = 8

    def _cells(self) -> dict[str, tuple[int, int]]:
        """Return the (row, column) of each cell, by its name."""
        cells = product(range(1, self.n + 1), repeat=2)
        return {square_name(r, c, self.n): (r, c) for r, c in cells}

    def text(self, solution: list[int]) -> str:
        cells = range(self.n * self.n)
        return format_squares({divmod(k, self.n): "Q" if k in solution else "." for k in cells})

    def _title(self) -> str:
        """Return the title of pictures."""
        return plural(self.n, "queen")

    def svg(self, solution: list[int]) -> str:
        self._chosen(solution)  # raises an exception if there is no such cell
        rows, cells = range(self.n), sorted(divmod(cell, self.n) for cell in solution)
        texts = [["♛" if (r, c) in cells else "" for c in rows] for r in rows]
        positions = describe_cells((r + 1, c + 1) for r, c in cells)
        description = f"Queens: {positions}." if cells else "An empty board."
        dark = dark_cells(self.n, self.n)
        return board_picture(self._title(), description, texts, shaded=dark, size=0.8)


@dataclass(frozen=True)
class Queens(ChessBoard):
    """Place n queens on an n × n board so that no two attack each other.

    Items: each row and each column, numbered from 1.
    Secondary items: each diagonal, because it may stay empty.
    Options: a queen on a cell covers the row, the column and the two diagonals of the cell. Options
    are named as in chess: `a1` is at the bottom left.

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

    def __post_init__(self) -> None:
        check_range("n", self.n, 1, 40)

    def statement(self) -> Statement:
        n = self.n
        options = {
            name: [("row", r), ("column", c), ("up", r + c - 1), ("down", r - c + n)]
            for name, (r, c) in self._cells().items()
        }
        diagonals = [(slope, number) for slope in ("up", "down") for number in range(1, 2 * n)]
        return Statement(options, secondary=diagonals)

    def _repr_html_(self) -> str:
        from ..pictures.html import figures  # only notebooks need HTML

        return super()._repr_html_() + figures([(self.svg([]), "")], 240)


@dataclass(frozen=True)
class Dominate(ChessBoard):
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

    queens: int = 5

    def __post_init__(self) -> None:
        check_range("n", self.n, 1, 20)
        check_range("queens", self.queens, 1, self.n * self.n)

    def statement(self) -> Statement:
        named = self._cells()
        cells = list(named.values())
        options = {
            name: [
                "board",
                *((i, j) for i, j in cells if i == r or j == c or abs(i - r) == abs(j - c)),
            ]
            for name, (r, c) in named.items()
        }
        bounds: dict[object, tuple[int, int]] = dict.fromkeys(cells, (1, self.queens))
        bounds["board"] = (self.queens, self.queens)
        return Statement(options, items=["board", *cells], multiplicity=bounds)

    def _title(self) -> str:
        return f"{self.queens} queens dominate {self.n}×{self.n}"


def square_name(row: int, column: int, n_rows: int) -> str:
    """Return the name of a cell of a chessboard, whose rows chess players count from the bottom.

    >>> square_name(1, 3, 8), square_name(30, 28, 30)
    ('c8', 'ab1')
    """
    lap, letter = divmod(column - 1, len(ascii_lowercase))
    return f"{ascii_lowercase[lap - 1] * (lap > 0)}{ascii_lowercase[letter]}{n_rows + 1 - row}"


def dark_cells(n_rows: int, n_columns: int) -> set[tuple[int, int]]:
    """Return the dark cells of a chessboard, as (row, column).

    >>> sorted(dark_cells(2, 2))
    [(0, 1), (1, 0)]
    """
    return {(r, c) for r in range(n_rows) for c in range(n_columns) if (r + c) % 2}


def describe_cells(cells: Iterable[tuple[int, int]]) -> str:
    """Return the positions of cells for screen readers.

    >>> describe_cells([(1, 1), (2, 3)])
    'row 1 column 1, row 2 column 3'
    """
    return ", ".join(f"row {r} column {c}" for r, c in cells)
