"""The cells for which the items of a problem stand."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ..kernels.problem import Problem

CellT = TypeVar("CellT")


def cells_of_items(
    problem: Problem, marks: Sequence[Iterable[CellT]], cells: Iterable[CellT]
) -> list[list[CellT]]:
    """Return the cells that each item stands for: those that exactly its options mark.

    Pages and reasons show an item by its cells, also if its name does not say where it is.

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
    cells_with = defaultdict[tuple[int, ...], list[CellT]](list)  # the same options
    for cell, options in of_cell.items():
        cells_with[tuple(options)].append(cell)
    keys = [tuple(options) for options in of_item]
    n_items = Counter(keys)
    # Where there are as many items as cells with the same options, each item takes the next cell.
    pairs = {key: iter(own) for key, own in cells_with.items() if len(own) == n_items[key]}
    return [[next(pairs[key])] if key in pairs else cells_with[key] for key in keys]
