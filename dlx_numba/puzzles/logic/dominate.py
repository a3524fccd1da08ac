"""Queens that dominate a chessboard."""

from ...cover.encode import Formulation
from ...pictures.board import board_cells
from ..chess import queens_picture, square_name
from ..parameters import check_range
from ..puzzle import Puzzle


def example(n: int = 8, queens: int = 5) -> Puzzle:
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

    >>> example(5, queens=3).count()
    186
    """
    check_range("n", n, 1, 20)
    check_range("queens", queens, 1, n * n)
    title = f"{queens} queens dominate {n}×{n}"
    cells = board_cells(n)
    options = {
        square_name(r, c, n): [
            "board",
            *((i, j) for i, j in cells if i == r or j == c or abs(i - r) == abs(j - c)),
        ]
        for r, c in cells
    }
    bounds: dict[object, tuple[int, int]] = {"board": (queens, queens)}
    bounds |= dict.fromkeys(cells, (1, queens))
    picture = queens_picture(title, n)
    return Puzzle(title, Formulation(options, list(bounds), multiplicity=bounds, view=picture))
