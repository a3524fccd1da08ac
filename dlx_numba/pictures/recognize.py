"""Find the picture of a problem by the names of its items."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, pairwise, product
from typing import Any, TypeVar

from ..kernels.problem import Problem
from .cells import Cell
from .graph import ARROW, Graph
from .grid import Grid, Mark
from .lines import Lines
from .picture import Picture
from .recognize_times import Named, find_timetable

MAX_SIDE = 40  # of a board, in cells
MAX_LABEL = 4  # characters in a cell
MAX_POINTS, MAX_PAIRS = 40, 200  # of a graph
QUEEN = "♛"  # what an option places at the crossing of a row and a column

_KIND = r"(?:(?:cell|cube|square|field|pos|position|xy|rc),)?"
_CELL = re.compile(rf"{_KIND}(\d{{1,2}}),(\d{{1,2}})|r(\d{{1,2}})c(\d{{1,2}})", re.IGNORECASE)
_CUBE = re.compile(rf"{_KIND}(\d{{1,2}}),(\d{{1,2}}),(\d{{1,2}})")
_ANY_CELL = re.compile(r"(.*?)(-?\d{1,3})\D+?(-?\d{1,3})\W*|()([A-Za-z])(\d{1,2})")
_RIGHT, _DOWN = (re.compile(rf"{side},(\d{{1,2}}),(\d{{1,2}})") for side in "hv")
_ENDS = re.compile(r"(?:edge,)?(\d{1,2}),(\d{1,2}),(\d{1,2}),(\d{1,2})")
_ROW = re.compile(r"r(?:ow)?,?(\d{1,2})")
_COLUMN = re.compile(r"c(?:ol(?:umn)?)?,?(\d{1,2})")
_PLACE = re.compile(r"(?:place|position|slot|s),?(\d{1,2})")
_WAYS = re.compile(r"(?:from|out|leave|exit),(.*)"), re.compile(r"(?:to|in|enter),(.*)")

CellT = TypeVar("CellT")


def find_picture(
    problem: Problem,
    items: Sequence[str],
    colors: Sequence[str] = (),
    n_uncovered: int = 0,
    price: Callable[[int], Any] = int,
    options: Sequence[str] = (),
    view: str = "",
) -> Picture | None:
    """Return the picture of a problem, or None if the names of its items do not suggest one.

    An item named ``2,3``, ``r2c3`` or ``cell,2,3`` is a cell, and one named ``1,2,3`` is a cube in
    a layer, a row and a column. Options with a row and a column, such as ``r2`` and ``c3`` or
    ``row,2`` and ``column,3``, occupy the cell where these cross. Items named ``h,2,3`` and
    ``v,2,3`` are edges to the right of a point and below it, and those named ``1,1,1,2`` are edges
    between two points. Items named ``place,4`` or ``s4`` are cells in a single row, as in
    Langford's problem. Cells that belong to several options at once are not shown.

    Items named ``room,101,7``, all starting with the same word, or ``Ann,Mon 9`` are places at a
    time. Otherwise, an option with one item such as ``Mon 9`` or ``week 3`` is a bar in the row of
    its other item. The bars of an option are colored by its cost.

    Options with the items ``from,a`` and ``to,b`` are the arrows of a route. If each option has two
    items, these are points, and covers are matchings.

    Parameters
    ----------
    problem
        The problem.
    items, colors
        The names of its items and colors.
    n_uncovered
        How many of the last options stand for items that stay uncovered.
    price
        Returns the cost that people see.
    options
        The names of the options, if they have names.
    view
        The form of the picture, if it is stated: one of `VIEWS`. Names are then read less strictly.

    Raises
    ------
    ValueError
        If the names of items do not suggest the picture that is stated.

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
    if view in ("table", "matrix"):
        return None
    numbers = problem.items.tolist()
    marks = [["", *colors][color] for color in problem.node_colors.tolist()]
    bounds = problem.indptr.tolist()[: problem.n_options - n_uncovered + 1]
    nodes = [list(zip(numbers[i:j], marks[i:j], strict=True)) for i, j in pairwise(bounds)]
    named = Named(problem, items, nodes, options, price, is_stated=bool(view))
    finders = {"grid": _find_board, "timetable": find_timetable, "graph": _find_graph}
    for form, find in finders.items():
        if view in ("", form) and (picture := find(named)) is not None:
            return picture
    if view:
        raise ValueError(f"view={view!r}: {_EXPECTED[view]}; or state a function, see `ExactCover`")
    return None


_EXPECTED = {
    "grid": "no items are cells, such as (2, 3) or 'r2c3'",
    "timetable": "few options have a place and a time, such as ('room', 'Mon 9')",
    "graph": f"there are more than {MAX_POINTS} items",
}


def _find_board(named: Named) -> Grid | None:
    """Return the picture of items that are cells, edges, or rows and columns."""
    if cells := _matches(_CELL, named.items) or _matches(_CUBE, named.items):
        return _find_cells(named, cells)
    places = {k: (0, column) for k, (column,) in _matches(_PLACE, named.items).items()}
    return (
        _find_crossings(named)
        or _find_sticks(named)
        or _find_cells(named, places if len(places) > 1 else {})
        or _find_cells(named, _any_cells(named.items) if named.is_stated else {})
    )


def _any_cells(items: Sequence[str]) -> dict[int, Cell]:
    """Return the cells of the items that have two numbers, or a letter and one, in their names.

    If the items are of several kinds, the cells are those of the most frequent kind.

    >>> _any_cells(["piece 1", "x 1 y 2", "x 2 y 2"]), _any_cells(["a1", "b2"])
    ({1: (1, 2), 2: (2, 2)}, {0: (-1, 1), 1: (-2, 2)})
    """
    kinds = defaultdict[str | None, dict[int, Cell]](dict)
    for k, name in enumerate(items):
        if match := _ANY_CELL.fullmatch(name):
            kind, row, column, _, letter, number = match.groups()
            cell = (-int(number), ord(letter.lower()) - 96) if letter else (int(row), int(column))
            kinds[kind][k] = cell
    return max(kinds.values(), key=len, default={})


def _matches(pattern: re.Pattern[str], items: Sequence[str]) -> dict[int, Cell]:
    """Return the numbers in the names of the items that match a pattern."""
    found = ((k, pattern.fullmatch(name)) for k, name in enumerate(items))
    return {k: tuple(int(x) for x in match.groups() if x) for k, match in found if match}


def short_label(names: Iterable[str]) -> str:
    """Return the last part of the first name, or "" if that is too long for a cell.

    >>> short_label(["piece,F", "x"]), short_label(["R1#2"]), short_label(["kitchen"])
    ('F', '2', '')
    """
    label = re.split(r"[,#=: ]", next(iter(names), ""))[-1]
    return label if len(label) <= MAX_LABEL else ""


def _find_cells(named: Named, cells: Mapping[int, Cell]) -> Grid | None:
    """Return the picture of items that are cells; some of the board may be missing.

    Unless it is stated, several options may not cover a cell, and coordinates with large gaps are
    not those of squares.
    """
    high, items, nodes = named.problem.item_high, named.items, named.nodes
    if not cells or (not named.is_stated and any(high[item] > 1 for item in cells)):
        return None
    labels = [short_label(items[k] for k, _ in option if k not in cells) for option in nodes]
    marks = [
        tuple((cells[k], color or label) for k, color in option if k in cells)
        for option, label in zip(nodes, labels, strict=True)
    ]
    is_colored = any(color for option in nodes for k, color in option if k in cells)
    grid = grid_of(marks, [*cells.values()], is_colored)
    n_rows, n_columns = map(max, zip(*grid.positions.values(), strict=True))
    is_sparse = 2 * len(cells) < (n_rows + 1) * (n_columns + 1)
    shifts = {row - cell[-2] for cell, (row, _) in grid.positions.items()}
    is_large = max(n_rows, n_columns) >= MAX_SIDE or len(shifts) > 1  # several bands of layers
    is_wrong = is_sparse or is_large
    return None if is_wrong and not named.is_stated else grid


def grid_of(
    marks: Sequence[tuple[Mark, ...]], cells: Sequence[Cell] = (), is_colored: bool = False
) -> Grid:
    """Return the picture of what options write: a board of texts, or pieces."""
    texts = {text for option in marks for _, text in option}
    cells = cells or [*dict.fromkeys(cell for option in marks for cell, _ in option)]
    is_board = "" not in texts and (is_colored or all(len(option) < 2 for option in marks))
    return Grid(
        "A board",
        tuple(marks),
        tuple(cells),
        style="board" if is_board or len({row for row, *_ in cells}) == 1 else "pieces",
        lattice="cubes" if all(len(cell) == 3 for cell in cells) else "squares",
        size=min(0.5, 1.4 / max([1, *map(len, texts)])),
    )


def _find_crossings(named: Named) -> Grid | None:
    """Return the picture of items that are rows and columns, if each option has one of each."""
    lines = [_matches(pattern, named.items) for pattern in (_ROW, _COLUMN)]
    sides = [sorted({number for (number,) in each.values()}) for each in lines]
    own = [[[each[k][0] for k, _ in nodes if k in each] for each in lines] for nodes in named.nodes]
    if min(map(len, sides)) < 2 or any(side[-1] - side[0] >= MAX_SIDE for side in sides):
        return None
    if any(len(row) != 1 or len(column) != 1 for row, column in own):
        return None
    marks = tuple((((row[0], column[0]), QUEEN),) for row, column in own)
    every = tuple(product(*(range(side[0], side[-1] + 1) for side in sides)))
    return Grid("A board", marks, every, size=0.8)


def _find_sticks(named: Named) -> Lines | None:
    """Return the picture of items that are edges between neighboring points, if there are any."""
    stated = _matches(_ENDS, named.items)
    for pattern, down in ((_RIGHT, 0), (_DOWN, 1)):
        edges = _matches(pattern, named.items)
        stated |= {k: (r, c, r + down, c + 1 - down) for k, (r, c) in edges.items()}
    ends = {k: ((2 * a, 2 * b), (2 * c, 2 * d)) for k, (a, b, c, d) in stated.items()}
    if not ends or any(abs(a - c) + abs(b - d) != 2 for (a, b), (c, d) in ends.values()):
        return None
    marks, lines = [], []
    for option in named.nodes:
        own = tuple(ends[k] for k, _ in option if k in ends)
        label = short_label(named.items[k] for k, _ in option if k not in ends)
        marks.append(tuple((((a + c) // 2, (b + d) // 2), label) for (a, b), (c, d) in own))
        lines.append(own)
    points = tuple((point, "+") for point in sorted({*chain.from_iterable(ends.values())}))
    style: dict[str, Any] = {"line_style": "pipes", "step": (2, 2), "blank": " "}
    return Lines("A board", tuple(marks), givens=points, lines=tuple(lines), **style)


def _find_graph(named: Named) -> Graph | None:
    """Return the picture of a route, or of points that options join: of pairs, unless stated."""
    items, nodes = named.items, named.nodes
    ways = [{k: n[1] for k, n in enumerate(map(each.fullmatch, items)) if n} for each in _WAYS]
    arrows = [[way[k] for way in ways for k, _ in option if k in way] for option in nodes]
    is_route = {*map(len, arrows)} == {2} and all(ways)
    groups = arrows if is_route else [[items[k] for k, _ in option] for option in nodes]
    points = [*dict.fromkeys(chain(*map(dict.values, ways)) if is_route else items)]
    is_matching = {*map(len, groups)} == {2} and len(points) > 2
    if len(points) > MAX_POINTS or not (named.is_stated or is_matching):
        return None
    neighbors = (pair for group in groups for pair in pairwise([*group, *group[:1]]))
    pairs = sorted({(min(pair), max(pair)) for pair in neighbors if pair[0] != pair[1]})
    heads, tails = ({group[k] for group in groups if group} for k in (0, -1))
    cells = [re.fullmatch(r"(?:.*,)?(\d+),(\d+)", point) for point in points]
    positions: list[tuple[float, float]] = []
    if all(cells):
        positions = [(1.2 * int(cell[2]), 1.2 * int(cell[1])) for cell in cells if cell]
    elif heads.isdisjoint(tails) and is_matching:  # two columns
        columns = [[point for point in points if point in side] for side in (heads, tails)]
        height = max(map(len, columns))
        at = {
            point: (4.0 * x, k + (height - len(column)) / 2)
            for x, column in enumerate(columns)
            for k, point in enumerate(column)
        }
        positions = [at.get(point, (2.0, 0.0)) for point in points]
    return Graph(
        "A route" if is_route else "Groups",
        tuple(map(tuple, groups)),
        tuple(points),
        tuple(positions),
        tuple(pairs[:MAX_PAIRS]),
        0.15 if is_route else 0.2,
        (ARROW if is_route else "-", " "),
    )


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
