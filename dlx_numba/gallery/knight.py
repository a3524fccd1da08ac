"""Knight's tours."""

from dataclasses import dataclass

from ..svg.board import board_elements
from ..svg.plane import dot, line, plane_picture, word
from .entry import Entry, Statement
from .parameters import check_range
from .queens import dark_cells, describe_cells

MOVES = [(dr, dc) for dr in (-2, -1, 1, 2) for dc in (-2, -1, 1, 2) if abs(dr) != abs(dc)]


@dataclass(frozen=True)
class Knight(Entry):
    """Find a knight's tour, which visits each cell of a board exactly once.

    Items: each step, by its number; each cell.
    Secondary items: the position of the knight after each step, with a cell as its color.
    Options: a step that moves the knight from one cell to another; step 0 only chooses a cell.

    Parameters
    ----------
    rows, columns
        The size of the board, each from 1 to 8.

    Notes
    -----
    Items that only require one move into and one move out of each cell would also admit several
    separate cycles. The step numbers exclude these, but limit the counting of tours to small
    boards: there are 1728 on 5×5 (OEIS A165134) and 792 on 3×8 (A118067), where each tour counts
    once in either direction.

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
                for dr, dc in MOVES:
                    origin = (r + dr, c + dc)
                    if origin in cells:
                        before, after = (("at", step - 1), origin), (("at", step), (r, c))
                        options.append([("step", step), (r, c), before, after])
        steps = [("step", step) for step in range(len(cells))]
        return Statement(options, [*steps, *cells], [("at", step) for step in range(len(cells))])

    def path(self, solution: list[int]) -> list[tuple[int, int]]:
        """Return the cells in the order in which the knight visits them.

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
        number = {cell: f"{step:2}" for step, cell in enumerate(self.path(solution), 1)}
        rows = ([number[r, c] for c in range(self.columns)] for r in range(self.rows))
        return "\n".join(" ".join(row) for row in rows)

    def svg(self, solution: list[int]) -> str:
        path = self.path(solution)
        centers = [(c + 0.5, r + 0.5) for r, c in path]
        elements = board_elements(self.rows, self.columns, dark_cells(self.rows, self.columns))
        elements.append(line([centers], class_="rule"))
        # The start and the end are filled, with a letter each.
        for center, letter in dict(zip([centers[-1], centers[0]], "ES", strict=True)).items():
            elements += [dot(center, 0.26, class_="one"), word(letter, center, 0.34, "on strong")]
        corners = [(0, 0), (self.columns, self.rows)]
        description = f"The path from the start (S) to the end (E): {describe_cells(path)}."
        return plane_picture("A knight's tour", description, corners, elements)
