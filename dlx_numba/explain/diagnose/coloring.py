"""Colorings with the names of items: sentences that prove that there is no cover, and boards."""

from collections.abc import Mapping
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ...cover.named_problem import NamedProblem
from ...cover.names import MAX_LISTED, Name, label, listing
from ...cover.words import kind_words
from ...kernels.cheapest.weights import MAX_WORK, extend_count, find_weights
from ...kernels.lattice import find_coloring
from ...pictures.document import Svg
from ...pictures.grid import Grid
from ...pictures.item_cells import cells_of_items
from ...pictures.palette import COLORS
from ...pictures.plane import area, mean, plane_picture, word
from ...runtime.interrupts import Stop
from ...runtime.text import plural
from ..deduction.text import join

# The nonzero numbers by item, the proof in sentences, and the modulus if there is one
Proof = tuple[dict[Name, int], str, int | None]
MAX_NAMED = 5  # items in a first line
NO_COLOR = COLORS[-1]  # of cells with the number 0


def color_items(named: NamedProblem, stop: Stop, max_work: float) -> Proof | None:
    """Return a coloring that proves that there is no cover, or None.

    People check a count most easily, so weights that are a count are preferred to remainders of
    more items.
    """
    coloring = find_coloring(named.selected.problem, stop, max_work)
    if coloring is None:
        return None
    values = _by_item(named, coloring.values)
    # `find_coloring` uses negative numbers only if each option then sums to 0.
    is_exact = coloring.values.min() < 0
    text = _prove(values, coloring.modulus, coloring.total, is_exact)
    if is_exact and set(values.values()) == {-1, 1}:
        # The sign is such that the items with -1 must be covered more often than those with 1.
        text = _count(named, coloring.values * -np.sign(coloring.total), -abs(coloring.total))
    counted = None if is_exact else count_items(named, stop, max_work)
    if counted is not None and len(counted[0]) <= len(values):
        return counted
    return values, text, coloring.modulus


def count_items(named: NamedProblem, stop: Stop, max_work: float = MAX_WORK) -> Proof | None:
    """Return weights that prove by counting that there is no cover, or None."""
    proof = weigh_items(named, stop, max_work)
    if proof is None:
        return None
    weights, *_ = proof
    # Each item with the weight -1 counts as one that must be covered.
    return proof if min(weights.values()) == -1 else None


def weigh_items(named: NamedProblem, stop: Stop, max_work: float = MAX_WORK) -> Proof | None:
    """Return weights that prove that there is no cover, or None."""
    weighed = find_weights(named.selected.problem, stop, int(min(max_work, MAX_WORK)))
    if weighed is None:
        return None
    weights, most = weighed  # to which the weights of a cover would sum; it is negative
    if weights.min() == -1:
        weights, most = extend_count(named.selected.problem, weights, most)
        return _by_item(named, weights), _count(named, weights, most), None
    values = _by_item(named, weights)
    groups = _group(values)
    lines = [
        f"There is no cover: if the items have the numbers {join(map(str, groups))}, each option "
        f"sums to at least 0, but those of a cover would sum to at most {most:,}.",
        *_list_groups(groups),
    ]
    return values, "\n".join(lines), None


def _count(named: NamedProblem, weights: NDArray[np.int64], total: int) -> str:
    """Return the sentences that give weights, which are -1 or positive, as a count.

    The items with -1 must be covered `needed` times. Each option has at most as many of them as its
    positive weights sum to. Those of a cover sum to at most `most`, which is less, since `total` is
    the largest sum of all weights of a cover, and negative.
    """
    low = named.selected.problem.lows
    groups = _group(_by_item(named, weights))
    counted = groups.pop(-1)
    needed = int(low[weights[: len(low)] == -1].sum())
    most = needed + total
    if set(groups) == {1}:
        return _count_needs(named, counted, groups[1], needed, most)
    must = f"{plural(len(counted), 'item')} must be covered"
    first = f"{must} {needed:,} times, but only {most:,} times is possible"
    if needed == len(counted):
        first = f"{must}, but at most {most:,} of them can be"
    return "\n".join(
        [
            f"There is no cover: {first}.",
            f"The items: {listing(counted)}.",
            "Each option has at most as many of them as these numbers sum to:",
            *_list_groups(groups),
        ]
    )


def _count_needs(
    named: NamedProblem, counted: list[Name], others: list[Name], needed: int, most: int
) -> str:
    """Return that items, `needed` times in all, each need one of others, which allow `most`.

    More than a few items are counted in the first line, and listed in further ones.
    """
    details: list[str] = []
    who = join(map(label, counted))
    what = join(map(label, others), "or")
    is_long = max(len(counted), len(others)) > MAX_NAMED
    if is_long and len(counted) > 1:
        kind = kind_words(named.names, counted) or "items"
        who = f"{len(counted):,} {kind}"
        details.append(f"The {kind}: {listing(counted)}.")
    if is_long and len(others) > 1:
        kind = kind_words(named.names, others)
        what = f"one of {len(others):,} others"
        if kind:
            what = f"one of {len(others):,} {kind} ({listing(others, MAX_NAMED)})"
        details.append(f"The {kind or 'others'}: {listing(others)}.")
    verb = {1: "needs", 2: "both need"}.get(len(counted), "all need")
    if needed > len(counted):
        verb = f"must be covered {needed:,} times, each time with"
    enough = f", which {'is' if len(others) == 1 else 'are'} enough for only {most:,}"
    if (needed, most) == (2, 1):  # "both need ...", or "2 times", is clear without it
        enough = ""
    return "\n".join([f"There is no cover: {who} {verb} {what}{enough}.", *details])


def _by_item(named: NamedProblem, numbers: NDArray[np.int64]) -> dict[Name, int]:
    """Return the nonzero numbers by item."""
    number_of = dict(zip(named.items_left, numbers.tolist(), strict=True))
    return {item: number_of[item] for item in named.names.items if number_of.get(item)}


def _prove(values: Mapping[Name, int], modulus: int, total: int, is_exact: bool) -> str:
    """Return the sentences that say what a coloring proves.

    `total` is the sum of the items that must be covered. If `is_exact`, each option sums to 0, and
    not only to a multiple of the modulus.
    """
    groups = _group(values)
    if set(groups) == {1}:  # a count of the items
        number = "an even number" if modulus == 2 else f"a multiple of {modulus}"
        other = f"an odd number, {total:,}," if modulus == 2 else f"{total:,}"
        reason = f"each option contains {number} of {plural(len(values), 'item')}"
        contrary = f"{other} must be covered"
        details = [f"The items: {listing(values)}."]
    else:
        number = "0" if is_exact else f"a multiple of {modulus}"
        reason = f"each option sums to {number}"
        contrary = f"all items sum to {total:,} if they have the numbers {join(map(str, groups))}"
        details = _list_groups(groups)
    return "\n".join([f"There is no cover: {reason}, but {contrary}.", *details])


def _group(values: Mapping[Name, int]) -> dict[int, list[Name]]:
    """Return the items with each number, in ascending order of the numbers."""
    by_value = sorted(values, key=lambda item: values[item])
    return {value: list(items) for value, items in groupby(by_value, lambda item: values[item])}


def _list_groups(groups: Mapping[int, list[Name]]) -> list[str]:
    """Return a line for each of the first numbers, with its items, and one for all others."""
    shown = [*groups.items()][:MAX_LISTED]
    lines = [f"{value}: {listing(items)} ({plural(len(items), 'item')})." for value, items in shown]
    if n_further := [len(items) for items in groups.values()][MAX_LISTED:]:
        lines.append(f"{len(n_further):,} further numbers: {plural(sum(n_further), 'item')}.")
    return lines


def draw_values(named: NamedProblem, title: str, values: Mapping[Name, int]) -> Svg | None:
    """Return a picture of the cells, colored by the numbers of their items, by default 0.

    Returns None if no item is a cell.
    """
    grid = named.drawing
    if not isinstance(grid, Grid):
        return None
    marked = [[cell for cell, _ in option] for option in grid.marks]
    item_cells = cells_of_items(named.problem, marked, grid.positions)
    pairs = zip(named.names.items, item_cells, strict=True)
    # Only items that stand for one cell are drawn.
    value_of = {cells[0]: values.get(item, 0) for item, cells in pairs if len(cells) == 1}
    if not value_of:
        return None
    # Each number but 0 has a color; the palette repeats if there are many.
    different = sorted({0, *value_of.values()})
    nonzero = [value for value in different if value]
    color_of = dict(zip(nonzero, COLORS[:-1] * len(different), strict=False))
    elements = []
    words = []
    corners = []
    for value in different:
        outlines = [grid.outline(cell) for cell, number in value_of.items() if number == value]
        fill = color_of.get(value, NO_COLOR)
        elements.append(area(outlines, fill=fill, class_="edge", stroke_opacity=0.4))
        words += [word(str(value), mean(outline), 0.4, "over") for outline in outlines if value]
        corners += [corner for outline in outlines for corner in outline]
    numbers = ", ".join(map(str, different))
    return plane_picture(title, f"The numbers of the cells: {numbers}.", corners, elements + words)
