"""Pictures of a recorded search after one of its steps."""

import numpy as np

from ..svg.board import sudoku_picture
from ..svg.document import Picture
from ..svg.links import links_picture
from ..svg.matrix import matrix_picture
from .record import Record
from .trace import Replay


def draw_matrix(record: Record, number: int) -> Picture:
    """Draw the Sudoku board after a step, or the matrix of any other problem.

    Raises ValueError if the matrix has too many entries.
    """
    view, step = record.view, record.steps[number]
    title = f"{view.title}, step {number}: {step.text}"
    if view.grid is not None and view.grid.box is not None:
        givens, cells = dict(view.grid.givens), range(view.grid.rows * view.grid.columns)
        chosen = dict(view.grid.option_cells[option][0] for option in step.chosen)
        boards = [[values.get(cell, ".") for cell in cells] for values in (givens, givens | chosen)]
        return sudoku_picture(title, boards[0], *view.grid.box, boards[1])
    covered, _, _, removed = Replay(record, number).state()
    return matrix_picture(
        title,
        view.items,
        view.n_primary,
        view.marked_rows(),
        step.chosen,
        view.option_labels(),
        covered=set((np.flatnonzero(covered) - 1).tolist()),
        removed=set(np.flatnonzero(removed).tolist()).difference(step.chosen),
    )


def draw_links(record: Record, number: int) -> Picture:
    """Draw the links after a step. Raises ValueError if there are too many nodes."""
    view, step, replay = record.view, record.steps[number], Replay(record, number)
    links = {name: replay.arrays[name].tolist() for name in "LRUD"}
    n_items = view.problem.n_items
    covered = set(np.flatnonzero(replay.state()[0]).tolist())
    hidden = {k for k in range(1 + n_items, view.n_nodes) if links["D"][links["U"][k]] != k}
    rows = [0] * (1 + n_items) + [1 + view.option_of(k) for k in range(1 + n_items, view.n_nodes)]
    chosen = {k for k, row in enumerate(rows) if row and row - 1 in step.chosen}
    title = f"{view.title}, step {number}: {step.text}"
    columns = replay.arrays["column"].tolist()
    return links_picture(title, view.items, links, columns, rows, covered | hidden, chosen)
