"""The cells for which the items of a problem stand."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ..kernels.problem import Problem

CellT = TypeVar("CellT")


def cells_of_items(
    problem: Problem, marks: Sequence[Iterable[CellT]], cells: Iterable[CellT]
) -> list[list[CellT]]:
    """Return the cells that each item stands for: those that exactly its options mark.

    Parameters
    ----------
    problem
        The problem.
    marks
        The cells that each option marks.
    cells
        All cells. If as many items as cells have the same options, they correspond in order.
    """
    of_item: list[list[int]] = [[] for _ in range(problem.n_items)]
    for option, item in zip(problem.option_of_node().tolist(), problem.items.tolist(), strict=True):
        of_item[item].append(option)
    of_cell: dict[CellT, list[int]] = {cell: [] for cell in cells}
    for option, marked in enumerate(marks):
        for cell in dict.fromkeys(marked):
            of_cell[cell].append(option)
    same = defaultdict[tuple[int, ...], tuple[list[int], list[CellT]]](lambda: ([], []))
    for item, options in enumerate(of_item):
        same[tuple(options)][0].append(item)
    for cell, options in of_cell.items():
        same[tuple(options)][1].append(cell)
    found: list[list[CellT]] = [[] for _ in of_item]
    for its_items, its_cells in same.values():
        for k, item in enumerate(its_items):
            found[item] = [its_cells[k]] if len(its_items) == len(its_cells) else its_cells
    return found
