"""Orthogonal mates of a Latin square."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product

from ..cover.exact_cover import ExactCover
from .entry import Entry, Statement
from .latin import split_rows

EXAMPLE = (  # from the introduction to Section 7 of TAOCP; it has 808 transversals
    "0123456789/1832547690/2956308471/3709861524/4675290813"
    "/5094783162/6547132908/7418029356/8360915247/9281674035"
)
MAX_ROWS = 12  # larger squares have too many transversals


@dataclass(frozen=True)
class Mates(Entry):
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
    Mates that differ only in the names of the symbols count as one. The default square is from
    the introduction to Section 7 of TAOCP.

    >>> Mates("0123/1032/2301/3210").cover().count()
    2
    """

    square: str = EXAMPLE

    def __post_init__(self) -> None:
        rows = self.square.split("/")
        symbols = sorted(set(rows[0]))
        if not len(symbols) == len(rows) <= MAX_ROWS or any(
            sorted(line) != symbols for line in [*rows, *zip(*rows, strict=False)]
        ):
            raise ValueError(
                f"square must be a Latin square of up to {MAX_ROWS} rows with / between them,"
                f" for example 012/120/201, not {self.square!r}"
            )

    @cached_property
    def transversals(self) -> list[list[tuple[int, int]]]:
        """The cells of each transversal, as (row, column)."""
        rows = self.square.split("/")
        numbers = range(1, len(rows) + 1)
        cells = list(product(numbers, numbers))
        options = [[("row", r), ("column", c), ("symbol", rows[r - 1][c - 1])] for r, c in cells]
        return [[cells[option] for option in cover] for cover in ExactCover(options)]

    def statement(self) -> Statement:
        numbers = range(1, len(self.square.split("/")) + 1)
        options = {
            f"columns {' '.join(str(c) for _, c in cells)}": [("cell", *cell) for cell in cells]
            for cells in self.transversals
        }
        return Statement(options, items=list(product(["cell"], numbers, numbers)))

    def mate(self, solution: list[int]) -> list[list[str]]:
        """Return the rows of the orthogonal square, whose first row is that of the given square.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        list of list of str
        """
        rows = self.square.split("/")
        symbol_at: dict[tuple[int, int], str] = {}
        for option in solution:
            cells = self.transversals[option]
            symbol = rows[0][cells[0][1] - 1]  # cells[0] is the one in the first row
            symbol_at |= dict.fromkeys(cells, symbol)
        return split_rows([symbol for _, symbol in sorted(symbol_at.items())], len(rows))

    def text(self, solution: list[int]) -> str:
        rows = zip(self.square.split("/"), self.mate(solution), strict=True)
        return "\n".join(" ".join(a + b for a, b in zip(*pair, strict=True)) for pair in rows)
