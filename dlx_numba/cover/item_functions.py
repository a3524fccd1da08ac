"""Symmetries as functions from items to items."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.symmetry.incidence import Incidence
from ..runtime.arguments import check_choice
from .iterables import as_list, is_hashable
from .names import Names, as_integer, as_line, option_label
from .spelling import simplify_names, suggest

ItemFunction = Callable[[Any], Any] | Mapping[Any, Any] | str

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

    Raises ValueError if an image is not an item, two items have the same image, or there is no
    function with a name.
    """
    if isinstance(functions, str | Mapping) or callable(functions):
        functions = [functions]
    number_of = {item: number for number, item in enumerate(items)}
    for k, function in enumerate(as_list(functions, "functions", "functions")):
        label = repr(function) if isinstance(function, str) else f"function {k}"
        mapped = _as_callable(function, items)
        numbers: dict[int, int] = {}
        for number, item in enumerate(items):
            image = mapped(item)
            image = item if image is None else image
            if not is_hashable(image) or image not in number_of:
                reason = f"symmetries: {label} maps {item!r} to {image!r}, which is no item"
                raise ValueError(reason + suggest(image, simplify_names(items)))
            other = numbers.setdefault(number_of[image], number)
            if other != number:
                both = f"{items[other]!r} and {item!r}"
                raise ValueError(f"symmetries: {label} maps both {both} to {image!r}")
        yield label, sorted(numbers, key=numbers.__getitem__)


def _as_callable(function: ItemFunction, items: Sequence[Hashable]) -> Callable[[Any], Any]:
    if isinstance(function, Mapping):
        return function.get
    if callable(function):
        return function
    check_choice("symmetries: a function", function, BOARD_SYMMETRIES, ", a mapping or callable")
    cells = [cell for item in items if (cell := _as_cell(item)) is not None]
    rows, columns = zip(*cells, strict=True) if cells else ((0,), (0,))
    top, left = min(rows), min(columns)
    height, width = max(rows) - top, max(columns) - left

    def move(item: Hashable) -> Hashable:
        cell = _as_cell(item)
        if cell is None:
            return None
        r, c = BOARD_SYMMETRIES[function](cell[0] - top, cell[1] - left, height, width)
        return (r + top, c + left)

    return move


def _as_cell(item: Hashable) -> tuple[int, int] | None:
    """Return an item that is a pair of integers, or None."""
    if not isinstance(item, tuple) or len(item) != 2:
        return None
    row, column = map(as_integer, item)
    return None if row is None or column is None else (row, column)


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
    n_items, options, start = graph.n_items, graph.options, graph.start
    item_of_color = graph.adjacent[start[options.stop : -1]].tolist()
    colors = list(zip(item_of_color, graph.color.tolist(), strict=True))
    color_number = {pair: number for number, pair in enumerate(colors)}
    classes, lengths = graph.vertex_class, np.diff(start[options.start : options.stop + 1])
    tables = list[tuple[NDArray[np.int64], NDArray[np.uint32], dict[bytes, int]]]()
    for length in np.unique(lengths):  # rows of the same length are compared as bytes
        vertices = options.start + np.flatnonzero(lengths == length)
        points = graph.adjacent[start[vertices, None] + np.arange(length)]
        keys = _as_bytes(classes[vertices], points)
        tables.append((vertices, points, dict(zip(keys, vertices.tolist(), strict=True))))
    for label, images in functions:
        image = np.full(graph.n_vertices, graph.n_vertices, np.uint32)
        image[:n_items] = images
        for number, (item, color) in enumerate(colors):
            other = color_number.get((images[item], color))
            if other is not None:
                image[n_items + number] = n_items + other
                image[options.stop + number] = options.stop + other
        for vertices, points, vertex_with in tables:
            keys = _as_bytes(classes[vertices], np.sort(image[points], axis=1))
            image[vertices] = [vertex_with.get(key, graph.n_vertices) for key in keys]
        if (missing := np.flatnonzero(image[options] == graph.n_vertices)).size:
            option = int(missing[0])
            own = slice(*start[options.start + option : options.start + option + 2])
            items = [as_line(names.items[k]) for k in graph.adjacent[own].tolist() if k < n_items]
            name = option_label(names.options, option, items=items)
            raise ValueError(f"symmetries: {label} does not map option {name} to an option")
        if (changed := np.flatnonzero(classes[:n_items] != classes[image[:n_items]])).size:
            item = int(changed[0])
            pair = f"{names.items[item]!r} to {names.items[images[item]]!r}"
            raise ValueError(f"symmetries: {label} maps {pair}, which is another kind of item")
        yield image


def _as_bytes(classes: NDArray[np.int64], points: NDArray[np.uint32]) -> list[bytes]:
    """Return the bytes of the class and the points of each option."""
    rows = np.column_stack([classes.astype(np.uint32), points])
    keys: list[bytes] = rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel().tolist()
    return keys
