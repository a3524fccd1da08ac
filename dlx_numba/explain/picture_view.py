"""Boards and timetables as the scripts of a page draw them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ..cover.names import option_items
from ..kernels.problem import Problem
from ..pictures.grid import Grid
from ..pictures.recognize import cells_of_items
from ..pictures.timetable import Bar, Timetable

MAX_SYMBOLS = 25  # that are candidates in a cell

T = TypeVar("T")


class GridView(NamedTuple):
    """The board that a problem fills. Cells are numbered row by row, from 0."""

    rows: int
    columns: int
    item_cells: list[list[int]]  # the cells that each item stands for
    option_cells: list[list[tuple[int, str]]]  # the cells of each option, each with its label
    first_row: int | None  # the number of the first row, if rows have numbers
    column_labels: list[str]
    path: list[int] | None  # the number of each option, from 0, if these are the steps of a path
    option_sides: list[list[tuple[int, int, int]]]  # of cells: their numbers from 0, and colors
    regions: list[str]  # of the cells
    symbols: list[str]  # if each option writes one of them into a cell
    givens: list[tuple[int, str]]  # the symbols of cells


class TimetableView(NamedTuple):
    """The timetable that a problem fills: bars along an axis of times, which start at 0."""

    rows: tuple[str, ...]
    length: int  # of the axis
    labels: tuple[tuple[float, str], ...]  # positions on the axis, and their labels
    item_bars: list[list[Bar]]  # the times that each item stands for
    option_bars: list[list[Bar]]  # the bars of each option
    legend: tuple[tuple[int, str], ...]  # colors, and their meanings


def view_grid(
    grid: Grid,
    problem: Problem,
    numbers: Sequence[int],
    given: Sequence[int] = (),
    show_givens: bool = False,
) -> GridView | None:
    """Return the board of a problem whose options have these numbers in the picture.

    The marks of given options are givens, unless the search chooses them. Returns None if the cells
    are triangles.
    """
    if grid.lattice == "triangles" or not grid.positions:
        return None
    has_sides = grid.lattice == "quarters"
    places = {cell: cell[:2] if has_sides else place for cell, place in grid.positions.items()}
    top, left = (min(place[k] for place in places.values()) for k in range(2))
    rows, columns = (max(place[k] for place in places.values()) + 1 for k in range(2))
    rows, columns = rows - top, columns - left
    number = {cell: (r - top) * columns + c - left for cell, (r, c) in places.items()}
    named = {number[cell] % columns: cell[1 if has_sides else -1] for cell in places}
    marks = [_of(grid.marks, k) for k in numbers]
    texts = sorted({text for option in marks for _, text in option}, key=lambda t: (len(t), t))
    shown, rank = dict(grid.glyphs), {text: k for k, text in enumerate(texts)}
    option_cells = [
        list(dict.fromkeys((number[c], "" if has_sides else shown.get(t, t)) for c, t in option))
        for option in marks
    ]
    marked = {cell: text for k in given for cell, text in _of(grid.marks, k)}
    givens = dict(grid.givens) | marked
    if show_givens:
        givens = {cell: text for cell, text in givens.items() if cell not in marked}
    regions = {number[cell]: region for cell, region in grid.regions}
    path = _number_path(option_cells, len(number))
    is_written = all(len(option) == 1 for option in option_cells) and "" not in texts
    has_symbols = is_written and path is None and not has_sides and 1 < len(texts) <= MAX_SYMBOLS
    is_named = getattr(grid, "step", (1, 1)) == (1, 1)  # no rows and columns between others
    return GridView(
        rows,
        columns,
        _cells_of_items(problem, [[cell for cell, _ in option] for option in option_cells], number),
        option_cells,
        min(cell[0 if has_sides else -2] for cell in places) if rows > 1 and is_named else None,
        [str(named.get(column, "")) if is_named else "" for column in range(columns)],
        path,
        [[(number[cell], cell[2], rank[text]) for cell, text in option] for option in marks]
        if has_sides
        else [],
        [regions.get(cell, "") for cell in range(rows * columns)] if regions else [],
        texts if has_symbols else [],
        [(number[cell], text) for cell, text in givens.items()],
    )


def _of(marks: Sequence[tuple[T, ...]], option: int) -> tuple[T, ...]:
    """Return the marks of an option; none of one that stands for an item that stays uncovered."""
    return marks[option] if option < len(marks) else ()


def _cells_of_items(
    problem: Problem, marked: Sequence[Sequence[int]], number: Mapping[Any, int]
) -> list[list[int]]:
    """Return the cells in the same options as an item; otherwise, all cells of its options."""
    exact = cells_of_items(problem, marked, dict.fromkeys(number.values()))
    every: list[dict[int, None]] = [{} for _ in exact]
    for option, cells in zip(option_items(problem), marked, strict=True):
        for item in option:
            every[item] |= dict.fromkeys(cells)
    return [own or sorted(cells) for own, cells in zip(exact, every, strict=True)]


def _number_path(option_cells: list[list[tuple[int, str]]], n_cells: int) -> list[int] | None:
    """Return the number of each option if each gives one cell a number, up to that of cells."""
    if n_cells < 2 or any(len(cells) != 1 for cells in option_cells):
        return None
    labels = [label for [(_, label)] in option_cells]
    first = 0 if "0" in labels else 1
    if set(labels) != {str(number) for number in range(first, first + n_cells)}:
        return None
    return [int(label) - first for label in labels]


def view_timetable(
    timetable: Timetable, problem: Problem, numbers: Sequence[int]
) -> TimetableView | None:
    """Return the timetable of a problem whose options have these numbers in the picture.

    An item stands for the times that all its options occupy. Returns None if rows have no names.
    """
    if not timetable.rows:
        return None
    axis = timetable.axis
    option_bars = [[axis.place(Bar(*bar)) for bar in _of(timetable.bars, k)] for k in numbers]
    item_bars: list[list[Bar] | None] = [None] * problem.n_items
    for option, bars in zip(option_items(problem), option_bars, strict=True):
        for item in option:
            own = item_bars[item]
            item_bars[item] = bars if own is None else _common(own, bars)
    named = [[bar._replace(text="") for bar in bars or []] for bars in item_bars]
    rows, length, labels, legend = timetable.rows, axis.n_steps, axis.labels, timetable.legend
    return TimetableView(rows, length, labels, named, option_bars, legend)


def _common(bars: list[Bar], others: list[Bar]) -> list[Bar]:
    """Return the parts of bars that are also parts of others."""
    pairs = ((a, b) for a in bars for b in others if a.row == b.row)
    parts = (a._replace(start=max(a.start, b.start), end=min(a.end, b.end)) for a, b in pairs)
    return [part for part in parts if part.start < part.end]
