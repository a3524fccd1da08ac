"""Problems as arrays, with names for their items, options and colors."""

from bisect import bisect
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..cover.encode import Names
from ..cover.exact_cover import ExactCover
from ..cover.io.drawing import mark_colors
from ..cover.io.named import as_text
from ..cover.picture import marked_rows
from ..cover.problem import CoverProblem
from ..kernels.problem import Problem
from ..runtime.text import plural
from ..sudoku.box import Box, units
from ..sudoku.encode import encode_problem
from ..sudoku.io.board import format_board
from ..sudoku.io.symbols import Alphabet, Values
from .grid_view import GridView, find_grid
from .timetable_view import TimetableView, find_timetable


class BoardView(NamedTuple):
    """The Sudoku board that a problem encodes."""

    box: Box
    alphabet: Alphabet
    values: Values  # (cells,) 0 for an empty cell
    placements: list[tuple[int, int]]  # the cell and the value of each option
    item_cells: list[list[int]]  # the cell, or the cells of the row, column or box, of each item

    def symbol(self, value: int) -> str:
        return format_board(np.array([value], np.uint8), self.alphabet)


class ProblemView(NamedTuple):
    """A problem as arrays, and the names to display for it."""

    title: str
    summary: str  # its size
    problem: Problem
    cover_problem: CoverProblem  # with the names as they are in the file, or in coordinates
    option_starts: list[int]  # (options + 1,) the first node of each option
    n_primary: int
    items: list[str]
    item_meanings: list[str]  # a description of each item with an abbreviated name, or ""
    options: list[str]  # the name of each option, or its items
    colors: list[str]  # starts with color 1
    has_costs: bool
    board: BoardView | None
    grid: GridView | None  # if the items of another problem are cells
    timetable: TimetableView | None  # if they are places at times, or flights
    start: int = 0  # the number of the first option

    @property
    def n_nodes(self) -> int:
        """The number of nodes: the root, the items and the nodes of the options."""
        return 1 + self.problem.n_items + len(self.problem.items)

    def option_of(self, node: int) -> int:
        """Return the option that contains the node."""
        return bisect(self.option_starts, node) - 1

    def color_marks(self) -> dict[str, str]:
        """Map the character that represents a color in the matrix to the name of the color."""
        return dict(zip(mark_colors(self.colors), self.colors, strict=True))

    def option_labels(self) -> list[str]:
        """Return the name of each option, or its number if it has none."""
        names = self.cover_problem.names.option_names or range(self.problem.n_options)
        return [as_text(self.start + k if name == k else name) for k, name in enumerate(names)]

    def option_references(self) -> list[str]:
        """Return how pages and sentences refer to each option: by its name, if it has one.

        The options of a board are referred to by their numbers.
        """
        if self.board is not None:
            return [str(self.start + number) for number in range(self.problem.n_options)]
        return self.option_labels()

    def marked_rows(self) -> list[list[tuple[int, str]]]:
        """Return the item numbers of each option, from 0, with "1" or the mark of the color."""
        return marked_rows(self.problem, list(self.color_marks()))


def view_cover(cover: ExactCover, title: str) -> ProblemView:
    """Return the view of an exact cover problem, with the names of the problem.

    >>> view = view_cover(ExactCover([["a", ("s", "x")], ["b"]], secondary=["s"]), "two")
    >>> view.items, view.options, view.marked_rows()
    (['a', 'b', 's'], ['a s:x', 'b'], [[(0, '1'), (2, 'x')], [(1, '1')]])
    """
    problem, names = cover.problem.arrays, cover.problem.names
    named = replace(cover.problem, arrays=problem._replace(cost=None))  # costs are ignored
    unnamed = replace(named, names=names._replace(option_names=None))
    described = (unnamed if name == k else named for k, name in enumerate(cover.option_names))
    indptr = problem.indptr + 1 + len(names.items)
    items, colors = ([as_text(name) for name in each] for each in (names.items, names.colors))
    grid = find_grid(problem, items, colors)
    return ProblemView(
        title=title,
        summary=_summarize(problem),
        problem=problem,
        cover_problem=cover.problem,
        option_starts=indptr.tolist(),
        n_primary=problem.n_primary,
        items=items,
        item_meanings=[""] * len(names.items),
        options=[each.format([k], "names") for k, each in enumerate(described)],
        colors=colors,
        has_costs=problem.cost is not None,
        board=None,
        grid=grid,
        timetable=None if grid else find_timetable(problem, items),
    )


def view_board(values: Values, box: Box, alphabet: Alphabet, title: str) -> ProblemView:
    """Return the view of the exact cover problem that encodes a Sudoku board.

    In `cover_problem`, the name of an option is its placement, such as "r1c4=4".

    Raises ValueError if givens of the board conflict.

    >>> board = np.array([1, 2, 3, 0, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1], np.uint8)
    >>> view = view_board(board, Box(2, 2), Alphabet("1-9A-", 4), "one cell")
    >>> view.items, view.options
    (['p14', 'r14', 'c44', 'b24'], ['4 in row 1, column 4'])
    >>> view.option_labels()
    ['r1c4=4']
    """
    encoded = encode_problem(values, box)
    rows_columns_boxes = units(box)
    first_unit = {"r": 0, "c": box.n, "b": 2 * box.n}
    item_cells = [
        [(unit - 1) * box.n + other - 1]
        if kind == "p"
        else rows_columns_boxes[first_unit[kind] + unit - 1]
        for kind, unit, other in encoded.items
    ]
    board = BoardView(box, alphabet, values, encoded.placements, item_cells)
    separator = "" if box.n <= 9 else ","
    items, meanings = [], []
    for kind, unit, other in encoded.items:
        text = str(other) if kind == "p" else board.symbol(other)
        items.append(f"{kind}{unit}{separator}{text}")
        if kind == "p":
            meanings.append(f"the cell in row {unit}, column {other}")
        else:
            unit_name = {"r": "row", "c": "column", "b": "box"}[kind]
            meanings.append(f"{text} in {unit_name} {unit}")
    problem = encoded.problem
    n_items = problem.n_items
    places = [
        (cell // box.n + 1, cell % box.n + 1, board.symbol(value))
        for cell, value in board.placements
    ]
    names = Names(items, (), [f"r{row}c{column}={symbol}" for row, column, symbol in places])
    return ProblemView(
        title=title,
        summary=_summarize(problem),
        problem=problem,
        cover_problem=CoverProblem(problem, names),
        option_starts=(problem.indptr + 1 + n_items).tolist(),
        n_primary=n_items,
        items=items,
        item_meanings=meanings,
        options=[f"{symbol} in row {row}, column {column}" for row, column, symbol in places],
        colors=[],
        has_costs=False,
        board=board,
        grid=None,
        timetable=None,
    )


def _summarize(problem: Problem) -> str:
    """Return the size of a problem, such as "6 options, 7 items, 16 entries"."""
    n_secondary = problem.n_items - problem.n_primary
    items = plural(problem.n_items, "item")
    if n_secondary:
        items += f" ({n_secondary:,} secondary)"
    options, entries = plural(problem.n_options, "option"), len(problem.items)
    return f"{options}, {items}, {'1 entry' if entries == 1 else f'{entries:,} entries'}"
