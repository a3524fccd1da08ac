"""Grids of cells: Sudoku boards, and grids that are recognized by the names of items."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..kernels.problem import Problem
from .names import option_items

MAX_SIDE = 40
MAX_LABEL = 4  # characters in a cell
QUEEN = "♛"  # what an option places at the crossing of a row and a column

_CELL = re.compile(r"(?:cell,)?(\d{1,2}),(\d{1,2})")
_CUBE = re.compile(r"(?:(?:cell|cube),)?(\d{1,2}),(\d{1,2}),(\d{1,2})")
_EDGE = re.compile(r"([hv]),(\d{1,2}),(\d{1,2})")
_ROW = re.compile(r"r(?:ow)?,?(\d{1,2})")
_COLUMN = re.compile(r"c(?:ol(?:umn)?)?,?(\d{1,2})")
_PLACE = re.compile(r"(?:place|position|slot|s),?(\d{1,2})")

# The side of a cell, clockwise from the top, by the kind of an edge and its distance from the cell
_SIDES = {("h", 0, 0): 0, ("v", 0, 1): 1, ("h", 1, 0): 2, ("v", 0, 0): 3}

Position = tuple[int, int]  # row and column


class GridView(NamedTuple):
    """The grid that a problem fills. Cells are numbered row by row, from 0."""

    rows: int
    columns: int
    item_cells: list[list[int]]  # the cells that each item stands for
    option_cells: list[list[tuple[int, str]]]  # the cells of each option, each with its label
    first_row: int | None  # the number of the first row, if rows have numbers
    column_labels: Sequence[str]
    # If options number the cells of a path, such as a knight's tour: the number of each, from 0
    path: list[int] | None = None
    # If options color sides of cells: for each option, its cells, their sides from 0, and colors
    option_sides: Sequence[list[tuple[int, int, int]]] = ()
    # Of a Sudoku: the rows and columns of a box, the symbols, and the symbols of cells
    box: tuple[int, int] | None = None
    symbols: Sequence[str] = ()
    givens: Sequence[tuple[int, str]] = ()


def find_grid(problem: Problem, items: list[str], colors: list[str]) -> GridView | None:
    """Return the grid of a problem, or None if its items are not named like cells.

    An item named ``2,3`` or ``cell,2,3`` is a cell, and one named ``1,2,3`` is a cube in a layer, a
    row and a column; layers are side by side. Items named ``h,2,3`` and ``v,2,3`` are the
    edges above a cell and to the left of it. Otherwise, options with a row and a column,
    such as ``r2`` and ``c3`` or ``row,2`` and ``column,3``, occupy the cell where these cross.
    Items named ``place,4`` or ``s4`` are cells in a single row, as in Langford's problem. Cells
    that belong to several options at once are not shown.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["I", (0, 0), (0, 1)], ["O", (1, 0), (1, 1)]])
    >>> items = ["I", "0,0", "0,1", "O", "1,0", "1,1"]
    >>> grid = find_grid(cover.problem, items, [])
    >>> grid.rows, grid.columns, grid.option_cells
    (2, 2, [[(0, 'I'), (1, 'I')], [(2, 'O'), (3, 'O')]])
    """
    cells = _matches(_CELL, items)
    if cells:
        return _grid_of_cells(problem, items, colors, {k: (c[0], c[1]) for k, c in cells.items()})
    cubes = _matches(_CUBE, items)
    if cubes:
        return _grid_of_cubes(problem, items, colors, cubes)
    grid = _grid_of_lines(problem, items)
    if grid is not None:
        return grid
    places = {k: (0, column) for k, (column,) in _matches(_PLACE, items).items()}
    if len(places) < 2:
        return None
    row = _grid_of_cells(problem, items, colors, places)
    return row and row._replace(first_row=None)


def _grid_of_cubes(
    problem: Problem, items: list[str], colors: list[str], cubes: dict[int, tuple[int, ...]]
) -> GridView | None:
    """Return the grid of the layers of cubes, with a column between two of them."""
    (first, _), _, (left, width) = map(_extent, zip(*cubes.values(), strict=True))
    positions = {k: (y, x + (width + 1) * (z - first)) for k, (z, y, x) in cubes.items()}
    grid = _grid_of_cells(problem, items, colors, positions)
    labels = [*(str(left + column) for column in range(width)), ""]
    return grid and grid._replace(
        column_labels=[labels[k % len(labels)] for k in range(grid.columns)]
    )


def _matches(pattern: re.Pattern[str], items: list[str]) -> dict[int, tuple[int, ...]]:
    """Return the numbers in the names of the items that match a pattern."""
    found = ((k, pattern.fullmatch(name)) for k, name in enumerate(items))
    return {k: tuple(map(int, match.groups())) for k, match in found if match}


def _grid_of_cells(
    problem: Problem, items: list[str], colors: list[str], positions: dict[int, Position]
) -> GridView | None:
    """Return the grid of the items that are cells; some of the grid may be missing."""
    high = problem.high
    if high is not None and any(item < len(high) and high[item] > 1 for item in positions):
        return None
    (top, rows), (left, columns) = map(_extent, zip(*positions.values(), strict=True))
    # Coordinates with large gaps are not those of squares.
    if max(rows, columns) > MAX_SIDE or 2 * len(positions) < rows * columns:
        return None
    number = {
        item: (row - top) * columns + column - left for item, (row, column) in positions.items()
    }
    option_cells = []
    marks = [0] * len(problem.items) if problem.color is None else problem.color.tolist()
    for option, start in zip(option_items(problem), problem.indptr.tolist(), strict=False):
        others = [items[item] for item in option if item not in positions]
        label = others[0].rpartition(",")[2] if others else ""
        label = label if len(label) <= MAX_LABEL else ""
        option_cells.append(
            [
                (number[item], colors[marks[node] - 1] if marks[node] else label)
                for node, item in enumerate(option, start)
                if item in positions
            ]
        )
    item_cells = [[number[item]] if item in number else [] for item in range(len(items))]
    labels, path = _number_columns(left, columns), _number_path(option_cells, len(positions))
    colored = _color_sides(problem, items, colors, positions)
    sides = [[(number[k], side, color) for k, side, color in each] for each in colored]
    return GridView(rows, columns, item_cells, option_cells, top, labels, path, sides)


def _color_sides(
    problem: Problem, items: list[str], colors: list[str], positions: dict[int, Position]
) -> list[list[tuple[int, int, int]]]:
    """Return the sides that each option colors, as (item, side, color); [] if there are none."""
    found = ((k, _EDGE.fullmatch(name)) for k, name in enumerate(items))
    edges = {k: (match[1], int(match[2]), int(match[3])) for k, match in found if match}
    if problem.color is None or not edges:
        return []
    ranks = {name: rank for rank, name in enumerate(sorted(colors))}
    marks, sides = problem.color.tolist(), []
    for option, start in zip(option_items(problem), problem.indptr.tolist(), strict=False):
        own = []
        for node, item in enumerate(option, start):
            kind, r, c = edges.get(item, ("", 0, 0))
            for cell in (cell for cell in option if cell in positions and marks[node]):
                row, column = positions[cell]
                side = _SIDES.get((kind, r - row, c - column))
                if side is not None:
                    own.append((cell, side, ranks[colors[marks[node] - 1]]))
        sides.append(own)
    return sides


def _number_columns(first: int, n: int) -> list[str]:
    return [str(column) for column in range(first, first + n)]


def _extent(coordinates: Collection[int]) -> tuple[int, int]:
    """Return the smallest coordinate, and the number of coordinates up to the largest."""
    return min(coordinates), max(coordinates) - min(coordinates) + 1


def _number_path(option_cells: list[list[tuple[int, str]]], n_cells: int) -> list[int] | None:
    """Return the number of each option if each gives one cell a number, up to that of cells."""
    if n_cells < 2 or any(len(cells) != 1 for cells in option_cells):
        return None
    labels = [label for [(_, label)] in option_cells]
    first = 0 if "0" in labels else 1
    if set(labels) != {str(number) for number in range(first, first + n_cells)}:
        return None
    return [int(label) - first for label in labels]


def _grid_of_lines(problem: Problem, items: list[str]) -> GridView | None:
    """Return the grid of the items that are rows and columns."""
    row_of = {k: row for k, (row,) in _matches(_ROW, items).items()}
    column_of = {k: column for k, (column,) in _matches(_COLUMN, items).items()}
    if min(len(row_of), len(column_of)) < 2 or problem.high is not None:
        return None
    (top, rows), (left, columns) = _extent(row_of.values()), _extent(column_of.values())
    if max(rows, columns) > MAX_SIDE:
        return None
    option_cells: list[list[tuple[int, str]]] = []
    for option in option_items(problem):
        crossing = [row_of[item] - top for item in option if item in row_of]
        crossing += [column_of[item] - left for item in option if item in column_of]
        if len(crossing) != 2:
            return None
        option_cells.append([(crossing[0] * columns + crossing[1], QUEEN)])
    item_cells: list[list[int]] = [[] for _ in items]
    for item, row in row_of.items():
        item_cells[item] = [(row - top) * columns + column for column in range(columns)]
    for item, column in column_of.items():
        item_cells[item] = [row * columns + column - left for row in range(rows)]
    return GridView(rows, columns, item_cells, option_cells, top, _number_columns(left, columns))
