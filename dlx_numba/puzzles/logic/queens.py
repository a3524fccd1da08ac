"""Queens that do not attack each other."""

from ...cover.encode import Formulation
from ...pictures.board import board_cells
from ...runtime.text import plural
from ..chess import queens_picture, square_name
from ..parameters import check_range
from ..puzzle import Puzzle


def example(n: int = 8) -> Puzzle:
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

    >>> example(6).count()
    4
    """
    check_range("n", n, 1, 40)
    title = plural(n, "queen")
    options = {
        square_name(r, c, n): [("row", r), ("column", c), ("up", r + c - 1), ("down", r - c + n)]
        for r, c in board_cells(n)
    }
    diagonals = [(slope, number) for slope in ("up", "down") for number in range(1, 2 * n)]
    picture = queens_picture(title, n)
    return Puzzle(title, Formulation(options, secondary=diagonals, view=picture))
