"""Knight's tours."""

from dataclasses import dataclass
from itertools import product
from typing import Any

from ..kinds.lattice.shapes import LatticePoint
from ..pictures.board import board_elements
from ..pictures.plane import dot, line, plane_picture, word
from .entry import Entry, Statement, format_squares
from .parameters import check_range
from .queens import dark_cells, describe_cells, square_name

MOVES = [(dr, dc) for dr in (-2, -1, 1, 2) for dc in (-2, -1, 1, 2) if abs(dr) != abs(dc)]


@dataclass(frozen=True)
class Knight(Entry):
    """Find a knight's tour, which visits each cell of a board exactly once.

    Items: each step, by its number; each cell.
    Secondary items: the position of the knight after each step, with a cell as its color.
    Options: a step that moves the knight from one cell to another; step 0 only chooses a cell. In
    a closed tour, step 0 moves the knight from its last cell back to the corner.

    Parameters
    ----------
    rows, columns
        The size of the board, each from 1 to 8.
    closed
        Whether the last cell is a move away from the first. The tour then starts in the upper left
        corner, so that its rotations count once.

    Notes
    -----
    Items that only require one move into and one move out of each cell would also admit several
    separate cycles. The step numbers exclude these, but limit the counting of tours to small
    boards: there are 1728 on 5×5 (OEIS A165134) and 792 on 3×8 (A118067), where each tour counts
    once in either direction. There are 8 closed tours on 5×6 and 9862 on 6×6 (A001230), again
    without directions.

    >>> Knight(3, 4).cover().count()
    16
    """

    rows: int = 5
    columns: int = 5
    closed: bool = False

    def __post_init__(self) -> None:
        check_range("rows", self.rows, 1, 8)
        check_range("columns", self.columns, 1, 8)

    def statement(self) -> Statement:
        cells = list(product(range(1, self.rows + 1), range(1, self.columns + 1)))
        name = {cell: square_name(*cell, self.rows) for cell in cells}
        options: dict[str, list[Any]] = {}
        if not self.closed:
            options = {f"1: {name[cell]}": [("step", 0), cell, (("at", 0), cell)] for cell in cells}
        for step in range(not self.closed, len(cells)):
            for r, c in cells if step else cells[:1]:
                if self.closed and (r + c + step) % 2:  # each move changes the color of the cell
                    continue
                for dr, dc in MOVES:
                    origin = (r + dr, c + dc)
                    if origin in cells:
                        before, after = (("at", (step - 1) % len(cells)), origin), ("at", step)
                        option = [("step", step), (r, c), before, (after, (r, c))]
                        options[f"{step + 1}: {name[origin]}-{name[r, c]}"] = option
        steps = [("step", step) for step in range(len(cells))]
        return Statement(options, [*steps, *cells], [("at", step) for step in range(len(cells))])

    def path(self, solution: list[int]) -> list[tuple[int, int]]:
        """Return the cells, as (row, column), in the order in which the knight visits them.

        Parameters
        ----------
        solution : list of int
            The numbers of the chosen options.

        Returns
        -------
        list of (int, int)
        """
        cell_at = {step: cell for (_, step), cell, *_ in self._chosen(solution)}
        return [cell_at[step] for step in range(len(cell_at))]

    def text(self, solution: list[int]) -> str:
        steps: dict[LatticePoint, str] = {
            cell: f"{step:2}" for step, cell in enumerate(self.path(solution), 1)
        }
        return format_squares(steps)

    def svg(self, solution: list[int]) -> str:
        path = self.path(solution)
        centers = [(c - 0.5, r - 0.5) for r, c in path]
        elements = board_elements(self.rows, self.columns, dark_cells(self.rows, self.columns))
        elements.append(line([centers + centers[:1] * self.closed], class_="rule"))
        # The start and the end are filled, with a letter each.
        for center, letter in dict(zip([centers[-1], centers[0]], "ES", strict=True)).items():
            elements += [dot(center, 0.26, class_="one"), word(letter, center, 0.34, "on strong")]
        corners = [(0, 0), (self.columns, self.rows)]
        description = f"The path from the start (S) to the end (E): {describe_cells(path)}."
        return plane_picture("A knight's tour", description, corners, elements)
