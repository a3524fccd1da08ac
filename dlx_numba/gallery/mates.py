"""Orthogonal mates of a Latin square."""

from dataclasses import dataclass
from functools import cached_property

from ..cover.exact_cover import ExactCover
from .entry import Entry, Statement
from .symbols import rows_of

EXAMPLE = (  # with 808 transversals, of TAOCP, the introduction to Section 7
    "0123456789/1832547690/2956308471/3709861524/4675290813"
    "/5094783162/6547132908/7418029356/8360915247/9281674035"
)
MOST_ROWS = 12  # larger squares have too many transversals


@dataclass(frozen=True)
class Mates(Entry):
    """Lay a second Latin square on one such that no pair of symbols comes twice.

    Items: each cell of the square.
    Options: each transversal, that is n cells with no two in a row, in a column or of a symbol. The
    second square has the same symbol in all of them.

    The transversals are an exact cover of their own. Items: each row, column and symbol. Options:
    each cell takes its row, its column and its symbol.

    Mates that differ only in the names of symbols are one. `square` has the symbols of each row,
    with `/` between the rows.

    >>> Mates("0123/1032/2301/3210").cover().count()
    2
    """

    square: str = EXAMPLE

    def __post_init__(self) -> None:
        rows = self.square.split("/")
        symbols = sorted(set(rows[0]))
        if not len(symbols) == len(rows) <= MOST_ROWS or any(
            sorted(line) != symbols for line in [*rows, *zip(*rows, strict=False)]
        ):
            raise ValueError(
                f"square must be a Latin one of up to {MOST_ROWS} rows, with / between them,"
                f" as 012/120/201, not {self.square!r}"
            )

    @cached_property
    def transversals(self) -> list[list[tuple[int, int]]]:
        """The cells of each, as (row, column)."""
        rows = self.square.split("/")
        cells = [(r, c) for r in range(len(rows)) for c in range(len(rows))]
        options = [[("row", r), ("column", c), ("symbol", rows[r][c])] for r, c in cells]
        return [[cells[option] for option in cover] for cover in ExactCover(options)]

    def statement(self) -> Statement:
        n = len(self.square.split("/"))
        options = [[("cell", *cell) for cell in cells] for cells in self.transversals]
        return Statement(options, items=[("cell", r, c) for r in range(n) for c in range(n)])

    def mate(self, solution: list[int]) -> list[list[str]]:
        """The second square by rows; its first row is as that of the first."""
        rows = self.square.split("/")
        found: dict[tuple[int, int], str] = {}
        for option in solution:
            cells = self.transversals[option]
            symbol = rows[0][cells[0][1]]  # cells[0] is the one in the first row
            found |= dict.fromkeys(cells, symbol)
        return rows_of([found[r, c] for r in range(len(rows)) for c in range(len(rows))], len(rows))

    def text(self, solution: list[int]) -> str:
        rows = zip(self.square.split("/"), self.mate(solution), strict=True)
        return "\n".join(" ".join(a + b for a, b in zip(*pair, strict=True)) for pair in rows)
