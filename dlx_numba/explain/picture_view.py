"""Views of pictures of any form: the places that a page shows and hides."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, starmap
from typing import Any, NamedTuple, TypeVar

from ..cover.names import option_items
from ..kernels.problem import Problem
from ..pictures.areas import Mosaic
from ..pictures.document import Svg
from ..pictures.grid import MAX_WIDTH, Grid
from ..pictures.item_cells import cells_of_items
from ..pictures.lines import Lines
from ..pictures.plane import Point, mean, pixels
from ..pictures.timetable import TEXT_SIZE, Bar, Timetable

MAX_SYMBOLS = 25  # that are candidates in a cell

T = TypeVar("T")


class PictureView(NamedTuple):
    """A picture of what is written anyway, and the places in which options write.

    A place is a polygon in the plane of the picture, in pixels: a cell, or the bar of a timetable.
    """

    svg: str
    places: list[list[Point]]  # their corners; cells are in the order of rows
    options: list[list[tuple[int, str, int]]]  # place, text, and color or -1, by option
    items: list[list[int]]  # the places that each item stands for
    size: float  # of texts
    is_board: bool = False  # whether the places divide the picture, so that each is visible
    symbols: Sequence[str] = ()  # if each option writes one of them into a cell
    givens: Sequence[tuple[int, str]] = ()  # the places with texts in the picture
    lines: Sequence[list[list[Point]]] = ()  # that each option draws


def view_picture(
    picture: Any, problem: Problem, numbers: Sequence[int], given: Sequence[int], show_givens: bool
) -> PictureView | None:
    """Return the view of a problem whose options have these numbers in the picture.

    The marks of the options in `given`, also numbers in the picture, are givens, unless
    `show_givens` is set: then the search chooses these options. Timetables have no givens. Returns
    None for forms of pictures without places.
    """
    if isinstance(picture, Timetable) and picture.rows:
        return _view_timetable(picture, problem, numbers)
    if isinstance(picture, Grid) and picture.positions:
        return _view_grid(picture, problem, numbers, given, show_givens)
    return None


def _view_grid(
    grid: Grid, problem: Problem, numbers: Sequence[int], given: Sequence[int], show_givens: bool
) -> PictureView:
    """Return the view of a board, in which cells are numbered from top to bottom.

    Cells that given options fill are shown as givens unless `show_givens` is set, which leaves them
    to the steps of the search.
    """
    given_texts = dict(mark for k in given for mark in _of(grid.marks, k))  # of the given options
    if show_givens:
        givens = [mark for mark in grid.givens if mark[0] not in given_texts]
        grid = replace(grid, givens=givens, shaded=[*{*grid.shaded}.difference(given_texts)])
        given_texts = {}
        given = ()
    glyphs = dict(grid.glyphs)
    cells = sorted(grid.positions, key=grid.positions.__getitem__)
    place_of = {cell: k for k, cell in enumerate(cells)}
    # The cells of a mosaic have colors instead of texts.
    options = [
        [
            (
                place_of[cell],
                "" if type(grid) is Mosaic else glyphs.get(text, text),
                -1 if grid.is_board else grid.color_of.get(text, -1),
            )
            for cell, text in dict.fromkeys(_of(grid.marks, k))
        ]
        for k in numbers
    ]
    texts = sorted({text for marks in options for _, text, _ in marks}, key=lambda t: (len(t), t))
    lines = grid.lines if isinstance(grid, Lines) and grid.line_style == "path" else ()
    # Each option writes one text, so a page can show those that are left in a cell.
    has_symbols = all(len(marks) == 1 for marks in options) and "" not in texts and not lines
    outlines = [grid.outline(cell) for cell in cells]
    size = min(grid.size, MAX_WIDTH / max([1, *map(len, texts)]))
    if len(outlines[0]) != 4:  # triangles and hexagons have less room than squares
        size *= 0.6
    places = [[place for place, _, _ in marks] for marks in options]
    return PictureView(
        svg=_draw_board(grid, given).embedded(),
        places=[*map(_in_pixels, outlines)],
        options=options,
        items=_places_of_items(problem, places, len(cells)),
        size=pixels(size),
        is_board=True,
        symbols=texts if has_symbols and 1 < len(texts) <= MAX_SYMBOLS else [],
        givens=[(place_of[cell], text) for cell, text in (grid.written([]) | given_texts).items()],
        lines=[
            [_in_pixels([mean(grid.outline(cell)) for cell in path]) for path in _of(lines, k)]
            for k in numbers
        ],
    )


def _draw_board(grid: Grid, chosen: Sequence[int]) -> Svg:
    """Draw a grid of squares, or of lines, as a numbered board; draw others as they are."""
    numbered = grid.numbered()
    if numbered is grid and not isinstance(grid, Lines):
        return grid.svg(chosen)
    return Grid.svg(numbered, chosen)


def _view_timetable(timetable: Timetable, problem: Problem, numbers: Sequence[int]) -> PictureView:
    """Return the view of a timetable, where an item stands for what all its options occupy."""
    bars = [list(starmap(Bar, _of(timetable.bars, k))) for k in numbers]
    of_items: list[list[Bar] | None] = [None] * problem.n_items  # None: no option of it yet
    for k, option, its_bars in zip(numbers, option_items(problem), bars, strict=True):
        if k >= len(timetable.bars):  # it stands for an item that stays uncovered
            continue
        for item in option:
            common = of_items[item]
            of_items[item] = its_bars if common is None else _common(common, its_bars)
    every = [*chain(*bars), *chain(*filter(None, of_items))]
    # A place is the row, the start and the end of bars: their first three values.
    outlines = {bar[:3]: _in_pixels(timetable.outline(bar)) for bar in every}
    place = {key: k for k, key in enumerate(outlines)}
    return PictureView(
        timetable.svg(()).embedded(),
        [*outlines.values()],
        [[(place[bar[:3]], bar.text, bar.color) for bar in its_bars] for its_bars in bars],
        [[place[bar[:3]] for bar in own or ()] for own in of_items],
        size=pixels(TEXT_SIZE),
    )


def _of(marks: Sequence[tuple[T, ...]], option: int) -> tuple[T, ...]:
    """Return the marks of an option; none of one that stands for an item that stays uncovered."""
    return marks[option] if option < len(marks) else ()


def _in_pixels(points: Iterable[Point]) -> list[Point]:
    return [(pixels(x), pixels(y)) for x, y in points]


def _places_of_items(
    problem: Problem, marked: Sequence[Sequence[int]], n_places: int
) -> list[list[int]]:
    """Return the places of each item: those that only its options mark, and all of them.

    If there are none, these are all places that its options mark. `marked` has those of each
    option.
    """
    exact = cells_of_items(problem, marked, range(n_places))
    every: list[set[int]] = [set() for _ in exact]
    for option, places in zip(option_items(problem), marked, strict=True):
        for item in option:
            every[item].update(places)
    return [own or sorted(places) for own, places in zip(exact, every, strict=True)]


def _common(bars: list[Bar], others: list[Bar]) -> list[Bar]:
    """Return the parts of bars that are also parts of others: of times in the same row."""
    pairs = ((a, b) for a in bars for b in others if a.row == b.row)
    parts = (a._replace(start=max(a.start, b.start), end=min(a.end, b.end)) for a, b in pairs)
    return [part for part in parts if part.start < part.end]
