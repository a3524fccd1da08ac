"""Pictures of lines: pieces made of sticks, bridges, a path, or words in a grid of letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..runtime.text import Paint, plural, unpainted
from .cells import Cell
from .document import Svg
from .frames import board_elements
from .grid import Grid, Mark
from .palette import COLORS
from .pieces import sticks_picture
from .plane import Point, dot, line, pixels, plane_picture, word

GAP = 0.07  # between a double bridge and its center line, in sides of a cell


@dataclass(frozen=True)
class Lines(Grid):
    """Lines through cells. Texts show the marks and the givens, as those of a `Grid` do.

    Parameters
    ----------
    lines : tuple of tuple of polylines
        What each option draws: polylines through cells.
    labels : tuple of tuple of (cell, text), optional
        The dots with texts that each option draws in pictures.
    line_style : {"pipes", "bridges", "path", "ovals"}
        How to draw: pieces made of lines between two neighboring cells, with the text of their
        first marks; lines between givens, which are dots; lines on a board; or thick lines below
        the marks on a board.
    step : (int, int)
        The rows and columns of texts for each row and column of the picture.

    Examples
    --------
    >>> islands = (((1, 1), "1"), ((1, 3), "1"))
    >>> bridge = ((1, 1), (1, 3))
    >>> picture = Lines("Two islands", (((((1, 2), "─")),),), givens=islands, separator="",
    ...     lines=((bridge,),), line_style="bridges", step=(1, 2))
    >>> print(picture.text([0]))
    1─1
    """

    lines: Sequence[tuple[tuple[Cell, ...], ...]] = ()
    labels: Sequence[tuple[Mark, ...]] = ()
    line_style: Literal["pipes", "bridges", "path", "ovals"] = "path"
    step: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        """Check that each option has lines, and labels if there are any."""
        super().__post_init__()
        if len({len(self.marks), len(self.lines), len(self.labels or self.lines)}) > 1:
            raise ValueError("marks, lines and labels have different numbers of options")

    def text(self, chosen: Iterable[int], paint: Paint = unpainted) -> str:
        options = self._listed(chosen)
        is_hiding = self.line_style == "ovals" and bool(options)
        return Grid.text(replace(self, blank=" ") if is_hiding else self, options, paint)

    def _colors(self, options: Sequence[int]) -> dict[Cell, int | str]:
        """Return the color of each cell; in ovals, that of the word to which it belongs."""
        if self.line_style != "ovals":
            return super()._colors(options)
        drawn = (self.marks[k] for k in self._drawn(options))
        return {cell: k % len(COLORS) for k, own in enumerate(drawn) for cell, _ in own}

    def _drawn(self, chosen: Iterable[int]) -> list[int]:
        """Return the options that draw something, in the order of their colors in ovals."""
        return [k for k in sorted(self._listed(chosen)) if self.marks[k] or self.lines[k]]

    def paths(self, option: int) -> list[list[Point]]:
        """Return the polylines of an option in pictures."""
        return [[*map(self._point, cells)] for cells in self.lines[option]]

    def svg(self, chosen: Iterable[int]) -> Svg:
        """Draw the paths of the options that are chosen, in the style of the puzzle."""
        options = self._drawn(chosen)
        if self.line_style == "pipes":
            return self._draw_sticks(options)
        # The rows and the columns of the picture: `shape` counts those of texts.
        n_rows, n_columns = (-(-n // k) for n, k in zip(self.shape, self.step, strict=True))
        shaded = [self.positions[cell] for cell in self.shaded]
        cells = self.positions
        if self.line_style == "ovals" and options:  # cells without letters are shaded
            cells = {cell: cells[cell] for cell in self.written(options)}
        elements = board_elements(n_rows, n_columns, shaded, (), cells.values())
        joined = [path for k in options for path in self.paths(k)]
        dots = [mark for k in options if self.labels for mark in self.labels[k]]
        radius = 0.26
        size = 0.34
        description = self._describe(options)
        if self.line_style == "bridges":
            elements = []  # islands have no board
            dots = [*self.givens, *dots]
            radius = 0.4
            size = 0.42
            description = f"{plural(len(dots), 'dot')} with {plural(len(joined), 'line')}."
        if self.line_style == "ovals":
            words = ("".join(text for _, text in self.marks[k]) for k in options)
            description = f"Words: {', '.join(words)}." if options else description
            elements += self._draw_ovals(options)
        else:
            elements.append(line(_side_by_side(joined), class_="rule"))
        for cell, text in dots:
            center = self._point(cell)
            elements += [dot(center, radius, class_="one"), word(text, center, size, "on strong")]
        below_axis = 0.4 if any(self.axes) else 0
        corners = [(-self._edge, 0), (n_columns, n_rows + below_axis)]
        elements += self._draw_axes(n_rows)
        return plane_picture(self.title, description, corners, elements)

    def _draw_sticks(self, options: Iterable[int]) -> Svg:
        """Draw pieces that are made of sticks."""
        pieces = []
        for k in options:
            letter = self.marks[k][0][1] if self.marks[k] else ""
            sticks = [(start, end) for start, end in self.paths(k)]
            pieces.append((letter, sticks, self.color_of.get(letter, 0)))
        ground = [self._point(cell) for cell, _ in self.givens]
        return sticks_picture(self.title, pieces, ground)

    def _draw_ovals(self, options: Sequence[int]) -> list[str]:
        """Draw an oval below each word, and the letters and the other texts above them."""
        elements = []
        for number, k in enumerate(options):
            color = COLORS[number % len(COLORS)]
            elements.append(line(self.paths(k), stroke=color, stroke_width=pixels(0.5)))
        marked = {cell for k in options for cell, _ in self.marks[k]}
        shown = dict(self.glyphs)
        for cell, text in self.written(options).items():
            class_ = "over" if cell in marked else ""
            elements.append(word(shown.get(text, text), self._point(cell), self.size, class_))
        return elements

    def _point(self, cell: Cell) -> Point:
        """Return the center of a cell in pictures, as (x, y)."""
        # A cell without a text has no position, but all positions are shifted alike.
        first, (first_row, first_column) = next(iter(self.positions.items()))
        rows_of_step, columns_of_step = self.step
        return (
            (cell[1] - first[1] + first_column) / columns_of_step + 0.5,
            (cell[0] - first[0] + first_row) / rows_of_step + 0.5,
        )


def _side_by_side(lines: Sequence[Sequence[Point]]) -> list[list[Point]]:
    """Return horizontal and vertical lines, where equal ones are drawn beside each other.

    >>> _side_by_side([[(0, 0), (0, 2)], [(0, 0), (0, 2)]])
    [[(-0.07, 0), (-0.07, 2)], [(0.07, 0), (0.07, 2)]]
    """
    shifted = []
    for points, n_equal in Counter(map(tuple, lines)).items():
        start_x, _ = points[0]
        end_x, _ = points[-1]
        for k in range(n_equal):
            shift = GAP * (2 * k + 1 - n_equal)  # symmetric to the line; 0 for a single one
            dx, dy = (shift, 0) if start_x == end_x else (0, shift)
            shifted.append([(x + dx, y + dy) for x, y in points])
    return shifted
