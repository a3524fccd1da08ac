"""Colorings with the names of items: sentences that prove that there is no cover, and boards."""

from collections.abc import Mapping
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ..cover.stated import Stated
from ..kernels.cheapest.weights import find_weights
from ..kernels.lattice import find_coloring
from ..pictures.document import Svg
from ..pictures.grid import Grid
from ..pictures.palette import COLORS
from ..pictures.plane import area, mean, plane_picture, word
from ..pictures.recognize import cells_of_items
from ..runtime.interrupts import Stop
from ..runtime.text import plural
from .statement import Name, listing

# The nonzero numbers by item, the proof in sentences, and the modulus if there is one
Proof = tuple[dict[Name, int], str, int | None]
NO_COLOR = COLORS[-1]  # of cells with the number 0


def color_items(stated: Stated, stop: Stop, max_work: float) -> Proof | None:
    """Return a coloring that proves that there is no cover, or None."""
    coloring = find_coloring(stated.selected.problem, stop, max_work)
    if coloring is None:
        return None
    values, is_exact = _by_item(stated, coloring.values), coloring.values.min() < 0
    return values, _prove(values, coloring.modulus, coloring.total, is_exact), coloring.modulus


def weigh_items(stated: Stated, stop: Stop) -> Proof | None:
    """Return weights that prove that there is no cover, or None."""
    found = find_weights(stated.selected.problem, stop)
    if found is None:
        return None
    values = _by_item(stated, found[0])
    groups, end = _group(values), f"those of a cover would sum to at most {found[1]:,}"
    reason = f"if the items have the numbers {_join(groups)}, each option sums to at least 0"
    lines = [f"There is no cover: {reason}, but {end}.", *_list_groups(groups)]
    return values, "\n".join(lines), None


def _by_item(stated: Stated, numbers: NDArray[np.int64]) -> dict[Name, int]:
    """Return the nonzero numbers by item."""
    number_of = dict(zip(stated.items_left, numbers.tolist(), strict=True))
    return {item: number_of[item] for item in stated.names.items if number_of.get(item)}


def _prove(values: Mapping[Name, int], modulus: int, total: int, is_exact: bool) -> str:
    """Return the sentences that state what a coloring proves."""
    groups = _group(values)
    if set(groups) == {1}:
        number = "an even number" if modulus == 2 else f"a multiple of {modulus}"
        other = f"an odd number, {total:,}," if modulus == 2 else f"{total:,}"
        reason = f"each option contains {number} of {plural(len(values), 'item')}"
        lines = [f"but {other} must be covered", f"The items: {listing(values)}."]
    else:
        number = "0" if is_exact else f"a multiple of {modulus}"
        reason = f"each option sums to {number}"
        end = f"but all items sum to {total:,} if they have the numbers {_join(groups)}"
        lines = [end, *_list_groups(groups)]
    return "\n".join([f"There is no cover: {reason}, {lines[0]}.", *lines[1:]])


def _group(values: Mapping[Name, int]) -> dict[int, list[Name]]:
    """Return the items with each number, in ascending order of the numbers."""
    by_value = sorted(values, key=lambda item: values[item])
    return {value: list(items) for value, items in groupby(by_value, lambda item: values[item])}


def _list_groups(groups: Mapping[int, list[Name]]) -> list[str]:
    pairs = groups.items()
    return [f"{value}: {listing(items)} ({plural(len(items), 'item')})." for value, items in pairs]


def _join(values: Mapping[int, object]) -> str:
    *most, last = map(str, values)
    return f"{', '.join(most)} and {last}" if most else last


def draw_values(stated: Stated, title: str, values: Mapping[Name, int]) -> Svg | None:
    """Return a picture of the cells, colored by the numbers of their items, by default 0.

    Returns None if no item is a cell.
    """
    grid = stated.drawing
    if not isinstance(grid, Grid):
        return None
    marked = [[cell for cell, _ in option] for option in grid.marks]
    item_cells = cells_of_items(stated.problem, marked, grid.positions)
    pairs = zip(stated.names.items, item_cells, strict=True)
    value_of = {cells[0]: values.get(item, 0) for item, cells in pairs if len(cells) == 1}
    if not value_of:
        return None
    different = sorted({0, *value_of.values()})
    color_of = dict(zip([v for v in different if v], COLORS[:-1] * len(different), strict=False))
    elements, words, corners = [], [], []
    for value in different:
        outlines = [grid.outline(cell) for cell, number in value_of.items() if number == value]
        fill = color_of.get(value, NO_COLOR)
        elements.append(area(outlines, fill=fill, class_="edge", stroke_opacity=0.4))
        words += [word(str(value), mean(outline), 0.4, "over") for outline in outlines if value]
        corners += [corner for outline in outlines for corner in outline]
    numbers = ", ".join(map(str, different))
    return plane_picture(title, f"The numbers of the cells: {numbers}.", corners, elements + words)
