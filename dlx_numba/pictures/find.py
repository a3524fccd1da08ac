"""Find the picture of a problem by its structure, or in the requested form."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any

from ..kernels.problem import Problem
from .cells import Cell
from .filling import Pieces
from .find_timetable import Named, find_timetable
from .graph import Graph
from .grid import MAX_WIDTH, Grid, Mark
from .isometric import divide_bands
from .picture import Picture

MAX_SIDE = 40  # of a board, in cells
MAX_LABEL = 4  # characters in a cell
MAX_POINTS = 40
MAX_PAIRS = 200  # of a graph
PLACED = "●"  # what an option writes into the cell that is its name

_CELL = re.compile(r"(\d{1,2}),(\d{1,2})(?:,(\d{1,2}))?")  # of a square, or of a cube
_ANY_CELL = re.compile(r"(.*?)(-?\d{1,3})(\D+?)(-?\d{1,3})\W*|([A-Za-z])(\d{1,2})")


def find_picture(
    problem: Problem,
    items: Sequence[str],
    colors: Sequence[str] = (),
    n_uncovered: int = 0,
    price: Callable[[int], Any] = int,
    options: Sequence[str] = (),
    view: str = "",
) -> Picture | None:
    """Return the picture of a problem, or None if nothing suggests one or it would be too large.

    Items that are pairs of integers are cells, such as ``2,3``, and triples are cubes in a layer, a
    row and a column. Options whose names are such pairs, while no items are, occupy these cells.
    Cells that belong to several options at once are not shown.

    Items of two columns of a table, such as ``teacher+slot,Ann,Mon 9``, have a row and a time. The
    bars of an option are colored by its cost. If each option has two items, these are points, and
    covers are matchings.

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
        The requested form of the picture, if any: one of `VIEWS`. Names are then read less
        strictly.

    Raises
    ------
    ValueError
        If the problem has no picture of the requested form.

    Examples
    --------
    >>> from dlx_numba import ExactCover
    >>> cover = ExactCover([["I", (0, 0), (0, 1)], ["O", (1, 0), (1, 1)]])
    >>> print(find_picture(cover.problem, ["I", "0,0", "0,1", "O", "1,0", "1,1"]).text([0, 1]))
    I I
    O O
    """
    if view in ("table", "matrix"):
        return None
    # The items of each option, with the names of their colors ("" for color 0, which is none)
    numbers = problem.items.tolist()
    color_names = [["", *colors][color] for color in problem.node_colors.tolist()]
    bounds = problem.indptr.tolist()[: problem.n_options - n_uncovered + 1]
    nodes = [list(zip(numbers[i:j], color_names[i:j], strict=True)) for i, j in pairwise(bounds)]
    named = Named(problem, items, nodes, options, price, is_requested=bool(view))
    finders = {"grid": _find_board, "timetable": find_timetable, "graph": _find_graph}
    for form, find in finders.items():
        if view in ("", form) and (picture := find(named)) is not None:
            return picture
    if view:
        raise ValueError(f"view={view!r}: {_EXPECTED[view]}; or give a function, see `ExactCover`")
    return None


_EXPECTED = {
    "grid": "no items or options are cells, such as (2, 3) or 'r2c3'",
    "timetable": "few options have a place and a time, such as ('room', 'Mon 9')",
    "graph": f"there are no items, or more than {MAX_POINTS}",
}


def _find_board(named: Named) -> Grid | None:
    """Return the picture of items that are cells, or else of options that all are cells."""
    find = _any_cells if named.is_requested else _pairs
    if cells := _pairs(named.items) or find(named.items):
        return _find_cells(named, cells)
    places = find(named.options)
    if not 0 < len(named.nodes) == len(places):
        return None
    return grid_of([((places[k], PLACED),) for k in range(len(places))])


def _pairs(names: Sequence[str]) -> dict[int, Cell]:
    """Return the cells of the names that are pairs of integers, or else of those that are triples.

    >>> _pairs(["2,3", "a", "1,2,3", "r2c3"]), _pairs(["x", "1,2,3"])
    ({0: (2, 3)}, {1: (1, 2, 3)})
    """
    matches = {k: _CELL.fullmatch(name) for k, name in enumerate(names)}
    cells = {k: tuple(int(n) for n in match.groups() if n) for k, match in matches.items() if match}
    n_numbers = min(map(len, cells.values()), default=2)
    return {k: cell for k, cell in cells.items() if len(cell) == n_numbers}


def _any_cells(names: Sequence[str]) -> dict[int, Cell]:
    """Return the cells of the names that have two numbers, or that are a letter and a number.

    If the names are of several kinds, the cells are those of the most frequent kind.

    >>> _any_cells(["piece 1", "x 1 y 2", "x 2 y 2"]), _any_cells(["a1", "b2"])
    ({1: (1, 2), 2: (2, 2)}, {0: (-1, 1), 1: (-2, 2)})
    """
    kinds: defaultdict[Any, dict[int, Cell]] = defaultdict(dict)  # by the text around the numbers
    for k, name in enumerate(names):
        if match := _ANY_CELL.fullmatch(name):
            before, row, between, column, letter, number = match.groups()
            # Rows after letters count upward, as on a chessboard.
            if letter:
                cell = -int(number), ord(letter.lower()) - ord("a") + 1
            else:
                cell = int(row), int(column)
            kinds[before, between][k] = cell
    return max(kinds.values(), key=len, default={})


def short_label(names: Iterable[str]) -> str:
    """Return the last part of the first name, or "" if that is too long for a cell.

    >>> short_label(["piece,F", "x"]), short_label(["R1#2"]), short_label(["kitchen"])
    ('F', '2', '')
    """
    label = re.split(r"[,#=: ]", next(iter(names), ""))[-1]
    return label if len(label) <= MAX_LABEL else ""


def _find_cells(named: Named, cells: Mapping[int, Cell]) -> Grid | None:
    """Return the picture of the items that are cells, given by item.

    Options write the colors of their cells, or the names of their first other items. Unless the
    form is requested, there is no picture if several options of a cover may share a cell, or the
    board has large gaps or is too large.
    """
    high = named.problem.item_high
    nodes = named.nodes
    if not named.is_requested and any(high[item] > 1 for item in cells):
        return None
    marks = []
    for option in nodes:
        label = short_label(named.items[k] for k, _ in option if k not in cells)
        marks.append(tuple((cells[k], color or label) for k, color in option if k in cells))
    is_colored = any(color for option in nodes for k, color in option if k in cells)
    grid = grid_of(marks, [*cells.values()], is_colored)
    is_sparse = 2 * len(cells) < prod(grid.shape)
    has_bands = grid.lattice == "cubes" and len(divide_bands(grid.positions)) > 1
    is_large = max(grid.shape) > MAX_SIDE or has_bands
    return None if (is_sparse or is_large) and not named.is_requested else grid


def grid_of(
    marks: Sequence[tuple[Mark, ...]], cells: Sequence[Cell] = (), is_colored: bool = False
) -> Grid:
    """Return the picture of what options write: a board of texts, or pieces.

    It is a board if all marks have texts, and each option has one mark or its texts are colors; or
    if all cells are in one row (of cubes: in one layer). `cells` are those of the board, by default
    those with marks.
    """
    texts = {text for option in marks for _, text in option}
    cells = cells or [*dict.fromkeys(cell for option in marks for cell, _ in option)]
    writes_texts = "" not in texts and (is_colored or all(len(option) < 2 for option in marks))
    is_one_row = len({row for row, *_ in cells}) == 1
    form = Grid if writes_texts or is_one_row else Pieces
    return form(
        "A board",
        marks,
        cells,
        lattice="cubes" if all(len(cell) == 3 for cell in cells) else "squares",
        size=min(0.5, MAX_WIDTH / max([1, *map(len, texts)])),
    )


def _find_graph(named: Named) -> Graph | None:
    """Return the picture of points that options join: of pairs, unless it is requested."""
    points = named.items
    groups = [[points[k] for k, _ in option] for option in named.nodes]
    is_matching = {*map(len, groups)} == {2} and len(points) > 2
    if not (0 < len(points) <= MAX_POINTS and (named.is_requested or is_matching)):
        return None
    # Points that follow each other in an option, which ends at its first point, are joined.
    neighbors = (pair for group in groups for pair in pairwise([*group, *group[:1]]))
    pairs = sorted({(min(pair), max(pair)) for pair in neighbors if pair[0] != pair[1]})
    return Graph(
        "Groups",
        [*map(tuple, groups)],
        points,
        lines=pairs[:MAX_PAIRS],
        width=0.2,
    )
