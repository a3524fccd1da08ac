"""Knight's tours."""

from dataclasses import dataclass

from ..svg.board import board_cells
from ..svg.plane import dot, line, plane_picture
from .chess import dark_cells, tell_cells
from .entry import Entry, Statement
from .parameters import check_range

LEAPS = [(dr, dc) for dr in (-2, -1, 1, 2) for dc in (-2, -1, 1, 2) if abs(dr) != abs(dc)]


@dataclass(frozen=True)
class Knight(Entry):
    """Lead a knight over a board such that it visits each cell once.

    Items: each step, by its number; each cell; secondary, with the cell at which the knight
    then is as its colour: each moment between two steps.
    Options: at a step, the knight arrives at a cell from another one.

    Moves alone, with one into each cell and one out of it, would not do: they may close to several
    rings. Hence the numbers of the steps; they make tours countable on small boards only: there
    are 1728 of 5×5 (OEIS A165134) and 792 of 3×8 (A118067), each counted in both directions.

    >>> Knight(3, 4).cover().count()
    16
    """

    rows: int = 5
    columns: int = 5

    def __post_init__(self) -> None:
        check_range("rows", self.rows, 1, 8)
        check_range("columns", self.columns, 1, 8)

    def statement(self) -> Statement:
        cells = [(r, c) for r in range(self.rows) for c in range(self.columns)]
        options: list[list[object]] = [[("step", 0), cell, (("at", 0), cell)] for cell in cells]
        for step in range(1, len(cells)):
            for r, c in cells:
                for dr, dc in LEAPS:
                    if (r + dr, c + dc) in cells:
                        before, now = (("at", step - 1), (r + dr, c + dc)), (("at", step), (r, c))
                        options.append([("step", step), (r, c), before, now])
        steps = [("step", step) for step in range(len(cells))]
        return Statement(options, [*steps, *cells], [("at", step) for step in range(len(cells))])

    def path(self, solution: list[int]) -> list[tuple[int, int]]:
        """The cells in the order of their visits."""
        options = self.statement().options
        at = {options[option][0][1]: options[option][1] for option in solution}
        return [at[step] for step in range(len(at))]

    def text(self, solution: list[int]) -> str:
        number = {cell: f"{step:2}" for step, cell in enumerate(self.path(solution), 1)}
        rows = ([number[r, c] for c in range(self.columns)] for r in range(self.rows))
        return "\n".join(" ".join(row) for row in rows)

    def svg(self, solution: list[int]) -> str:
        path = self.path(solution)
        middles = [(c + 0.5, r + 0.5) for r, c in path]
        elements = board_cells(self.rows, self.columns, dark_cells(self.rows, self.columns))
        elements += [line([middles], class_="rule"), dot(middles[0], 0.15)]
        said = f"The way: {tell_cells(path)}."
        corners = [(0, 0), (self.columns, self.rows)]
        return plane_picture("A knight's tour", said, corners, elements)
