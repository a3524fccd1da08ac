"""Knight's tours."""

from typing import Any

from ...cover.encode import Formulation
from ...pictures.board import board_cells
from ...pictures.lines import Lines
from ..chess import dark_cells, square_name, square_words
from ..parameters import check_range
from ..puzzle import Puzzle

MOVES = [(dr, dc) for dr in (-2, -1, 1, 2) for dc in (-2, -1, 1, 2) if abs(dr) != abs(dc)]


def example(rows: int = 5, columns: int = 5, closed: bool = False) -> Puzzle:
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

    >>> example(3, 4).count()
    16
    """
    check_range("rows", rows, 1, 8)
    check_range("columns", columns, 1, 8)
    cells = board_cells(rows, columns)
    name = {cell: square_name(*cell, rows) for cell in cells}
    options: dict[str, list[Any]] = {}
    lines: list[tuple[Any, ...]] = []
    n = len(cells)
    moves = {
        (r, c): [(r + dr, c + dc) for dr, dc in MOVES if (r + dr, c + dc) in name] for r, c in cells
    }
    # Cells with few moves first, as by Warnsdorff's rule: otherwise, a tour of 8×8 takes minutes.
    tried = sorted(cells, key=lambda cell: len(moves[cell]))
    if not closed:
        options = {f"1: {name[cell]}": [("step", 0), cell, (("at", 0), cell)] for cell in tried}
        lines = [()] * n  # step 0 draws no move
    # Only a closed tour has a move to its first cell, the corner, as step 0.
    for step in range(0 if closed else 1, n):
        for cell in tried if step else cells[:1]:
            if closed and (sum(cell) + step) % 2:  # each move changes the color of the cell
                continue
            for origin in moves[cell]:
                before = (("at", (step - 1) % n), origin)
                after = (("at", step), cell)
                key = f"{step + 1}: {name[origin]}-{name[cell]}"
                options[key] = [("step", step), cell, before, after]
                lines.append(((origin, cell),))
    placed = [(step, cell) for (_, step), cell, *_ in options.values()]
    letters = {n - 1: "E", 0: "S"}  # the labels of the end and the start, by their steps
    picture = Lines(
        "A knight's tour",
        [((cell, str(step + 1)),) for step, cell in placed],
        cells=cells,
        shaded=dark_cells(cells),
        words=(
            ("at,.*", "", "a move starts where the last one ends"),
            *((f"step,{k}", f"step {k + 1}") for k in range(n)),
            *square_words(name),
        ),
        lines=lines,
        labels=[((cell, letters[step]),) if step in letters else () for step, cell in placed],
    )
    steps = [("step", step) for step in range(n)]
    positions = [("at", step) for step in range(n)]
    formulation = Formulation(options, [*steps, *cells], positions, view=picture)
    return Puzzle(picture.title, formulation)
