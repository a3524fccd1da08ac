"""Symmetries as functions from items to items."""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.symmetry.extension import Extension
from ..kernels.symmetry.incidence import Incidence
from ..runtime.arguments import check_choice
from .iterables import as_list, is_hashable
from .names import Names, as_integer, as_line, as_text, find_duplicate, option_label
from .spelling import simplify_names, suggest

ItemFunction = Callable[[Any], Any] | Mapping[Any, Any] | str | NDArray[np.integer]

# By name: the new row and column of a cell of a board of which (h, w) is the last cell
BOARD_SYMMETRIES: dict[str, Callable[[int, int, int, int], tuple[int, int]]] = {
    "rotate90": lambda r, c, h, w: (c, h - r),
    "rotate180": lambda r, c, h, w: (h - r, w - c),
    "rotate270": lambda r, c, h, w: (w - c, r),
    "reflect": lambda r, c, h, w: (r, w - c),
    "flip": lambda r, c, h, w: (h - r, c),
    "transpose": lambda r, c, h, w: (c, r),
    "antitranspose": lambda r, c, h, w: (w - c, h - r),
}


def read_functions(
    functions: ItemFunction | Iterable[ItemFunction], items: Sequence[Hashable]
) -> Iterator[tuple[str, list[int]]]:
    """Yield for each function what messages call it, and the number of the image of each item.

    A function may also be an array of these numbers.

    Raises ValueError if an image or a key is not an item, two items have the same image, an array
    is no permutation, or there is no function with a name.
    """
    if isinstance(functions, str | Mapping | np.ndarray) or callable(functions):
        functions = [functions]
    number_of = {item: number for number, item in enumerate(items)}
    for k, function in enumerate(as_list(functions, "functions", "functions")):
        label = repr(function) if isinstance(function, str) else f"function {k}"
        if isinstance(function, np.ndarray):
            is_integer = function.dtype.kind in "iu"
            if not is_integer or not np.array_equal(np.sort(function), np.arange(len(items))):
                raise ValueError(f"symmetries: {label} is no permutation of the numbers of items")
            yield label, function.tolist()
            continue
        keys = function if isinstance(function, Mapping) else ()
        if unknown := [key for key in keys if key not in number_of]:
            reason = f"symmetries: {label} maps {unknown[0]!r}, which is no item"
            raise ValueError(reason + suggest(unknown[0], simplify_names(items)))
        mapped = _as_callable(function, items)
        item_of: dict[int, int] = {}  # the item of each image, both as numbers
        for number, item in enumerate(items):
            image = mapped(item)
            image = item if image is None else image
            if not is_hashable(image) or image not in number_of:
                reason = f"symmetries: {label} maps {item!r} to {image!r}, which is no item"
                raise ValueError(reason + suggest(image, simplify_names(items)))
            first = item_of.setdefault(number_of[image], number)
            if first != number:
                raise ValueError(
                    f"symmetries: {label} maps both {items[first]!r} and {item!r} to {image!r}"
                )
        yield label, [*item_of]  # the images, which were entered in the order of the items


def _as_callable(function: Any, items: Sequence[Hashable]) -> Any:
    """Return a function as a callable, which returns None for an item that it does not move."""
    if isinstance(function, Mapping):
        return function.get
    if callable(function):
        return function
    if isinstance(function, str) and (cycles := re.findall(r"\(([^()]*)\)", function)):
        return _read_cycles([cycle.split() for cycle in cycles], items).get
    others = ", or cycles such as (a b)" if isinstance(function, str) else ", a mapping or callable"
    check_choice("symmetries: a symmetry", function, BOARD_SYMMETRIES, others)
    item_of = {cell: item for item in items if (cell := _as_cell(item)) is not None}
    if not item_of:
        raise ValueError(
            f"symmetries: {function!r} needs items that are a row and a column; "
            "give cycles of other items, such as (a b)"
        )
    rows, columns = zip(*item_of, strict=True)
    top = min(rows)
    left = min(columns)
    last_row = max(rows) - top
    last_column = max(columns) - left

    def move(item: Hashable) -> Hashable:
        """Return the item at the image of the cell of an item; None if it is no cell."""
        cell = _as_cell(item)
        if cell is None:
            return None
        move_cell = BOARD_SYMMETRIES[function]
        r, c = move_cell(cell[0] - top, cell[1] - left, last_row, last_column)
        image = (r + top, c + left)
        return item_of.get(image, image)  # a cell that is no item is an error of `read_functions`

    return move


def _as_cell(item: Hashable) -> tuple[int, int] | None:
    """Return an item that is a pair of integers, or a text such as "2,3", as a cell, or None."""
    pair: Any = item
    if isinstance(item, str):
        pair = tuple(int(part) for part in item.split(",") if re.fullmatch("-?[0-9]+", part))
    if not isinstance(pair, tuple) or len(pair) != 2:
        return None
    row, column = map(as_integer, pair)
    return None if row is None or column is None else (row, column)


def _read_cycles(cycles: list[list[str]], items: Sequence[Hashable]) -> dict[Hashable, Hashable]:
    """Return the images of the items in cycles.

    Raises ValueError if a cycle has what is not an item, or an item occurs twice.
    """
    item_of = {as_text(item): item for item in items}
    listed = [*chain(*cycles)]
    for name in listed:
        if name not in item_of:
            reason = f"symmetries: {name!r} is no item{suggest(name, simplify_names(item_of))}"
            if isinstance(items[0], int):  # also if options are numbered from 1
                reason += f"; the items are numbered from {items[0]}"
            raise ValueError(reason)
    if (k := find_duplicate(listed)) is not None:
        raise ValueError(f"symmetries: {listed[k]!r} appears twice in the cycles")
    pairs = chain(*(zip(cycle, [*cycle[1:], *cycle[:1]], strict=True) for cycle in cycles))
    return {item_of[name]: item_of[image] for name, image in pairs}


def extend_to_options(
    graph: Incidence, names: Names, functions: Iterable[tuple[str, Sequence[int]]]
) -> Iterator[NDArray[np.uint32]]:
    """Yield the permutations of all vertices of a graph that permutations of the items determine.

    Colors are not changed.

    Parameters
    ----------
    graph : Incidence
    names : Names
        The names of the items and options, for messages.
    functions : iterable of (str, sequence of int)
        What messages call each permutation, and the image of each item.

    Raises
    ------
    ValueError
        If an option is not mapped to an option; the message names the first one. If an item is
        not mapped to an item of the same kind.
    """
    n_items = graph.n_items
    options = graph.options
    start = graph.start
    # The vertices after the options stand for pairs of an item and a color. The item is the first
    # vertex that is adjacent to each.
    item_of_color = graph.adjacent[start[options.stop : -1]].tolist()
    colors = list(zip(item_of_color, graph.color.tolist(), strict=True))
    color_number = {pair: number for number, pair in enumerate(colors, n_items)}
    classes = graph.vertex_class
    extension = Extension(graph)
    vertices = np.arange(options.start, options.stop, dtype=np.uint32)
    for label, images in functions:
        # A pair is mapped to the pair of the image and the same color, or to no vertex.
        mapped = (color_number.get((images[item], c), graph.n_vertices) for item, c in colors)
        image = extension.complete(np.array([*images, *mapped], np.uint32))
        option = graph.count_preserved(image, vertices)  # the first one that is not preserved
        if option < len(vertices):
            vertex = options.start + option
            adjacent = graph.adjacent[start[vertex] : start[vertex + 1]].tolist()
            items = [as_line(names.items[k]) for k in adjacent if k < n_items]
            name = option_label(names.options, option, items=items)
            raise ValueError(f"symmetries: {label} does not map option {name} to an option")
        if (changed := np.flatnonzero(classes[:n_items] != classes[image[:n_items]])).size:
            item = int(changed[0])
            pair = f"{names.items[item]!r} to {names.items[images[item]]!r}"
            raise ValueError(f"symmetries: {label} maps {pair}, which is another kind of item")
        yield image
