"""Find the picture of a problem by the names of its items."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from ..kernels.problem import Problem
from .grid import Cell, Grid, Mark
from .timetable import Bar, Timetable

MAX_SIDE = 40  # of a board, in cells
MAX_LABEL = 4  # characters in a cell
QUEEN = "♛"  # what an option places at the crossing of a row and a column

MAX_ROWS, MAX_COLUMNS = 40, 60  # of a timetable
MIN_MINUTES = 120  # smaller numbers may have another meaning
LAST_MINUTES = 30  # of a place after the last time, which has no end
COST_COLORS = (3, 6, 2, 1, 4)  # from low to high costs: indices into `COLORS`

_CELL = re.compile(r"(?:cell,)?(\d{1,2}),(\d{1,2})")
_CUBE = re.compile(r"(?:(?:cell|cube),)?(\d{1,2}),(\d{1,2}),(\d{1,2})")
_EDGE = re.compile(r"([hv]),(\d{1,2}),(\d{1,2})")
_ROW = re.compile(r"r(?:ow)?,?(\d{1,2})")
_COLUMN = re.compile(r"c(?:ol(?:umn)?)?,?(\d{1,2})")
_PLACE = re.compile(r"(?:place|position|slot|s),?(\d{1,2})")
_MINUTE = re.compile(r"([^,]+),(\d{1,4})")

# The side of a cell, clockwise from the top, by the kind of an edge and its distance from the cell
_SIDES = {("h", 0, 0): 0, ("v", 0, 1): 1, ("h", 1, 0): 2, ("v", 0, 0): 3}

CellT = TypeVar("CellT")

Nodes = list[list[tuple[int, str]]]  # of each option: its items, and their colors or ""


def find_picture(
    problem: Problem,
    items: Sequence[str],
    colors: Sequence[str] = (),
    n_uncovered: int = 0,
    price: Callable[[int], Any] = int,
) -> Grid | Timetable | None:
    """Return the picture of a problem, or None if the names of its items do not suggest one.

    An item named ``2,3`` or ``cell,2,3`` is a cell, and one named ``1,2,3`` is a cube in a layer, a
    row and a column. Items named ``h,2,3`` and ``v,2,3`` are the edges above a cell and to the left
    of it. Otherwise, options with a row and a column, such as ``r2`` and ``c3`` or ``row,2`` and
    ``column,3``, occupy the cell where these cross. Items named ``place,4`` or ``s4`` are cells in
    a single row, as in Langford's problem. Cells that belong to several options at once are not
    shown.

    An item named ``room,101,7`` is a place at a time: all such items start with the same word. So
    is ``B4,365`` if all secondary items are named like this; the time is in minutes after midnight.
    The bars of an option are colored by its cost.

    Parameters
    ----------
    problem
        The problem.
    items, colors
        The names of its items and colors.
    n_uncovered
        How many of the last options stand for items that stay uncovered; they are not drawn.
    price
        Returns the cost that people see.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["I", (0, 0), (0, 1)], ["O", (1, 0), (1, 1)]])
    >>> print(find_picture(cover.problem, ["I", "0,0", "0,1", "O", "1,0", "1,1"]).text([0, 1]))
    I I
    O O
    >>> cover = ExactCover([["x", ("room", 1, 7), ("room", 1, 8)], ["y", ("room", 2, 8)]])
    >>> print(find_picture(cover.problem, ["x", "room,1,7", "room,1,8", "y", "room,2,8"]).text([0]))
    1
      7 to 8  x
    2
    """
    numbers = problem.items.tolist()
    marks = [""] * len(numbers)
    if problem.color is not None:
        marks = [["", *colors][color] for color in problem.color.tolist()]
    bounds = problem.indptr.tolist()[: problem.n_options - n_uncovered + 1]
    nodes = [list(zip(numbers[i:j], marks[i:j], strict=True)) for i, j in pairwise(bounds)]
    cells = _matches(_CELL, items)
    lines = {k: (r, -1) for k, (r,) in _matches(_ROW, items).items()}
    lines |= {k: (-1, c) for k, (c,) in _matches(_COLUMN, items).items()}
    if cells or (cubes := _matches(_CUBE, items)):
        if _are_shared(problem, cells or cubes):
            return None
        quarters = _find_quarters(nodes, items, cells) if cells else None
        return quarters or _find_cells(nodes, items, cells or cubes)
    if lines and (grid := _find_crossings(nodes, lines)) is not None:
        return grid
    places = {k: (0, column) for k, (column,) in _matches(_PLACE, items).items()}
    if len(places) > 1 and not _are_shared(problem, places):
        return _find_cells(nodes, items, places)
    return _find_timetable(problem, nodes, items, price)


def _matches(pattern: re.Pattern[str], items: Sequence[str]) -> dict[int, Cell]:
    """Return the numbers in the names of the items that match a pattern."""
    found = ((k, pattern.fullmatch(name)) for k, name in enumerate(items))
    return {k: tuple(map(int, match.groups())) for k, match in found if match}


def _are_shared(problem: Problem, items: Iterable[int]) -> bool:
    """Return whether several options may cover one of these items."""
    high = problem.item_high
    return any(high[item] > 1 for item in items)


def _label(option: list[tuple[int, str]], items: Sequence[str], places: Collection[int]) -> str:
    """Return the last part of the name of the first item that is no place."""
    others = (items[item] for item, _ in option if item not in places)
    return next(others, "").rpartition(",")[2]


def _find_cells(nodes: Nodes, items: Sequence[str], cells: Mapping[int, Cell]) -> Grid | None:
    """Return the picture of items that are cells; some of the board may be missing."""
    marks = list[tuple[Mark, ...]]()
    for option in nodes:
        label = _label(option, items, cells)
        label = label if len(label) <= MAX_LABEL else ""
        marked = [(cells[item], color or label) for item, color in option if item in cells]
        marks.append(tuple(marked))
    texts = {text for option in marks for _, text in option}
    is_colored = any(color for option in nodes for item, color in option if item in cells)
    is_board = "" not in texts and (is_colored or all(len(option) < 2 for option in marks))
    rows, *_ = map(set, zip(*cells.values(), strict=True))
    grid = Grid(
        "A board",
        tuple(marks),
        tuple(cells.values()),
        style="board" if is_board or len(rows) == 1 else "pieces",
        lattice="cubes" if all(len(cell) == 3 for cell in cells.values()) else "squares",
        size=min(0.5, 1.4 / max(1, *map(len, texts))),
    )
    n_rows, n_columns = map(max, zip(*grid.positions.values(), strict=True))
    # Coordinates with large gaps are not those of squares.
    is_sparse = 2 * len(cells) < (n_rows + 1) * (n_columns + 1)
    return None if is_sparse or max(n_rows, n_columns) >= MAX_SIDE else grid


def _find_quarters(nodes: Nodes, items: Sequence[str], cells: Mapping[int, Cell]) -> Grid | None:
    """Return the picture of cells whose sides have colors, or None if there are none."""
    matches = ((k, _EDGE.fullmatch(name)) for k, name in enumerate(items))
    edges = {k: (match[1], int(match[2]), int(match[3])) for k, match in matches if match}
    marks = list[tuple[Mark, ...]]()
    for option in nodes:
        own = [cells[item] for item, _ in option if item in cells]
        colored = [(*edges[item], color) for item, color in option if item in edges and color]
        sides = (
            ((row, column, _SIDES.get((kind, r - row, c - column), -1)), color)
            for kind, r, c, color in colored
            for row, column in own
        )
        marks.append(tuple((cell, color) for cell, color in sides if cell[2] >= 0))
    if not any(marks):
        return None
    quarters = tuple((*cell, side) for cell in cells.values() for side in range(4))
    return Grid("A board", tuple(marks), quarters, style="colors", lattice="quarters")


def _find_crossings(nodes: Nodes, lines: Mapping[int, Cell]) -> Grid | None:
    """Return the picture of items that are rows and columns, if each option has one of each."""
    rows, columns = ({line[k] for line in lines.values()} - {-1} for k in range(2))
    if min(len(rows), len(columns)) < 2:
        return None
    if max(max(each) - min(each) for each in (rows, columns)) >= MAX_SIDE:
        return None
    marks = []
    for option in nodes:
        own = [lines[item] for item, _ in option if item in lines]
        row, column = (sorted(line[k] for line in own if line[k] >= 0) for k in range(2))
        if len(row) != 1 or len(column) != 1:
            return None
        marks.append((((row[0], column[0]), QUEEN),))
    every = tuple(
        (row, column)
        for row in range(min(rows), max(rows) + 1)
        for column in range(min(columns), max(columns) + 1)
    )
    return Grid("A board", tuple(marks), every, size=0.8)


def _find_timetable(
    problem: Problem, nodes: Nodes, items: Sequence[str], price: Callable[[int], Any]
) -> Timetable | None:
    """Return the picture of items that are places at times."""
    parts, has_minutes = _split_places(items, problem.n_primary)
    # In the order of the items
    rows = list(dict.fromkeys(row for row, _ in parts.values()))
    columns = list(dict.fromkeys(column for _, column in parts.values()))
    is_sparse = 2 * len(parts) < len(rows) * len(columns)
    if not parts or is_sparse or len(rows) > MAX_ROWS or len(columns) > MAX_COLUMNS:
        return None
    if _are_shared(problem, parts):
        return None
    edges, labels = [*range(len(columns) + 1)], [(k + 0.5, name) for k, name in enumerate(columns)]
    if has_minutes:
        columns.sort(key=int)
        edges, labels = [*map(int, columns)], []
        edges.append(edges[-1] + LAST_MINUTES)
    cells = {k: (rows.index(row), columns.index(column)) for k, (row, column) in parts.items()}
    colors, legend = _color_by_cost(problem, len(nodes), price)
    bars = []
    for option, color in zip(nodes, colors, strict=True):
        text, its_bars = _label(option, items, cells), list[Bar]()
        for row, column in sorted(cells[item] for item, _ in option if item in cells):
            start, end = edges[column : column + 2]
            if its_bars and its_bars[-1][:3:2] == (row, start):
                start = int(its_bars.pop().start)
            its_bars.append(Bar(row, start, end, text, color))
        bars.append(tuple(its_bars))
    return Timetable("A timetable", tuple(bars), tuple(rows), tuple(labels), tuple(legend))


def _split_places(items: Sequence[str], n_primary: int) -> tuple[dict[int, tuple[str, str]], bool]:
    """Return the row and the column of each item that is a place at a time, and if it is a minute.

    >>> _split_places(["job", "room,1,7"], 1), _split_places(["flight,1", "B4,365"], 1)
    (({1: ('1', '7')}, False), ({1: ('B4', '365')}, True))
    """
    parts = {k: name.split(",") for k, name in enumerate(items) if name.count(",") == 2}
    if parts:
        is_one_kind = len({kind for kind, _, _ in parts.values()}) == 1
        return {k: (row, column) for k, (_, row, column) in parts.items() if is_one_kind}, False
    minutes = {k: _MINUTE.fullmatch(items[k]) for k in range(n_primary, len(items))}
    places = {k: (match[1], match[2]) for k, match in minutes.items() if match}
    latest = max((int(minute) for _, minute in places.values()), default=0)
    return places if len(places) == len(minutes) and latest >= MIN_MINUTES else {}, True


def name_times(items: Sequence[str], n_primary: int) -> list[str]:
    """Return the names of items, with times as on a clock instead of minutes.

    >>> name_times(["flight,1", "B4,365"], 1)
    ['flight,1', 'B4 at 6:05']
    """
    parts, has_minutes = _split_places(items, n_primary)
    names = list(items)
    for k, (place, minute) in parts.items() if has_minutes else ():
        names[k] = f"{place} at {int(minute) // 60}:{int(minute) % 60:02}"
    return names


def _color_by_cost(
    problem: Problem, n_options: int, price: Callable[[int], Any]
) -> tuple[list[int], list[tuple[int, str]]]:
    """Return the color of each option, and a legend with the costs that have this color."""
    if problem.cost is None:
        return [-1] * n_options, []
    costs = problem.cost[:n_options].tolist()
    distinct = sorted(set(costs))
    n_classes = min(len(distinct), len(COST_COLORS))
    bounds = [k * len(distinct) // n_classes for k in range(n_classes + 1)]
    color_of: dict[int, int] = {}
    legend = []
    for color, (start, end) in zip(COST_COLORS, pairwise(bounds), strict=False):
        members = distinct[start:end]
        color_of |= dict.fromkeys(members, color)
        low, high = sorted((price(members[0]), price(members[-1])))
        legend.append((color, f"cost {low:,}" if low == high else f"cost {low:,} to {high:,}"))
    return [color_of[cost] for cost in costs], legend


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
