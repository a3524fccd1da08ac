"""Pictures of steps: the problem before the step, with the reason and what it removes marked."""

import math
from collections.abc import Iterator

import numpy as np

from ...cover.covers import as_cover
from ...cover.names import as_text, mark_colors, marked_rows, names_of
from ...pictures.areas import Blocks
from ...pictures.document import Svg
from ...pictures.grid import Grid
from ...pictures.lines import Lines
from ...pictures.matrix import matrix_picture
from ...pictures.plane import Polygon, area, line, mean, rectangle, word
from .reason import DeductionSource, FoundStep

# Colors that are legible in light and dark mode: of the reason, a choice, and what is removed
REASON = "#2f86c4"
CHOICE = "#159a6c"
REMOVED = "#d9480f"
MAX_PLACED = 30  # pieces that are drawn as outlines


def draw_step(source: DeductionSource, found: FoundStep, chosen: list[int], title: str) -> Svg:
    """Draw what is left before a step: in the picture of the problem, or as a matrix.

    `chosen` has the options chosen before, by their numbers in the original problem.
    """
    reason = _reasons(source, found)
    grid = source.named.drawing
    shown = {*reason, *found.removed}
    if found.chosen is not None:
        shown.add(found.chosen)
    if not isinstance(grid, Grid):
        return _draw_matrix(source, found, reason, title)
    places = grid.paths if isinstance(grid, Lines) else grid.places
    if not isinstance(grid, Blocks) and not any(places(k) for k in shown):
        return _draw_matrix(source, found, reason, title)  # which also shows options without cells
    # The last group has the coordinates of the board; what is added comes before its end.
    below, group_end, document_end = grid.numbered().svg(chosen).rpartition("</g>")
    is_symbols = grid.is_board and all(len(marks) <= 1 for marks in grid.marks)
    if isinstance(grid, Lines):
        elements = _strokes(found, reason, grid)
    else:
        elements = (_candidates if is_symbols else _pieces)(source, found, reason, grid)
    return Svg(below + "\n".join(elements) + group_end + document_end)


def draw_chosen(source: DeductionSource, chosen: list[int]) -> str:
    """Draw what is known after some steps, as `draw_step` does."""
    grid = source.named.drawing
    if isinstance(grid, Grid):
        return grid.numbered().svg(chosen)
    return as_cover(source.named, chosen).svg()


def _reasons(source: DeductionSource, found: FoundStep) -> list[int]:
    """Return the options that a reason concerns: those of its items, or the links of a chain."""
    if found.case is not None and (links := found.case.all_links()):
        return [link.option for link in links]
    items = found.items[: found.size] if found.kind == "set" else found.items
    containing = source.reasoner.tables.containing[items]
    return source.reasoner.options(np.bitwise_or.reduce(containing) & found.before)


def _candidates(
    source: DeductionSource, found: FoundStep, reason: list[int], grid: Grid
) -> Iterator[str]:
    """Yield the texts that are possible in each cell; those that are removed are struck out.

    This is for boards on which each option writes one text, such as a digit.
    """
    # Each option writes one text: shorter ones first, so that 10 follows 9
    distinct = {text for marks in grid.marks for _, text in marks}
    texts = sorted(distinct, key=lambda text: (len(text), text))
    # Each cell, of side 1, has a square of places, `side` by `side`, one for each text. A text of
    # several characters is smaller.
    side = math.ceil(len(texts) ** 0.5)
    size = min(0.8 / side, 1.3 / side / max(map(len, texts), default=1))
    glyphs = dict(grid.glyphs)
    for option in source.reasoner.options(found.before):
        for text, corners in grid.places(option):
            row, column = divmod(texts.index(text), side)
            left, top = corners[0]
            x = left + (column + 0.5) / side
            y = top + (row + 0.5) / side
            half = 0.42 / side
            box = rectangle(x - half, y - half, x + half, y + half)
            if option == found.chosen:
                yield area([box], fill=CHOICE, fill_opacity=0.6)
            elif option in reason:
                yield area([box], fill=REASON, fill_opacity=0.35)
            yield word(glyphs.get(text, text), (x, y), size, "" if option in reason else "soft")
            if option in found.removed:
                yield line([[box[0], box[2]]], stroke=REMOVED, stroke_width=2)


def _strokes(found: FoundStep, reason: list[int], grid: Lines) -> Iterator[str]:
    """Yield the lines of options: a choice and the reason, and dashed lines for what is removed."""
    others = [k for k in reason if k != found.chosen]
    marked = found.removed
    look = {"stroke": REMOVED, "stroke_dasharray": "5 3"}
    if found.chosen is not None:
        marked = [found.chosen]
        look = {"stroke": CHOICE}
    for options, style in ((others, {"stroke": REASON}), (marked, look)):
        for option in options[:MAX_PLACED]:
            yield line(grid.paths(option), stroke_width=5, stroke_opacity=0.7, **style)


def _pieces(
    source: DeductionSource, found: FoundStep, reason: list[int], grid: Grid
) -> Iterator[str]:
    """Yield the outlines of pieces: a choice filled, what is removed dashed, the reason light.

    Items are outlines of their cells. A choice that has cells shows what it removes.
    """

    def cells(option: int) -> list[Polygon]:
        return [corners for _, corners in grid.places(option)]

    if found.chosen is not None:
        yield area(cells(found.chosen), fill=CHOICE, fill_opacity=0.7)
    for option in reason[:MAX_PLACED]:
        if option != found.chosen:
            yield area(cells(option), fill=REASON, fill_opacity=0.25)
    # An item stands for the cells that all of its options contain, also those removed before.
    for item in found.items:
        options = source.reasoner.options(source.reasoner.tables.containing[item])
        own_cells = [{*map(tuple, cells(option))} for option in options]
        common = set.intersection(*own_cells) if own_cells else ()
        yield area(common, fill="none", stroke=REASON, stroke_width=4)
    if found.chosen is None or not cells(found.chosen):
        for option in found.removed[:MAX_PLACED]:
            centers = [mean(corners) for corners in cells(option)]
            yield area(cells(option), fill="none", stroke=REMOVED, stroke_dasharray="5 3")
            yield from (word("×", center, 0.4) for center in centers)


def _draw_matrix(source: DeductionSource, found: FoundStep, reason: list[int], title: str) -> Svg:
    """Draw the options of the reason, and those that are removed, with their items, as a matrix."""
    named = source.named
    kept = [*dict.fromkeys([*reason, *found.removed])]
    texts = [as_text(color) for color in named.names.colors]
    rows = marked_rows(named.problem, mark_colors(texts))
    items = sorted({item for k in kept for item, _ in rows[k]})
    focused = {as_text(source.item_name(item)) for item in found.items}
    names = [as_text(name) for name in named.names.items]
    labels = map(as_text, names_of(named.problem, named.names, kept))
    return matrix_picture(
        title,
        names,
        named.problem.n_primary,
        rows,
        [] if found.chosen is None else [found.chosen],
        dict(zip(kept, labels, strict=True)),
        removed=found.removed if found.chosen is None else (),
        # Outlined are no row, the columns of the reason, and no related rows.
        focus=((), [k for k, name in enumerate(names) if name in focused], ()),
        kept=(kept, items),
    )
