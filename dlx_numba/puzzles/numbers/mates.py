"""Orthogonal mates of a Latin square."""

from ...cover.encode import Formulation
from ...cover.exact_cover import ExactCover
from ...pictures.board import board_cells
from ...pictures.grid import Grid
from ..puzzle import Puzzle

EXAMPLE = (  # from the introduction to Section 7 of TAOCP; it has 808 transversals
    "0123456789/1832547690/2956308471/3709861524/4675290813"
    "/5094783162/6547132908/7418029356/8360915247/9281674035"
)
MAX_ROWS = 12  # larger squares have too many transversals


def example(square: str = EXAMPLE) -> Puzzle:
    """Find the Latin squares that are orthogonal to a given Latin square.

    Two squares are orthogonal if no pair of symbols in the same cell appears twice.

    Items: each cell of the square.
    Options: each transversal, which is a set of n cells in different rows and columns with
    different symbols. A mate has one symbol in all cells of a transversal.

    The transversals are the solutions of another exact cover problem. Its items are the rows, the
    columns and the symbols; its options are the cells, each with its row, column and symbol.

    Parameters
    ----------
    square
        The symbols of each row, with `/` between the rows.

    Notes
    -----
    Mates that differ only in the names of the symbols count as one; the first rows of the two
    squares are the same. The default square is from the introduction to Section 7 of TAOCP.

    >>> example("0123/1032/2301/3210").count()
    2
    """
    rows = square.split("/")
    symbols = sorted(set(rows[0]))
    if not len(symbols) == len(rows) <= MAX_ROWS or any(
        sorted(line) != symbols for line in [*rows, *zip(*rows, strict=False)]
    ):
        raise ValueError(
            f"square must be a Latin square of up to {MAX_ROWS} rows with / between them,"
            f" for example 012/120/201, not {square!r}"
        )
    cells = board_cells(len(rows))
    symbol_at = dict(zip(cells, square.replace("/", ""), strict=True))
    lines = [[("row", r), ("column", c), ("symbol", symbol_at[r, c])] for r, c in cells]
    transversals = [[cells[option] for option in cover] for cover in ExactCover(lines)]
    options = {
        f"columns {' '.join(str(c) for _, c in transversal)}": [
            ("cell", *each) for each in transversal
        ]
        for transversal in transversals
    }
    # The first cell of a transversal is in the first row.
    marks = [
        tuple((cell, symbol_at[cell] + symbol_at[transversal[0]]) for cell in transversal)
        for transversal in transversals
    ]
    picture = Grid("Orthogonal Latin squares", marks, cells=cells)
    items = [("cell", *cell) for cell in cells]
    return Puzzle("Orthogonal Latin squares", Formulation(options, items, view=picture))
